import { clockChanges, day, minute } from '../../helpers/dates/time-zones.ts';
import { datesOf } from '../../helpers/exports/columns.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { dawn, type TimeRange } from '../../helpers/exports/window.ts';
import { formLevel, type Level } from './levels.ts';
import { changesAmong, changingZone, withYearsOf, years } from './timezone.ts';

/*
 * Levels of turns: where clocks are changed, each date has the offset of its own time of year; at New Year, each has the
 * year of its day. Events on both sides of a turn, in the window or before it, show whether it does.
 */

/** The turns, each with the zone in which it is looked at. */
const turns = [
  { name: 'about a clock change', zone: changingZone, rangeAbout: rangeAboutChange },
  { name: 'about a New Year', zone: 'UTC', rangeAbout: rangeAboutNewYear },
] as const;

/** Ranges with events on both sides of a turn, and the zones in which they are looked at. */
export async function levelsOfTurns(exports: Exports, known: Knowledge): Promise<Level[]> {
  const levels = turns.map(async ({ name, zone, rangeAbout }) => {
    const range = await rangeAbout(exports, known);
    return range ? [turnLevel(name, range), formLevel('timezone', zone, { timezone: zone })] : [];
  });
  return (await Promise.all(levels)).flat();
}

function turnLevel(name: string, query: TimeRange): Level {
  return { factor: 'range', name, query, from: [], isUnknown: true };
}

/** Whether these are a turn and its zone. */
export function isTurn(...both: readonly Level[]): boolean {
  const names = both.map((level) => level.name);
  return turns.some(({ name, zone }) => names.includes(name) && names.includes(zone));
}

/**
 * A range with events before and after a clock change, in the window or else about the last changes before it. A change
 * that sets clocks back is preferred. There a service that writes all dates with the offset of today is found out.
 * @returns undefined where there are no such events, or their dates are not known
 */
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

/**
 * A range about the latest New Year whose following days are over. Formats of dates have one letter for the year and one
 * for the year of the week: with the latter, 30 December 2024 is written as 30 December 2025.
 * @returns undefined where there are no events, or dates are not asked for in UTC
 */
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
