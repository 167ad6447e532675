import { nameOfLearning } from '../../helpers/http/exchange.ts';
import { countsOf, groupBy } from '../../helpers/maps.ts';
import type { ClauseResult, Results, RunVerdict, ViolationResult } from '../../schemas/results.ts';
import { commandFor } from '../commands.ts';
import { recurrences, recurrenceText } from '../compare.ts';
import { factsOf } from '../facts.ts';
import { headlineOf, violationText } from '../findings.ts';
import { runReport, type ToldFinding, type ToldRun, toldFindings } from '../run-report.ts';
import { hasReason, type ToldVerdict, toldVerdict, waivedUntil } from '../verdicts.ts';
import { counted, instant, reasonsOfClause } from '../wording.ts';
import { reportBody } from './blocks.ts';
import { type Evidence, type EvidenceLimits, evidenceOf, evidenceSection } from './evidence.ts';
import {
  badge,
  clauseScript,
  document,
  html,
  type Markup,
  mark,
  meaningOf,
  toldVerdicts,
  verdictClass,
  withCode,
} from './markup.ts';

/** The most bytes that a page may have. */
export const pageBytes = 2_000_000;

/** How much of the evidence a page may hold, the most first; the first that keeps the page small enough is taken. */
const limits: readonly EvidenceLimits[] = [
  { bodyLength: 8000, onlyCited: false },
  { bodyLength: 3000, onlyCited: false },
  { bodyLength: 1200, onlyCited: false },
  { bodyLength: 400, onlyCited: false },
  { bodyLength: 3000, onlyCited: true },
  { bodyLength: 400, onlyCited: true },
];

/** The compliance report: one file that loads nothing and stays under `pageBytes`. */
export function renderPage(run: ToldRun): string {
  const { title, of = '' } = runReport(run);
  const name = `${title}${of}: contract compliance, ${instant(run.results.startedAt)}`;
  let page = '';
  for (const evidenceLimits of limits) {
    page = document(name, pageBody(run, evidenceLimits), clauseScript);
    if (Buffer.byteLength(page) < pageBytes) break;
  }
  return page;
}

/** The body of the page: the report, and what only a page can show. */
export function pageBody(run: ToldRun, evidenceLimits: EvidenceLimits): Markup {
  const evidence = evidenceOf(run.exchanges);
  const findings = toldFindings(run);
  const below = html`${runsSection(run)}${clausesSection({ ...run, evidence, findings })}
${evidenceSection(run.results, evidence, evidenceLimits)}
${glossary()}
`;
  return html`<a class="skip" href="#clauses">Skip to the clauses</a>
${reportBody(runReport(run), below)}`;
}

const meaningsOfLevels = {
  stated: 'The document says so explicitly.',
  implied: 'The natural reading of what the document says.',
  open: 'The document says “not shown”, or is silent: never judged, only observed.',
};

function glossary(): Markup {
  return html`<section aria-labelledby="words-title">
<h2 id="words-title">Glossary</h2>
<dl class="words">
${toldVerdicts.map((verdict) => html`<div><dt>${badge(verdict)}</dt><dd>${meaningOf(verdict)}</dd></div>\n`)}
${Object.entries(meaningsOfLevels).map(([level, meaning]) => html`<div><dt>${level}</dt><dd>${meaning}</dd></div>\n`)}
</dl>
</section>`;
}

interface ClauseContext extends ToldRun {
  readonly evidence: Evidence;
  readonly findings: readonly ToldFinding[];
}

