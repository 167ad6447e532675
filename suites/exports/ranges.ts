import { day, hour } from '../../helpers/dates/time-zones.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { TimeRange } from '../../helpers/exports/window.ts';
import { Inconclusive, NothingSeen, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import type { ExportOutcome } from '../../schemas/observations.ts';
import { judgesBy, ofCsv } from '../answers.ts';
import {
  type BoundName,
  boundOf,
  type EventInstant,
  findEventInstant,
  instantEndingInZero,
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
const isInstant = 'export.range-start-equal-to-end';
const splits = 'export.ranges-split-without-loss';
const areInstants = 'export.range-bounds-are-instants';

interface AtInstant extends RangeTable {
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
    [isInstant]: (evidence) => judgeRanges(isInstant, evidence),
    [splits]: (evidence) => judgeRanges(splits, evidence),
    [areInstants]: (evidence) => judgeRanges(areInstants, evidence),
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

/** Where ranges of the sample meet, and how far from there the next ones begin and end, both in nanoseconds. */
function placeOf({ window: { sample } }: Knowledge, instant: EventInstant) {
  const unit = instant.kind === 'exact' ? instant.unit : millisecond;
  // The last range_end that leaves the event out shows that it does.
  const isBefore = instant.kind === 'excluded' && instant.by.includes('range_end');
  const step = isBefore ? (instant.readTo ? millisecond : nanosecond) : 0n;
  // One at the very start or end of the sample is moved.
  const first = BigInt(sample.start) * millisecond + unit;
  const last = BigInt(sample.end) * millisecond - unit;
  const at = instant.at - step;
  return { at: at < first ? first : at > last ? last : at, unit };
}

type Place = ReturnType<typeof placeOf>;

/** What ends at an instant and what begins there hold all events, and those at the instant twice. */
function rangesAt(knowledge: Knowledge, instant: EventInstant): RangeRow[] {
  const { at, unit } = placeOf(knowledge, instant);
  const { start, end } = knowledge.window.sample;
  const [here, before, after] = [boundOf(at), boundOf(at - unit), boundOf(at + unit)];
  const what = 'the two halves of a range together';
  const clauses: RangeRow['clauses'] =
    instant.kind === 'exact' ? [splits, startIncludes, endIncludes] : [splits];
  const isInMs = instant.kind === 'exact' && unit === millisecond;
  const zero = isInMs ? instantEndingInZero(knowledge) : undefined;
  const isTwice = instant.kind === 'twice';
  const [bound = 'range_end'] = isTwice ? instant.by : [];
  const says = isTwice ? ({ kind: 'bound', bound, found: 'twice' } as const) : undefined;
  return [
    { name: 'whole', ask: { start, end } },
    { name: 'until the instant', ask: { start, end: here } },
    { name: 'before the instant', ask: { start, end: before } },
    { name: 'from the instant', ask: { start: here, end } },
    { name: 'after the instant', ask: { start: after, end } },
    {
      name: 'exactly the instant',
      ask: { start: here, end: here },
      clauses: [isInstant],
      what: 'a range_start equal to range_end',
      served: 'always',
      as: ['until the instant', 'from the instant'],
      less: ['whole'],
      how: 'all',
    },
    {
      what,
      clauses: [splits],
      together: ['until the instant', 'from the instant'],
      least: ['whole'],
    },
    { what, clauses, says, together: ['until the instant', 'after the instant'], most: ['whole'] },
    { what, clauses, says, together: ['before the instant', 'from the instant'], most: ['whole'] },
    // A service that compares instants as texts, and drops zeros at their end, takes .07 for later than .071.
    { name: 'until a zero', ask: zero === undefined ? undefined : { start, end: zero } },
    { name: 'after a zero', ask: zero === undefined ? undefined : { start: zero + 1, end } },
    {
      what,
      clauses: [startIncludes, splits],
      together: ['until a zero', 'after a zero'],
      most: ['whole'],
    },
  ];
}

/**
 * A midnight may be read as the whole day. That of the day of an event in the sample, where it lies in the sample: the
 * event comes later in the day. Else the last one of the window.
 */
function rangesAtMidnight({ window }: Knowledge, { at, unit }: Place): RangeRow[] {
  const { sample } = window;
  const ofEvent = Math.floor(Number((at - millisecond) / millisecond) / day) * day;
  const isInSample = ofEvent > sample.start;
  const midnight = isInSample ? ofEvent : Math.floor(window.end / day) * day;
  if (midnight <= window.start) return [];
  const { start, end }: TimeRange = isInSample
    ? sample
    : {
        start: Math.max(window.start, midnight - day / 2),
        end: Math.min(window.end, midnight + day / 2),
      };
  const next = Math.min(midnight + 1, end);
  const [soon, later] = isInSample ? [boundOf(at - unit), boundOf(at)] : [next, next];
  const untilIt = { clauses: [endIncludes], what: 'a range that ends at midnight' } as const;
  return [
    { name: 'soon after midnight', ask: { start, end: soon } },
    {
      name: 'until midnight',
      ask: { start, end: midnight },
      ...untilIt,
      most: ['soon after midnight'],
    },
    {
      ask: { start, end: midnight - 1 },
      ...untilIt,
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

/**
 * Bounds at the instant of an event, at the whole second before it, and a few hundredths of a second later: read as texts, as
 * local times, as so many milliseconds, or without their digits, they keep events, or leave some out, where they should not.
 */
function rangesAsWritten(knowledge: Knowledge, instant: EventInstant): RangeRow[] {
  const { sample } = knowledge.window;
  const place = placeOf(knowledge, instant);
  const atSecond = Number(instant.at / units.second) * 1000;
  const [second, twoHoursOn] = [atSecond, atSecond + 2 * hour].map((at) =>
    new Date(at).toISOString().slice(0, 19),
  );
  // The sample may begin or end within that second.
  const start = Math.min(sample.start, atSecond);
  const end = Math.max(sample.end, atSecond + 1000);
  const from = (fraction: string) => ({ start: `${second}${fraction}`, end });
  const until = (fraction: string) => ({ start, end: `${second}${fraction}` });
  const inSecond = { start: `${second}Z`, end: `${second}.999Z` };
  const [fromSecond, untilSecond] = [['from the second'], ['until the second']];
  const short = 'a bound without fractional digits';
  const rows: RangeRow[] = [
    { name: 'from the second', ask: from('.000Z') },
    { name: 'until the second', ask: until('.000Z') },
    { name: 'from, short', ask: from('Z'), what: short, as: fromSecond },
    { name: 'until, short', ask: until('Z'), what: short, as: untilSecond },
    // As texts, the end comes before the start; as local times west of UTC too.
    { name: 'within the second', ask: inSecond, what: 'a range begun without fractional digits' },
    {
      name: 'in another zone',
      ask: { ...inSecond, timezone: 'America/New_York' },
      served: 'perhaps',
    },
    // Whether an offset is taken in place of Z is open; one that is taken names the same instant.
    {
      name: 'with +00:00',
      ask: from('.000+00:00'),
      served: 'perhaps',
      what: 'a bound with +00:00 in place of Z',
      as: fromSecond,
    },
    { name: 'with +02:00', ask: { start: `${twoHoursOn}.000+02:00`, end }, served: 'perhaps' },
  ];
  const clauses = [areInstants] as const;
  const written = rows.map(
    (row): RangeRow => (row.what ? { clauses, served: 'always', ...row } : row),
  );
  const ms = Number((instant.at % units.second) / millisecond);
  const isInMs =
    instant.kind === 'exact' && place.unit === millisecond && instant.at % millisecond === 0n;
  const isInSample = start === sample.start && end === sample.end && place.at === instant.at;
  if (!isInMs || !isInSample || ms === 0) return written;
  const [tenth, hundredth] = [Math.floor(ms / 100) + 1, Math.floor(ms / 10) + 1];
  const six = `.${`${ms}`.padStart(3, '0')}000`;
  const [fromIt, untilIt] = [['from the instant'], ['until the instant']];
  const withDigits: RangeRow[] = [
    {
      together: fromSecond,
      what: 'a range_start of a whole second',
      least: fromIt,
      most: ['whole'],
    },
    { together: untilSecond, what: 'a range_end of a whole second', most: ['before the instant'] },
    { ask: from(`${six}Z`), what: 'a bound with six fractional digits', as: fromIt },
    { ask: until(`${six}000Z`), what: 'a bound with nine fractional digits', as: untilIt },
    {
      ask: tenth < 10 && ms > 10 ? from(`.${tenth}Z`) : undefined,
      what: 'a bound with one fractional digit',
      most: ['after the instant'],
    },
    {
      ask: hundredth < 100 && ms > 12 ? until(`.${`${hundredth}`.padStart(2, '0')}Z`) : undefined,
      what: 'a bound with two fractional digits',
      least: untilIt,
      most: ['whole'],
    },
  ];
  // Only so many digits as the document writes, or none, must be taken.
  return [
    ...written,
    ...withDigits.map((row) => ({ ...row, clauses, served: 'unless 400' as const })),
  ];
}

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
    // Events are written with other instants than the range that keeps them.
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
 * @throws Inconclusive where the event may lie between two instants that bounds can say
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
  const { kind: found, by, readTo } = instant;
  if (!by.includes(bound)) return;
  const halves = ['until the instant', 'after the instant'];
  // The ranges whose exports show it.
  const rowsToCite = { lost: [...halves, 'whole'], twice: halves, excluded: [...own, 'whole'] };
  throw new Violation(
    { kind: 'bound', bound, found, ...(readTo && { readTo }) },
    answersOf(rows, rowsToCite[found]),
  );
}

/** What a range with an offset gave, compared with one that means the same. */
function outcomeOf(rows: readonly RangeRow[], name: string): ExportOutcome {
  const [expected, actual] = filesOf(rows, ['from the second', name]);
  const status = actual?.answer.status ?? 0;
  if (actual?.table === undefined) return { status };
  const isSame = actual.table.count === expected?.table?.count;
  return { status, gives: isSame ? 'the same events' : 'other events' };
}

export const rangeScenarios = [ranges];
