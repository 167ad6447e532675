import { describe, expect, it } from 'vitest';
import type { Row } from '../csv/csv-form.ts';
import { matchEvents } from './match-events.ts';
import type { Piece } from './plain-text.ts';
import type { PdfReading } from './read-pdf.ts';
import { table, timeOf, uuid } from './tables.fixture.ts';

const count = (length: number) => [...Array(length).keys()];

/** Id, time, type, user. */
function eventOf(index: number): [string, string, string, string] {
  const type = index % 2 ? 'created' : 'updated';
  return [uuid(`event ${index}`), timeOf(index), type, uuid(`user ${index}`)];
}

/** Two ids, each of which others have too: only both together are an event's own. */
const detailOf = (index: number) =>
  `{"applied":"${uuid(`applied ${index % 9}`)}","config":"${uuid(`config ${index % 8}`)}"}`;

const events: readonly Row[] = count(14).map(eventOf);
const none = { missing: [], doubtful: [], surplus: 0 };

/** A page that shows these texts. */
function pageOf(texts: readonly Piece[], hasPictures = false): PdfReading {
  return { pages: [{ width: 800, height: 5000, hasPictures, texts }] };
}

/** Whether the events of rows are on a page that shows these lines. */
const match = (rows: readonly Row[], lines: readonly Row[], others: readonly Row[] = []) =>
  matchEvents(rows, pageOf(table(lines)), others);

const lacking = (...lost: readonly number[]) => events.filter((_, index) => !lost.includes(index));

describe('of a table that shows all columns', () => {
  it('every event is found, whatever the order of the rows', () => {
    const all = { ...none, repeated: [], excluded: [], columns: [0, 1, 2, 3], cut: [] };
    expect(match(events, events)).toEqual(all);
    expect(match(events.toReversed(), events)).toEqual(all);
  });

  it('those that are lost are missing', () => {
    expect(match(events, lacking(0, 7, 13))).toMatchObject({ ...none, missing: [0, 7, 13] });
    expect(match(events.toReversed(), lacking(0, 7))).toMatchObject({ ...none, missing: [6, 13] });
  });

  it('those that are there twice are beyond the rows', () => {
    expect(match(events, [...events, ...events.slice(3, 5)])).toMatchObject({
      ...none,
      surplus: 2,
    });
    expect(match(events, events.toSpliced(7, 0, ...events.slice(6, 7)))).toMatchObject({
      ...none,
      surplus: 1,
    });
    expect(match(events, [...events, ...events])).toMatchObject({ ...none, surplus: 14 });
  });

  it('those that the query excludes are beyond the rows', () => {
    const others = [3, 9].map(eventOf);
    expect(match(lacking(3, 9), events, others)).toMatchObject({
      ...none,
      surplus: 2,
      excluded: [0, 1],
    });
    expect(match(lacking(3, 9), lacking(9), others)).toMatchObject({
      ...none,
      surplus: 1,
      excluded: [0],
    });
    expect(match(lacking(3, 9), lacking(3, 9), others)).toMatchObject(none);
    // An id alone is no event, wherever the rest of it stands.
    const [id, ...rest] = eventOf(3);
    const apart = [...lacking(3).toSpliced(3, 0, [id]), ['', rest.join(' ')]];
    expect(match(lacking(3), apart, [eventOf(3)])).toMatchObject(none);
  });

  it('those that no row has are beyond the rows, where no other is', () => {
    expect(match(lacking(3, 9), events)).toMatchObject({ ...none, surplus: 2 });
    expect(match(lacking(3, 9), events, [eventOf(3)])).toMatchObject({ ...none, surplus: 1 });
    const replaced = [...lacking(7), eventOf(50), eventOf(51)];
    expect(match(events, replaced)).toMatchObject({ ...none, missing: [7], surplus: 2 });
  });

  it('one is missing in whose place another stands', () => {
    const other = eventOf(50);
    expect(match(events, events.with(7, other), [other])).toMatchObject({
      ...none,
      missing: [7],
      surplus: 1,
    });
    expect(match(events, events.with(7, eventOf(6)))).toMatchObject({
      ...none,
      missing: [7],
      surplus: 1,
    });
  });

  it('those that are alike in everything count each', () => {
    const alike = events.map((_, index) => eventOf(Math.floor(index / 2)));
    expect(match(alike, alike)).toMatchObject(none);
    expect(match(alike, alike.toSpliced(4, 1)).missing).toHaveLength(1);
    expect(match(alike, [...alike, ...alike.slice(0, 1)])).toMatchObject({ ...none, surplus: 1 });
  });
});

