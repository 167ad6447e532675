import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type CsvTable, readCsv, TooManyEvents } from './read-csv.ts';

const first = ['8f3c2a10', 'assessment', '2024-03-01T10:00:00.000Z', 'plain'];
const second = ['77aa01be', 'task', '2024-03-01T10:00:00.001Z', 'also plain'];
const lines = [first, second].map((row) => row.join(','));
const headings = ['Kennung', 'Art', 'Zeitpunkt', 'Bemerkung'];

function read(text: string, options = {}): Promise<CsvTable> {
  return readCsv(new TextEncoder().encode(text), options);
}

describe('the form of a CSV file is found', () => {
  it('with headings, commas and line feeds', async () => {
    const text = `${headings}\n${lines.join('\n')}\n`;
    expect(await read(text)).toEqual({
      delimiter: ',',
      lineEnd: '\n',
      endsLastLine: true,
      quoting: 'where needed',
      rows: [first, second],
      columns: 4,
      headings,
      headingLines: 1,
      titleLines: [],
      footerLines: [],
      separatorLine: false,
      bom: false,
      encoding: 'utf-8',
      bytes: 133,
      problems: [],
    });
  });

  it.each([
    ['alone in a line', (title: string) => title],
    ['beside empty cells', (title: string) => `${title},,,`],
  ])('with a line above the events of each day, %s', async (_, line) => {
    const days = ['1er mai 2024', '12 janv. 2024', '3 févr. 2024'].map(line);
    const text = [headings, days[0], lines[0], days[1], lines[1], days[2], lines[0]].join('\n');
    const table = await read(text);
    expect(table).toMatchObject({ headings, rows: [first, second, first], problems: [] });
  });

  it('without taking the second half of an event for such a line', async () => {
    const halves = ['8f3c2a10', '77aa01be'].map((id) => `${id},assessment,2024-03-01,half`);
    const text = [headings, halves[0], 'of 1', halves[1], 'of 2', ...lines].join('\n');
    expect((await read(text)).problems).toHaveLength(2);
  });

  it('without taking a first event that is cut for such a line', async () => {
    const text = [headings, '12', '13,task,2024-03-01,whole', '14', '15,task,,whole'].join('\n');
    expect((await read(text)).problems).toHaveLength(2);
  });

  it('without headings', async () => {
    const table = await read(lines.join('\r\n'));
    expect(table.headings).toBeNull();
    expect(table.rows).toEqual([first, second]);
    expect(table.lineEnd).toBe('\r\n');
  });

  it('with semicolons and a byte order mark', async () => {
    const text = [headings, first, second].map((row) => row.join(';')).join('\r\n');
    const table = await read(`\ufeff${text}`);
    expect(table).toMatchObject({ delimiter: ';', bom: true, headings, rows: [first, second] });
  });

  it('with tabs and dates that hold more commas than there are tabs', async () => {
    const rows = [
      ['8f3c2a10', 'Mar 1, 2024, 10:00, UTC'],
      ['77aa01be', 'Mar 2, 2024, 10:00, UTC'],
    ];
    const table = await read(rows.map((row) => row.join('\t')).join('\n'));
    expect(table).toMatchObject({ delimiter: '\t', headings: null, rows });
  });

  it('with pipes, in UTF-16', async () => {
    const text = [headings, first].map((row) => row.join('|')).join('\n');
    const table = await readCsv(Buffer.from(`\ufeff${text}`, 'utf16le'));
    expect(table).toMatchObject({ delimiter: '|', bom: true, headings, rows: [first] });
  });

  it('with title lines, bare or filled up with empty cells', async () => {
    const text = `Export, 1 to 31 March,,\n"Erstellt",,,\n\n${headings}\n${lines.join('\n')}`;
    const table = await read(text);
    expect(table.titleLines).toEqual([
      ['Export', ' 1 to 31 March', '', ''],
      ['Erstellt', '', '', ''],
    ]);
    expect(table).toMatchObject({ headings, rows: [first, second] });
  });

  it('with everything in quotes', async () => {
    const text = `"Id","Comment"\n"e-1","she said ""no"", twice\r\nand left"\n"e-2",""\n`;
    const table = await read(text);
    expect(table).toMatchObject({ quoting: 'all', headings: ['Id', 'Comment'], lineEnd: '\n' });
    expect(table.rows).toEqual([
      ['e-1', 'she said "no", twice\r\nand left'],
      ['e-2', ''],
    ]);
  });

  it('with one column', async () => {
    const table = await read('Id\ne-1\ne-2\n');
    expect(table).toMatchObject({ delimiter: null, headings: ['Id'], rows: [['e-1'], ['e-2']] });
  });

  it('with metadata in one JSON cell', async () => {
    const metadata = '{"tag":"a;b;c","task_id":"t-1"}';
    const table = await read(`id;meta\n1;"${metadata.replaceAll('"', '""')}"\n`);
    expect(table).toMatchObject({ delimiter: ';', rows: [['1', metadata]] });
  });
});

