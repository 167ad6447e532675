import { day, utcOf, wallTimeIn } from '../../helpers/dates/time-zones.ts';
import { columnsOfDates, datesIn, datesOf } from '../../helpers/exports/columns.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { TimeRange } from '../../helpers/exports/window.ts';
import { NothingSeen, other, Violation } from '../../helpers/outcomes.ts';
import { findOtherYear } from '../../helpers/pdf/printed-dates.ts';
import { scenario } from '../../runner/scenario.ts';
import { judgesBy, ofCsv } from '../answers.ts';
import { asBothFiles, formsIn } from './pdf-events.ts';
import { nextTo } from './timezone.ts';

/*
 * Formats of dates have one letter for the year and one for the year of the week: with the latter, 30 December 2024 is
 * written as 30 December 2025.
 */

/** How far from a New Year a week can belong to the other year, in milliseconds; it begins on a Sunday or a Monday. */
const days = 4 * day;

const aboutNewYear = scenario({
  name: 'dates about a New Year have the year of their day',
  async act({ exports, now }) {
    const knowledge = await exports.knowledge();
    const { columns, window } = knowledge;
    // The latest New Year whose following days are over.
    const newYear = Date.UTC(new Date(now() - days).getUTCFullYear(), 0, 1);
    const range = { start: newYear - days, end: newYear + days - 1 };
    const download = await exports.anytime(range);
    const dates = columns.times && download.table && datesOf(download.table, columns.times);
    const inRange = dates?.instants.filter((at) => isNear(at, range)) ?? [];
    const instants = nextTo(newYear, inRange);
    const [start = 0, end = 0] = [instants[0], instants.at(-1)];
    const isKnown = instants.length > 0;
    const forms = isKnown ? formsIn(await asBothFiles(exports, window.sample), knowledge) : [];
    const pdf = forms.length === 0 ? undefined : await exports.pdfAnytime({ start, end });
    return { columns, range, download, instants, forms, pdf };
  },
  judges: {
    'export.timezone-formats-the-dates': ({ columns, range, download, instants, forms, pdf }) => {
      const { table } = download;
      const { times, ignored } = columns;
      // Where the years are wrong, learning may have found no column of times: then any column of dates is taken.
      if (!table || table.count < (times ? 1 : enoughDates)) throw new NothingSeen();
      const candidates = times ? [times.columns] : columnsOfDates(table, ignored);
      const dates = candidates
        .flatMap((dateColumns) => datesIn(table, dateColumns))
        .find((inStyle) => areRightButForYears(inStyle.instants, range));
      if (dates === undefined) throw new NothingSeen();
      const ofOtherYear = dates.instants.find((at) => !isNear(at, range));
      if (ofOtherYear !== undefined) {
        const expected = `dates from ${dayOf(range.start)} to ${dayOf(range.end)}`;
        const values = { expected, actual: dayOf(ofOtherYear) };
        throw new Violation(other('shows dates of another year', values), [download.answer]);
      }
      const local = instants.map((at) => wallTimeIn('UTC', at));
      const printed = pdf?.reading && findOtherYear(local, pdf.reading, forms);
      if (pdf === undefined || printed === undefined) return;
      const [expected, actual] = [dayOf(utcOf(printed.expected)), dayOf(utcOf(printed.actual))];
      const values = { of: 'PDF', expected, actual };
      const on = [pdf.answer, download.answer];
      throw new Violation(other('shows dates of another year', values), on);
    },
    ...judgesBy(ofCsv, ({ download }: { download: CsvDownload }) => [download.answer]),
  },
});

/** The fewest dates with which it is no coincidence that all in a column are right but for the year of some. */
const enoughDates = 8;

/** Whether all dates lie in the range about a New Year, at least one as it is, the others perhaps a year off. */
export function areRightButForYears(instants: readonly number[], range: TimeRange): boolean {
  const movedByYears = (at: number, years: number): number => {
    const date = new Date(at);
    return date.setUTCFullYear(date.getUTCFullYear() + years);
  };
  const isRight = (at: number) =>
    [0, 1, -1].some((years) => isNear(movedByYears(at, years), range));
  return instants.some((at) => isNear(at, range)) && instants.every(isRight);
}

/** Whether an instant lies in the range, or at most a day beside it: dates may be read in whatever zone. */
function isNear(at: number, { start, end }: TimeRange): boolean {
  return at >= start - day && at <= end + day;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

export const newYearScenarios = [aboutNewYear];
