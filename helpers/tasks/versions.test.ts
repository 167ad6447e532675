import { describe, expect, test } from 'vitest';
import { neighbour, withMoreDigits, withOtherZoneMark } from './versions.ts';

describe('the moment next to another differs in the last digit, or comes a day after whole seconds', () => {
  test.for([
    ['2026-11-05T09:30:00.123Z', 'later', '2026-11-05T09:30:00.124Z'],
    ['2026-11-05T09:30:00.123Z', 'earlier', '2026-11-05T09:30:00.122Z'],
    ['2026-11-05T09:30:00.999Z', 'later', '2026-11-05T09:30:01.000Z'],
    ['2026-01-01T00:00:00.000Z', 'earlier', '2025-12-31T23:59:59.999Z'],
    ['2026-11-05T09:30:00Z', 'later', '2026-11-06T09:30:00Z'],
    ['2026-11-05T09:30:00.5Z', 'later', '2026-11-05T09:30:00.6Z'],
    ['2026-11-05T09:30:00.120Z', 'later', '2026-11-05T09:30:00.121Z'],
    ['2026-11-05T09:30:00.123456Z', 'later', '2026-11-05T09:30:00.123457Z'],
    ['2026-11-05T09:30:00.123450Z', 'later', '2026-11-05T09:30:00.123460Z'],
    ['2026-11-05T09:30:00.123000Z', 'later', '2026-11-05T09:30:00.124000Z'],
    ['2026-11-05T09:30:00.123456789+00:00', 'earlier', '2026-11-05T09:30:00.123456788+00:00'],
    ['2024-02-28T23:59:59.999999Z', 'later', '2024-02-29T00:00:00.000000Z'],
  ] as const)('%s, %s', ([version, side, expected]) => {
    expect(neighbour(version, side)).toBe(expected);
  });

  test('a text that is no timestamp has none', () => {
    expect(neighbour('"3"', 'later')).toBeUndefined();
    expect(neighbour('2026-02-30T00:00:00Z', 'later')).toBeUndefined();
  });
});

test('the same instant with the other mark for UTC', () => {
  expect(withOtherZoneMark('2026-11-05T09:30:00.1Z')).toBe('2026-11-05T09:30:00.1+00:00');
  expect(withOtherZoneMark('2026-11-05T09:30:00.1+00:00')).toBe('2026-11-05T09:30:00.1Z');
  expect(withOtherZoneMark('a version')).toBe('a version');
});

test('the same instant with more fractional digits', () => {
  expect(withMoreDigits('2026-11-05T09:30:00Z')).toBe('2026-11-05T09:30:00.000000Z');
  expect(withMoreDigits('2026-11-05T09:30:00.5Z')).toBe('2026-11-05T09:30:00.500000Z');
  expect(withMoreDigits('2026-11-05T09:30:00.123+00:00')).toBe('2026-11-05T09:30:00.123000+00:00');
  expect(withMoreDigits('a version')).toBe('a version');
});
