import { expect, it } from 'vitest';
import { clockChanges } from './clock-changes.ts';

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
});
