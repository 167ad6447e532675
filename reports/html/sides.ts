import type { ViolationResult } from '../../schemas/results.ts';
import { partsBeside } from '../difference.ts';
import { textsOf } from '../wording.ts';
import { differences } from './difference.ts';
import { html, type Markup } from './markup.ts';
import { prettyJson } from './pretty-json.ts';

/**
 * What was expected and what came side by side, with what differs marked; of long values the part where they differ.
 * @param length characters of each
 */
export function sides(violation: ViolationResult, length: number): Markup {
  const texts = textsOf(violation);
  const shown = partsBeside(prettyJson(texts.expected), prettyJson(texts.actual), length);
  const { expected, actual } = differences(shown.expected, shown.actual);
  return html`<div class="sides">
<figure class="expected"><figcaption>Expected</figcaption><pre>${expected}</pre></figure>
<figure class="actual"><figcaption>Actual${shown.where !== undefined && html` (${shown.where})`}</figcaption><pre>${actual}</pre></figure>
</div>`;
}
