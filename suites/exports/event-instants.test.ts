import { describe, expect, test } from 'vitest';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { Bound, ExportQuery } from '../../helpers/exports/query.ts';
import { findEventInstant, units } from './event-instants.ts';

const { second, millisecond, microsecond } = units;
const day = 86_400n * second;
/** 12 January 2026, in nanoseconds. */
const first = BigInt(Date.UTC(2026, 0, 12)) * millisecond;
const sample = { start: Number(first / millisecond), end: Number((first + day) / millisecond) };

const cut = (unit: bigint) => (at: bigint) => at - (at % unit);
const rounded = (unit: bigint) => (at: bigint) => cut(unit)(at + unit / 2n);

/** Sixty events, kept to a unit, in no even steps. */
function eventsKeptTo(unit: bigint): bigint[] {
  const at = (index: number) => 20_123_456_789n + BigInt(index) * 1_234_567_891_237n;
  return Array.from({ length: 60 }, (_, index) => first + cut(unit)(at(index)));
}

interface Service {
  readonly kept: bigint;
  /** How bounds are read. */
  readonly read?: (at: bigint) => bigint;
  readonly isFrom?: (at: bigint, start: bigint) => boolean;
  readonly isTo?: (at: bigint, end: bigint) => boolean;
  readonly refusesFiner?: boolean;
  readonly isReversed?: (start: bigint, end: bigint) => boolean;
}

function nanos(bound: Bound | undefined): bigint {
  return typeof bound === 'bigint' ? bound : BigInt(bound ?? 0) * millisecond;
}

/** As much of exports as is asked for: how many events a range holds. */
function serve({ kept, read = (at) => at, refusesFiner = false, ...bounds }: Service) {
  const { isFrom = (at, start) => at >= start, isTo = (at, end) => at <= end } = bounds;
  let asked = 0;
  const within = async ({ start, end }: ExportQuery) => {
    asked += 1;
    const isFine = typeof start === 'bigint' || typeof end === 'bigint';
    const isRefused =
      (refusesFiner && isFine) || bounds.isReversed?.(nanos(start), nanos(end)) === true;
    const [from, to] = [read(nanos(start)), read(nanos(end))];
    const rows = eventsKeptTo(kept).flatMap((at, index) =>
      isFrom(at, from) && isTo(at, to) ? [[`event ${index}`]] : [],
    );
    return isRefused ? { answer: { status: 400 } } : { answer: { status: 200 }, table: { rows } };
  };
  // The cast: nothing else of exports is used.
  return { exports: { within } as unknown as Exports, requests: () => asked };
}

/** @param shown how times are shown; undefined: not at all */
function knowing(kept: bigint, shown?: { unit: bigint; as: (at: bigint) => bigint }): Knowledge {
  const instants = shown && eventsKeptTo(kept).map(shown.as);
  const times = instants && {
    columns: [0],
    style: 'year first',
    unit: Number(shown.unit) / 1_000_000,
    instants: instants.map((at) => Number(at / millisecond)),
    beyondMs: instants.map((at) => Number(at % millisecond)),
  };
  const known = {
    window: { sample },
    base: { table: { rows: eventsKeptTo(kept).map((_, index) => [`event ${index}`]) } },
    columns: { times, ignored: new Set() },
    filters: { known: new Map() },
  };
  // The cast: nothing else of what is known is used.
  return { ...known, original: known } as unknown as Knowledge;
}

const shownTo = (unit: bigint, as = cut(unit)) => ({ unit, as });
const find = (service: Service, shown?: ReturnType<typeof shownTo>) =>
  findEventInstant(serve(service).exports, knowing(service.kept, shown));

const waysToShow = [
  ['nanoseconds', shownTo(1n)],
  ['microseconds', shownTo(microsecond)],
  ['milliseconds', shownTo(millisecond)],
  ['milliseconds, rounded', shownTo(millisecond, rounded(millisecond))],
  ['seconds', shownTo(second)],
  ['seconds, rounded', shownTo(second, rounded(second))],
  ['nothing', undefined],
] as const;

