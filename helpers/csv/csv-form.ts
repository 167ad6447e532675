/*
 * The form of a CSV, of which nothing is known before it is read (4. Export audit events). The beginning of the text
 * shows delimiter, line ends and quotes, and whether it is a CSV; the first records show titles, headings and events.
 */

import { countsOf } from '../maps.ts';

/** The cells of one record, as text. */
export type Row = readonly string[];

export type Delimiter = ',' | ';' | '\t' | '|';

/** How a CSV file is written; the document shows none of it (4. Export audit events). */
export interface CsvForm {
  /** Null where the table has one column. */
  readonly delimiter: Delimiter | null;
  readonly lineEnd: (typeof lineEnds)[number];
  /** `all`: every cell that is not empty is quoted. */
  readonly quoting: 'all' | 'where needed';
  /** Whether the first line is `sep=;`, which tells a spreadsheet the delimiter. */
  readonly separatorLine: boolean;
}

const delimiters = ['\t', '|', ';', ','] as const satisfies readonly Delimiter[];

/**
 * Finds out how a CSV file is written, from its beginning. The delimiter is the character that divides most records
 * into as many cells: title lines, and cells full of commas, do not mislead.
 * @param usual the delimiter of another export of the same service, preferred where it occurs
 * @returns the form; `text`: the beginning without a line `sep=;`, with all line ends as those of the table;
 *   `problems`: what is wrong with the file as far as its beginning shows, as sentences for people
 */
export function sniffStart(text: string, usual: Delimiter | null = null) {
  const [line = '', told] = separatorLine.exec(text) ?? [];
  const beginning = text.slice(line.length);
  const lines = linesOf(beginning);
  const tableLines = lines.slice(titleInOtherLineEnds(lines));
  const records = tableLines.map(({ skeleton }) => skeleton).filter((record) => record !== '');
  // The pattern matches no other character.
  const delimiter = (told as Delimiter | undefined) ?? delimiterOf(records, usual);
  const lineEnd = lineEndOf(tableLines);
  const title = beginning.slice(0, tableLines[0]?.start);
  const form: CsvForm = {
    delimiter,
    lineEnd,
    quoting: areAllQuoted(records, delimiter) ? 'all' : 'where needed',
    separatorLine: told !== undefined,
  };
  return {
    form,
    text: title.replace(/\r\n|\n|\r/g, lineEnd) + beginning.slice(title.length),
    problems: sniffProblems(beginning, tableLines),
  };
}

const separatorLine = /^"?sep=([,;\t|])"?(?:\r\n|\n|\r)/i;

/** A record and its position in the text. */
interface Line {
  /** Its text with one quote for each quoted part (`1,"a,b"` as `1,"`): the delimiters that are left divide cells. */
  readonly skeleton: string;
  /** Offset in the text, in characters. */
  readonly start: number;
  /** Empty for a last record without a line end. */
  readonly end: CsvForm['lineEnd'] | '';
}