describe('where nothing of the rows is recognized', () => {
  const all = [...events.keys()];
  const nothing = { ...none, repeated: [], excluded: [], columns: [], cut: [] };
  const other = (characters: number) => table([['x'.repeat(characters)]]);

  it('they are missing from a file without text for them, and without pictures', () => {
    expect(matchEvents(events, pageOf([]))).toEqual({ ...nothing, missing: all });
    expect(matchEvents(events, pageOf(other(4 * 14 - 1)))).toEqual({ ...nothing, missing: all });
    const { pages } = pageOf(other(4 * 7));
    const twoPages = { pages: [...pages, ...pages] };
    expect(matchEvents(events, twoPages)).toEqual({ ...nothing, doubtful: all });
    expect(matchEvents([], pageOf([]))).toEqual(nothing);
  });

  it('nobody can say', () => {
    expect(matchEvents(events, pageOf(other(4 * 14)))).toEqual({ ...nothing, doubtful: all });
    expect(matchEvents(events, pageOf([], true))).toEqual({ ...nothing, doubtful: all });
    const { pages } = pageOf([]);
    const [words, picture] = [pageOf([]), pageOf([], true)];
    expect(matchEvents(events, { pages: [...words.pages, ...picture.pages, ...pages] })).toEqual({
      ...nothing,
      doubtful: all,
    });
  });

  it('although a title names the time or the id of one or two', () => {
    const many = count(24).map(eventOf);
    const titled = (named: number) =>
      match(many, [...many.slice(0, named).map(([id]) => [`From ${id}`]), ['x'.repeat(100)]]);
    expect(titled(2)).toEqual({ ...nothing, doubtful: [...many.keys()] });
    expect(titled(3).columns).toEqual([0]);
    const twenty = many.slice(0, 20);
    const two = twenty.slice(0, 2).map(([id]) => [`From ${id}`]);
    expect(match(twenty, [...two, ['x'.repeat(100)]]).columns).toEqual([0]);
  });

  it('but not where few events are there', () => {
    const many = count(24).map(eventOf);
    const others = [...many.keys()].slice(2);
    expect(match(many, many.slice(0, 2))).toMatchObject({ ...none, missing: others });
  });
});

describe('an event can be missing only where others are whole', () => {
  const missing = (length: number) =>
    match(events.slice(0, length), events.slice(1, length)).missing;
  it('one of two, two of more', () => {
    expect(missing(2)).toEqual([0]);
    expect(missing(3)).toEqual([0]);
    expect(match(events.slice(0, 3), events.slice(2, 3)).missing).toEqual([]);
    expect(match(events.slice(0, 4), events.slice(2, 4)).missing).toEqual([0, 1]);
  });
});

