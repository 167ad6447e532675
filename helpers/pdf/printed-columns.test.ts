import { describe, expect, it, test } from 'vitest';
import type { Row } from '../csv/csv-form.ts';
import { joinPieces } from './plain-text.ts';
import { isWord, type PrintedColumn, printedColumns, worth } from './printed-columns.ts';

/** Texts of pages, each text a piece of its own. */
function pages(...texts: readonly (readonly string[])[]) {
  return joinPieces(
    texts.flatMap((some, page) => some.map((text) => ({ text, page, x: 0, y: 0 }))),
  );
}

const count = (length: number) => [...Array(length).keys()];

/** The first column of these cells, in a PDF of one page. */
function columnOf(
  cells: readonly string[],
  printed: readonly string[],
  others: readonly string[] = [],
): PrintedColumn | undefined {
  const [rows = [], rest] = [cells, others].map((some) => some.map((cell) => [cell]));
  const [column] = printedColumns(rows, pages(printed), rest);
  return column;
}

/** Cells of other rows, as they are written where these cells are printed so. */
const others = (
  cells: readonly string[],
  printed: readonly string[],
  ...some: readonly string[]
): readonly string[] | undefined => columnOf(cells, printed, some)?.values.slice(cells.length);

describe('a column is printed', () => {
  it('in full, compared without case, white space and hyphens', () => {
    const rows: readonly Row[] = [['Evt-1'], ['Evt-2', 'b 7'], ['Evt-1', '', 'nowhere']];
    const columns = printedColumns(rows, pages(['EVT 1 evt-2'], ['B7']), [['Evt-3'], ['', 'C']]);
    const full = { found: 1, isCut: false, isProse: false };
    expect(columns).toMatchObject([
      { ...full, column: 0, distinct: 2, values: ['evt1', 'evt2', 'evt1', 'evt3', ''] },
      { ...full, column: 1, distinct: 1, values: ['', 'b7', '', '', 'c'] },
    ]);
    expect(printedColumns([], pages(['evt']))).toEqual([]);
  });

  it('in part, where events are missing', () => {
    expect(columnOf(['evt-1', 'evt-2', 'evt-3', 'evt-4'], ['evt-1', 'evt-4'])?.found).toBe(0.5);
    expect(columnOf(['', ''], ['evt-1'])).toBeUndefined();
  });

  it('as far as a sample of its values shows, which are spread over all', () => {
    const cells = count(240).map((index) => `evt-${index + 1000}`);
    expect(columnOf(cells, cells.slice(0, 24))?.found).toBe(3 / 24);
    expect(columnOf(cells.slice(0, 24), cells.slice(0, 12))?.found).toBe(12 / 24);
    expect(columnOf(cells.slice(0, 23), cells.slice(0, 12))?.found).toBe(12 / 23);
  });
});

test.each([
  [['one two three'], true],
  [['two words'], false],
  [['two  words'], false],
  [['出席'], true],
  [['word', 'one two three'], true],
  [['word', ''], false],
  [['1 March 2026 10:00:00'], false],
])('that a column with %j holds sentences: %s', (cells, isProse) => {
  expect(columnOf(cells, cells)?.isProse).toBe(isProse);
});

test('a column holds words where one of its values has no digit', () => {
  const isOfWords = (...cells: readonly string[]) => {
    const column = columnOf(cells, cells);
    return column && isWord(column);
  };
  expect(isOfWords('created', 'updated')).toBe(true);
  expect(isOfWords('created', 'v2')).toBe(true);
  expect(isOfWords('a1', 'v2')).toBe(false);
});

test('a column is worth the more the more values of it are distinct, found, and found whole', () => {
  const column = (distinct: number, found: number, isCut: boolean) => ({
    ...{ distinct, found, isCut },
  });
  expect(worth(column(10, 1, false))).toBe(10);
  expect(worth(column(10, 0.5, false))).toBe(2.5);
  expect(worth(column(10, 0.5, true))).toBe(0.75);
});

