import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { readDateColumn } from '../../helpers/dates/date-column.ts';
import { utcOf, wallTimeIn } from '../../helpers/dates/time-zones.ts';
import { datesOf, type KnownTimes } from '../../helpers/exports/columns.ts';
import type { CsvDownload, PdfDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { TimeRange } from '../../helpers/exports/window.ts';
import { NothingSeen, Violation } from '../../helpers/outcomes.ts';
import { type DateForm, findOtherYear } from '../../helpers/pdf/printed-dates.ts';
import { scenario } from '../../runner/scenario.ts';
import { csvAnswerJudges } from './answers.ts';
import { asBothFiles, formsIn } from './pdf-events.ts';

/*
 * The days about a New Year, whose year is not that of their week: programs that write dates have letters for both.
 */

interface AboutNewYear {
  readonly times: KnownTimes | undefined;
  readonly range: TimeRange;
  readonly download: CsvDownload;
  readonly inPdf: InPdf | undefined;
}

/** The events next to the New Year. */
interface InPdf {
  readonly instants: readonly number[];
  readonly pdf: PdfDownload;
  readonly forms: readonly DateForm[];
}

const aboutNewYear = scenario({
  name: 'dates about a New Year have the year of their day',
  async act({ exports, now }): Promise<AboutNewYear> {
    const knowledge = await exports.knowledge();
    const { times } = knowledge.columns;
    const range = lastNewYear(now());
    const download = await exports.anytime(range);
    const instants = (times && download.table && datesOf(download.table, times)?.instants) ?? [];
    const inPdf = await nextToNewYear(instants, range, exports, knowledge);
    return { times, range, download, inPdf };
  },
  judges: {
    'export.timezone-formats-the-dates': ({ times, range, download, inPdf }) => {
      const { table } = download;
      if (!table?.count) throw new NothingSeen();
      // A column whose dates are wrong about a New Year is none that the time of events is learned from.
      const dates =
        times === undefined
          ? datesWithOtherYears(table, range)
          : { columns: times.columns, instants: datesOf(table, times)?.instants ?? [] };
      if (dates === undefined) throw new NothingSeen();
      const { instants } = dates;
      // Less than a year is a matter of zones and of columns.
      const far = instants.findIndex(
        (at) => at < range.start - halfYear || at > range.end + halfYear,
      );
      if (far < 0) {
        if (inPdf !== undefined) expectOwnYears(inPdf, download);
        return;
      }
      throw new Violation(
        {
          kind: 'other',
          wrong: 'shows dates of another year',
          expected: `dates from ${day(range.start)} to ${day(range.end)}`,
          actual: day(instants[far] ?? 0),
        },
        [download.answer],
      );
    },
    ...csvAnswerJudges(({ download }: AboutNewYear) => [download.answer]),
  },
});

/** So many dates that are right but for the year of some are no chance. */
const enoughDates = 8;

/**
 * A column whose dates are those of the days about a New Year, though some of them in the year before or after; undefined
 * where there is none.
 */
export function datesWithOtherYears(
  { rows }: Pick<CsvTable, 'rows'>,
  { start, end }: TimeRange,
): { readonly columns: readonly number[]; readonly instants: readonly number[] } | undefined {
  const isNear = (at: number): boolean => at >= start - dayMs && at <= end + dayMs;
  const inYear = (at: number, years: number): number => {
    const date = new Date(at);
    return date.setUTCFullYear(date.getUTCFullYear() + years);
  };
  if (rows.length < enoughDates) return undefined;
  for (const column of (rows[0] ?? []).keys()) {
    const styles = readDateColumn(rows.map((row) => row[column] ?? ''));
    const found = styles.find(
      ({ instants }) =>
        instants.some(isNear) &&
        instants.every((at) => [0, 1, -1].some((years) => isNear(inYear(at, years)))),
    );
    if (found !== undefined) return { columns: [column], instants: found.instants };
  }
  return undefined;
}

/** So many events on either side of it: dates of more show nothing else. */
const oneSide = 20;

async function nextToNewYear(
  all: readonly number[],
  { start, end }: TimeRange,
  exports: Exports,
  knowledge: Knowledge,
): Promise<InPdf | undefined> {
  const newYear = start + (end + 1 - start) / 2;
  const sorted = all.filter((at) => at >= start && at <= end).sort((a, b) => a - b);
  const instants = [
    ...sorted.filter((at) => at < newYear).slice(-oneSide),
    ...sorted.filter((at) => at >= newYear).slice(0, oneSide),
  ];
  const [first, last] = [instants[0], instants.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const forms = formsIn(await asBothFiles(exports, knowledge.window.sample), knowledge);
  if (forms.length === 0) return undefined;
  return { instants, pdf: await exports.pdfAnytime({ start: first, end: last }), forms };
}

/** @throws Violation where a PDF prints dates with the year before or after theirs */
function expectOwnYears({ instants, pdf, forms }: InPdf, csv: CsvDownload): void {
  const dates = instants.map((at) => wallTimeIn('UTC', at));
  const found = pdf.reading && findOtherYear(dates, pdf.reading, forms);
  if (found === undefined) return;
  throw new Violation(
    {
      kind: 'other',
      wrong: 'shows dates of another year',
      of: 'PDF',
      expected: day(utcOf(found.expected)),
      actual: day(utcOf(found.actual)),
    },
    [pdf.answer, csv.answer],
  );
}

/** Days of which the week can be of the other year; the week begins on a Sunday or on a Monday. */
const days = 4;
const dayMs = 24 * 60 * 60_000;
const halfYear = 180 * dayMs;

/** About the latest New Year whose days are over. */
function lastNewYear(now: number): TimeRange {
  const year = new Date(now - days * dayMs).getUTCFullYear();
  const newYear = Date.UTC(year, 0, 1);
  return { start: newYear - days * dayMs, end: newYear + days * dayMs - 1 };
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

export const newYearScenarios = [aboutNewYear];
