import { describe, expect, it } from 'vitest';
import {
  finest,
  plainWords,
  readDate,
  readDateColumn,
  readingsByStyle,
  readTimeOfDay,
  timeText,
  wordsOf,
} from './read-date.ts';

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
    ['2026-11-20T14:05:33Z[Etc/UTC]', 'year first: 2026-11-20 14:5:33.0 s 0'],
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
    ['1795183533.5', 'epoch seconds: 2026-11-20 14:5:33.500 ms 0'],
    ['1795183533.001', 'epoch seconds: 2026-11-20 14:5:33.1 ms 0'],
    ['1795183533.123456', 'epoch seconds: 2026-11-20 14:5:33.123 us 0'],
    ['1795183533.1234567', 'epoch seconds: 2026-11-20 14:5:33.123 ns 0'],
    ['1795183533123.456', 'epoch milliseconds: 2026-11-20 14:5:33.123 us 0'],
    ['4102444800', 'epoch seconds: 2100-1-1 0:0:0.0 s 0'],
    ['1000000000', 'epoch seconds: 2001-9-9 1:46:40.0 s 0'],
    ['2026-11-20 14:05:33.1', 'year first: 2026-11-20 14:5:33.100 ms no offset'],
    ['2026-11-20 14:05:33.1234', 'year first: 2026-11-20 14:5:33.123 us no offset'],
    ['2026-11-20 14:05:33.123456789', 'year first: 2026-11-20 14:5:33.123 ns no offset'],
    ['2026-11-20 14:05:33 UTC+14', 'year first: 2026-11-20 14:5:33.0 s 840'],
    ['2026-11-20 14:05:33 UTC+14:00', 'year first: 2026-11-20 14:5:33.0 s 840'],
    ['2026-11-20 14:05:33 GMT-12', 'year first: 2026-11-20 14:5:33.0 s -720'],
    ['2026-11-20 14:05:33 ut', 'year first: 2026-11-20 14:5:33.0 s 0'],
    ['2026-11-20 14:05:33 GMT', 'year first: 2026-11-20 14:5:33.0 s 0'],
    ['2026-11-20 14:05:33 Z', 'year first: 2026-11-20 14:5:33.0 s 0'],
    ['2026-11-20 14:05:33 EDT', 'year first: 2026-11-20 14:5:33.0 s -240'],
    ['2026-11-20 14:05:33 CST', 'year first: 2026-11-20 14:5:33.0 s -360'],
    ['2026-11-20 14:05:33 CDT', 'year first: 2026-11-20 14:5:33.0 s -300'],
    ['2026-11-20 14:05:33 MST', 'year first: 2026-11-20 14:5:33.0 s -420'],
    ['2026-11-20 14:05:33 MDT', 'year first: 2026-11-20 14:5:33.0 s -360'],
    ['2026-11-20 14:05:33 PST', 'year first: 2026-11-20 14:5:33.0 s -480'],
    ['2026-11-20 14:05:33 PDT', 'year first: 2026-11-20 14:5:33.0 s -420'],
    ['2026-11-20 14:05:33 (EST)', 'year first: 2026-11-20 14:5:33.0 s -300'],
    ['2026-11-20 14:05:33 [UTC]', 'year first: 2026-11-20 14:5:33.0 s 0'],
    ['2026-11-20 14:05:33 CET', 'year first: 2026-11-20 14:5:33.0 s no offset'],
    ['2026-11-20 14:05:33 Europe/Berlin', 'year first: 2026-11-20 14:5:33.0 s no offset'],
    ['2026-11-20 14:05:33 Etc/GMT+5', 'year first: 2026-11-20 14:5:33.0 s no offset'],
    ['2026-11-20 14:05:33 (UTC+01:00)', 'year first: 2026-11-20 14:5:33.0 s 60'],
    ['2026-11-20 14:05:33 +0100 (CET)', 'year first: 2026-11-20 14:5:33.0 s 60'],
    ['2026-11-20 0:00 AM', 'year first: 2026-11-20 0:0:0.0 min no offset'],
    ['2026-11-20 12:05 PM', 'year first: 2026-11-20 12:5:0.0 min no offset'],
    ['2026-11-20 11:59 PM', 'year first: 2026-11-20 23:59:0.0 min no offset'],
    ['2026-11-20 2:05 a. m.', 'year first: 2026-11-20 2:5:0.0 min no offset'],
    ['2:05 PM 2026-11-20', 'year first: 2026-11-20 14:5:0.0 min no offset'],
    ['14:05:33 20.11.2026', 'day first: 2026-11-20 14:5:33.0 s no offset'],
    ['\u200e20.11.2026\u200f 14:05', 'day first: 2026-11-20 14:5:0.0 min no offset'],
    ['20.11.2026 14.05.33,123', 'day first: 2026-11-20 14:5:33.123 ms no offset'],
    ['20. 11. 2026 14:05', 'day first: 2026-11-20 14:5:0.0 min no offset'],
    ['2026. 11. 20. 14:05', 'year first: 2026-11-20 14:5:0.0 min no offset'],
    ['2026年11月20日 14:05:33', 'year first: 2026-11-20 14:5:33.0 s no offset'],
    ['2026年11月3日火曜日 21時04分05秒 協定世界時', 'year first: 2026-11-3 21:4:5.0 s no offset'],
    ['2026年11月20日(金) 14時05分', 'year first: 2026-11-20 14:5:0.0 min no offset'],
    ['20\u201111\u20112026 14:05', 'day first: 2026-11-20 14:5:0.0 min no offset'],
    ['Fri 20 Nov 2026, 2.05pm', 'month by name: 2026-11-20 14:5:0.0 min no offset'],
    ['20 nov. 2026 à 14 h 05 min 33', 'month by name: 2026-11-20 14:5:33.0 s no offset'],
    ['1st November 2026', 'month by name: 2026-11-1 0:0:0.0 day no offset'],
    ['November 2nd, 2026', 'month by name: 2026-11-2 0:0:0.0 day no offset'],
    ['Nov 3rd 26', 'month by name: 2026-11-3 0:0:0.0 day no offset'],
    ['2026 Nov 20', 'month by name: 2026-11-20 0:0:0.0 day no offset'],
    ['20-Nov-2026 14:05', 'month by name: 2026-11-20 14:5:0.0 min no offset'],
    ['20261120T140533.123Z', 'year first: 2026-11-20 14:5:33.123 ms 0'],
    ['20261120140533+01:00', 'year first: 2026-11-20 14:5:33.0 s 60'],
    ['2026-11-20t4:05', 'year first: 2026-11-20 4:5:0.0 min no offset'],
    ['  20.11.2026   14:05  ', 'day first: 2026-11-20 14:5:0.0 min no offset'],
    ['20 / 11 / 2026', 'day first: 2026-11-20 0:0:0.0 day no offset'],
    ['20 nov. 2026 14h05', 'month by name: 2026-11-20 14:5:0.0 min no offset'],
    ['20 nov. 2026 14h05m33', 'month by name: 2026-11-20 14:5:33.0 s no offset'],
    ['20 nov. 2026 14 h 05 m 33', 'month by name: 2026-11-20 14:5:33.0 s no offset'],
    ['2:05PM 20.11.2026', 'day first: 2026-11-20 14:5:0.0 min no offset'],
    ['20.11.2026 2:05pm', 'day first: 2026-11-20 14:5:0.0 min no offset'],
    ['PM 2:05, 20.11.2026', 'day first: 2026-11-20 14:5:0.0 min no offset'],
    [
      '2026-11-20 14:05:33 America/Argentina/Buenos_Aires',
      'year first: 2026-11-20 14:5:33.0 s no offset',
    ],
    ['2026-11-20 14:05:33 -0', 'year first: 2026-11-20 14:5:33.0 s 0'],
    ['2026-11-20 14:05:33 utc +2', 'year first: 2026-11-20 14:5:33.0 s 120'],
    [' 1795183533 ', 'epoch seconds: 2026-11-20 14:5:33.0 s 0'],
    ['1795183533.1234567891', 'epoch seconds: 2026-11-20 14:5:33.123 ns 0'],
    ['20.  11.  2026 14:05', 'day first: 2026-11-20 14:5:0.0 min no offset'],
    ['20.11.2026 2:05 p.m. UTC', 'day first: 2026-11-20 14:5:0.0 min 0'],
    ['2026/11/20 下午2:05', 'year first: 2026-11-20 14:5:0.0 min no offset'],
    ['Fri Nov 20 14:05:33 2026', 'month by name: 2026-11-20 14:5:33.0 s no offset'],
    ['um 14:05, 20.11.2026', 'day first: 2026-11-20 14:5:0.0 min no offset'],
    ['03.04.2026', 'day first: 2026-4-3 0:0:0.0 day no offset'],
    ['20261120T140533', 'year first: 2026-11-20 14:5:33.0 s no offset'],
    ['25.12.26', 'day first: 2026-12-25 0:0:0.0 day no offset'],
    ['2024-02-29', 'year first: 2024-2-29 0:0:0.0 day no offset'],
    ['1900-01-01', 'year first: 1900-1-1 0:0:0.0 day no offset'],
    ['2199-12-31T23:59:60Z', 'year first: 2199-12-31 23:59:60.0 s 0'],
    [`${' '.repeat(70)}2026-11-20`, 'year first: 2026-11-20 0:0:0.0 day no offset'],
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