describe('a column is printed cut off', () => {
  const long = (index: number) => `evt-${index + 10}-abcdefghijklmnopqrstuvwxyz`;
  const cells = count(10).map(long);
  const cut = (length: number, some = cells) => some.map((cell) => cell.slice(0, length));

  it.each([
    [31, 24],
    [24, 24],
    [23, 16],
    [12, 12],
    [11, 8],
  ])('after %i characters: %i of them are compared', (printed, compared) => {
    const column = columnOf(cells, cut(printed));
    expect(column).toMatchObject({ isCut: true, found: 1, distinct: 10 });
    // Of the hyphens, both are within them.
    expect(column?.values[0]).toBe('evt10abcdefghijklmnopqrstuvwxyz'.slice(0, compared - 2));
    expect(others(cells, cut(printed), long(55))).toEqual([column?.values[0]?.replace('10', '65')]);
  });

  it('after fewer than eight, it is not', () => {
    expect(columnOf(cells, cut(7))).toBeUndefined();
  });

  it('but not where nine in ten are there in full', () => {
    const eleven = count(11).map(long);
    expect(columnOf(eleven, [...eleven.slice(1), ...cut(24, eleven)])?.isCut).toBe(false);
    expect(columnOf(cells, [...cells.slice(1), ...cut(24)])?.isCut).toBe(true);
  });

  it('where clearly more beginnings are there than whole values', () => {
    const twenty = count(20).map(long);
    const printed = (whole: number, beginnings: number) =>
      columnOf(twenty, [...twenty.slice(0, whole), ...cut(24, twenty.slice(0, beginnings))]);
    expect(printed(10, 11)).toMatchObject({ isCut: false, found: 0.5 });
    expect(printed(10, 12)).toMatchObject({ isCut: true, found: 0.6 });
  });

  it('where that leaves different values different, but for one in ten', () => {
    const alike = (times: number) =>
      cells.map((cell, index) => (index < times ? `${long(0)}${index}` : cell));
    expect(columnOf(alike(2), cut(24))).toMatchObject({ isCut: true, distinct: 9 });
    expect(columnOf(alike(3), cut(24))).toBeUndefined();
  });
});

