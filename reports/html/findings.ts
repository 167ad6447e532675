import type { Exchange } from '../../helpers/http/exchange.ts';
import type { Results, ViolationResult } from '../../schemas/results.ts';
import { bodyText } from '../exchange-text.ts';
import { type Finding, findingsUnder } from '../findings.ts';
import { headlineOf } from '../headlines.ts';
import { cut } from '../printable.ts';
import { requestsFile, requestsOf } from '../requests.ts';
import type { WaiverReview } from '../waivers.ts';
import { counted, exchangesOf, otherWays, whatWasDone } from '../wording.ts';
import {
  type AccusedField,
  type EvidenceLimits,
  exchangeLinks,
  shownExchange,
} from './evidence.ts';
import { html, type Markup, withCode } from './markup.ts';
import { sides } from './sides.ts';
import { badge } from './verdicts.ts';

/** So many findings are open at once; the others are one line each. */
const maxOpen = 12;

/** So many exchanges of a finding are shown with it; the others are linked. */
const maxExchanges = 2;

/** Characters of each expected and actual value that a finding shows; its clauses show more. */
const valueLength = 700;

/** Characters of each body that a finding shows; its exchange has more. */
const bodyLength = 1200;

/**
 * The findings, as on the terminal: all of them a line each, then each with the values, the commands that show it by
 * itself, the clauses that it breaks, and the exchanges that show it. What is waived comes last.
 */
export function findingsSection(
  results: Results,
  review: WaiverReview,
  exchanges: readonly Exchange[],
): Markup | undefined {
  const findings = findingsUnder(results, review);
  if (findings.length === 0) return undefined;
  const byNumber = new Map(exchanges.map((one) => [one.number, one]));
  const clauses = new Set(findings.flatMap(({ finding }) => finding.clauses.map(({ id }) => id)));
  const place = { results, exchanges, byNumber };
  return html`<section id="violations" aria-labelledby="violations-title">
<h2 id="violations-title">Findings <span class="quiet">${findings.length}, about ${counted(clauses.size, 'clause')}</span></h2>
<ol class="headlines">
${findings.map(({ finding, isWaived }, index) => html`<li${isWaived && html` class="waived"`}><a href="#finding-${index + 1}">${headlineOf(finding)}</a>${isIntermittent(finding) && ' (intermittent)'}${isWaived && ' (waived)'}</li>\n`)}</ol>
${findings.map(({ finding, isWaived }, index) => findingEntry(finding, { ...place, number: index + 1, waived: isWaived, isOpen: index < maxOpen && !isWaived }))}</section>`;
}

interface Place {
  readonly number: number;
  readonly results: Results;
  readonly exchanges: readonly Exchange[];
  readonly waived: boolean;
  readonly isOpen: boolean;
  readonly byNumber: ReadonlyMap<number, Exchange>;
}

function isIntermittent({ violations }: Finding): boolean {
  return violations.every(({ intermittent }) => intermittent);
}

function findingEntry(finding: Finding, place: Place): Markup {
  const { violation, violations, clauses } = finding;
  const { number, waived, isOpen, byNumber } = place;
  const scenarios = [...new Set(violations.map(({ scenario }) => scenario))];
  const names = clauses.map(({ id }) => id).join(', ');
  return html`<details class="finding${waived && ' waived'}" id="finding-${number}"${isOpen && ' open'}>
<summary>${badge(waived ? 'waived' : 'violated')} <span class="what"><strong>${number}. ${headlineOf(finding)}</strong>${isIntermittent(finding) && html` <span class="tag">intermittent: only one of two runs of the scenario showed it</span>`} <span class="quiet">${names}</span></span></summary>
<div class="inside">
<p>${cut(whatWasDone(violation), 600)}</p>
${sides(violation, valueLength)}
<p class="label">${clauses.length === 1 ? 'Violated clause' : 'Violated clauses'}</p>
<ul class="broken">
${clauses.map(({ id, level, text }) => html`<li><a href="#${id}"><code>${id}</code></a> <span class="quiet">${level}</span> ${withCode(text)}</li>\n`)}</ul>
${shownExchanges(violation, byNumber)}
${requestsFigure(finding, place)}
${alsoShown(violation, violations.slice(1))}
<p class="quiet">Found by: ${scenarios.join('; ')}</p>
</div>
</details>
`;
}