describe('of an event that is not beside its id', () => {
  it('that leaves no trace is missing, but where many others leave traces alone', () => {
    const halved = (...broken: readonly number[]) =>
      lacking(13).map((row, index) =>
        broken.includes(index) ? [row[0]?.slice(0, 18) ?? ''] : row,
      );
    expect(match(events, halved(4))).toMatchObject({ missing: [13], doubtful: [4] });
    expect(match(events, halved(2, 5, 8))).toMatchObject({ missing: [], surplus: 0 });
  });

  const [id = '', time = '', type = '', user = ''] = eventOf(7);
  const without7 = lacking(7);

  it('an id in a title is none, nor one value of it; two are a trace', () => {
    for (const title of [[`From ${id}`], [`From ${time}`], [`Of ${user}`]]) {
      expect(match(events, [title, ...without7])).toMatchObject({ ...none, missing: [7] });
      expect(match(events, [...without7, title])).toMatchObject({ ...none, missing: [7] });
    }
    const titled = [[`At ${time} by ${user}`], ...without7];
    expect(match(events, titled)).toMatchObject({ ...none, doubtful: [7] });
  });

  it('it is there where its id is broken', () => {
    const broken = [
      [id.slice(0, 16), time],
      [id.slice(16), type],
    ];
    expect(match(events, [...broken, ...without7])).toMatchObject(none);
    const bare = events.map((row) => row.slice(0, 1));
    const parts = [['', id.slice(0, 10)], ...bare.toSpliced(7, 1), ['', id.slice(10)]];
    expect(match(bare, parts)).toMatchObject(none);
    expect(match(bare, parts.slice(1))).toMatchObject({ ...none, missing: [7] });
  });

  it('it is there with its id alone, as cells can be in any order', () => {
    const alone = events.with(7, [id]);
    expect(match(events, alone)).toMatchObject(none);
    expect(
      match(events, events.with(7, [id, timeOf(50), 'printed', uuid('anyone')])),
    ).toMatchObject(none);
  });

  it('nobody knows whether it is where fonts may not show it', () => {
    const named = events.map((_, index) => [
      timeOf(Math.floor(index / 2)),
      index === 7 ? '出席' : `user no. ${index}`,
    ]);
    expect(match(named, named)).toMatchObject(none);
    expect(match(named, named.with(7, named[7]?.slice(0, 1) ?? []))).toMatchObject(none);
    expect(match(named, named.toSpliced(7, 1))).toMatchObject({ missing: [], doubtful: [7] });
    expect(match(named, named.toSpliced(5, 1))).toMatchObject({ missing: [5], doubtful: [] });
    expect(match(named, named.with(7, named[6] ?? []))).toMatchObject(none);
    const titled = [[`From ${named[7]?.[0]}`], ...named.toSpliced(7, 1)];
    expect(match(named, titled)).toMatchObject({ missing: [], doubtful: [7] });
  });
});

