/*
 * A range keeps what lies in it, at least and at most. A row is a range as it is asked; what it must hold and what it may hold
 * follows from other ranges of its table, so that nothing needs to be known of what columns show.
 */

import {
  deviation,
  intersection,
  type Multiset,
  multiset,
  sum,
  without,
} from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { Violation } from '../../helpers/outcomes.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import type { BoundDifference, EventsDifference } from '../../schemas/difference.ts';
import { unlikeStatus } from '../expectations.ts';
import { events, eventsDifference, expectServed, filtersIn } from './relations.ts';

/** A range as it is asked, what it must hold at least and may hold at most, and the clauses that it stands for. */
export interface RangeRow {
  /** By what other rows refer to it. */
  readonly name?: string;
  /** Missing where there is nothing to ask for: rows that need it are left out then. */
  readonly ask?: ExportQuery | undefined;
  /** Whether it is asked for as it is, and not within the window. */
  readonly isAnytime?: boolean;
  /** The export of it, where that is there already. */
  readonly file?: CsvDownload;
  /** In its place, ranges that are judged together. */
  readonly together?: readonly string[];
  readonly clauses?: readonly JudgedClause[];
  /** What it is, as a phrase. */
  readonly what?: string;
  /**
   * Whether it must be served, or may be refused with 400. Judged where all that it needs are served: perhaps. Missing: another
   * row says so.
   */
  readonly served?: 'always' | 'unless 400' | 'perhaps';
  /** Where this range is served, it must not be refused. */
  readonly twin?: string;
  /** Ranges all of whose events it must hold. */
  readonly least?: readonly string[];
  /** Ranges beyond whose events it must hold none. */
  readonly most?: readonly string[];
  /** Ranges whose events it must hold, and no others. */
  readonly as?: readonly string[];
  /** Ranges whose events are counted once too often in the others that it is compared with. */
  readonly less?: readonly string[];
  /** Of the events of this range it must hold none but those that it must hold at least. */
  readonly noneElseOf?: string;
  readonly how?: EventsDifference['together'];
  /** What is said in place of the events that differ. */
  readonly says?: BoundDifference | undefined;
}

/** What was learned of the target's exports, and ranges that were asked for. */
export interface RangeTable {
  readonly knowledge: Knowledge;
  readonly rows: readonly RangeRow[];
}

/** Asks for the ranges of a table, at the same time. */
export async function askRanges(exports: Exports, rows: readonly RangeRow[]): Promise<RangeRow[]> {
  return await Promise.all(
    rows.map(async (row) => {
      const { ask, isAnytime } = row;
      if (ask === undefined) return row;
      return { ...row, file: await (isAnytime ? exports.anytime(ask) : exports.within(ask)) };
    }),
  );
}

/** The exports of the ranges with these names, as far as they were asked for. */
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
 * Judges the rows that stand for a clause.
 * @throws Violation where a range holds other events than it must and may, or is refused
 * @throws Inconclusive where one that it is compared with is no table
 */
export function judgeRanges(clause: JudgedClause, table: RangeTable): void {
  for (const row of table.rows) if (row.clauses?.includes(clause)) judgeRange(row, table);
}

function judgeRange(row: RangeRow, { rows, knowledge: { columns } }: RangeTable): void {
  const { what = '', file, together = [], as, least = as, most = as, less = [], served } = row;
  const { noneElseOf = [] } = row;
  const isSum = row.ask === undefined && file === undefined;
  const asked = file ? [file] : isSum ? filesOf(rows, together) : [];
  const needed = [least ?? [], most ?? [], less, noneElseOf].flat();
  const others = filesOf(rows, needed);
  const [own] = asked;
  if (own === undefined || asked.length < together.length || others.length < needed.length) return;
  const all = [...new Set([...asked, ...others])];
  const [twin] = row.twin === undefined ? [] : filesOf(rows, [row.twin]);
  if (twin?.answer.status === 200) {
    throw unlikeStatus(what, '200', own.answer, { on: [twin.answer] });
  }
  if (served === 'perhaps' && all.some(({ table }) => table === undefined)) return;
  if (served === 'unless 400' && own.answer.status === 400) return;
  if (served !== undefined) expectServed(what, own);
  if (needed.length === 0) return;
  const total = (files: readonly CsvDownload[]): Multiset =>
    files.map((one) => events(one, columns)).reduce(sum, multiset([]));
  const compared = (names: readonly string[]): Multiset =>
    without(total(filesOf(rows, names)), total(filesOf(rows, less)));
  const held = total(asked);
  const atLeast = least && compared(least);
  const bounds = { least: atLeast ?? held, most: most ? compared(most) : held };
  const { missing, extra } = deviation(bounds, held);
  if (row.noneElseOf !== undefined && atLeast !== undefined) {
    const whole = compared([row.noneElseOf]);
    const elsewhere = intersection(without(held, atLeast), without(whole, atLeast));
    // An event from outside can look like one inside where rows of different events are equal.
    const areDistinct = [...whole.entries.values()].every(({ times }) => times === 1);
    if (areDistinct) extra.push(...[...elsewhere.entries.values()].map(({ row: event }) => event));
  }
  if (missing.length === 0 && extra.length === 0) return;
  throw new Violation(
    row.says ?? {
      ...eventsDifference(what, own, { missing, extra }, columns),
      ...(atLeast && { of: atLeast.size }),
      asked: filtersIn(own.query),
      ...(row.how && { together: row.how }),
    },
    all.map(({ answer }) => answer),
  );
}
