import { nameOfLearning } from '../../helpers/http/exchange.ts';
import type { ClauseResult, Results, ViolationResult } from '../../schemas/results.ts';
import type { Waiver } from '../../schemas/waivers.ts';
import { commandFor } from '../commands.ts';
import { factsOf } from '../facts.ts';
import { bySection, isChosen, toldVerdict } from '../grouping.ts';
import { cut } from '../printable.ts';
import type { WaiverReview } from '../waivers.ts';
import { counted, exchangesOf, instant, reasonsOfClause, stacksOf, textsOf } from '../wording.ts';
import { exchangeLinks, type ScenarioEvidence } from './evidence.ts';
import { html, type Markup, withCode } from './markup.ts';
import { intermittentNote, sides } from './sides.ts';
import {
  badge,
  mark,
  meanings,
  type ShownVerdict,
  shownVerdict,
  shownVerdicts,
  verdictClass,
} from './verdicts.ts';

/** So many runs are shown of each clause, this one among them. */
const maxRuns = 10;

export interface ClauseContext {
  readonly results: Results;
  /** Earlier runs, the oldest first. */
  readonly history: readonly Results[];
  readonly review: WaiverReview;
  readonly evidence: ReadonlyMap<string, ScenarioEvidence>;
  /** Characters of each expected and actual value. */
  readonly valueLength: number;
}

/** Every clause by the document's sections, with a form that filters and searches them. */
export function clausesSection(context: ClauseContext): Markup {
  const clauses = context.results.clauses.filter(isChosen);
  const unchosen = context.results.clauses.length - clauses.length;
  return html`<section id="clauses" aria-labelledby="clauses-title">
<h2 id="clauses-title">The document, clause by clause</h2>
${unchosen > 0 && html`<p>Only what was chosen for this run. ${counted(unchosen, 'other clause')} ${unchosen === 1 ? 'was' : 'were'} not looked at.</p>`}
${filterForm(clauses, context.review)}
<div class="columns" aria-hidden="true"><span>Verdict</span><span>Clause</span><span>Level</span><span>Recent runs</span><span>Scenarios</span></div>
${[...bySection(clauses)].map(([section, members]) => documentSection(section, members, context))}
</section>`;
}

/** The clauses by the verdicts that the page calls theirs, in the order of its list; those that occur. */
function countsOf(
  clauses: readonly ClauseResult[],
  review: WaiverReview,
): (readonly [ShownVerdict, number])[] {
  return shownVerdicts
    .map((verdict) => {
      const own = clauses.filter((clause) => shownVerdict(clause, review) === verdict);
      return [verdict, own.length] as const;
    })
    .filter(([, count]) => count > 0);
}