describe('what programs add to a table is no event', () => {
  const event = (number: number) => [
    `8f3c2a10-0000-4000-8000-${String(number).padStart(12, '0')}`,
    number % 2 === 0 ? 'assessment' : 'task',
    `2024-03-0${number + 1}T10:00:00Z`,
    number % 4 === 3 ? '' : `Café ${number}`,
  ];
  const events = Array.from({ length: 8 }, (_, number) => event(number));
  const text = [headings, ...events].map((row) => row.join(';')).join('\r\n');

  it.for([
    ['a line that tells the delimiter', `sep=;\r\n${text}`, { separatorLine: true }],
    ['a footer', `${text}\r\nTotal: 8\r\n`, { footerLines: [['Total: 8']] }],
    ['a footer of the width of the table', `${text}\r\nTotal: 8;;;`, { titleLines: [] }],
    ['a long title with other line ends', `${'Title\n'.repeat(7)}${text}`, { lineEnd: '\r\n' }],
  ] as const)('%s', async ([, csv, form]) => {
    expect(await read(csv)).toMatchObject({ headings, rows: events, problems: [], ...form });
  });

  it('headings of two lines', async () => {
    const second = ['id', 'event type', 'UTC', 'free text'];
    const table = await read(`${second.join(';')}\r\n${text}`);
    expect(table).toMatchObject({ rows: events, problems: [] });
    expect(table.headings?.[0]).toBe('id Kennung');
  });

  it('empty cells at the end of the last line may be missing, others may not', async () => {
    const withEmpty = [...events.slice(4), ...events.slice(0, 4)];
    const csv = [headings, ...withEmpty].map((row) => row.join(';')).join('\n');
    expect(await read(csv.replace(/;$/, ''))).toMatchObject({ rows: withEmpty, problems: [] });
    const cut = await read(csv.replace(/;2024-03-04T[^\n]*$/, ''));
    expect(cut.rows.length).toBe(8);
    expect(cut.problems).toEqual(['Record 9 has 2 cells where the table has 4.']);
  });

  it.for([
    ['windows-1252', false, (csv: string) => Buffer.from(csv, 'latin1')],
    ['utf-16le', false, (csv: string) => Buffer.from(csv, 'utf16le')],
    ['utf-16be', false, (csv: string) => Buffer.from(csv, 'utf16le').swap16()],
    ['utf-16be', true, (csv: string) => Buffer.from(`\ufeff${csv}`, 'utf16le').swap16()],
  ] as const)('in %s, with a byte order mark: %s', async ([encoding, bom, encode]) => {
    const bytes = encode(text);
    const pieces = Readable.from(Array.from(bytes, (byte) => Buffer.of(byte)));
    const table = await readCsv(pieces);
    expect(table).toMatchObject({ encoding, bom, headings, rows: events, problems: [] });
  });
});