describe('where events share what identifies them', () => {
  /** So many at each time, by users that are fewer than times. */
  const inGroups = (each: number, times = 12): readonly [string, string, string][] =>
    count(each * times).map((index) => [
      timeOf(Math.floor(index / each)),
      index % 2 ? 'created' : 'updated',
      uuid(`user ${index % 10}`),
    ]);

  it('each is the one whose columns stand beside it', () => {
    for (const each of [2, 3, 5]) {
      const rows = inGroups(each);
      expect(match(rows, rows)).toMatchObject(none);
      expect(match(rows.toReversed(), rows)).toMatchObject(none);
      const lost = [0, 4, each * 6, each * 12 - 1];
      const some = rows.filter((_, index) => !lost.includes(index));
      expect(match(rows, some)).toMatchObject({ ...none, missing: lost });
      expect(match(rows, [...rows, ...rows.slice(4, 5)])).toMatchObject({ ...none, surplus: 1 });
    }
  });

  it('others at their time are not these, where those are fewer', () => {
    const rows = inGroups(2);
    const [time = ''] = rows[6] ?? [];
    const other: [string, string, string] = [time, 'created', uuid('anyone')];
    expect(match(rows, rows.toSpliced(6, 2, other))).toMatchObject({ ...none, missing: [6, 7] });
    // A cell that is broken looks the same.
    expect(match(rows, rows.with(7, other))).toMatchObject(none);
  });

  it('each is the one that is most like it', () => {
    const rows = inGroups(2).map(([time, type], index) => [
      time,
      type,
      uuid(`user ${Math.floor(index / 2) % 10}`),
    ]);
    expect(match(rows, rows.toSpliced(6, 1))).toMatchObject({ ...none, missing: [6] });
    expect(match(rows, rows.toSpliced(7, 1))).toMatchObject({ ...none, missing: [7] });
    const bare = inGroups(2).map(([time, , user], index) => [
      time,
      'created',
      index === 6 ? '' : user,
    ]);
    expect(match(bare, bare.toSpliced(6, 1))).toMatchObject({ ...none, missing: [6] });
  });

  describe('and a page ends within one of them', () => {
    /** Three at each time; the last column, which is long and not always there, tells them apart. */
    const rows = count(36).map((index): Row => {
      const time = `${timeOf(Math.floor(index / 3))}.007 +00:00`;
      const type = ['created', 'updated', 'deleted', 'moved'][index % 4] ?? '';
      return [time, type, index === 0 ? '' : detailOf(index)];
    });
    const [time = '', type = '', detail = ''] = rows[16] ?? [];

    it('it is there with what its other columns show', () => {
      const broken = [
        [time, type, detail.slice(0, 52)],
        ['Time', 'Type', 'Details'],
        ['', '', detail.slice(52)],
      ];
      expect(match(rows, rows.toSpliced(16, 1, ...broken))).toMatchObject(none);
      // What an event with less shows, this one shows too.
      const less = rows.with(15, [time, type, '']);
      expect(match(less, less.toSpliced(16, 1, ...broken))).toMatchObject(none);
      const twice = rows.with(16, rows[15] ?? []);
      expect(match(rows, twice)).toMatchObject({ ...none, missing: [16], surplus: 1 });
    });

    it('it is there with its time in two parts', () => {
      const pages = (last: readonly Row[], first: readonly Row[]) => ({
        pages: [
          [...rows.slice(0, 16), ...last],
          [...first, ...rows.slice(17)],
        ].map((lines, page) => ({
          width: 800,
          height: 5000,
          hasPictures: false,
          texts: table(lines).map((piece) => ({ ...piece, page })),
        })),
      });
      const above = [time.slice(0, 23), type, detail.slice(0, 30)];
      const below = [time.slice(23), '', detail.slice(30)];
      expect(matchEvents(rows, pages([above], [below]))).toMatchObject(none);
      expect(matchEvents(rows, pages([], []))).toMatchObject({ ...none, missing: [16] });
      expect(matchEvents(rows, pages([above.slice(0, 2)], []))).toMatchObject({
        ...none,
        missing: [16],
      });
    });
  });

  it('they are named in the order of the rows', () => {
    const rows = inGroups(2);
    const apart = [
      ...rows.filter((_, index) => index % 2 === 0),
      ...rows.filter((_, index) => index % 2 === 1),
    ];
    const some = apart.filter((_, index) => index !== 5 && index !== 15);
    expect(match(apart, some)).toMatchObject({ ...none, missing: [5, 15] });
    expect(
      match(
        apart,
        apart.filter((_, index) => index !== 14 && index !== 5),
      ),
    ).toMatchObject({ ...none, missing: [5, 14] });
    const last = rows.map((row) => row.toReversed());
    expect(match(last, last)).toMatchObject({ ...none, columns: [0, 1, 2] });
  });

  it('an excluded one is recognized among them', () => {
    const rows = inGroups(3);
    const butOne = rows.toSpliced(7, 1);
    expect(match(butOne, rows, rows.slice(7, 8))).toMatchObject({ ...none, surplus: 1 });
    const [time = '', type = ''] = rows[7] ?? [];
    expect(match(butOne, rows, [[time, type, uuid('anyone')]])).toMatchObject(none);
  });

  it('the time can stand once above all of them', () => {
    const rows = inGroups(3);
    const headed = (some: readonly Row[]) =>
      some.flatMap(([time = '', ...rest], index) =>
        some[index - 1]?.[0] === time ? [['', ...rest]] : [[time], ['', ...rest]],
      );
    expect(match(rows, headed(rows))).toMatchObject({ missing: [], surplus: 0 });
    expect(match(rows, headed(rows.toSpliced(7, 1))).missing).toEqual([7]);
    expect(match(rows, headed(rows.toSpliced(6, 1))).missing).toEqual([6]);
  });

  it('one is lost where another stands twice, which has its place', () => {
    // Some have a comment; what not all have identifies none.
    const rows = inGroups(3).map((row, index) => [
      ...row,
      index % 3 === 1 ? `comment no. ${1000 + index}` : '',
    ]);
    const replaced = rows.with(7, rows[6] ?? []);
    expect(match(rows, replaced)).toMatchObject({ ...none, missing: [7], surplus: 1 });
    // Its comment stands elsewhere: it may be there, in the place of what seems to be another one once more.
    const comment = rows[7]?.at(-1) ?? '';
    const elsewhere = replaced.toSpliced(10, 0, ['', '', '', comment]);
    expect(match(rows, elsewhere)).toMatchObject(none);
  });

  it('a title with all that one has is no other one', () => {
    const rows = inGroups(2);
    const [time = '', type = '', user = ''] = rows[0] ?? [];
    const printed = [[`Since ${time}: ${type} by ${user}`], ...rows, [time, '', uuid('anyone')]];
    expect(match(rows, printed)).toMatchObject(none);
  });

  it('up to three hundred are compared, each with each', () => {
    const rows = count(320).map(
      (index): Row => [
        index < 300 ? timeOf(0) : timeOf(index),
        index % 2 ? 'created' : 'updated',
        `u${index % 10}`,
      ],
    );
    expect(match(rows, rows.toSpliced(5, 1)).missing).toHaveLength(1);
  });

  it('hundreds of them are counted', () => {
    const rows = count(320).map(
      (index): Row => [
        index < 302 ? timeOf(0) : timeOf(index),
        index % 2 ? 'created' : 'updated',
        `u${index % 10}`,
      ],
    );
    expect(match(rows, rows)).toMatchObject(none);
    expect(match(rows, rows.slice(1))).toMatchObject({ ...none, doubtful: [301] });
    expect(match(rows, [...rows, ...rows.slice(0, 1)])).toMatchObject({ ...none, surplus: 1 });
  });
});

