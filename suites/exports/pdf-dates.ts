import { readDateColumn } from '../../helpers/dates/read-date.ts';
import { utcOf } from '../../helpers/dates/time-zones.ts';
import { tableOf } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { Memory } from '../../helpers/memory.ts';
import { Inconclusive, NothingSeen, NotJudged, Violation } from '../../helpers/outcomes.ts';
import { matchEvents } from '../../helpers/pdf/match-events.ts';
import { type DateForm, dateForms, findDates } from '../../helpers/pdf/printed-dates.ts';
import type { PdfReading } from '../../helpers/pdf/read-pdf.ts';
import { violationOf } from '../expectations.ts';
import {
  type BothFiles,
  expectSameEventsInPdf,
  type FilesInForm,
  matched,
  readingOf,
} from './pdf-events.ts';
import { expectDatesInZone, localTimes, otherDates, wrongTime } from './timezone.ts';

/*
 * PDFs in a timezone or locale. How a PDF writes dates is learned from the plain files of a query (`plain`): its PDF, and
 * its CSV, which shows the dates.
 */

const forms = new Memory<PdfReading, string, readonly DateForm[]>();

/** The ways in which a PDF may print dates, looked for once a file; [] where the dates of its events are not known. */
function formsIn({ csv, pdf }: BothFiles, knowledge: Knowledge): readonly DateForm[] {
  const written = localTimes('UTC', csv, knowledge)?.times;
  if (written === undefined) return [];
  const reading = readingOf(pdf);
  return forms.get(reading, written.map(utcOf).join(), () => dateForms(written, reading));
}

/** Whether a PDF surely prints the local times of its events. @throws Violation where it surely prints other times */
function printsLocalTimes(plain: FilesInForm, zoned: FilesInForm, knowledge: Knowledge): boolean {
  const due = localTimes(zoneOf(zoned), zoned.utc, knowledge);
  const found = due && findDates(due.times, readingOf(zoned.pdf), formsIn(plain, knowledge));
  if (due === undefined || found?.kind !== 'wrong') return found?.kind === 'right';
  throw otherDates(due, zoned.pdf, wrongTime(due, found));
}

/**
 * Judges that the PDF in a timezone prints the local times of its events.
 * @throws Violation where the PDF prints other dates in their place
 * @throws NotJudged where the PDF prints no dates that the CSV shows
 */
export function expectLocalDatesInPdf(
  plain: FilesInForm,
  zoned: FilesInForm,
  knowledge: Knowledge,
): void {
  if (printsLocalTimes(plain, zoned, knowledge)) return;
  // The way in which the PDF writes dates is unknown: then its columns tell whether they are still those in UTC.
  const [before, after] = [tableOf(zoned.utc), tableOf(zoned.csv)];
  const stillPrinted = matched(zoned, knowledge).columns;
  const dates = matched(plain, knowledge).columns.filter((column) => {
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
  const [expected = '', actual = ''] = [after, before].map(({ rows }) => rows[0]?.[lost]);
  throw new Violation(
    { kind: 'dates', timezone: zoneOf(zoned), fileType: 'pdf', expected, actual },
    [zoned.pdf.answer, zoned.csv.answer],
  );
}

/** The same where how dates are written may not be known: what is not surely wrong or right is not judged. */
export function expectNoOtherDatesInPdf(...files: Parameters<typeof expectLocalDatesInPdf>): void {
  try {
    expectLocalDatesInPdf(...files);
  } catch (error) {
    throw error instanceof Inconclusive ? new NothingSeen() : error;
  }
}

/**
 * Judges that the PDF of a query in a timezone or locale holds the events of its CSV.
 * @throws NothingSeen where the plain PDF lacks events: of that is a clause
 * @throws Inconclusive where its dates are wrong too: events may not be recognized for that reason
 */
export function expectSameEventsInForm(
  plain: FilesInForm,
  inForm: FilesInForm,
  knowledge: Knowledge,
  asked?: string[],
): void {
  try {
    expectSameEventsInPdf(plain, knowledge);
  } catch (error) {
    throw error instanceof Violation ? new NothingSeen() : error;
  }
  try {
    expectSameEventsInPdf(inForm, knowledge, plain, asked);
  } catch (error) {
    if (!(error instanceof Violation) || !showsOtherDates(plain, inForm, knowledge)) throw error;
    throw new Inconclusive(
      'The PDF, or its CSV, shows other dates than the local ones: that is export.timezone-formats-the-dates.',
      [inForm.pdf.answer, inForm.csv.answer],
    );
  }
}

/** Whether the CSV or the PDF surely shows other dates than local times. */
function showsOtherDates(plain: FilesInForm, zoned: FilesInForm, knowledge: Knowledge): boolean {
  const judges = [
    () => void printsLocalTimes(plain, zoned, knowledge),
    () => expectDatesInZone({ ...zoned, zone: zoneOf(zoned) }, knowledge),
  ];
  return judges.some((judge) => violationOf(judge) !== undefined);
}

function zoneOf({ csv }: BothFiles): string {
  return csv.query.timezone ?? 'UTC';
}