describe('headings and events are distinguished', () => {
  it('in an empty file and in one that holds nothing but a line break', async () => {
    const nothing = { rows: [], columns: 0, headings: null, problems: [] };
    expect(await read('')).toMatchObject({ ...nothing, bytes: 0 });
    expect(await read('\n')).toMatchObject({ ...nothing, bytes: 1 });
  });

  it('in a file of headings alone, also under a title line', async () => {
    expect(await read(`${headings}\n`)).toMatchObject({ headings, rows: { length: 0 } });
    const titled = await read(`Protokoll\n${headings}\n`);
    expect(titled).toMatchObject({ headings, rows: { length: 0 }, titleLines: [['Protokoll']] });
  });

  it('in a file of one event', async () => {
    expect(await read(`${lines[0]}\n`)).toMatchObject({ headings: null, rows: [first] });
    expect(await read(`${headings}\n${lines[0]}\n`)).toMatchObject({ headings, rows: [first] });
  });

  it('where no cell holds a digit, by values that recur', async () => {
    const rows = Array.from({ length: 24 }, (_, index) => [
      index % 2 === 0 ? 'task' : 'assessment',
      index % 3 === 0 ? 'created' : 'updated',
    ]);
    const text = rows.map((row) => row.join(',')).join('\n');
    expect(await read(text)).toMatchObject({ headings: null, rows });
    expect(await read(`Type,Subtype\n${text}`)).toMatchObject({ rows: { length: 24 } });
  });

  it('in a small file by the look of a larger one', async () => {
    const like = await read(
      lines
        .map((line) => `${line}\n`)
        .join('')
        .repeat(10),
    );
    const unusual = await read('none,task,2024-03-01T10:00:00.001Z,\n', { like });
    expect(unusual).toMatchObject({ headings: null, rows: { length: 1 } });
    const localized = await read(`${headings}\n`, { like });
    expect(localized).toMatchObject({ headings, rows: { length: 0 } });
  });
});

describe('columns that stand elsewhere than in a larger export of the service', () => {
  const text = (rows: readonly (readonly string[])[]) =>
    rows.map((row) => row.join(',')).join('\n');
  const like = () => read(text([headings, first, second]));
  const placesOfRow = (order: readonly number[]) => (row: readonly string[]) =>
    order.map((place) => row[place] ?? '');

  it('are read as they stand there, where all do, or some are left out as they are empty', async () => {
    const reversed = [headings, first, second].map(placesOfRow([3, 2, 1, 0]));
    const known = await like();
    expect(await read(text(reversed), { like: known })).toMatchObject({
      headings,
      rows: [first, second],
    });
    const without = [headings, first, second].map(placesOfRow([0, 1, 2]));
    expect(await read(text(without), { like: known })).toMatchObject({
      ...{ headings, columns: 4 },
      rows: [first, second].map((row) => row.with(3, '')),
    });
    const withMore = [
      [...headings, 'Mehr'],
      [...first, 'x'],
    ];
    expect(await read(text(withMore), { like: known })).toMatchObject({ headings, rows: [first] });
  });

  it('are read where one has a number only beside another of its name', async () => {
    const known = await read(
      text([
        [...headings, 'Tag_1', 'Tag_2'],
        [...first, 'kyc', 'eu'],
      ]),
    );
    const alone = [
      [...headings, 'Tag'],
      [...first, 'pep'],
    ];
    expect(await read(text(alone), { like: known })).toMatchObject({
      rows: [[...first, 'pep', '']],
    });
  });

  it('are left as they are, where headings do not tell', async () => {
    const known = await like();
    const others = ['Id', 'Kind', 'At', 'Remark'];
    expect(await read(text([others, first]), { like: known })).toMatchObject({ headings: others });
  });

  it('hide no footer', async () => {
    const without = text([headings, first, second].map(placesOfRow([0, 1, 2])));
    const table = await read(`${without}\nTotal: 2`, { like: await like() });
    expect(table).toMatchObject({ rows: { length: 2 }, footerLines: [['Total: 2', '', '', '']] });
  });
});

