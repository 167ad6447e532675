import { firstDifference, partsBeside } from '../difference.ts';
import { html, type Markup } from './markup.ts';
import { prettyJson } from './pretty-json.ts';

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
