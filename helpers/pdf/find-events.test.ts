import { describe, expect, it, test } from 'vitest';
import type { Row } from '../csv/csv-form.ts';
import {
  type EventText,
  eventsAt,
  groupByKey,
  holds,
  type PrintedKey,
  readEventText,
  weightOf,
} from './find-events.ts';
import { joinPieces, type Piece, plain } from './plain-text.ts';
import type { PrintedColumn } from './printed-columns.ts';
import { table, timeOf, uuid } from './tables.fixture.ts';

const count = (length: number) => [...Array(length).keys()];

/** Id, time, type, user. */
function eventOf(index: number): [string, string, string, string] {
  const type = index % 2 ? 'created' : 'updated';
  return [uuid(`event ${index}`), timeOf(index), type, uuid(`user ${index}`)];
}

const events = count(14).map(eventOf);

/** Rows as they are compared, one after the other. */
const textOf = (rows: readonly Row[]) => plain(rows.flat().join(''));

const nameOfTraits = ({ traits }: EventText) =>
  traits.map(({ column, side }) => `${column} ${side}`);

const piece = (text: string, x = 0, y = 0, page = 0): Piece => ({ text, x, y, page });

test('events that a table has line by line are read as they are written', () => {
  const found = readEventText(events, table([['Audit events'], ...events, ['14 events']]));
  expect(found.text.text).toBe(textOf([['Audit events'], ...events, ['14 events']]));
  expect(found.key).toMatchObject({ column: 0, found: 1, distinct: 14 });
  expect(found.places).toMatchObject([{ x: 40, within: 0 }]);
  expect(nameOfTraits(found)).toEqual(['1 after', '2 after', '3 after']);
  expect(found.traits.map(({ share }) => share)).toEqual([1, 1, 1]);
  expect(found.keys.map(({ value, isAtUsualPlace }) => [value, isAtUsualPlace])).toEqual(
    events.map(([id]) => [plain(id), true]),
  );
  for (const { value, start, end } of found.keys) {
    expect(found.text.text.slice(start, end)).toBe(value);
  }
});

test('where no column is found there are no events', () => {
  const nothing = { columns: [], key: undefined, keys: [], places: undefined, traits: [] };
  const body = table([['No', 'events']]);
  expect(readEventText(events, body)).toMatchObject({ ...nothing, text: { pieces: body } });
  expect(readEventText([], body)).toMatchObject(nothing);
  const short = [['one'], ['two'], ['three']];
  expect(readEventText(short, table(short))).toMatchObject({
    ...nothing,
    columns: [{ column: 0 }],
  });
});

