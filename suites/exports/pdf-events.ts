import type { Row } from '../../helpers/csv/csv-form.ts';
import { keyOfRow } from '../../helpers/csv/multiset.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { readDateColumn, timeText } from '../../helpers/dates/read-date.ts';
import { utcOf, type WallTime, wallTimeIn } from '../../helpers/dates/time-zones.ts';
import { datesOf } from '../../helpers/exports/columns.ts';
import { type CsvDownload, type PdfDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import { Memory } from '../../helpers/memory.ts';
import { Inconclusive, NotJudged, Violation } from '../../helpers/outcomes.ts';
import { type EventMatch, matchEvents } from '../../helpers/pdf/match-events.ts';
import { type DateForm, dateForms, findDates } from '../../helpers/pdf/printed-dates.ts';
import type { PdfReading } from '../../helpers/pdf/read-pdf.ts';
import type { EventsDifference } from '../../schemas/difference.ts';
import { isUuidShaped } from '../../schemas/identifier.ts';
import { ignoredFor } from './ignored-filters.ts';
import { beginningOf, commonIn, filtersIn, firstOf } from './relations.ts';
import { expectDatesInZone, movedBy, type Zoned } from './timezone.ts';

/** The CSV and the PDF of one query. */
export interface BothFiles {
  readonly csv: CsvDownload;
  readonly pdf: PdfDownload;
}

/** Asks for both files, in the window. Where events moved meanwhile, the CSV is the one read beside the PDF. */
export async function asBothFiles(exports: Exports, query: ExportQuery): Promise<BothFiles> {
  const [csv, pdf] = await Promise.all([exports.within(query), exports.pdfWithin(query)]);
  return { csv: (csv.beside ? csv : pdf.beside) ?? csv, pdf };
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
 * @throws Violation where the PDF lacks events of the CSV, holds them more often, or holds others
 * @throws DoubtfulEvents where the PDF may lack events that cannot be recognized
 */
export function expectSameEventsInPdf(files: BothFiles, knowledge: Knowledge, plain = files): void {
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
  throw new Violation(pdfDifference(files, match, printed, knowledge), [pdf.answer, csv.answer]);
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
    asked: [...formOf(pdf.query), ...filtersIn(pdf.query)],
    ...firstOf(lost, added),
    ...commonIn(tableOf(csv), lost),
    ...perPage(missing, readingOf(pdf)),
    ...(lost.length === 0 && ignoredFor(extra, pdf.query, knowledge)),
    ...markOf(isExtra ? rows.length : (missing[0] ?? repeated), marked, printed),
    ...(repeated !== undefined && { isRepeated: true }),
  };
}

/** The timezone and the locale of a query, as “locale=de”; left out where the timezone is UTC, as in most queries. */
function formOf({ timezone, locale }: ExportQuery): string[] {
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

/** The CSV of a query in UTC, and both files of the query in a timezone. */
export interface ZonedFiles extends Zoned, BothFiles {}

/** Asks for a query in the window in UTC, and in a timezone as both files. */
export async function inTimezone(
  exports: Exports,
  query: ExportQuery,
  zone: string,
): Promise<ZonedFiles> {
  const [utc, files] = await Promise.all([
    exports.within(query),
    asBothFiles(exports, { ...query, timezone: zone }),
  ]);
  return { utc: files.csv.beside ?? utc, zone, ...files };
}

/**
 * Judges that the PDF in a timezone prints the local times of its events.
 * @param plain the same query without the timezone: its PDF shows how dates are printed
 * @throws Violation where the PDF prints other dates in their place
 * @throws NotJudged where the PDF prints no dates that the CSV shows
 */
export function expectLocalDatesInPdf(
  plain: BothFiles,
  zoned: ZonedFiles,
  knowledge: Knowledge,
): void {
  if (!printsLocalTimes(zoned, formsIn(plain, knowledge), knowledge)) {
    expectMovedDates(plain, zoned, knowledge);
  }
}

/**
 * Whether a PDF surely prints the local times of its events; false where it is not clear which times it prints.
 * @param forms how the PDF may print dates
 * @throws Violation where it surely prints other times
 */
export function printsLocalTimes(
  { utc, zone, pdf }: ZonedFiles,
  forms: readonly DateForm[],
  knowledge: Knowledge,
): boolean {
  const instants = datesInUtc(utc, knowledge)?.map(utcOf);
  const local = instants?.map((at) => wallTimeIn(zone, at));
  const found = local && findDates(local, readingOf(pdf), forms);
  if (found?.kind !== 'wrong') return found?.kind === 'right';
  const [expected, actual] = [localText(found.expected), localText(found.actual)];
  throw new Violation(
    {
      kind: 'dates',
      timezone: zone,
      fileType: 'pdf',
      expected,
      actual,
      ...movedBy(found, instants?.[local?.indexOf(found.expected) ?? -1]),
    },
    [pdf.answer, utc.answer],
  );
}

/** A local time as text for people, in the same form whatever form the PDF prints. */
function localText(time: WallTime): string {
  return timeText(time, time.millisecond === 0 ? 's' : 'ms');
}

/**
 * Judges that a timezone does not change which events a PDF holds.
 * @throws Violation where the PDF in the timezone does not hold the events of its CSV
 * @throws Inconclusive where its dates are wrong too: events may not be recognized for that reason
 */
export function expectSameEventsInZonedPdf(
  plain: BothFiles,
  zoned: ZonedFiles,
  knowledge: Knowledge,
): void {
  try {
    expectSameEventsInPdf(zoned, knowledge, plain);
  } catch (error) {
    if (error instanceof Violation) requireLocalDates(zoned, formsIn(plain, knowledge), knowledge);
    throw error;
  }
}

/** @throws Inconclusive where the CSV or the PDF shows other dates than local times, which has a clause of its own */
function requireLocalDates(
  zoned: ZonedFiles,
  forms: readonly DateForm[],
  knowledge: Knowledge,
): void {
  try {
    // Only times that are surely wrong matter here: these throw.
    printsLocalTimes(zoned, forms, knowledge);
    expectDatesInZone(zoned, knowledge);
  } catch (error) {
    if (error instanceof Inconclusive || error instanceof NotJudged) return;
    if (!(error instanceof Violation)) throw error;
    throw new Inconclusive(
      'The PDF, or its CSV, shows other dates than the local ones: that is export.timezone-formats-the-dates.',
      [zoned.pdf.answer, zoned.csv.answer],
    );
  }
}

const forms = new Memory<PdfReading, string, readonly DateForm[]>();

/** The ways in which a PDF may print dates, looked for once a file; [] where the dates of its events are not known. */
export function formsIn({ csv, pdf }: BothFiles, knowledge: Knowledge): readonly DateForm[] {
  const written = datesInUtc(csv, knowledge);
  if (written === undefined) return [];
  const reading = readingOf(pdf);
  return forms.get(reading, written.map(utcOf).join(), () => dateForms(written, reading));
}

/** The dates of the events of a CSV in UTC; undefined where no column of dates is known, or it shows days alone. */
function datesInUtc(csv: CsvDownload, { columns }: Knowledge): WallTime[] | undefined {
  const dates = columns.dates && datesOf(tableOf(csv), columns.dates);
  if (dates === undefined || dates.precision === 'day') return undefined;
  return dates.instants.map((at) => wallTimeIn('UTC', at));
}

/** For PDFs whose way to write dates is unknown. @throws Violation where the one in a timezone prints dates in UTC */
function expectMovedDates(plain: BothFiles, zoned: ZonedFiles, knowledge: Knowledge): void {
  const [before, after] = [tableOf(plain.csv), tableOf(zoned.csv)];
  const printed = matched(plain, knowledge).columns;
  const stillPrinted = matched(zoned, knowledge).columns;
  const dates = printed.filter((column) => {
    const [cells, moved] = [before, after].map(({ rows }) => rows.map((row) => row[column] ?? ''));
    const areDates = [cells, moved].every((texts) => readDateColumn(texts ?? []).length > 0);
    return areDates && cells?.join() !== moved?.join();
  });
  if (dates.length === 0) throw new NotJudged('The PDF shows no dates of the CSV.');
  const lost = dates.find((column) => !stillPrinted.includes(column));
  if (lost === undefined) return;
  const unmoved = matchEvents(before.rows, readingOf(zoned.pdf)).columns;
  if (!unmoved.includes(lost)) {
    throw new Inconclusive('The dates of the PDF were not recognized.', [zoned.pdf.answer]);
  }
  throw new Violation(
    {
      kind: 'dates',
      timezone: zoned.zone,
      fileType: 'pdf',
      expected: after.rows[0]?.[lost] ?? '',
      actual: before.rows[0]?.[lost] ?? '',
    },
    [zoned.pdf.answer, zoned.csv.answer],
  );
}

/**
 * Where the CSV is empty: its PDF is compared with the PDF `empty` of a range that cannot hold events.
 * @throws Violation where the PDF is refused with 400, or holds much more text than `empty`
 */
export function expectNoEventsInPdf({ csv, pdf }: BothFiles, empty: PdfDownload): void {
  const isRefused = pdf.answer.status === 400;
  if (!isRefused && textsOf(readingOf(pdf)) <= mostTextsOf(readingOf(empty))) return;
  throw new Violation(
    isRefused ? 'refuses a PDF without events' : 'is a PDF with events where there are none',
    [pdf.answer, csv.answer],
  );
}

/** How many texts a PDF without events may hold, by another one: its title may list the parameters. */
function mostTextsOf(empty: PdfReading): number {
  return 2 * textsOf(empty) + 40;
}

function textsOf({ pages }: PdfReading): number {
  return pages.reduce((sum, { texts }) => sum + texts.length, 0);
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
function readingOf({ reading, answer }: PdfDownload): PdfReading {
  if (reading !== undefined) return reading;
  throw new Inconclusive(`There was no PDF to look into: the export gave ${answer.status}.`, [
    answer,
  ]);
}