it('the words of a language', () => {
  const german = wordsOf('de');
  expect([...german.months].filter(([, month]) => month === 3)).toEqual([
    ['märz', 3],
    ['mär', 3],
  ]);
  expect(new Set(german.months.values())).toEqual(
    new Set(Array.from({ length: 12 }, (_, index) => index + 1)),
  );
  expect(german.fillers.has('donnerstag')).toBe(true);
  expect(german.fillers.has('do')).toBe(true);
  expect(german.fillers.has('um')).toBe(true);
  expect(german.fillers.has('märz')).toBe(false);
  expect(german.fillers.has('24')).toBe(false);
  expect(german.months.has('donnerstag')).toBe(false);
  const english = wordsOf('en');
  expect([...english.halves]).toEqual([
    ['am', 'am'],
    ['pm', 'pm'],
  ]);
  expect(wordsOf('zh').halves.get('下午')).toBe('pm');
  expect(plainWords('2 de nov. de 2026, 2:05 a. m.')).toEqual(['de', 'nov', 'de', 'am']);
  expect(plainWords('a.m. p.m.')).toEqual(['am', 'pm']);
  expect(plainWords('Z.B.C. x.1.')).toEqual(['z', 'bc', 'x']);
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
  `${' '.repeat(71)}2026-11-20`,
  ...['1899-12-31', '2200-01-01', '2026-00-10', '2026-13-10', '2026-11-00', '2026-11-31'],
  ...['2026-02-29', '2026-11-201', '02026-11-20', '2026-11-20 14:60', '2026-11-20 14:05:61'],
  ...['2026-11-20 13:05 PM', '2026-11-20 14:05:33 UTC+15', '2026-11-20 14:05:33 #17'],
  ...['Nov 20 14:05:33 2026 #17', '12026112014053301', '2026112014053301', '3 mayo 2026 x'],
  ...['3 Nov west 2026', '3 Nov storm 2026'],
  ...['20/11/026', '201/11/2026', '20/11-2026', 'week 20/11/2026', '20 Foo 2026', '20 Nov'],
  ...['20 Nov 202', '2026 Nov 2026', '200 Nov 2026', '1 2 Nov 2026', '3 Nov Dec 2026', '20 2026'],
  ...['5795183533', '179518353', '17951835331', '179518353312', '17951835331234'],
])('%j is no date', (text) => {
  expect(readDate(text)).toEqual([]);
});