function clausesSection(context: ClauseContext): Markup {
  const clauses = context.results.clauses.filter((one) => !hasReason(one, 'not selected'));
  const unchosen = context.results.clauses.length - clauses.length;
  const sections = Array.from(
    groupBy(clauses, ({ section }) => section),
    ([section, members]) => {
      const counts = tallyOf(members, context).map(([verdict, count]) => `${count} ${verdict}`);
      return html`<section class="document-section">
<h3>${section} <span class="quiet">${counts.join(', ')}</span></h3>
${members.map((clause) => clauseEntry(clause, context))}
</section>
`;
    },
  );
  return html`<section id="clauses" aria-labelledby="clauses-title">
<h2 id="clauses-title">The document, clause by clause</h2>
${unchosen > 0 && html`<p>Only what was chosen for this run. ${counted(unchosen, 'other clause')} ${unchosen === 1 ? 'was' : 'were'} not looked at.</p>`}
${filterForm(clauses, context)}
<div class="columns" aria-hidden="true"><span>Verdict</span><span>Clause</span><span>Level</span>${context.history.length > 0 && html`<span class="recent">Recent runs</span>`}<span>Scenarios</span></div>
${sections}
</section>`;
}

function shownVerdict(clause: ClauseResult, { review }: ToldRun): ToldVerdict {
  return hasReason(clause, 'left out') ? 'left out' : toldVerdict(clause, review.waivedClauses);
}

/** How many clauses the page shows under each verdict, in the order of its list; verdicts that occur. */
function tallyOf(clauses: readonly ClauseResult[], run: ToldRun): [ToldVerdict, number][] {
  const counts = countsOf(clauses.map((clause) => shownVerdict(clause, run)));
  return [...counts].sort(([a], [b]) => toldVerdicts.indexOf(a) - toldVerdicts.indexOf(b));
}

function filterForm(clauses: readonly ClauseResult[], run: ToldRun): Markup {
  return html`<form id="filter" role="search" aria-label="Clauses and exchanges" hidden>
<label class="search">Search clauses, bodies and headers <input type="search" name="q" autocomplete="off" spellcheck="false"></label>
<fieldset><legend>Verdict</legend>
${tallyOf(clauses, run).map(
  ([verdict, count]) =>
    html`<label><input type="checkbox" name="verdict" value="${verdict}"> ${badge(verdict)} <span class="quiet">${count}</span></label>\n`,
)}</fieldset>
<fieldset><legend>Level</legend>
${Object.keys(meaningsOfLevels).map(
  (level) => html`<label><input type="checkbox" name="level" value="${level}"> ${level}</label>\n`,
)}</fieldset>
<p><output name="count"></output> <button type="reset">Show all</button></p>
</form>`;
}

function clauseEntry(clause: ClauseResult, context: ClauseContext): Markup {
  const { id, level, text, reasons, scenarios } = clause;
  const { results, review, evidence, findings } = context;
  const waiver = review.waived.find((one) => one.clause === id);
  const verdict = shownVerdict(clause, context);
  const verdictIn = (run: Results): ToldVerdict | undefined => {
    // Another version of the suite may have had no such clause.
    const found = run.clauses.find((one) => one.id === id);
    return found && toldVerdict(found);
  };
  const anchors = scenarios.flatMap((name) => evidence.get(name)?.anchor ?? []);
  const violations = results.violations.filter((one) => one.clause === id);
  const why = reasons.length > 0 ? reasonsOfClause(clause) : meaningOf(verdict);
  return html`<details class="clause ${verdictClass(verdict)}" id="${id}" data-verdict="${verdict}" data-level="${level}" data-scenarios="${anchors.join(' ')}">
<summary>${badge(verdict)} <span class="what"><code>${id}</code> <span class="text">${withCode(text)}</span></span> <span class="level">${level}</span> ${context.history.length > 0 && recentRuns(context, verdictIn)} <span class="quiet">${scenarios.length === 0 ? 'no scenario' : counted(scenarios.length, 'scenario')}</span></summary>
<div class="inside">
<p>${waiver === undefined ? why : waivedUntil(waiver)}</p>
${listOf('Observed', factsOf(clause), (fact) => html`<code>${fact}</code>`)}
${listOf('Violations', violations, (one) => violationLine(one, findings))}
${listOf('Evidence', scenarios, (name) => scenarioLine(name, evidence))}
${clause.verdict !== 'untestable' && html`<figure><figcaption>Run again</figcaption><pre class="command">${commandFor(id, results)}</pre></figure>`}
</div>
</details>
`;
}

