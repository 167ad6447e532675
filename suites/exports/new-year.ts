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
 * The days about a New Year, whose year is not that of their week: programs that write dates have letters for both.
 */

/** Days of which the week can be of the other year; the week begins on a Sunday or on a Monday. */
const days = 4 * day;

const aboutNewYear = scenario({
  name: 'dates about a New Year have the year of their day',
  async act({ exports, now }) {
    const knowledge = await exports.knowledge();
    const { columns, window } = knowledge;
    // The latest one whose days are over.
    const newYear = Date.UTC(new Date(now() - days).getUTCFullYear(), 0, 1);
    const range = { start: newYear - days, end: newYear + days - 1 };
    const download = await exports.anytime(range);
    const dates = columns.times && download.table && datesOf(download.table, columns.times);
    const near = dates?.instants.filter((at) => isNear(at, range)) ?? [];
    const instants = nextTo(newYear, near);
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
      // A column whose dates are wrong about a New Year is none that the time of events is learned from.
      if (!table || table.count < (times ? 1 : enoughDates)) throw new NothingSeen();
      const candidates = times ? [times.columns] : columnsOfDates(table, ignored);
      const dates = candidates
        .flatMap((one) => datesIn(table, one))
        .find((one) => areRightButForYears(one.instants, range));
      if (dates === undefined) throw new NothingSeen();
      const far = dates.instants.find((at) => !isNear(at, range));
      if (far !== undefined) {
        const expected = `dates from ${dayOf(range.start)} to ${dayOf(range.end)}`;
        const values = { expected, actual: dayOf(far) };
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

/** So many dates of an unknown column that are right but for the year of some are no chance. */
const enoughDates = 8;

/** Whether dates are those of the days about a New Year, though some of them in the year before or after. */
export function areRightButForYears(instants: readonly number[], range: TimeRange): boolean {
  const inYear = (at: number, years: number): number => {
    const date = new Date(at);
    return date.setUTCFullYear(date.getUTCFullYear() + years);
  };
  const isRight = (at: number) => [0, 1, -1].some((years) => isNear(inYear(at, years), range));
  return instants.some((at) => isNear(at, range)) && instants.every(isRight);
}

/** Dates may be in whatever zone. */
function isNear(at: number, { start, end }: TimeRange): boolean {
  return at >= start - day && at <= end + day;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

export const newYearScenarios = [aboutNewYear];
