import { operations } from '../../schemas/operations.ts';
import { type ClauseResult, isUpheldInPart, type Results } from '../../schemas/results.ts';
import { byReasons, isChosen, reasonsOfVerdict, upheldInPart } from '../grouping.ts';
import { type WaiverReview, waiverStates } from '../waivers.ts';
import {
  counted,
  duration,
  headline,
  instant,
  reasonsOfClause,
  reasonsText,
  repeatsText,
  stacksOf,
  unusableLines,
} from '../wording.ts';
import { howToRestore, putBackText } from '../writes.ts';
import { html, type Markup } from './markup.ts';
import {
  badge,
  meanings,
  type ShownVerdict,
  shownVerdict,
  shownVerdicts,
  verdictClass,
} from './verdicts.ts';

/** What a person must know first: the verdict in words, of what, when, and the counts. */
export function pageHead(results: Results, review: WaiverReview): Markup {
  const { word, of, tone, sentence } = headline(results, review);
  const { target, requests } = results;
  const byOperation = operations
    .filter((operation) => requests.byOperation[operation] > 0)
    .map((operation) => `${requests.byOperation[operation]} ${operation}`);
  return html`<header class="head ${tone}">
<div>
<p class="title">Contract compliance report</p>
<h1>${word}${of}</h1>
<p class="sentence">${sentence}</p>
<dl class="facts">
<div><dt>Target</dt><dd><code>${target.baseUrl}</code>${target.kind === 'embedded' && html` <span class="quiet">the embedded reference service</span>`}</dd></div>
<div><dt>Date</dt><dd><time datetime="${results.startedAt}">${instant(results.startedAt)}</time></dd></div>
<div><dt>Duration</dt><dd>${duration(results.durationMs)}</dd></div>
<div><dt>Suite version</dt><dd>${results.suite}</dd></div>
<div><dt>Seed</dt><dd><code>${results.seed}</code></dd></div>
<div><dt>Requests</dt><dd>${requests.total.toLocaleString('en-US')}${repeatsText(requests)}${byOperation.length > 0 && html` <span class="quiet">(${byOperation.join(', ')})</span>`}</dd></div>
</dl>
</div>
${countTable(results.clauses, review)}
</header>`;
}

/** What is wrong with the configuration, and what that costs. */
export function unusableSection({ unusable, clauses }: Results): Markup | undefined {
  const lines = unusableLines(unusable, clauses);
  if (lines.length === 0) return undefined;
  return html`<section class="changed" aria-labelledby="unusable-title">
<h2 id="unusable-title">Wrong in the configuration</h2>
<ul>${lines.map((line) => html`<li>${line}</li>\n`)}</ul>
</section>`;
}

/** The tasks that are not as they were before the run, and what to do about it. */
export function leftChangedSection(results: Results): Markup | undefined {
  const { leftChanged: tasks = [] } = results;
  const todo = howToRestore(results);
  if (tasks.length === 0 && todo === undefined) return undefined;
  return html`<section class="changed" aria-labelledby="changed-title">
<h2 id="changed-title">${tasks.length === 0 ? 'Tasks that may not be as they were before' : html`Tasks that are not as they were before <span class="quiet">${tasks.length}</span>`}</h2>
${tasks.length > 0 && html`<ul>${tasks.map((task) => html`<li><code>${task.taskId}</code>: ${putBackText(task)}</li>\n`)}</ul>`}
${todo !== undefined && html`<p>${todo.sentence}</p>\n<figure><figcaption>Put back</figcaption><pre class="command">${todo.command}</pre></figure>`}
</section>`;
}

/** What is neither to be judged nor to be observed stands below the totals. */
const outside: readonly ShownVerdict[] = ['left out', 'untestable'];

/** The columns of the table: the clauses that are judged, by level and together, and the open points. */
const columns = [
  { title: 'stated', query: 'level=stated', levels: ['stated'] },
  { title: 'implied', query: 'level=implied', levels: ['implied'] },
  { title: 'clauses', query: 'level=stated&level=implied', levels: ['stated', 'implied'] },
  { title: 'open points', query: 'level=open', levels: ['open'] },
] as const satisfies readonly {
  levels: readonly ClauseResult['level'][];
  [key: string]: unknown;
}[];

/** How many clauses, and how many open points, have which verdict; those that were not chosen are not counted. */
function countTable(all: readonly ClauseResult[], review: WaiverReview): Markup {
  const chosen = all.filter(isChosen);
  const verdictOf = (clause: ClauseResult): ShownVerdict => shownVerdict(clause, review);
  const unchosen = all.length - chosen.length;
  const row = (verdict: ShownVerdict): Markup => {
    const own = chosen.filter((clause) => verdictOf(clause) === verdict);
    const query = `verdict=${encodeURIComponent(verdict)}`;
    return html`<tr class="${verdictClass(verdict)}"><th scope="row">${badge(verdict)}</th>${columns.map(({ levels, query: ofLevels }) => countCell(countOf(own, levels), `${query}&${ofLevels}`))}</tr>\n`;
  };
  const occurring = shownVerdicts.filter((verdict) =>
    chosen.some((clause) => verdictOf(clause) === verdict),
  );
  const asked = chosen.filter((clause) => !outside.includes(verdictOf(clause)));
  return html`<div><table class="counts">
<thead><tr><th scope="col"><span class="unseen">Verdict</span></th>${columns.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${occurring.filter((verdict) => !outside.includes(verdict)).map(row)}
<tr class="total"><th scope="row">total</th>${columns.map(({ levels }) => html`<td>${countOf(asked, levels)}</td>`)}</tr>
${occurring.filter((verdict) => outside.includes(verdict)).map(row)}</tbody>
</table>
${unchosen > 0 && html`<p class="quiet">${counted(unchosen, 'clause')} not chosen for this run.</p>`}</div>`;
}

