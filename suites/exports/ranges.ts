import type { Row } from '../../helpers/csv/csv-form.ts';
import { difference, sum, without } from '../../helpers/csv/multiset.ts';
import type { KnownColumns } from '../../helpers/exports/columns.ts';
import { type CsvDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { KnownWindow, TimeRange } from '../../helpers/exports/window.ts';
import { CannotUphold, Inconclusive, NothingSeen, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import type { ExportOutcome } from '../../schemas/observations.ts';
import { pdfEventLimit } from '../../schemas/operations.ts';
import { unlikeStatus } from '../expectations.ts';
import { csvAnswerJudges } from './answers.ts';
import {
  type BoundName,
  bothBounds,
  type EventInstant,
  findEventInstant,
  findMisreadInstant,
  type RangesAt,
  rangesAt,
  units,
} from './event-instants.ts';
import {
  events,
  eventsDifference,
  expectEvents,
  expectOnlyOf,
  expectSameEvents,
  expectServed,
  expectWithin,
} from './relations.ts';

interface Bounds {
  readonly knowledge: Knowledge;
  readonly instant: EventInstant;
  /** Ranges of the sample about that instant. */
  readonly ranges: RangesAt;
  /** Of a bound that excludes its own instant: the range up to that, or from it on, and one a millisecond longer. */
  readonly edges: Edges;
  /** undefined where the window holds no midnight. */
  readonly midnight: AtMidnight | undefined;
}

type Edges = { readonly [Bound in BoundName]?: readonly [CsvDownload, CsvDownload] };

/** Ranges that begin or end at a midnight, and at the last millisecond of the day before. */
interface AtMidnight {
  readonly until: CsvDownload;
  readonly untilBefore: CsvDownload;
  readonly from: CsvDownload;
  /** Begins with the second one, and ends after the midnight: between them may lie events. */
  readonly untilLater: CsvDownload;
  /** Begins after the midnight, and ends with the third one. */
  readonly fromLater: CsvDownload;
}

const day = 24 * 60 * 60 * 1000;

const bounds = scenario({
  name: 'both bounds of a range include the very instant of an event, and nothing beyond',
  async act({ exports }): Promise<Bounds> {
    const knowledge = await exports.knowledge();
    const found = await findEventInstant(exports, knowledge);
    const isExact = found.kind === 'exact' && found.unit === units.millisecond;
    const instant = (isExact && (await findMisreadInstant(exports, knowledge))) || found;
    const unit = instant.kind === 'exact' ? instant.unit : units.millisecond;
    const { sample } = knowledge.window;
    const ranges = await rangesAt(exports, sample, instant.at, unit);
    const [edges, midnight] = await Promise.all([
      edgesOf(instant, exports, sample),
      rangesAtMidnight(exports, knowledge.window, ranges),
    ]);
    return { knowledge, instant, ranges, edges, midnight };
  },
  judges: {
    'export.range-start-includes-its-instant': (evidence) => {
      expectNotShifted('range_start', evidence.ranges.from, evidence.knowledge);
      expectInstantIncluded('range_start', evidence);
      expectFromMidnight(evidence);
      if (evidence.instant.kind === 'exact') expectNothingTwice(evidence);
    },
    'export.range-end-includes-its-instant': (evidence) => {
      expectNotShifted('range_end', evidence.ranges.until, evidence.knowledge);
      expectInstantIncluded('range_end', evidence);
      expectUntilMidnight(evidence);
      if (evidence.instant.kind === 'exact') expectNothingTwice(evidence);
    },
    'export.range-start-equal-to-end': ({ knowledge: { columns }, ranges }) => {
      const { whole, exactly, until, from } = ranges;
      if (exactly.answer.status !== 200) {
        throw unlikeStatus('a range_start equal to range_end', '200', exactly.answer);
      }
      const halves = sum(events(until, columns), events(from, columns));
      const expected = without(halves, events(whole, columns));
      const on = [until.answer, from.answer, whole.answer];
      expectEvents('a range of one instant', expected, exactly, columns, { on, together: 'all' });
    },
    'export.ranges-split-without-loss': (evidence) => {
      const { whole, until, from } = evidence.ranges;
      const { columns } = evidence.knowledge;
      // Those at the instant are in both halves.
      const halves = sum(events(until, columns), events(from, columns));
      const { missing } = difference(events(whole, columns), halves);
      if (missing.length > 0) {
        throw new Violation(
          {
            ...eventsDifference(theHalves, whole, { missing, extra: [] }, columns),
            of: tableOf(whole).count,
          },
          [until.answer, from.answer, whole.answer],
        );
      }
      expectNothingTwice(evidence);
    },
    ...csvAnswerJudges(({ ranges: { whole, until, before, from, after } }: Bounds) =>
      [whole, until, before, from, after].map(({ answer }) => answer),
    ),
  },
});

/** A cap on the size of a file shows in a range that lacks events of its part, however small it is. */
const part = scenario({
  name: 'a range holds the events of its parts',
  async act({ exports }) {
    const knowledge = await exports.knowledge();
    const { middle } = knowledge.window;
    // Halves of a larger window are compared where it is looked for a limit.
    const isLarge = knowledge.base.table.count > pdfEventLimit;
    const halves = await Promise.all([
      exports.within({ start: middle }),
      ...(isLarge ? [] : [exports.within({ end: middle })]),
    ]);
    return { knowledge, halves };
  },
  judges: {
    'export.ranges-split-without-loss': ({ knowledge: { base, columns }, halves }) => {
      const whole = base.download;
      for (const half of halves) {
        const { missing } = difference(events(half, columns), events(whole, columns));
        if (missing.length === 0) continue;
        const what = 'a range, compared with a part of it';
        throw new Violation(eventsDifference(what, whole, { missing, extra: [] }, columns), [
          whole.answer,
          half.answer,
        ]);
      }
      throw new CannotUphold(
        'What could be exported are parts of a range, which do not show its bounds.',
      );
    },
  },
});

/**
 * A midnight may be read as the whole day. That of the day of an event in the sample, where it lies in the sample: the
 * event comes later in the day. Else the last one of the window.
 */
async function rangesAtMidnight(
  exports: Exports,
  { sample, ...window }: KnownWindow,
  { at, before, from }: RangesAt,
): Promise<AtMidnight | undefined> {
  const ofEvent = Math.floor(Number((at - units.millisecond) / units.millisecond) / day) * day;
  const isInSample = ofEvent > sample.start;
  const midnight = isInSample ? ofEvent : Math.floor(window.end / day) * day;
  if (midnight <= window.start) return undefined;
  const range = isInSample
    ? sample
    : {
        start: Math.max(window.start, midnight - day / 2),
        end: Math.min(window.end, midnight + day / 2),
      };
  const within = (part: Partial<TimeRange>) => exports.within({ ...range, ...part });
  const [until, untilBefore, fromMidnight, untilLater, fromLater] = await Promise.all([
    within({ end: midnight }),
    within({ end: midnight - 1 }),
    within({ start: midnight }),
    isInSample ? before : within({ end: Math.min(midnight + 1, range.end) }),
    isInSample ? from : within({ start: Math.min(midnight + 1, range.end) }),
  ]);
  return { until, untilBefore, from: fromMidnight, untilLater, fromLater };
}

/** A range holds no event that a longer one does not. @throws Violation where it does */
function expectUntilMidnight({ knowledge: { columns }, midnight }: Bounds): void {
  if (midnight === undefined) return;
  const { until, untilBefore, untilLater } = midnight;
  expectOnlyOf('a range that ends at midnight', untilLater, until, columns);
  const what = 'a range that ends with the last millisecond of a day';
  expectOnlyOf(what, until, untilBefore, columns);
}

/** @throws Violation where a range from midnight on lacks events of a shorter one, or holds some of the day before */
function expectFromMidnight({ knowledge: { columns, base }, midnight }: Bounds): void {
  if (midnight === undefined) return;
  const { untilBefore, untilLater, from, fromLater } = midnight;
  const held = events(from, columns);
  const what = 'a range that begins at midnight';
  const bounds = { least: events(fromLater, columns), most: held };
  expectWithin(`${what}, compared with a shorter one`, bounds, from, columns, {
    on: [fromLater.answer],
  });
  const until = events(untilBefore, columns);
  // A range_end that reaches too far is to blame for what both hold.
  if (difference(events(untilLater, columns), until).extra.length > 0) return;
  const { extra } = difference(events(base.download, columns), sum(until, held));
  if (extra.length === 0) return;
  throw new Violation(eventsDifference(what, from, { missing: [], extra }, columns), [
    from.answer,
    untilBefore.answer,
  ]);
}

/**
 * @throws Violation where no instant was found at which the bound includes an event and right behind or before which it
 *   does not
 * @throws Inconclusive where the event may lie between two instants that bounds can say
 */
function expectInstantIncluded(
  bound: BoundName,
  { instant, ranges, edges, knowledge: { columns } }: Bounds,
): void {
  if (instant.kind === 'exact') return;
  const { whole, until, before, from, after } = ranges;
  const own = bound === 'range_start' ? [from, after] : [until, before];
  const measured =
    instant.kind === 'twice'
      ? (halvesOf(ranges).find((halves) => inBoth(halves, whole, columns).length > 0) ?? own)
      : instant.kind === 'lost'
        ? [until, after, whole]
        : own;
  const on = (edges[bound] ?? measured).map(({ answer }) => answer);
  if (instant.kind === 'unclear') {
    throw new Inconclusive(
      'Bounds are read to the millisecond, and no event was found on one: times may be kept more finely, or a bound excludes its own instant.',
      on,
    );
  }
  if (instant.kind === 'coarse') {
    throw new Violation({ kind: 'bound', bound, found: 'excluded', readTo: instant.unit }, on);
  }
  if (!instant.by.includes(bound)) return;
  throw new Violation({ kind: 'bound', bound, found: instant.kind }, on);
}

/** The exports that show of a bound which excludes its own instant that it does. */
async function edgesOf(
  instant: EventInstant,
  exports: Exports,
  { start, end }: TimeRange,
): Promise<Edges> {
  if (instant.kind !== 'excluded' && instant.kind !== 'coarse') return {};
  const { at } = instant;
  const { millisecond, nanosecond } = units;
  // Next to it: what lies within the millisecond is for bounds that exclude no more than their own instant.
  const step = instant.kind === 'coarse' ? millisecond : nanosecond;
  const edges: { [Bound in BoundName]?: readonly [CsvDownload, CsvDownload] } = {};
  for (const bound of instant.kind === 'coarse' ? bothBounds : instant.by) {
    // The last one that leaves the event out: its own.
    const own = bound === 'range_end' ? at - step : at;
    const beyond = bound === 'range_end' ? own + millisecond : own - millisecond;
    const ask = (to: bigint): Promise<CsvDownload> =>
      exports.within(bound === 'range_end' ? { start, end: to } : { start: to, end });
    edges[bound] = await Promise.all([ask(own), ask(beyond)]);
  }
  return edges;
}

const theHalves = 'the two halves of a range together';

/**
 * What ends at an instant and what begins a unit later have no event in common.
 * @throws Violation where they have
 */
function expectNothingTwice({ knowledge: { columns }, instant, ranges }: Bounds): void {
  const { whole } = ranges;
  for (const [early, late] of halvesOf(ranges)) {
    const extra = inBoth([early, late], whole, columns);
    if (extra.length === 0) continue;
    throw new Violation(
      instant.kind === 'twice'
        ? { kind: 'bound', bound: instant.by[0] ?? 'range_end', found: 'twice' }
        : {
            ...eventsDifference(theHalves, whole, { missing: [], extra }, columns),
            of: tableOf(whole).count,
          },
      [early.answer, late.answer, whole.answer],
    );
  }
}

/** Pairs of ranges that are next to each other and share no instant. */
function halvesOf({ until, before, from, after }: RangesAt): [CsvDownload, CsvDownload][] {
  return [
    [until, after],
    [before, from],
  ];
}

/** The events that are in both halves of a whole. */
function inBoth(
  [early, late]: readonly [CsvDownload, CsvDownload],
  whole: CsvDownload,
  columns: KnownColumns,
): readonly Row[] {
  const halves = sum(events(early, columns), events(late, columns));
  return difference(events(whole, columns), halves).extra;
}

/** @throws Violation where events are written with other instants than the range that keeps them */
function expectNotShifted(
  bound: string,
  { answer }: CsvDownload,
  { columns: { shifted }, base }: Knowledge,
): void {
  if (shifted?.hasOffsets !== true) return;
  throw new Violation(
    {
      kind: 'other',
      wrong: 'reads a bound in another zone',
      parameter: bound,
      hours: shifted.byMs / 3_600_000,
    },
    [answer, base.download.answer],
  );
}

const hour = 60 * 60 * 1000;

const asTexts = scenario({
  name: 'a bound selects the same with and without fractional digits',
  async act({ exports }) {
    const knowledge = await exports.knowledge();
    const { sample } = knowledge.window;
    const instant = await findEventInstant(exports, knowledge);
    // The whole second before an event: read as a bound of its end, or to its end, it selects others.
    const atSecond = Number(instant.at / units.second) * 1000;
    const whole = new Date(atSecond).toISOString().slice(0, 19);
    // The sample may begin or end within that second.
    const start = Math.min(sample.start, atSecond);
    const end = Math.max(sample.end, atSecond + 1000);
    const twoHoursOn = new Date(Date.parse(`${whole}Z`) + 2 * hour).toISOString().slice(0, 19);
    const [from, fromShort, second, zoned, to, toShort, withOffset, elsewhere] = await Promise.all([
      exports.within({ start: `${whole}.000Z`, end }),
      exports.within({ start: `${whole}Z`, end }),
      // As texts, the end comes before the start.
      exports.within({ start: `${whole}Z`, end: `${whole}.999Z` }),
      // As a local time west of UTC, the start comes after the end.
      exports.within({ start: `${whole}Z`, end: `${whole}.999Z`, timezone: 'America/New_York' }),
      exports.within({ start, end: `${whole}.000Z` }),
      exports.within({ start, end: `${whole}Z` }),
      exports.within({ start: `${whole}.000+00:00`, end }),
      exports.within({ start: `${twoHoursOn}.000+02:00`, end }),
    ]);
    const digits = await withOtherDigits(exports, knowledge, instant);
    return {
      knowledge,
      from,
      fromShort,
      second,
      zoned,
      to,
      toShort,
      withOffset,
      elsewhere,
      digits,
    };
  },
  judges: {
    'export.range-bounds-are-instants': ({
      knowledge: { columns },
      from,
      withOffset,
      digits,
      ...short
    }) => {
      const { fromShort, second, to, toShort } = short;
      const what = 'a bound without fractional digits';
      for (const short of [fromShort, toShort]) expectServed(what, short);
      expectServed('a range of less than a second, begun without fractional digits', second);
      expectEvents(what, events(from, columns), fromShort, columns, { on: [from.answer] });
      expectEvents(what, events(to, columns), toShort, columns, { on: [to.answer] });
      for (const { what, download, least, most } of digits) {
        // Only so many digits as the document writes, or none, must be taken.
        if (download.answer.status === 400) continue;
        expectServed(what, download);
        const on = [...new Set([least, most])].map(({ answer }) => answer);
        const bounds = { least: events(least, columns), most: events(most, columns) };
        expectWithin(what, bounds, download, columns, { on });
      }
      // Whether an offset is taken in place of Z is open; one that is taken names the same instant.
      if (withOffset.answer.status !== 200) return;
      const offset = 'a bound with +00:00 in place of Z';
      expectEvents(offset, events(from, columns), withOffset, columns, { on: [from.answer] });
    },
    'export.timezone-keeps-the-events': ({ knowledge: { columns }, second, zoned }) => {
      // Refusals of bounds and of zones have clauses of their own.
      if (second.table === undefined || zoned.answer.status >= 400) throw new NothingSeen();
      const what = 'a range begun without fractional digits, with timezone=America/New_York';
      expectSameEvents(what, second, zoned, columns);
    },
    ...csvAnswerJudges((evidence: { fromShort: CsvDownload; toShort: CsvDownload }) => [
      evidence.fromShort.answer,
      evidence.toShort.answer,
    ]),
  },
  observes: {
    'export.range-with-offset': ({ from, withOffset, elsewhere }) => [
      { when: '+00:00', outcome: outcomeOf(from, withOffset) },
      { when: '+02:00', outcome: outcomeOf(from, elsewhere) },
    ],
  },
});

/**
 * A bound with one digit, two, six, or nine, or of a whole second, and exports by three digits that hold fewer events, and
 * more.
 */
interface WithDigits {
  readonly what: string;
  readonly download: CsvDownload;
  readonly least: CsvDownload;
  readonly most: CsvDownload;
}

/**
 * Bounds at the instant of an event, at the whole second before it, and a few hundredths of a second later: read as so
 * many milliseconds, or without their digits, they keep the event, or leave it out, where they should not.
 */
async function withOtherDigits(
  exports: Exports,
  { window: { sample } }: Knowledge,
  instant: EventInstant,
): Promise<WithDigits[]> {
  if (instant.kind !== 'exact' || instant.unit !== units.millisecond) return [];
  const { whole, exactly, until, before, from, after, at } = await rangesAt(
    exports,
    sample,
    instant.at,
    units.millisecond,
  );
  if (at !== instant.at || at % units.millisecond !== 0n) return [];
  const { start, end } = sample;
  const ms = Number((at % units.second) / units.millisecond);
  const text = new Date(Number(at / units.millisecond)).toISOString();
  const [second = '', six, nine] = [
    text.slice(0, 19),
    `${text.slice(0, 23)}000Z`,
    `${text.slice(0, 23)}000000Z`,
  ];
  const both = await exports.within({ start: six, end: nine });
  // Refused for one of them, or because one is read as later than the other.
  const single = both.answer.status === 400;
  const [one, two] = [Math.floor(ms / 100) + 1, Math.floor(ms / 10) + 1];
  // Before the event: as a text that leaves zeros out, a whole second comes after every part of it.
  const isInSample = ms > 0 && Number(at / units.second) * 1000 >= start;
  const [ofSix, ofNine, ofOne, ofTwo, fromSecond, toSecond] = await Promise.all([
    single ? exports.within({ start: six, end }) : undefined,
    single ? exports.within({ start, end: nine }) : undefined,
    one < 10 && ms > 10 ? exports.within({ start: `${second}.${one}Z`, end }) : undefined,
    two < 100 && ms > 12
      ? exports.within({ start, end: `${second}.${`${two}`.padStart(2, '0')}Z` })
      : undefined,
    isInSample ? exports.within({ start: `${second}.000Z`, end }) : undefined,
    isInSample ? exports.within({ start, end: `${second}.000Z` }) : undefined,
  ]);
  return [
    ...(fromSecond
      ? [
          {
            what: 'a range_start of a whole second',
            download: fromSecond,
            least: from,
            most: whole,
          },
        ]
      : []),
    ...(toSecond
      ? [
          {
            what: 'a range_end of a whole second',
            download: toSecond,
            least: toSecond,
            most: before,
          },
        ]
      : []),
    {
      what: 'bounds with six and with nine fractional digits',
      download: both,
      least: exactly,
      most: exactly,
    },
    ...(ofSix
      ? [{ what: 'a bound with six fractional digits', download: ofSix, least: from, most: from }]
      : []),
    ...(ofNine
      ? [
          {
            what: 'a bound with nine fractional digits',
            download: ofNine,
            least: until,
            most: until,
          },
        ]
      : []),
    ...(ofOne
      ? [{ what: 'a bound with one fractional digit', download: ofOne, least: ofOne, most: after }]
      : []),
    ...(ofTwo
      ? [{ what: 'a bound with two fractional digits', download: ofTwo, least: until, most: whole }]
      : []),
  ];
}

/** What a range gave, compared with one that means the same. */
function outcomeOf(expected: CsvDownload, { answer, table }: CsvDownload): ExportOutcome {
  const { status } = answer;
  if (table === undefined) return { status };
  const isSame = table.count === expected.table?.count;
  return { status, gives: isSame ? 'the same events' : 'other events' };
}

export const rangeScenarios = [bounds, asTexts, part];
