import { firstDifference, partsBeside } from '../difference.ts';
import { html, type Markup } from './markup.ts';
import { prettyJson } from './pretty-json.ts';

/** A word shorter than this is marked whole: one digit of a status says nothing. */
const longWord = 12;

/** What was expected and what came, side by side, with marks where they differ. @param length characters of each */
export function sides(
  violation: { readonly expected: string; readonly actual: string },
  length: number,
): Markup {
  const shown = partsBeside(prettyJson(violation.expected), prettyJson(violation.actual), length);
  const { expected, actual } = differences(shown.expected, shown.actual);
  return html`<div class="sides">
<figure class="expected"><figcaption>Expected</figcaption><pre>${expected}</pre></figure>
<figure class="actual"><figcaption>Actual${shown.where !== undefined && html` (${shown.where})`}</figcaption><pre>${actual}</pre></figure>
</div>`;
}

/**
 * Two texts, each with marks where they differ: in each line, where they have the same number of lines; otherwise from
 * the first character that differs to the last.
 */
export function differences(
  expected: string,
  actual: string,
): { expected: Markup; actual: Markup } {
  const [left, right] = [expected.split('\n'), actual.split('\n')];
  if (left.length !== right.length) return markedBoth(expected, actual);
  const lines = left.map((line, index) => markedBoth(line, right[index] ?? ''));
  const joined = (side: 'expected' | 'actual'): Markup =>
    html`${lines.map((line, index) => html`${index > 0 && '\n'}${line[side]}`)}`;
  return { expected: joined('expected'), actual: joined('actual') };
}

/** Two texts, each with a mark from the first character that differs to the last, or around the whole short word. */
function markedBoth(expected: string, actual: string): { expected: Markup; actual: Markup } {
  if (expected === actual) return { expected: html`${expected}`, actual: html`${actual}` };
  const [a, b] = [[...expected], [...actual]];
  const start = firstDifference(a, b);
  const most = Math.min(a.length, b.length) - start;
  const end = Math.min(most, firstDifference(a.toReversed(), b.toReversed()));
  const [before, after] = [a.slice(0, start).join(''), a.slice(a.length - end).join('')];
  const [wordBegins = ''] = before.match(/[\p{L}\p{N}_]*$/u) ?? [];
  const [wordEnds = ''] = after.match(/^[\p{L}\p{N}_]*/u) ?? [];
  const parts = [a, b].map((text) => text.slice(start, text.length - end).join(''));
  const isWord = parts.every(
    (part) => wordBegins.length + part.length + wordEnds.length < longWord,
  );
  const marked = (part = ''): Markup => {
    if (!isWord) return html`${before}${part !== '' && html`<mark>${part}</mark>`}${after}`;
    const word = wordBegins + part + wordEnds;
    return html`${before.slice(0, before.length - wordBegins.length)}${word !== '' && html`<mark>${word}</mark>`}${after.slice(wordEnds.length)}`;
  };
  return { expected: marked(parts[0]), actual: marked(parts[1]) };
}