describe('where ids stand alone', () => {
  const bare = events.map((row) => row.slice(0, 1));

  it('one in a title can be an event, as nothing tells events from titles', () => {
    const [first = []] = bare;
    const titled = [[`From ${first[0]}`], ...bare.slice(1)];
    expect(match(bare, titled)).toMatchObject(none);
    expect(match(bare, bare.slice(1))).toMatchObject({ ...none, missing: [0] });
  });
});

describe('of values that fonts may not show', () => {
  const rows = events.map((row, index) => [...row, index % 2 ? `出席 ${index}` : `no. ${index}`]);
  const printed = rows.map((row, index) => (index % 2 ? row.slice(0, 4) : row));

  it('nothing is missing, and one that is there twice is found', () => {
    expect(match(rows, printed)).toMatchObject(none);
    expect(match(rows, [...printed, ...printed.slice(7, 8)])).toMatchObject({
      ...none,
      surplus: 1,
    });
  });
});

describe('of values that are cut off', () => {
  it('those that begin as others are written are not taken for all that there are', () => {
    // May is short whether it is written out or not.
    const months = [4, 4, 4, 0, 1, 2, 3, 5, 6, 7, 9, 10];
    const days = months.map((month, index) => new Date(Date.UTC(2026, month, 9 + index)));
    const written = (at: Date, month: 'short' | 'long') =>
      at.toLocaleDateString('en-GB', { day: '2-digit', month, year: 'numeric', timeZone: 'UTC' });
    const rows = days.map((at) => [
      `${written(at, 'short')} 09:20:53.045 +00:00`,
      'task',
      'created',
    ]);
    const lines = days.map((at) => [`On ${written(at, 'long')} at 9:20 am sharp: task created`]);
    expect(match(rows, lines)).toMatchObject({ missing: [], surplus: 0 });
  });

  it('of dates with one digit or two for the day, both are found', () => {
    // Of the sentences of the CSV the PDF shows the date alone.
    const dates = count(30).map((index) => `${index + 1} Nov 2026, ${10 + (index % 9)}:37:02`);
    const rows = dates.map((date, index) => [`${date}: user ${index % 3} updated a task`]);
    const shown = dates.map((date, index) => [`${date.slice(0, -3)}`, `updated by ${index % 3}`]);
    expect(match(rows, shown)).toMatchObject({ ...none, cut: [0] });
    expect(match(rows, shown.toSpliced(8, 1))).toMatchObject({ ...none, missing: [8] });
  });

  const commented = events.map(([id = '', ...rest], index) => [
    id,
    ...rest,
    `no. ${index} is a comment that is too long`,
  ]);

  it('the columns are named', () => {
    const shown = commented.map((row) => row.with(4, `${row[4]?.slice(0, 20)}...`));
    expect(match(commented, shown)).toMatchObject({ ...none, columns: [0, 1, 2, 3, 4], cut: [4] });
    expect(match(commented, shown.toSpliced(7, 1))).toMatchObject({ ...none, missing: [7] });
  });
});

