import type { Exchange } from '../../helpers/http/exchange.ts';
import type { Results, ViolationResult } from '../../schemas/results.ts';
import {
  commonActual,
  type Finding,
  findingsByClauses,
  findingsOf,
  violatedClauses,
} from '../grouping.ts';
import { cut } from '../printable.ts';
import type { WaiverReview } from '../waivers.ts';
import { counted, exchangesOf, whatWasDone } from '../wording.ts';
import { exchangeLinks, shownExchange } from './evidence.ts';
import { html, type Markup, withCode } from './markup.ts';
import { sides } from './sides.ts';
import { badge } from './verdicts.ts';

/** So many findings are open at once, the first of those that break the same clauses; the others are one line each. */
const maxOpen = 12;

/** So many exchanges of a finding are shown with it; the others are linked. */
const maxExchanges = 2;

/** Characters of each body that a finding shows; its exchange has more. */
const bodyLength = 900;

/**
 * The violations by their cause, as on the terminal: each with what was done, expected and came, the clauses that it
 * breaks, and the exchanges that show it. What is waived comes last.
 */
export function findingsSection(
  results: Results,
  review: WaiverReview,
  exchanges: readonly Exchange[],
  valueLength: number,
): Markup | undefined {
  const findings = findingsOf(violatedClauses(results));
  if (findings.length === 0) return undefined;
  const isWaived = ({ violations }: Finding): boolean =>
    violations.every((one) => review.covered.has(one));
  const sorted = [...findings.filter((one) => !isWaived(one)), ...findings.filter(isWaived)];
  const byNumber = new Map(exchanges.map((one) => [one.number, one]));
  const shared = commonActual(results);
  const clauses = new Set(findings.flatMap((one) => one.clauses.map(({ id }) => id)));
  const unlike = findingsByClauses(sorted.filter((one) => !isWaived(one)));
  const open = new Set(unlike.slice(0, maxOpen).map(([first]) => first));
  return html`<section id="violations" aria-labelledby="violations-title">
<h2 id="violations-title">Violations <span class="quiet">${counted(clauses.size, 'clause')}, ${counted(findings.length, 'finding')}</span></h2>
${shared !== undefined && html`<p>${shared.times} of ${counted(results.violations.length, 'violation')} have the same actual value: <code>${cut(shared.actual, 300)}</code></p>`}
${sorted.map((finding, index) => findingEntry(finding, { number: index + 1, waived: isWaived(finding), isOpen: open.has(finding), byNumber, valueLength }))}</section>`;
}

interface Place {
  readonly number: number;
  readonly waived: boolean;
  readonly isOpen: boolean;
  readonly byNumber: ReadonlyMap<number, Exchange>;
  /** Characters of each expected and actual value. */
  readonly valueLength: number;
}

function findingEntry(
  { violation, violations, clauses }: Finding,
  { number, waived, isOpen, byNumber, valueLength }: Place,
): Markup {
  const scenarios = [...new Set(violations.map(({ scenario }) => scenario))];
  const isIntermittent = violations.every(({ intermittent }) => intermittent);
  const names = clauses.map(({ id }) => id).join(', ');
  return html`<details class="finding${waived && ' waived'}" id="finding-${number}"${isOpen && ' open'}>
<summary>${badge(waived ? 'waived' : 'violated')} <span class="what"><strong>${number}. ${cut(whatWasDone(violation), 300)}</strong>${isIntermittent && html` <span class="tag">intermittent: only one of two runs of the scenario showed it</span>`} <span class="quiet">${names}</span></span></summary>
<div class="inside">
${sides(violation, valueLength)}
<ul class="broken">
${clauses.map(({ id, level, text }) => html`<li><a href="#${id}"><code>${id}</code></a> <span class="quiet">${level}</span> ${withCode(text)}</li>\n`)}</ul>
<p class="quiet">Found by ${scenarios.join('; ')}</p>
${shownExchanges(violation, byNumber)}
</div>
</details>
`;
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
  return html`${known.slice(0, maxExchanges).map((one) => shownExchange(one, isCompared, { bodyLength, onlyCited: true }))}
${rest.length > 0 && html`<p>Compared with ${exchangeLinks(rest)} as well.</p>`}`;
}
