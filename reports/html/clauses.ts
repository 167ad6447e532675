import { countsOf, groupBy } from '../../helpers/group-by.ts';
import { nameOfLearning } from '../../helpers/http/exchange.ts';
import type { ClauseResult, Results, ViolationResult } from '../../schemas/results.ts';
import { commandFor } from '../commands.ts';
import { factsOf } from '../facts.ts';
import { hasReason, toldVerdict } from '../grouping.ts';
import { violationText } from '../headlines.ts';
import type { ToldFinding, ToldRun } from '../run-report.ts';
import { type WaiverReview, waivedUntil } from '../waivers.ts';
import { counted, reasonsOfClause } from '../wording.ts';
import type { Evidence } from './evidence.ts';
import { html, type Markup, withCode } from './markup.ts';
import { recentRuns } from './runs.ts';
import {
  badge,
  meaningOf,
  type ShownVerdict,
  shownVerdict,
  shownVerdicts,
  verdictClass,
} from './verdicts.ts';

interface ClauseContext extends ToldRun {
  readonly evidence: Evidence;
  /** All findings, waived ones too. */
  readonly findings: readonly ToldFinding[];
}

/** Every clause by the document's sections, with a form that filters and searches them. */
export function clausesSection(context: ClauseContext): Markup {
  const clauses = context.results.clauses.filter((one) => !hasReason(one, 'not selected'));
  const unchosen = context.results.clauses.length - clauses.length;
  return html`<section id="clauses" aria-labelledby="clauses-title">
<h2 id="clauses-title">The document, clause by clause</h2>
${unchosen > 0 && html`<p>Only what was chosen for this run. ${counted(unchosen, 'other clause')} ${unchosen === 1 ? 'was' : 'were'} not looked at.</p>`}
${filterForm(clauses, context.review)}
<div class="columns" aria-hidden="true"><span>Verdict</span><span>Clause</span><span>Level</span>${context.history.length > 0 && html`<span class="recent">Recent runs</span>`}<span>Scenarios</span></div>
${[...groupBy(clauses, ({ section: of }) => of)].map(([section, members]) => documentSection(section, members, context))}
</section>`;
}

/** How many clauses the page shows under each verdict, in the order of its list; verdicts that occur. */
function tallyOf(clauses: readonly ClauseResult[], review: WaiverReview): [ShownVerdict, number][] {
  const counts = countsOf(clauses.map((clause) => shownVerdict(clause, review)));
  return [...counts].sort(([a], [b]) => shownVerdicts.indexOf(a) - shownVerdicts.indexOf(b));
}

function filterForm(clauses: readonly ClauseResult[], review: WaiverReview): Markup {
  return html`<form id="filter" role="search" aria-label="Clauses and exchanges" hidden>
<label class="search">Search clauses, bodies and headers <input type="search" name="q" autocomplete="off" spellcheck="false"></label>
<fieldset><legend>Verdict</legend>
${tallyOf(clauses, review).map(
  ([verdict, count]) =>
    html`<label><input type="checkbox" name="verdict" value="${verdict}"> ${badge(verdict)} <span class="quiet">${count}</span></label>\n`,
)}</fieldset>
<fieldset><legend>Level</legend>
${(['stated', 'implied', 'open'] as const).map(
  (level) => html`<label><input type="checkbox" name="level" value="${level}"> ${level}</label>\n`,
)}</fieldset>
<p><output name="count"></output> <button type="reset">Show all</button></p>
</form>`;
}

function documentSection(
  section: string,
  clauses: readonly ClauseResult[],
  context: ClauseContext,
): Markup {
  const counts = tallyOf(clauses, context.review).map(([verdict, count]) => `${count} ${verdict}`);
  return html`<section class="document-section">
<h3>${section} <span class="quiet">${counts.join(', ')}</span></h3>
${clauses.map((clause) => clauseEntry(clause, context))}
</section>
`;
}

/** A clause, which opens to its reasons, observations, violations, scenarios, and the command to run it again. */
function clauseEntry(clause: ClauseResult, context: ClauseContext): Markup {
  const { id, level, text, reasons, scenarios } = clause;
  const { results, review, evidence, findings } = context;
  const waiver = review.waived.find((one) => one.clause === id);
  const verdict = shownVerdict(clause, review);
  // Another version of the suite may have had no such clause.
  const verdictIn = (run: Results): ShownVerdict | undefined => {
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
