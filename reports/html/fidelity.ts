import type { Fidelity } from '../../schemas/fidelity.ts';
import { type FidelityVerdict, fidelitySentence } from '../fidelity.ts';
import {
  alikeNote,
  type IdsByReason,
  shownFacts,
  uncomparedByReason,
  unjudgedByReason,
} from '../fidelity-text.ts';
import { cut } from '../printable.ts';
import { andInMore } from '../wording.ts';
import { document } from './document.ts';
import { html, type Markup, withCode } from './markup.ts';

const valueLength = 1000;

/** Titles, and the colours of the verdicts of runs that come to the same. */
const heads: Readonly<Record<FidelityVerdict, { readonly title: string; readonly run: string }>> = {
  faithful: { title: 'Faithful', run: 'run-conformant' },
  'not faithful': { title: 'Not faithful', run: 'run-violations' },
  error: { title: 'Error of the suite', run: 'run-error' },
  incomplete: { title: 'Incomplete', run: 'run-incomplete' },
  'not compared': { title: 'Not compared', run: 'run-not-run' },
};

/** How faithful a mock is, as a page of its own. */
export function renderFidelityPage(fidelity: Fidelity, verdict: FidelityVerdict): string {
  const { mock, reference, violated, differing, alike } = fidelity;
  const body = html`<main>
<header class="head ${heads[verdict].run}">
<div>
<p class="title">Fidelity of a mock</p>
<h1>${heads[verdict].title}</h1>
<p class="sentence">${fidelitySentence(fidelity)}</p>
<dl class="facts">
<div><dt>Mock</dt><dd>${mock.target} <span class="quiet">${mock.date}</span></dd></div>
<div><dt>Reference</dt><dd>${reference.target} <span class="quiet">${reference.date}</span></dd></div>
</dl>
</div>
</header>
${tableSection(
  'Clauses that the mock violates',
  ['Clause', 'Expected', 'Got'],
  violated.map(({ what, more, expected, actual, ...clause }) => [
    html`${clauseCell(clause)}<p class="quiet">${cut(what, valueLength)}${andInMore(more)}</p>`,
    valueCell(expected),
    valueCell(actual),
  ]),
)}
${tableSection(
  'Open points that differ',
  ['Open point', 'Reference', 'Mock'],
  differing.map((one) => [
    html`${clauseCell(one)}${alikeNote(one).map((note) => html`<p class="quiet">${note}</p>`)}`,
    factsCell(one.id, one.reference),
    factsCell(one.id, one.mock),
  ]),
)}
${reasonSection('Not compared', uncomparedByReason(fidelity))}
${reasonSection('Not judged', unjudgedByReason(fidelity))}
${
  alike.length > 0 &&
  html`<section>
<h2>Alike <span class="quiet">${alike.length}</span></h2>
<p>${alike.map((id, index) => html`${index > 0 && ', '}<code>${id}</code>`)}</p>
</section>`
}
</main>`;
  return document(`Fidelity of a mock: ${verdict}`, body);
}

function tableSection(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly [Markup, Markup, Markup])[],
): Markup | undefined {
  if (rows.length === 0) return undefined;
  return html`<section>
<h2>${title} <span class="quiet">${rows.length}</span></h2>
<div class="scroll" role="region" aria-label="${title}" tabindex="0"><table class="matrix">
<thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([clause, one, other]) =>
      html`<tr><th scope="row">${clause}</th><td>${one}</td><td>${other}</td></tr>\n`,
  )}</tbody>
</table></div>
</section>`;
}

function reasonSection(title: string, groups: readonly IdsByReason[]): Markup | undefined {
  if (groups.length === 0) return undefined;
  return html`<section>
<h2>${title} <span class="quiet">${groups.flatMap(({ ids }) => ids).length}</span></h2>
<ul>${groups.map(
    ({ reason, ids }) =>
      html`<li>${cut(reason, valueLength)} ${ids.map((id, index) => html`${index > 0 && ', '}<code>${id}</code>`)}</li>\n`,
  )}</ul>
</section>`;
}

function clauseCell({ id, text }: { readonly id: string; readonly text: string }): Markup {
  return html`<code>${id}</code><p>${withCode(text)}</p>`;
}

function valueCell(value: string): Markup {
  return html`<code>${cut(value, valueLength)}</code>`;
}

function factsCell(id: string, facts: readonly unknown[]): Markup {
  return html`<ul class="values">${shownFacts(id, facts).map((value) => html`<li>${valueCell(value)}</li>`)}</ul>`;
}
