import { expect, test } from 'vitest';
import { areRightButForYears } from './new-year.ts';

const range = { start: Date.UTC(2025, 11, 28), end: Date.UTC(2026, 0, 5) - 1 };

const instants = (...dates: string[]) => dates.map((date) => Date.parse(`${date}Z`));

const january = ['01', '02', '03', '04'].map((day) => `2026-01-${day} 08:15:00`);
const december = (year: number): string[] =>
  ['28', '29', '30', '31'].map((day) => `${year}-12-${day} 20:45:00`);

test('dates that are right but for the year of some', () => {
  expect(areRightButForYears(instants(...december(2026), ...january), range)).toBe(true);
  expect(areRightButForYears(instants(...december(2025), ...january), range)).toBe(true);
});

test('dates of other days, or of other years altogether', () => {
  const due = january.map((date) => date.replace('2026-01', '2026-03'));
  expect(areRightButForYears(instants(...december(2026), ...due), range)).toBe(false);
  const later = january.map((date) => date.replace('2026', '2027'));
  expect(areRightButForYears(instants(...december(2026), ...later), range)).toBe(false);
});
