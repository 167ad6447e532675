import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Row } from '../csv/csv-form.ts';
import { readCsv } from '../csv/read-csv.ts';
import { matchEvents } from './match-events.ts';
import { readPdf } from './read-pdf.ts';

// PDFs of the same 130 events as other libraries make them: see fixtures/make-fixtures.sh.
const { rows } = await readCsv(await fixture('events.csv'));

const [timeColumn, userColumn, userIdColumn, entityColumn, idColumn] = [0, 4, 5, 6, 9];

function fixture(name: string): Promise<Uint8Array> {
  return readFile(new URL(`fixtures/${name}`, import.meta.url));
}

const readings = new Map<string, ReturnType<typeof readPdf>>();

/** What is read of a file, once for all tests. */
function reading(name: string): ReturnType<typeof readPdf> {
  const known = readings.get(name) ?? fixture(`${name}.pdf`).then((bytes) => readPdf(bytes));
  readings.set(name, known);
  return known;
}

function without(...indexes: readonly number[]): readonly Row[] {
  return rows.filter((_, index) => !indexes.includes(index));
}

/** An event that never was and could have been: another event of somebody else, some minutes later. */
function neverPrinted(index: number): Row {
  const [row = [], other = []] = [rows[index], rows[(index + 37) % rows.length]];
  const id = row[idColumn]?.replace(
    /[\da-f]/g,
    (digit) => '123456789abcdef0'[parseInt(digit, 16)] ?? '',
  );
  const cells = new Map([
    [timeColumn, new Date(Date.parse(row[timeColumn] ?? '') + 427_021).toISOString()],
    [userColumn, other[userColumn]],
    [userIdColumn, other[userIdColumn]],
    [entityColumn, other[entityColumn]],
    [idColumn, id],
  ]);
  return row.map((cell, column) => cells.get(column) ?? cell);
}

const agreed = { missing: [], doubtful: [], surplus: 0 };
const some = [0, 13, 42, 77, 101, 129];

const readable = [
  'chromium-cards',
  'chromium-table',
  'itext-table',
  'libreoffice-paragraphs',
  'libreoffice-sheet',
  'pdfmake-cards',
  'pdfmake-table',
  'reportlab-column-by-column',
  'reportlab-table',
  'weasyprint-paragraphs',
  'wkhtmltopdf-table',
];

describe.for(readable)('%s', (name) => {
  it('holds the events of its CSV, in whatever order', async () => {
    const pdf = await reading(name);
    expect(matchEvents(rows, pdf)).toMatchObject(agreed);
    expect(matchEvents(rows.toReversed(), pdf)).toMatchObject(agreed);
    const [first, second, third, ...others] = pdf.pages;
    const pages = [first, third, second, ...others].flatMap((page) => page ?? []);
    expect(matchEvents(rows, { pages })).toMatchObject(agreed);
  });

  it('lacks an event that only the CSV has, and no other', async () => {
    const pdf = await reading(name);
    for (const index of some) {
      const more = rows.toSpliced(index, 0, neverPrinted(index));
      expect(matchEvents(more, pdf)).toMatchObject({ ...agreed, missing: [index] });
    }
  });
});

// Of a sheet, each page holds a few columns of all events: no event is whole anywhere.
const whole = readable.filter((name) => name !== 'libreoffice-sheet');

describe.for(whole)('%s', (name) => {
  it('holds an event that the query excludes', async () => {
    const pdf = await reading(name);
    for (const index of [13, 77, 101]) {
      const match = matchEvents(without(index), pdf, [rows[index] ?? []]);
      expect(match).toMatchObject({ ...agreed, surplus: 1, excluded: [0] });
    }
  });

  it('holds the events of the whole window instead of those that a filter selects', async () => {
    const match = matchEvents(rows.slice(0, 60), await reading(name), rows.slice(60));
    expect(match.missing).toEqual([]);
    expect(match.surplus).toBeGreaterThanOrEqual(68);
  });

  it('holds the events of a page that is there twice, twice', async () => {
    const { pages } = await reading(name);
    const [first, second, ...others] = pages;
    const twice = [first, second, second, ...others].flatMap((page) => page ?? []);
    const match = matchEvents(rows, { pages: twice });
    expect(match).toMatchObject({ missing: [], doubtful: [] });
    expect(match.surplus).toBeGreaterThanOrEqual(10);
  });

  it('lacks the events of a page that is lost', async () => {
    const { pages } = await reading(name);
    const match = matchEvents(rows, { pages: pages.filter((_, index) => index !== 2) });
    expect(match.missing.length).toBeGreaterThanOrEqual(10);
    expect(match.doubtful.length).toBeLessThanOrEqual(2);
    expect(match.surplus).toBe(0);
  });

  it('lacks an event in the place of which its neighbour is there once more', async () => {
    const { pages } = await reading(name);
    // The same events, of which the CSV has one that is not printed, and lacks one that is.
    const replaced = rows.with(50, neverPrinted(50));
    const match = matchEvents(replaced, { pages }, rows.slice(50, 51));
    expect(match).toMatchObject({ missing: [50], surplus: 1 });
  });
});

describe.for(['without-meaning', 'pictures'])('%s', (name) => {
  it('shows nothing of its events', async () => {
    const all = [...rows.keys()];
    const match = matchEvents(rows, await reading(name));
    expect(match).toEqual({
      ...agreed,
      doubtful: all,
      repeated: [],
      excluded: [],
      columns: [],
      cut: [],
    });
  });
});