describe('where nothing that tells much stands beside ids, as on a sheet', () => {
  // Types tell little; users stand on another page.
  const sheet = (some: readonly Row[]) =>
    [some.slice(0, 7), some.slice(7)].flatMap((page) => [
      ...page.map(([id = '', , type = '']) => [id, type]),
      ...page.map(([, time = '', , user = '']) => ['', '', time, user]),
    ]);

  it('all are found, and those that are lost', () => {
    expect(match(events, sheet(events))).toMatchObject(none);
    expect(match(events, sheet(lacking(3)))).toMatchObject({ ...none, missing: [3] });
  });

  it('what tells them from eight others is enough', () => {
    const byParts = (parts: number) => {
      const rows = events.map(([id = ''], index) => [id, `part ${index % parts}`]);
      return match(rows, [...rows, ...rows.slice(7, 8)]).surplus;
    };
    expect(byParts(8)).toBe(1);
    expect(byParts(7)).toBe(0);
  });
});

describe('of events in lines that are written from right to left', () => {
  const arabic = 'بدأ النظام الفحص';
  /** Events that no id names but one: that of this text. */
  const named = (id: string) =>
    events.map(([, time = '', type = '', user = ''], index) =>
      index === 7 ? [time, type, '', `${arabic} ${id}`] : [time, type, user, ''],
    );

  it('one that no id names, and that is not recognized, is not missing', () => {
    for (const id of ['', '8f3c2a1-4b5c', '8f3c2a10-4b5']) {
      const rows = named(id);
      expect(match(rows, rows.toSpliced(7, 1))).toMatchObject({ missing: [] });
      expect(match(rows, rows.toSpliced(5, 1))).toMatchObject({ missing: [5] });
    }
    for (const id of ['8f3c2a10-4b5c', '8F3C2A104B5C']) {
      const rows = named(id);
      expect(match(rows, rows.toSpliced(7, 1))).toMatchObject({ missing: [7] });
    }
  });

  it('one is there where as many events have its key as rows', () => {
    const isScrambled = (index: number) => index % 7 === 3;
    // Each of them has the time of the event before it.
    const rows = count(60).map((index): Row => {
      const time = timeOf(isScrambled(index) ? index - 1 : index).slice(11);
      const user = uuid(`user ${index % 11}`);
      const type = index % 3 ? 'created' : 'updated';
      const details = `${uuid(`event ${index}`).slice(0, 8)} of ${user}`;
      return [time, type, isScrambled(index) ? `شركة النور (${user})` : user, details];
    });
    const reversed = (cell: string) => [...cell].reverse().join('');
    const printed = rows.map((cells, index) =>
      isScrambled(index) ? [...cells.slice(0, 2), ...cells.slice(2).map(reversed)] : cells,
    );
    expect(match(rows, printed)).toMatchObject({ missing: [], surplus: 0 });
  });
});

describe('where ids are numbers one after the other', () => {
  const numbered = (length: number, from: number) =>
    count(length).map((index): Row => [String(from + index), index % 3 ? 'new' : 'old']);

  it.each([100_000, 1_000_000_000])('as %i: two of them side by side are no third', (from) => {
    // In two columns, the end of each id stands before the beginning of another.
    const rows = numbered(4000, from);
    const lines = rows
      .slice(0, 2000)
      .map(([id = ''], index) => [id, rows[index + 2000]?.[0] ?? '']);
    expect(match(rows, lines)).toMatchObject(none);
    const lost = [10, 1234, 1999];
    const some = lines.map((line, index) => (lost.includes(index) ? ['', ...line.slice(1)] : line));
    expect(match(rows, some)).toMatchObject({ ...none, missing: lost });
  });
});

