/*
 * Ranges as tables. A row is a range that is asked for; which events its export must hold, and which it may hold,
 * follows from the exports of other rows. So ranges are judged without knowing what any column shows.
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

/** A range, the clauses that it judges, and the names of the rows that its export is compared with. */
export interface RangeRow {
  /** The name by which other rows refer to this one. */
  readonly name?: string;
  /** The query; undefined where there is nothing to ask for, and rows that need this one judge nothing. */
  readonly ask?: ExportQuery | undefined;
  /** Whether the query is sent as it is, and not within the window. */
  readonly isAnytime?: boolean;
  /** The export; given where it was downloaded before, set by `askRanges` otherwise. */
  readonly file?: CsvDownload;
  /** In place of a query: the ranges whose exports are added up and judged together. */
  readonly together?: readonly string[];
  readonly clauses?: readonly JudgedClause[];
  /** What the range is in messages, as a phrase: "a range that ends at midnight". */
  readonly what?: string;
  /**
   * Whether a refusal is a violation: always, or unless its status is 400. `perhaps`: never, and the row is judged
   * where all exports that it needs are tables. Left out: another row judges refusals.
   */
  readonly served?: 'always' | 'unless 400' | 'perhaps';
  /** Where the export of this range is served, that of the row must be served too. */
  readonly twin?: string;
  /** Ranges all of whose events the export must hold. */
  readonly least?: readonly string[];
  /** Ranges to which all events of the export must belong. */
  readonly most?: readonly string[];
  /** Ranges whose events the export must hold, and no others: `least` and `most` in one. */
  readonly as?: readonly string[];
  /** Ranges whose events `least`, `most` and `as` count once too often: they are subtracted. */
  readonly less?: readonly string[];
  /** Of the events of this range, the export must hold those of `least` only. */
  readonly noneElseOf?: string;
  /** For the message: the events that `all` compared exports hold are expected, or `at least` the compared ones. */
  readonly how?: EventsDifference['together'];
  /** The difference to report in place of the events that differ. */
  readonly says?: BoundDifference | undefined;
}

/** What was learned of the target's exports, and ranges that were asked for. */
export interface RangeTable {
  readonly knowledge: Knowledge;
  readonly rows: readonly RangeRow[];
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
 * @throws Inconclusive where an export that a row needs is no table
 */
export function judgeRanges(clause: JudgedClause, table: RangeTable): void {
  for (const row of table.rows) if (row.clauses?.includes(clause)) judgeRange(row, table);
}

/** Judges one row, as `judgeRanges` does; judges nothing where an export that the row needs was not asked for. */
function judgeRange(row: RangeRow, table: RangeTable): void {
  const { what = '', together = [] } = row;
  const needed = comparedWith(row);
  const judged = row.file ? [row.file] : filesOf(table.rows, together);
  const others = filesOf(table.rows, needed);
  const [own] = judged;
  const isAsked = judged.length >= together.length && others.length === needed.length;
  if (own === undefined || !isAsked) return;
  const all = [...new Set([...judged, ...others])];
  const [twin] = row.twin === undefined ? [] : filesOf(table.rows, [row.twin]);
  if (twin?.answer.status === 200 && own.answer.status !== 200) {
    throw unlikeStatus(what, '200', own.answer, { on: [twin.answer] });
  }
  if (isRefusalAllowed(row, own, all)) return;
  if (row.served !== undefined) expectServed(what, own);
  if (needed.length === 0) return;
  const { missing, extra, atLeast } = eventsThatDiffer(row, judged, table);
  if (missing.length === 0 && extra.length === 0) return;
  throw new Violation(
    row.says ?? {
      ...eventsDifference(what, own, { missing, extra }, table.knowledge.columns),
      ...(atLeast && { of: atLeast.size }),
      asked: filtersIn(own.query),
      ...(row.how && { together: row.how }),
    },
    all.map(({ answer }) => answer),
  );
}

/** The names of all rows with whose events a row is compared. */
function comparedWith({ as, least = as, most = as, less, noneElseOf }: RangeRow): string[] {
  return [least, most, less, noneElseOf].flatMap((names) => names ?? []);
}

/** Whether an export (`own`, or one that is compared with it) is refused that may be, so that nothing is judged. */
function isRefusalAllowed(
  { served }: RangeRow,
  own: CsvDownload,
  all: readonly CsvDownload[],
): boolean {
  if (served === 'perhaps') return all.some(({ table }) => table === undefined);
  return served === 'unless 400' && own.answer.status === 400;
}

/** The events that the exports judged together lack, and those that they may not hold; `atLeast`: those of `least`. */
function eventsThatDiffer(
  { as, least = as, most = as, less = [], noneElseOf }: RangeRow,
  judged: readonly CsvDownload[],
  { rows, knowledge: { columns } }: RangeTable,
) {
  const total = (files: readonly CsvDownload[]): Multiset =>
    files.map((one) => events(one, columns)).reduce(sum, multiset([]));
  const eventsIn = (names: readonly string[]): Multiset =>
    without(total(filesOf(rows, names)), total(filesOf(rows, less)));
  const held = total(judged);
  const atLeast = least && eventsIn(least);
  const bounds = { least: atLeast ?? held, most: most ? eventsIn(most) : held };
  const { missing, extra } = deviation(bounds, held);
  if (noneElseOf === undefined || atLeast === undefined) return { missing, extra, atLeast };
  const whole = eventsIn([noneElseOf]);
  const forbidden = intersection(without(held, atLeast), without(whole, atLeast));
  // Where rows of different events are equal, an event from outside the range can look like one inside.
  const areDistinct = [...whole.entries.values()].every(({ times }) => times === 1);
  const elsewhere = areDistinct ? [...forbidden.entries.values()].map(({ row }) => row) : [];
  return { missing, extra: [...extra, ...elsewhere], atLeast };
}
