import { describe, expect, it } from 'vitest';
import { readDate, timeText } from './read-date.ts';

/** Every reading of a text as one line: style, date, time, precision, offset. */
function lines(text: string): string[] {
  return readDate(text).map((reading) => {
    const { year, month, day, hour, minute, second, millisecond } = reading;
    const { style, precision, offset } = reading;
    const date = `${year}-${month}-${day} ${hour}:${minute}:${second}.${millisecond}`;
    return `${style}: ${date} ${precision} ${offset ?? 'no offset'}`;
  });
}

describe('a written date is read', () => {
  it.for([
    ['2026-11-20T14:05:33.123Z', 'year first: 2026-11-20 14:5:33.123 ms 0'],
    ['2026-11-20 14:05:33,123456+01:00', 'year first: 2026-11-20 14:5:33.123 us 60'],
    ['2026-11-20T14:05:33-0330', 'year first: 2026-11-20 14:5:33.0 s -210'],
    ['2026-11-20T14:05:33+01:00[Europe/Berlin]', 'year first: 2026-11-20 14:5:33.0 s 60'],
    ['20261120T140533.5+0100', 'year first: 2026-11-20 14:5:33.500 ms 60'],
    ['20261120T140533Z', 'year first: 2026-11-20 14:5:33.0 s 0'],
    ['2026/11/20 14:05', 'year first: 2026-11-20 14:5:0.0 min no offset'],
    ['2026-11-20', 'year first: 2026-11-20 0:0:0.0 day no offset'],
    ['11/20/2026, 12:05:33\u202fAM', 'month first: 2026-11-20 0:5:33.0 s no offset'],
    ['11/20/26, 2:05 p.m.', 'month first: 2026-11-20 14:5:0.0 min no offset'],
    ['20.11.2026, 14:05:33', 'day first: 2026-11-20 14:5:33.0 s no offset'],
    ['20.11.2026 klo 14.05.33 UTC', 'day first: 2026-11-20 14:5:33.0 s 0'],
    ['20-11-2026 14:05', 'day first: 2026-11-20 14:5:0.0 min no offset'],
    ['Fri, 20 Nov 2026 14:05:33 +0100', 'month by name: 2026-11-20 14:5:33.0 s 60'],
    ['Fri, 20 Nov 2026 14:05:33 EST', 'month by name: 2026-11-20 14:5:33.0 s -300'],
    ['Fri Nov 20 14:05:33 UTC 2026', 'month by name: 2026-11-20 14:5:33.0 s 0'],
    ['Fri 20 Nov 2026, 2.05 pm (UTC)', 'month by name: 2026-11-20 14:5:0.0 min 0'],
    ['Fri 20 Nov 2026, 12.05 am (UTC+0)', 'month by name: 2026-11-20 0:5:0.0 min 0'],
    ['Fri 20 Nov 2026, 2.05 pm (UTC+5:30)', 'month by name: 2026-11-20 14:5:0.0 min 330'],
    ['Fri 20 Nov 2026, 2.05 pm (UTC−4)', 'month by name: 2026-11-20 14:5:0.0 min -240'],
    ['20.11.2026 klo 14.05 +05:30', 'day first: 2026-11-20 14:5:0.0 min 330'],
    ['20-11-2026-14:05', 'day first: 2026-11-20 14:5:0.0 min no offset'],
    ['20 nov. 2026 à 14 h 05', 'month by name: 2026-11-20 14:5:0.0 min no offset'],
    ['mar. 3 nov. 2026, 14:05', 'month by name: 2026-11-3 14:5:0.0 min no offset'],
    ['2026년 11월 20일 PM 2:05', 'year first: 2026-11-20 14:5:0.0 min no offset'],
    ['1795183533', 'epoch seconds: 2026-11-20 14:5:33.0 s 0'],
    ['1795183533123', 'epoch milliseconds: 2026-11-20 14:5:33.123 ms 0'],
  ])('%s', ([text = '', line]) => {
    expect(lines(text)).toEqual([line]);
  });

  it('in two ways where day and month could both be meant', () => {
    expect(lines('03/04/2026')).toEqual([
      'day first: 2026-4-3 0:0:0.0 day no offset',
      'month first: 2026-3-4 0:0:0.0 day no offset',
    ]);
  });

  it('in two ways where a month’s name means different months in different languages', () => {
    expect(lines('3 lip 2026')).toEqual([
      'month by name: 2026-7-3 0:0:0.0 day no offset',
      'month by name: 2026-6-3 0:0:0.0 day no offset',
    ]);
  });
});

describe('as the platform writes it', () => {
  const instant = Date.UTC(2026, 10, 20, 14, 5, 33);
  const styles = ['short', 'medium', 'long', 'full'] as const;

  it.for(['en', 'en-GB', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'ru'])(
    'in %s',
    (locale) => {
      for (const dateStyle of styles) {
        for (const timeStyle of styles) {
          const format = new Intl.DateTimeFormat(locale, { dateStyle, timeStyle, timeZone: 'UTC' });
          const text = format.format(instant);
          const second = timeStyle === 'short' ? 0 : 33;
          const found = { year: 2026, month: 11, day: 20, hour: 14, minute: 5, second };
          expect(readDate(text), text).toContainEqual(expect.objectContaining(found));
        }
      }
    },
  );
});

it.for([
  '',
  'created',
  '17',
  '123456789',
  '8f3c2a10-aaaa-4bbb-8ccc-1234567890ab',
  '10.0.0.1',
  '2026-02-30',
  '2026-11-20T24:05:00Z',
  '20 things 2026',
  'x'.repeat(1000),
])('%j is no date', (text) => {
  expect(readDate(text)).toEqual([]);
});

it('a time is shown as far as it is written', () => {
  const [toTheSecond] = readDate('2026-01-01 01:00:00');
  const [toTheMillisecond] = readDate('2026-01-01 01:00:00.000');
  const wall = { year: 2026, month: 1, day: 1, hour: 1, minute: 0, second: 0, millisecond: 7 };
  expect(timeText(wall, toTheSecond?.precision ?? 'day')).toBe('2026-01-01 01:00:00');
  expect(timeText(wall, toTheMillisecond?.precision ?? 'day')).toBe('2026-01-01 01:00:00.007');
  expect(timeText(wall, 'us')).toBe('2026-01-01 01:00:00.007');
  expect(timeText(wall, 'min')).toBe('2026-01-01 01:00');
  expect(timeText(wall, 'day')).toBe('2026-01-01');
});
