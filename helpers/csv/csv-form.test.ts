import { describe, expect, it, test } from 'vitest';
import { isPaddedTitle, type Row, sniffStart, splitStart, type TableParts } from './csv-form.ts';

const lines = (count: number, line: string) => Array<string>(count).fill(line).join('');

describe('the delimiter', () => {
  const delimiter = (text: string, usual?: ',' | ';') => sniffStart(text, usual).form.delimiter;

  it.for([
    ['divides most records alike', ',', `a,b\n1|2|3|4|5|6|7,x\n${lines(9, '1,2\n')}`],
    ['is the rarer one where the other comes in one record only', ';', 'a;b\n1;x,y,z\n2;y\n3;z\n'],
    ['is no comma before a space', ';', 'a;b\n1;w, x, y, z\n2;w, x, y, z\n'],
    ['is not looked for in quotes', ';', 'a;b\n1;"w,x,y,z"\n2;"w,x ""v,w"",y,z"\n'],
    ['is not looked for in lines of a quoted cell', ';', 'a;b\n1;"w\nx,y,z\n"\n2;"x,y\n,z"\n'],
    ['may be none', null, 'a\nb\n'],
    ['is none in an empty file', null, ''],
    ['divides a single line without an end', ';', 'a;b'],
    ['is not made up by the word "null"', ',', 'null,b\nnull,nullx\n'],
  ] as const)('%s', ([, wanted, text]) => {
    expect(delimiter(text)).toBe(wanted);
  });

  it('is the usual one where that occurs', () => {
    expect(delimiter('a;b,c,d\n', ';')).toBe(';');
    expect(delimiter('a,b,c,d\n', ';')).toBe(',');
    expect(delimiter('a;b,c,d\n')).toBe(',');
  });
});

describe('a line that tells the delimiter', () => {
  it.for([
    ['sep=;\n', ';'],
    ['SEP=,\r\n', ','],
    ['"sep=|"\r', '|'],
    ['sep=\t\n', '\t'],
  ] as const)('is %j', ([line, delimiter]) => {
    const start = sniffStart(`${line}a,b;c|d\te\n1,2;3|4\t5\n`);
    expect(start.form).toMatchObject({ delimiter, separatorLine: true });
    expect(start.text).toBe('a,b;c|d\te\n1,2;3|4\t5\n');
  });

  it('is the first one', () => {
    for (const text of ['a,b\nsep=;\n', 'xsep=;\na,b\n', 'sep=;x\na,b\n']) {
      expect(sniffStart(text)).toMatchObject({ form: { separatorLine: false }, text });
    }
  });
});

describe('lines end', () => {
  it.for([
    ['a,b\r\n1,2\r\n', '\r\n'],
    ['a,b\n1,2\n', '\n'],
    ['a,b\r1,2\r', '\r'],
    ['a,b\r"1\n2","3\r\n4"\r5,6\r', '\r'],
    ['a,b\r\n1,2', '\r\n'],
    ['', '\n'],
  ] as const)('%j', ([text, lineEnd]) => {
    expect(sniffStart(text)).toMatchObject({ form: { lineEnd }, text, problems: [] });
  });

  const mixed = [
    expect.stringContaining('Lines end in different ways, or a line break is not quoted: “'),
  ];

  it('in one way', () => {
    expect(sniffStart('a,b\r\n1,2\r\n3,4\n').problems).toEqual([
      'Lines end in different ways, or a line break is not quoted: “3,4” ends with LF, most lines with CR LF.',
    ]);
    expect(sniffStart('a,b\n1,2\n3,4\r5,6\n').problems).toEqual([
      'Lines end in different ways, or a line break is not quoted: “3,4” ends with CR, most lines with LF.',
    ]);
    expect(sniffStart('a,b\n1,2\n3,4\r').problems).toEqual([]);
  });

  it('otherwise in a title than in the table below it', () => {
    const table = (rows: number) => lines(rows, '1,2\r\n');
    for (const [titles, rows] of [
      [1, 2],
      [3, 4],
      [20, 21],
    ] as const) {
      const title = lines(titles, '"Title",\n');
      expect(sniffStart(`${title}${table(rows)}`)).toMatchObject({
        ...{ text: title.replaceAll('\n', '\r\n') + table(rows), problems: [] },
        form: { lineEnd: '\r\n', delimiter: ',' },
      });
    }
  });

  it.for([
    ['as long as the table', `Title\n1,2\r\n`],
    ['as long as the table', `${lines(3, 'Title\n')}${lines(3, '1,2\r\n')}`],
    ['that is too long', `${lines(21, 'Title\n')}${lines(60, '1,2\r\n')}`],
    ['above a table with a line break', `Title\n${lines(20, '1,2\r\n')}1,\n2\r\n`],
  ])('but there is no title %s', ([, text = '']) => {
    expect(sniffStart(text)).toMatchObject({ text, problems: mixed });
  });
});

