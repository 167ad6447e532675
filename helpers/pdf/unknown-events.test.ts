import { describe, expect, it, test } from 'vitest';
import type { Row } from '../csv/csv-form.ts';
import { readEventText } from './find-events.ts';
import type { Piece } from './plain-text.ts';
import { hex, table, timeOf, uuid } from './tables.fixture.ts';
import { unknownEvents } from './unknown-events.ts';

const types = ['created', 'updated', 'removed'];

const number = (index: number, length: number) => String(index + 1).padStart(length, '0');

/** Id, time, type, user. */
function eventOf(index: number): [string, string, string, string] {
  return [uuid(`event ${index}`), timeOf(index), types[index % 3] ?? '', uuid(`user ${index}`)];
}

const events = Array.from({ length: 24 }, (_, index) => eventOf(index));
/** The CSV lacks some of the events, by their index. */
const without = (...lost: readonly number[]) => events.filter((_, index) => !lost.includes(index));

function unknown(rows: readonly Row[], body: readonly Piece[]): number {
  const found = readEventText(rows, body);
  return unknownEvents(found, rows.length);
}

describe('events that no row has are counted', () => {
  it('wherever they stand', () => {
    expect(unknown(events, table(events))).toBe(0);
    expect(unknown(without(11), table(events))).toBe(1);
    expect(unknown(without(0), table(events))).toBe(1);
    expect(unknown(without(23), table(events))).toBe(1);
    expect(unknown(without(5, 11, 12, 13), table(events))).toBe(4);
  });

  it('where the others stand before their ids', () => {
    const lines = events.map(([id, time, type, user]) => [time, type, user, id]);
    expect(unknown(without(0, 11, 23), table(lines))).toBe(3);
  });

  it('where ids stand in a sentence, or in cells that are not quite below one another', () => {
    const sentences = events.map(([id, time, type, user]) => [
      `Event ${id}: ${type} on ${time} by ${user}`,
    ]);
    expect(unknown(without(11, 12), table(sentences))).toBe(2);
    const ragged = table(events, (column, line) => 40 + 150 * column + (line % 4) / 10);
    expect(unknown(without(11, 12), ragged)).toBe(2);
  });

  it('but those that the query excludes, which are known', () => {
    const rows = without(11, 12);
    for (const others of [events.slice(11, 12), [...events.slice(11, 12), ['never printed']]]) {
      expect(unknownEvents(readEventText(rows, table(events), others), rows.length)).toBe(1);
    }
  });
});

describe('an id of something else is no event', () => {
  const other = uuid('something else');
  const at = (index: number, line: Row) =>
    table([...events.slice(0, index), line, ...events.slice(index)]);

  it('where it stands alone, or with only a part of what events have', () => {
    for (const index of [0, 1, 11, 23, 24]) {
      expect(unknown(events, at(index, [other]))).toBe(0);
      expect(unknown(events, at(index, [other, timeOf(99), 'created']))).toBe(0);
      expect(unknown(events, at(index, [other, '', 'created', other]))).toBe(0);
    }
  });

  it('where it stands between the id of an event and the rest of it', () => {
    const split = (lost: number) =>
      table(
        events.flatMap(([id, ...rest], index) =>
          index === lost ? [[id], [other, ...rest]] : [[id, ...rest]],
        ),
      );
    for (const index of [0, 11, 23]) expect(unknown(events, split(index))).toBe(0);
    const before = (lost: number) =>
      table(
        events.flatMap(([id, ...rest], index) =>
          index === lost
            ? [
                [...rest, other],
                ['', '', '', id],
              ]
            : [[...rest, id]],
        ),
      );
    for (const index of [0, 11, 23]) expect(unknown(events, before(index))).toBe(0);
  });

  it('where a row has it in another column', () => {
    const rows = events.map((event, index) => [...event, uuid(`parent ${index}`)]);
    const lines = rows.flatMap(([id = '', time = '', type = '', user = '', parent = ''], index) => [
      [id, time, type, user],
      [parent, timeOf(index + 500), type, uuid(`other user ${index}`)],
    ]);
    expect(unknown(rows, table(lines))).toBe(0);
  });

  it('where it does not stand at the place of ids', () => {
    const elsewhere = table([...events, [other, timeOf(99), 'created', other]], (column, line) =>
      line === events.length ? 43 + 150 * column : 40 + 150 * column,
    );
    expect(unknown(events, elsewhere)).toBe(0);
    const inWords = at(11, [`see ${other}`, timeOf(99), 'created', other]);
    expect(unknown(events, inWords)).toBe(0);
  });

  it('in running text, where no place is that of ids', () => {
    const running = table(
      events.map(([id, ...rest], index) => [`${'x'.repeat(index)} ${id}`, ...rest]),
    );
    expect(unknown(without(11), running)).toBe(0);
  });
});

