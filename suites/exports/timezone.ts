import { difference, isSame, type Multiset, multiset } from '../../helpers/csv/multiset.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import type { DatesInStyle } from '../../helpers/dates/date-column.ts';
import { type Precision, timeText } from '../../helpers/dates/read-date.ts';
import { clockChanges, type WallTime, wallTimeIn } from '../../helpers/dates/time-zones.ts';
import { datesIn, type KnownTimes } from '../../helpers/exports/columns.ts';
import { type CsvDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { TimeRange } from '../../helpers/exports/window.ts';
import { Inconclusive, NotJudged, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { exportAnswerJudges } from './answers.ts';
import { expectSameEvents, expectServed, noEvents } from './relations.ts';

/** Not by whole hours east of UTC; with daylight saving, west of it. */
const zones = ['Asia/Kolkata', 'America/New_York'];

/** The same range in UTC and in a zone. */
interface Zoned {
  readonly zone: string;
  readonly utc: CsvDownload;
  readonly download: CsvDownload;
}

interface InZones {
  readonly knowledge: Knowledge;
  readonly asked: readonly Zoned[];
}

const inTimezones = scenario({
  name: 'the timezone changes how dates are written, not which events are exported',
  async act({ exports }): Promise<InZones> {
    const knowledge = await exports.knowledge();
    const asked = await Promise.all(
      rangesToAsk(knowledge).flatMap((range) =>
        zones.map(async (zone) => ({
          zone,
          utc: await exports.within(range),
          download: await exports.within({ ...range, timezone: zone }),
        })),
      ),
    );
    return { knowledge, asked };
  },
  judges: {
    'export.timezone-keeps-the-events': ({ knowledge, asked }) => {
      for (const { zone, utc, download } of asked) {
        expectSameEvents(`timezone ${zone}`, utc, download, knowledge.columns);
      }
    },
    'export.timezone-formats-the-dates': ({ knowledge, asked }) => {
      if (knowledge.base.table.count === 0) throw noEvents();
      expectDatesInUtc(knowledge);
      for (const one of asked) {
        expectServed(`timezone ${one.zone}`, one.download);
        expectDatesInZone(one, knowledge.columns.times);
      }
    },
    ...exportAnswerJudges(({ asked }: InZones) => asked.map(({ download }) => download.answer)),
  },
});

/** How many events on either side of a clock change: about a day of a busy service. */
const aboutChange = 40;

/** The sample and, where the window holds one, the days about a clock change; rather one that sets clocks back. */
function rangesToAsk({ window: { sample }, columns: { times } }: Knowledge): TimeRange[] {
  const sorted = times?.instants.toSorted((a, b) => a - b) ?? [];
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return [sample];
  const changes = clockChanges('America/New_York', first, last);
  const { at } = changes.find(({ byMs }) => byMs < 0) ?? changes.at(-1) ?? {};
  if (at === undefined) return [sample];
  const index = sorted.findIndex((instant) => instant >= at);
  const start = sorted[Math.max(0, index - aboutChange)] ?? first;
  const end = sorted[index + aboutChange] ?? last;
  return [sample, { start, end }];
}

/** @throws Violation where dates that were asked for in UTC fit with the range only in another zone */
function expectDatesInUtc({ columns: { shifted }, base: { utc, download } }: Knowledge): void {
  if (shifted === undefined || shifted.hasOffsets || utc.timezone === undefined) return;
  throw new Violation(`the dates in the timezone ${utc.timezone}`, {
    expected: 'those of the range that keeps them',
    actual: `dates ${shifted.byMs / 3_600_000} hours later`,
    on: [download.answer],
  });
}

const minute = 60_000;

/**
 * Some column of the export shows, for all events together, their local times in the zone. Beside it
 * there may be others, such as one that stays in UTC.
 *
 * @param times undefined where no column could be read as the time of the event
 * @throws Violation where no column does
 */
function expectDatesInZone({ zone, utc, download }: Zoned, times: KnownTimes | undefined): void {
  const [plain, zoned] = [tableOf(utc), tableOf(download)];
  // A column of days alone does not show at what hour the next day begins in another zone.
  if (times === undefined || times.unit > minute) {
    requireOtherRows(zone, plain, zoned);
    return;
  }
  if (plain.count === 0) return;
  // Which events there are is judged by a clause of its own.
  if (plain.count !== zoned.count) throw new Inconclusive('The events are not the same.');
  const written = datesIn(plain, times.column).find(({ style }) => style === times.style);
  if (written === undefined) throw new Inconclusive('The dates in UTC could not be read.');
  const { precision, instants } = written;
  if (precision === 'day') {
    requireOtherRows(zone, plain, zoned);
    return;
  }

  const expected = texts(
    instants.map((at) => wallTimeIn(zone, at)),
    precision,
  );
  const columns = Array.from({ length: zoned.columns }, (_, column) => column);
  const candidates = columns.flatMap((column) => datesIn(zoned, column));
  if (candidates.some((dates) => showsInZone(dates, expected, instants))) return;

  const [shown] = datesIn(zoned, times.column);
  const { missing, extra } = difference(expected, texts(shown?.readings ?? [], precision));
  const [localTime] = missing[0] ?? [];
  throw new Violation(`the dates in the timezone ${zone}`, {
    expected:
      localTime === undefined
        ? 'the same instants, with the offset of that zone'
        : `${localTime}, the local time there`,
    actual: extra[0]?.[0] ?? zoned.rows[0]?.[times.column] ?? 'none',
    on: [download.answer, utc.answer],
  });
}

/** Where dates cannot be read, another zone at least changes the rows. @throws NotJudged where it does not */
function requireOtherRows(zone: string, plain: CsvTable, zoned: CsvTable): void {
  if (!isSame(multiset(plain.rows), multiset(zoned.rows))) return;
  throw new NotJudged(
    `The export shows no dates that can be read, and in the timezone ${zone} the rows are the same as in UTC.`,
  );
}

/**
 * Whether dates are local times in the zone, and denote the same instants where they can: with their offset from UTC,
 * or as numbers since 1970, which are the same in every zone.
 *
 * @param expected the local times, cut to the precision of the dates in UTC
 */
function showsInZone(
  { style, precision, readings, hasOffsets, instants }: DatesInStyle,
  expected: Multiset,
  expectedInstants: readonly number[],
): boolean {
  const isEpoch = style === 'epoch seconds' || style === 'epoch milliseconds';
  if (!isEpoch && !isSame(texts(readings, precision), expected)) return false;
  return (!isEpoch && !hasOffsets) || isSame(numbers(instants), numbers(expectedInstants));
}

function texts(times: readonly WallTime[], precision: Precision): Multiset {
  return multiset(times.map((time) => [timeText(time, precision)]));
}

function numbers(instants: readonly number[]): Multiset {
  return multiset(instants.map((instant) => [`${instant}`]));
}

export const timezoneScenarios = [inTimezones];