describe('the key is the column that identifies events best', () => {
  const keyOf = (rows: readonly Row[], printed = rows) =>
    readEventText(rows, table(printed)).key?.column;
  const number = (index: number, length: number) => String(index).padStart(length, '0');
  /** Values of this one stand beside others that are no keys. */
  const alone = (idOf: (index: number) => string) =>
    keyOf(count(10).map((index) => [idOf(index), index % 2 ? 'new' : 'old']));

  it('by more values that differ', () => {
    expect(keyOf(events.map(([id, ...rest], index) => [index < 2 ? uuid('') : id, ...rest]))).toBe(
      1,
    );
    const users = events.map(([id, , , user], index) => [uuid(`user ${index % 3}`), user, id]);
    expect(keyOf(users)).toBe(1);
  });

  it('with a value in every row', () => {
    expect(keyOf(events)).toBe(0);
    expect(keyOf(events.map(([id, ...rest], index) => [index === 7 ? '' : id, ...rest]))).toBe(1);
  });

  it('of six characters at the least, five where it is a time of day', () => {
    expect(alone((index) => number(index, 6))).toBe(0);
    expect(alone((index) => number(index, 5))).toBeUndefined();
    expect(alone((index) => (index === 5 ? '12345' : number(index, 6)))).toBeUndefined();
    expect(alone((index) => `1${index}:59`)).toBe(0);
    expect(alone((index) => `${index}:59a`)).toBe(0);
    expect(alone((index) => `${index}:59`)).toBeUndefined();
    expect(alone((index) => `x${index}:59`)).toBeUndefined();
    expect(alone((index) => `${index}:5a9`)).toBeUndefined();
    expect(alone((index) => `${index}:a59`)).toBeUndefined();
    expect(alone((index) => `a:1${index}9`)).toBeUndefined();
  });

  it('rather not of sentences, nor of words', () => {
    const comments = (ids: number) =>
      count(12).map((index) => [`comment number ${index}`, uuid(`id ${index % ids}`)]);
    expect(keyOf(comments(4))).toBe(1);
    expect(keyOf(comments(2))).toBe(0);
    const names = count(12).map((index) => [
      `somebody${'abcdefghijkl'.charAt(index)}`,
      uuid(`id ${index % 2}`),
    ]);
    expect(keyOf(names)).toBe(1);
  });

  it('where most events are missing, by more values that are found', () => {
    const rows = count(40).map(
      (index): Row => [uuid(`event ${index}`), uuid(`user ${index % 6}`), timeOf(index)],
    );
    expect(keyOf(rows, rows.slice(0, 12))).toBe(0);
    // Not where nothing stands beside them.
    const apart = [
      ...rows.slice(0, 12).map(([id = '']) => [id]),
      ...rows.slice(0, 6).map(([, user = '']) => ['', user]),
    ];
    expect(keyOf(rows, apart)).toBe(1);
  });
});

describe('keys stand where most of them do', () => {
  const placesOf = (body: readonly Piece[]) => {
    const { places, keys } = readEventText(events, body);
    return {
      places: places?.map(({ x, within }) => [x, within]),
      unusual: keys.filter(({ isAtUsualPlace }) => !isAtUsualPlace).map(({ value }) => value),
      keys: keys.length,
    };
  };
  const [first = '', second = ''] = events.map(([id]) => id);

  it('at an edge, to the point, and so many characters after it', () => {
    const labelled = events.map(([id, ...rest]) => [`Event: ${id}`, ...rest]);
    expect(placesOf(table(labelled))).toEqual({ places: [[40, 6]], unusual: [], keys: 14 });
    const ragged = table(events, (column, line) => 40.2 + 150 * column + (line % 3) / 10);
    expect(placesOf(ragged)).toEqual({ places: [[40, 0]], unusual: [], keys: 14 });
  });

  it('but not those in a title, nor those that are only repeated elsewhere', () => {
    const body = table([[`From ${first} to ${second}`], ...events]);
    expect(placesOf(body)).toEqual({ places: [[40, 0]], unusual: [], keys: 14 });
    const repeated = events.map((event) => [...event, event[0]]);
    expect(placesOf(table(repeated))).toEqual({ places: [[40, 0]], unusual: [], keys: 14 });
    const titled = table([[`From ${first}`], ...events.slice(1)]);
    expect(placesOf(titled)).toEqual({ places: [[40, 0]], unusual: [plain(first)], keys: 14 });
  });

  it('at several where each has a tenth of the most', () => {
    const cards = (edgeOf: (line: number) => number) =>
      placesOf(table(events, (column, line) => edgeOf(line) + 100 * column)).places;
    expect(cards((line) => (line % 2 ? 40 : 500))).toEqual([
      [500, 0],
      [40, 0],
    ]);
    expect(cards((line) => (line === 5 ? 40 : 500))).toEqual([[500, 0]]);
    const many = count(11).map(eventOf);
    const edges = (column: number, line: number) => (line === 5 ? 40 : 500) + 100 * column;
    expect(readEventText(many, table(many, edges)).places).toHaveLength(2);
  });

  it('or, in running text, anywhere', () => {
    const body = table(
      events.map(([id, ...rest], index) => [`${'x'.repeat(index)} ${id}`, ...rest]),
    );
    expect(placesOf(body)).toEqual({ places: undefined, unusual: [], keys: 14 });
    const ten = events.slice(0, 10);
    const placesWhere = (alike: number) =>
      readEventText(
        ten,
        table(
          ten.map(([id, ...rest], index) => [
            `${'x'.repeat(index < alike ? 0 : index)} ${id}`,
            ...rest,
          ]),
        ),
      ).places;
    expect(placesWhere(3)).toBeUndefined();
    expect(placesWhere(4)).toHaveLength(7);
  });

  it('also where the id of one is that of another, elsewhere', () => {
    const shared = events.map(([, , type], index) => [uuid(`${Math.floor(index / 2)}`), type]);
    const cards = (column: number, line: number) => (line % 2 ? 500 : 40) + 100 * column;
    const found = readEventText(shared, table(shared, cards));
    expect(found.places).toHaveLength(2);
    expect(found.keys.map(({ value }) => value)).toEqual(shared.map(([id = '']) => plain(id)));
    const [last = ''] = events.at(-1) ?? [];
    const titled = placesOf(table([[`From ${first}`], [`From ${last}`], ...events.slice(0, -1)]));
    expect(titled.keys).toBe(15);
  });
});

