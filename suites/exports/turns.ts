import { clockChanges, day, minute } from '../../helpers/dates/time-zones.ts';
import { datesOf } from '../../helpers/exports/columns.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { dawn, type TimeRange } from '../../helpers/exports/window.ts';
import { formLevel, type Level } from './levels.ts';
import { changesAmong, changingZone, withYearsOf, years } from './timezone.ts';

/* Levels of turns, with events on both sides: at clock changes dates have offsets of their own, and at New Year years. */

/** The turns, each with the zone in which it is looked at. */
const turns = [
  { name: 'about a clock change', zone: changingZone, rangeAbout: rangeAboutChange },
  { name: 'about a New Year', zone: 'UTC', rangeAbout: rangeAboutNewYear },
] as const;

/** Ranges with events on both sides of a turn, and the zones in which they are looked at. */
export async function levelsOfTurns(known: Knowledge, exports: Exports): Promise<Level[]> {
  const levels = turns.map(async ({ name, zone, rangeAbout }) => {
    const range = await rangeAbout(exports, known);
    if (range === undefined) return [];
    const level: Level = { ...formLevel('range', name, range), isUnknown: true };
    return [level, formLevel('timezone', zone, { timezone: zone })];
  });
  return (await Promise.all(levels)).flat();
}

/** Whether these are a turn and its zone. */
export function isTurn(...both: readonly Level[]): boolean {
  const names = both.map((level) => level.name);
  return turns.some(({ name, zone }) => names.includes(name) && names.includes(zone));
}

/** A range about a clock change, in the window or before it, best one that sets clocks back: there one offset for all shows. */
async function rangeAboutChange(
  exports: Exports,
  { window, columns }: Knowledge,
): Promise<TimeRange | undefined> {
  const { dates } = columns;
  if (dates === undefined || dates.unit > minute) return undefined;
  const inWindow = aboutChangeAmong(dates.instants);
  if (inWindow !== undefined || window.start <= dawn) return inWindow;
  const changes = clockChanges(changingZone, window.start - years, window.start).reverse();
  for (const { at } of changes) {
    for (const span of [2 * day, 30 * day]) {
      const { table } = await exports.anytime({ start: at - span, end: at + span });
      const range = table && aboutChangeAmong(datesOf(table, dates)?.instants ?? []);
      if (range !== undefined) return range;
    }
  }
  return undefined;
}

/** The range about a clock change between these events; undefined where there is none. */
function aboutChangeAmong(instants: readonly number[]): TimeRange | undefined {
  const changes = changesAmong(instants, changingZone);
  const { at } = changes.find(({ byMs }) => byMs < 0) ?? changes.at(-1) ?? {};
  return at === undefined ? undefined : rangeNextTo(at, instants);
}

/** How many events are taken on either side of a turn: more of them show nothing else. */
const oneSide = 40;

/** From the first to the last of the events next to a turn; undefined where there are no events. */
function rangeNextTo(turn: number, instants: readonly number[]): TimeRange | undefined {
  const sorted = instants.toSorted((a, b) => a - b);
  const before = sorted.filter((at) => at < turn).slice(-oneSide);
  const near = [...before, ...sorted.filter((at) => at >= turn).slice(0, oneSide)];
  const [start, end] = [near[0], near.at(-1)];
  return start === undefined || end === undefined ? undefined : { start, end };
}

/** How far from a New Year a week can belong to the other year, in milliseconds; it begins on a Sunday or a Monday. */
const days = 4 * day;

/** A range about the latest New Year that is over: the year of the week writes 30 December 2024 as 30 December 2025. */
async function rangeAboutNewYear(
  exports: Exports,
  { base, window, columns: { times } }: Knowledge,
): Promise<TimeRange | undefined> {
  const newYear = Date.UTC(new Date(window.end - days).getUTCFullYear(), 0, 1);
  const { query, table } = await exports.anytime({
    start: newYear - days,
    end: newYear + days - 1,
  });
  const dates = times && table && datesOf(table, times);
  if (dates === undefined || base.utc.timezone !== 'UTC') return undefined;
  return rangeNextTo(newYear, withYearsOf(query, dates.instants));
}