describe.for([
  ['milliseconds', millisecond],
  ['microseconds', microsecond],
  ['nanoseconds', 1n],
] as const)('of events kept to %s', ([, kept]) => {
  test.for(waysToShow)('and shown to %s the instant is found', async ([, shown]) => {
    const found = await find({ kept }, shown);
    expect(found.kind).toBe('exact');
    expect(eventsKeptTo(kept)).toContain(found.at);
  });

  test.for(waysToShow)('and shown to %s an excluded end is', async ([, shown]) => {
    const found = await find({ kept, isTo: (at, end) => at < end }, shown);
    expect(found).toMatchObject({ kind: 'excluded' });
    if (found.kind === 'excluded') expect(found.by).toContain('range_end');
  });

  test.for(waysToShow)('and shown to %s bounds that exclude both are', async ([, shown]) => {
    const service = {
      kept,
      isFrom: (at: bigint, start: bigint) => at > start,
      isTo: (at: bigint, end: bigint) => at < end,
    };
    expect(await find(service, shown)).toMatchObject({ kind: 'lost' });
  });

  test.for(waysToShow)('and shown to %s a bound cut to seconds is', async ([, shown]) => {
    const isFrom = (at: bigint, start: bigint) => at >= cut(second)(start);
    expect(await find({ kept, isFrom }, shown)).toMatchObject({
      kind: 'twice',
      by: ['range_start'],
    });
    const isTo = (at: bigint, end: bigint) => at <= cut(second)(end);
    expect(await find({ kept, isTo }, shown)).toMatchObject({ kind: 'lost', by: ['range_end'] });
  });
});

test('bounds that are cut to milliseconds in floating point leave out an event', async () => {
  const read = (at: bigint) => BigInt(Math.trunc((Number(at) / 1e9) * 1000)) * millisecond;
  expect(await find({ kept: millisecond, read }, shownTo(millisecond))).toMatchObject({
    kind: 'excluded',
    by: ['range_end'],
  });
});

test('a start that excludes its own instant is found where bounds are compared in floating point', async () => {
  const inMs = (at: bigint) => Number(at / millisecond) + Number(at % millisecond) / 1e6;
  const isFrom = (at: bigint, start: bigint) => inMs(at) > inMs(start);
  const isTo = (at: bigint, end: bigint) => inMs(at) <= inMs(end);
  const found = await find({ kept: millisecond, isFrom, isTo }, shownTo(millisecond));
  expect(found).toMatchObject({ kind: 'excluded', by: ['range_start'] });
});

describe('times kept more finely than bounds are read', () => {
  test.for(waysToShow)('are not accused, shown to %s', async ([, shown]) => {
    for (const read of [cut(millisecond), rounded(millisecond)]) {
      expect(await find({ kept: microsecond, read }, shown)).toMatchObject({ kind: 'unclear' });
    }
    const refusing = { kept: microsecond, refusesFiner: true };
    expect(await find(refusing, shown)).toMatchObject({ kind: 'unclear' });
  });

  test('are found where bounds are compared with what is cut off them', async () => {
    const isFrom = (at: bigint, start: bigint) => cut(millisecond)(at) >= start;
    const isTo = (at: bigint, end: bigint) => cut(millisecond)(at) <= end;
    expect(await find({ kept: microsecond, isFrom, isTo })).toMatchObject({ kind: 'exact' });
  });
});

test('bounds that are rounded inwards are not taken for lost events', async () => {
  const read = (at: bigint, name: 'start' | 'end') =>
    cut(microsecond)(name === 'start' ? at + microsecond - 1n : at);
  const service = (isTo: Service['isTo']) => ({
    kept: microsecond,
    isFrom: (at: bigint, start: bigint) => at >= read(start, 'start'),
    ...(isTo && { isTo }),
    isReversed: (start: bigint, end: bigint) => read(start, 'start') > read(end, 'end'),
  });
  const shown = shownTo(microsecond);
  const right = service((at, end) => at <= read(end, 'end'));
  expect(await find(right, shown)).toMatchObject({ kind: 'exact' });
  const wrong = service((at, end) => at < read(end, 'end'));
  expect(await find(wrong, shown)).toMatchObject({ kind: 'excluded', by: ['range_end'] });
});

test('a range_start that excludes its own instant shows in times that are shown as finely', async () => {
  const isFrom = (at: bigint, start: bigint) => at > start;
  const excluded = { kind: 'excluded', by: ['range_start'] };
  const shown = shownTo(millisecond);
  expect(await find({ kept: millisecond, isFrom }, shown)).toMatchObject(excluded);
  // Else it cannot be told from times that are kept more finely.
  expect(await find({ kept: millisecond, isFrom })).toMatchObject({ kind: 'unclear' });
});

test('times and bounds of whole seconds are taken as such, and bounds alone are not', async () => {
  const read = cut(second);
  const found = await find({ kept: second, read }, shownTo(second));
  expect(found).toMatchObject({ kind: 'exact', unit: second });
  for (const [, shown] of waysToShow) {
    const kept = millisecond;
    expect(await find({ kept, read }, shown)).toMatchObject({ kind: 'excluded', readTo: 'second' });
    for (const [unit, length] of [
      ['minute', 60n * second],
      ['hour', 3600n * second],
    ] as const) {
      const coarse = { kept, read: rounded(length) };
      expect(await find(coarse, shown)).toMatchObject({ kind: 'excluded', readTo: unit });
    }
  }
});