describe('what is not written event by event is put together by its places', () => {
  const expected = textOf(events);
  const byColumn = (pieces: readonly Piece[]) => pieces.toSorted((a, b) => a.x - b.x);
  const byLine = (pieces: readonly Piece[]) =>
    pieces.toSorted((a, b) => a.page - b.page || a.y - b.y);
  const traits = ['1 after', '2 after', '3 after'];

  it('where it is written column by column', () => {
    const found = readEventText(events, byColumn(table(events)));
    expect(found.text.text).toBe(expected);
    expect(nameOfTraits(found)).toEqual(traits);
    const upwards = byColumn(table(events)).reverse();
    expect(readEventText(events, upwards).text.text).toBe(expected);
  });

  /** Cells of which each has a line of its own for each of its texts, so many points below the top of the row. */
  const tall = (
    rows: readonly Row[],
    cellsOf: (row: Row) => readonly (readonly (readonly [text: string, below: number])[])[],
    perPage = 100,
  ) =>
    rows.flatMap((row, index) =>
      cellsOf(row).flatMap((lines, column) =>
        lines.map(([text, below]) =>
          piece(
            text,
            40 + 150 * column,
            40 * (index % perPage) + below,
            Math.floor(index / perPage),
          ),
        ),
      ),
    );
  const inLines = (cell: string, ...below: readonly number[]) =>
    below.map((at, line) => {
      const length = Math.ceil(cell.length / below.length);
      return [cell.slice(line * length, (line + 1) * length), at] as const;
    });

  it('where it is written line by line, of cells at the top of their rows', () => {
    const body = tall(
      events,
      ([id = '', time = '', type = '', user = '']) => [
        inLines(id, 2),
        inLines(time, 0, 10),
        inLines(type, 2),
        inLines(user, 2, 12, 22),
      ],
      5,
    );
    const found = readEventText(events, byLine(body));
    expect(found.text.text).toBe(expected);
    expect(nameOfTraits(found)).toEqual(traits);
  });

  it('where cells stand in the middle of their rows', () => {
    const body = tall(
      events,
      ([id = '', time = '', type = '', user = '']) => [
        inLines(id, 10, 20),
        inLines(time, 10, 20),
        inLines(type, 15),
        inLines(user, 0, 10, 20, 29),
      ],
      5,
    );
    const found = readEventText(events, byLine(body));
    expect(found.text.text).toBe(expected);
    expect(nameOfTraits(found)).toEqual(traits);
    expect(readEventText(events, byLine(body).reverse()).text.text).toBe(expected);
  });

  it('where it is written from the foot of the page to its top', () => {
    const body = tall(events, ([id = '', time = '', type = '', user = '']) => [
      inLines(id, 10, 20),
      inLines(time, 15),
      inLines(type, 15),
      inLines(user, 0, 10, 20, 29),
    ]);
    // Ids and times event by event, the others after all of these.
    const isLeft = ({ x }: Piece) => x < 300;
    const upwards = tall(events, () => []).concat(
      body
        .filter(isLeft)
        .toSorted((a, b) => Math.floor(b.y / 40) - Math.floor(a.y / 40) || a.x - b.x),
      byLine(body.filter((one) => !isLeft(one))),
    );
    expect(readEventText(events, upwards).text.text).toBe(expected);
  });

  it('where half of the ids take two lines', () => {
    const rows = events.map(([id, , type], index) => [id, type.slice(0, 3), `n${index + 10}`]);
    const body = tall(rows, ([id = '', type = '', note = '']) => [
      id < '8' ? [[id.slice(0, 6), 0] as const, [id.slice(6), 10] as const] : inLines(id, 0),
      inLines(type, 0),
      inLines(note, 0),
    ]);
    expect(readEventText(rows, byLine(body)).text.text).toBe(textOf(rows));
  });

  it('where an id reaches over the end of a page', () => {
    const body = tall(
      events,
      ([id = '', time = '', type = '', user = '']) => [
        inLines(id, 0),
        inLines(time, 0),
        inLines(type, 0),
        inLines(user, 0),
      ],
      7,
    );
    const [id, time] = eventOf(6);
    const split = byColumn(
      body.flatMap((one) => {
        if (one.text !== id) return one;
        return [
          { ...one, text: id.slice(0, 20) },
          { ...one, text: id.slice(20), page: 1, y: -20 },
        ];
      }),
    );
    const { text } = readEventText(events, split);
    expect(text.text).toContain(`${plain(id.slice(0, 20) + time)}`);
  });

  it('with events that the query excludes between them', () => {
    const body = byColumn(table(events));
    const known = events.filter((_, index) => index % 3 !== 1);
    const others = events.filter((_, index) => index % 3 === 1);
    expect(readEventText(known, body, others).text.text).toBe(expected);
  });

  it('but not where the most of it stands beside its key', () => {
    const more = events.map((event, index) => [...event, uuid(`entity ${index}`)]);
    const last = more.map((row) => ['', '', '', '', row[4] ?? '']);
    const found = readEventText(more, [...table(events), ...table(last)]);
    expect(found.text.text).toBe(expected + textOf(last));
    expect(nameOfTraits(found)).toEqual(traits);
    // Columns of which much is missing do not count.
    const ten = more.slice(0, 10).map((row, index) => [...row, uuid(`file ${index}`)]);
    const some = ten.slice(0, 8).map((row) => ['', '', '', '', ...row.slice(4)]);
    const four = ten.map((row) => row.slice(0, 4));
    const body = [...table(four), ...table(some)];
    expect(readEventText(ten, body).text.text).toBe(textOf([...four, ...some]));
    const both = events.map(([id, time, type, user], index) => [
      id,
      time,
      uuid(`entity ${index}`),
      user,
      type,
    ]);
    const [beside, behind] = [
      table(both.map((row) => row.slice(0, 2))),
      table(both.map((row) => ['', '', ...row.slice(2)])),
    ];
    expect(readEventText(both, [...beside, ...behind]).text.text).toBe(textOf(both));
  });
});