describe('a damaged file is read as far as it goes', () => {
  const quoteProblem = 'Record 2: a quote inside a quoted cell is not doubled.';

  it.for([
    ['a ragged row', 'a,b\n1,2\n3\n4,5', 'Record 3 has 1 cells where the table has 2.'],
    ['an unclosed quote', 'a,b\n1,2\n3,"4\n5,6', 'Record 3: a quote is opened and never closed.'],
    ['a bare quote', 'a,b\n1,"x "y" z"', quoteProblem],
    ['a bare quote above other records', 'a,b\n1,"x "y" z"\n2,3\n', quoteProblem],
    ['a row', 'Kennung,Art,Zeit\n1,2\n', 'Record 2 has 2 cells where the table has 3.'],
    ['a NUL', 'a,b\n1,\0\n', 'The file holds NUL characters.'],
  ])('%s', async ([, text, problem]) => {
    expect((await read(text ?? '')).problems).toEqual([problem]);
  });

  it.for([
    ['HTML', '<!doctype html>\n<title>Sign in</title>\n'],
    ['JSON', '[{"id":"e-1"}]\n'],
    ['JSON', '{"events": []}'],
    ['a PDF', '%PDF-1.7\n'],
  ])('%s', async ([kind, text = '']) => {
    const { problems } = await read(text);
    expect(problems[0]).toBe(`The file is no CSV: it begins like ${kind}.`);
  });

  it('JSON to the end of its bytes, and no further than its beginning', async () => {
    const text = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, type: 'task' })));
    const { problems, bytes, rows } = await read(text);
    expect(problems).toContain('The file is no CSV: it begins like JSON.');
    expect(problems.join()).not.toContain('The rest was not read.');
    expect({ bytes, rows: rows.length }).toEqual({ bytes: text.length, rows: 1 });
  });

  it('a line break outside quotes', async () => {
    expect((await read('a,b\r\n1,x\ny\r\n2,z\r\n')).problems).toEqual([
      'Lines end in different ways, or a line break is not quoted: “1,x” ends with LF, most lines with CR LF.',
    ]);
  });

  it('bytes that are not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('a,b\n1,Zürich 日本 '), Buffer.of(0xe3, 0x81, 0x0a)]);
    const table = await readCsv(bytes);
    expect(table.rows).toEqual([['1', 'Zürich 日本 \ufffd']]);
    expect(table.problems).toEqual(['There are bytes that are not UTF-8 after byte 0.']);
  });

  it('an event broken in two by a bare line break is neither title nor lost', async () => {
    const table = await read(
      `${lines.join('\n').replace('plain', 'pl\nain')}\n${lines.join('\n')}`,
    );
    expect(table).toMatchObject({ titleLines: [], headings: null, rows: { length: 5 } });
    expect(table.problems).toHaveLength(1);
  });

  it('lists some problems and counts the others', async () => {
    const { problems } = await read(`a,b\n${'1,2\n'.repeat(100)}${'3\n'.repeat(50)}`);
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toBe('And 30 more of the kind.');
  });
});

describe('a file is read from a stream', () => {
  it('however it is cut, also inside a character', async () => {
    const bytes = Buffer.from('Id;Été\n1;日本\n2;"a\r\nb"\n');
    const table = await readCsv(Readable.from(Array.from(bytes, (byte) => Buffer.of(byte))));
    expect(table).toMatchObject({ headings: ['Id', 'Été'], problems: [] });
    expect(table.rows).toEqual([
      ['1', '日本'],
      ['2', 'a\r\nb'],
    ]);
  });

  it('to its end where it holds as many events as are to be read, and no further where it holds more', async () => {
    const text = Array.from({ length: 2000 }, (_, index) => `${index},x\n`).join('');
    const table = await readCsv(Buffer.from(text), { max: 2000 });
    expect(table).toMatchObject({ rows: { length: 2000 } });
    expect(table.rows.slice(0, 2)).toEqual([
      ['0', 'x'],
      ['1', 'x'],
    ]);
    await expect(readCsv(Buffer.from(text), { max: 1999 })).rejects.toThrow(TooManyEvents);
  });

  it.for([499, 500, 501, 2000])(
    'with title, headings and footer around %i events',
    async (count) => {
      const rows = Array.from({ length: count }, (_, index) => [`${index + 1000}`, 'x', '']);
      const text = [['Title'], ['Id', 'Type', 'Text'], ...rows, ['Total']].map((row) =>
        row.join(','),
      );
      expect(await read(text.join('\n'))).toMatchObject({
        ...{
          titleLines: [['Title']],
          headings: ['Id', 'Type', 'Text'],
          headingLines: 1,
          columns: 3,
        },
        ...{ rows, footerLines: [['Total']], problems: [] },
      });
    },
  );

  it('until a quote has been open for too long', async () => {
    async function* endless() {
      yield Buffer.from('a,b\n1,2\n3,"');
      for (;;) yield Buffer.alloc(2 ** 18, 'x');
    }
    const table = await readCsv(endless());
    expect(table.rows).toEqual([['1', '2']]);
    expect(table.problems[0]).toMatch('Record 3 is longer than 1048576 characters');
  });

  it('asking for no more than is parsed', async () => {
    let asked = 0;
    async function* endless() {
      for (;;) {
        asked += 1;
        yield Buffer.from('1,2\n'.repeat(65_536));
      }
    }
    await expect(readCsv(endless(), { max: 100_000 })).rejects.toThrow(TooManyEvents);
    expect(asked).toBeLessThan(20);
  });

  it('until the source breaks', async () => {
    async function* failing() {
      yield Buffer.from('a,b\n1,2\n');
      throw new Error('timed out');
    }
    await expect(readCsv(failing())).rejects.toThrow('timed out');

    const dying = new Readable({ read: () => undefined });
    dying.push('a,b\n');
    setImmediate(() => dying.destroy());
    await expect(readCsv(dying)).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
  });
});

