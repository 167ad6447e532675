import { expect, test } from 'vitest';
import type { Row } from '../csv/csv-form.ts';
import type { WallTime } from '../dates/time-zones.ts';
import { groupBy } from '../maps.ts';
import { eventsAt, holds, readEventText } from './find-events.ts';
import { matchEvents } from './match-events.ts';
import { bodyOf, findOccurrences, joinPieces, type Piece } from './plain-text.ts';
import { printedColumns, worth } from './printed-columns.ts';
import { dateForms, findDates } from './printed-dates.ts';
import type { PdfReading } from './read-pdf.ts';
import { table, timeOf, uuid } from './tables.fixture.ts';
import { thresholds } from './thresholds.ts';
import { showsInParts, tracesOf } from './traces.ts';
import { unknownEvents } from './unknown-events.ts';

const count = (length: number) => [...Array(length).keys()];
const digits = (index: number, length: number) => String(index).padStart(length, '0');
const letters = (index: number) =>
  [...digits(index, 4)].map((digit) => 'abcdefghij'.charAt(Number(digit))).join('');

/** Id, time, type, user. */
function eventOf(index: number): [string, string, string, string] {
  const type = index % 2 ? 'created' : 'updated';
  return [uuid(`event ${index}`), timeOf(index), type, uuid(`user ${index}`)];
}
const events = count(24).map(eventOf);

const piece = (text: string, y = 0, x = 40, page = 0): Piece => ({ text, x, y, page });
const readingOf = (texts: readonly Piece[]): PdfReading => ({
  pages: [{ width: 800, height: 5000, hasPictures: false, texts }],
});
const match = (rows: readonly Row[], lines: readonly Row[]) =>
  matchEvents(rows, readingOf(table(lines)));
const keyOf = (rows: readonly Row[]) => readEventText(rows, table(rows)).key?.column;
const traitsOf = (rows: readonly Row[], lines: readonly Row[]) =>
  readEventText(rows, table(lines)).traits.length;
const columnOf = (cells: readonly string[], printed: readonly string[]) =>
  printedColumns(
    cells.map((cell) => [cell]),
    joinPieces(printed.map((text) => piece(text))),
  )[0];

/** Whether a value leaves a trace of the event that alone has it, where this part of it is printed among the others. */
function isTrace(value: string, part = value): boolean | undefined {
  const rows = events.map((event, index) => [...event, index === 11 ? value : `value ${index}`]);
  const body = table(rows.with(11, ['', `(${part})`]));
  return tracesOf([11], readEventText(rows, body), body).get(11);
}

/** How many events no row has where one has these cells, and the rows are printed too. */
const unknownAmong = (rows: readonly Row[], cells: Row) =>
  unknownEvents(readEventText(rows, table(rows.toSpliced(11, 0, cells))), rows.length);

const wall = (index: number): WallTime => {
  const at = new Date(Date.UTC(2026, 2, 1) + index * 61_007_000);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()];
  const [hour, minute] = [at.getUTCHours(), at.getUTCMinutes()];
  return { year, month, day, hour, minute, second: at.getUTCSeconds(), millisecond: 0 };
};
const written = ({ year, month, day, hour, minute, second }: WallTime) =>
  `${year}-${digits(month, 2)}-${digits(day, 2)} ${[hour, minute, second].map((one) => digits(one, 2)).join(':')}`;
const page = (dates: readonly WallTime[]) =>
  readingOf(dates.map((one, at) => piece(written(one), at)));

/** How many of these dates are printed as they are found in the form of a PDF, less those that are an hour late. */
function datesFound(late: number): string {
  const dates = count(60).map(wall);
  const wrong = dates.map((date, at) =>
    at < late ? { ...date, hour: (date.hour + 1) % 24 } : date,
  );
  return findDates(dates, page(wrong), dateForms(dates, page(dates))).kind;
}

