import type { Row } from '../../helpers/csv/csv-form.ts';
import { keyOfRow } from '../../helpers/csv/multiset.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { readDateColumn } from '../../helpers/dates/date-column.ts';
import { type CsvDownload, type PdfDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { describeQuery, type ExportQuery } from '../../helpers/exports/query.ts';
import { Inconclusive, NotJudged, Violation } from '../../helpers/outcomes.ts';
import { type EventMatch, matchEvents } from '../../helpers/pdf/match-events.ts';
import type { PdfReading } from '../../helpers/pdf/read-pdf.ts';

/** The same query as both files. */
export interface BothFiles {
  readonly csv: CsvDownload;
  readonly pdf: PdfDownload;
}

export async function asBothFiles(exports: Exports, query: ExportQuery): Promise<BothFiles> {
  const [csv, pdf] = await Promise.all([exports.within(query), exports.pdfWithin(query)]);
  return { csv, pdf };
}

/** @throws Violation unless the file opens as a PDF */
export function expectOpens({ answer, flaw }: PdfDownload): void {
  if (answer.status !== 200) throw new Inconclusive(`The PDF export gave ${answer.status}.`);
  if (flaw === undefined) return;
  const limits = flaw.flaw === 'too big' || flaw.flaw === 'too slow';
  if (limits) throw new Inconclusive(flaw.message);
  throw new Violation('the exported PDF', {
    expected: 'a PDF that opens',
    actual: `${flaw.flaw}: ${flaw.message}`,
    on: [answer],
  });
}

/**
 * @throws Violation where the PDF lacks events of the CSV, holds them more often, or holds others
 * @throws Inconclusive where it does not show which events it holds
 */
export function expectSameEventsInPdf({ csv, pdf }: BothFiles, knowledge: Knowledge): void {
  const { rows } = tableOf(csv);
  const { missing, doubtful, surplus, columns } = matched({ csv, pdf }, knowledge);
  if (missing.length === 0 && surplus === 0) {
    if (doubtful.length === 0) return;
    const example = shown(rows[doubtful[0] ?? 0]);
    throw new Inconclusive(
      `The PDF does not show whether it holds ${doubtful.length} of the ${rows.length} events of the CSV, such as [${example}].`,
      [pdf.answer, csv.answer],
    );
  }
  const [first] = missing;
  const lost =
    first === undefined ? [] : [`${missing.length} missing, first [${shown(rows[first])}]`];
  const added = surplus === 0 ? [] : [`${surplus} more than the CSV`];
  throw new Violation(`the PDF of the same query (${describeQuery(pdf.query)})`, {
    expected: `the ${rows.length} events of the CSV, and no other`,
    actual: columns.length === 0 ? 'none of them' : [...lost, ...added].join('; '),
    on: [pdf.answer, csv.answer],
  });
}

/**
 * The dates that a PDF prints move with the timezone as those of the CSV do.
 *
 * @param plain without the timezone
 * @throws Violation where a PDF showed a column of dates, and in the timezone shows it as without
 */
export function expectDatesInZone(plain: BothFiles, zoned: BothFiles, knowledge: Knowledge): void {
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
  throw new Violation(`the dates of a PDF in the timezone ${zoned.pdf.query.timezone}`, {
    expected: `${after.rows[0]?.[lost]}, as the CSV of the same query shows`,
    actual: `${before.rows[0]?.[lost]}, as without the timezone`,
    on: [zoned.pdf.answer, zoned.csv.answer],
  });
}

/** How many texts a PDF without events can hold more than another one: its title may list what was asked for. */
const textsOfTitles = 40;

/**
 * An empty CSV does not show what events look like: the PDF of the same query holds not much more text than one that
 * cannot hold any.
 *
 * @throws Violation where it does
 */
export function expectNoEventsInPdf({ csv, pdf }: BothFiles, empty: PdfDownload): void {
  const isLarge = pdf.answer.status === 400;
  if (!isLarge && textsOf(readingOf(pdf)) <= 2 * textsOf(readingOf(empty)) + textsOfTitles) return;
  throw new Violation('the PDF of a query of which the CSV is empty', {
    expected: 'no events',
    actual: isLarge ? '400, as for too many' : 'a text of many lines',
    on: [pdf.answer, csv.answer],
  });
}

function textsOf({ pages }: PdfReading): number {
  return pages.reduce((sum, { texts }) => sum + texts.length, 0);
}

const matches = new WeakMap<PdfReading, Map<CsvTable, EventMatch>>();

/** How both files agree, looked for once. @throws Inconclusive where one of them cannot be read */
export function matched({ csv, pdf }: BothFiles, knowledge: Knowledge): EventMatch {
  const [table, reading] = [tableOf(csv), readingOf(pdf)];
  const known = matches.get(reading) ?? new Map<CsvTable, EventMatch>();
  matches.set(reading, known);
  const match =
    known.get(table) ?? matchEvents(table.rows, reading, excludedBy(pdf.query, table, knowledge));
  known.set(table, match);
  return match;
}

/** The events of the window that a query excludes, where their rows are written as those of its CSV. */
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
  throw new Inconclusive(`No PDF to look into: ${answer.status}.`);
}

function shown(row: readonly string[] | undefined): string {
  return (row ?? []).filter(Boolean).join(' | ').replace(/\s+/g, ' ').slice(0, 90);
}