it('doubled quotes and line ends may be cut by the pieces in which a file comes', async () => {
  // Half a megabyte: every piece ends within a record, most of them among quotes.
  const rows = Array.from(
    { length: 30_000 },
    (_, index) => `${index},"""${'""'.repeat(index % 7)}"`,
  );
  const bytes = Buffer.from(`Id,Comment\r\n${rows.join('\r\n')}\r\n`);
  for (const size of [1009, 65_537]) {
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    }
    const table = await readCsv(pieces());
    expect(table).toMatchObject({ rows: { length: 30_000 }, endsLastLine: true, problems: [] });
    expect(table.rows.every(([id, cell]) => cell?.length === 1 + (Number(id) % 7))).toBe(true);
  }
});

it('quotes and line ends may be cut anywhere', async () => {
  const last = 'x,"a ""b"""\r\n';
  // The first piece of a file ends here.
  const pieceLength = 2 ** 18;
  for (let cut = 0; cut <= last.length; cut += 1) {
    const long = `1,${'a'.repeat(pieceLength - cut - 'Id,Comment\r\n1,\r\n'.length)}\r\n`;
    const table = await read(`Id,Comment\r\n${long}${last}2,b\r\n`);
    expect(table).toMatchObject({ rows: { length: 3 }, problems: [] });
    expect(table.rows.slice(1)).toEqual([
      ['x', 'a "b"'],
      ['2', 'b'],
    ]);
  }
});

it('long runs of blank lines and of quotes are read as what they are', async () => {
  const long = '""'.repeat(300_000);
  const table = await read(`a,b${'\n'.repeat(400_000)}1,"${long}"\n${' '.repeat(300_000)}`);
  expect(table).toMatchObject({ headings: ['a', 'b'], rows: { length: 1 }, problems: [] });
  expect(table.rows[0]?.[1]).toHaveLength(300_000);
});

describe('a line end after the last record', () => {
  it.for([
    ['a,b\n1,2\n', true],
    ['a,b\r1,2\r', true],
    ['a,b\r\n1,2\r\n', true],
    ['a,b\r\n1,2', false],
    ['a,b\n1,', false],
    ['', false],
  ] as const)('of %j is there: %s', async ([text, endsLastLine]) => {
    expect(await read(text)).toMatchObject({ endsLastLine });
  });
});