describe('a column is beside the key', () => {
  const traitsOf = (rows: readonly Row[], printed: readonly Row[] = rows) =>
    readEventText(rows, table(printed)).traits.map(({ column, side, share }) => [
      column,
      side,
      share,
    ]);
  const onSide = (side: string) => (column: number) => [column, side, 1];

  it('before it or after it', () => {
    const lines = events.map(([id, time, type, user]) => ['at', time, id, user, type]);
    expect(traitsOf(events, lines)).toEqual([[1, 'before', 1], ...[2, 3].map(onSide('after'))]);
  });

  it('for four in five of the events', () => {
    const rows = events.slice(0, 10);
    const without = (lost: number) =>
      rows.map((row, index) => (index < lost ? row.slice(0, 3) : row));
    expect(traitsOf(rows, without(2)).at(-1)).toEqual([3, 'after', 0.8]);
    expect(traitsOf(rows, without(3)).at(-1)).toEqual([2, 'after', 1]);
  });

  it('on the side on which more events have it, as neighbours can share it', () => {
    const runs = events.map(
      ([id, time, , user], index): readonly [string, string, string, string] => {
        return [id, time, index < 9 ? 'new' : 'old', user];
      },
    );
    expect(traitsOf(runs)).toEqual([1, 2, 3].map(onSide('after')));
    const last = runs.map(([id, time, type, user]) => [type, time, user, id]);
    expect(traitsOf(runs, last)).toEqual([1, 2, 3].map(onSide('before')));
  });

  it('where fonts can show it', () => {
    const rows = events.map(([id, time], index) => [
      id,
      time,
      index % 2 ? `出席 ${index}` : `no. ${index}`,
    ]);
    const printed = rows.map((row, index) => (index % 2 ? row.slice(0, 2) : row));
    expect(traitsOf(rows, printed)).toEqual([1, 2].map(onSide('after')));
  });

  it('but not the key itself, which can be repeated', () => {
    expect(
      traitsOf(
        events,
        events.map((row) => [...row, row[0]]),
      ),
    ).toEqual([1, 2, 3].map(onSide('after')));
  });

  describe('where events share keys', () => {
    /** Events of these numbers: an id that so many of them share, a type and one of ten users. */
    const sharing = (each: number, indexes: readonly number[]) =>
      indexes.map((index) => [
        uuid(`group ${Math.floor(index / each)}`),
        index % 2 ? 'new' : 'old',
        uuid(`user ${index % 10}`),
      ]);
    const onlyIds = (rows: readonly Row[]) =>
      [...new Set(rows.map(([id = '']) => id))].map((id) => [id]);

    it('as one of theirs stands beside each key, of up to five events', () => {
      for (const each of [1, 2, 5]) {
        const rows = sharing(each, count(12 * each));
        expect(traitsOf(rows)).toEqual([1, 2].map(onSide('after')));
        expect(
          traitsOf(
            rows,
            rows.map((row) => row.toReversed()),
          ),
        ).toEqual([1, 2].map(onSide('before')));
      }
      expect(traitsOf(sharing(6, count(72)))).toEqual([]);
    });

    it('as those do that share none, where there are twelve', () => {
      const [alone, pairs] = [
        sharing(1, count(12)),
        sharing(
          2,
          count(12).map((index) => index + 40),
        ),
      ];
      const printed = [...onlyIds(pairs), ...alone];
      expect(traitsOf([...alone, ...pairs], printed)).toHaveLength(2);
      expect(traitsOf([...alone.slice(1), ...pairs], printed.toSpliced(6, 1))).toEqual([]);
      const listed = sharing(
        1,
        count(6).map((index) => index + 12),
      );
      const twice = [...onlyIds(listed), ...alone, ...onlyIds(listed)];
      expect(traitsOf([...alone, ...listed], twice)).toHaveLength(2);
    });

    it('with events that no row has', () => {
      const rows = events.slice(0, 10);
      const others = rows.flatMap((row, index) => [
        row,
        [row[0], timeOf(index + 50), '', uuid(`${index}`)],
      ]);
      expect(traitsOf(rows, others)).toEqual([1, 2, 3].map(onSide('after')));
    });
  });

  it('also where few of many events are there', () => {
    const many = count(330).map(eventOf);
    expect(traitsOf(many, many.slice(310, 320))).toEqual([1, 2, 3].map(onSide('after')));
  });
});

