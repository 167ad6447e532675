import { nonCsvType, type Row } from '../../helpers/csv/csv-form.ts';
import {
  type Bounds,
  deviation,
  difference,
  digestOfKey,
  exactly,
  intersection,
  isSame,
  keyOfRow,
  type Multiset,
  multiset,
  sum,
  without,
} from '../../helpers/csv/multiset.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import {
  columnsOfIds,
  dateColumns,
  eventsOf,
  type KnownColumns,
} from '../../helpers/exports/columns.ts';
import { type CsvDownload, isPdf, tableOf } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery, Filter } from '../../helpers/exports/query.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import {
  Inconclusive,
  NotConfigured,
  NotJudged,
  other,
  Violation,
} from '../../helpers/outcomes.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import type { Difference, EventsDifference } from '../../schemas/difference.ts';
import { unlikeStatus } from '../expectations.ts';

/** The error to throw where a clause cannot be judged because the window holds no events. */
export function noEvents(): NotConfigured {
  return new NotConfigured('EXPORT_RANGE_START', 'a window that holds events; none were found');
}

/** The error to throw where a clause cannot be judged without values of filters. @param what is missing, as a phrase */
export function noValues(
  what: string,
  { filters: { unclear } }: Pick<Knowledge, 'filters'>,
): NotConfigured | Inconclusive {
  if (unclear === undefined) return new NotConfigured('EXPORT_FILTER_VALUES', what);
  const { answer } = unclear;
  const why = `${answer.request} gave events that the export of the whole window does not hold.`;
  return new Inconclusive(why, [answer]);
}

/** What a judge found. */
export interface Outcome {
  readonly wrong?: Violation;
  /** Why it cannot be said whether anything is wrong. */
  readonly undecided?: Inconclusive | NotJudged;
}

/** Some events of a CSV cannot be recognized in its PDF; all others are there. */
export class DoubtfulEvents extends Inconclusive {}

/** What a judge throws, as a value: a violation, or a doubt. Throws any other error. */
export function outcomeOf(judge: () => void): Outcome {
  try {
    judge();
  } catch (error) {
    if (error instanceof Violation) return { wrong: error };
    // The PDF of the sample shows that events can be recognized; doubts about a few of them say nothing.
    if (error instanceof DoubtfulEvents) return {};
    if (error instanceof Inconclusive || error instanceof NotJudged) return { undecided: error };
    throw error;
  }
  return {};
}

type Ignored = Pick<KnownColumns, 'ignored'>;
type Comparable = Ignored & Partial<Pick<KnownColumns, 'times'>>;

/** The events of a download. @throws Inconclusive where it holds no table */
export function events(download: CsvDownload, { ignored }: Ignored): Multiset {
  return eventsOf(tableOf(download), ignored);
}

/** The events of the window. */
export function wholeOf({ base, columns }: Pick<Knowledge, 'base' | 'columns'>): Multiset {
  return eventsOf(base.table, columns.ignored);
}

/** Statuses that say nothing about the request: the key is not accepted, or there are too many requests. */
const saysNothing = [401, 429, 503];

/** @throws Violation where a valid request is answered with 204, or with 400 or more, except the statuses of `saysNothing` */
export function expectServed(what: string, { answer }: Pick<CsvDownload, 'answer'>): void {
  const { status } = answer;
  if ((status < 400 && status !== 204) || saysNothing.includes(status)) return;
  throw unlikeStatus(what, '200', answer);
}

/** @throws Violation where a file, which may be a PDF in place of a CSV, does not read as one table */
export function judgeTables(downloads: readonly Pick<CsvDownload, 'answer' | 'table'>[]): void {
  for (const { answer, table } of downloads) {
    if (table === undefined && !isPdf(answer)) continue;
    const [problem] = table?.problems ?? [];
    const actual = nonCsvType(answer.text) ?? problem;
    if (actual === undefined) continue;
    throw new Violation(other('is not one table', { actual }), [answer]);
  }
}

/** What a violation says of the exports that an export is compared with, and of the reason why it differs. */
export interface Comparison {
  /** The answers that the expected events were taken from; left out where they come from no single export. */
  readonly on?: readonly Answer[];
  /** See the schema of differences; left out where exactly the events of any of the compared exports are expected. */
  readonly together?: EventsDifference['together'];
  /** The parameter that was given in the way that `what` says; left out where `what` names it. */
  readonly parameter?: string;
  /** The value by which the expected events were picked out of the export of the whole window. */
  readonly shown?: string;
  /** Finds the reason; called only where the export differs. */
  readonly why?: () => Pick<
    EventsDifference,
    'ignored' | 'beside' | 'isAnyOf' | 'lostValues' | 'common' | 'alike'
  >;
}