describe('where events have no ids, but times of day', () => {
  const clocks = events.map(
    (_, index): Row => [
      `${index + 10}:59`,
      index % 3 ? 'new' : 'old',
      uuid(`${index}`).slice(0, 7),
    ],
  );

  it('one is there with its time, whatever stands beside it', () => {
    expect(match(clocks, clocks)).toMatchObject({ ...none, columns: [0, 1, 2] });
    const [time = ''] = clocks[7] ?? [];
    expect(match(clocks, clocks.with(7, [time, '?', '?']))).toMatchObject(none);
    expect(match(clocks, clocks.toSpliced(7, 1))).toMatchObject({ ...none, missing: [7] });
    const bare = clocks.map(([time = '', type = '']) => [time, type]);
    expect(match(bare, bare.toSpliced(7, 1))).toMatchObject({ ...none, missing: [7] });
  });
});

describe('where the CSV shows when events were recorded, and the PDF when they happened, to the minute', () => {
  const minute = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  const happened = count(40).map((index) => Date.UTC(2026, 1, 3) + index * 60_000);
  /** Not all have an entity: times are what events are known by. */
  const cellsOf = (index: number) => [
    ['assessment', 'task', 'screening'][index % 3] ?? '',
    ['created', 'updated'][index % 2] ?? '',
    uuid(`user ${index % 11}`),
    index === 3 ? '' : uuid(`entity ${index}`),
  ];
  const lines = happened.map((at, index) => [minute(at), ...cellsOf(index)]);

  it('an event that has another time there is none too many', () => {
    // It was recorded in the next minute.
    const recorded = lines.with(17, [minute((happened[17] ?? 0) + 60_000), ...cellsOf(17)]);
    expect(match(recorded, lines)).toMatchObject({ missing: [], surplus: 0 });
  });

  it('one that no row has is', () => {
    const [first = [], ...others] = lines;
    const more = [first, [minute(Date.UTC(2026, 5, 5)), ...first.slice(1)], ...others];
    expect(match(lines, more)).toMatchObject({ missing: [], surplus: 1 });
  });
});

describe('where a layout divides what a cell holds', () => {
  /** The day of an instant in 2026, and its time of day. */
  const written = (day: number, minute: number): [string, string] => {
    const iso = new Date(Date.UTC(2026, 3, day, 0, minute, 7)).toISOString();
    return [`${iso.slice(8, 10)}/${iso.slice(5, 7)}/${iso.slice(0, 4)}`, iso.slice(11, 19)];
  };

  it.for([
    ['', 44],
    [', though it is the last of all', 15],
  ] as const)('a time that does not stand beside its day is no missing event%s', ([, length]) => {
    // Nearly all days have one event, whose time stands right behind its day.
    const shown = count(length).map((index) => {
      const [day, clock] = written(3 * (index % 15 === 14 ? index - 1 : index), 31 * index);
      return [day, clock, ...eventOf(index % 5).slice(2)];
    });
    const lines = shown.flatMap(([day = '', ...rest], index) =>
      shown[index - 1]?.[0] === day ? [rest] : [[day], rest],
    );
    // Ids of events are in the CSV alone.
    const rows = shown.map(([day, clock, ...rest], index) => [
      uuid(`event ${index}`),
      `${day} ${clock}`,
      ...rest,
    ]);
    expect(match(rows, lines)).toMatchObject({ missing: [], surplus: 0 });
  });

  it('a comment apart from the description that it follows in the CSV is no other event', () => {
    const lines = count(240).map((index) => {
      const what = `${'abcdefghijklmnopqrstuvwxyz'[(index >> 1) % 26]} was updated by somebody`;
      return [written(index >> 1, 0)[0], what, index % 6 === 4 ? `checked by ${index}` : ''];
    });
    const rows = lines.map(([day = '', what = '', remark]) => [
      day,
      remark ? `${what}: ${remark}` : what,
    ]);
    expect(match(rows, lines)).toMatchObject({ missing: [], surplus: 0 });
  });
});