describe('an id that no row has looks like those that rows have', () => {
  /** How many unknown events there are where one has this id, and the others those. */
  const withIds = (idOf: (index: number) => string, id: string) => {
    const rows = events.map(([, ...rest], index) => [idOf(index), ...rest]);
    return unknown(rows, table(rows.toSpliced(11, 0, [id, timeOf(99), 'created', uuid('anyone')])));
  };
  it.each([
    ['b'.repeat(32), 1],
    ['7'.repeat(32), 1],
    ['g'.repeat(32), 0],
    ['b'.repeat(31), 0],
    ['b'.repeat(33), 0],
  ])('where those are of hexadecimal digits: %s, %i', (id, count) => {
    expect(withIds((index) => hex(String(index)).slice(0, 32), id)).toBe(count);
  });

  it.each([
    ['evt.(2026)/000000000000000999', 1],
    ['abc.(3017)/999999999999999999', 1],
    ['evt.(2026)/000000000000000abc', 0],
    ['e42.(2026)/000000000000000999', 0],
    ['evt:(2026)/000000000000000999', 0],
    ['evt.[2026]/000000000000000999', 0],
    ['evt.2026/000000000000000999', 0],
  ])('in letters, digits and signs: %s, %i', (id, count) => {
    expect(withIds((index) => `evt.(2026)/${number(index, 18)}`, id)).toBe(count);
  });

  it('with digits for its digits where others are letters', () => {
    const idOf = (index: number) => `${number(index, 16)}.x`;
    expect(withIds(idOf, `${'9'.repeat(16)}.y`)).toBe(1);
    expect(withIds(idOf, `${'b'.repeat(16)}.x`)).toBe(0);
  });

  it('to its end, and not as the beginning of a longer word', () => {
    const lines = (follows: string) =>
      events.map(([id, time, type, user], index) => [
        index === 11 ? `${id}${follows}` : `${id}: ${type}`,
        time,
        type,
        user,
      ]);
    expect(unknown(without(11), table(lines(': created')))).toBe(1);
    expect(unknown(without(11), table(lines(' created')))).toBe(1);
    expect(unknown(without(11), table(lines('é: created')))).toBe(0);
    expect(unknown(without(11), table(lines('7: created')))).toBe(0);
  });

  it('where they have twelve characters at least', () => {
    expect(withIds((index) => number(index, 12), '9'.repeat(12))).toBe(1);
    expect(withIds((index) => number(index, 11), '9'.repeat(11))).toBe(0);
    const growing = (index: number) => (index === 3 ? '3'.repeat(11) : number(index, 12));
    expect(withIds(growing, '9'.repeat(12))).toBe(0);
  });

  it('where they are printed whole', () => {
    // Times of several events, as the ids would not be needed to tell these apart.
    const rows = events.map(([, , type], index) => [
      `${number(index, 16)}/${'x'.repeat(20)}`,
      timeOf(index % 6),
      type,
    ]);
    const cut = rows.map(([id = '', ...rest]) => [id.slice(0, 16), ...rest]);
    expect(unknown(rows.toSpliced(11, 1), table(rows))).toBe(1);
    expect(unknown(rows.toSpliced(11, 1), table(cut))).toBe(0);
  });
});