describe('an event reaches', () => {
  const text = joinPieces([piece('aa key1 bb key2 cc key3 dd')]);
  const key = (value: string, isAtUsualPlace = true): PrintedKey => {
    const start = text.text.indexOf(value);
    return { value, start, end: start + value.length, isAtUsualPlace };
  };

  it('to the keys of its neighbours', () => {
    expect(eventsAt(text, [key('key1'), key('key2'), key('key3')])).toEqual([
      { key: 'key1', before: 'aa', after: 'bb', isAtUsualPlace: true },
      { key: 'key2', before: 'bb', after: 'cc', isAtUsualPlace: true },
      { key: 'key3', before: 'cc', after: 'dd', isAtUsualPlace: true },
    ]);
    expect(eventsAt(text, [])).toEqual([]);
  });

  it('over keys that do not stand where keys stand', () => {
    expect(eventsAt(text, [key('key1'), key('key2', false), key('key3')])).toEqual([
      { key: 'key1', before: 'aa', after: 'bbkey2cc', isAtUsualPlace: true },
      { key: 'key2', before: 'bb', after: 'cc', isAtUsualPlace: false },
      { key: 'key3', before: 'bbkey2cc', after: 'dd', isAtUsualPlace: true },
    ]);
    expect(eventsAt(text, [key('key1', false), key('key2', false)])).toEqual([
      { key: 'key1', before: 'aa', after: 'bbkey2cckey3dd', isAtUsualPlace: false },
      { key: 'key2', before: 'aakey1bb', after: 'cckey3dd', isAtUsualPlace: false },
    ]);
  });

  it('over 5,000 characters', () => {
    const long = joinPieces([piece(`${'a'.repeat(5001)}key${'b'.repeat(5001)}`)]);
    const [event] = eventsAt(long, [
      { value: 'key', start: 5001, end: 5004, isAtUsualPlace: true },
    ]);
    expect(event?.before).toBe('a'.repeat(5000));
    expect(event?.after).toBe('b'.repeat(5000));
  });
});

