import { day, hour } from '../../helpers/dates/time-zones.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import type { TimeRange } from '../../helpers/exports/window.ts';
import { Inconclusive, NothingSeen, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
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
import {
  answersOf,
  askRanges,
  filesOf,
  judgeRanges,
  type RangeRow,
  type RangeTable,
} from './range-rows.ts';
import { expectSameEvents } from './relations.ts';

const { millisecond, nanosecond } = units;

const startIncludes = 'export.range-start-includes-its-instant';
const endIncludes = 'export.range-end-includes-its-instant';
const equalBounds = 'export.range-start-equal-to-end';
const splits = 'export.ranges-split-without-loss';
const boundsAreInstants = 'export.range-bounds-are-instants';

interface AtInstant extends RangeTable {
  /** What bounds say of when one event of the sample happened: most ranges begin or end there. */
  readonly instant: EventInstant;
}

const ranges = scenario({
  name: 'a range keeps what lies in it, the very instants of its bounds included, however these are written',
  async act({ exports }): Promise<AtInstant> {
    const knowledge = await exports.knowledge();
    const instant = await findEventInstant(exports, knowledge);
    const rows = await askRanges(exports, [
      ...rangesAt(knowledge, instant),
      ...rangesAtMidnight(knowledge, placeOf(knowledge, instant)),
      ...rangesAsWritten(knowledge, instant),
    ]);
    return { knowledge, instant, rows };
  },
  judges: {
    [startIncludes]: (evidence) => judgeBound('range_start', startIncludes, evidence),
    [endIncludes]: (evidence) => judgeBound('range_end', endIncludes, evidence),
    [equalBounds]: (evidence) => judgeRanges(equalBounds, evidence),
    [splits]: (evidence) => judgeRanges(splits, evidence),
    [boundsAreInstants]: (evidence) => judgeRanges(boundsAreInstants, evidence),
    'export.timezone-keeps-the-events': ({ rows, knowledge }) => {
      const [inUtc, zoned] = filesOf(rows, ['within the second', 'in another zone']);
      // Refusals of bounds and of zones have clauses of their own.
      if (!inUtc?.table || !zoned || zoned.answer.status >= 400) throw new NothingSeen();
      const what = 'a range begun without fractional digits, with timezone=America/New_York';
      expectSameEvents(what, zoned.beside ?? inUtc, zoned, knowledge.columns);
    },
    ...judgesBy(ofCsv, ({ rows }: AtInstant) =>
      rows.flatMap(({ file, served }) => (file && served === undefined ? file.answer : [])),
    ),
  },
  observes: {
    'export.range-with-offset': ({ rows }) =>
      (['+00:00', '+02:00'] as const).map((offset) => ({
        when: offset,
        outcome: outcomeOf(rows, `with ${offset}`),
      })),
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

type Place = ReturnType<typeof placeOf>;

/**
 * Rows that cut the sample in two at the instant of an event, T: the ranges up to T and from T on together hold every
 * event, those of T twice; a range that ends at T and one that begins right after T together hold none twice.
 */
function rangesAt(knowledge: Knowledge, instant: EventInstant): RangeRow[] {
  const { at, unit } = placeOf(knowledge, instant);
  const { start, end } = knowledge.window.sample;
  const [here, before, after] = [boundOf(at), boundOf(at - unit), boundOf(at + unit)];
  const clauses: RangeRow['clauses'] =
    instant.kind === 'exact' ? [splits, startIncludes, endIncludes] : [splits];
  const halves = { what: 'the two halves of a range together', clauses };
  const says = instant.kind === 'twice' ? boundDifference(instant) : undefined;
  return [
    { name: 'whole', ask: { start, end } },
    { name: 'until the instant', ask: { start, end: here } },
    { name: 'before the instant', ask: { start, end: before } },
    { name: 'from the instant', ask: { start: here, end } },
    { name: 'after the instant', ask: { start: after, end } },
    {
      name: 'exactly the instant',
      ask: { start: here, end: here },
      clauses: [equalBounds],
      what: 'a range_start equal to range_end',
      served: 'always',
      as: ['until the instant', 'from the instant'],
      less: ['whole'],
      how: 'all',
    },
    {
      ...halves,
      clauses: [splits],
      together: ['until the instant', 'from the instant'],
      least: ['whole'],
    },
    { ...halves, says, together: ['until the instant', 'after the instant'], most: ['whole'] },
    { ...halves, says, together: ['before the instant', 'from the instant'], most: ['whole'] },
    ...(instant.kind === 'exact' && unit === millisecond ? rangesAtZero(knowledge) : []),
  ];
}

/** Rows for a service that writes .070 as .07Z and compares instants as texts: .07Z is later than .071Z. */
function rangesAtZero({ window, columns, asLearned }: Knowledge): RangeRow[] {
  const { start, end } = window.sample;
  const { instants = [] } = (asLearned?.columns ?? columns).times ?? {};
  const isZero = (at: number) => at > start && at < end && at % 10 === 0 && at % 1000 !== 0;
  const zero = instants.find(isZero);
  if (zero === undefined) return [];
  return [
    { name: 'until a zero', ask: { start, end: zero } },
    { name: 'after a zero', ask: { start: zero + 1, end } },
    {
      what: 'the two halves of a range together',
      clauses: [startIncludes, splits],
      together: ['until a zero', 'after a zero'],
      most: ['whole'],
    },
  ];
}

/** The difference by which an event is excluded, lost or held twice at its own instant. @param bound the one to blame */
function boundDifference(
  { kind: found, by, readTo }: Extract<EventInstant, { by: unknown }>,
  bound: BoundName = by[0] ?? 'range_end',
): BoundDifference {
  return { kind: 'bound', bound, found, ...(readTo && { readTo }) };
}

/**
 * Rows with bounds at midnight, for a service that reads such a bound as the whole day. The midnight is that before the
 * event in the sample, if it lies in the sample; else the last one of the window. [] where the window holds none.
 */
function rangesAtMidnight({ window }: Knowledge, { at, unit }: Place): RangeRow[] {
  const { sample } = window;
  const beforeEvent = Math.floor(Number((at - millisecond) / millisecond) / day) * day;
  const isInSample = beforeEvent > sample.start;
  const midnight = isInSample ? beforeEvent : Math.floor(window.end / day) * day;
  if (midnight <= window.start) return [];
  const { start, end }: TimeRange = isInSample
    ? sample
    : {
        start: Math.max(window.start, midnight - day / 2),
        end: Math.min(window.end, midnight + day / 2),
      };
  const justAfter = Math.min(midnight + 1, end);
  const [soon, later] = isInSample ? [boundOf(at - unit), boundOf(at)] : [justAfter, justAfter];
  const untilMidnight = { clauses: [endIncludes], what: 'a range that ends at midnight' } as const;
  return [
    { name: 'soon after midnight', ask: { start, end: soon } },
    {
      name: 'until midnight',
      ask: { start, end: midnight },
      ...untilMidnight,
      most: ['soon after midnight'],
    },
    {
      ask: { start, end: midnight - 1 },
      ...untilMidnight,
      what: 'a range that ends with the last millisecond of a day',
      most: ['until midnight'],
    },
    { name: 'from before midnight', ask: { start: midnight - 1, end } },
    { name: 'from later than midnight', ask: { start: later, end } },
    {
      ask: { start: midnight, end },
      clauses: [startIncludes],
      what: 'a range that begins at midnight, compared with a longer and a shorter one',
      least: ['from later than midnight'],
      most: ['from before midnight'],
    },
  ];
}

/** Makes bounds about one whole second in any notation: `from('.5Z')` is half a second later, up to `end`. */
interface Notations {
  readonly from: (fraction: string) => ExportQuery;
  readonly until: (fraction: string) => ExportQuery;
}

/**
 * Rows with bounds in several notations, about the instant of an event and the whole second before it: for a service
 * that compares them as texts, takes them for local times, takes `.7` for 7 milliseconds, or drops fractions.
 */
function rangesAsWritten(knowledge: Knowledge, instant: EventInstant): RangeRow[] {
  const { sample } = knowledge.window;
  const { at, unit } = placeOf(knowledge, instant);
  const atSecond = Number(instant.at / units.second) * 1000;
  const [second, twoHoursOn] = [atSecond, atSecond + 2 * hour].map((ms) =>
    new Date(ms).toISOString().slice(0, 19),
  );
  // The sample may begin or end within the second of the event.
  const start = Math.min(sample.start, atSecond);
  const end = Math.max(sample.end, atSecond + 1000);
  const notations: Notations = {
    from: (fraction) => ({ start: `${second}${fraction}`, end }),
    until: (fraction) => ({ start, end: `${second}${fraction}` }),
  };
  const inSecond = { start: `${second}Z`, end: `${second}.999Z` };
  const atTwoHoursOn = { start: `${twoHoursOn}.000+02:00`, end };
  const isInMs = instant.kind === 'exact' && unit === millisecond && at % millisecond === 0n;
  const isInSample = start === sample.start && end === sample.end && at === instant.at;
  const ms = Number((instant.at % units.second) / millisecond);
  return [
    ...rangesOfSecond(notations),
    // As texts, “:05Z” comes after “:05.999Z”; so it does for a service that takes “:05Z” for a time in New York.
    mustBeServed({
      name: 'within the second',
      ask: inSecond,
      what: 'a range begun without fractional digits',
    }),
    {
      name: 'in another zone',
      ask: { ...inSecond, timezone: 'America/New_York' },
      served: 'perhaps',
    },
    { name: 'with +02:00', ask: atTwoHoursOn, served: 'perhaps' },
    ...(isInMs && isInSample && ms > 0 ? rangesWithDigits(ms, notations) : []),
  ];
}

const mustBeServed = (row: RangeRow): RangeRow => ({
  clauses: [boundsAreInstants],
  served: 'always',
  ...row,
});

/** Rows about the whole second, with and without fractional digits; and with an offset in place of Z, which is open. */
function rangesOfSecond({ from, until }: Notations): RangeRow[] {
  const [fromSecond, untilSecond] = [['from the second'], ['until the second']];
  const what = 'a bound without fractional digits';
  return [
    { name: 'from the second', ask: from('.000Z') },
    { name: 'until the second', ask: until('.000Z') },
    mustBeServed({ ask: from('Z'), what, as: fromSecond }),
    mustBeServed({ ask: until('Z'), what, as: untilSecond }),
    {
      name: 'with +00:00',
      ask: from('.000+00:00'),
      clauses: [boundsAreInstants],
      served: 'perhaps',
      what: 'a bound with +00:00 in place of Z',
      as: fromSecond,
    },
  ];
}

/**
 * Rows with other numbers of fractional digits than the document's three, which a service may refuse.
 * @param ms the milliseconds after the second at which the event happened
 */
function rangesWithDigits(ms: number, { from, until }: Notations): RangeRow[] {
  const [tenth, hundredth] = [Math.floor(ms / 100) + 1, Math.floor(ms / 10) + 1];
  const six = `.${`${ms}`.padStart(3, '0')}000`;
  const [fromInstant, untilInstant] = [['from the instant'], ['until the instant']];
  const rows: RangeRow[] = [
    {
      together: ['from the second'],
      what: 'a range_start of a whole second',
      least: fromInstant,
      most: ['whole'],
    },
    {
      together: ['until the second'],
      what: 'a range_end of a whole second',
      most: ['before the instant'],
    },
    { ask: from(`${six}Z`), what: 'a bound with six fractional digits', as: fromInstant },
    { ask: until(`${six}000Z`), what: 'a bound with nine fractional digits', as: untilInstant },
    {
      ask: tenth < 10 && ms > 10 ? from(`.${tenth}Z`) : undefined,
      what: 'a bound with one fractional digit',
      most: ['after the instant'],
    },
    {
      ask: hundredth < 100 && ms > 12 ? until(`.${`${hundredth}`.padStart(2, '0')}Z`) : undefined,
      what: 'a bound with two fractional digits',
      least: untilInstant,
      most: ['whole'],
    },
  ];
  return rows.map((row) => ({ ...row, clauses: [boundsAreInstants], served: 'unless 400' }));
}

/** Judges by all rows, and by the instant of one event, whether a bound includes the instant that it names. */
function judgeBound(
  bound: BoundName,
  clause: typeof startIncludes | typeof endIncludes,
  evidence: AtInstant,
): void {
  const { columns, base } = evidence.knowledge;
  const { shifted } = columns;
  const own =
    bound === 'range_start'
      ? ['from the instant', 'after the instant']
      : ['until the instant', 'before the instant'];
  if (shifted?.hasOffsets) {
    // Dates with their offset are clear, and yet lie outside of the range that keeps them: it is read in another zone.
    const hours = shifted.byMs / hour;
    throw new Violation(
      { kind: 'other', wrong: 'reads a bound in another zone', parameter: bound, hours },
      [...answersOf(evidence.rows, own.slice(0, 1)), base.download.answer],
    );
  }
  expectIncluded(bound, own, evidence);
  judgeRanges(clause, evidence);
}

/**
 * Judges by one event whether a bound includes the instant that it names.
 * @param own the names of the rows with this bound at the instant of the event, and right beside it
 * @throws Violation where this bound is to blame that the event is excluded, lost or held twice: see `EventInstant`
 * @throws Inconclusive where the event may lie between two instants that a bound can name
 */
function expectIncluded(
  bound: BoundName,
  own: readonly string[],
  { instant, rows }: AtInstant,
): void {
  if (instant.kind === 'exact') return;
  if (instant.kind === 'unclear') {
    throw new Inconclusive(
      'Bounds are read to the millisecond, and no event was found on one: times may be kept more finely, or a bound excludes its own instant.',
      answersOf(rows, own),
    );
  }
  if (!instant.by.includes(bound)) return;
  const halves = ['until the instant', 'after the instant'];
  const rowsToCite = { lost: [...halves, 'whole'], twice: halves, excluded: [...own, 'whole'] };
  throw new Violation(boundDifference(instant, bound), answersOf(rows, rowsToCite[instant.kind]));
}

/** What the row `name`, with an offset in its bound, gave, compared with the row of the same instant with Z. */
function outcomeOf(rows: readonly RangeRow[], name: string): ExportOutcome {
  const [expected, actual] = filesOf(rows, ['from the second', name]);
  const status = actual?.answer.status ?? 0;
  if (actual?.table === undefined) return { status };
  const isSame = actual.table.count === expected?.table?.count;
  return { status, gives: isSame ? 'the same events' : 'other events' };
}

export const rangeScenarios = [ranges];
