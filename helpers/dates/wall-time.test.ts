import { expect, it } from 'vitest';
import { shows } from './date-reading.ts';
import { readDate } from './parse-date.ts';
import { instantsIn, wallTimeIn } from './wall-time.ts';

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

it('a wall time is two instants when clocks are set back, none when set forward', () => {
  const wall = { hour: 2, minute: 30, second: 0, millisecond: 0 };
  expect(instantsIn('Europe/Berlin', { year: 2026, month: 10, day: 25, ...wall })).toEqual([
    Date.UTC(2026, 9, 25, 0, 30),
    Date.UTC(2026, 9, 25, 1, 30),
  ]);
  expect(instantsIn('Europe/Berlin', { year: 2026, month: 3, day: 29, ...wall })).toEqual([]);
  expect(instantsIn('Europe/Berlin', { year: 2026, month: 7, day: 1, ...wall })).toEqual([
    Date.UTC(2026, 6, 1, 0, 30),
  ]);
});

it('a reading shows a wall time as far as it is written', () => {
  const wall = wallTimeIn('Europe/Berlin', winter);
  const [toTheSecond] = readDate('2026-01-01 01:00:00');
  const [toTheMillisecond] = readDate('2026-01-01 01:00:00.000');
  expect(toTheSecond && shows(toTheSecond, wall)).toBe(true);
  expect(toTheMillisecond && shows(toTheMillisecond, wall)).toBe(false);
});
