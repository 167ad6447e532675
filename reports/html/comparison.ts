import type { ViolationResult } from '../../schemas/results.ts';
import {
  type Comparison,
  nothingMoved,
  type Turn,
  type TurnGroup,
  turnGroups,
} from '../compare.ts';
import { factsOf } from '../facts.ts';
import { byClause } from '../grouping.ts';
import { cut } from '../printable.ts';
import { andInMore, counted, instant, targetName, whatWasDone } from '../wording.ts';
import { document } from './document.ts';
import { html, type Markup } from './markup.ts';
import { badge } from './verdicts.ts';

/** How many clauses that turned alike are named at once. */
const unfolded = 12;

/** What changed from one run to another, as a page of its own. */
export function renderComparisonPage(comparison: Comparison): string {
  const { before, after } = comparison;
  const body = html`<main>
<header class="head">
<div>
<p class="title">Two runs compared</p>
<h1>${nothingMoved(comparison) ? 'Nothing changed' : 'What changed'}</h1>
<dl class="facts">
<div><dt>Before</dt><dd>${instant(before.startedAt)} <span class="quiet">${targetName(before)}, ${before.verdict}</span></dd></div>
<div><dt>After</dt><dd>${instant(after.startedAt)} <span class="quiet">${targetName(after)}, ${after.verdict}</span></dd></div>
</dl>
</div>
</header>
${changesSection(comparison, unlinked)}
</main>`;
  return document('Two runs compared', body);
}

/** What changed since an earlier run, for a page that has the clauses to link to. */
export function comparisonSection(comparison: Comparison): Markup {
  return changesSection(comparison, linked);
}

type Naming = (id: string) => Markup;

const linked: Naming = (id) => html`<a href="#${id}"><code>${id}</code></a>`;
const unlinked: Naming = (id) => html`<code>${id}</code>`;

function changesSection(comparison: Comparison, named: Naming): Markup {
  const { before, turned, newViolations, goneViolations, moved } = comparison;
  return html`<section aria-labelledby="changes-title">
<h2 id="changes-title">What changed since ${instant(before.startedAt)}</h2>
${nothingMoved(comparison) && html`<p>Nothing: every verdict and every observation is as it was.</p>`}
${list('Clauses with new violations', violationLines(newViolations, named))}
${list('Clauses with violations gone', violationLines(goneViolations, named))}
${list(
  'Clauses that turned',
  turnGroups(turned).map((group) => turnLine(group, named)),
  turned.length,
)}
${list(
  'Observations that moved',
  moved.map(
    ({ clause, before: was, after: is }) =>
      html`${named(clause.id)} from ${values(clause.id, was)} to ${values(clause.id, is)}`,
  ),
)}
</section>`;
}

function list(title: string, lines: readonly Markup[], count = lines.length): Markup | undefined {
  if (lines.length === 0) return undefined;
  return html`<h3>${title} <span class="quiet">${count}</span></h3>
<ul>${lines.map((line) => html`<li>${line}</li>\n`)}</ul>
`;
}

function turnLine({ clauses, before, after }: TurnGroup, named: Naming): Markup {
  const shown = (verdict: Turn['before']): Markup =>
    verdict === 'none' ? html`not in the catalogue` : badge(verdict);
  const names = clauses.map(({ id }, index) => html`${index > 0 && ', '}${named(id)}`);
  const turn = html`from ${shown(before)} to ${shown(after)}`;
  return clauses.length <= unfolded
    ? html`${turn}: ${names}`
    : html`<details><summary>${turn}: ${counted(clauses.length, 'clause')}</summary><p>${names}</p></details>`;
}

function violationLines(violations: readonly ViolationResult[], named: Naming): Markup[] {
  return [...byClause(violations)].map(
    ([clause, [first, ...more]]) =>
      html`${named(clause)} ${first.scenario}: ${cut(whatWasDone(first), 300)}${andInMore(more.length)}`,
  );
}

function values(id: string, observed: readonly unknown[]): Markup[] {
  return factsOf({ id, observed: [...observed] }).map(
    (value) => html`<code>${cut(value, 300)}</code> `,
  );
}
