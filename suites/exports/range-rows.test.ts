import { expect, test } from 'vitest';
import type { Row } from '../../helpers/csv/csv-form.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { Bound } from '../../helpers/exports/query.ts';
import { Violation } from '../../helpers/outcomes.ts';
import { judgeRanges, type RangeRow } from './range-rows.ts';

const clause = 'export.ranges-split-without-loss';
const url = 'http://own.region.test/v5/audit-sentinel/events/export';
let number = 0;

/** The export of a range that holds these events, one a letter; undefined where the range is refused. */
function exported(start: Bound | undefined, end: Bound | undefined, events?: string): RangeRow {
  number += 1;
  const exchange = { number, operation: 'export', request: { url } };
  const rows: Row[] = [...(events ?? '')].map((event) => [event]);
  const table = events === undefined ? undefined : { count: rows.length, rows };
  const answer = { status: table ? 200 : 400, request: 'GET export', exchange };
  const query = { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
  // The cast: nothing else of an export is looked at.
  return { file: { query, answer, table, overflowed: false } as unknown as CsvDownload };
}

/** What is said of a range, by those above it: events a, b, c, d happen at 10, 20, 30 and 40 ms. */
function difference(row: RangeRow, ...above: readonly RangeRow[]): unknown {
  // The cast: nothing else of what is known is used.
  const knowledge = { columns: { ignored: new Set() } } as unknown as Knowledge;
  try {
    judgeRanges(clause, { knowledge, rows: [...above, { clauses: [clause], ...row }] });
    return undefined;
  } catch (error) {
    if (error instanceof Violation) return error.difference;
    throw error;
  }
}

const whole = exported(0, 50, 'abcd');
const early = exported(0, 30, 'abc');
const late = exported(30, 50, 'cd');

test('a range holds what a shorter one holds, and nothing but what a longer one holds', () => {
  expect(difference(exported(0, 40, 'abcd'), whole, early)).toBeUndefined();
  expect(difference(exported(0, 40, 'abd'), early)).toMatchObject({ missing: 1, extra: 0, of: 3 });
  expect(difference(exported(0, 40, 'abcx'), whole)).toMatchObject({ missing: 0, extra: 1 });
  expect(difference(exported('1970-01-01T00:00:00Z', 30, 'abcd'), early)).toMatchObject({
    extra: 1,
  });
});

test('two parts of a range hold all of it, and what they share twice', () => {
  expect(difference(late, whole, early)).toBeUndefined();
  const half = { ...exported(30, 50, 'd'), what: 'a half' };
  expect(difference(half, whole, exported(0, 30, 'ab'))).toMatchObject({
    when: 'a half, together with the one beside it',
    missing: 1,
    extra: 0,
  });
  expect(difference(exported(30, 30, ''), whole, early, late)).toMatchObject({
    missing: 1,
    extra: 0,
  });
  const shared = exported(30, 30, 'c');
  expect(difference(exported(0, 50, 'abcdx'), early, late, shared)).toMatchObject({ extra: 1 });
  expect(difference(exported(0, 50, 'bcd'), early, late, shared)).toMatchObject({ missing: 1 });
});

test('two parts of a range that are apart share nothing', () => {
  expect(difference(exported(31, 50, 'd'), whole, early)).toBeUndefined();
  expect(difference(exported(31, 50, 'cd'), whole, early)).toMatchObject({ missing: 0, extra: 1 });
  expect(difference(exported(0, 50, 'abc'), early, exported(31, 50, 'd'))).toMatchObject({
    missing: 1,
  });
  // Nearer than a millisecond they may be one instant.
  expect(difference(exported(30_500_000n, 50, 'cd'), whole, early)).toBeUndefined();
});

test('a range without an end holds of another one what both share, whatever else it holds', () => {
  expect(difference(exported(30, undefined, 'cdx'), whole, late)).toBeUndefined();
  expect(difference(exported(30, undefined, 'acdx'), whole, late)).toMatchObject({ extra: 1 });
  expect(difference(exported(30, undefined, 'dx'), whole, late)).toMatchObject({ missing: 1 });
  // Where two events of the other one look alike, a third may be like them.
  const alike = exported(0, 50, 'aabcd');
  expect(difference(exported(30, undefined, 'acdx'), alike, late)).toBeUndefined();
});

test('a range is not compared with other notations, other forms, and what is refused', () => {
  const row = exported(30, 40, 'cd');
  expect(difference(row, exported(30, '1970-01-01T00:00:00.040Z', ''))).toBeUndefined();
  expect(difference(row, exported(30, 40))).toBeUndefined();
});

test('a refusal counts where the range must be served', () => {
  const row = { ...exported(30, 40), what: 'a range' };
  const refused = { kind: 'status', when: 'a range', actual: 400 };
  expect(difference({ ...row, served: 'always' })).toMatchObject(refused);
  expect(difference({ ...row, served: 'unless 400' }, whole)).toBeUndefined();
  expect(difference({ ...row, served: 'perhaps' }, whole)).toBeUndefined();
});
