import { expect, test } from 'vitest';
import { withYearsOf } from './timezone.ts';

const range = { start: Date.UTC(2025, 11, 28), end: Date.UTC(2026, 0, 5) - 1 };

const instants = (...dates: string[]) => dates.map((date) => Date.parse(`${date}Z`));

const january = ['01', '02', '03', '04'].map((day) => `2026-01-${day} 08:15:00`);
const december = (year: number): string[] =>
  ['28', '29', '30', '31'].map((day) => `${year}-12-${day} 20:45:00`);

test('dates with the year that they have about a New Year', () => {
  const right = instants(...december(2025), ...january);
  expect(withYearsOf(range, instants(...december(2026), ...january))).toEqual(right);
  expect(withYearsOf(range, right)).toEqual(right);
});

test('dates of other days, or of other years altogether, as they are', () => {
  const due = instants(
    ...december(2026),
    ...january.map((date) => date.replace('2026-01', '2026-03')),
  );
  expect(withYearsOf(range, due)).toEqual(due);
  const later = instants(...december(2026), ...january.map((date) => date.replace('2026', '2027')));
  expect(withYearsOf(range, later)).toEqual(later);
});
