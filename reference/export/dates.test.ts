import { expect, test } from 'vitest';
import { dateStyles, localDate, localTime, patternOf } from './dates.ts';

const at = Date.parse('2026-12-31T23:45:06.007Z');

test.for([
  ['en', 0, '2026-12-31 23:45:06.007 +00:00'],
  ['de', 60, '01.01.2027 00:45:06.007 +01:00'],
  ['fr', -210, '31/12/2026 20:15:06.007 -03:30'],
] as const)('locale %s, %i minutes ahead: %s', ([locale, offset, written]) => {
  expect(localDate(localTime(at, offset, locale))).toBe(written);
});

test('every style has a pattern and an order of its own', () => {
  const written = Object.values(dateStyles).map(({ order, write }) => ({
    order,
    // Versions of Intl differ in the kinds of white space.
    pattern: patternOf(write).replaceAll(/\s/g, ' '),
  }));
  const distinct = new Set(written.map((one) => JSON.stringify(one)));
  expect(distinct.size).toBe(written.length);
  expect(written.slice(0, 8)).toEqual([
    { order: 'year first', pattern: '9999-9-9 9:9:9.999 +9:9' },
    { order: 'year first', pattern: '9999-9-9a9:9:9.999a' },
    { order: 'year first', pattern: '9999-9-9a9:9:9a' },
    { order: 'year first', pattern: '9999-9-9a9:9:9.999' },
    { order: 'year first', pattern: '9999-9-9 9:9:9.999' },
    { order: 'year first', pattern: '9999-9-9 9:9:9' },
    { order: 'month first', pattern: '9/9/9999, 9:9:9 a' },
    { order: 'month first', pattern: '9/9/9999 9:9:9.999' },
  ]);
});