describe('a column is printed as dates in another style', () => {
  const second = 1000;
  const hour = 60 * 60 * second;
  const day = 24 * hour;
  const from = Date.UTC(2026, 2, 4, 10, 5, 7, 123);
  const iso = (ms: number) => new Date(from + ms).toISOString();
  /** A day, an hour, a minute, a second and some milliseconds apart. */
  const times = (length: number) => count(length).map((index) => iso(index * 90_061_013));
  /** 2026-03-04 10:05:07.123 */
  const spaced = (time: string) => time.replace('T', ' ').replace('Z', '');
  const toTheSecond = (time: string) => spaced(time).slice(0, 19);
  const dayOf = (time: string) => time.slice(0, 10);

  it('which is found out where there is nothing else', () => {
    const column = columnOf(times(1), times(1).map(spaced));
    expect(column).toMatchObject({ found: 1, distinct: 1, isCut: false, isProse: false });
    expect(column?.values).toEqual(['2026030410:05:07.123']);
    expect(columnOf(times(5), times(5).map(toTheSecond))?.values[0]).toBe('2026030410:05:07');
    expect(columnOf(times(5), ['nothing'])).toBeUndefined();
  });

  it('in which other dates can be written, and nothing else', () => {
    const five = times(5).map(toTheSecond);
    expect(others(times(5), five, '2025-12-31T23:59:58.000Z')).toEqual(['2025123123:59:58']);
    expect(others(times(5), five, 'never', 'ever')).toEqual(['', '']);
    // Where nothing tells days from months, the PDF can.
    const [march, may] = [['03/04/2026 10:05:07'], '05/06/2026 10:05:07'];
    expect(others(march, ['2026-04-03 10:05:07'], may)).toEqual(['2026060510:05:07']);
    expect(others(march, ['2026-03-04 10:05:07'], may)).toEqual(['2026050610:05:07']);
  });

  it('as days, where they tell at least one in five from the others', () => {
    const onDays = (days: number) =>
      count(10).map((index) => iso((index % days) * day + index * second));
    expect(columnOf(onDays(2), onDays(2).map(dayOf))?.values.slice(0, 2)).toEqual([
      '20260304',
      '20260305',
    ]);
    expect(columnOf(onDays(1), onDays(1).map(dayOf))).toBeUndefined();
  });

  it('as more than half of them are printed, wherever those stand that are not', () => {
    const ten = times(10);
    const found = (some: readonly string[]) => columnOf(ten, some.map(spaced));
    expect(found(ten.slice(5))).toBeUndefined();
    expect(found(ten.slice(4))).toMatchObject({ found: 0.6, distinct: 10 });
    expect(found(ten.slice(0, 6))).toMatchObject({ found: 0.6, distinct: 10 });
    const many = times(72);
    expect(columnOf(many, many.slice(25).map(spaced))).toMatchObject({ distinct: 72 });
  });

  it('as precisely as about all of them are printed', () => {
    const printed = (all: readonly string[], whole: number) =>
      columnOf(
        all,
        all.map((time, index) => (index < whole ? spaced(time) : toTheSecond(time))),
      );
    expect(printed(times(11), 10)?.values[0]).toBe('2026030410:05:07.123');
    expect(printed(times(10), 9)?.values[0]).toBe('2026030410:05:07');
  });

  it('to the second, where others have the minutes of those that are missing', () => {
    const clocks = count(20).map((index) => iso(index * 30_000));
    const printed = clocks.filter((_, index) => index % 10 !== 3).map((time) => time.slice(11, 19));
    expect(columnOf(clocks, printed)).toMatchObject({ found: 0.9, distinct: 20 });
    expect(
      columnOf(
        clocks,
        printed.map((time) => `at${time}`),
      )?.values[0],
    ).toBe('10:05:07');
    expect(
      columnOf(
        clocks,
        printed.map((time) => `1${time}`),
      ),
    ).toBeUndefined();
  });

  it('as precisely as those are printed that are not missing, whose days others have', () => {
    const ofTwoDays = count(10).map((index) => iso(index * 5 * hour + index));
    const column = columnOf(ofTwoDays, ofTwoDays.slice(2).map(spaced));
    expect(column).toMatchObject({ found: 0.8, distinct: 10 });
    expect(column?.values[0]).toBe('2026030410:05:07.123');
  });

  it('with the half of the day, which those before noon are printed without as well', () => {
    const hours = count(10).map((index) => iso(((index * 2) % 9) * hour + index * day));
    const halved = hours.map((time) => {
      const hour = Number(time.slice(11, 13));
      const shown = String(hour % 12 || 12).padStart(2, '0');
      return `${dayOf(time)} ${shown}${time.slice(13, 19)} ${hour < 12 ? 'AM' : 'PM'}`;
    });
    expect(columnOf(hours, halved)).toMatchObject({
      found: 1,
      values: halved.map((text) => text.replaceAll(/[ -]/g, '').toLowerCase()),
    });
  });

  it('with the half of the day, where hardly any is later than noon', () => {
    const hours = count(30).map((index) => iso((index < 28 ? 0 : 6) * hour + index * 61_000));
    const halved = hours.map((time) => {
      const hour = Number(time.slice(11, 13));
      return `${hour % 12 || 12}${time.slice(13, 19)} ${hour < 12 ? 'AM' : 'PM'}`;
    });
    expect(columnOf(hours, halved)).toMatchObject({
      found: 1,
      values: halved.map((text) => text.replaceAll(' ', '').toLowerCase()),
    });
  });
});
