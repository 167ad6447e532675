import Papa from 'papaparse';
import { allColumns } from '../../reference/export/columns.ts';
import type { Handle } from '../../reference/reference.ts';
import { exportRules, quoted } from '../../reference/rules/export.ts';
import { type Variant, variant } from './variant.ts';

/** Changes the text of every CSV that is exported, or how it is written as bytes, by what was asked for. */
type Change = (text: string, target: string) => string | Uint8Array;

const rewriting =
  (change: Change) =>
  (handle: Handle): Handle =>
  async (request) => {
    const response = await handle(request);
    const type = response.headers['content-type'] ?? '';
    if (response.status !== 200 || !type.startsWith('text/csv')) return response;
    const { body } = response;
    const pieces: Uint8Array[] = [];
    if (typeof body === 'string' || body instanceof Uint8Array) pieces.push(Buffer.from(body));
    else for await (const piece of body) pieces.push(piece);
    const { 'content-length': _, ...headers } = response.headers;
    return {
      ...response,
      headers,
      body: change(Buffer.concat(pieces).toString('utf8'), request.target),
    };
  };

const written = (id: string, change: Change, details: Partial<Omit<Variant, 'id'>> = {}): Variant =>
  variant(`export-csv-${id}`, { opens: 'export.csv-form', ...details }, rewriting(change));

const utf16 = (text: string) => Buffer.from(text, 'utf16le');

/** The characters of windows-1252 beyond ASCII, by the byte that stands for each. */
const beyondAscii = new Map(
  Array.from({ length: 128 }, (_, index) => [
    new TextDecoder('windows-1252').decode(Buffer.of(128 + index)),
    128 + index,
  ]),
);

/** Other scripts cannot be written: a question mark stands for each of their characters. */
const windows1252 = (text: string) =>
  Buffer.from(
    text.replace(/[\u0080-\uffff]/g, (character) =>
      String.fromCharCode(beyondAscii.get(character) ?? 63),
    ),
    'latin1',
  );

/** Cells that a spreadsheet would take for formulas, with a character before them. */
const guarded = (guard: string) => (delimiter: string) => {
  const plain = exportRules.csvCell(delimiter);
  return (text: string) => (/^[=+\-@\t\r]/.test(text) ? plain(guard + text) : plain(text));
};

const guarding = (id: string, guard: string): Variant =>
  variant(`export-csv-guards-formulas-with-${id}`, 'export.csv-form', { csvCell: guarded(guard) });

/** The same table with other cells, as another program writes it. */
const rewritten = (
  text: string,
  change: (table: readonly string[][]) => readonly string[][],
  delimiter = ',',
) =>
  `${Papa.unparse(change(Papa.parse<string[]>(text.trimEnd()).data) as string[][], { delimiter })}\r\n`;

const { csvColumns, csvHeadings, csvTitle } = exportRules;
/** What programs take for granted that change a table by its headings in the first line: no other variant changes it. */
const usualHead = { csvHeadings, csvTitle };

const retabled = (
  id: string,
  change: (table: readonly string[][]) => readonly string[][],
  details: Partial<Omit<Variant, 'id'>> = {},
): Variant => written(id, (text) => rewritten(text, change), { rules: usualHead, ...details });

/** A table without the columns in which no row below its headings has anything. */
function withoutEmptyColumns(table: readonly string[][]): readonly string[][] {
  const [headings = [], ...rows] = table;
  const isFilled = headings.map((_, column) => rows.some((row) => row[column]));
  return rows.length === 0
    ? table
    : table.map((row) => row.filter((_, column) => isFilled[column]));
}

/** A table with headings on each page, a line above the events of each day, and lines below it that count some of them. */
function onPages([headings = [], ...rows]: readonly string[][]): readonly string[][] {
  const days = rows.map((row) => row.join(' ').match(/\b\d{4}-\d\d-\d\d\b/)?.[0] ?? '0000-00-00');
  const pages = rows.flatMap((row, at) => [
    ...(at > 0 && at % 200 === 0 ? [headings] : []),
    ...(days[at] === days[at - 1] ? [] : [[`--- ${days[at]} ---`]]),
    row,
  ]);
  const totals = ['assessment', 'task'].map((type) => ['subtotal', '', type, '12']);
  return [headings, ...pages, ...totals];
}

/** How many columns come before those of metadata. */
const columnsOfEvents = allColumns.filter(({ part }) => part !== 'metadata').length;

