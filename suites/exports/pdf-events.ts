import type { Row } from '../../helpers/csv/csv-form.ts';
import { keyOfRow } from '../../helpers/csv/multiset.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { type CsvDownload, type PdfDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import { Memory } from '../../helpers/memory.ts';
import { Inconclusive, Violation } from '../../helpers/outcomes.ts';
import { type EventMatch, matchEvents } from '../../helpers/pdf/match-events.ts';
import type { PdfReading } from '../../helpers/pdf/read-pdf.ts';
import type { EventsDifference } from '../../schemas/difference.ts';
import { isUuidShaped } from '../../schemas/identifier.ts';
import { ignoredFor } from './ignored-filters.ts';
import { beginningOf, commonIn, filtersIn, firstOf } from './relations.ts';

/** The CSV and the PDF of one query. */
export interface BothFiles {
  readonly csv: CsvDownload;
  readonly pdf: PdfDownload;
}

/** Both files of a query, which may be in a timezone or locale. */
export interface FilesInForm extends BothFiles {
  /** The CSV of the same events in UTC and without locale: that of the query itself where it is in no form. */
  readonly utc: CsvDownload;
}

/** Asks for both files, in the window. */
export async function asBothFiles(exports: Exports, query: ExportQuery): Promise<FilesInForm> {
  const { timezone: _timezone, locale: _locale, ...plain } = query;
  const [utc, csv, pdf] = await Promise.all([
    exports.within(plain),
    exports.within(query),
    exports.pdfWithin(query),
  ]);
  return bothFiles({ utc, csv, pdf });
}

/** Files of one query that were downloaded apart: where events moved meanwhile, the CSVs are those read beside the PDF. */
export function bothFiles({ utc, csv, pdf }: FilesInForm): FilesInForm {
  const besidePdf = (csv.beside ? csv : pdf.beside) ?? csv;
  return { csv: besidePdf, pdf, utc: csv.beside ?? pdf.beside ?? utc };
}

/** @throws Violation unless the file opens as a PDF */
export function expectOpens({ answer, flaw }: PdfDownload): void {
  if (answer.status !== 200) throw new Inconclusive(`The PDF export gave ${answer.status}.`);
  if (flaw === undefined) return;
  const limits = flaw.flaw === 'too big' || flaw.flaw === 'too slow';
  if (limits) throw new Inconclusive(flaw.message);
  throw new Violation(
    { kind: 'other', wrong: 'is no PDF that opens', of: flaw.flaw, actual: flaw.message },
    [answer],
  );
}

/** Some events of a CSV cannot be recognized in its PDF; all others are there. */
export class DoubtfulEvents extends Inconclusive {}

/**
 * @param plain files of another query: they show which columns a PDF prints where that in `files` shows none
 * @param asked what was asked for, in words; left out, the filters, and the form
 * @throws Violation where the PDF lacks events of the CSV, holds them more often, or holds others
 * @throws DoubtfulEvents where the PDF may lack events that cannot be recognized
 */
export function expectSameEventsInPdf(
  files: BothFiles,
  knowledge: Knowledge,
  plain = files,
  asked = [...zoneAndLocaleOf(files.pdf.query), ...filtersIn(files.pdf.query)],
): void {
  const { csv, pdf } = files;
  const { rows } = tableOf(csv);
  const match = matched(files, knowledge);
  const { missing, doubtful, surplus, columns } = match;
  if (missing.length === 0 && surplus === 0) {
    if (doubtful.length === 0) return;
    const example = beginningOf(rows[doubtful[0] ?? 0] ?? []);
    throw new DoubtfulEvents(
      `The PDF does not show whether it holds ${doubtful.length} of the ${rows.length} events of the CSV, such as [${example}].`,
      [pdf.answer, csv.answer],
    );
  }
  const printed = columns.length > 0 ? columns : matched(plain, knowledge).columns;
  const differs = pdfDifference(files, match, printed, knowledge);
  throw new Violation({ ...differs, asked }, [pdf.answer, csv.answer]);
}