/** @throws Violation unless the download holds the expected events, in any order: exactly these, or at least some and no others */
export function expectEvents(
  what: string,
  expected: Multiset | Bounds,
  download: CsvDownload,
  columns: Comparable,
  { on = [], together, parameter, shown, why }: Comparison = {},
): void {
  const actual = events(download, columns);
  const bounds = 'least' in expected ? expected : exactly(expected);
  const { missing, extra } = deviation(bounds, actual);
  if (missing.length === 0 && extra.length === 0) return;
  const isAtLeast = bounds.least.size < bounds.most.size;
  const how = together ?? (isAtLeast ? 'at least' : undefined);
  throw new Violation(
    {
      ...eventsDifference(what, download, { missing, extra }, columns),
      of: bounds.least.size,
      asked: filtersIn(download.query),
      ...(shown !== undefined && missing.length > 0 && extra.length === 0 && { shown }),
      ...(parameter && { parameter }),
      ...why?.(),
      ...beyond(extra, missing.length + extra.length, download, columns),
      ...(how && { together: how }),
    },
    [download.answer, ...on],
  );
}

/**
 * @param where whether those are meant that lie beyond the range, or others
 * @throws Violation where a filter keeps events that the export of its range alone does not hold, or not as they are there
 */
export function expectNoOthers(
  filter: Filter,
  filtered: CsvDownload,
  knowledge: Knowledge,
  where: 'beyond' | 'within',
): void {
  if (filtered.table === undefined) return;
  const { base, columns } = knowledge;
  const kept = intersection(events(filtered, columns), wholeOf(knowledge));
  const { wrong } = outcomeOf(() =>
    expectEvents(`${filter} and a range`, kept, filtered, columns, { on: [base.download.answer] }),
  );
  const isBeyond = wrong?.difference.kind === 'events' && wrong.difference.beyond !== undefined;
  if (wrong && isBeyond === (where === 'beyond')) throw wrong;
}

/** The bound beyond which these events lie, most of so many, whichever of their dates is that of the event; {} where that is not sure. */
function beyond(
  rows: readonly Row[],
  many: number,
  { query, table }: CsvDownload,
  { ignored, times }: Comparable,
): Pick<EventsDifference, 'beyond'> {
  if (table === undefined || times === undefined) return {};
  const dates = dateColumns({ ...table, rows }, ignored);
  // Bounds as text, and those that are left out, are no number: nothing lies beyond them.
  const msOf = (bound: ExportQuery['start']): number =>
    Number(typeof bound === 'bigint' ? bound / 1_000_000n : bound);
  const [start, end] = [msOf(query.start), msOf(query.end)];
  const isMost = (is: (at: number, unit: number) => boolean): boolean => {
    const isBeyond = (_: Row, row: number): boolean =>
      dates.every(({ instants, unit }) => is(instants[row] ?? Number.NaN, unit));
    return dates.length > 0 && rows.filter(isBeyond).length * 2 > many;
  };
  if (isMost((at, unit) => at > end + unit)) return { beyond: 'range_end' };
  return isMost((at, unit) => at < start - unit) ? { beyond: 'range_start' } : {};
}

/** The filters of a query in words: "event_type", or "several values of event_type" where it gives more than one. */
export function filtersIn({ filters = {} }: Pick<ExportQuery, 'filters'>): string[] {
  return Object.entries(filters).map(([filter, values]) =>
    values.length > 1 ? `several values of ${filter}` : filter,
  );
}

/** How many rows hold a text in any of their cells. */
export function rowsHolding(text: string, { rows }: CsvTable): number {
  return rows.filter((row) => row.some((cell) => cell.includes(text))).length;
}

/** How many rows of a difference are kept: enough to tell whether two violations are about the same rows. */
const maxRows = 20;

