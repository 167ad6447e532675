import type { CsvTable } from '../csv/read-csv.ts';
import { day, minute } from '../dates/time-zones.ts';
import type { Answer } from '../http/answer.ts';
import { Inconclusive } from '../outcomes.ts';
import { type CsvDownload, tableOf } from './downloads.ts';

/** From one instant to another, both included, in milliseconds since 1970. */
export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

/** A closed window of the past: what is compared lies in it. */
export interface KnownWindow extends TimeRange {
  /** An instant that cuts the window in two, with events on both sides where there are any. */
  readonly middle: number;
  /** A part of the window with a few hundred events at the most, for checks that need no more. */
  readonly sample: TimeRange;
}

/** A window, and the export of it. */
export interface FoundWindow {
  readonly window: TimeRange;
  readonly download: CsvDownload;
}

/** An instant that cuts the window in two, and the events of the window from it on. */
export interface Cut {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly part: CsvTable;
}

type FetchRange = (range: TimeRange) => Promise<CsvDownload>;

/** No window could be found; with another timezone in the query the target may still answer. */
export class NoWindow extends Inconclusive {}

/** How long before now a window ends: late events may still arrive, and clocks may differ. */
const settlingMs = 10 * minute;
/** No service was recording events before this. */
export const dawn = Date.UTC(1990, 0, 1);

/** Whether an export may be refused for its size: how large a CSV may be is open. */
export const mayBeTooLarge = ({ status }: Answer): boolean => status === 400 || status === 413;

/** An instant that no event can be at: the answer is a file without events, and soon there. */
export const longAgo: TimeRange = { start: dawn, end: dawn };

/** How many events a window should hold: enough that most values of filters keep several; of more, files would only be larger. */
const usualSize = { min: 1_000, max: 4_000, aim: 1_500 };
/** Somewhat more than the 5,000 of a PDF, so that the limit can be tested. */
export const largeSize = { min: 5_100, max: 15_000, aim: 5_800 };
const usualLength = 30 * day;
const maxAttempts = 14;
/** From this attempt on, a window of more events than wanted is taken too. */
const lenientFrom = 7;
/** After this many refusals in a row, each for a window a sixteenth as long as the last, size is not the reason. */
const maxRefusals = 4;

/**
 * Finds a closed window of the past that holds so many events, or all, or as many as are exported at once.
 * @param given bounds by configuration; a window with a given start is taken as it is
 * @param now milliseconds since 1970
 * @param firstLength of the window that is tried first, in milliseconds
 * @returns also, as `refused`, the last window that was refused: the smallest found that holds more than is exported at once
 * @throws NoWindow where an export of it cannot be read
 */
export async function findWindow(
  fetch: FetchRange,
  given: { readonly start: number | undefined; readonly end: number | undefined },
  now: number,
  wanted = usualSize,
  firstLength = usualLength,
): Promise<FoundWindow & { readonly refused: FoundWindow | undefined }> {
  const end = given.end ?? Math.floor((now - settlingMs) / 1000) * 1000;
  /** The length of the window, and the lengths known to be too short and too long, in milliseconds. */
  let [length, tooShort, tooLong] = [firstLength, 0, Number.POSITIVE_INFINITY];
  let largest: FoundWindow | undefined;
  let refused: FoundWindow | undefined;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const window = { start: given.start ?? Math.max(dawn, Math.floor(end - length)), end };
    const found = { window, download: await fetch(window) };
    const { table, overflowed, answer } = found.download;
    const before = largest?.download.table?.rows.length ?? 0;
    if (given.start !== undefined) {
      if (table !== undefined) return { ...found, refused };
      if (!overflowed) throw noExport(answer);
      throw new NoWindow(
        'The window of EXPORT_RANGE_START and EXPORT_RANGE_END holds more events than a check needs; narrow it.',
      );
    }
    if (mayBeTooLarge(answer)) {
      refused = found;
      if (attempt === maxRefusals && largest === undefined) throw noExport(answer);
    } else if (table === undefined && !overflowed) throw noExport(answer);

    const count = table?.rows.length ?? Number.POSITIVE_INFINITY;
    const isEnough = count >= wanted.min || window.start === dawn;
    const isTooMuch = count > wanted.max && attempt < lenientFrom;
    if (table !== undefined) {
      if (isEnough && !isTooMuch) return { ...found, refused };
      if (count >= before) largest = found;
    }
    if (isEnough) tooLong = length;
    else tooShort = length;
    // By how much a window of too many events is too long, nothing says.
    const guess = Number.isFinite(count) ? (length * wanted.aim) / count : length / 16;
    // A longer window that holds no more events holds all there are, as far as can be seen.
    const isAll = attempt > 1 && count === before;
    const next = isAll ? end - dawn : Math.min(Math.max(guess, length / 24), length * 24);
    const isKnownToFail = Number.isFinite(tooLong) && (next >= tooLong || next <= tooShort);
    length = isKnownToFail ? (tooShort + tooLong) / 2 : next;
  }
  if (largest !== undefined) return { ...largest, refused };
  throw new NoWindow('No window of a usable number of events was found; set EXPORT_RANGE_START.');
}

