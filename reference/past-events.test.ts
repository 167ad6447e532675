import { expect, test } from 'vitest';
import { listFilters, metadataKeys } from '../schemas/operations.ts';
import { pastEvents } from './past-events.ts';
import type { AuditEvent } from './records.ts';
import { createWorld } from './world.ts';

const endsAt = Date.parse('2026-11-20T07:00:00.000Z');
const world = createWorld(1, endsAt, (uuid) => uuid);
const past = { world, endsAt, count: 12_000 };
const events = pastEvents(1, past);
const times = events.map(({ at }) => at);

const valuesOf = {
  auditee_id: (event: AuditEvent) => event.auditeeId,
  event_type: (event: AuditEvent) => event.eventType,
  sub_type: (event: AuditEvent) => event.subType,
  system_source: (event: AuditEvent) => event.systemSource,
};

/** How many events there are from the instant of the event at this place on. */
const countFrom = (index: number) => times.filter((at) => at >= (times[index] ?? 0)).length;

test('twelve thousand events of eight months, in order, to the given end', () => {
  expect(events.length).toBe(12_000);
  expect(new Date(times[0] ?? 0).toISOString()).toBe('2026-03-25T07:00:00.000Z');
  expect(new Date(times.at(-1) ?? 0).toISOString()).toBe('2026-11-20T07:00:00.000Z');
  expect(times.toSorted((a, b) => a - b)).toEqual(times);
  expect(new Set(events.map(({ id }) => id)).size).toBe(12_000);
});

test('the same seed and world give the very same events, another seed others', () => {
  expect(pastEvents(1, { ...past, world: createWorld(1, endsAt + 1, (uuid) => uuid) })).toBe(
    events,
  );
  expect(pastEvents(2, past)[0]?.id).not.toBe(events[0]?.id);
});

test('from the end there is no window of exactly 5,000 events, elsewhere there is', () => {
  expect([6_997, 6_998, 7_000, 7_002].map(countFrom)).toEqual([5_003, 5_002, 5_002, 4_998]);
  const [from = 0, to = 0] = [times[5], times[5_004]];
  expect(times.filter((at) => at >= from && at <= to).length).toBe(5_000);
});

test('every filter has at least four values, and every pair of metadata keys meets', () => {
  const few = listFilters.filter((filter) => new Set(events.map(valuesOf[filter])).size < 4);
  expect(few).toEqual([]);
  const apart = metadataKeys.flatMap((one) =>
    metadataKeys.filter((other) => {
      const together = events.filter(({ metadata }) => metadata[one] && metadata[other]);
      return together.length < 300;
    }),
  );
  expect(apart).toEqual([]);
});

test('what the world knows has a past', () => {
  const found = (key: 'task_id' | 'entity_id', value: string) =>
    events.some(({ metadata }) => metadata[key] === value);
  expect(world.tasks.every(({ id }) => found('task_id', id))).toBe(true);
  expect(world.assessments.every(({ entity_id }) => found('entity_id', entity_id))).toBe(true);
});
