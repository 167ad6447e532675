import { expect, test } from 'vitest';
import type { Row } from '../../helpers/csv/csv-form.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { Violation } from '../../helpers/outcomes.ts';
import { judgeRanges, type RangeRow } from './range-rows.ts';

const clause = 'export.ranges-split-without-loss';
const url = 'http://own.region.test/v5/audit-sentinel/events/export';
let number = 0;

/** An export of these events, or one that is refused. */
function exported(events: readonly string[], status = 200): CsvDownload {
  number += 1;
  const exchange = { number, operation: 'export', request: { url } };
  const rows: Row[] = events.map((event) => [event]);
  const table = status === 200 ? { count: rows.length, rows, headings: undefined } : undefined;
  const answer = { status, request: 'GET export', exchange };
  // The cast: nothing else of an export is looked at.
  return { query: {}, answer, table, overflowed: false } as unknown as CsvDownload;
}

const named = (name: string, events: readonly string[]): RangeRow => ({
  name,
  file: exported(events),
});

/** What is said of a row, beside ranges that others compare it with. */
function difference(row: RangeRow): unknown {
  const known = [
    named('whole', ['a', 'b', 'c', 'd']),
    named('early', ['a', 'b', 'c']),
    named('late', ['c', 'd']),
    named('at c', ['c']),
    { name: 'not asked', ask: undefined },
  ];
  // The cast: nothing else of what is known is used.
  const knowledge = { columns: { ignored: new Set() } } as unknown as Knowledge;
  try {
    judgeRanges(clause, { knowledge, rows: [...known, { clauses: [clause], ...row }] });
    return undefined;
  } catch (error) {
    if (error instanceof Violation) return error.difference;
    throw error;
  }
}

test('a range holds at least and at most what others hold', () => {
  const file = exported(['b', 'c', 'x']);
  expect(difference({ file, least: ['at c'] })).toBeUndefined();
  expect(difference({ file, least: ['late'] })).toMatchObject({ missing: 1, extra: 0, of: 2 });
  expect(difference({ file, most: ['whole'] })).toMatchObject({ missing: 0, extra: 1 });
  expect(difference({ file, as: ['late'] })).toMatchObject({ missing: 1, extra: 2 });
});

test('ranges are judged together, and what two of them share counts once where that is said', () => {
  expect(difference({ together: ['early', 'late'], least: ['whole'] })).toBeUndefined();
  expect(difference({ together: ['early', 'late'], most: ['whole'] })).toMatchObject({ extra: 1 });
  const overlapping = { as: ['early', 'late'], less: ['at c'] };
  expect(difference({ together: ['whole'], ...overlapping })).toBeUndefined();
});

test('of a range it holds nothing but what it must hold, whatever else it holds', () => {
  const row = { least: ['late'], noneElseOf: 'whole' };
  expect(difference({ file: exported(['c', 'd', 'x']), ...row })).toBeUndefined();
  expect(difference({ file: exported(['a', 'c', 'd']), ...row })).toMatchObject({ extra: 1 });
});

test('a row is left out where a range that it needs was not asked for', () => {
  expect(difference({ file: exported([]), least: ['whole', 'not asked'] })).toBeUndefined();
  expect(difference({ together: ['not asked'], least: ['whole'] })).toBeUndefined();
  expect(() => difference({ together: ['unknown'] })).toThrow('No range is called “unknown”.');
});

test('a refusal counts where the range must be served, or its twin is', () => {
  const row = { file: exported([], 400), what: 'a range' };
  const refused = { kind: 'status', when: 'a range', actual: 400 };
  expect(difference({ ...row, served: 'always' })).toMatchObject(refused);
  expect(difference({ ...row, twin: 'whole' })).toMatchObject(refused);
  expect(difference({ ...row, served: 'unless 400', as: ['whole'] })).toBeUndefined();
  expect(difference({ ...row, served: 'perhaps', as: ['whole'] })).toBeUndefined();
});
