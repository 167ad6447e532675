import { describe, expect, test } from 'vitest';
import { shifted, withMoreDigits, withOtherZoneMark } from './versions.ts';

describe('a moment that is shifted is written as before', () => {
  test.for([
    ['2026-11-05T09:30:00.123Z', 1, '2026-11-05T09:30:00.124Z'],
    ['2026-11-05T09:30:00.123Z', -1, '2026-11-05T09:30:00.122Z'],
    ['2026-11-05T09:30:00.999Z', 1, '2026-11-05T09:30:01.000Z'],
    ['2026-01-01T00:00:00.000Z', -1, '2025-12-31T23:59:59.999Z'],
    ['2026-11-05T09:30:00Z', 1, '2026-11-05T09:30:00.001Z'],
    ['2026-11-05T09:30:00.5Z', 1, '2026-11-05T09:30:00.501Z'],
    ['2026-11-05T09:30:00.123456Z', 1, '2026-11-05T09:30:00.124456Z'],
    ['2026-11-05T09:30:00.123456789+00:00', -1, '2026-11-05T09:30:00.122456789+00:00'],
    ['2024-02-28T23:59:59.999Z', 1, '2024-02-29T00:00:00.000Z'],
  ] as const)('%s by %i ms', ([version, milliseconds, expected]) => {
    expect(shifted(version, milliseconds)).toBe(expected);
  });

  test('a text that is no timestamp cannot be', () => {
    expect(shifted('"3"', 1)).toBeUndefined();
    expect(shifted('2026-02-30T00:00:00Z', 1)).toBeUndefined();
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
