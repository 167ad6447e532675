import { datesOf, type KnownTimes } from '../../helpers/exports/columns.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { TimeRange } from '../../helpers/exports/window.ts';
import { NothingSeen, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { csvAnswerJudges } from './answers.ts';

/*
 * The days about a New Year, whose year is not that of their week: programs that write dates have letters for both.
 */

interface AboutNewYear {
  readonly times: KnownTimes | undefined;
  readonly range: TimeRange;
  readonly download: CsvDownload | undefined;
}

const aboutNewYear = scenario({
  name: 'dates about a New Year have the year of their day',
  async act({ exports, now }): Promise<AboutNewYear> {
    const { times } = (await exports.knowledge()).columns;
    const range = lastNewYear(now());
    const download = times && (await exports.anytime(range));
    return { times, range, download };
  },
  judges: {
    'export.timezone-formats-the-dates': ({ times, range, download }) => {
      const table = download?.table;
      if (times === undefined || download === undefined || !table?.count) throw new NothingSeen();
      const instants = datesOf(table, times)?.instants ?? [];
      // Less than a year is a matter of zones and of columns.
      const far = instants.findIndex(
        (at) => at < range.start - halfYear || at > range.end + halfYear,
      );
      if (far < 0) return;
      throw new Violation('the dates about a New Year', {
        expected: `dates from ${day(range.start)} to ${day(range.end)}`,
        actual: `${day(instants[far] ?? 0)}: ${times.columns.map((column) => table.rows[far]?.[column]).join(' ')}`,
        on: [download.answer],
        difference: { kind: 'other', wrong: 'shows dates of another year' },
      });
    },
    ...csvAnswerJudges(({ download }: AboutNewYear) => (download ? [download.answer] : [])),
  },
});

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
