import { expect, test } from 'vitest';
import { localDate, localTime } from './dates.ts';

const at = Date.parse('2026-12-31T23:45:06.007Z');

test.for([
  ['en', 0, '2026-12-31 23:45:06.007 +00:00'],
  ['de', 60, '01.01.2027 00:45:06.007 +01:00'],
  ['fr', -210, '31/12/2026 20:15:06.007 -03:30'],
] as const)('locale %s, %i minutes ahead: %s', ([locale, offset, written]) => {
  expect(localDate(localTime(at, offset, locale))).toBe(written);
});
