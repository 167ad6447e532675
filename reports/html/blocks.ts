import type { Line, Report, Row, Section, Span } from '../blocks.ts';
import { cut } from '../printable.ts';
import { counted } from '../wording.ts';
import { document } from './document.ts';
import { html, type Markup, withCode } from './markup.ts';
import { badge } from './verdicts.ts';

/** So many ids are named at once; more are folded away. */
const maxIds = 12;
const maxValueLength = 1000;

/** A report as a page of its own, in one file that loads nothing. */
export function renderAsPage(report: Report): string {
  return document(`${report.kind}: ${report.title}`, reportBody(report));
}

/** What stands between the tags of the body. */
export function reportBody({ kind, title, tone, sentence, facts, sections }: Report): Markup {
  return html`<main>
<header class="head${tone !== undefined && ` ${tone}`}">
<div>
<p class="title">${kind}</p>
<h1>${title}</h1>
${sentence !== undefined && html`<p class="sentence">${sentence}</p>\n`}<dl class="facts">
${facts.map(([name, line]) => html`<div><dt>${name}</dt><dd>${markup(line, false)}</dd></div>\n`)}</dl>
</div>
</header>
${sections.map((one) =>
  one.isAppendix === true
    ? html`<details class="appendix">
<summary><h2>${one.title} <span class="quiet">${one.count}</span></h2></summary>
${blockMarkup(one, false)}
</details>
`
    : html`<section>
<h2>${one.title} <span class="quiet">${one.count}</span></h2>
${blockMarkup(one, false)}
</section>
`,
)}</main>`;
}

/** Sections for a page that has the clauses, which their ids link to. */
export function linkedSections(sections: readonly Section[]): Markup[] {
  return sections.map(
    (one) => html`<h3>${one.title} <span class="quiet">${one.count}</span></h3>
${blockMarkup(one, true)}
`,
  );
}

function blockMarkup({ title, block }: Section, isLinked: boolean): Markup {
  const row = ([head = [], ...cells]: Row): Markup =>
    html`<tr><th scope="row">${linesMarkup(head, isLinked)}</th>${cells.map((cell, index) => html`<td data-column="${block.kind === 'table' && block.columns[index + 1]}">${linesMarkup(cell, isLinked)}</td>`)}</tr>\n`;
  switch (block.kind) {
    case 'paragraph':
      return html`<p>${markup(block.line, isLinked)}</p>`;
    case 'list':
      return html`<ul>${block.items.map((item) => html`<li>${linesMarkup(item, isLinked)}</li>\n`)}</ul>`;
    case 'table':
      return html`<div class="scroll" role="region" aria-label="${title}" tabindex="0"><table class="report">
<thead><tr>${block.columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${block.rows.map(row)}</tbody>
</table></div>`;
  }
}

function linesMarkup(lines: readonly Line[], isLinked: boolean): Markup[] {
  return lines.map((line) => html`<div>${markup(line, isLinked)}</div>`);
}

function markup(line: Line, isLinked: boolean): Markup[] {
  return line.map((span) => spanMarkup(span, isLinked));
}

function spanMarkup(span: Span, isLinked: boolean): Markup {
  if (typeof span === 'string') return html`${withCode(span)}`;
  if ('verdict' in span) return badge(span.verdict);
  if ('value' in span) return html`<code>${cut(span.value, maxValueLength)}</code>`;
  const named = (id: string): Markup =>
    isLinked ? html`<a href="#${id}"><code>${id}</code></a>` : html`<code>${id}</code>`;
  if ('clause' in span) return named(span.clause);
  const { clauses } = span;
  const names = clauses.map((id, index) => html`${index > 0 && ', '}${named(id)}`);
  return clauses.length <= maxIds
    ? html`${names}`
    : html`<details><summary>${counted(clauses.length, 'clause')}</summary><p>${names}</p></details>`;
}
