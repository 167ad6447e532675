import {
  type Block,
  type Line,
  type Report,
  type Row,
  type Section,
  type Span,
  sectionsOn,
} from '../blocks.ts';
import { cut } from '../printable.ts';
import { counted } from '../wording.ts';
import { document } from './document.ts';
import { findingsMarkup } from './findings.ts';
import { html, type Markup, withCode } from './markup.ts';
import { badge } from './verdicts.ts';

/** How much is shown at once; more ids are folded away. */
const max = { ids: 12, value: 1000 };

/** A report as a page of its own, in one file that loads nothing. */
export function renderAsPage(report: Report): string {
  return document(`${report.kind}: ${report.title}`, reportBody(report));
}

/**
 * The body of a page.
 * @param clauses the part with the clauses, below the sections, to which ids of clauses link; undefined: there is none
 */
export function reportBody(report: Report, clauses?: Markup): Markup {
  const { kind, title, of = '', tone, sentence, facts } = report;
  const isLinked = clauses !== undefined;
  return html`<main>
<header class="head${tone !== undefined && ` ${tone}`}">
<div>
<p class="title">${kind}</p>
<h1>${title}${of}</h1>
${sentence !== undefined && html`<p class="sentence">${sentence}</p>\n`}<dl class="facts">
${facts.map(([name, line]) => html`<div><dt>${name}</dt><dd>${markup(line, isLinked)}</dd></div>\n`)}</dl>
</div>
</header>
${sectionsOn('page', report).map((one) => sectionMarkup(one, isLinked))}${clauses}</main>`;
}

function sectionMarkup(one: Section, isLinked: boolean): Markup {
  const { title, count, intro, block, isAppendix = false } = one;
  const heading = html`<h2>${title}${count !== undefined && html` <span class="quiet">${count}</span>`}</h2>`;
  const content = html`${intro !== undefined && html`<p>${markup(intro, isLinked)}</p>\n`}${block && blockMarkup(title, block, isLinked)}`;
  return isAppendix
    ? html`<details class="appendix">
<summary>${heading}</summary>
${content}
</details>
`
    : html`<section>
${heading}
${content}
</section>
`;
}

function blockMarkup(title: string, block: Block, isLinked: boolean): Markup {
  const linesMarkup = (lines: readonly Line[]): Markup[] =>
    lines.map((line) => html`<div>${markup(line, isLinked)}</div>`);
  switch (block.kind) {
    case 'list':
      return html`<ul>${block.items.map((item) => html`<li>${linesMarkup(item)}</li>\n`)}</ul>`;
    case 'table': {
      const { columns, rows } = block;
      const rowMarkup = ([head = [], ...cells]: Row): Markup =>
        html`<tr><th scope="row">${linesMarkup(head)}</th>${cells.map((cell, index) => html`<td data-column="${columns[index + 1]}">${linesMarkup(cell)}</td>`)}</tr>\n`;
      return html`<div class="scroll" role="region" aria-label="${title}" tabindex="0"><table class="report">
<thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(rowMarkup)}</tbody>
</table></div>`;
    }
    case 'code':
      return html`${block.items.map(({ caption, text, isCommand }) => html`<figure><figcaption>${markup(caption, isLinked)}</figcaption><pre${isCommand && html` class="command"`}>${text}</pre></figure>\n`)}`;
    case 'findings':
      return findingsMarkup(block.items);
  }
}

function markup(line: Line, isLinked: boolean): Markup[] {
  return line.map((span) => spanMarkup(span, isLinked));
}

function spanMarkup(span: Span, isLinked: boolean): Markup {
  if (typeof span === 'string') return html`${withCode(span)}`;
  if ('verdict' in span) return badge(span.verdict);
  if ('value' in span) {
    const value = html`${cut(span.value, max.value)}`;
    return span.isProse ? value : html`<code>${value}</code>`;
  }
  if ('link' in span) return html`<a href="${span.link}">${span.link}</a>`;
  const { clauses } = span;
  const names = clauses.map((id, index) => {
    const code = html`<code>${id}</code>`;
    return html`${index > 0 && ', '}${isLinked ? html`<a href="#${id}">${code}</a>` : code}`;
  });
  return clauses.length <= max.ids
    ? html`${names}`
    : html`<details><summary>${counted(clauses.length, 'clause')}</summary><p>${names}</p></details>`;
}
