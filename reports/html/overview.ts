import { operations } from '../../schemas/operations.ts';
import { type ClauseResult, clauseVerdicts, type Results } from '../../schemas/results.ts';
import {
  commonActual,
  countByVerdict,
  reasonsOfVerdict,
  type ViolatedClause,
  violatedClauses,
} from '../grouping.ts';
import { cut } from '../printable.ts';
import { type WaiverReview, waiverStates } from '../waivers.ts';
import {
  counted,
  duration,
  exchangesOf,
  headline,
  instant,
  reasonsText,
  stacksOf,
  whatWasDone,
} from '../wording.ts';
import { html, type Markup, withCode } from './markup.ts';
import { badge, meanings, type ShownVerdict, verdictClass } from './verdicts.ts';
import { exchangeLinks } from './violations.ts';

/** What a person must know first: the verdict in words, of what, when, and the counts. */
export function pageHead(results: Results, review: WaiverReview): Markup {
  const { verdict, word, sentence } = headline(results, review);
  const { target, requests } = results;
  const byOperation = operations
    .filter((operation) => requests.byOperation[operation] > 0)
    .map((operation) => `${requests.byOperation[operation]} ${operation}`);
  return html`<header class="head run-${verdict.replace(' ', '-')}">
<div>
<p class="title">Contract compliance report</p>
<h1>${word}</h1>
<p class="sentence">${sentence}</p>
<dl class="facts">
<div><dt>Target</dt><dd><code>${target.baseUrl}</code>${target.kind === 'embedded' && html` <span class="quiet">the embedded reference service</span>`}</dd></div>
<div><dt>Date</dt><dd><time datetime="${results.startedAt}">${instant(results.startedAt)}</time></dd></div>
<div><dt>Duration</dt><dd>${duration(results.durationMs)}</dd></div>
<div><dt>Suite</dt><dd>${results.suite}</dd></div>
<div><dt>Seed</dt><dd><code>${results.seed}</code></dd></div>
<div><dt>Requests</dt><dd>${requests.total.toLocaleString('en-US')}${byOperation.length > 0 && html` <span class="quiet">${byOperation.join(', ')}</span>`}</dd></div>
</dl>
</div>
${countTable(results.clauses)}
</header>`;
}

const levels = ['stated', 'implied', 'open'] as const;

function countTable(clauses: readonly ClauseResult[]): Markup {
  const counts = countByVerdict(clauses);
  const countsOfLevel = levels.map((level) => ({
    level,
    counts: countByVerdict(clauses.filter((clause) => clause.level === level)),
  }));
  return html`<table class="counts">
<thead><tr><th scope="col"><span class="unseen">Verdict</span></th>${levels.map((level) => html`<th scope="col">${level}</th>`)}<th scope="col">all</th></tr></thead>
<tbody>${clauseVerdicts.map((verdict) => {
    const query = `verdict=${encodeURIComponent(verdict)}`;
    return html`<tr class="${verdictClass(verdict)}"><th scope="row">${badge(verdict)}</th>${countsOfLevel.map((one) => countCell(one.counts[verdict], `${query}&level=${one.level}`))}${countCell(counts[verdict], query)}</tr>\n`;
  })}</tbody>
<tfoot><tr><th scope="row">all</th>${levels.map((level) => countCell(clauses.filter((clause) => clause.level === level).length, `level=${level}`))}<td>${clauses.length}</td></tr></tfoot>
</table>`;
}

function countCell(count: number, query: string): Markup {
  return html`<td>${count === 0 ? html`<span class="quiet">0</span>` : html`<a href="#clauses?${query}">${count}</a>`}</td>`;
}

/** The violations in short, each with a link to its evidence. */
export function violationsSection(results: Results, review: WaiverReview): Markup | undefined {
  const violated = violatedClauses(results);
  if (violated.length === 0) return undefined;
  const waived = new Set(review.waived.map(({ clause }) => clause));
  const shared = commonActual(results);
  return html`<section aria-labelledby="violations-title">
<h2 id="violations-title">Violations</h2>
${shared !== undefined && html`<p>${shared.times} of ${counted(results.violations.length, 'violation')} got the same: <code>${cut(shared.actual, 300)}</code></p>`}
<ol class="violation-list">
${violated.map((one) => violationSummary(one, waived.has(one.clause.id)))}</ol>
</section>`;
}

function violationSummary({ clause, violations }: ViolatedClause, waived: boolean): Markup {
  const [first, ...more] = violations;
  return html`<li><p>${badge(waived ? 'waived' : 'violated')} <a href="#${clause.id}"><code>${clause.id}</code></a> <span class="quiet">${clause.level}, ${clause.section}</span></p>
<p>${withCode(clause.text)}</p>
${first !== undefined && html`<p><strong>${first.scenario}</strong>: ${cut(whatWasDone(first), 300)}: expected <code class="expected">${cut(first.expected, 160)}</code>, got <code class="actual">${cut(first.actual, 160)}</code>${first.on.length > 0 && html` (${exchangeLinks(exchangesOf(first))})`}${first.intermittent && ', intermittent'}${more.length > 0 && html`, and ${counted(more.length, 'more violation')}`}</p>`}</li>
`;
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
  const groups = (['inconclusive', 'not judged'] as const).flatMap((verdict) =>
    reasonsOfVerdict(results, verdict).map(({ reasons, clauses }) => ({
      verdict,
      reason: reasonsText(reasons),
      clauses,
    })),
  );
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
  return html`<li><details><summary>${badge(verdict)} <span class="reason">${reason}</span> <span class="quiet">${counted(clauses.length, 'clause')}</span></summary><p class="inside">${clauseLinks(clauses)}</p></details></li>\n`;
}

/** The waivers by what they come to in this run. */
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

/** What the words of the page mean. */
export function glossary(): Markup {
  const meaningsOfLevels = {
    stated: 'The document says it flatly.',
    implied: 'The natural reading of what the document says.',
    open: 'The document says “not shown”, or is silent: never judged, only observed.',
  };
  // The keys of a literal type, which Object.keys forgets.
  const verdicts = Object.keys(meanings) as ShownVerdict[];
  return html`<section aria-labelledby="words-title">
<h2 id="words-title">What the words mean</h2>
<dl class="words">
${verdicts.map((verdict) => html`<div><dt>${badge(verdict)}</dt><dd>${meanings[verdict]}</dd></div>\n`)}
${Object.entries(meaningsOfLevels).map(([level, meaning]) => html`<div><dt>${level}</dt><dd>${meaning}</dd></div>\n`)}
</dl>
</section>`;
}
