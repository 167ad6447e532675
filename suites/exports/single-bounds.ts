import {
  difference,
  intersection,
  multiset,
  sum,
  union,
  without,
} from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import { dawn } from '../../helpers/exports/window.ts';
import { Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { unlikeStatus } from '../expectations.ts';
import { csvAnswerJudges } from './answers.ts';
import { boundOf, findEventInstant, units } from './event-instants.ts';
import { events, eventsDifference, expectWithin, noEvents } from './relations.ts';

/** An export by one bound, and what it is compared with. */
interface SingleBound {
  readonly alone: CsvDownload;
  /** Its part inside the window, by both bounds. */
  readonly inside: CsvDownload;
  /** The same by both bounds, the other one far away: asked for where one bound alone is refused. */
  readonly twin: CsvDownload | undefined;
}

interface SingleBounds {
  readonly knowledge: Knowledge;
  readonly from: SingleBound;
  readonly until: SingleBound;
  /** At the instants next to which bounds begin to include an event, where it is not clear whether they include their own. */
  readonly atEvent: readonly SingleBound[];
  /** What lies before the window, or at its very start; undefined where nothing does, or where it is too much to be read. */
  readonly earlier: CsvDownload | undefined;
}

const singleBounds = scenario({
  name: 'a range_start without range_end, and the other way round',
  async act({ exports, now }): Promise<SingleBounds> {
    const knowledge = await exports.knowledge();
    const { window } = knowledge;
    const [from, until, atEvent] = await Promise.all([
      ask(exports, { start: eventLateIn(knowledge) ?? window.middle }, { end: now() }),
      ask(exports, { end: lateIn(knowledge) }, { start: dawn }),
      boundsAtEvent(exports, knowledge, now()),
    ]);
    const { alone, inside } = until;
    const isWorthIt = alone.table !== undefined && alone.table.count !== inside.table?.count;
    const earlier = isWorthIt ? await exports.anytime({ end: window.start }) : undefined;
    return { knowledge, from, until, atEvent, earlier };
  },
  judges: {
    'export.parameters-are-optional': ({ from, until }) => {
      for (const bound of [from, until]) expectServedAlone(bound);
    },
    'export.range-bounds-are-independent': ({ knowledge, from, until, atEvent, earlier }) => {
      const { columns } = knowledge;
      const all = [from, until, ...atEvent];
      for (const bound of all) expectServedAlone(bound);
      for (const bound of all.filter(isRead)) expectSameInWindow(bound, knowledge);
      if (!isRead(until) || (earlier !== undefined && earlier.table === undefined)) return;
      const before = earlier === undefined ? multiset([]) : events(earlier, columns);
      const inside = events(until.inside, columns);
      // What lies at the start of the window is in both, and counts once; equal rows of other events count twice.
      const whole = { least: union(before, inside), most: sum(before, inside) };
      const on = [until.inside, ...(earlier === undefined ? [] : [earlier])];
      const answers = on.map(({ answer }) => answer);
      expectWithin('range_end without range_start', whole, until.alone, columns, { on: answers });
      if (knowledge.base.table.count === 0) throw noEvents();
    },
    ...csvAnswerJudges(({ from, until }: SingleBounds) =>
      [from, until].filter((bound) => !isTooLarge(bound)).map(({ alone }) => alone.answer),
    ),
  },
  observes: {
    'limits.csv-size': ({ from, until }) =>
      [from, until].some(isTooLarge) ? [{ refusesMoreWith: until.alone.answer.status }] : [],
  },
});

/** A bound may leave out its own instant only where the other one is given too. */
async function boundsAtEvent(
  exports: Exports,
  knowledge: Knowledge,
  now: number,
): Promise<readonly SingleBound[]> {
  if (knowledge.base.table.count === 0) return [];
  const { kind, at } = await findEventInstant(exports, knowledge);
  if (kind !== 'unclear') return [];
  return await Promise.all([
    ask(exports, { start: boundOf(at) }, { end: now }),
    ask(exports, { end: boundOf(at - units.millisecond) }, { start: dawn }),
  ]);
}

/** The instant of an event late in the window; undefined where instants are not known. */
function eventLateIn(known: Knowledge): number | undefined {
  const { columns, base } = known.asLearned ?? known;
  const sorted = columns.times?.instants.toSorted((a, b) => a - b);
  return sorted?.[Math.floor(base.table.count * late)];
}

/** Late in the window, so that as much as possible lies before it: where instants are known, that of an event. */
export function lateIn(knowledge: Knowledge): number {
  const { start, end } = knowledge.window;
  return eventLateIn(knowledge) ?? start + Math.floor((end - start) * late);
}

const late = 0.95;

/** @param other the other bound, far away */
async function ask(exports: Exports, bound: ExportQuery, other: ExportQuery): Promise<SingleBound> {
  const [alone, inside] = await Promise.all([exports.anytime(bound), exports.within(bound)]);
  const isRefused = alone.answer.status === 400;
  const twin = isRefused ? await exports.anytime({ ...other, ...bound }) : undefined;
  return { alone, inside, twin };
}

/** The bound that is there. */
function nameOf({ query }: SingleBound['alone']): 'range_start' | 'range_end' {
  return query.start === undefined ? 'range_end' : 'range_start';
}

/** Refused by both bounds too: the file would be too large. The size of a CSV is open. */
function isTooLarge({ twin }: SingleBound): boolean {
  return twin?.answer.status === 400;
}

function isRead({ alone, inside }: SingleBound): boolean {
  return alone.table !== undefined && inside.table !== undefined;
}

/** @throws Violation where a bound alone is refused that is taken together with the other one */
function expectServedAlone({ alone, twin }: SingleBound): void {
  if (twin?.answer.status !== 200) return;
  throw unlikeStatus(`${nameOf(alone)} alone`, '200', alone.answer, {
    on: [twin.answer],
  });
}

/**
 * What one bound alone keeps of the window is what both keep.
 * @throws Violation where it is not
 */
function expectSameInWindow({ alone, inside }: SingleBound, { base, columns }: Knowledge): void {
  const known = events(base.download, columns);
  const [all, within] = [events(alone, columns), events(inside, columns)];
  const { missing } = difference(within, all);
  const beyond = intersection(without(all, within), without(known, within));
  // An event outside the window can look like one inside where rows of different events are equal.
  const areDistinct = [...known.entries.values()].every(({ times }) => times === 1);
  if (missing.length === 0 && (beyond.size === 0 || !areDistinct)) return;
  throw new Violation('a range of one bound, compared with the same by both bounds', {
    expected: `the ${within.size} events of the window that both keep`,
    actual: `${missing.length} of them missing, ${beyond.size} others of the window`,
    on: [alone.answer, inside.answer],
    difference: {
      ...eventsDifference(
        `${nameOf(alone)} alone, compared with both bounds`,
        alone,
        { missing, extra: [...beyond.entries.values()].map(({ row }) => row) },
        columns,
      ),
      of: within.size,
    },
  });
}

export const singleBoundScenarios = [singleBounds];
