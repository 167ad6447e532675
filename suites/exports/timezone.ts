import { difference, isSame, type Multiset, multiset } from '../../helpers/csv/multiset.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { clockChanges } from '../../helpers/dates/clock-changes.ts';
import { type DatesInStyle, readDateColumn } from '../../helpers/dates/date-column.ts';
import type { DateReading, Precision } from '../../helpers/dates/date-reading.ts';
import { utcOf, wallTimeIn } from '../../helpers/dates/wall-time.ts';
import { type CsvDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Knowledge, KnownTimes, Window } from '../../helpers/exports/knowledge.ts';
import { instantOf } from '../../helpers/exports/learn-times.ts';
import { Inconclusive, NotJudged, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { exportAnswerJudges } from './answers.ts';
import { expectServed, noEvents } from './relations.ts';
import { expectSameEvents } from './same-events.ts';

const minute = 60_000;

/** Not by whole hours east of UTC; with daylight saving, west of it. */
const zones = ['Asia/Kolkata', 'America/New_York'];

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
      partsOfTheYear(knowledge).flatMap((range) =>
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
        expectSameEvents(`timezone ${zone}`, utc, download, knowledge);
      }
    },
    'export.timezone-formats-the-dates': ({ knowledge, asked }) => {
      if (knowledge.base.count === 0) throw noEvents();
      expectUtc(knowledge);
      for (const one of asked) {
        expectServed(`timezone ${one.zone}`, one.download);
        const { times } = knowledge;
        // A column of days alone does not tell at what hour another zone turns to the next day.
        if (times === undefined || times.unit > minute) expectOtherwise(one);
        else expectWrittenInZone(one, times);
      }
    },
    ...exportAnswerJudges(({ asked }: InZones) => asked.map(({ download }) => download.answer)),
  },
});

/** The sample and, where the window holds one, the days about a clock change: the turn back rather than the other. */
function partsOfTheYear({ sample, times }: Knowledge): Window[] {
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

/** How many events on either side of a clock change: about a day of a busy service. */
const aboutChange = 40;

/** @throws Violation where dates that were asked for in UTC fit with the range only in another zone */
function expectUtc({ moved, common, baseDownload: { answer } }: Knowledge): void {
  if (moved === undefined || moved.hasOffsets || common.timezone === undefined) return;
  throw new Violation(`the dates in the timezone ${common.timezone}`, {
    expected: 'those of the range that keeps them',
    actual: `dates ${moved.byMs / 3_600_000} hours later`,
    on: [answer],
  });
}

/** Where dates cannot be read, another zone at least writes the rows otherwise. */
function expectOtherwise({ zone, utc, download }: Zoned): void {
  const [a, b] = [tableOf(utc), tableOf(download)];
  if (!isSame(multiset(a.rows), multiset(b.rows))) return;
  throw new NotJudged(
    `The export shows no dates that can be read, and in the timezone ${zone} the rows are the same as in UTC.`,
  );
}

/**
 * Some column of the export shows, for all events together, what clocks in the zone show at their instants.
 * Beside it there may be others, such as one that stays in UTC.
 */
function expectWrittenInZone({ zone, utc, download }: Zoned, times: KnownTimes): void {
  const [plain, zoned] = [tableOf(utc), tableOf(download)];
  if (plain.count === 0) return;
  // Which events there are is judged by a clause of its own.
  if (plain.count !== zoned.count) throw new Inconclusive('The events are not the same.');
  const written = datesIn(plain, times.column).find(({ style }) => style === times.style);
  if (written === undefined) throw new Inconclusive('The dates in UTC could not be read.');
  // Of a day alone it is not known which one it is elsewhere.
  if (written.precision === 'day') {
    expectOtherwise({ zone, utc, download });
    return;
  }
  const instants = written.readings.map(instantOf);
  const expected = asMultiset(
    instants.map((at) => wallText(wallTimeIn(zone, at), written.precision)),
  );
  const columns = Array.from({ length: zoned.columns }, (_, column) => column);
  const candidates = columns.flatMap((column) => datesIn(zoned, column));
  if (candidates.some((dates) => agrees(dates, expected, instants))) return;
  const [shown] = datesIn(zoned, times.column);
  const actual = asMultiset(
    (shown?.readings ?? []).map((reading) => wallText(reading, written.precision)),
  );
  const { missing, extra } = difference(expected, actual);
  throw new Violation(`the dates in the timezone ${zone}`, {
    expected: `${missing[0]?.[0] ?? 'dates'}, as clocks there show`,
    actual: extra[0]?.[0] ?? zoned.rows[0]?.[times.column] ?? 'none',
    on: [download.answer, utc.answer],
  });
}

function datesIn({ rows }: CsvTable, column: number): readonly DatesInStyle[] {
  return readDateColumn(rows.map((row) => row[column] ?? ''))?.candidates ?? [];
}

function agrees(
  { style, readings, hasOffsets, precision }: DatesInStyle,
  expected: Multiset,
  instants: readonly number[],
): boolean {
  const sameInstants = (): boolean =>
    isSame(
      asMultiset(readings.map((one) => `${instantOf(one)}`)),
      asMultiset(instants.map(String)),
    );
  // Numbers since 1970 are the same in every zone.
  if (style.startsWith('epoch')) return sameInstants();
  const walls = asMultiset(readings.map((reading) => wallText(reading, precision)));
  return isSame(walls, expected) && (!hasOffsets || sameInstants());
}

function asMultiset(texts: readonly string[]): Multiset {
  return multiset(texts.map((text) => [text]));
}

const shownDigits: Readonly<Record<Precision, number>> = {
  day: 10,
  min: 16,
  s: 19,
  ms: 23,
  us: 23,
};

/** What a clock shows, as text, cut to what is written. */
function wallText(
  wall: Omit<DateReading, 'style' | 'precision' | 'offset'>,
  precision: Precision,
): string {
  return new Date(utcOf(wall)).toISOString().slice(0, shownDigits[precision]).replace('T', ' ');
}

export const timezoneScenarios = [inTimezones];
