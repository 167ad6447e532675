import { expect, test } from 'vitest';
import { multiset } from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { Violation } from '../../helpers/outcomes.ts';
import { expectEvents, judgeSums, type Sum } from './relations.ts';

const clause = 'export.ranges-split-without-loss';
const url = 'http://own.region.test/v5/audit-sentinel/events/export';
let number = 0;

const rowsOf = (events: string) => [...events].map((event) => [event]);

/** An export that holds these events, one a letter; undefined where it is refused. */
function exported(events?: string): CsvDownload {
  number += 1;
  const exchange = { number, operation: 'export', request: { url } };
  const rows = rowsOf(events ?? '');
  const table = events === undefined ? undefined : { rows };
  const answer = { status: table ? 200 : 400, request: 'GET export', exchange };
  // The cast: nothing else of an export is looked at.
  return { query: {}, answer, table, overflowed: false } as unknown as CsvDownload;
}

/** What is said of a sum. */
function difference(sum: Omit<Sum, 'clauses' | 'what'>): unknown {
  // The cast: nothing else of what is known is used.
  const knowledge = { columns: { ignored: new Set() } } as unknown as Knowledge;
  try {
    judgeSums(clause, [{ clauses: [clause], what: 'a half', ...sum }], knowledge);
    return undefined;
  } catch (error) {
    if (error instanceof Violation) return error.difference;
    throw error;
  }
}

const whole = exported('abcd');

test('two parts that share events hold at least the whole, and what they share is known by it', () => {
  const early = exported('abc');
  expect(difference({ own: exported('cd'), beside: early, is: '≥', of: [whole] })).toBeUndefined();
  expect(
    difference({ own: exported('d'), beside: exported('ab'), is: '≥', of: [whole] }),
  ).toMatchObject({ when: 'a half, together with the one beside it', missing: 1, extra: 0 });
  const equal = (own: string): unknown =>
    difference({ own: exported(own), beside: whole, is: '=', of: [early, exported('cd')] });
  expect(equal('c')).toBeUndefined();
  expect(equal('')).toMatchObject({ when: 'a half', missing: 1, extra: 0, of: 1 });
  expect(equal('cx')).toMatchObject({ missing: 0, extra: 1 });
});

test('two parts that are apart hold at most the whole', () => {
  const apart = (own: string): unknown =>
    difference({ own: exported(own), beside: exported('abc'), is: '≤', of: [whole] });
  expect(apart('d')).toBeUndefined();
  expect(apart('')).toBeUndefined();
  expect(apart('cd')).toMatchObject({ missing: 0, extra: 1 });
});

test('equal rows count as often as they are there', () => {
  const twice = exported('aab');
  expect(
    difference({ own: exported('ab'), beside: exported('a'), is: '≤', of: [twice] }),
  ).toBeUndefined();
  expect(
    difference({ own: exported('ab'), beside: exported('aa'), is: '≤', of: [twice] }),
  ).toMatchObject({ extra: 1 });
});

test('events from elsewhere do not count where only some are looked at', () => {
  const among = multiset(rowsOf('abcd'));
  const inWindow = (own: string): unknown =>
    difference({ own: exported(own), among, is: '=', of: [exported('cd')] });
  expect(inWindow('cdx')).toBeUndefined();
  expect(inWindow('acdx')).toMatchObject({ extra: 1 });
  expect(inWindow('dx')).toMatchObject({ missing: 1 });
});

test('nothing is said beside an export that was refused, and nothing where there was nothing to ask for', () => {
  expect(
    difference({ own: exported('a'), beside: exported(), is: '=', of: [whole] }),
  ).toBeUndefined();
  expect(difference({ own: undefined, is: '=', of: [whole] })).toBeUndefined();
  expect(() => difference({ own: exported(), is: '=', of: [whole] })).toThrow();
});

test('events beyond a bound are known by all their dates, and by none where ranges go by no column', () => {
  const rows = [
    ['a', '2026-05-01T10:00:00Z', '2026-05-01T10:00:00Z'],
    ['b', '2026-05-03T10:00:00Z', '2026-05-03T10:00:01Z'],
    ['c', '2026-05-03T11:00:00Z', '2026-05-03T11:00:01Z'],
  ];
  const [, b = [], c = []] = rows;
  const beyondOf = (range: CsvDownload['query'], more: object, all = rows): unknown => {
    const download = {
      ...exported(''),
      query: range,
      table: { rows: all, columns: 3 },
    };
    // The casts: nothing else of an export, or of its columns, is looked at.
    const columns = { ignored: new Set<number>(), ...more } as unknown as Knowledge['columns'];
    try {
      expectEvents('it', multiset([]), download as unknown as CsvDownload, columns);
    } catch (error) {
      return error instanceof Violation && error.difference.kind === 'events'
        ? error.difference.beyond
        : error;
    }
    return undefined;
  };
  const at = (day: number): number => Date.UTC(2026, 4, day);
  expect(beyondOf({ start: at(1), end: at(2) }, { times: {} })).toBe('range_end');
  expect(beyondOf({ start: at(4), end: at(5) }, { times: {} })).toBe('range_start');
  expect(beyondOf({ start: at(1), end: at(4) }, { times: {} })).toBeUndefined();
  // One that may be of another time is not enough.
  expect(beyondOf({ end: at(2) }, { times: {} }, rows.slice(0, 2))).toBeUndefined();
  const early = [b[0] ?? '', '2026-05-01T10:00:00Z', b[2] ?? ''];
  expect(beyondOf({ end: at(2) }, { times: {} }, [early, [...c]])).toBeUndefined();
  expect(beyondOf({ end: at(2) }, {})).toBeUndefined();
  expect(beyondOf({ end: '2026-05-02' }, { times: {} })).toBeUndefined();
});
