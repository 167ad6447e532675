import fc from 'fast-check';
import '../fuzz-seed.fixture.ts';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { readCsv } from './read-csv.ts';

// Whatever cells hold, in every form that a writer may choose. A failure prints the seed that repeats it.

const cells = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    '',
    ' ',
    '"',
    '""',
    'a,b',
    'a;b',
    'two\nlines',
    'two\r\nlines',
    '\ttab',
    '=1+1',
    'Zürich',
    '会議',
    'مرحبا',
  ),
);
const forms = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  newline: fc.constantFrom('\n', '\r\n'),
  isBomWritten: fc.boolean(),
});
/** An id in front, as every row of an export has one: a table of empty cells has no form that could be found. */
const tables = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 3, max: 12 }))
  .chain(([columns, rows]) =>
    fc.array(fc.tuple(fc.uuid(), fc.array(cells, { minLength: columns, maxLength: columns })), {
      minLength: rows,
      maxLength: rows,
    }),
  )
  .map((rows) => rows.map(([id, more]) => [id, ...more]));

test('what was written as CSV is read as it was, however the bytes arrive', async () => {
  await fc.assert(
    fc.asyncProperty(tables, forms, fc.integer({ min: 1, max: 64 }), async (rows, form, size) => {
      const { delimiter, newline, isBomWritten } = form;
      const headings = ['id', ...(rows[0]?.slice(1).map((_, index) => `column ${index}`) ?? [])];
      const text = Papa.unparse([headings, ...rows], { delimiter, newline, quotes: true });
      const bytes = new TextEncoder().encode(`${isBomWritten ? '\ufeff' : ''}${text}${newline}`);
      const pieces = async function* (): AsyncGenerator<Uint8Array> {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      };
      const table = await readCsv(pieces());
      expect({ headings: table.headings, rows: table.rows, problems: table.problems }).toEqual({
        headings,
        rows,
        problems: [],
      });
      expect(table).toMatchObject({ delimiter, bom: isBomWritten });
    }),
    { numRuns: 200 },
  );
});

test('no file whatever is more than a table with problems', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
      const table = await readCsv(bytes);
      const isRagged = table.rows.some(({ length }) => length !== table.columns);
      expect(isRagged && table.problems.length === 0).toBe(false);
      expect(table.bytes).toBe(bytes.length);
    }),
    { numRuns: 300 },
  );
});