it('what is written beyond the millisecond is kept in nanoseconds', () => {
  const beyond = (text: string) => readDate(text).map(({ beyondMs }) => beyondMs);
  expect(beyond('2026-11-20 14:05:33.123456789')).toEqual([456_789]);
  expect(beyond('2026-11-20 14:05:33.1234')).toEqual([400_000]);
  expect(beyond('2026-11-20 14:05:33.123')).toEqual([0]);
  expect(beyond('2026-11-20 14:05:33')).toEqual([0]);
  expect(beyond('2026-11-20')).toEqual([0]);
  expect(beyond('1795183533.123456789')).toEqual([456_789]);
  expect(beyond('1795183533123.4567')).toEqual([456_700]);
});

it('readings are told apart by style, and by the language of a month’s name', () => {
  expect([...readingsByStyle('03/04/2026').keys()]).toEqual(['day first', 'month first']);
  expect([...readingsByStyle('3 lip 2026').keys()]).toEqual([
    'month by name, pl',
    'month by name, hr',
  ]);
  expect(readingsByStyle('2026-11-20')).toBe(readingsByStyle('2026-11-20'));
});

it.for([
  ['14:05:33.5', { hour: 14, minute: 5, second: 33, offset: null, precision: 'ms' }],
  ['on 2026-13-45 at 14:05', { hour: 14, minute: 5, second: 0, offset: null, precision: 'min' }],
  ['20 Foo 2026, 2:05:33 pm UTC', { hour: 14, minute: 5, second: 33, offset: 0, precision: 's' }],
  ['20 Foo 2026 24:05', undefined],
  ['20 Foo 2026 23:60', undefined],
  ['20 Foo 2026 23:59', { hour: 23, minute: 59 }],
  ['20 Foo 2026', undefined],
  ['noon', undefined],
  [`${' '.repeat(64)}20 Foo 2026 14:05`, undefined],
] as const)('the time of day in %j', ([text, time]) => {
  const read = readTimeOfDay(text);
  if (time === undefined) expect(read).toBeUndefined();
  else expect(read).toMatchObject(time);
});

