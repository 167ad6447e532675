import { day, hour } from '../../helpers/dates/time-zones.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
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

const { millisecond, nanosecond, second } = units;

const startIncludes = 'export.range-start-includes-its-instant';
const endIncludes = 'export.range-end-includes-its-instant';
const equalBounds = 'export.range-start-equal-to-end';
const splits = 'export.ranges-split-without-loss';
const boundsAreInstants = 'export.range-bounds-are-instants';
const withFilters = 'export.range-combines-with-filters';

interface AtInstant extends RangeTable {
  /** What bounds say of when one event of the sample happened: most ranges begin or end there. */
  readonly instant: EventInstant;
}

const ranges = scenario({
  name: 'a range keeps what lies in it, the very instants of its bounds included, however these are written',
  async act({ exports }): Promise<AtInstant> {
    const knowledge = await exports.knowledge();
    const instant = await findEventInstant(exports, knowledge);
    const place = placeOf(knowledge, instant);
    const rows = await askRanges(exports, [
      ...rangesAt(knowledge, instant, place),
      ...rangesAtMidnight(knowledge, place),
      ...rangesAsWritten(knowledge, instant),
      ...rangesOfNoValue(knowledge),
    ]);
    return { knowledge, instant, rows, unit: place.unit };
  },
  judges: {
    [startIncludes]: (evidence) => judgeBound('range_start', startIncludes, evidence),
    [endIncludes]: (evidence) => judgeBound('range_end', endIncludes, evidence),
    [equalBounds]: (evidence) => judgeRanges(equalBounds, evidence),
    [splits]: (evidence) => judgeRanges(splits, evidence),
    [boundsAreInstants]: (evidence) => judgeRanges(boundsAreInstants, evidence),
    [withFilters]: (evidence) => {
      // Learning sent each value of a filter with the range of the window.
      const { beyondWindow } = evidence.knowledge.filters;
      if (beyondWindow !== undefined) throw violationBeyondRange(beyondWindow);
      judgeRanges(withFilters, evidence);
      throw new NothingSeen();
    },
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
 * Rows that cut the sample in two at the instant of an event; and at one that a service which drops zeros at its end and
 * compares texts takes for another: .07Z for later than .071Z.
 */
function rangesAt(
  { window, columns, asLearned }: Knowledge,
  instant: EventInstant,
  { at, unit }: Place,
): RangeRow[] {
  const { start, end } = window.sample;
  const [here, before, after] = [boundOf(at), boundOf(at - unit), boundOf(at + unit)];
  const isExact = instant.kind === 'exact';
  const clauses = isExact ? ([splits, startIncludes, endIncludes] as const) : ([splits] as const);
  const says = instant.kind === 'twice' ? () => boundDifference(instant) : undefined;
  const half = (name: string, how: string, ask: ExportQuery): RangeRow => {
    return { name, what: `a range that ${how} an event`, ask, clauses, says };
  };
  const { instants = [] } = (asLearned?.columns ?? columns).times ?? {};
  const endsInZero = (ms: number) => ms > start && ms < end && ms % 10 === 0 && ms % 1000 !== 0;
  const zero = isExact && unit === millisecond ? instants.find(endsInZero) : undefined;
  return [
    { name: 'whole', ask: { start, end } },
    { name: 'until the instant', ask: { start, end: here } },
    { ...half('from the instant', 'begins at', { start: here, end }), clauses: [splits] },
    half('before the instant', 'ends right before', { start, end: before }),
    half('after the instant', 'begins right after', { start: after, end }),
    {
      what: 'a range_start equal to range_end',
      ask: { start: here, end: here },
      clauses: [equalBounds],
      served: 'always',
    },
    { ask: zero === undefined ? zero : { start, end: zero } },
    {
      what: 'a range that begins right after an event',
      ask: zero === undefined ? zero : { start: zero + 1, end },
      clauses: [startIncludes, splits],
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
 * Rows with bounds at the midnight before an event, for a service that reads such a bound as the whole day. In the sample
 * they are compared with the rows about that event.
 */
function rangesAtMidnight({ window }: Knowledge, { at }: Place): RangeRow[] {
  const midnight = Math.floor(Number((at - millisecond) / millisecond) / day) * day;
  if (midnight <= window.start) return [];
  const isInSample = midnight > window.sample.start;
  const start = isInSample ? window.sample.start : Math.max(window.start, midnight - day / 2);
  const { end } = window.sample;
  const rightAfter = [{ ask: { start, end: midnight + 1 } }, { ask: { start: midnight + 1, end } }];
  const lastOfDay = 'a range that ends with the last millisecond of a day';
  const [inStart, inEnd] = [[startIncludes], [endIncludes]] as const;
  return [
    ...(isInSample ? [] : rightAfter),
    { ask: { start: midnight - 1, end } },
    { what: 'a range that ends at midnight', ask: { start, end: midnight }, clauses: inEnd },
    { what: lastOfDay, ask: { start, end: midnight - 1 }, clauses: inEnd },
    { what: 'a range that begins at midnight', ask: { start: midnight, end }, clauses: inStart },
  ];
}

/**
 * Rows with bounds in several notations, about the instant of an event and the whole second before it: for a service
 * that compares them as texts, takes them for local times, takes `.7` for 7 milliseconds, or drops fractions.
 */
function rangesAsWritten({ window: { sample } }: Knowledge, { at }: EventInstant): RangeRow[] {
  const atSecond = Number(at / second) * 1000;
  const [text, twoHoursOn] = [atSecond, atSecond + 2 * hour].map((ms) =>
    new Date(ms).toISOString().slice(0, 19),
  );
  // The sample may begin or end within the second of the event.
  const start = Math.min(sample.start, atSecond);
  const end = Math.max(sample.end, atSecond + 1000);
  const from = (fraction: string) => ({ start: `${text}${fraction}`, end });
  const until = (fraction: string) => ({ start, end: `${text}${fraction}` });
  const clauses = [boundsAreInstants] as const;
  const row = (what: string, ask: ExportQuery, served: 'always' | 'unless 400' | 'perhaps') => ({
    what,
    ask,
    clauses,
    served,
  });
  const shortStart = 'a range begun without fractional digits';
  const inSecond = { start: `${text}Z`, end: `${text}.999Z` };
  const ms = Number((at % second) / millisecond);
  // A tenth and a hundredth of a second after the event: as milliseconds they would be before it.
  const tenth = Math.min(9, Math.floor(ms / 100) + 1);
  const hundredth = `${Math.min(99, Math.floor(ms / 10) + 1)}`.padStart(2, '0');
  const three = `${ms}`.padStart(3, '0');
  // To a service that keeps microseconds, “.123Z” may be all of that millisecond, and “.123000000Z” its beginning.
  const nextMs = new Date(Number(at / millisecond) + 1).toISOString().slice(0, -1);
  return [
    {
      name: 'from the second',
      what: 'a range_start of a whole second',
      ask: { start: atSecond, end },
      clauses,
    },
    { what: 'a range_end of a whole second', ask: { start, end: atSecond }, clauses },
    row('a bound without fractional digits', from('Z'), 'always'),
    row('a bound without fractional digits', until('Z'), 'always'),
    // As texts, “:05Z” comes after “:05.999Z”; so it does for a service that takes “:05Z” for a time in New York.
    { ...row(shortStart, inSecond, 'always'), name: 'within the second' },
    {
      name: 'in another zone',
      ask: { ...inSecond, timezone: 'America/New_York' },
      served: 'perhaps',
    },
    {
      ...row('a bound with +00:00 in place of Z', from('.000+00:00'), 'perhaps'),
      name: 'with +00:00',
    },
    { name: 'with +02:00', ask: { start: `${twoHoursOn}.000+02:00`, end }, served: 'perhaps' },
    row('a bound with six fractional digits', from(`.${three}000Z`), 'unless 400'),
    row('a bound with nine fractional digits', { start, end: `${nextMs}000000Z` }, 'unless 400'),
    row('a bound with one fractional digit', from(`.${tenth}Z`), 'unless 400'),
    row('a bound with two fractional digits', until(`.${hundredth}Z`), 'unless 400'),
  ];
}

/** Rows of an auditee_id that no event has, where learning found no value of any filter to send with the window. */
function rangesOfNoValue({ filters: { known, impossible } }: Knowledge): RangeRow[] {
  if ([...known.values()].some(({ values }) => values.length > 0)) return [];
  const ask = { filters: { auditee_id: [impossible] } };
  return [
    { ask, isAnytime: true, served: 'perhaps' },
    {
      ask,
      clauses: [withFilters],
      served: 'perhaps',
      says: (count) => ({
        kind: 'other',
        wrong: 'returns events of no value beside a range',
        count,
      }),
    },
  ];
}

function violationBeyondRange({ query, answer }: CsvDownload): Violation {
  const [parameter = ''] = Object.keys(query.filters ?? {});
  const wrong = 'returns events from outside the range';
  return new Violation({ kind: 'other', wrong, parameter }, [answer]);
}

/**
 * Judges by all rows, and by the instant of one event, whether a bound includes the instant that it names.
 * @throws Violation where this bound is to blame that the event is excluded, lost or held twice: see `EventInstant`
 * @throws Inconclusive where the event may lie between two instants that a bound can name
 */
function judgeBound(
  bound: BoundName,
  clause: typeof startIncludes | typeof endIncludes,
  evidence: AtInstant,
): void {
  const { instant, rows, knowledge } = evidence;
  const { shifted } = knowledge.columns;
  const own =
    bound === 'range_start'
      ? ['from the instant', 'after the instant']
      : ['until the instant', 'before the instant'];
  if (shifted?.hasOffsets) {
    // Dates with their offset are clear, and yet lie outside of the range that keeps them: it is read in another zone.
    const hours = shifted.byMs / hour;
    throw new Violation(
      { kind: 'other', wrong: 'reads a bound in another zone', parameter: bound, hours },
      [...answersOf(rows, own.slice(0, 1)), knowledge.base.download.answer],
    );
  }
  if (instant.kind === 'unclear') {
    throw new Inconclusive(
      'Bounds are read to the millisecond, and no event was found on one: times may be kept more finely, or a bound excludes its own instant.',
      answersOf(rows, own),
    );
  }
  if (instant.kind !== 'exact' && instant.by.includes(bound)) {
    const halves = ['until the instant', 'after the instant'];
    const rowsToCite = { lost: [...halves, 'whole'], twice: halves, excluded: [...own, 'whole'] };
    throw new Violation(boundDifference(instant, bound), answersOf(rows, rowsToCite[instant.kind]));
  }
  judgeRanges(clause, evidence);
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