describe('a title that another program wrote', () => {
  const table = ['Id;Comment', ...['1;a', '2;b', '3;c', '4;d', '5;e', '6;f', '7;g', '8;h']];

  it.for([
    ['\r\n', '\n'],
    ['\n', '\r\n'],
    ['\r', '\n'],
  ] as const)('ends its lines with %j above a table with %j', async ([end, lineEnd]) => {
    const title = `"Export; all";1;2${end}Second${end}`;
    const text = `${title}${table.join(lineEnd)}${lineEnd}`;
    const titleLines = [['Export; all', '1', '2'], ['Second']];
    const headings = ['Id', 'Comment'];
    expect(await read(text)).toMatchObject({
      titleLines,
      headings,
      rows: { length: 8 },
      problems: [],
    });
    const ragged = await read(`${title}${table.with(3, '3;c;d').join(lineEnd)}`);
    expect(ragged.problems).toEqual(['Record 6 has 3 cells where the table has 2.']);
  });

  it('is divided as the table is', async () => {
    const text = `Export, all, of March\r\n${table.join('\n')}\n`;
    expect(await read(text)).toMatchObject({
      titleLines: [['Export, all, of March']],
      rows: { length: 8 },
    });
  });

  it('may be an event that is broken in two', async () => {
    const text = `1;2024\r\n3;x\r\n${Array(9).fill('1;2024;y').join('\n')}\n`;
    const { problems } = await read(text);
    expect(problems).toEqual(
      [1, 2].map((number) => `Record ${number} has 2 cells where the table has 3.`),
    );
  });
});

