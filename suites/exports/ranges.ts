import { hour } from '../../helpers/dates/time-zones.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { Inconclusive, NothingSeen, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import type { BoundDifference } from '../../schemas/difference.ts';
import type { ExportOutcome } from '../../schemas/observations.ts';
import { judgesBy, ofCsv } from '../answers.ts';
import {
  type BoundName,
  boundOf,
  type EventInstant,
  findEventInstant,
  units,
} from './event-instants.ts';
import { withOffset } from './range-levels.ts';
import { expectServed } from './relations.ts';
import { judgeSums, type Sum } from './sums.ts';

const { millisecond, nanosecond } = units;

const startIncludes = 'export.range-start-includes-its-instant';
const endIncludes = 'export.range-end-includes-its-instant';
const equalBounds = 'export.range-start-equal-to-end';
const splits = 'export.ranges-split-without-loss';
const withFilters = 'export.range-combines-with-filters';

/** A range, and its parts about an instant: until it and from it on, and those that end right before it or begin right after it. */
type Cut = Readonly<Record<'whole' | 'until' | 'from' | 'before' | 'after', CsvDownload>>;

interface AtInstant {
  readonly knowledge: Knowledge;
  /** What bounds say of when one event of the sample happened. */
  readonly instant: EventInstant;
  readonly atEvent: Cut;
  readonly sums: readonly Sum[];
  /** A range that begins and ends at the event. */
  readonly equal: CsvDownload;
  /** A range_start as the document writes it, and the same instant with an offset. */
  readonly plain: CsvDownload;
  readonly withOffsets: readonly { readonly offset: Offset; readonly file: CsvDownload }[];
}

const offsets = [
  ['+00:00', 0],
  ['+02:00', 2],
] as const;
type Offset = (typeof offsets)[number][0];

const ranges = scenario({
  name: 'a range keeps what lies in it, the very instants of its bounds included',
  async act({ exports }): Promise<AtInstant> {
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
      ...offsets.map(async ([offset, hours]) => ({
        offset,
        file: await exports.within({ start: withOffset(ms, hours), end }),
      })),
    ]);
    const atEvent = { whole, until, from, before, after };
    const isExact = instant.kind === 'exact';
    const says = instant.kind === 'twice' ? () => boundDifference(instant) : undefined;
    const sums = [
      ...sumsOf(atEvent, isExact ? [splits, startIncludes, endIncludes] : [splits], says),
      sumOfEqual(equal, atEvent),
      ...(await sumsOfNoValue(exports, knowledge)),
    ];
    return { knowledge, instant, atEvent, equal, plain, withOffsets, sums };
  },
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
      const { beyondWindow } = knowledge.filters;
      if (beyondWindow !== undefined) throw violationBeyondRange(beyondWindow);
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
  const part = (how: string) => ({ what: `a range that ${how} an event`, of: [whole] }) as const;
  const [begins, ends, beginsAfter] = [
    part('begins at'),
    part('ends right before'),
    part('begins right after'),
  ];
  return [
    { ...begins, clauses: [splits], own: from, beside: until, is: '≥', says },
    { ...ends, clauses, own: before, beside: from, is: '≤', says },
    { ...beginsAfter, clauses, own: after, beside: until, is: '≤', says },
  ];
}

const whatIsEqual = 'a range_start equal to range_end';

/** What is in a range until an instant, and in one from there on, happened at that instant. */
function sumOfEqual(own: CsvDownload, { whole, until, from }: Cut): Sum {
  const clauses = [equalBounds] as const;
  return { clauses, what: whatIsEqual, own, beside: whole, is: '=', of: [until, from] };
}

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
  const says = (count: number) =>
    ({ kind: 'other', wrong: 'returns events of no value beside a range', count }) as const;
  return [{ clauses: [withFilters], what: 'a range', own, is: '≤', of: [anytime], says }];
}

/** The difference by which an event is excluded, lost or held twice at its own instant. @param bound the one to blame */
function boundDifference(
  { kind: found, by, readTo }: Extract<EventInstant, { by: unknown }>,
  bound: BoundName = by[0] ?? 'range_end',
): BoundDifference {
  return { kind: 'bound', bound, found, ...(readTo && { readTo }) };
}

function violationBeyondRange({ query, answer }: CsvDownload): Violation {
  const [parameter = ''] = Object.keys(query.filters ?? {});
  const wrong = 'returns events from outside the range';
  return new Violation({ kind: 'other', wrong, parameter }, [answer]);
}

/**
 * Judges by the instant of one event, and by what ranges add up to, whether a bound includes the instant that it names.
 * @throws Violation where this bound is to blame that the event is excluded, lost or held twice: see `EventInstant`
 * @throws Inconclusive where the event may lie between two instants that a bound can name
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
      { kind: 'other', wrong: 'reads a bound in another zone', parameter: bound, hours },
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
  const isSame = table.count === plain.table?.count;
  return { status, gives: isSame ? 'the same events' : 'other events' };
}

export const rangeScenarios = [ranges];