/** A table with a row for each metadata key of an event; one for an event without metadata. */
function withRowsOfDetails([headings = [], ...rows]: readonly string[][]): readonly string[][] {
  const keys = headings.slice(columnsOfEvents);
  const ofEvents = rows.flatMap((row) => {
    const [event, values] = [row.slice(0, columnsOfEvents), row.slice(columnsOfEvents)];
    const details = values.flatMap((value, at) => (value ? [[keys[at] ?? '', value]] : []));
    return (details.length === 0 ? [['', '']] : details).map((detail) => [...event, ...detail]);
  });
  return [[...headings.slice(0, columnsOfEvents), 'Detail', 'Value'], ...ofEvents];
}

/** Values that no column of their own shows are not looked for there. */
const hiddenInDetails: Variant['hides'] = [
  'export.filters-by-metadata-screening-application-id',
  'export.filters-by-metadata-match-id',
  'export.filters-by-metadata-inquiry-id',
  'export.filters-by-metadata-cache-id',
  'export.filters-by-metadata-workflow-step',
];

const ofTheWindow = { unseen: 'The form is that of the whole window, in no other locale.' };

const longTitle = Array.from({ length: 7 }, (_, line) => `Audit events, page header ${line + 1}`);

/** CSV files as spreadsheets and reporting programs write them (4. Export audit events). */
export const csvProgramVariants: readonly Variant[] = [
  written('is-in-windows-1252', windows1252, {
    follows: ['comment.normalization', 'export.pdf-form'],
  }),
  written('is-in-utf-16', (text) => utf16(`\ufeff${text}`)),
  written('is-in-utf-16-without-a-byte-order-mark', utf16),
  written('is-in-utf-16-with-the-high-byte-first', (text) => utf16(`\ufeff${text}`).swap16()),
  written('tells-its-delimiter-in-a-line-of-its-own', (text) => `sep=;\r\n${text}`, {
    rules: { csvDelimiter: () => ';' },
  }),
  written(
    'has-a-title-that-another-program-wrote',
    (text) => `${longTitle.map((line) => `${line}\n`).join('')}${text}`,
    { rules: { csvCell: () => quoted } },
  ),
  written('has-a-footer', (text) => {
    const lines = text.split('\r\n').length - 2;
    return `${text}\r\nTotal: ${lines} or so\r\nGenerated by the audit service\r\n`;
  }),
  written('says-above-what-was-asked-for-and-below-how-many-there-are', (text, target) => {
    const asked = [...new URL(target, 'http://region.test').searchParams]
      .map(([name, value]) => `Filter ${name},${quoted(value)}\r\n`)
      .join('');
    return `Audit events\r\n${asked}\r\n${text}\r\nTotal,${text.split('\r\n').length - 2}\r\n`;
  }),
  retabled('has-headings-on-each-page-lines-above-days-and-subtotals', onPages),
  retabled('has-a-row-for-each-detail', withRowsOfDetails, {
    rules: { ...usualHead, csvColumns },
    opens: 'export.csv-columns',
    follows: ['export.case-of-filter-values', 'audit.event-fields'],
    hides: hiddenInDetails,
  }),
  retabled('leaves-out-empty-columns', withoutEmptyColumns, ofTheWindow),
  written(
    'has-semicolons-in-german',
    (text, target) =>
      target.includes('locale=de') ? rewritten(text, (table) => table, ';') : text,
    ofTheWindow,
  ),
  written('does-not-write-the-empty-cells-of-its-last-line', (text) =>
    text.replace(/,+(\r\n)?$/, ''),
  ),
  variant('export-csv-has-headings-in-two-lines', 'export.csv-columns', {
    csvTitle: () => [
      allColumns.map(({ part }) => `${part.slice(0, 1).toUpperCase()}${part.slice(1)}`),
    ],
  }),
  ...['N/A', 'keine Angabe'].map((none, index) =>
    variant(
      `export-csv-writes-${index === 0 ? 'n-a' : 'words'}-in-empty-cells`,
      {
        opens: 'export.csv-form',
        unseen: 'What stands in cells without a value is read as none.',
        // Where a PDF leaves such cells empty, it leaves out what the CSV shows.
        follows: ['export.pdf-form'],
      },
      {
        csvCell: (delimiter) => {
          const plain = exportRules.csvCell(delimiter);
          return (text) => plain(text || none);
        },
      },
    ),
  ),
  guarding('an-apostrophe', "'"),
  guarding('a-tab', '\t'),
];