function countOf(
  clauses: readonly ClauseResult[],
  levels: readonly ClauseResult['level'][],
): number {
  return clauses.filter(({ level }) => levels.includes(level)).length;
}

function countCell(count: number, query: string): Markup {
  return html`<td>${count === 0 ? html`<span class="quiet">0</span>` : html`<a href="#clauses?${query}">${count}</a>`}</td>`;
}

/** Our own failures, before anything that is about the target. */
export function suiteErrorsSection(results: Results): Markup | undefined {
  const groups = reasonsOfVerdict(results, 'error');
  if (groups.length === 0) return undefined;
  return html`<section aria-labelledby="errors-title">
<h2 id="errors-title">Errors of the suite</h2>
<p>The suite itself failed; this says nothing about the target.</p>
${groups.map(({ reasons, clauses }) => html`<p>${badge('error')} ${clauseLinks(clauses)}</p>\n${stacksOf(reasons).map((stack) => html`<pre>${stack}</pre>\n`)}`)}</section>`;
}

function clauseLinks(clauses: readonly ClauseResult[]): Markup[] {
  return clauses.map(({ id }) => html`<a href="#${id}"><code>${id}</code></a> `);
}

/** What could not be decided, by reason; what no request can show, in one line. */
export function undecidedSection(results: Results): Markup | undefined {
  const untestable = results.clauses.filter(({ verdict }) => verdict === 'untestable');
  const groups = [
    ...(['inconclusive', 'not judged'] as const).flatMap((verdict) =>
      reasonsOfVerdict(results, verdict).map(({ reasons, clauses }) => ({
        verdict,
        reason: reasonsText(reasons),
        clauses,
      })),
    ),
    ...byReasons(results.clauses.filter(isUpheldInPart)).map(({ reasons, clauses }) => ({
      verdict: upheldInPart,
      reason: reasonsOfClause({ verdict: 'upheld', reasons: [...reasons] }),
      clauses,
    })),
  ];
  if (groups.length + untestable.length === 0) return undefined;
  return html`<section aria-labelledby="undecided-title">
<h2 id="undecided-title">What was not judged, and why</h2>
<ul class="reasons">
${groups.map(({ verdict, reason, clauses }) => reasonEntry(verdict, reason, clauses))}
${untestable.length > 0 && reasonEntry('untestable', 'No request can show it; each clause says why.', untestable)}</ul>
</section>`;
}

function reasonEntry(
  verdict: ShownVerdict,
  reason: string,
  clauses: readonly ClauseResult[],
): Markup {
  return html`<li><details><summary>${badge(verdict)} <span class="reason">${reason}</span> <span class="quiet">${clausesAndPoints(clauses)}</span></summary><p class="inside">${clauseLinks(clauses)}</p></details></li>\n`;
}

/** "110 clauses, 34 open points": counted apart, as everywhere. */
function clausesAndPoints(clauses: readonly ClauseResult[]): string {
  const open = clauses.filter(({ level }) => level === 'open').length;
  const judged = clauses.length - open;
  return [
    ...(judged > 0 ? [counted(judged, 'clause')] : []),
    ...(open > 0 ? [counted(open, 'open point')] : []),
  ].join(', ');
}

/** The waivers by what became of their clauses. */
export function waiversSection(review: WaiverReview): Markup | undefined {
  const states = waiverStates.filter(({ state }) => review[state].length > 0);
  if (states.length === 0) return undefined;
  return html`<section aria-labelledby="waivers-title">
<h2 id="waivers-title">Waivers</h2>
${states.map(
  ({ state, title }) => html`<h3>${title}</h3>
<ul>${review[state].map(
    ({ clause, reason, owner, issue, expires }) =>
      html`<li><a href="#${clause}"><code>${clause}</code></a> until <time datetime="${expires}">${expires}</time>, ${owner}: ${reason} (<a href="${issue}">${issue}</a>)</li>\n`,
  )}</ul>
`,
)}</section>`;
}

/** The words of the page and their meanings. */
export function glossary(): Markup {
  const meaningsOfLevels = {
    stated: 'The document says so explicitly.',
    implied: 'The natural reading of what the document says.',
    open: 'The document says “not shown”, or is silent: never judged, only observed.',
  };
  return html`<section aria-labelledby="words-title">
<h2 id="words-title">Glossary</h2>
<dl class="words">
${shownVerdicts.map((verdict) => html`<div><dt>${badge(verdict)}</dt><dd>${meanings[verdict]}</dd></div>\n`)}
${Object.entries(meaningsOfLevels).map(([level, meaning]) => html`<div><dt>${level}</dt><dd>${meaning}</dd></div>\n`)}
</dl>
</section>`;
}
