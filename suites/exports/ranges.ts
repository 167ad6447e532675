import { nonCsvType } from '../../helpers/csv/csv-form.ts';
import { entriesIn } from '../../helpers/csv/multiset.ts';
import { hour } from '../../helpers/dates/time-zones.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { Bound, ExportQuery, FilterSet } from '../../helpers/exports/query.ts';
import { dawn, mayBeTooLarge } from '../../helpers/exports/window.ts';
import { Inconclusive, NothingSeen, other, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import type { World } from '../../runner/world.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import type { BoundDifference } from '../../schemas/difference.ts';
import type { ExportOutcome } from '../../schemas/observations.ts';
import { judgesBy, ofCsv } from '../answers.ts';
import { unlikeStatus } from '../expectations.ts';
import {
  type BoundName,
  boundOf,
  type EventInstant,
  findEventInstant,
  units,
} from './event-instants.ts';
import { namedLists } from './filter-levels.ts';
import { withOffset } from './range-levels.ts';
import {
  expectNoOthers,
  expectServed,
  judgeSums,
  noEvents,
  type Sum,
  wholeOf,
} from './relations.ts';

const { millisecond, nanosecond } = units;

const startIncludes = 'export.range-start-includes-its-instant';
const endIncludes = 'export.range-end-includes-its-instant';
const equalBounds = 'export.range-start-equal-to-end';
const splits = 'export.ranges-split-without-loss';
const withFilters = 'export.range-combines-with-filters';

/** A range, and its parts about an instant: until it and from it on, and those that end right before it or begin right after it. */
type Cut = Readonly<Record<'whole' | 'until' | 'from' | 'before' | 'after', CsvDownload>>;

type AtInstant = Awaited<ReturnType<typeof cutAtEvent>>;

/** Cuts the sample at one of its events, whose instant bounds tell; a range_start there is sent with offsets too. */
async function cutAtEvent({ exports }: World) {
  const knowledge = await exports.knowledge();
  const instant = await findEventInstant(exports, knowledge);
  const { start, end } = knowledge.window.sample;
  const { at, unit } = placeOf(knowledge, instant);
  const [here, ms] = [boundOf(at), Number(at / millisecond)];
  const [whole, until, from, before, after, equal, plain, ...withOffsets] = await Promise.all([
    exports.within({ start, end }),
    exports.within({ start, end: here }),
    exports.within({ start: here, end }),
    exports.within({ start, end: boundOf(at - unit) }),
    exports.within({ start: boundOf(at + unit), end }),
    exports.within({ start: here, end: here }),
    exports.within({ start: ms, end }),
    ...([0, 2] as const).map(async (hours) => ({
      offset: `+0${hours}:00` as const,
      file: await exports.within({ start: withOffset(ms, hours), end }),
    })),
  ]);
  const atEvent: Cut = { whole, until, from, before, after };
  const isExact = instant.kind === 'exact';
  const says = instant.kind === 'twice' ? () => boundDifference(instant) : undefined;
  const sums: readonly Sum[] = [
    ...sumsOf(atEvent, isExact ? [splits, startIncludes, endIncludes] : [splits], says),
    // What is in a range until an instant, and in one from there on, happened at that instant.
    {
      clauses: [equalBounds],
      what: whatIsEqual,
      own: equal,
      beside: whole,
      is: '=',
      of: [until, from],
    },
    ...(await sumsOfNoValue(exports, knowledge)),
  ];
  return { knowledge, instant, atEvent, equal, plain, withOffsets, sums };
}

const ranges = scenario({
  name: 'a range keeps what lies in it, the very instants of its bounds included',
  act: cutAtEvent,
  judges: {
    [startIncludes]: (evidence) => judgeBound('range_start', startIncludes, evidence),
    [endIncludes]: (evidence) => judgeBound('range_end', endIncludes, evidence),
    [equalBounds]: ({ equal, sums, knowledge }) => {
      expectServed(whatIsEqual, equal);
      judgeSums(equalBounds, sums, knowledge);
    },
    [splits]: ({ sums, knowledge }) => judgeSums(splits, sums, knowledge),
    [withFilters]: ({ sums, knowledge }) => {
      // Learning sent each value of a filter with the range of the window.
      for (const [filter, { others }] of knowledge.filters.known)
        if (others) expectNoOthers(filter, others, knowledge, 'beyond');
      judgeSums(withFilters, sums, knowledge);
      throw new NothingSeen();
    },
    ...judgesBy(ofCsv, ({ atEvent }: AtInstant) =>
      Object.values(atEvent).map(({ answer }) => answer),
    ),
  },
  observes: {
    'export.range-with-offset': ({ withOffsets, plain }) =>
      withOffsets.map(({ offset, file }) => ({ when: offset, outcome: outcomeOf(file, plain) })),
  },
});

/** `at`: where two ranges cut the sample. `unit`: how far from there ranges begin that exclude it. In nanoseconds. */
function placeOf({ window: { sample } }: Knowledge, instant: EventInstant) {
  const unit = instant.kind === 'exact' ? instant.unit : millisecond;
  // Where range_end excludes its own instant, ranges meet at the last range_end that leaves the event out.
  const isBefore = instant.kind === 'excluded' && instant.by.includes('range_end');
  // A bound that is read to seconds or minutes is a millisecond earlier in another one.
  const earlier = isBefore && instant.readTo ? millisecond : nanosecond;
  const at = isBefore ? instant.at - earlier : instant.at;
  // Both halves must be ranges: the place is moved off the very start and end of the sample.
  const first = BigInt(sample.start) * millisecond + unit;
  const last = BigInt(sample.end) * millisecond - unit;
  if (at < first) return { at: first, unit };
  return { at: at > last ? last : at, unit };
}

/** What the parts of a range add up to. @param clauses those of parts that are apart */
function sumsOf(
  { whole, until, from, before, after }: Cut,
  clauses: Sum['clauses'],
  says?: Sum['says'],
): Sum[] {
  const part = (how: string) => ({ what: `a range that ${how} an event`, of: [whole], says });
  return [
    { ...part('begins at'), clauses: [splits], own: from, beside: until, is: '≥' },
    { ...part('ends right before'), clauses, own: before, beside: from, is: '≤' },
    { ...part('begins right after'), clauses, own: after, beside: until, is: '≤' },
  ];
}

const whatIsEqual = 'a range_start equal to range_end';

/** Where learning found no value of any filter to send with the window: a value that no event has, with a range and without. */
async function sumsOfNoValue(
  exports: Exports,
  { filters: { known, impossible } }: Knowledge,
): Promise<Sum[]> {
  if ([...known.values()].some(({ values }) => values.length > 0)) return [];
  const filters = { auditee_id: [impossible] };
  const [own, anytime] = await Promise.all([
    exports.within({ filters }),
    exports.anytime({ filters }),
  ]);
  // A service may refuse a value that it does not know.
  if (own.table === undefined) return [];
  const says = (count: number) => other('returns events of no value beside a range', { count });
  return [{ clauses: [withFilters], what: 'a range', own, is: '≤', of: [anytime], says }];
}

/** The difference by which an event is excluded, lost or held twice at its own instant. @param bound the one to blame */
function boundDifference(
  { kind: found, by, readTo }: Extract<EventInstant, { by: unknown }>,
  bound: BoundName = by[0] ?? 'range_end',
): BoundDifference {
  return { kind: 'bound', bound, found, ...(readTo && { readTo }) };
}

/**
 * Judges by the instant of one event, and by what ranges add up to, whether a bound includes the instant that it names.
 * @throws Violation where this bound excludes, loses or doubles the event, Inconclusive where it may lie between two instants
 */
function judgeBound(
  bound: BoundName,
  clause: JudgedClause,
  { instant, atEvent, sums, knowledge }: AtInstant,
): void {
  const { whole, until, from, before, after } = atEvent;
  const own = bound === 'range_start' ? [from, after] : [until, before];
  const answersOf = (files: readonly CsvDownload[]) => files.map(({ answer }) => answer);
  const { shifted } = knowledge.columns;
  if (shifted?.hasOffsets) {
    // Dates with their offset are clear, and yet lie outside of the range that keeps them: it is read in another zone.
    const hours = shifted.byMs / hour;
    throw new Violation(
      other('reads a bound in another zone', { parameter: bound, hours }),
      answersOf([...own.slice(0, 1), knowledge.base.download]),
    );
  }
  if (instant.kind === 'unclear') {
    throw new Inconclusive(
      'Bounds are read to the millisecond, and no event was found on one: times may be kept more finely, or a bound excludes its own instant.',
      answersOf(own),
    );
  }
  if (instant.kind !== 'exact' && instant.by.includes(bound)) {
    const halves = [until, after];
    const cited = { lost: [...halves, whole], twice: halves, excluded: [...own, whole] };
    throw new Violation(boundDifference(instant, bound), answersOf(cited[instant.kind]));
  }
  judgeSums(clause, sums, knowledge);
}

/** What a range with an offset in its bound gave, compared with the same range with Z. */
function outcomeOf({ answer: { status }, table }: CsvDownload, plain: CsvDownload): ExportOutcome {
  if (table === undefined) return { status };
  if (table.rows.length === plain.table?.rows.length) return { status, gives: 'the same events' };
  return { status, gives: table.rows.length === 0 ? 'no events' : 'other events' };
}

const independentClause = 'export.range-bounds-are-independent';

/** A bound alone; where it is refused, with another bound too. */
interface Alone {
  readonly bound: BoundName;
  readonly alone: CsvDownload;
  readonly withAnother: CsvDownload | undefined;
}

type OpenRanges = Awaited<ReturnType<typeof leaveBoundsOut>>;

/** Asks for ranges without range_start, without range_end, and without both. */
async function leaveBoundsOut({ exports, now }: World) {
  const knowledge = await exports.knowledge();
  const { window, base } = knowledge;
  const filters = filterKeepingFew(knowledge);
  const [start, end] = await boundsAtEvent(exports, knowledge);
  const filtered = (range: ExportQuery) => filters && exports.anytime({ filters, ...range });
  const [sinceDawn, startInWindow, endInWindow, startAlone, endAlone, noRange] = await Promise.all([
    filtered({ start: dawn }),
    exports.within({ start }),
    exports.within({ end }),
    exports.anytime({ start }),
    exports.anytime({ end }),
    filtered({}),
  ]);
  const isRefused = ({ answer }: CsvDownload): boolean => mayBeTooLarge(answer);
  const [firstHalf, lastHalf, earlier, startAnd, endAnd] = await Promise.all([
    filtered({ end: window.middle }),
    filtered({ start: window.middle }),
    endAlone.table && exports.anytime({ end: window.start }),
    isRefused(startAlone) ? exports.anytime({ start, end: now() }) : undefined,
    isRefused(endAlone) ? exports.anytime({ start: dawn, end }) : undefined,
  ]);
  // Asked for after the export with range_end alone: events that are recorded meanwhile can only make it larger.
  const plain = endAlone.table?.rows.length
    ? await exports.csv({}, { like: base.table })
    : undefined;
  const among = wholeOf(knowledge);
  // Where two events look alike, one from outside the window may be like one of the window.
  const areAlike = [...entriesIn(among).values()].some(({ times }) => times > 1);
  const clauses = [independentClause] as const;
  const inWindow = { clauses, among, is: areAlike ? '≥' : '=' } as const;
  const endAtLeast = { clauses, what: 'range_end alone', is: '≥' } as const;
  const what = 'an export without a range, compared with one of all times';
  const bounds: readonly [start: Alone, end: Alone] = [
    { bound: 'range_start', alone: startAlone, withAnother: startAnd },
    { bound: 'range_end', alone: endAlone, withAnother: endAnd },
  ];
  const sums: readonly Sum[] = [
    { ...inWindow, what: 'range_start alone', own: served(startAlone), of: [startInWindow] },
    { ...inWindow, what: 'range_end alone', own: served(endAlone), of: [endInWindow] },
    { clauses, what, own: served(noRange), is: '≥', of: [sinceDawn] },
    { ...endAtLeast, own: served(endAlone), of: [earlier] },
    // The window was found by exports with a range_end: it lacks what each of these lacks.
    { ...endAtLeast, own: served(firstHalf), beside: lastHalf, of: [noRange] },
  ];
  return { knowledge, bounds, sums, plain };
}

const openRanges = scenario({
  name: 'a range_start without range_end, the other way round, and neither of them',
  act: leaveBoundsOut,
  judges: {
    'export.parameters-are-optional': expectServedAlone,
    [independentClause]: (evidence) => {
      expectServedAlone(evidence);
      judgeSums(independentClause, evidence.sums, evidence.knowledge);
      expectNoFewer(evidence);
      if (evidence.knowledge.base.table.rows.length === 0) throw noEvents();
    },
    ...judgesBy(ofCsv, ({ bounds }: OpenRanges) =>
      bounds.flatMap((one) => (isTooLarge(one) ? [] : [one.alone.answer])),
    ),
  },
  observes: {
    'limits.csv-size': ({ bounds }) =>
      bounds.some(isTooLarge) ? [{ refusesMoreWith: bounds[1].alone.answer.status }] : [],
  },
});

/** The export, unless it was refused: then other clauses are broken, or the size of a CSV is limited, which is open. */
function served(download: CsvDownload | undefined): CsvDownload | undefined {
  return download?.table && download;
}

/** Whether the range of one bound is refused with both bounds too: its file is too large. The size of a CSV is open. */
function isTooLarge({ withAnother }: Alone): boolean {
  return withAnother !== undefined && mayBeTooLarge(withAnother.answer);
}

/** @throws Violation where a bound alone is refused, and the same bound is served with another one */
function expectServedAlone({ bounds }: OpenRanges): void {
  for (const { bound, alone, withAnother } of bounds) {
    if (alone.answer.status === 200 || withAnother?.answer.status !== 200) continue;
    throw unlikeStatus(`${bound} alone`, '200', alone.answer, { on: [withAnother.answer] });
  }
}

/**
 * Bounds at the instant of an event late in the window, which show a service that excludes it only with both bounds given.
 * Where the instant is unclear: the earliest range_start and the latest range_end that leave the event out.
 */
async function boundsAtEvent(exports: Exports, knowledge: Knowledge): Promise<[Bound, Bound]> {
  const { window, base } = knowledge;
  if (base.table.rows.length === 0) return [window.middle, window.middle];
  const { kind, at } = await findEventInstant(exports, knowledge);
  return [boundOf(at), boundOf(kind === 'unclear' ? at - units.millisecond : at)];
}

/** @throws Violation where an export without any parameter holds fewer events than one with range_end alone */
function expectNoFewer({ bounds: [, { alone: until }], plain }: OpenRanges): void {
  if (!plain?.table || !until.table || nonCsvType(plain.answer.text) !== undefined) return;
  const [expected, actual] = [until.table.rows.length, plain.table.rows.length];
  if (actual >= expected) return;
  const counts = { expected: `${expected}`, actual: `${actual}` };
  const on = [plain.answer, until.answer];
  throw new Violation(other('returns fewer events without parameters', counts), on);
}

/** Among this number of events some have no auditee_id or no metadata: a service that loses these is found out. */
const enoughForEmptyValues = 60;

/** A filter by one value that keeps `enoughForEmptyValues` events, and as few more as possible; or else the most of all. */
function filterKeepingFew({ filters: { known } }: Knowledge): FilterSet | undefined {
  const single = [...known].flatMap(([filter, { values }]) =>
    values.map(({ value, events: { size } }) => ({ filter, value, size })),
  );
  const ofKinds = single.filter(({ filter }) => namedLists.some((list) => list === filter));
  const smallestFirst = (ofKinds.length > 0 ? ofKinds : single).sort((a, b) => a.size - b.size);
  const chosen =
    smallestFirst.find(({ size }) => size >= enoughForEmptyValues) ?? smallestFirst.at(-1);
  return chosen && { [chosen.filter]: [chosen.value] };
}

export const rangeScenarios = [ranges, openRanges];