describe('quotes stand around', () => {
  const quoting = (text: string) => sniffStart(text).form.quoting;

  it.for([
    ['all', '"a","b"\n"1","said ""no"", twice"\n'],
    ['all', '"a","b"\n"1",\n,"2"\n'],
    ['all', '"a"\n"e-1"\n'],
    ['all', `Title\n${lines(9, '"1","2"\n')}`],
    ['where needed', `Title\n${lines(8, '"1","2"\n')}`],
    ['where needed', `Title\n${lines(20, '\n')}"1","2"\n`],
    ['where needed', '"a","b"\n"1",2\n'],
    ['where needed', '"Id"\nhere\nwas\n'],
    ['where needed', 'a,b\n1,2\n'],
    ['where needed', ',\n,\n'],
    ['where needed', ''],
  ] as const)('%s of the cells of %j', ([wanted, text]) => {
    expect(quoting(text)).toBe(wanted);
  });

  it('no line break, where one is never closed', () => {
    expect(sniffStart('a;b\n1;"2,3,4\n5,6,7\n')).toMatchObject({
      form: { delimiter: ';', lineEnd: '\n' },
    });
  });
});

test('a title is padded with empty cells to the width of a table', () => {
  const padded = [
    ['Total', '', ''],
    ['Total', '', '', ''],
  ];
  const events = [
    ['Total', ''],
    ['', '', ''],
    ['a', 'b', ''],
    ['a', 'b', '', ''],
    ['Total', '', 'x'],
    ['Total', '', '', 'x'],
    ['Total', '', 'x', ''],
    ['Total'],
  ];
  expect(padded.map(isPaddedTitle)).toEqual(padded.map(() => true));
  expect(events.map(isPaddedTitle)).toEqual(events.map(() => false));
});

/** Records as a short text: cells end with a comma, records with a space. */
const records = (text: string): Row[] => text.split(' ').map((record) => record.split(','));

/** Another export of the same service, of which these parts matter. */
const another = (parts: Partial<TableParts>): TableParts => ({
  ...{ titleLines: [], headings: null, headingLines: parts.headings ? 1 : 0 },
  ...{ rows: [], columns: parts.rows?.[0]?.length ?? 0 },
  ...parts,
});