/** The most violations, facts and scenarios of a clause that are listed. */
const maxItems = 50;

function listOf<Item>(
  caption: string,
  items: readonly Item[],
  markup: (item: Item) => Markup,
): Markup | undefined {
  if (items.length === 0) return undefined;
  const hidden = items.length - maxItems;
  return html`<figure><figcaption>${caption}</figcaption><ul class="seen">${items.slice(0, maxItems).map((item) => html`<li>${markup(item)}</li>\n`)}${hidden > 0 && html`<li>and ${hidden} more</li>\n`}</ul></figure>`;
}

function violationLine(violation: ViolationResult, findings: readonly ToldFinding[]): Markup {
  const number = findings.find(({ violations }) => violations.includes(violation))?.number;
  return html`${violationText(violation)}${violation.intermittent && ' (intermittent)'}${number !== undefined && html`: <a href="#finding-${number}">finding ${number}</a>`}`;
}

/** A scenario, with a link to its exchanges. Most scenarios of exports have none of their own: they share downloads. */
function scenarioLine(name: string, evidence: Evidence): Markup {
  const [own, shared] = [evidence.get(name), evidence.get(nameOfLearning)];
  if (own !== undefined) {
    return html`<a href="#${own.anchor}">${name}</a> <span class="quiet">${counted(own.exchanges.length, 'exchange')}</span>`;
  }
  return shared === undefined
    ? html`${name} (no exchange was recorded)`
    : html`${name} <span class="quiet">by exports that scenarios share: <a href="#${shared.anchor}">${nameOfLearning}</a></span>`;
}

/** The most runs that a row of marks has, this run among them. */
const maxRuns = 10;

/** A row of marks: what recent runs say of one thing, the oldest first. @param of what a run says; undefined: nothing */
function recentRuns(
  { results, history }: ToldRun,
  of: (run: Results, index: number) => ToldVerdict | undefined,
): Markup {
  const all = [...history, results].map((run, index) => ({ run, verdict: of(run, index) }));
  const told = all
    .slice(-maxRuns)
    .flatMap(({ run, verdict }) =>
      verdict === undefined ? [] : { verdict, date: instant(run.startedAt) },
    );
  const words = told.map(({ verdict }) => verdict).join(', ');
  const title = told.map(({ verdict, date }) => `${date}: ${verdict}`).join('\n');
  return html`<span class="recent" title="${title}"><span class="unseen">Recent runs, the oldest first: ${words}.</span>${told.map(({ verdict }) => mark(verdict))}</span>`;
}

const marksOfRuns: Readonly<Record<RunVerdict, ToldVerdict>> = {
  conformant: 'upheld',
  violations: 'violated',
  incomplete: 'inconclusive',
  error: 'error',
  'not run': 'not judged',
};

/** What comes and goes over the last runs: their verdicts, and each finding of any of them with what became of it. */
function runsSection(runs: ToldRun): Markup | undefined {
  const { results, history } = runs;
  if (history.length === 0) return undefined;
  const columns = ['Finding', 'Runs, the oldest first', 'Now'];
  const row = (head: string, marks: Markup, now: string): Markup =>
    html`<tr><th scope="row">${head}</th><td data-column="${columns[1]}">${marks}</td><td data-column="${columns[2]}">${now}</td></tr>\n`;
  const rows = recurrences(results, history).map((one) =>
    row(
      headlineOf(one.finding),
      recentRuns(runs, (_, index) => one.seen[index]),
      recurrenceText(one),
    ),
  );
  return html`<section aria-labelledby="runs-title">
<h2 id="runs-title">Over the last runs</h2>
<div class="scroll" role="region" aria-labelledby="runs-title" tabindex="0"><table class="report">
<thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${row(
    'The run as a whole',
    recentRuns(runs, ({ verdict }) => marksOfRuns[verdict]),
    results.verdict,
  )}${rows}</tbody>
</table></div>
</section>
`;
}
