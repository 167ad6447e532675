/*
 * Ranges as tables. A row is a range that is asked for. Which events its export must hold, and which it may hold,
 * follows from where it begins and ends, and from the exports of the rows above it: a longer range holds what a shorter
 * one does, and two parts of a range hold together what the whole does. So ranges are judged without knowing what any
 * column shows.
 */

import {
  deviation,
  type Multiset,
  multiset,
  sum,
  union,
  without,
} from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { Bound, ExportQuery } from '../../helpers/exports/query.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { Violation } from '../../helpers/outcomes.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import type { Difference } from '../../schemas/difference.ts';
import { units } from './event-instants.ts';
import { events, eventsDifference, expectServed, filtersIn } from './relations.ts';

/** A range, and the clauses that it judges; without any, rows below are compared with it. */
export interface RangeRow {
  /** The name by which its export is found. */
  readonly name?: string;
  /** What the range is in messages, as a phrase: "a range that ends at midnight". */
  readonly what?: string;
  /** The query; undefined where there is nothing to ask for. */
  readonly ask?: ExportQuery | undefined;
  /** Whether the query is sent as it is, and not within the window. */
  readonly isAnytime?: boolean;
  /** The export; given where it was downloaded before, set by `askRanges` otherwise. */
  readonly file?: CsvDownload;
  readonly clauses?: readonly JudgedClause[];
  /**
   * Whether a refusal is a violation: always, or unless its status is 400; `perhaps`: never. Left out: another row
   * judges refusals.
   */
  readonly served?: 'always' | 'unless 400' | 'perhaps';
  /** The difference to report in place of the events that differ. @param count how many there are */
  readonly says?: ((count: number) => Difference) | undefined;
}

/** What was learned of the target's exports, and ranges that were asked for. */
export interface RangeTable {
  readonly knowledge: Knowledge;
  readonly rows: readonly RangeRow[];
  /** How far apart bounds are that the target tells apart, in nanoseconds; left out, a millisecond. */
  readonly unit?: bigint;
}

/** Asks for all ranges of a table at the same time. @returns the rows with their exports */
export async function askRanges(exports: Exports, rows: readonly RangeRow[]): Promise<RangeRow[]> {
  return await Promise.all(
    rows.map(async (row) => {
      const { ask, isAnytime } = row;
      if (ask === undefined) return row;
      return { ...row, file: await (isAnytime ? exports.anytime(ask) : exports.within(ask)) };
    }),
  );
}

/** The exports of the rows with these names; those that had nothing to ask for are left out. */
export function filesOf(rows: readonly RangeRow[], names: readonly string[]): CsvDownload[] {
  return names.flatMap((name) => {
    const row = rows.find((one) => one.name === name);
    if (row === undefined) throw new Error(`No range is called “${name}”.`);
    return row.file ?? [];
  });
}

export function answersOf(rows: readonly RangeRow[], names: readonly string[]): Answer[] {
  return filesOf(rows, names).map(({ answer }) => answer);
}

/**
 * Judges all rows that have the clause.
 * @throws Violation where an export lacks events that it must hold, holds events that it may not hold, or is refused
 * @throws Inconclusive where the export of a row is no table
 */
export function judgeRanges(clause: JudgedClause, table: RangeTable): void {
  for (const [index, row] of table.rows.entries()) {
    if (row.clauses?.includes(clause)) judgeRange(row, table.rows.slice(0, index), table);
  }
}

