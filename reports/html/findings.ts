import { groupBy } from '../../helpers/group-by.ts';
import type { Exchange } from '../../helpers/http/exchange.ts';
import type { ViolationResult } from '../../schemas/results.ts';
import { notesOf } from '../blocks.ts';
import { firstDifference, partsBeside } from '../difference.ts';
import { bodyText } from '../exchange-text.ts';
import { headlineOf } from '../headlines.ts';
import { cut } from '../printable.ts';
import type { ToldFinding } from '../run-report.ts';
import { exchangesOf, present } from '../wording.ts';
import { exchangeLinks, type IsTelling, noneTells, shownExchange } from './evidence.ts';
import { html, type Markup, withCode } from './markup.ts';
import { prettyJson } from './pretty-json.ts';
import { badge } from './verdicts.ts';

/** Findings that are open at first; what each shows of its exchanges, and how many characters of values and bodies. */
const max = { open: 12, exchanges: 2, value: 700, body: 1200 };

/** The findings, first a line each, then in full: values, clauses that they break, exchanges, and commands to paste. */
export function findingsMarkup(findings: readonly ToldFinding[]): Markup {
  return html`<ol class="headlines">
${findings.map((one) => html`<li value="${one.number}"><a href="#finding-${one.number}">${one.headline}</a>${notesOf(one)}${one.also.length > 0 && html` <span class="quiet">also: ${one.also.join('; ')}</span>`}</li>\n`)}</ol>
${findings.map(findingEntry)}`;
}

function findingEntry(finding: ToldFinding, index: number): Markup {
  const { number, headline, isIntermittent, since, isWaived, clauses, requests } = finding;
  const isOpen = index < max.open && !isWaived;
  const names = clauses.map(({ id }) => id).join(', ');
  return html`<details class="finding${isWaived && ' waived'}" id="finding-${number}"${isOpen && ' open'}>
<summary>${badge(isWaived ? 'waived' : 'violated')} <span class="what"><strong>${number}. ${headline}</strong>${isIntermittent && html` <span class="tag">intermittent: only one of two runs of the scenario showed it</span>`}${since !== undefined && html` <span class="tag">${since}</span>`} <span class="quiet">${names}</span></span></summary>
<div class="inside">
${sides(finding, max.value)}
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

/** What was expected and what came, side by side, with marks where values differ. @param length characters of each */
export function sides(
  { expected, actual }: { readonly expected: string; readonly actual: string },
  length: number,
): Markup {
  const shown = partsBeside(prettyJson(expected), prettyJson(actual), length);
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

/**
 * Which lines of an answer tell what is wrong. Of JSON: the line of the field. Of an exported file: lines that show a
 * value which the violation names, otherwise lines that the file and the compared one do not have in common.
 */
function tellingIn(
  one: Exchange,
  { difference }: ViolationResult,
  all: readonly Exchange[],
): IsTelling {
  if (difference.kind === 'field') {
    const key = `${JSON.stringify(difference.fields[0]?.split('.').at(-1) ?? '')}:`;
    return (line) => line.trimStart().startsWith(key);
  }
  if (one.operation !== 'export') return noneTells;
  const text = 'mark' in difference ? difference.mark : undefined;
  const named = text ?? ('shown' in difference ? difference.shown : undefined);
  if (named !== undefined) return (line) => line.includes(named);
  if (difference.kind === 'bound') return notShared(one, all, false);
  return difference.kind === 'events'
    ? notShared(one, all, difference.together === 'all')
    : noneTells;
}

/**
 * Which lines an exported file does not share with those that it was compared with; none where nothing shows it.
 * @param isOfAll whether the first file should hold what all the others hold, each of which may hold more
 */
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

/** What else shows a finding, each headline once, with links to the exchanges. */
function alsoShown({ violations: [first, ...others] }: ToldFinding): Markup | undefined {
  const byHeadline = groupBy(others, (one) => headlineOf({ violations: [one] }));
  byHeadline.delete(headlineOf({ violations: [first] }));
  if (byHeadline.size === 0) return undefined;
  return html`<div class="also"><p class="label">Shown as well by</p>
<ul>
${Array.from(byHeadline, ([headline, [one]]) => html`<li>${cut(headline, 300)} ${exchangeLinks(exchangesOf(one).slice(0, 2))}</li>\n`)}</ul></div>`;
}

/** The exchanges that show a finding: the one to blame, then those that it was compared with. */
function shownExchanges({
  on,
  exchanges,
  violations: [violation],
}: ToldFinding): Markup | undefined {
  if (exchanges.length === 0) {
    return on.length === 0 ? undefined : html`<p class="quiet">Shown by ${exchangeLinks(on)}</p>`;
  }
  const rest = exchanges.slice(max.exchanges).map(({ number }) => number);
  return html`${exchanges.slice(0, max.exchanges).map((one) => shownExchange(one, on.length > 1, max.body, tellingIn(one, violation, exchanges)))}
${rest.length > 0 && html`<p>Compared with ${exchangeLinks(rest)} as well.</p>`}`;
}
