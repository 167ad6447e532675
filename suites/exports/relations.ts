import { createHash } from 'node:crypto';
import type { Row } from '../../helpers/csv/csv-form.ts';
import {
  type Bounds,
  deviation,
  difference,
  exactly,
  isSame,
  keyOfRow,
  type Multiset,
  multiset,
} from '../../helpers/csv/multiset.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { eventsOf, type KnownColumns } from '../../helpers/exports/columns.ts';
import { type CsvDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { Inconclusive, NotConfigured, Violation } from '../../helpers/outcomes.ts';
import type { EventsDifference } from '../../schemas/difference.ts';
import { isUuidShaped } from '../../schemas/identifier.ts';
import { unlikeStatus } from '../expectations.ts';

/** For clauses that cannot be judged without events. */
export function noEvents(): NotConfigured {
  return new NotConfigured('EXPORT_RANGE_START', 'a window that holds events; none were found');
}

/**
 * For clauses that cannot be judged without values of filters.
 * @param what is missing, as a phrase
 */
export function noValues(
  what: string,
  { filters: { unclear } }: Pick<Knowledge, 'filters'>,
): NotConfigured | Inconclusive {
  if (unclear === undefined) return new NotConfigured('EXPORT_FILTER_VALUES', what);
  const { answer } = unclear;
  const why = `${answer.request} gave events that the export of the whole window does not hold.`;
  return new Inconclusive(why, [answer]);
}

type Ignored = Pick<KnownColumns, 'ignored'>;

/** The events of a download. @throws Inconclusive where it holds no table */
export function events(download: CsvDownload, { ignored }: Ignored): Multiset {
  return eventsOf(tableOf(download), ignored);
}

/** Answers that say nothing about what was asked for: that the key is not accepted, or that there was too much to do. */
const saysNothing = [401, 429, 503];

/** @throws Violation where the request is refused, or fails, although the document allows it */
export function expectServed(what: string, { answer }: Pick<CsvDownload, 'answer'>): void {
  if (answer.status < 400 || saysNothing.includes(answer.status)) return;
  throw unlikeStatus(what, '200', answer);
}

/** What an export is compared with, and why it differs. */
export interface Comparison {
  /** The exports that what is expected was taken from; that is left out where it is in none. */
  readonly on?: readonly Answer[];
  /** Left out where just what any of them keeps is expected. */
  readonly together?: EventsDifference['together'];
  /** A value that the events show in the export of all, where they are known by that. */
  readonly shownIn?: { readonly value: string; readonly all: CsvDownload };
  readonly why?: () => Pick<
    EventsDifference,
    'ignored' | 'beside' | 'isAnyOf' | 'lostValues' | 'common' | 'alike'
  >;
}

/** @throws Violation unless the download holds exactly these events, in whatever order */
export function expectEvents(
  what: string,
  expected: Multiset,
  download: CsvDownload,
  columns: Ignored,
  comparison?: Comparison,
): void {
  expectWithin(what, exactly(expected), download, columns, comparison);
}

/** @throws Violation unless the download holds all events that it must, and none beyond those that it may */
export function expectWithin(
  what: string,
  bounds: Bounds,
  download: CsvDownload,
  columns: Ignored,
  { on = [], together, shownIn, why }: Comparison = {},
): void {
  const actual = events(download, columns);
  const { missing, extra } = deviation(bounds, actual);
  if (missing.length === 0 && extra.length === 0) return;
  const isAtLeast = bounds.least.size < bounds.most.size;
  const how = together ?? (isAtLeast ? 'at least' : undefined);
  throw new Violation(
    {
      ...eventsDifference(what, download, { missing, extra }, columns),
      of: bounds.least.size,
      asked: filtersIn(download.query),
      ...(shownIn && missing.length > 0 && extra.length === 0 && { shown: shownIn.value }),
      ...why?.(),
      ...(how && { together: how }),
    },
    [download.answer, ...on, ...(shownIn === undefined ? [] : [shownIn.all.answer])],
  );
}

/** The filters of a query, and which of them it gives more than one value. */
export function filtersIn({ filters = {} }: Pick<ExportQuery, 'filters'>): string[] {
  return Object.entries(filters).map(([filter, values]) =>
    values.length > 1 ? `several values of ${filter}` : filter,
  );
}

/** How many rows hold a text, in whatever cell. */
export function rowsHolding(text: string, { rows }: CsvTable): number {
  return rows.filter((row) => row.some((cell) => cell.includes(text))).length;
}

/** So many rows tell whether two violations are about the same ones. */
const maxRows = 20;

/** How an export differs from what it should hold, as values. */
export function eventsDifference(
  when: string,
  { query, table }: Pick<CsvDownload, 'query' | 'table'>,
  { missing, extra }: { readonly missing: readonly Row[]; readonly extra: readonly Row[] },
  { ignored }: Ignored,
): EventsDifference {
  const rows = [...missing, ...extra].map((row) => digest(keyOfRow(row, ignored))).sort();
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

/** The first row that is missing, and the first too many. */
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

/** So many events, and so many others, show what they have in common that those have not. */
const enoughToShow = 3;

/** What events of a table show in a column, and no other event of it. */
export function commonIn(
  { headings, rows }: Pick<CsvTable, 'headings' | 'rows'>,
  some: readonly Row[],
): Pick<EventsDifference, 'common'> {
  const keys = new Set(some.map(wholeKey));
  return commonTo(some, { headings, rows: rows.filter((row) => !keys.has(wholeKey(row))) });
}

function wholeKey(row: Row): string {
  return keyOfRow(row, new Set());
}

/** What all of some events show in a column, and none of the others: by that, it seems, they are lost, or come too. */
function commonTo(
  some: readonly Row[],
  { headings, rows }: Pick<CsvTable, 'headings' | 'rows'>,
): Pick<EventsDifference, 'common'> {
  const [first] = some;
  if (first === undefined || some.length < enoughToShow || rows.length < enoughToShow) return {};
  const column = first.findIndex(
    (value, index) =>
      some.every((row) => row[index] === value) && rows.every((row) => row[index] !== value),
  );
  const [heading, value] = [headings?.[column], first[column]];
  return heading === undefined || value === undefined ? {} : { common: { heading, value } };
}

/** What a row is known again by: a report is not to hold more of what a target stores than it shows. */
function digest(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 12);
}

/**
 * Two exports hold the same events although they may be written differently: as many, and with the same values in the
 * columns of ids, which no locale and no timezone changes.
 *
 * @throws Violation where they do not
 */
export function expectSameEvents(
  what: string,
  one: CsvDownload,
  other: CsvDownload,
  { ignored, dates }: KnownColumns,
): void {
  const [a, b] = [tableOf(one), tableOf(other)];
  const ids = Array.from({ length: a.columns }, (_, column) => column).filter(
    (column) => !dates?.columns.includes(column) && !ignored.has(column) && holdsIds(a, column),
  );
  const differs = ids.find((column) => !isSame(valuesIn(a, [column]), valuesIn(b, [column])));
  if (a.count === b.count && differs === undefined) return;
  const { missing, extra } = difference(valuesIn(a, ids), valuesIn(b, ids));
  const isById = ids.length > 0 && missing.length - extra.length === a.count - b.count;
  const lost = isById ? missing.length : Math.max(0, a.count - b.count);
  const added = isById ? extra.length : Math.max(0, b.count - a.count);
  const isOfOne = (id: string): boolean =>
    id !== '' && rowsHolding(id, a) === 1 && rowsHolding(id, b) === 0;
  const mark = isById ? missing[0]?.find(isOfOne) : undefined;
  const keys = new Set(missing.map(wholeKey));
  const lostRows = a.rows.filter((row) => keys.has(wholeKey(valuesOf(row, ids))));
  const common = isById ? commonIn(a, lostRows) : {};
  throw new Violation(
    {
      kind: 'events',
      when: what,
      fileType: 'csv',
      missing: lost,
      extra: added,
      of: a.count,
      asked: filtersIn(other.query),
      ...(isById && firstOf(missing, extra)),
      ...(mark !== undefined && { mark }),
      ...common,
    },
    [other.answer, one.answer],
  );
}

function holdsIds({ rows }: CsvTable, column: number): boolean {
  const values = rows.map((row) => row[column] ?? '').filter((value) => value !== '');
  return values.length > 0 && values.every(isUuidShaped);
}

function valuesIn({ rows }: CsvTable, columns: readonly number[]): Multiset {
  return multiset(rows.map((row) => valuesOf(row, columns)));
}

function valuesOf(row: Row, columns: readonly number[]): Row {
  return columns.map((column) => row[column] ?? '');
}

/** The beginning of a row, for a person to find it by. */
export function beginningOf(row: Row): string {
  const text = row.filter(Boolean).join(' | ').replace(/\s+/g, ' ');
  return text.length > maxBeginning ? `${text.slice(0, maxBeginning)}…` : text;
}

const maxBeginning = 90;