function filterForm(clauses: readonly ClauseResult[], review: WaiverReview): Markup {
  return html`<form id="filter" role="search" aria-label="Clauses and exchanges" hidden>
<label class="search">Search clauses, bodies and headers <input type="search" name="q" autocomplete="off" spellcheck="false"></label>
<fieldset><legend>Verdict</legend>
${countsOf(clauses, review).map(
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
  const verdicts = countsOf(clauses, context.review).map(
    ([verdict, count]) => `${count} ${verdict}`,
  );
  return html`<section class="document-section">
<h3>${section} <span class="quiet">${verdicts.join(', ')}</span></h3>
${clauses.map((clause) => clauseEntry(clause, context))}
</section>
`;
}

function clauseEntry(clause: ClauseResult, context: ClauseContext): Markup {
  const { results, review, evidence } = context;
  const waiver = review.waived.find((one) => one.clause === clause.id);
  const verdict = shownVerdict(clause, review);
  const anchors = clause.scenarios.flatMap((name) => evidence.get(name)?.anchor ?? []);
  return html`<details class="clause ${verdictClass(verdict)}" id="${clause.id}" data-verdict="${verdict}" data-level="${clause.level}" data-scenarios="${anchors.join(' ')}">
<summary>${badge(verdict)} <span class="what"><code>${clause.id}</code> <span class="text">${withCode(clause.text)}</span></span> <span class="level">${clause.level}</span> ${recentRuns(clause, context)} <span class="quiet">${clause.scenarios.length === 0 ? 'no scenario' : counted(clause.scenarios.length, 'scenario')}</span></summary>
<div class="inside">
${reasonLine(clause, verdict)}
${waiver !== undefined && waiverLine(waiver)}
${clause.observed.length > 0 && observations(factsOf(clause))}
${violationsOf(clause, results).map((one) => violationBlock(one, evidence.get(one.scenario), context.valueLength))}
${clause.scenarios.length > 0 && scenarioList(clause, evidence)}
${clause.verdict !== 'untestable' && html`<figure><figcaption>Run again</figcaption><pre class="command">${commandFor(clause.id, results)}</pre></figure>`}
</div>
</details>
`;
}

/** A violation: what was done, what was expected and what came side by side, and the exchanges that show it. */
function violationBlock(
  violation: ViolationResult,
  scenario: ScenarioEvidence | undefined,
  valueLength: number,
): Markup {
  const exchanges = exchangesOf(violation);
  const texts = textsOf(violation);
  return html`<article class="violation">
<p><strong>${violation.scenario}</strong>${violation.intermittent && html` <span class="tag">${intermittentNote}</span>`}</p>
<p>${cut(texts.done, valueLength)}${exchanges.length > 0 && html` (${exchangeLinks(exchanges)})`}</p>
${sides(texts, valueLength)}
${scenario !== undefined && html`<div class="cited" data-copy-exchanges="${exchanges.join(' ')}"></div>`}
</article>
`;
}

function violationsOf({ id }: ClauseResult, { violations }: Results): ViolationResult[] {
  return violations.filter(({ clause }) => clause === id);
}

function reasonLine(clause: ClauseResult, verdict: ShownVerdict): Markup | undefined {
  const { reasons } = clause;
  if (reasons.length > 0) {
    return html`<p>${reasonsOfClause(clause)}</p>${stacksOf(reasons).map(stackBlock)}`;
  }
  // The violations below say it better.
  return verdict === 'violated' || verdict === 'waived'
    ? undefined
    : html`<p>${meanings[verdict]}</p>`;
}

function stackBlock(stack: string): Markup {
  return html`
<figure><figcaption>Error of the suite</figcaption><pre>${stack}</pre></figure>`;
}

function waiverLine({ reason, owner, issue, expires }: Waiver): Markup {
  return html`<p>Waived until <time datetime="${expires}">${expires}</time> by ${owner}: ${reason}. <a href="${issue}">${issue}</a></p>`;
}

function observations(values: readonly string[]): Markup {
  return html`<figure><figcaption>Observed</figcaption><ul class="seen">${values.map((value) => html`<li><code>${value}</code></li>`)}</ul></figure>`;
}

function scenarioList(
  clause: ClauseResult,
  evidence: ReadonlyMap<string, ScenarioEvidence>,
): Markup {
  return html`<div class="evidence"><p class="label">Evidence</p>
${clause.scenarios.map((name) => {
  const scenario = evidence.get(name);
  if (scenario === undefined) return withoutExchanges(name, evidence.get(nameOfLearning));
  return html`<div class="copy" data-copy="${scenario.anchor}"><a href="#${scenario.anchor}">${name}</a> <span class="quiet">${counted(scenario.exchanges.length, 'exchange')}</span></div>\n`;
})}</div>`;
}

/** Most scenarios of exports have none of their own: they share what is downloaded. */
function withoutExchanges(name: string, shared: ScenarioEvidence | undefined): Markup {
  return shared === undefined
    ? html`<p>${name} (no exchange was recorded)</p>\n`
    : html`<p>${name} <span class="quiet">by exports that scenarios share: <a href="#${shared.anchor}">${nameOfLearning}</a></span></p>\n`;
}

function recentRuns({ id }: ClauseResult, { results, history }: ClauseContext): Markup {
  const verdicts = [...history, results].slice(-maxRuns).flatMap((run) => {
    const found = run.clauses.find((clause) => clause.id === id);
    return found === undefined
      ? []
      : [{ verdict: toldVerdict(found), date: instant(run.startedAt) }];
  });
  const words = verdicts.map(({ verdict }) => verdict).join(', ');
  const title = verdicts.map(({ verdict, date }) => `${date}: ${verdict}`).join('\n');
  return html`<span class="recent" title="${title}"><span class="unseen">Recent runs, the oldest first: ${words}.</span>${verdicts.map(({ verdict }) => mark(verdict))}</span>`;
}