/** Judges one row, as `judgeRanges` does, by the rows above it. */
function judgeRange(
  { what = '', file, served, says }: RangeRow,
  above: readonly RangeRow[],
  { knowledge: { columns }, unit = units.millisecond }: RangeTable,
): void {
  if (file === undefined || (served === 'perhaps' && file.table === undefined)) return;
  if (served === 'unless 400' && file.answer.status === 400) return;
  if (served !== undefined) expectServed(what, file);
  const intervalOf = (one: CsvDownload): Interval => ({
    from: instantOf(one.query.start) ?? -always,
    to: instantOf(one.query.end) ?? always,
    events: events(one, columns),
    answers: [one.answer],
  });
  const own = intervalOf(file);
  const others = above.flatMap((row) =>
    row.file?.table && hasPlainBounds(row.file.query) && formOf(row.file) === formOf(file)
      ? [intervalOf(row.file)]
      : [],
  );
  for (const { left, right, is } of lawsOf(own, others, unit)) {
    const isLeft = left.includes(own);
    const [same, opposite] = isLeft ? [left, right] : [right, left];
    const rest = same.filter((one) => one !== own);
    const due = without(total(opposite), total(rest));
    const isLeast = is === '=' || (is === '≥') === isLeft;
    const isMost = is === '=' || !isLeast;
    const bounds = { least: isLeast ? due : own.events, most: isMost ? due : own.events };
    const differs = deviation(bounds, own.events);
    const count = differs.missing.length + differs.extra.length;
    if (count === 0) continue;
    const when = same.length > 1 && isLeft ? `${what}, together with the one beside it` : what;
    throw new Violation(
      says?.(count) ?? {
        ...eventsDifference(when, file, differs, columns),
        ...(isLeast && { of: due.size }),
        asked: filtersIn(file.query),
        ...(!isMost && { together: 'at least' }),
        ...(own === right[1] && { together: 'all' }),
      },
      [own, ...opposite, ...rest].flatMap(({ answers }) => answers),
    );
  }
}

/** A range with the events of its export. Both bounds are included; they are in nanoseconds since 1970. */
interface Interval {
  readonly from: bigint;
  readonly to: bigint;
  readonly events: Multiset;
  readonly answers: readonly Answer[];
}

/** Later than any instant: the end of a range without range_end. */
const always = 2n ** 64n;

function instantOf(bound: Bound | undefined): bigint | undefined {
  if (bound === undefined || typeof bound === 'bigint') return bound;
  return BigInt(typeof bound === 'number' ? bound : Date.parse(bound)) * units.millisecond;
}

/** Whether the bounds are written as the document writes them: texts are other notations, which may be misread. */
function hasPlainBounds({ start, end }: ExportQuery): boolean {
  return typeof start !== 'string' && typeof end !== 'string';
}

/** What of a query is not its range: only ranges of one form are compared. */
function formOf({ query: { start: _start, end: _end, ...rest } }: CsvDownload): string {
  return JSON.stringify(rest);
}

/** The events of some ranges, those that several hold as often as that. */
function total(ranges: readonly Interval[]): Multiset {
  return ranges.map((one) => one.events).reduce(sum, multiset([]));
}

/** Ranges that hold together the same events as others do, at least these, or at most these. */
interface Law {
  readonly left: readonly Interval[];
  readonly right: readonly Interval[];
  readonly is: '=' | '≥' | '≤';
}

/** What must hold of a range and others. @param unit how far apart instants are told apart, in nanoseconds */
function lawsOf(own: Interval, others: readonly Interval[], unit: bigint): Law[] {
  const all = [own, ...others];
  const find = (from: bigint, to: bigint) => all.find((one) => one.from === from && one.to === to);
  const laws = all.flatMap((one) =>
    all.flatMap((other): Law[] => {
      if (one !== other && one.from <= other.from && one.to >= other.to) {
        return [{ left: [one], right: [other], is: '≥' }];
      }
      if (one.from >= other.from || one.to >= other.to) return [];
      // Two parts of a range, the earlier one first: where they meet, both hold what they share.
      const parts = [one, other];
      const doMeet = other.from <= one.to;
      const shared = doMeet ? find(other.from, one.to) : undefined;
      const whole = find(one.from, other.to) ?? (shared && joined(one, other));
      if (whole === undefined) return [];
      if (shared !== undefined) return [{ left: parts, right: [whole, shared], is: '=' }];
      if (doMeet) return [{ left: parts, right: [whole], is: '≥' }];
      return other.from - one.to >= unit ? [{ left: parts, right: [whole], is: '≤' }] : [];
    }),
  );
  return laws.filter(({ left, right }) => left.includes(own) || right.includes(own));
}

/** Two ranges as one; undefined where rows of different events are equal: they could not be told from shared ones. */
function joined(one: Interval, other: Interval): Interval | undefined {
  const areEqual = ({ events: { entries } }: Interval) =>
    [...entries.values()].some(({ times }) => times > 1);
  if (areEqual(one) || areEqual(other)) return undefined;
  return { ...one, to: other.to, events: union(one.events, other.events), answers: [] };
}