/** The requests of the run, to be sent again. */
function requestsFigure(
  finding: Finding,
  { results, exchanges, number }: Place,
): Markup | undefined {
  const found = requestsOf(finding, results, exchanges);
  if (found === undefined) return undefined;
  const { pasted, writesTo } = found;
  return html`<figure><figcaption>To send its requests again, run <code>bash ${requestsFile(number)}</code> in the folder of this page, or paste this into a shell${writesTo !== undefined && html`; it writes to task <code>${writesTo}</code>, then assigns it as it was`}</figcaption><pre class="command" tabindex="0" role="region" aria-label="Requests that show it">${pasted.join('\n')}</pre></figure>`;
}

/** The field that a violation is about, where it is about one. */
function fieldOf({ difference }: ViolationResult): { field?: AccusedField } {
  if (difference?.kind !== 'field') return {};
  const { fields, expected, actual } = difference;
  const name = fields[0]?.split('.').at(-1);
  return name === undefined ? {} : { field: { name, expected, actual } };
}

/**
 * Which lines of an exported file tell what is wrong: those that show a value that the violation names; else those that the
 * file does not have in common with what it was compared with.
 */
function tellingIn(
  one: Exchange,
  { difference }: ViolationResult,
  all: readonly Exchange[],
): Pick<EvidenceLimits, 'tells'> {
  if (one.operation !== 'export') return {};
  const texts =
    difference.kind === 'events'
      ? [difference.mark, difference.shown]
      : difference.kind === 'dates'
        ? [difference.mark]
        : [];
  const [text] = texts.filter((each) => each !== undefined);
  if (text !== undefined) return { tells: (line) => line.includes(text) };
  if (difference.kind !== 'events' && difference.kind !== 'bound') return {};
  const [asked, ...others] = all.filter(({ operation }) => operation === 'export');
  const compared = (one === asked ? others : [asked]).flatMap((other) =>
    other === undefined ? [] : [linesOf(other)],
  );
  if (compared.length === 0 || compared.some(({ length }) => length === 0)) return {};
  const isOfAll = difference.kind === 'events' && difference.together === 'all';
  // What is beyond all of them is not expected of it.
  if (isOfAll && one !== asked) return {};
  const files = compared.map((lines) => new Set(lines));
  const isKnown = (line: string): boolean =>
    isOfAll ? files.every((file) => file.has(line)) : files.some((file) => file.has(line));
  const own = linesOf(one);
  const isCut = all.some(isCutOff);
  // Of files that were not kept whole, what comes after the last line that they share may stand further down.
  const end = isCut ? own.findLastIndex(isKnown) : own.length;
  const telling = new Set(own.slice(0, end).filter((line) => line.trim() !== '' && !isKnown(line)));
  return { tells: (line) => telling.has(line) };
}

function isCutOff({ response }: Exchange): boolean {
  return response !== undefined && response.size > response.body.byteLength;
}

/** The whole lines of an answer, as far as it was kept. */
function linesOf(one: Exchange): string[] {
  const lines = (one.response && bodyText(one.response))?.split('\n') ?? [];
  return isCutOff(one) ? lines.slice(0, -1) : lines;
}

/** So many other ways in which the same shows are told. */
const maxAlike = 8;

function alsoShown(shown: ViolationResult, others: readonly ViolationResult[]): Markup | undefined {
  const ways = otherWays(shown, others);
  if (ways.length === 0) return undefined;
  const hidden = ways.length - maxAlike;
  return html`<div class="also"><p class="label">Shown as well by</p>
<ul>
${ways.slice(0, maxAlike).map((one) => html`<li>${cut(whatWasDone(one), 300)} ${exchangeLinks(exchangesOf(one).slice(0, 2))}</li>\n`)}${hidden > 0 && html`<li>and ${hidden} more</li>`}</ul></div>`;
}

/** The exchanges that show a violation, request and answer; those after the first are what it was compared with. */
function shownExchanges(
  violation: ViolationResult,
  byNumber: ReadonlyMap<number, Exchange>,
): Markup | undefined {
  const numbers = exchangesOf(violation);
  const known = numbers.flatMap((number) => byNumber.get(number) ?? []);
  if (known.length === 0) {
    return numbers.length === 0
      ? undefined
      : html`<p class="quiet">Shown by ${exchangeLinks(numbers)}</p>`;
  }
  const isCompared = numbers.length > 1;
  const rest = known.slice(maxExchanges).map(({ number }) => number);
  return html`${known.slice(0, maxExchanges).map((one) => shownExchange(one, isCompared, { bodyLength, onlyCited: true, ...fieldOf(violation), ...tellingIn(one, violation, known) }))}
${rest.length > 0 && html`<p>Compared with ${exchangeLinks(rest)} as well.</p>`}`;
}