/** What is quoted, up to the end of the text where a quote is open. A doubled quote closes one part and opens another. */
const quoted = /"[^"]*(?:"|$)/g;
/** A record and its line end: each character is of either, so that no text is searched twice. */
const record = new RegExp(`((?:[^"\\r\\n]+|${quoted.source})*)(\\r\\n|\\n|\\r|$)`, 'g');

/** Divides a text into records, at line breaks that are not quoted. */
function linesOf(text: string): Line[] {
  return [...text.matchAll(record)].flatMap(({ index, 0: all, 1: cells = '', 2: end }) =>
    all === ''
      ? []
      : [{ skeleton: cells.replace(quoted, '"'), start: index, end: end as Line['end'] }],
  );
}

/** The line ends that are certain: a CR at the very end is left out, as its LF may be in the next piece. */
function endsOf(lines: readonly Line[]): CsvForm['lineEnd'][] {
  return lines.flatMap(({ end }, index) =>
    end === '' || (end === '\r' && index === lines.length - 1) ? [] : [end],
  );
}

/** More lines than these are not taken for a title. */
const maxTitleLines = 20;

/** How many lines at the beginning another program wrote, as a title: they end in one way, more lines in another. */
function titleInOtherLineEnds(lines: readonly Line[]): number {
  const ends = endsOf(lines);
  const change = ends.findIndex((end) => end !== ends[0]);
  const isClean = change > 0 && ends.slice(change).every((end) => end === ends[change]);
  return isClean && change <= maxTitleLines && ends.length > 2 * change ? change : 0;
}

/** Sentences about a file that is no CSV, or whose lines end in different ways; an empty list where all is well. */
function sniffProblems(text: string, table: readonly Line[]): string[] {
  const type = nonCsvType(text);
  if (type !== undefined) return [`The file is no CSV: it begins like ${type}.`];
  const ends = endsOf(table);
  const usual = lineEndOf(table);
  const other = ends.findIndex((end) => end !== usual);
  const [line, end] = [table[other], ends[other]];
  if (line === undefined || end === undefined) return [];
  return [
    `Lines end in different ways, or a line break is not quoted: “${text.slice(line.start).slice(0, maxQuoted).split(end)[0]}” ends with ${nameOf[end]}, most lines with ${nameOf[usual]}.`,
  ];
}

/** How many characters of a line with another end are quoted in a problem. */
const maxQuoted = 160;

const nameOf = { '\r\n': 'CR LF', '\n': 'LF', '\r': 'CR' } as const;

/** What a file is in place of a CSV, for people: `HTML`, `a PDF`; undefined where it may be a CSV. */
export function nonCsvType(beginning: string): string | undefined {
  return nonCsvTypes.find(([, start]) => start.test(beginning))?.[0];
}

const nonCsvTypes = [
  ['HTML', /^\s*<(?:!doctype|html|head|body)\b/i],
  ['XML', /^\s*<\?xml\b/i],
  ['JSON', /^\s*(?:\{\s*(?:"[^"\n]*"\s*:|\})|\[\s*[[{\]])/],
  ['a PDF', /^\s*%PDF-/],
] as const;

/** The delimiter with the best score; the usual one counts twice, as the locale may decide; null where none occurs. */
function delimiterOf(records: readonly string[], usual: Delimiter | null): Delimiter | null {
  const scored = delimiters.map((delimiter) => ({
    delimiter,
    score: regularity(records, delimiter) * (delimiter === usual ? 2 : 1),
  }));
  const best = scored.reduce((one, other) => (other.score > one.score ? other : one));
  return best.score > 0 ? best.delimiter : null;
}

/** The score of a delimiter: 3 in each of 10 records gives 30. Where records differ, the best such product counts. */
function regularity(records: readonly string[], delimiter: Delimiter): number {
  const recordsByTimes = countsOf(records.map((record) => timesIn(record, delimiter)));
  return Math.max(0, ...[...recordsByTimes].map(([times, count]) => times * count));
}

/** How often a delimiter ends a cell. One before a space does not count: it is punctuation of prose or of a date. */
function timesIn(record: string, delimiter: Delimiter): number {
  const [, ...behind] = record.split(delimiter);
  return behind.filter((text) => !text.startsWith(' ')).length;
}

/** Whether every cell that is not empty is quoted; a title line may lack quotes although the table has them. */
function areAllQuoted(records: readonly string[], delimiter: Delimiter | null): boolean {
  if (!records.some((record) => record.includes('"'))) return false;
  const bare = new RegExp(`[^"${delimiter ?? ''}]`);
  return records.filter((record) => bare.test(record)).length * 10 <= records.length;
}

function lineEndOf(lines: readonly Line[]): CsvForm['lineEnd'] {
  const count = (wanted: Line['end']): number => lines.filter(({ end }) => end === wanted).length;
  return lineEnds.reduce((a, b) => (count(b) > count(a) ? b : a));
}

const lineEnds = ['\n', '\r\n', '\r'] as const;

/** How many records are looked at to distinguish headings from events. */
export const sampleSize = 500;

/** The records of a file, or of its beginning, taken apart. */
export interface TableParts {
  /** Records above the headings that are not part of the table. */
  readonly titleLines: readonly Row[];
  /** Null where the table has none; headings of two lines are joined by a space. */
  readonly headings: Row | null;
  readonly headingLines: 0 | 1 | 2;
  /** The events: every other record but blank lines, in order. */
  readonly rows: readonly Row[];
  /** How many cells most rows have; 0 where there are none. */
  readonly columns: number;
}

/**
 * Distinguishes title lines, headings and events without knowing a language or a column. Headings differ from the cells
 * below them: they have no digits above ids, times and numbers, and are none of the few values that recur below.
 * @param records the first records of the file, without blank lines; a few hundred are enough
 * @param known a larger export of the same service, which decides where the records are too few to show it
 */
export function splitStart(records: readonly Row[], known?: TableParts): TableParts {
  const { titles, columns } = knownTitles(records, known) ?? foundTitles(records, known);
  const [first, ...others] = records.slice(titles);
  const start = { titleLines: records.slice(0, titles), columns };
  const none = { ...start, headings: null, headingLines: 0 } as const;
  if (first === undefined) return { ...none, rows: [] };
  if (!areHeadings(first, others, known)) return { ...none, rows: [first, ...others] };
  const [second, ...rest] = others;
  if (second === undefined || !isSecondLine(first, second, rest, known))
    return { ...start, headings: first, headingLines: 1, rows: others };
  const headings = first.map((cell, column) => `${cell} ${second[column] ?? ''}`);
  return { ...start, headings, headingLines: 2, rows: rest };
}

/** Whether headings have a second line: a complete row that is unlike the cells below, as the known table has it. */
function isSecondLine(first: Row, second: Row, below: readonly Row[], known?: TableParts): boolean {
  if (second.length !== first.length || second.includes('')) return false;
  if (known !== undefined) return known.headingLines === 2;
  return headingVotes(second, below) >= 2;
}

/** How many title lines the records show, and how many columns the table has. */
function foundTitles(records: readonly Row[], known?: TableParts) {
  const columns = usualWidth(records);
  const titles =
    titlesAboveHeadings(records, columns, known) ?? titlesAboveEvents(records, columns);
  return { titles, columns };
}

/**
 * The number of title lines by the known table: a title may tell what was asked for, in a line each. Two halves of an event are
 * none, unless headings stand below them, or known titles are as wide.
 * @returns undefined where no event is known
 */
function knownTitles(records: readonly Row[], known?: TableParts) {
  const row = known?.rows[0];
  if (known === undefined || row === undefined) return undefined;
  const { headings, titleLines } = known;
  const beginning = beginningByKnown(records, known);
  const [above, [first = [], second]] = [records.slice(0, beginning), records.slice(beginning)];
  const areTitles =
    areKnown(headings, first, second) ||
    above.every(({ length }, at) => length === (titleLines[at] ?? titleLines.at(-1))?.length);
  const titles = areHalves(above, row.length) && !areTitles ? 0 : above.length;
  const columns = (headings === null ? undefined : records[titles]?.length) ?? row.length;
  return { titles, columns };
}

/**
 * Where the table begins: at the known headings, or else at the first record that may be an event or other headings. One as
 * wide as the known events fills more than half of the cells that all of these fill; any other, as many.
 */
function beginningByKnown(records: readonly Row[], { headings, rows }: TableParts): number {
  const atHeadings = records.findIndex((row, at) => areKnown(headings, row, records[at + 1]));
  if (atHeadings >= 0) return atHeadings;
  const areFew = rows.length < enoughEvents;
  const filled = areFew ? 2 : Math.min(...rows.slice(0, sampleSize).map(filledCells));
  const width = rows[0]?.length;
  const asWide = records.findIndex((row) => row.length === width && filledCells(row) * 2 > filled);
  if (asWide >= 0) return asWide;
  // Empty columns may be left out.
  const narrower = records.findIndex((row) => filledCells(row) >= filled);
  return narrower < 0 ? records.length : narrower;
}

function filledCells(row: Row): number {
  return row.filter((cell) => cell !== '').length;
}

/** Whether the first row is the known headings, or is with the second one. */
function areKnown(headings: Row | null | undefined, first: Row, second: Row = []): boolean {
  // Asked of each record: most differ in their first cell, and are not joined.
  const isEach = (cellOf: (column: number) => string | undefined): boolean =>
    headings?.length === first.length &&
    headings.every((heading, column) => heading === cellOf(column));
  return (
    isEach((column) => first[column]) ||
    isEach((column) => `${first[column]} ${second[column] ?? ''}`)
  );
}

/** How many cells most records have. */
function usualWidth(records: readonly Row[]): number {
  const all = countsOf(records.map(({ length }) => length));
  // A few lines of one cell are what stands around the headings of a table without events.
  const times = [...all].filter(([width, count]) => width > 1 || count > maxTitleLines);
  // Of equally common widths the larger counts: the file may be only a title line above headings.
  const [width] = (times.length > 0 ? times : [...all]).reduce(
    (a, b) => ((b[1] - a[1] || b[0] - a[0]) > 0 ? b : a),
    [0, 0],
  );
  return width;
}

/** How many records there are above a complete row of headings; undefined where there is none. */
function titlesAboveHeadings(records: readonly Row[], columns: number, known?: TableParts) {
  const isComplete = (row: Row) => row.length === columns && !row.includes('');
  const at = records.findIndex(isComplete);
  const row = records[at];
  const isNear = row !== undefined && at <= maxTitleLines;
  const below = records.slice(at + 1);
  // Above the first event that is complete may stand others, each of which is like those below.
  const isTitle = (above: Row) => above.length !== columns || headingVotes(above, below) >= 0;
  const isFirst = isNear && areHeadings(row, below, known);
  return isFirst && records.slice(0, at).every(isTitle) ? at : undefined;
}

/** How many records stand above the first one that looks like an event: those of another width, or of one cell. */
function titlesAboveEvents(records: readonly Row[], columns: number): number {
  const isTitle = (row: Row) => row.length !== columns || isPaddedTitle(row);
  const titles = records.findIndex((row) => !isTitle(row));
  const isNone = titles > maxTitleLines || areHalves(records.slice(0, titles), columns);
  return isNone ? 0 : Math.max(0, titles);
}

/** Whether records are an event that unquoted line breaks divide, and no titles. */
function areHalves(records: readonly Row[], columns: number): boolean {
  return records.length > 1 && records.reduce((sum, row) => sum + row.length - 1, 1) === columns;
}

/** A title of one cell, padded with empty cells to the width of the table. */
export function isPaddedTitle(row: Row): boolean {
  // The second cell is looked at first, for speed: this is asked of every row of a file.
  return (
    row[1] === '' && row.length >= 3 && row[0] !== '' && row.slice(2).every((cell) => cell === '')
  );
}

/** A known table of so many events was not taken for one without headings by accident. */
const enoughEvents = 10;

/**
 * Whether the first row is headings: yes if it equals the known ones, in one line or two; no if it is empty, or the known
 * table has none. Otherwise the columns below it decide, or those of the known table; then whether that has headings at all;
 * then the digits.
 */
function areHeadings(first: Row, others: readonly Row[], known: TableParts | undefined): boolean {
  if (areKnown(known?.headings, first, others[0])) return true;
  if (first.every((cell) => cell === '')) return false;
  // A line alone may be the headings of an export without events.
  if (others.length > 0 && known?.headings === null && known.rows.length >= enoughEvents)
    return false;
  const vote = headingVotes(first, others) || headingVotes(first, known?.rows ?? []);
  if (vote !== 0) return vote > 0;
  if (known && known.rows.length > 0) return known.headings !== null;
  // Nothing to compare with: it is an event where a cell has four digits, as dates and ids have.
  return first.every((cell) => (cell.match(/\p{Nd}/gu) ?? []).length < 4);
}

/** How many columns suggest that the first row is headings, minus how many suggest that it is an event. */
function headingVotes(first: Row, others: readonly Row[]): number {
  const all = others.filter(({ length }) => length === first.length);
  // A report has its headings, of which none is empty, on each of its pages, among many more events.
  const apart = all.filter((row) => row.some((cell, column) => cell !== first[column]));
  const rows = !first.includes('') && apart.length * 2 > all.length ? apart : all;
  return first.reduce((sum, cell, column) => {
    const below = rows.map((row) => row[column] ?? '').filter((text) => text !== '');
    return sum + columnVote(cell, below);
  }, 0);
}

/** 1: the cell is unlike those below it, as a heading is; -1: it is like them, as an event's cell is; 0: undecided. */
function columnVote(cell: string, below: readonly string[]): -1 | 0 | 1 {
  if (cell === '' || below.length === 0) return 0;
  if (below.filter(hasDigit).length >= 0.9 * below.length) return hasDigit(cell) ? -1 : 1;
  const values = new Set(below);
  const valuesRecur = below.length >= 10 && values.size * 4 <= below.length;
  if (!valuesRecur) return 0;
  return values.has(cell) ? -1 : 1;
}

function hasDigit(text: string): boolean {
  return /\p{Nd}/u.test(text);
}
