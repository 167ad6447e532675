import { expect, test } from 'vitest';
import { versionRules } from './version.ts';

const iso = (at: number) => new Date(at).toISOString();
const toTheSecond = (at: number) => iso(at).slice(0, 19);

test.each([
  ['the time', 1_000, 5_000, iso, 5_000],
  ['a millisecond later than the one before, in the same millisecond', 5_000, 5_000, iso, 5_001],
  ['a millisecond later than the one before, when the clock went back', 5_000, 1_000, iso, 5_001],
  ['a second later, where no milliseconds are written', 5_900, 5_950, toTheSecond, 6_900],
  ['the time, where no milliseconds are written', 5_900, 6_100, toTheSecond, 6_100],
])('a new version is %s', (_name, previous, now, written, expected) => {
  expect(versionRules.newVersion(previous, now, written)).toBe(expected);
});

test('a version matches to the letter', () => {
  const versions = {
    current: '2026-01-15T12:00:00.000Z',
    earlier: ['2026-01-15T11:00:00.000Z'],
  };
  const matches = (given: string) => versionRules.versionMatches(given, versions, 'update');
  expect(matches('2026-01-15T12:00:00.000Z')).toBe(true);
  expect(matches('2026-01-15T11:00:00.000Z')).toBe(false);
  expect(matches('2026-01-15T12:00:00Z')).toBe(false);
  expect(matches('"2026-01-15T12:00:00.000Z"')).toBe(false);
});