describe('keys of other rows', () => {
  const known = events.slice(0, 12);
  const valuesOf = (body: readonly Piece[], others: readonly Row[]) => {
    const ids = new Set(known.map(([id = '']) => plain(id)));
    return readEventText(known, body, others).keys.filter(({ value }) => !ids.has(value));
  };

  it('are those that none of the known ones has, where these stand', () => {
    const [id = '', ...rest] = events[12] ?? [];
    const start = textOf(known).length;
    const other = { value: plain(id), start, end: start + 32, isAtUsualPlace: true };
    expect(valuesOf(table(events), [events[12] ?? [], known[3] ?? [], [], ['']])).toEqual([other]);
    expect(valuesOf(table([...known, ['see', id], rest]), [events[12] ?? []])).toEqual([]);
    expect(valuesOf(table(known), [events[12] ?? []])).toEqual([]);
  });

  it('stand anywhere in running text', () => {
    const body = table(
      events.map(([id, ...rest], index) => [`${'x'.repeat(index)} ${id}`, ...rest]),
    );
    expect(valuesOf(body, events.slice(12))).toHaveLength(2);
  });
});

test('rows and events are grouped by their key', () => {
  const event = (key: string) => ({ key, before: '', after: key, isAtUsualPlace: true });
  const [a, b, other] = ['a', 'b', 'a'].map(event);
  const printed = [a, b, other].flatMap((one) => one ?? []);
  expect(groupByKey(printed, { values: ['c', 'a', 'a', 'b'] }, 2)).toEqual([
    { rows: [0], others: [], events: [] },
    { rows: [1], others: [2], events: [a, other] },
    { rows: [], others: [3], events: [b] },
  ]);
});

test('a column tells the more the more values it has', () => {
  const column = (distinct: number) => ({ distinct }) as PrintedColumn;
  expect([0, 1, 2, 1024].map((distinct) => weightOf(column(distinct)))).toEqual([0, 0, 1, 10]);
});

test.each([
  ['beforevalueafter', 'value', true],
  ['before', 'value', false],
  ['comment:abcdefgh...', 'abcdefghijkl', true],
  ['abcdefgh...', 'abcdefghijkl', true],
  ['abcdefg...', 'abcdefghijkl', false],
  ['abcdefgh', 'abcdefghijkl', false],
  ['one...abcdefgh...two', 'abcdefghijkl', true],
  ['...abcdefgh', 'abcdefghijkl', false],
  ['bbcdefgh...', 'abcdefghijkl', false],
])('that %j holds %j, or its beginning and an ellipsis: %s', (text, value, isSo) => {
  expect(holds(text, value)).toBe(isSo);
});
