import type { Exchange } from '../../helpers/http/exchange.ts';
import { groupBy } from '../../helpers/maps.ts';
import type { Difference } from '../../schemas/difference.ts';
import { type Block, type Line, notesOf, type Report, sectionsOn } from '../blocks.ts';
import { kindOf } from '../differences.ts';
import { bodyText } from '../exchange-text.ts';
import { headlineOf } from '../findings.ts';
import { cut, firstDifference, partsBeside } from '../printable.ts';
import type { ToldFinding } from '../run-report.ts';
import { counted, exchangesOf, present } from '../wording.ts';
import type { Texts } from '../wrongs.ts';
import { exchangeLinks, type IsTelling, noneTells, prettyJson, shownExchange } from './evidence.ts';
import { badge, document, html, type Markup, withCode } from './markup.ts';

/** How much is shown: what is not folded away, exchanges of a finding, and characters of values and of each side. */
const max = { ids: 12, value: 1000, findings: 12, exchanges: 2, side: 700 };

/** A report as a page of its own, in one file that loads nothing. */
export function renderAsPage(report: Report): string {
  return document(`${report.kind}: ${report.title}`, reportBody(report));
}

/** The body of a page. @param clauses what stands below the sections, to which ids of clauses link; undefined: nothing */
export function reportBody(report: Report, clauses?: Markup): Markup {
  const { kind, title, of = '', tone, sentence, facts } = report;
  const isLinked = clauses !== undefined;
  const sections = sectionsOn('page', report).map((section) => {
    const { intro, block, count } = section;
    const heading = html`<h2>${section.title}${count !== undefined && html` <span class="quiet">${count}</span>`}</h2>`;
    const content = html`${intro !== undefined && html`<p>${markup(intro, isLinked)}</p>\n`}${block && blockMarkup(section.title, block, isLinked)}`;
    return section.isAppendix
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
  });
  return html`<main>
<header class="head${tone !== undefined && ` ${tone}`}">
<div>
<p class="title">${kind}</p>
<h1>${title}${of}</h1>
${sentence !== undefined && html`<p class="sentence">${sentence}</p>\n`}<dl class="facts">
${facts.map(([name, line]) => html`<div><dt>${name}</dt><dd>${markup(line, isLinked)}</dd></div>\n`)}</dl>
</div>
</header>
${sections}${clauses}</main>`;
}