/** A table whose first columns are written row by row, and the others after all of these: in which order it is read. */
function orderOf(columns: number, beside: number, y = 0): string {
  const rows = events.map((_, index) => count(columns).map((column) => uuid(`${column} ${index}`)));
  const all = table(rows, (column) => 40 + 50 * column);
  const isBeside = ({ x }: Piece) => x < 40 + 50 * beside;
  const behind = all.filter((one) => !isBeside(one)).map((one) => ({ ...one, y: one.y + y }));
  const lines = groupBy(all.filter(isBeside), (one) => one.y);
  const backwards = [...lines.values()].flatMap((line) => [line[0], ...line.slice(1).reverse()]);
  const body = [...backwards.flatMap((one) => one ?? []), ...behind];
  return readEventText(rows, body).text.text;
}

/** What is decided on either side of each threshold. */
const cases: { readonly [Name in keyof typeof thresholds]: () => unknown } = {
  all: () =>
    [80, 96].map((shown) => {
      const dates = count(100).map(wall);
      return dateForms(dates, page(dates.slice(0, shown))).length > 0;
    }),
  nearlyAll: () =>
    [1, 3].map((times) => {
      const cells = count(10).map((at) => `evt-${at + 10}-abcdefghijklmnopqrstuvwxyz`);
      const alike = cells.map((cell, at) => (at < times ? `${cells[0]}${at}` : cell));
      const printed = cells.map((cell) => cell.slice(0, 24));
      return columnOf(alike, printed)?.isCut;
    }),
  most: () =>
    [1, 3].map((lost) => {
      const ten = events.slice(0, 10);
      return traitsOf(
        ten,
        ten.map((row, at) => (at < lost ? row.slice(0, 3) : row)),
      );
    }),
  clear: () => [9, 7].map((beside) => orderOf(11, beside)),
  half: () =>
    [5, 6].map((shown) => {
      const dates = count(10).map(wall);
      return columnOf(dates.map(written), dates.slice(0, shown).map(printedOtherwise))?.found;
    }),
  inOnePlace: () =>
    [7, 9].map((alike) => {
      const twenty = events.slice(0, 20).map(([id, ...rest], at): Row => {
        return [`${'x'.repeat(at < alike ? 0 : at)} ${id}`, ...rest];
      });
      return readEventText(events.slice(0, 20), table(twenty)).places?.length;
    }),
  distinctDates: () =>
    [9, 11].map((days) => {
      const dates = count(50).map((at) => ({ ...wall(0), day: (at % days) + 1, minute: at }));
      return columnOf(
        dates.map(written),
        dates.map((date) => written(date).slice(0, 10)),
      )?.distinct;
    }),
  inPlaces: () =>
    [9, 11].map((aside) => {
      const rows = count(100 + aside).map(eventOf);
      const edge = (column: number, line: number) => (line < aside ? 40 : 500) + 100 * column;
      return readEventText(rows, table(rows, edge)).places?.length;
    }),
  inTitles: () =>
    [24, 19].map((all) => {
      const rows = count(all).map(eventOf);
      const titles = rows.slice(0, 2).map(([id]) => [`From ${id}`]);
      return match(rows, [...titles, ['x'.repeat(100)]]).columns;
    }),
  titled: () =>
    [27, 33].map((titled) => {
      const pages = count(50).map((at) => ({
        ...{ width: 800, height: 500, hasPictures: false },
        texts: [piece(`event ${letters(at)}`, 60), ...(at < titled ? [piece('Note', 400)] : [])],
      }));
      return bodyOf(pages).length;
    }),
  titledPages: () =>
    [2, 3].map((all) => {
      const pages = count(all).map((at) => ({
        ...{ width: 800, height: 500, hasPictures: false },
        texts: [piece('Note', 20), piece(`event ${letters(at)}`, 60)],
      }));
      return bodyOf(pages).length;
    }),
  clearer: () => [orderOf(7, 5), orderOf(7, 5, 5000)],
  likelier: () =>
    count(6).map((more) => {
      const cells = count(20).map((at) => `evt-${at + 10}-abcdefghijklmnopqrstuvwxyz`);
      const cut = cells.slice(0, more + 9).map((cell) => cell.slice(0, 24));
      return columnOf(cells, [...cells.slice(0, 10), ...cut])?.isCut;
    }),
  cut: () => worth({ distinct: 10, found: 1, isCut: true }),
  prose: () =>
    [9, 11].map((ids) =>
      keyOf(count(40).map((at) => [`comment number ${at}`, uuid(`id ${at % ids}`)])),
    ),
  words: () =>
    [9, 11].map((ids) =>
      keyOf(count(500).map((at) => [`somebody${letters(at)}`, uuid(`id ${at % ids}`)])),
    ),
  eventLength: () => {
    const text = joinPieces([piece(`key${'b'.repeat(6001)}`)]);
    return eventsAt(text, [{ value: 'key', start: 0, end: 3, isAtUsualPlace: true }]);
  },
  cutLengths: () => {
    const cells = count(10).map((at) => `evt-${at + 10}-${'abcdefghij'.repeat(3)}`);
    const printed = cells.map((cell) => cell.slice(0, 31));
    return columnOf(cells, printed)?.values[0];
  },
  dividedLength: () =>
    [17, 22].map((length) => isInParts('abcdefghij0123456789xyz'.slice(0, length), 8)),
  dividedPart: () => [5, 6].map((at) => isInParts('abcdefghij0123456789', at)),
  partLength: () =>
    [15, 18].map((length) => {
      const value = 'a1b2c3d4e5f6g7h8i9'.slice(0, length);
      return isTrace(value, value.slice(0, Math.ceil(length / 2)));
    }),
  ownWord: () => ['elevenchars', 'thirteenchars'].map((word) => isTrace(word)),
  ownLength: () => ['a1234', 'a123456'].map((word) => isTrace(word)),
  lookalikeLength: () =>
    [10, 14].map((length) => {
      const rows = events.map(([, ...rest], at) => [digits(at + 1, length), ...rest]);
      return unknownAmong(rows, ['9'.repeat(length), timeOf(99), 'created', uuid('anyone')]);
    }),
  wordLength: () =>
    ['event.00', 'event.000'].map((value) => {
      return findOccurrences(joinPieces([piece(`x${value}x`)]), [value]).length;
    }),
  beforeEllipsis: () => ['abcdefg...', 'abcdefghi...'].map((text) => holds(text, 'abcdefghijkl')),
  keyLength: () => [5, 7].map((length) => keyOf(count(10).map((at) => [digits(at, length)]))),
  clockLength: () =>
    [(at: number) => `${at}:59`, (at: number) => `1${at}:59`].map((timeAt) =>
      keyOf(count(10).map((at) => [timeAt(at)])),
    ),
  textOfAnEvent: () =>
    [50, 60].map((length) => match(events.slice(0, 14), [['x'.repeat(length)]]).missing.length),
  proof: () =>
    [7, 8].map((parts) => {
      const rows = events.map(([id], at) => [id, `part ${at % parts}`]);
      return match(rows, [...rows, ...rows.slice(7, 8)]).surplus;
    }),
  comparedEach: () =>
    [290, 340].map((alike) => {
      const rows = count(alike + 20).map((at) => [
        timeOf(at < alike ? 0 : at),
        at % 2 ? 'created' : 'updated',
        `u${at % 10}`,
      ]);
      return match(rows, rows.toSpliced(5, 1)).doubtful;
    }),
  sampledGroups: () =>
    [
      { all: 330, from: 60, to: 330 },
      { all: 360, from: 0, to: 240 },
    ].map(({ all, from, to }) => {
      const rows = count(all).map(eventOf);
      return traitsOf(
        rows,
        rows.map((row, at) => (at >= from && at < to ? row : row.slice(0, 3))),
      );
    }),
  enoughAlone: () =>
    [11, 12].map((alone) => {
      const [own, pairs] = [
        sharing(1, count(alone)),
        sharing(
          2,
          count(12).map((at) => at + 40),
        ),
      ];
      const ids = [...new Set(pairs.map(([id = '']) => id))].map((id) => [id]);
      return traitsOf([...own, ...pairs], [...ids, ...own]);
    }),
  rowsOfAKey: () =>
    [5, 6].map((each) => {
      const rows = sharing(each, count(12 * each));
      return traitsOf(rows, rows);
    }),
  sampledValues: () => {
    const cells = count(240).map((at) => `evt-${at + 1000}`);
    return columnOf(cells, cells.slice(0, 25))?.found;
  },
  firstDates: () =>
    [2, 3].map((lost) => {
      const dates = count(100).map(wall);
      return dateForms(dates, page(dates.slice(lost))).length > 0;
    }),
  wrongDates: () => [2, 3].map(datesFound),
  columnOfWords: () =>
    [
      { all: 201, users: 100 },
      { all: 203, users: 101 },
    ].map(({ all, users }) => {
      const rows = count(all).map((at) => [...eventOf(at).slice(0, 3), uuid(`${at % users}`)]);
      return unknownAmong(rows, [uuid('unknown'), timeOf(999), 'created', uuid('anyone')]);
    }),
  forms: () =>
    [18, 22].map((form) => {
      const idOf = (dots: number, digit: number) => `${'.'.repeat(dots)}${`${digit}`.repeat(12)}`;
      const rows = events.map(([, ...rest], at) => [idOf(at, at % 10), ...rest]);
      return unknownAmong(rows, [idOf(form, 5), timeOf(99), 'created', uuid('anyone')]);
    }),
  points: () => {
    const lines = events.flatMap(([id, time, type, user], at) =>
      [
        ...[piece(id, 2), piece(type, 2, 340)],
        ...[piece(time.slice(0, 10), 0.5, 190), piece(time.slice(10), 10, 190)],
        ...[0, 12, 24].map((from, line) => {
          return piece(user.slice(from, from + 12), [2, 12, 39.5][line], 490);
        }),
      ].map((one) => ({ ...one, y: one.y + 40 * at })),
    );
    return readEventText(
      events,
      lines.toSorted((one, other) => one.y - other.y),
    ).text.text;
  },
};

