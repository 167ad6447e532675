import { type Multiset, sum, without } from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import type { ExportOutcome } from '../../schemas/observations.ts';
import { exportAnswerJudges } from './answers.ts';
import { eventsBetween, findEventInstant, findFinerInstant } from './event-instants.ts';
import { events, expectEvents, expectServed, expectTogether } from './relations.ts';

interface Bounds {
  readonly knowledge: Knowledge;
  readonly whole: CsvDownload;
  /** What each range holds by the column of times, where that shows the instant exactly. */
  readonly shown: { readonly [Range in keyof Ranges]: Multiset | undefined };
  readonly ranges: Ranges;
}

/** Ranges of the sample that begin or end at the instant of an event, just before it, or just after it. */
interface Ranges {
  readonly exactly: CsvDownload;
  readonly until: CsvDownload;
  readonly before: CsvDownload;
  readonly from: CsvDownload;
  readonly after: CsvDownload;
}

const bounds = scenario({
  name: 'both bounds of a range include the very instant of an event, and nothing beyond',
  async act({ exports }): Promise<Bounds> {
    const knowledge = await exports.knowledge();
    const shown = await findEventInstant(exports, knowledge);
    const { start, end } = knowledge.window.sample;
    const expected = eventsBetween(knowledge, start, shown);
    const { table } = await exports.within({ start, end: shown });
    const isShort = expected !== undefined && table !== undefined && table.count < expected.size;
    const finer = isShort ? await findFinerInstant(exports, knowledge, shown) : undefined;
    const instant = finer ?? { before: shown - 1, at: shown, after: shown + 1 };
    const [whole, exactly, until, before, from, after] = await Promise.all([
      exports.within({ start, end }),
      exports.within({ start: instant.at, end: instant.at }),
      exports.within({ start, end: instant.at }),
      exports.within({ start, end: instant.before }),
      exports.within({ start: instant.at, end }),
      exports.within({ start: instant.after, end }),
    ]);
    const by = (from: number, to: number): Multiset | undefined =>
      finer === undefined ? eventsBetween(knowledge, from, to) : undefined;
    return {
      knowledge,
      whole,
      ranges: { exactly, until, before, from, after },
      shown: {
        exactly: by(shown, shown),
        until: by(start, shown),
        before: by(start, shown - 1),
        from: by(shown, end),
        after: by(shown + 1, end),
      },
    };
  },
  judges: {
    'export.range-start-includes-its-instant': ({ knowledge, whole, ranges, shown }) => {
      const { columns } = knowledge;
      const { from, after, before, until } = ranges;
      expectNotShifted('range_start', from, knowledge);
      const all = events(whole, columns);
      const fromAt = shown.from ?? without(all, events(before, columns));
      expectEvents('from the instant of an event on', fromAt, from, columns);
      const afterAt = shown.after ?? without(all, events(until, columns));
      expectEvents('from just after the instant of an event on', afterAt, after, columns);
    },
    'export.range-end-includes-its-instant': ({ knowledge, whole, ranges, shown }) => {
      const { columns } = knowledge;
      const { from, after, before, until } = ranges;
      expectNotShifted('range_end', until, knowledge);
      const all = events(whole, columns);
      const untilAt = shown.until ?? without(all, events(after, columns));
      expectEvents('up to the instant of an event', untilAt, until, columns);
      const beforeAt = shown.before ?? without(all, events(from, columns));
      expectEvents('up to just before the instant of an event', beforeAt, before, columns);
    },
    'export.range-start-equal-to-end': ({ knowledge, whole, ranges, shown }) => {
      const { columns } = knowledge;
      const { exactly, before, after } = ranges;
      if (exactly.answer.status !== 200) {
        throw new Violation('a range_start equal to range_end', {
          expected: '200',
          actual: `${exactly.answer.status}`,
          on: [exactly.answer],
        });
      }
      const outside = sum(events(before, columns), events(after, columns));
      const expected = shown.exactly ?? without(events(whole, columns), outside);
      expectEvents('a range of one instant', expected, exactly, columns);
    },
    'export.ranges-split-without-loss': ({ knowledge: { columns }, whole, ranges }) => {
      const { from, after, before, until } = ranges;
      for (const [early, late] of [
        [until, after],
        [before, from],
      ] as const) {
        expectTogether('the two halves of a range, together', whole, [early, late], columns);
      }
    },
    ...exportAnswerJudges(({ whole, ranges: { until, before, from, after } }: Bounds) =>
      [whole, until, before, from, after].map(({ answer }) => answer),
    ),
  },
});

/** @throws Violation where events are written with other instants than the range that keeps them */
function expectNotShifted(
  bound: string,
  { answer }: CsvDownload,
  { columns: { shifted }, base }: Knowledge,
): void {
  if (shifted?.hasOffsets !== true) return;
  throw new Violation(`${bound}, compared with the dates of the events`, {
    expected: 'the instant that is asked for',
    actual: `one ${shifted.byMs / 3_600_000} hours later`,
    on: [answer, base.download.answer],
  });
}

const hour = 60 * 60 * 1000;

const asTexts = scenario({
  name: 'a bound selects the same with and without fractional digits',
  async act({ exports }) {
    const knowledge = await exports.knowledge();
    const { start, end } = knowledge.window.sample;
    const at = await findEventInstant(exports, knowledge);
    // The whole second before an event: read as a bound of its end, or to its end, it selects others.
    const whole = new Date(Math.floor(at / 1000) * 1000).toISOString().slice(0, 19);
    const twoHoursOn = new Date(Date.parse(`${whole}Z`) + 2 * hour).toISOString().slice(0, 19);
    const [from, fromShort, to, toShort, withOffset, elsewhere] = await Promise.all([
      exports.within({ start: `${whole}.000Z`, end }),
      exports.within({ start: `${whole}Z`, end }),
      exports.within({ start, end: `${whole}.000Z` }),
      exports.within({ start, end: `${whole}Z` }),
      exports.within({ start: `${whole}.000+00:00`, end }),
      exports.within({ start: `${twoHoursOn}.000+02:00`, end }),
    ]);
    return { knowledge, from, fromShort, to, toShort, withOffset, elsewhere };
  },
  judges: {
    'export.range-bounds-are-instants': ({
      knowledge: { columns },
      from,
      withOffset,
      ...short
    }) => {
      const { fromShort, to, toShort } = short;
      const what = 'a bound without fractional digits';
      for (const short of [fromShort, toShort]) expectServed(what, short);
      expectEvents(what, events(from, columns), fromShort, columns, [from.answer]);
      expectEvents(what, events(to, columns), toShort, columns, [to.answer]);
      // Whether an offset is taken in place of Z is open; one that is taken names the same instant.
      if (withOffset.answer.status !== 200) return;
      const offset = 'a bound with +00:00 in place of Z';
      expectEvents(offset, events(from, columns), withOffset, columns, [from.answer]);
    },
    ...exportAnswerJudges((evidence: { fromShort: CsvDownload; toShort: CsvDownload }) => [
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

/** What a range gave, compared with one that means the same. */
function outcomeOf(expected: CsvDownload, { answer, table }: CsvDownload): ExportOutcome {
  const { status } = answer;
  if (table === undefined) return { status };
  const isSame = table.count === expected.table?.count;
  return { status, gives: isSame ? 'the same events' : 'other events' };
}

export const rangeScenarios = [bounds, asTexts];
