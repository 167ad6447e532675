import { isDeepStrictEqual } from 'node:util';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { dateCell, datesIn, type KnownTimes } from '../../helpers/exports/columns.ts';
import type { KnownFilters, KnownPlace } from '../../helpers/exports/known-filters.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { Filter } from '../../helpers/exports/query.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import type { Observation } from '../../schemas/observations.ts';
import { publicName } from '../shapes.ts';
import { namedLists } from './filter-levels.ts';

/** The content type in lower case, with sorted parameters: “text/csv; charset=utf-8”. Empty where it was refused. */
export function contentType(answer: Answer): (string | null)[] {
  if (answer.status !== 200) return [];
  const parts = answer.header('content-type')?.toLowerCase().split(';') ?? [];
  const [type, ...parameters] = parts.map((part) => part.trim());
  return [type === undefined ? null : [type, ...parameters.sort()].join('; ')];
}

/** The Content-Disposition of a file; what changes from run to run stands as <n> (digits) and <id>. */
export function fileName(of: 'csv' | 'pdf', answer: Answer): Observation<'export.file-name'>[] {
  if (answer.status !== 200) return [];
  const disposition = answer.header('content-disposition')?.replace(uuids, '<id>');
  const contentDisposition = disposition?.replace(/(?<!utf-)\d+/gi, '<n>') ?? null;
  return [{ of, contentDisposition }];
}

const uuids = /[0-9a-f]{8}-[0-9a-f-]{27}/gi;

/** The headings in their order; in a CSV without headings, how many columns there are. */
export function csvColumns(table: CsvTable): Observation<'export.csv-columns'>[] {
  const { headings, columns: columnsWithoutHeadings } = table;
  return [headings === null ? { columnsWithoutHeadings } : { headings: headings.map(publicName) }];
}

/** Delimiter, encoding, line ends, quoting, headings, and what stands around the table. */
export function csvForm(table: CsvTable): Observation<'export.csv-form'>[] {
  const { delimiter, bom, lineEnd, quoting, headings, titleLines, endsLastLine } = table;
  const { footerLines, separatorLine, encoding } = table;
  return [
    ...(delimiter === null ? [] : [{ delimiter }]),
    { lineEnd },
    { endsLastLine },
    { byteOrderMark: bom },
    { quotes: quoting === 'all' ? 'around every cell' : 'where needed' },
    { headings: headings !== null },
    { titleLines: titleLines.length },
    { footerLines: footerLines.length },
    { separatorLine },
    { encoding },
  ];
}

const maxPatterns = 10;

/** How the column of times is written, as patterns: “3 May 2026” and “12 June 2026” are both “9 a 9999”. */
export function dateStyle(
  table: CsvTable,
  times: KnownTimes | undefined,
): Observation<'export.date-style'>[] {
  if (table.count === 0) return [];
  const order = times && datesIn(table, times.columns)[0]?.style;
  if (times === undefined || order === undefined) return ['not readable'];
  const patterns = table.rows.map((row) =>
    dateCell(row, times.columns)
      .replace(/\d+/g, ({ length }) => '9'.repeat(length === 2 ? 1 : length))
      .replace(/\p{L}[\p{L}\p{M}]*/gu, 'a'),
  );
  return [...new Set(patterns)]
    .sort()
    .slice(0, maxPatterns)
    .map((pattern) => ({ order, pattern }));
}

/** Whether rows are sorted by time, and whether a second export of the window has them in the same order. */
export function orderOf(knowledge: Knowledge): Observation<'export.order-of-events'>[] {
  if (knowledge.base.table.count < 2) return [];
  return [
    { byTime: orderByTime(knowledge.columns.times) },
    { again: isSameOrder(knowledge) ? 'the same' : 'another' },
  ];
}

function orderByTime(times: KnownTimes | undefined) {
  if (times === undefined) return 'not known';
  const { instants } = times;
  const rises = instants.every((at, index) => index === 0 || (instants[index - 1] ?? 0) <= at);
  const falls = instants.every((at, index) => index === 0 || (instants[index - 1] ?? 0) >= at);
  return rises ? 'oldest first' : falls ? 'newest first' : 'neither';
}

/** Whether both exports of the window have the same order, seen in the first column in which events differ. */
function isSameOrder({ base: { table, again }, columns: { ignored } }: Knowledge): boolean {
  const [first] = table.rows;
  const distinctive = first?.findIndex(
    (cell, column) => !ignored.has(column) && table.rows.some((row) => row[column] !== cell),
  );
  const order = (csv: CsvTable | undefined) => csv?.rows.map((row) => row[distinctive ?? 0]);
  return distinctive === -1 || isDeepStrictEqual(order(table), order(again.table));
}

/** What rows show of their events: `time`, and each filter whose values are shown; [null] where nothing is known. */
export function eventFields({
  columns,
  filters,
  base,
}: Knowledge): Observation<'audit.event-fields'>[] {
  if (base.table.count === 0) return [];
  const shown = [...filters.known.keys()].filter((filter) => readerOf(filter, filters));
  if (columns.times !== undefined) return ['time', ...shown];
  return shown.length === 0 ? [null] : shown;
}

/** Reads the value of a filter from a row; undefined where no place shows it, or only as part of a text. */
export function readerOf(filter: Filter, { known }: KnownFilters): KnownPlace['read'] | undefined {
  const shown = known.get(filter)?.shown;
  return shown?.kind === 'text' ? undefined : shown?.read;
}

/** A value of one of these filters, as an observation. */
export type Classified = Extract<Observation<'audit.classification-values'>, { filter: string }>;

const maxValues = 40;

/** The types, subtypes and sources that rows of the window show, sorted; none of a filter that no place shows. */
export function classificationValues({ filters, base }: Knowledge): Classified[] {
  return namedLists.flatMap((filter) => {
    const read = readerOf(filter, filters);
    if (read === undefined) return [];
    const values = new Set(base.table.rows.map((row) => publicName(read(row) ?? '')));
    return [...values]
      .sort()
      .slice(0, maxValues)
      .map((value) => ({ of: 'any event' as const, filter, value }));
  });
}
