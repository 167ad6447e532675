import type { PlainText } from './plain-text.ts';

/** A value where it stands in the text. */
export interface Occurrence {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds every place at which one of many values stands, in one pass. Where one value begins with another, the one
 * that ends where white space stood is meant, or else the longer one.
 *
 * @param values as they are compared, none of them empty
 */
export function findOccurrences(text: PlainText, values: Iterable<string>): Occurrence[] {
  const byStart = new Map<string, string[]>();
  const distinct = [...new Set(values)].sort((a, b) => b.length - a.length);
  const prefixLength = Math.min(8, distinct.at(-1)?.length ?? 0);
  if (prefixLength === 0) return [];
  for (const value of distinct) {
    const prefix = value.slice(0, prefixLength);
    const sharing = byStart.get(prefix);
    if (sharing) sharing.push(value);
    else byStart.set(prefix, [value]);
  }

  const found: Occurrence[] = [];
  for (let start = 0; start + prefixLength <= text.text.length; ) {
    const sharing = byStart.get(text.text.slice(start, start + prefixLength));
    const here = sharing?.filter((value) => text.text.startsWith(value, start)) ?? [];
    const value = here.find(({ length }) => text.isBreak(start + length)) ?? here[0];
    if (value === undefined) {
      start += 1;
      continue;
    }
    found.push({ value, start, end: start + value.length });
    start += value.length;
  }
  return found;
}
