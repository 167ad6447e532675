import { expect, it } from 'vitest';
import { clockChanges, utcOf, wallTimeIn } from './time-zones.ts';

const winter = Date.UTC(2026, 0, 1, 0, 0, 0, 7);

it('clocks differ by zone, by less than an hour too', () => {
  const at = { year: 2026, month: 1, day: 1, minute: 0, second: 0, millisecond: 7 };
  expect(wallTimeIn('Europe/Berlin', winter)).toEqual({ ...at, hour: 1 });
  expect(wallTimeIn('Asia/Kathmandu', winter)).toEqual({ ...at, hour: 5, minute: 45 });
  expect(() => wallTimeIn('Europe/Atlantis', winter)).toThrow(RangeError);
});

it('clocks are set forward and back', () => {
  const before = Date.UTC(2026, 2, 29, 0, 59);
  expect(wallTimeIn('Europe/Berlin', before)).toMatchObject({ hour: 1, minute: 59 });
  expect(wallTimeIn('Europe/Berlin', before + 60_000)).toMatchObject({ hour: 3, minute: 0 });
});

it('instants before 1970 have milliseconds too', () => {
  const wall = wallTimeIn('UTC', -1);
  expect(wall).toEqual({
    ...{ year: 1969, month: 12, day: 31, hour: 23, minute: 59, second: 59, millisecond: 999 },
  });
  expect(utcOf(wall)).toBe(-1);
});

const hour = 3_600_000;

it('clocks of a year are set forward and back', () => {
  const [start, end] = [Date.UTC(2026, 0, 1, 5, 17), Date.UTC(2026, 11, 31)];
  expect(clockChanges('America/New_York', start, end)).toEqual([
    { at: Date.UTC(2026, 2, 8, 7), byMs: hour },
    { at: Date.UTC(2026, 10, 1, 6), byMs: -hour },
  ]);
});

it('clocks stay as they are where there is no daylight saving, and between two changes', () => {
  expect(clockChanges('Asia/Kolkata', Date.UTC(2025, 0, 1), Date.UTC(2026, 0, 1))).toEqual([]);
  const [start, end] = [Date.UTC(2026, 2, 8, 7), Date.UTC(2026, 10, 1, 5, 59)];
  expect(clockChanges('America/New_York', start, end)).toEqual([]);
  const changes = [
    { at: start, byMs: hour },
    { at: end + 60_000, byMs: -hour },
  ];
  expect(clockChanges('America/New_York', start - 1, end)).toEqual(changes.slice(0, 1));
  expect(clockChanges('America/New_York', start - 60_000, end + 60_000)).toEqual(changes);
});