function blockMarkup(title: string, block: Block, isLinked: boolean): Markup {
  const linesMarkup = (lines: readonly Line[]): Markup[] =>
    lines.map((line) => html`<div>${markup(line, isLinked)}</div>`);
  switch (block.kind) {
    case 'list':
      return html`<ul>${block.items.map((item) => html`<li>${linesMarkup(item)}</li>\n`)}</ul>`;
    case 'table': {
      const { columns, rows } = block;
      const rowMarkup = ([head = [], ...cells]: (typeof rows)[number]): Markup =>
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
  return line.map((span) => {
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
  });
}

/** The findings, first a line each, then in full: values, clauses that they break, exchanges, and commands to paste. */
function findingsMarkup(findings: readonly ToldFinding[]): Markup {
  return html`<ol class="headlines">
${findings.map((one) => html`<li value="${one.number}"><a href="#finding-${one.number}">${one.headline}</a>${notesOf(one)}${one.also.length > 0 && html` <span class="quiet">also: ${one.also.join('; ')}</span>`}</li>\n`)}</ol>
${findings.map(findingEntry)}`;
}

function findingEntry(finding: ToldFinding, index: number): Markup {
  const { number, headline, isIntermittent, since, isWaived, clauses, requests } = finding;
  const isOpen = index < max.findings && !isWaived;
  const names = clauses.map(({ id }) => id).join(', ');
  return html`<details class="finding${isWaived && ' waived'}" id="finding-${number}"${isOpen && ' open'}>
<summary>${badge(isWaived ? 'waived' : 'violated')} <span class="what"><strong>${number}. ${headline}</strong>${isIntermittent && html` <span class="tag">intermittent: only one of two runs of the scenario showed it</span>`}${since !== undefined && html` <span class="tag">${since}</span>`} <span class="quiet">${names}</span></span></summary>
<div class="inside">
${sides(finding)}
<p class="label">${clauses.length === 1 ? 'Violated clause' : 'Violated clauses'}</p>
<ul class="broken">
${clauses.map(({ id, level, text }) => html`<li><a href="#${id}"><code>${id}</code></a> <span class="quiet">${level}:</span> ${withCode(text)}</li>\n`)}</ul>
${shownExchanges(finding)}
${requests !== undefined && html`<figure><figcaption>To send its requests again, run <code>bash ${requests.file}</code> in the folder of this page, or paste this into a shell${requests.writesTo !== undefined && html`; it writes to task <code>${requests.writesTo}</code>, then assigns it as it was`}</figcaption><pre class="command" tabindex="0" role="region" aria-label="Requests that show it">${requests.pasted.join('\n')}</pre></figure>`}
${alsoShown(finding)}
<p class="quiet">Found by: ${finding.scenarios.join('; ')}</p>
</div>
</details>
`;
}

/** What was expected and what came, side by side, with marks where values differ. */
export function sides({ expected, actual }: Pick<Texts, 'expected' | 'actual'>): Markup {
  const shown = partsBeside(prettyJson(expected), prettyJson(actual), max.side);
  // Of two sentences most words differ, and few of them matter.
  const areValues = [expected, actual].every((text) => /^["[{]/.test(text));
  const side = (text: string, other: string): Markup =>
    areValues ? marked(text, other) : html`${text}`;
  return html`<div class="sides">
<figure class="expected"><figcaption>Expected</figcaption><pre>${side(shown.expected, shown.actual)}</pre></figure>
<figure class="actual"><figcaption>Actual${shown.where !== undefined && html` (${shown.where.text})`}</figcaption><pre>${side(shown.actual, shown.expected)}</pre></figure>
</div>`;
}

/** A value with marks: of several lines, those that another value lacks; of one, from the first to the last difference. */
export function marked(text: string, other: string): Markup {
  const lines = text.split('\n');
  if (lines.length > 1) {
    const known = new Set(other.split('\n'));
    return html`${lines.map((line, index) => html`${index > 0 && '\n'}${known.has(line) ? line : html`<mark>${line}</mark>`}`)}`;
  }
  const [own, others] = [[...text], [...other]];
  const start = firstDifference(own, others);
  if (start === -1) return html`${text}`;
  const most = Math.min(own.length, others.length) - start;
  const end = own.length - Math.min(most, firstDifference(own.toReversed(), others.toReversed()));
  const [before, part, after] = [own.slice(0, start), own.slice(start, end), own.slice(end)];
  return html`${before.join('')}${part.length > 0 && html`<mark>${part.join('')}</mark>`}${after.join('')}`;
}

/** Which lines of an answer tell what is wrong, as `telling` has it for the kind of difference. */
function tellingIn(one: Exchange, difference: Difference, all: readonly Exchange[]): IsTelling {
  const { field, text, notIn } = kindOf(difference).telling?.(difference) ?? {};
  if (field !== undefined)
    return (line) => line.trimStart().startsWith(`${JSON.stringify(field)}:`);
  if (one.operation !== 'export') return noneTells;
  if (text !== undefined) return (line) => line.includes(text);
  return notIn === undefined ? noneTells : notShared(one, all, notIn === 'all');
}

/** Which lines an exported file does not share. @param isOfAll whether the first file should hold what all the others hold */
function notShared(one: Exchange, all: readonly Exchange[], isOfAll: boolean): IsTelling {
  const [asked, ...others] = all.filter(({ operation }) => operation === 'export');
  if (isOfAll && one !== asked) return noneTells;
  const compared = (one === asked ? others : present(asked)).map(linesOf);
  if (compared.length === 0 || compared.some(({ length }) => length === 0)) return noneTells;
  const files = compared.map((lines) => new Set(lines));
  const isKnown = (line: string): boolean =>
    isOfAll ? files.every((file) => file.has(line)) : files.some((file) => file.has(line));
  const own = linesOf(one);
  // A line after the last shared one may stand in the part of the other file that was not kept.
  const end = all.some(isCutOff) ? own.findLastIndex(isKnown) : own.length;
  const telling = new Set(own.slice(0, end).filter((line) => line.trim() !== '' && !isKnown(line)));
  return (line) => telling.has(line);
}

function isCutOff({ response }: Exchange): boolean {
  return response !== undefined && response.size > response.body.byteLength;
}

/** The whole lines of an answer, as far as it was kept. */
function linesOf(one: Exchange): string[] {
  const lines = (one.response && bodyText(one.response))?.split(/\r?\n/) ?? [];
  return isCutOff(one) ? lines.slice(0, -1) : lines;
}

function alsoShown({ violations: [first, ...others] }: ToldFinding): Markup | undefined {
  const byHeadline = groupBy(others, (one) => headlineOf({ violations: [one] }));
  byHeadline.delete(headlineOf({ violations: [first] }));
  if (byHeadline.size === 0) return undefined;
  return html`<div class="also"><p class="label">Shown as well by</p>
<ul>
${Array.from(byHeadline, ([headline, [one]]) => html`<li>${cut(headline, 300)} ${exchangeLinks(exchangesOf(one).slice(0, 2))}</li>\n`)}</ul></div>`;
}

function shownExchanges({ on, exchanges, violations }: ToldFinding): Markup | undefined {
  const [{ difference }] = violations;
  if (exchanges.length === 0) {
    return on.length === 0 ? undefined : html`<p class="quiet">Shown by ${exchangeLinks(on)}</p>`;
  }
  const rest = exchanges.slice(max.exchanges).map(({ number }) => number);
  return html`${exchanges.slice(0, max.exchanges).map((one) => shownExchange(one, on.length > 1, tellingIn(one, difference, exchanges)))}
${rest.length > 0 && html`<p>Compared with ${exchangeLinks(rest)} as well.</p>`}`;
}
