import { expect, test } from 'vitest';
import { clockFormats, dateFormats, dayFormats, wholeFormats } from './date-formats.ts';
import { plain } from './plain-text.ts';

const date = { year: 2026, month: 3, day: 9, hour: 16, minute: 5, second: 7, millisecond: 45 };
const morning = { ...date, hour: 0, minute: 30 };

const written = (formats: Iterable<(one: typeof date) => string>, one = date) =>
  new Set(Array.from(formats, (format) => format(one)));

test.each([
  '2026-03-09T16:05:07.045',
  '2026-03-09 16:05:07,045',
  '2026-03-09, 16:05:07',
  '2026-3-9 16:05',
  '09.03.2026 16:05:07',
  '9.3.2026, 16:05',
  '09/03/2026 16:05',
  '03/09/2026 4:05:07 pm',
  '3/9/26 4:05 PM',
  '9.3.26 16:05',
  '09 Mar 2026 16:05:07',
  '9-March-2026 16:05',
  'Mar 09 2026, 04:05:07 PM',
  '09-03-26 04:05:07 pm',
  '2026/03/09 04:05 pm',
  'Mar 9, 2026, 4:05:07 PM',
  'March 9, 2026 at 4:05:07 PM',
  'Monday, March 9, 2026 at 4:05 PM',
  '9. März 2026 um 16:05:07',
  '09.03.2026, 16:05:07',
  '9 mars 2026, 16:05',
])('a date is written as %s', (text) => {
  expect(written(wholeFormats())).toContain(plain(text));
});

test.each([
  '00:30:07.045',
  '00:30:07,045',
  '00:30:07',
  '0:30:07',
  '12:30:07 am',
  '00:30',
  '12:30 am',
])('a time of day is written as %s', (text) => {
  expect(written(clockFormats, morning)).toContain(plain(text));
});

test('noon and midnight are twelve', () => {
  const noon = written(clockFormats, { ...date, hour: 12 });
  expect(noon).toContain('12:05pm');
  expect(noon).not.toContain('0:05pm');
  expect(written(clockFormats, { ...date, hour: 1 })).toContain('01:05am');
  expect(written(clockFormats, { ...date, hour: 11 })).toContain('11:05:07am');
});

test.each([
  '2026-03-09',
  '09.03.2026',
  '3/9/26',
  'March 9, 2026',
  'Monday, March 9, 2026',
  'Mon, Mar 9, 2026',
  'Monday, Mar 9, 2026',
  'Montag, 9. März 2026',
  'lundi 9 mars 2026',
  '2026年3月9日月曜日',
  'maanantai 9. maaliskuuta 2026',
  '26. 3. 9.',
  '9.03.26 г.',
])('a heading for a day is %s', (text) => {
  expect(written(dayFormats)).toContain(plain(text));
});

test('days and times of day stand alone too, after those that write both', () => {
  const all = dateFormats().map((format) => format(date));
  const whole = wholeFormats().length;
  expect(all.slice(0, whole)).toEqual(wholeFormats().map((format) => format(date)));
  expect(all.slice(whole)).toContain('16:05:07.045');
  expect(all.at(whole)).toBe('16:05:07.045');
  expect(all.slice(whole + clockFormats.length)).toContain(plain('2026-03-09'));
  expect(all.slice(whole + clockFormats.length)).toHaveLength(38);
});

test('what was made once is made again the same', () => {
  const again = wholeFormats().map((format) => format(date));
  expect(wholeFormats().map((format) => format(date))).toEqual(again);
  expect(again.at(-1)).not.toBe(again.at(-2));
});