describe('headings differ from what is below them', () => {
  const areHeadings = (first: string, below: readonly Row[], known?: Partial<TableParts>) =>
    splitStart([first.split(','), ...below], known && another(known)).headings !== null;

  const column = (...cells: readonly string[]) => cells.map((cell) => ['', cell]);

  it('by digits, where nine in ten have some', () => {
    const tenth = column('1', '2', '3', '4', '5', '6', '7', '8', '9');
    expect(areHeadings(',Year 2024', [...tenth, ['', 'x']])).toBe(false);
    expect(areHeadings(',Year 2024', [...tenth, ['', 'x'], ['', 'y']])).toBe(false);
    expect(areHeadings(',Year', [...tenth, ['', 'x']])).toBe(true);
    expect(areHeadings(',Q 1', [...tenth, ['', 'x']])).toBe(false);
    expect(areHeadings(',Q 1', column('1', 'x', 'y'))).toBe(true);
    // Nor of an empty heading.
    expect(areHeadings(',e1', records('1,e2 3,e4'))).toBe(false);
    // Of the empty cells nothing is known.
    expect(areHeadings(',12', [...tenth, ['', ''], ['', '']])).toBe(false);
    expect(areHeadings(',12', column('x', 'y', 'z'))).toBe(true);
    expect(areHeadings(',1234', column('x', 'y', 'z'))).toBe(false);
  });

  it('by values that recur, where there are enough of them', () => {
    const recurring = (rows: number, values: number) =>
      Array.from({ length: rows }, (_, index) => ['', 'abcdefghijk'.charAt(index % values)]);
    expect(areHeadings(',a', recurring(10, 2))).toBe(false);
    expect(areHeadings(',a', recurring(9, 2))).toBe(true);
    expect(areHeadings(',a', recurring(12, 3))).toBe(false);
    expect(areHeadings(',a', recurring(12, 4))).toBe(true);
    expect(areHeadings(',Type 2024', recurring(12, 3))).toBe(true);
    expect(areHeadings(',Type 2024', recurring(12, 4))).toBe(false);
  });

  it('where most columns say so', () => {
    expect(areHeadings('Id,Date 1,Nr 1', records('1,2,3 4,5,6'))).toBe(false);
    expect(areHeadings('Id,Date,Nr 1', records('1,2,3 4,5,6'))).toBe(true);
    expect(areHeadings(',Date', records('1,2 3,4'))).toBe(true);
  });

  it('where they come again on each page', () => {
    const rows = Array.from({ length: 12 }, (_, at) => [`${at}`, at % 3 ? 'a' : 'b', 'c', 'c']);
    const headings = ['Nr', 'Type', 'Subtype', 'Source'];
    expect(areHeadings('Nr,Type,Subtype,Source', [...rows, headings, ...rows])).toBe(true);
    expect(areHeadings('13,a,c,c', [...rows, ['13', 'a', 'c', 'c']])).toBe(false);
  });

  it('unless nothing stands in them', () => {
    expect(areHeadings(',', records('1,2 3,4'))).toBe(false);
    expect(areHeadings(',', records('x,2024'))).toBe(false);
  });

  it('in records of their own width', () => {
    const known = { headings: null, rows: records('e-2,y') };
    expect(areHeadings('e-1,x', records('Total,5,3'), known)).toBe(false);
    const ragged = { headings: null, rows: records('e-2,y x,3,5 x,3,5') };
    expect(areHeadings('e-1,x', [], ragged)).toBe(false);
  });

  it('where there is nothing below, by the table that is known', () => {
    const known = (headings: Row | null, rows: string) => ({ headings, rows: records(rows) });
    const numbered = known(['Id', 'Type'], '1,a 2,b');
    expect(areHeadings('Id,Type', [], numbered)).toBe(true);
    expect(areHeadings('Kennung,Art', [], numbered)).toBe(true);
    expect(areHeadings('3,c', [], numbered)).toBe(false);
    expect(areHeadings('x,y', [], known(['Id', 'Type'], 'a,b b,c'))).toBe(true);
    expect(areHeadings('x,y', [], known(null, 'a,b b,c'))).toBe(false);
    expect(areHeadings('1234,y', [], { headings: ['Id', 'Type'], rows: [] })).toBe(false);
    expect(areHeadings('x,y', [], { headings: null, rows: [] })).toBe(true);
  });

  it('as they are known, whatever they look like', () => {
    const known = { headings: ['Q 1', 'Q 2'], rows: records('1,2 3,4') };
    expect(areHeadings('Q 1,Q 2', records('1,2'), known)).toBe(true);
    expect(areHeadings('Q 1,Q 3', records('1,2'), known)).toBe(false);
    expect(areHeadings('Q 1', records('3'), known)).toBe(false);
    const joined = { headings: ['Q 1', 'Q 2'], headingLines: 2, rows: known.rows } as const;
    const two = splitStart(records('Q,Q 1,2 3,4'), another(joined));
    expect(two).toMatchObject({ headings: ['Q 1', 'Q 2'], headingLines: 2, rows: [['3', '4']] });
    const numbered = { ...joined, headings: ['Q1 a', 'Q2 b'] };
    const again = splitStart(records('Q1,Q2 a,b 1,2 3,4'), another(numbered));
    expect(again).toMatchObject({ headings: ['Q1 a', 'Q2 b'], headingLines: 2 });
  });

  it('and a row that stands alone is an event where a cell has four digits', () => {
    expect(areHeadings('Id,Q 123', [])).toBe(true);
    expect(areHeadings('Id,2024', [])).toBe(false);
    expect(areHeadings('Id,٢٠٢٤', [])).toBe(false);
    expect(splitStart([])).toMatchObject({ headings: null, rows: [], columns: 0 });
  });
});