/** How an export differs from what it should hold, as a value. @param when what was asked for, as a phrase */
function eventsDifference(
  when: string,
  { query, table }: Pick<CsvDownload, 'query' | 'table'>,
  { missing, extra }: { readonly missing: readonly Row[]; readonly extra: readonly Row[] },
  { ignored }: Ignored,
): EventsDifference {
  const rows = [...missing, ...extra].map((row) => digestOfKey(keyOfRow(row, ignored))).sort();
  return {
    kind: 'events',
    when,
    fileType: query.fileType === 'pdf' ? 'pdf' : 'csv',
    missing: missing.length,
    extra: extra.length,
    ...firstOf(missing, extra),
    rows: [...new Set(rows)].slice(0, maxRows),
    ...(table !== undefined &&
      (missing.length > 0 ? commonTo(missing, table) : commonIn(table, extra))),
  };
}

/** The beginnings of the first missing row and of the first extra row, where there are such rows. */
export function firstOf(
  [lost]: readonly Row[],
  [added]: readonly Row[],
): Required<Pick<EventsDifference, 'first'>> {
  return {
    first: {
      ...(lost && { missing: beginningOf(lost) }),
      ...(added && { extra: beginningOf(added) }),
    },
  };
}

/** How many events, and how many others, it takes to say what the former have in common. */
const enoughToShow = 3;

/** What some rows of a table share, and none of its other rows has: it may be why they are missing. As `commonTo`. */
export function commonIn(
  { headings, rows }: Pick<CsvTable, 'headings' | 'rows'>,
  chosen: readonly Row[],
): Pick<EventsDifference, 'common'> {
  const keys = new Set(chosen.map(wholeKey));
  return commonTo(chosen, { headings, rows: rows.filter((row) => !keys.has(wholeKey(row))) });
}

function wholeKey(row: Row): string {
  return keyOfRow(row, new Set());
}

/** The value that some events share in a column, and that none of the other rows has there; {} where there is none. */
function commonTo(
  chosen: readonly Row[],
  { headings, rows }: Pick<CsvTable, 'headings' | 'rows'>,
): Pick<EventsDifference, 'common'> {
  const [first] = chosen;
  if (first === undefined || chosen.length < enoughToShow || rows.length < enoughToShow) return {};
  const column = first.findIndex(
    (value, index) =>
      chosen.every((row) => row[index] === value) && rows.every((row) => row[index] !== value),
  );
  const [heading, value] = [headings?.[column], first[column]];
  return heading === undefined || value === undefined ? {} : { common: { heading, value } };
}

/** Compares exports in different forms by number and ids. @throws Violation where `actual` holds other events than `expected` */
export function expectSameEvents(
  what: string,
  expected: CsvDownload,
  actual: CsvDownload,
  columns: KnownColumns,
): void {
  const [due, held] = [tableOf(expected), tableOf(actual)];
  const ids = columnsOfIds(due, columns);
  const areIn = (places: readonly number[]): boolean =>
    due.rows.length === held.rows.length &&
    ids.every((id, index) => isSame(valuesIn(due, [id]), valuesIn(held, [places[index] ?? id])));
  // Elsewhere they are looked for only where they do not stand in the same columns.
  if (areIn(ids)) return;
  const heldIds = ids.map((id) => columnHolding(valuesIn(due, [id]), id, held));
  if (areIn(heldIds)) return;
  const { missing, extra } = difference(valuesIn(due, ids), valuesIn(held, heldIds));
  // Ids name the events that differ only if they account for the difference in number exactly.
  const isById =
    ids.length > 0 && missing.length - extra.length === due.rows.length - held.rows.length;
  const lost = isById ? missing.length : Math.max(0, due.rows.length - held.rows.length);
  const added = isById ? extra.length : Math.max(0, held.rows.length - due.rows.length);
  const isLostMark = (id: string): boolean =>
    id !== '' && rowsHolding(id, due) === 1 && rowsHolding(id, held) === 0;
  const mark = isById ? missing[0]?.find(isLostMark) : undefined;
  const keys = new Set(missing.map(wholeKey));
  const lostRows = due.rows.filter((row) => keys.has(wholeKey(valuesOf(row, ids))));
  throw new Violation(
    {
      kind: 'events',
      when: what,
      fileType: 'csv',
      missing: lost,
      extra: added,
      of: due.rows.length,
      asked: filtersIn(actual.query),
      ...(isById && firstOf(missing, extra)),
      ...(mark !== undefined && { mark }),
      ...(isById && commonIn(due, lostRows)),
    },
    [actual.answer, expected.answer],
  );
}

/**
 * As `expectSameEvents`, of the events of the window alone, by their ids; where these do not tell events apart, nothing is
 * compared. @throws Violation where the window's differ
 */