/** @param gave what came in place of an export */
export function noExport(answer: Answer, gave = `${answer.status}`): NoWindow {
  return new NoWindow(`No export to learn from: ${answer.request} gave ${gave}.`, [answer]);
}

/** Cuts the window at an instant with events on both sides, if one is found in a few attempts; else anywhere. */
export function cutInTwo(fetch: FetchRange, window: TimeRange, base: CsvTable): Promise<Cut> {
  return cutByHalving(fetch, window, { min: 1, max: base.rows.length - 1 }, 8);
}

/** Halves the window until so many events are left from an instant on; after `maxAttempts` it cuts anywhere. */
async function cutByHalving(
  fetch: FetchRange,
  { start, end }: TimeRange,
  wanted: { readonly min: number; readonly max: number },
  maxAttempts: number,
): Promise<Cut> {
  // Halving tends to the end of the window: where it begins long before the first event, events are there.
  let [before, after] = [start, end];
  for (let attempt = 1; ; attempt += 1) {
    const at = before + Math.floor((after - before) / 2);
    const part = tableOf(await fetch({ start: at, end }));
    const isWanted = part.rows.length >= wanted.min && part.rows.length <= wanted.max;
    if (isWanted || attempt === maxAttempts) return { at, part };
    if (part.rows.length < wanted.min) after = at;
    else before = at;
  }
}

/** How many events a sample should hold, and how many should lie between it and the end of the window. */
const sampleSize = { min: 40, max: 400, aim: 120, after: 20 };

/**
 * Finds a part of the window with about a hundred events, and others after it, so that an ignored bound shows on either side.
 * @param instants when the events of the window happened; left out, the sample is found by halving
 */
export async function findSample(
  fetch: FetchRange,
  window: TimeRange,
  base: CsvTable,
  instants: readonly number[] | undefined,
): Promise<TimeRange> {
  const { min, max, aim, after } = sampleSize;
  if (base.rows.length <= (instants === undefined ? max : 2 * aim)) return window;
  if (instants !== undefined) {
    const gaps = gapsBetween(instants);
    const end = gapNear(gaps, after, 1, 0);
    const first = (end?.rank ?? 0) + 1;
    const start = gapNear(gaps, aim + after, first + min, first);
    return { start: start?.at ?? window.start, end: end?.at ?? window.end };
  }
  const { at } = await cutByHalving(fetch, window, sampleSize, 12);
  return { start: at, end: window.end };
}

/** A gap between two successive events, in which a range can begin or end. */
type Gap = ReturnType<typeof gapsBetween>[number];

/**
 * The gaps between successive events, the latest first; `at` is their middle, `rank` how many events are later than the later
 * one of the two: 0 for the gap before the latest event. Events of one instant have none.
 */
function gapsBetween(instants: readonly number[]) {
  const latest = instants.toSorted((a, b) => b - a);
  return latest.flatMap((later, rank) => {
    const byMs = later - (latest[rank + 1] ?? later);
    return byMs === 0 ? [] : [{ rank, at: later - Math.ceil(byMs / 2), byMs }];
  });
}

const minGapMs = 2000;
/** How many events beyond the wanted rank a gap is looked for: busy hours may have no gap of two seconds. */
const nearbyEvents = 40;

/**
 * A gap of at least `minGapMs` at the wanted rank, a little above, or below down to `enough`; else the widest of them; else, as
 * with thousands of events of an import at one instant, the nearest one from the rank `first` on.
 */
function gapNear(
  gaps: readonly Gap[],
  wanted: number,
  enough: number,
  first: number,
): Gap | undefined {
  const far = ({ rank }: Gap): number =>
    rank >= wanted ? rank - wanted : nearbyEvents + wanted - rank;
  const possible = gaps.filter(({ rank }) => rank >= first).sort((a, b) => far(a) - far(b));
  const near = possible.filter(({ rank }) => rank >= enough && rank <= wanted + nearbyEvents);
  const [widest] = near.toSorted((a, b) => b.byMs - a.byMs);
  return near.find(({ byMs }) => byMs >= minGapMs) ?? widest ?? possible[0];
}