/** Rows of these numbers: an id that so many of them share, a type and one of ten users. */
function sharing(each: number, indexes: readonly number[]): Row[] {
  return indexes.map((at) => [
    uuid(`group ${Math.floor(at / each)}`),
    at % 2 ? 'new' : 'old',
    uuid(`user ${at % 10}`),
  ]);
}

function isInParts(value: string, at: number): boolean {
  const parts = [value.slice(0, at), value.slice(at)].map((part) => ['', `(${part})`]);
  const body = table([...events.slice(0, 12), ...parts, ...events.slice(12)]);
  return showsInParts(value, readEventText(events, body));
}

/** Another form of a date than `written`. */
function printedOtherwise({ year, month, day, hour, minute, second }: WallTime): string {
  return `${day}.${month}.${year} ${hour}:${digits(minute, 2)}:${digits(second, 2)}`;
}

type Name = keyof typeof thresholds;
// The keys of an object literal are those of its type.
const names = Object.keys(thresholds) as Name[];

/** A threshold that is moved by a factor; counts by one at the least. */
function moved(value: number | number[], factor: number): number | number[] {
  if (Array.isArray(value)) return value.map((one) => Math.round(one * factor));
  if (value < 2) return value * factor;
  return factor > 1 ? Math.ceil(value * factor) : Math.floor(value * factor);
}

test.each(names)(
  '%s decides: moved by a fifth either way, something is judged otherwise',
  (name) => {
    const values: Record<Name, number | number[]> = thresholds;
    const own = values[name];
    const decided = cases[name]();
    try {
      for (const factor of [0.8, 1.2]) {
        values[name] = moved(own, factor);
        expect({ factor, decided: cases[name]() }).not.toEqual({ factor, decided });
      }
    } finally {
      values[name] = own;
    }
  },
);
