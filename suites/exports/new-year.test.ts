import { expect, test } from 'vitest';
import { datesWithOtherYears } from './new-year.ts';

const range = { start: Date.UTC(2025, 11, 28), end: Date.UTC(2026, 0, 5) - 1 };

const tableOf = (...dates: string[]) => ({ rows: dates.map((date, index) => [`${index}`, date]) });

const january = ['01', '02', '03', '04'].map((day) => `2026-01-${day} 08:15:00`);
const december = (year: number): string[] =>
  ['28', '29', '30', '31'].map((day) => `${year}-12-${day} 20:45:00`);

test('a column whose dates are right but for the year of some', () => {
  const found = datesWithOtherYears(tableOf(...december(2026), ...january), range);
  expect(found?.columns).toEqual([1]);
  expect(found?.instants[0]).toBe(Date.UTC(2026, 11, 28, 20, 45));
});

test('no column of other days, of other years altogether, or of few dates', () => {
  const due = january.map((date) => date.replace('2026-01', '2026-03'));
  expect(datesWithOtherYears(tableOf(...december(2026), ...due), range)).toBeUndefined();
  const later = january.map((date) => date.replace('2026', '2027'));
  expect(datesWithOtherYears(tableOf(...december(2026), ...later), range)).toBeUndefined();
  expect(
    datesWithOtherYears(tableOf(...december(2026).slice(2), ...january), range),
  ).toBeUndefined();
});