it('the most precise of several', () => {
  expect(finest(['s', 'us', 'ms'])).toBe('us');
  expect(finest(['day', 'min'])).toBe('min');
  expect(finest(['ns', 's'])).toBe('ns');
  expect(finest([])).toBe('day');
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

describe('a column of dates', () => {
  it('is read in the one style that fits every row', () => {
    const column = readDateColumn(['03/04/2026', '04/25/2026', '05/06/2026']);
    expect(column.map(({ style }) => style)).toEqual(['month first']);
    const months = column[0]?.readings.map(({ month, day }) => [month, day]);
    expect(months).toEqual([
      [3, 4],
      [4, 25],
      [5, 6],
    ]);
  });

  it('keeps both styles where every row fits both', () => {
    const column = readDateColumn(['03/04/2026', '05/06/2026']);
    expect(column.map(({ style }) => style)).toEqual(['day first', 'month first']);
  });

  it('is read in the one language that knows all its months', () => {
    const column = readDateColumn(['3 lip 2026', '4 sty 2026']);
    expect(column).toHaveLength(1);
    expect(column[0]?.readings[0]).toMatchObject({ month: 7, day: 3 });
  });

  it('is read once where several languages read it alike', () => {
    expect(readDateColumn(['3 nov 2026', '4 apr 2026'])).toHaveLength(1);
    // In Slovak and in Hungarian.
    expect(readDateColumn(['3 júl 2026'])).toHaveLength(1);
  });

  it('is read in each of the languages that read it otherwise', () => {
    const months = readDateColumn(['3 listopada 2026']).map(({ readings: [one] }) => one?.month);
    expect(months.toSorted()).toEqual([10, 11]);
  });

  it('has the precision of its finest row, and offsets where every row has one', () => {
    const column = readDateColumn(['2026-11-20T14:05:33Z', '2026-11-20T14:05:33.5Z']);
    expect(column[0]).toMatchObject({ precision: 'ms', hasOffsets: true });
    const bare = readDateColumn(['2026-11-20T14:05:33Z', '2026-11-20T14:05']);
    expect(bare[0]).toMatchObject({ precision: 's', hasOffsets: false });
  });

  it('names instants where rows are in UTC, or say how far from it they are', () => {
    const column = readDateColumn(['2026-11-20 14:05 +01:00', '2026-11-20 14:05 -00:30']);
    expect(column[0]?.instants).toEqual([
      Date.UTC(2026, 10, 20, 13, 5),
      Date.UTC(2026, 10, 20, 14, 35),
    ]);
  });

  it('has what rows write beyond the millisecond', () => {
    const column = readDateColumn(['2026-11-20T14:05:33.000001Z', '2026-11-20T14:05:33Z']);
    expect(column[0]?.beyondMs).toEqual([1000, 0]);
  });

  it('is none where one row is no date, or there is no row', () => {
    expect(readDateColumn(['2026-11-20', '', '2026-11-21'])).toEqual([]);
    expect(readDateColumn(['2026-11-20', '21.11.2026'])).toEqual([]);
    expect(readDateColumn([])).toEqual([]);
  });
});