describe('headings have a second line', () => {
  const below = records('1,2,x 3,4,y');

  it.for([
    ['that differs from what is below it', 'key,time,text', 2],
    ['not where one column differs', 'key,4,text', 1],
    ['not where a cell is empty', 'key,time,', 1],
    ['not of another width', 'key,time', 1],
  ] as const)('%s', ([, second, headingLines]) => {
    const start = splitStart([['Id', 'Date', 'Comment'], second.split(','), ...below]);
    expect(start.headingLines).toBe(headingLines);
    expect(start.rows).toHaveLength(headingLines === 2 ? 2 : 3);
  });

  it('whatever a row below it lacks', () => {
    const ragged = [['Id', 'Date', 'Comment'], ['key', 'time', 'text'], ['1', '2', 'x'], ['3']];
    expect(splitStart(ragged).headingLines).toBe(2);
  });

  it('where the known table has', () => {
    const first = ['Id', 'Date', 'Comment'];
    const known = (headingLines: 1 | 2) => another({ headings: first, headingLines, rows: below });
    const cells = [first, ['key', 'time', 'text'], ...below];
    expect(splitStart(cells, known(1)).headingLines).toBe(1);
    expect(splitStart(cells, known(2)).headings).toEqual(['Id key', 'Date time', 'Comment text']);
    expect(splitStart([first, ['e', 'x', 'y']], known(2)).headingLines).toBe(2);
    expect(splitStart([first], known(2)).headingLines).toBe(1);
  });
});

