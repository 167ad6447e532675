import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ListEncoding } from '../../schemas/operations.ts';
import { multiset } from '../csv/multiset.ts';
import type { CsvDownload } from './downloads.ts';
import { encodingsForTwo } from './encoding.ts';
import type { KnownFilters } from './filters.ts';
import type { ExportQuery } from './query.ts';

const rows = (type: string, count: number) =>
  Array.from({ length: count }, (_, index) => [`${type} ${index}`]);

/** What an encoding gives for the values `a`, which keeps 40 events, and `b`, which keeps 60. */
type Given = { readonly [E in ListEncoding]?: readonly (readonly string[])[] };

/** What a value that no event has gives together with `a`, in this order. */
type Beside = (values: readonly string[], encoding: ListEncoding) => readonly string[][];

async function working(given: Given, beside: Beside = () => []): Promise<readonly ListEncoding[]> {
  const values = [
    { value: 'a', events: multiset(rows('a', 40)) },
    { value: 'b', events: multiset(rows('b', 60)) },
  ];
  // The casts: nothing else of downloads and filters is used.
  const known = new Map([['event_type', { values }]]) as unknown as KnownFilters['known'];
  const fetch = async ({
    filters: { event_type: sent = [] } = {},
    encoding = 'repeat',
  }: ExportQuery) => {
    const kept = sent.includes('b') ? given[encoding] : beside(sent, encoding);
    return { table: kept && { rows: kept } } as unknown as CsvDownload;
  };
  const tried = ['repeat', 'comma', 'brackets'] as const;
  const filters = { known, impossible: randomUUID() };
  return await encodingsForTwo(fetch, tried, filters, new Set());
}

describe('the encodings of a list of two values', () => {
  const [a, b] = [rows('a', 40), rows('b', 60)];

  it('are those that keep what either keeps alone', async () => {
    const found = await working({ repeat: b, comma: [], brackets: [...a, ...b] });
    expect(found).toEqual(['brackets']);
  });

  it('are those that nearly do, where events came and went meanwhile', async () => {
    const now = [...a.slice(2), ...b, ['a new']];
    expect(await working({ repeat: b, brackets: now })).toEqual(['brackets']);
    expect(await working({ repeat: [...a, ...b], brackets: now })).toEqual(['repeat']);
  });

  it('are none where one of the values counts alone, or none does', async () => {
    expect(await working({ repeat: a, comma: [], brackets: b })).toEqual([]);
    expect(await working({ repeat: [...a, ...b, ...rows('c', 30)] })).toEqual([]);
    expect(await working({ brackets: b.slice(1), pipe: [...a.slice(9), ...b] })).toEqual([]);
    expect(await working({ pipe: [...a, ...b] })).toEqual(['pipe']);
  });

  it('are those that keep what one keeps beside a value that no event has, before it and behind it', async () => {
    const bySome =
      (isKept: (values: readonly string[]) => boolean): Beside =>
      (values, encoding) =>
        encoding === 'repeat' && isKept(values) ? a : [];
    // The answer to the first value alone is kept.
    expect(
      await working(
        { repeat: a },
        bySome((values) => values.includes('a')),
      ),
    ).toEqual(['repeat']);
    expect(
      await working(
        { repeat: a },
        bySome(([first]) => first === 'a'),
      ),
    ).toEqual([]);
    expect(
      await working(
        { repeat: b },
        bySome((values) => values.at(-1) === 'a'),
      ),
    ).toEqual([]);
  });
});
