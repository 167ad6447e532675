import type { Matrix, MatrixRow } from '../matrix.ts';
import { sameEverywhere, seen } from '../matrix-text.ts';
import { cut } from '../printable.ts';
import { counted, instant, targetName } from '../wording.ts';
import { document } from './document.ts';
import { html, type Markup } from './markup.ts';
import { badge } from './verdicts.ts';

/** Runs side by side, as a page of its own. */
export function renderMatrixPage(matrix: Matrix): string {
  const { runs, rows, notable, observedApart } = matrix;
  const title = `${counted(runs.length, 'run')} side by side`;
  const body = html`<main>
<header class="head">
<div>
<p class="title">Contract compliance</p>
<h1>${title}</h1>
<p class="sentence">${sameEverywhere(matrix, rows.length - notable.length)}</p>
<dl class="facts">
${runs.map(({ letter, file, results }) => html`<div><dt>${letter}, <code>${file}</code></dt><dd>${targetName(results)} <span class="quiet">${instant(results.startedAt)}: ${results.verdict}</span></dd></div>\n`)}</dl>
</div>
</header>
${section(matrix, 'Verdicts that differ, or violated', notable, verdictCell)}
${section(matrix, 'Observations that differ', observedApart, observationCell)}
${section(matrix, 'All clauses', rows, verdictCell)}
</main>`;
  return document(title, body);
}

type Cell = MatrixRow['cells'][number];

function section(
  { runs }: Matrix,
  title: string,
  rows: readonly MatrixRow[],
  cellOf: (cell: Cell) => Markup,
): Markup | undefined {
  if (rows.length === 0) return undefined;
  return html`<section>
<h2>${title} <span class="quiet">${rows.length}</span></h2>
<div class="scroll" role="region" aria-label="${title}" tabindex="0"><table class="matrix">
<thead><tr><th scope="col">Clause</th>${runs.map(({ letter }) => html`<th scope="col">${letter}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({ clause, cells }) =>
      html`<tr><th scope="row"><code>${clause.id}</code></th>${cells.map((cell) => html`<td>${cellOf(cell)}</td>`)}</tr>\n`,
  )}</tbody>
</table></div>
</section>`;
}

function verdictCell(cell: Cell): Markup {
  return cell === undefined ? html`not in the catalogue` : badge(cell.verdict);
}

function observationCell(cell: Cell): Markup {
  if (cell?.verdict !== 'observed') return verdictCell(cell);
  return html`${seen(cell).map((value) => html`<code>${cut(value, 300)}</code> `)}`;
}