describe('title lines', () => {
  const headings = ['Id', 'Type', 'Date'];
  const events = [
    ['1', 'task', '2024'],
    ['2', '', '2024'],
    ['3', 'task', '2025'],
  ];
  const title = (count: number, cells: Row = ['Title']) => Array<Row>(count).fill(cells);

  it.for([1, 2, 20])('stand above headings, up to twenty: %i', (count) => {
    const many = Array(9).fill(events).flat();
    const start = splitStart([...title(count), headings, ...many]);
    expect(start).toMatchObject({ titleLines: title(count), headings, rows: many, columns: 3 });
  });

  it('stand above headings of words above words that recur', () => {
    const words = Array.from({ length: 12 }, (_, index) => ['new', index % 2 ? 'a' : 'b', 'c']);
    const start = splitStart([['Export', '', 'March'], headings, ...words]);
    expect(start).toMatchObject({ titleLines: [['Export', '', 'March']], headings, rows: words });
  });

  it('are no events above the first complete one, though that is unlike those below', () => {
    const made = (index: number) => [`2024-05-${10 + index}`, 'match', 'created', `${index}`, ''];
    const complete = ['2024-05-22', 'task', 'unassigned', 'who', 'first'];
    const rows = Array.from({ length: 24 }, (_, index) => (index === 12 ? complete : made(index)));
    expect(splitStart(rows)).toMatchObject({ titleLines: [], headings: null, rows });
    // Nor is it headings where it comes first, and other exports have none.
    const known = another({ headings: null, rows });
    const shorter = splitStart(rows.slice(12), known);
    expect(shorter).toMatchObject({ titleLines: [], headings: null, rows: rows.slice(12) });
  });

  it('above headings are no more than twenty', () => {
    const many = Array(9).fill(events).flat();
    expect(splitStart([...title(21), headings, ...many])).toMatchObject({ titleLines: [] });
    // Unless the headings are known: a line may tell each value that was asked for.
    const known = another({ titleLines: title(2), headings, headingLines: 1, rows: events });
    const start = splitStart([...title(21), headings, ...events], known);
    expect(start).toMatchObject({ titleLines: title(21), headings, rows: events });
  });

  it('are padded or not', () => {
    for (const cells of [
      ['Title', '', ''],
      ['Title', 'of', 'four', 'cells'],
      ['Title', ''],
    ]) {
      const start = splitStart([...title(1, cells), headings, ...events]);
      expect(start).toMatchObject({ titleLines: [cells], headings, rows: events });
      const bare = splitStart([...title(1, cells), ...events]);
      expect(bare).toMatchObject({ titleLines: [cells], headings: null, rows: events });
    }
    const two = splitStart([...title(2, ['Title', '', '']), ...events]);
    expect(two).toMatchObject({ titleLines: title(2, ['Title', '', '']), rows: events });
  });

  it('stand above events, up to twenty', () => {
    const many = (count: number) => [...Array(8).fill(events)].flat().slice(0, count);
    for (const count of [1, 2, 20]) {
      const start = splitStart([...title(count), ...many(24)]);
      expect(start).toMatchObject({ titleLines: title(count), headings: null, columns: 3 });
    }
    const tooMany = splitStart([...title(21), ...many(24)]);
    expect(tooMany).toMatchObject({ titleLines: [], rows: [...title(21), ...many(24)] });
  });

  it('are no two halves of an event', () => {
    const halves = [
      ['2024-01-01', 'ta'],
      ['sk', ''],
    ];
    expect(splitStart([...halves, ...events])).toMatchObject({ titleLines: [], headings: null });
    const others = [['1', 'ta'], ['Title']];
    expect(splitStart([...others, ...events])).toMatchObject({ titleLines: others });
  });

  it('are nothing else where a file holds nothing else', () => {
    expect(splitStart(title(3))).toMatchObject({ titleLines: [], columns: 1 });
    const paddedOnly = title(3, ['2024-01-01', '', '']);
    expect(splitStart(paddedOnly)).toMatchObject({ titleLines: [], rows: paddedOnly });
  });

  it('leave the width to the table: the commonest, or the larger one', () => {
    expect(splitStart([['Title'], headings])).toMatchObject({ columns: 3, headings });
    expect(splitStart([headings, ['Total']])).toMatchObject({ columns: 3, headings });
    expect(splitStart([headings, ['Total'], ['Made']])).toMatchObject({ columns: 3, headings });
    const wide = [...title(1, ['a', 'b', 'c', 'd']), ...events];
    expect(splitStart(wide).columns).toBe(3);
  });

  it('are those of the known table, where the file is too small to show them', () => {
    const known = another({ titleLines: title(2), rows: events });
    const one = ['4', 'task', '2026'];
    const begin = { titleLines: title(2), columns: 3 };
    expect(splitStart([...title(2), one], known)).toMatchObject({ ...begin, rows: [one] });
    expect(splitStart(title(2), known)).toMatchObject({ ...begin, headings: null, rows: [] });
    expect(splitStart(title(1), known)).not.toMatchObject(begin);
    expect(splitStart([one, one], known)).toMatchObject({ titleLines: [], rows: [one, one] });
    const asWide = { ...known, titleLines: [['Title', '', '']] };
    const table = [headings, ...events];
    expect(splitStart(table, asWide)).toMatchObject({ titleLines: [], headings });
    expect(splitStart(table, { ...known, titleLines: [] })).toMatchObject({ titleLines: [] });
    expect(splitStart([['Title'], ['x']], { ...known, rows: [] })).toMatchObject({ columns: 1 });
  });

  it('of the known table have the widths that they have there', () => {
    const one = ['4', 'task', '2026'];
    const known = (...titleLines: Row[]) => another({ titleLines, rows: events });
    const wide = title(2, ['Title', 'of']);
    const start = splitStart([...wide, one], known(...wide));
    expect(start).toMatchObject({ titleLines: wide, rows: [one] });
    const halves = [['2024-01-01', 'ta'], ['sk', ''], one];
    expect(splitStart(halves, known())).toMatchObject({ titleLines: [], rows: halves });
    const others = known(['Title', 'of'], ['Made']);
    expect(splitStart(halves, others)).toMatchObject({ titleLines: [], rows: halves });
    const aboveHeadings = [...wide, headings, one];
    const withHeadings = another({ headings, rows: events });
    expect(splitStart(aboveHeadings, withHeadings)).toMatchObject({ titleLines: wide, headings });
    const moreThanKnown = splitStart([...wide, one], known(['Title', 'of']));
    expect(moreThanKnown).toMatchObject({ titleLines: wide, rows: [one] });
    const further = [...wide, ['Filter', 'b']];
    expect(splitStart([...further, one], known(...wide))).toMatchObject({ titleLines: further });
    expect(splitStart([...wide, one], known(...further))).toMatchObject({ titleLines: wide });
    const asWide = known(['Title'], ['Made', '', '']);
    expect(splitStart([['Title'], one, one], asWide)).toMatchObject({ rows: [one, one] });
  });

  it('are all of an export without events that has no headings', () => {
    const many = another({ rows: Array.from({ length: 10 }, () => ['4', 'task', '2026']) });
    const start = splitStart([...title(30, ['Filter', 'b']), ['Total: 0']], many);
    expect(start).toMatchObject({ rows: [], columns: 3 });
    expect(splitStart(title(2), another({ rows: events }))).toMatchObject({ rows: [] });
  });

  it('are whatever fills fewer cells than all known events, where these are enough', () => {
    const wide = ['Id', 'Type', 'Subtype', 'Date', 'User', 'Comment'];
    const event = ['4', 'task', 'new', '2026', 'u-7', ''];
    const many = another({ headings: wide, rows: Array.from({ length: 10 }, () => event) });
    const sums = [
      ['Sum', '12', '', '', '', ''],
      ['Total', '12'],
    ];
    expect(splitStart(sums, many)).toMatchObject({ titleLines: sums, rows: [], columns: 6 });
    const [all, filled] = [wide.slice(0, 5), event.slice(0, 5)];
    const leftOut = splitStart([...sums, all, filled], many);
    expect(leftOut).toMatchObject({ titleLines: sums, headings: all, columns: 5 });
    // Empty cells at the end may be left out.
    const short = splitStart([...sums, filled], { ...many, headings: null });
    expect(short).toMatchObject({ rows: [filled], columns: 6 });
  });

  it('of the known table may be more than twenty, where they are narrower', () => {
    const one = ['4', 'task', '2026'];
    const known = another({ titleLines: title(1), rows: events });
    const asked = [...title(1), ...title(30, ['Filter', 'b'])];
    expect(splitStart([...asked, one], known)).toMatchObject({ titleLines: asked, rows: [one] });
  });

  it('do not hide the width that is known', () => {
    const known = another({ rows: events });
    const start = splitStart([['a'], ['b'], ['4', 'task', '2026']], known);
    expect(start).toMatchObject({ titleLines: [['a'], ['b']], columns: 3 });
  });
});