describe('records below the events', () => {
  const ids = Array.from(
    { length: 12 },
    (_, at) => `8f3c2a10-0000-4000-8000-${String(at).padStart(12, '0')}`,
  );
  const kinds = ['task', 'assessment', 'screening'];
  const events = ids.map((id, at) => [
    ...[id, kinds[at % 3] ?? '', `2024-03-01T10:00:${10 + at}Z`],
    at % 2 === 0 ? `comment no ${at}` : '',
    at === 5 ? '' : `user${at} (é)`,
  ]);
  const heads = ['Kennung', 'Art', 'Zeitpunkt', 'Bemerkung', 'Person'];
  const text = [heads, ...events].map((row) => row.join(';')).join('\n');
  const withLast = (last: string) => read(`${text}\n${last}\n`);

  it.for([
    ['of other forms', 'Total;12'],
    ['of one cell', 'End of file'],
    ['of the width of the table', 'Total: 12 events;;;;'],
    ['with more cells than the table', 'a;b;c;d;e;f'],
    ['with digits where ids are', '12345;x'],
    ['with what begins as an id does not', 'x8f3c2a10-0000'],
    ['with what goes on as an id does not', '8f3c2a10-0000 events'],
    ['with a value that no event has', ';unknown'],
    ['with letters where others have digits too', ';;;;note (x);'],
    ['with digits where others have letters too', ';;;;77 ();'],
    ['with a comment, of which there are few', ';;;comment'],
    ['with a value that recurs, and a word where ids are', 'Subtotal;task'],
  ] as const)('%s are no events', async ([, last]) => {
    const table = await withLast(last);
    expect(table).toMatchObject({
      rows: { length: 12 },
      footerLines: [last.split(';')],
      problems: [],
    });
  });

  it('are not divided from events by headings that come again', async () => {
    const table = await read(`${text}\n${text}\n`);
    expect(table).toMatchObject({ rows: { length: 24 }, problems: [], footerLines: [] });
    expect(table.rows).not.toContainEqual(table.headings);
  });

  it.for([
    ['begin with an id', '8f3c2a10-0000-4000-8000-000000000077;task'],
    ['begin with a part of an id', '8f3c2a10-0'],
    ['hold a value that recurs', ';task'],
    ['hold a date', ';;2024-03-01T10:00:59Z;;;'],
    ['hold what looks like the others', ';;;;user123 (öäü);;'],
  ] as const)('are damaged events where they %s', async ([, last]) => {
    const cells = last.split(';').length;
    const table = await withLast(last);
    expect(table).toMatchObject({ rows: { length: 13 }, footerLines: [] });
    expect(table.problems).toEqual([`Record 14 has ${cells} cells where the table has 5.`]);
  });

  it('are whole events where the cells that they lack may be empty', async () => {
    const last = `${ids[0]};task;2024-03-01T10:00:59Z`;
    for (const line of [last, `${last};`, ';;2024-03-01T10:00:59Z', `${ids[0]};;;;`]) {
      const table = await withLast(line);
      expect(table).toMatchObject({ rows: { length: 13 }, problems: [], footerLines: [] });
      expect(table.rows.at(-1)).toEqual(`${line};;`.split(';').slice(0, 5));
    }
    // Nothing is known of a kind that is empty.
    const short = await withLast(`${ids[0]}`);
    expect(short.problems).toEqual(['Record 14 has 1 cells where the table has 5.']);
  });

  it('are whole events where they begin with a date in another timezone than the known ones', async () => {
    const lineOf = (time: string) => `"Fri, 20 Nov 2026 ${time}",${ids[0]},task`;
    const of = (lines: readonly string[]) => `time,id,type,comment\n${lines.join('\n')}\n`;
    const like = await read(of(Array.from({ length: 12 }, () => `${lineOf('14:05:33 +0000')},`)));
    const one = await read(of([lineOf('09:05:33 -0500')]), { like });
    expect(one).toMatchObject({ rows: { length: 1 }, problems: [], footerLines: [] });
  });

  it('are a footer of ten lines at most; what stands between events is one of them', async () => {
    const footer = (count: number) => Array<string>(count).fill('note').join('\n');
    expect(await withLast(footer(10))).toMatchObject({ rows: { length: 12 }, problems: [] });
    const long = await withLast(footer(11));
    expect(long).toMatchObject({ rows: { length: 23 }, footerLines: [] });
    expect(long.problems).toHaveLength(11);
    const between = await withLast(`note\n${text.split('\n').at(1)}`);
    expect(between.problems).toEqual(['Record 14 has 1 cells where the table has 5.']);
    const padded = await withLast(`note;;;;\n${text.split('\n').at(1)}`);
    expect(padded).toMatchObject({ rows: { length: 14 }, problems: [], footerLines: [] });
  });

  it('are told by columns that are filled in half of the events', async () => {
    const isEvent = async (refs: readonly string[], last: string) => {
      const lines = ['Art;Art;Ref', ...refs.map((ref) => `w;w;${ref}`), last];
      return (await read(lines.join('\n'))).rows.length === refs.length + 1;
    };
    const repeated = (...refs: readonly string[]) => Array<readonly string[]>(4).fill(refs).flat();
    expect(await isEvent(repeated('ref 7', '', ''), ';;ref 9;')).toBe(false);
    expect(await isEvent(repeated('ref 7', ''), ';;ref 9;')).toBe(true);
    expect(await isEvent(['ref 7', 'ref 8', '', ''], ';;ref 9;')).toBe(true);
    expect(await isEvent(['ref 7', ''], ';;ref 9;')).toBe(false);
    // By a value that recurs, also where the others are ids.
    expect(await isEvent(repeated(ids[0] ?? '', ids[1] ?? '', 'system'), ';;system;')).toBe(true);
    // By their forms, of which there are three at the most, in some with digits.
    const forms = repeated('ref 7', 'none', '(4)');
    expect(await isEvent(forms, ';;(9);')).toBe(true);
    expect(await isEvent(forms, ';;some;')).toBe(true);
    const more = repeated('ref 7', 'none', '(4)', '#5').map((ref, at) => `${ref}${at}`);
    expect(await isEvent(more, ';;(9)9;')).toBe(false);
    expect(await isEvent(repeated('user7', 'admin8'), ';;guest9;')).toBe(true);
    // Not by a word that one event has.
    const names = [...'abcdefghijkl'].map((letter) => letter.repeat(3));
    expect(await isEvent(names, ';;aaa;')).toBe(false);
  });

  it('in a small file are told by the look of a larger one', async () => {
    const like = await read(text);
    const begin = `${heads.join(';')}\n${events[1]?.join(';')}\n`;
    expect(await read(`${begin}Total: 1`, { like })).toMatchObject({
      rows: { length: 1 },
      problems: [],
    });
    expect(await read(`${begin}8f3c2a10-0`, { like })).toMatchObject({ rows: { length: 2 } });
    expect(await read(`${begin}8f3c2a10-0`)).toMatchObject({ rows: { length: 1 } });
  });

  it('are no blank lines', async () => {
    expect(await read(`${text}\n\n  \n\t\n`)).toMatchObject({
      rows: { length: 12 },
      footerLines: [],
    });
    expect(await read('Id\ne-1\n \ne-2\n')).toMatchObject({ rows: { length: 2 }, problems: [] });
  });
});
