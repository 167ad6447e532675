import type { ViolationResult } from '../../schemas/results.ts';
import { cut } from '../printable.ts';
import { exchangesOf, whatWasDone } from '../wording.ts';
import { differences } from './difference.ts';
import type { ScenarioEvidence } from './evidence.ts';
import { html, type Markup } from './markup.ts';
import { prettyJson } from './pretty-json.ts';

/** A violation: what was done, what was expected and what came side by side, and the exchanges that show it. */
export function violationBlock(
  violation: ViolationResult,
  scenario: ScenarioEvidence | undefined,
  valueLength: number,
): Markup {
  const value = (text: string): string => cut(prettyJson(text), valueLength);
  const { expected, actual } = differences(value(violation.expected), value(violation.actual));
  const exchanges = exchangesOf(violation);
  return html`<article class="violation">
<p><strong>${violation.scenario}</strong>${violation.intermittent && html` <span class="tag">intermittent: only one of two plays showed it</span>`}</p>
<p>${cut(whatWasDone(violation), valueLength)}${exchanges.length > 0 && html` (${exchangeLinks(exchanges)})`}</p>
<div class="sides">
<figure class="expected"><figcaption>Expected</figcaption><pre>${expected}</pre></figure>
<figure class="actual"><figcaption>Actual</figcaption><pre>${actual}</pre></figure>
</div>
${scenario !== undefined && html`<div class="cited" data-copy-exchanges="${exchanges.join(' ')}"></div>`}
</article>
`;
}

export function exchangeLinks(numbers: readonly number[]): Markup[] {
  return numbers.map(
    (number, index) => html`${index > 0 && ', '}<a href="#exchange-${number}">#${number}</a>`,
  );
}