export function expectSameInWindow(
  what: string,
  expected: CsvDownload,
  actual: CsvDownload,
  { base, columns }: Pick<Knowledge, 'base' | 'columns'>,
): void {
  const due = tableOf(expected);
  // A column that is empty may be left out there.
  const isFilled = (id: number): boolean =>
    due.rows.length === 0 || due.rows.some((row) => row[id]);
  const ids = columnsOfIds(base.table, columns).filter(isFilled);
  const nameIn = (places: readonly number[]) => (row: Row) => wholeKey(valuesOf(row, places));
  const names = new Set(base.table.rows.map(nameIn(ids)));
  if (names.size < base.table.rows.length || ids.length === 0) return;
  const inWindow = (download: CsvDownload): CsvDownload => {
    const table = tableOf(download);
    const nameOf = nameIn(ids.map((id) => columnHolding(valuesIn(due, [id]), id, table)));
    const rows = table.rows.filter((row) => names.has(nameOf(row)));
    return { ...download, table: { ...table, rows } };
  };
  expectSameEvents(what, inWindow(expected), inWindow(actual), columns);
}

/** The column that holds most of these values: in another locale, it may stand elsewhere. */
function columnHolding(values: Multiset, column: number, table: CsvTable): number {
  const sharedIn = (one: number) => intersection(values, valuesIn(table, [one])).size;
  if (sharedIn(column) === values.size) return column;
  const shared = [...Array(table.columns).keys()].map(sharedIn);
  const most = Math.max(...shared);
  return shared[column] === most ? column : shared.indexOf(most);
}

function valuesIn({ rows }: CsvTable, columns: readonly number[]): Multiset {
  return multiset(rows.map((row) => valuesOf(row, columns)));
}

function valuesOf(row: Row, columns: readonly number[]): Row {
  return columns.map((column) => row[column] ?? '');
}

/** The first 90 characters of a row, its cells joined by “ | ”, for a person to find it by. */
export function beginningOf(row: Row): string {
  const text = row.filter(Boolean).join(' | ').replace(/\s+/g, ' ');
  return text.length > maxBeginning ? `${text.slice(0, maxBeginning)}…` : text;
}

const maxBeginning = 90;

/* Exports that must add up, as data: so ranges are judged without knowing what any column shows. */

/** An export, and others that hold together with it the same events as further ones do, at least these, or at most. */
export interface Sum {
  readonly clauses: readonly JudgedClause[];
  /** What `own` is in messages, as a phrase: "a range that ends at midnight". */
  readonly what: string;
  /** Left out where there was nothing to ask for. */
  readonly own: CsvDownload | undefined;
  readonly beside?: CsvDownload | undefined;
  readonly is: '=' | '≥' | '≤';
  /** Without events where nothing is given; where one was refused, nothing is judged. */
  readonly of: readonly (CsvDownload | undefined)[];
  /** The events of `own` that are looked at; left out, all. */
  readonly among?: Multiset;
  /** The difference to report in place of the events that differ. @param count how many there are */
  readonly says?: ((count: number) => Difference) | undefined;
}

/** Judges the sums of a clause. @throws Violation where one lacks or adds events, Inconclusive where an export is no table */
export function judgeSums(
  clause: JudgedClause,
  sums: readonly Sum[],
  { columns }: Pick<Knowledge, 'columns'>,
): void {
  for (const { clauses, what, own, beside, is, of, among, says } of sums) {
    const others = [beside, ...of].flatMap((one) => one ?? []);
    if (!clauses.includes(clause) || own === undefined) continue;
    if (others.some(({ table }) => table === undefined)) continue;
    const all = events(own, columns);
    const held = among ? intersection(all, among) : all;
    const heldBy = (some: Sum['of']): Multiset =>
      some.flatMap((one) => (one ? events(one, columns) : [])).reduce(sum, multiset([]));
    const due = without(heldBy(of), heldBy([beside]));
    const differs = deviation(
      { least: is === '≤' ? held : due, most: is === '≥' ? held : due },
      held,
    );
    const count = differs.missing.length + differs.extra.length;
    if (count === 0) continue;
    const isPart = beside !== undefined && is !== '=';
    throw new Violation(
      says?.(count) ?? {
        ...eventsDifference(
          isPart ? `${what}, together with the one beside it` : what,
          own,
          differs,
          columns,
        ),
        ...(is !== '≤' && { of: due.size }),
        asked: filtersIn(own.query),
        ...(is === '≥' && { together: 'at least' }),
      },
      [own, ...others].map(({ answer }) => answer),
    );
  }
}