describe('an event that no row has shows what all others show', () => {
  /** How many unknown events there are where one has these cells, and these rows are printed. */
  const among = (rows: readonly Row[], cells: Row, printed = rows) =>
    unknown(rows, table(printed.toSpliced(11, 0, [uuid('unknown'), ...cells])));

  it('in two columns at the least that each of them has', () => {
    const columns = (count: number) => events.map((event) => event.slice(0, count));
    expect(among(columns(2), [timeOf(99)])).toBe(0);
    expect(among(columns(3), [timeOf(99), 'created'])).toBe(1);
    const [id, time] = eventOf(5);
    expect(among(columns(3).with(5, [id, time, '']), [timeOf(99), 'created'])).toBe(0);
  });

  it('but sentences, and what some events have not', () => {
    const cells = [timeOf(99), 'created'];
    const users = events.map(([id, time, type, user], index) => [
      ...[id, time, type],
      index === 5 ? '' : user,
    ]);
    expect(among(users, cells)).toBe(1);
    const comments = events.map(([id, time, type], index) => [
      ...[id, time, type],
      `comment no. ${index} ${'very '.repeat(index)}long`,
    ]);
    expect(among(comments, cells)).toBe(1);
    expect(among(comments, [...cells, 'nothing to say'])).toBe(1);
  });

  it('but what is not printed for one in twenty of them', () => {
    const twenty = events.slice(0, 20);
    const lost = (...indexes: readonly number[]) =>
      twenty.map((event, index) => (indexes.includes(index) ? event.slice(0, 3) : event));
    const cells = [timeOf(99), 'created'];
    expect(among(twenty, cells, lost(5))).toBe(0);
    expect(among(twenty, cells, lost(5, 15))).toBe(1);
  });

  it('in words that other events have', () => {
    expect(among(events, [timeOf(99), 'updated', uuid('anyone')])).toBe(1);
    expect(among(events, [timeOf(99), 'printed', uuid('anyone')])).toBe(0);
  });

  it('in times and ids that look like theirs', () => {
    expect(among(events, ['1999-12-31T23:59:59', 'created', uuid('anyone')])).toBe(1);
    expect(among(events, ['31.12.1999 23:59:59', 'created', uuid('anyone')])).toBe(0);
    expect(among(events, [timeOf(99), 'created', 'somebody'])).toBe(0);
  });

  it('in one of several ways in which they are written', () => {
    const rows = events.map(([id, time, type, user], index) =>
      index % 2 === 0 ? [id, time, type, user] : [id, time, type, `system.${number(index, 3)}`],
    );
    expect(among(rows, [timeOf(99), 'created', uuid('anyone')])).toBe(1);
    expect(among(rows, [timeOf(99), 'created', 'system.999'])).toBe(1);
    expect(among(rows, [timeOf(99), 'created', '999'])).toBe(0);
  });

  it.each([
    [23, 12, 1],
    [24, 12, 1],
    [25, 12, 0],
    [201, 100, 0],
    [203, 101, 1],
  ])('of %i events by %i users, anyone may have caused it: %i', (count, users, times) => {
    const rows = Array.from({ length: count }, (_, index): Row => {
      const [id, time, type] = eventOf(index);
      return [id, time, type, uuid(`user ${index % users}`)];
    });
    expect(among(rows, [timeOf(999), 'created', uuid('anyone')])).toBe(times);
  });
});

test('where nothing of the rows is printed, nothing is like them', () => {
  expect(unknown(events, table([['no', 'events', 'here']]))).toBe(0);
  expect(unknown([], table(events))).toBe(0);
});