/** How a PDF differs from its CSV. @param printed the columns of the CSV that the PDF prints, where a mark is looked for */
function pdfDifference(
  { csv, pdf }: BothFiles,
  match: EventMatch,
  printed: readonly number[],
  knowledge: Knowledge,
): EventsDifference {
  const { rows } = tableOf(csv);
  const { missing, surplus } = match;
  const excluded = excludedBy(csv.query, tableOf(csv), knowledge);
  const lost = missing.map((index) => rows[index] ?? []);
  const extra = match.excluded.map((index) => excluded[index] ?? []);
  const [repeated] = lost.length === 0 && extra.length === 0 ? match.repeated : [];
  const added = repeated === undefined ? extra : [rows[repeated] ?? []];
  const isExtra = lost.length === 0 && extra[0] !== undefined;
  const marked = isExtra ? [...rows, extra[0] ?? []] : rows;
  return {
    kind: 'events',
    when: 'the PDF, beside its CSV',
    fileType: 'pdf',
    missing: lost.length,
    extra: surplus,
    of: rows.length,
    ...firstOf(lost, added),
    ...commonIn(tableOf(csv), lost),
    ...perPage(missing, readingOf(pdf)),
    ...(lost.length === 0 && ignoredFor(extra, pdf.query, knowledge)),
    ...markOf(isExtra ? rows.length : (missing[0] ?? repeated), marked, printed),
    ...(repeated !== undefined && { isRepeated: true }),
  };
}

/** The timezone and the locale of a query, as “locale=de”; left out where the timezone is UTC, as in most queries. */
function zoneAndLocaleOf({ timezone, locale }: ExportQuery): string[] {
  return [
    ...(timezone === undefined || timezone === 'UTC' ? [] : [`timezone=${timezone}`]),
    ...(locale === undefined ? [] : [`locale=${locale}`]),
  ];
}

/** The fewest pages with which it is no coincidence that as many events are missing. */
const enoughPages = 3;

/** Whether each page, or each page break, seems to lose one event. `missing`: row numbers, in order. */
function perPage(
  missing: readonly number[],
  { pages }: PdfReading,
): Pick<EventsDifference, 'oneFor'> {
  const isApart = missing.every((index, place) => index !== (missing[place - 1] ?? -2) + 1);
  if (!isApart || pages.length < enoughPages) return {};
  if (missing.length === pages.length) return { oneFor: 'page' };
  return missing.length === pages.length - 1 ? { oneFor: 'page break' } : {};
}

/** A cell of a row, in a printed column, that no other row holds there: a UUID where there is one. {} where none is. */
function markOf(
  index: number | undefined,
  rows: readonly Row[],
  printed: readonly number[],
): { mark?: string } {
  if (index === undefined) return {};
  const cells = rows[index] ?? [];
  const isAlone = (column: number): boolean =>
    rows.every((row, other) => other === index || row[column] !== cells[column]);
  const isWord = (column: number): boolean => /^[\w.:+-]{8,}$/.test(cells[column] ?? '');
  const unique = printed.filter((column) => isWord(column) && isAlone(column));
  const column = unique.find((candidate) => isUuidShaped(cells[candidate] ?? '')) ?? unique[0];
  const mark = column === undefined ? undefined : cells[column];
  return mark === undefined ? {} : { mark };
}

/**
 * Where the CSV is empty: its PDF is compared with the PDF `empty` of a range that cannot hold events.
 * @throws Violation where the PDF is refused with 400, or holds much more text than `empty`
 */
export function expectNoEventsInPdf({ csv, pdf }: BothFiles, empty: PdfDownload): void {
  const isRefused = pdf.answer.status === 400;
  // Its title may list the parameters.
  if (!isRefused && textsIn(pdf) <= 2 * textsIn(empty) + 40) return;
  throw new Violation(
    isRefused ? 'refuses a PDF without events' : 'is a PDF with events where there are none',
    [pdf.answer, csv.answer],
  );
}

function textsIn(pdf: PdfDownload): number {
  return readingOf(pdf).pages.reduce((sum, { texts }) => sum + texts.length, 0);
}

const matches = new Memory<PdfReading, CsvTable, EventMatch>();

/** How the events of both files agree, found out once a pair. @throws Inconclusive where one of them cannot be read */
export function matched({ csv, pdf }: BothFiles, knowledge: Knowledge): EventMatch {
  const [table, reading] = [tableOf(csv), readingOf(pdf)];
  return matches.get(reading, table, () =>
    matchEvents(table.rows, reading, excludedBy(csv.query, table, knowledge)),
  );
}

/** The rows of the window that a query excludes; [] in another locale or timezone, where rows are written otherwise. */
function excludedBy(
  { locale, timezone }: ExportQuery,
  { rows }: CsvTable,
  { base, columns }: Knowledge,
): Row[] {
  if (locale !== undefined || timezone !== base.utc.timezone) return [];
  const selected = new Set(rows.map((row) => keyOfRow(row, columns.ignored)));
  return base.table.rows.filter((row) => !selected.has(keyOfRow(row, columns.ignored)));
}

/** @throws Inconclusive where there is no PDF that opens */
export function readingOf({ reading, answer }: PdfDownload): PdfReading {
  if (reading !== undefined) return reading;
  throw new Inconclusive(`There was no PDF to look into: the export gave ${answer.status}.`, [
    answer,
  ]);
}
