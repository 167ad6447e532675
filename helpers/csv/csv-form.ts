/*
 * Nothing is known of a CSV before it is read (4. Export audit events). Its beginning shows its form (delimiter, line
 * ends, quotes) and whether it is a CSV at all; its first records show which of them are title lines, headings, events.
 */

/** The cells of one record, as text. */
export type Row = readonly string[];

export type Delimiter = ',' | ';' | '\t' | '|';

/** How a CSV file is written; the document shows none of it (4. Export audit events). */
export interface CsvForm {
  /** Null where the table has one column. */
  readonly delimiter: Delimiter | null;
  readonly lineEnd: '\n' | '\r\n' | '\r';
  /** `all`: every cell that is not empty is quoted. */
  readonly quoting: 'all' | 'where needed';
  /** Whether the first line is `sep=;`, which tells a spreadsheet the delimiter. */
  readonly separatorLine: boolean;
}

/** How each delimiter ends a cell: before a space, a comma is punctuation of prose or of a written date. */
const delimiters = {
  '\t': /\t(?! )/g,
  '|': /\|(?! )/g,
  ';': /;(?! )/g,
  ',': /,(?! )/g,
} as const satisfies Record<Delimiter, RegExp>;

/**
 * Finds out how a CSV file is written, from its beginning. The delimiter is the character that divides most records
 * in as many cells; title lines and cells full of commas do not mislead it.
 *
 * @param usual the delimiter of another export of the same service, preferred where it occurs
 */
export function sniffForm(text: string, usual: Delimiter | null = null): CsvForm {
  const { told, beginning } = withoutSeparatorLine(text);
  const skeleton = skeletonOf(beginning.slice(otherLineEnds(beginning)));
  const records = skeleton.split(/\r\n|\n|\r/).filter((record) => record !== '');
  const delimiter = told ?? delimiterOf(records, usual);
  const bare = records.filter((record) => record.replaceAll(delimiter ?? '"', '').match(/[^"]/));
  return {
    delimiter,
    lineEnd: lineEndOf(skeleton),
    // A title line may lack quotes although the table has them.
    quoting: skeleton.includes('"') && bare.length * 10 <= records.length ? 'all' : 'where needed',
    separatorLine: told !== undefined,
  };
}

const separatorLine = /^\ufeff?"?sep=([,;\t|])"?(?:\r\n|\n|\r)/i;

/** The file without the line `sep=;`, and the delimiter that it tells. */
export function withoutSeparatorLine(text: string): {
  readonly told: Delimiter | undefined;
  readonly beginning: string;
} {
  const [line = '', told] = separatorLine.exec(text) ?? [];
  // The pattern matches no other character.
  return { told: told as Delimiter | undefined, beginning: text.slice(line.length) };
}

/** No title has more lines. */
const maxTitleLines = 20;

/**
 * How far a title reaches that another program wrote: its lines end in one way, and all lines after it in another.
 *
 * @returns in characters; 0 where all lines end alike, or the way they end changes again
 */
export function otherLineEnds(beginning: string): number {
  const ends = [...sameLengthSkeleton(beginning).matchAll(/\r\n|\n|\r/g)];
  const [first] = ends;
  // A CR at the very end may have its LF in the next piece.
  const whole = ends.filter(({ 0: end, index }) => end !== '\r' || index + 1 < beginning.length);
  const change = whole.findIndex(([end]) => end !== first?.[0]);
  if (first === undefined || change <= 0 || change > maxTitleLines) return 0;
  const [after] = whole[change] ?? [];
  const last = whole[change - 1];
  const isClean = whole.slice(change).every(([end]) => end === after);
  return isClean && last !== undefined && whole.length > 2 * change
    ? last.index + last[0].length
    : 0;
}

/** Like the skeleton, with every character in its place. */
function sameLengthSkeleton(text: string): string {
  return text.replace(/"(?:[^"]|"")*(?:"|$)/g, ({ length }) => '"'.padEnd(length, '_'));
}

/** What is wrong with a CSV as far as its beginning shows; sentences for people. */
export function sniffProblems(text: string): string[] {
  const type = nonCsvType(text);
  const { beginning } = withoutSeparatorLine(text);
  if (type !== undefined) return [`The file is no CSV: it begins like ${type}.`];
  // A CR at the very end may have its LF in the next piece.
  const table = beginning.slice(otherLineEnds(beginning));
  const skeleton = skeletonOf(table).replace(/\r$/, '');
  const isMixed = new Set(skeleton.match(/\r\n|\n|\r/g)).size > 1;
  return isMixed ? ['Lines end in different ways, or a line break is not quoted.'] : [];
}

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

/** The text with every quoted cell shrunk to one quote: the line breaks and delimiters that are left divide cells. */
function skeletonOf(text: string): string {
  return text.replace(/"(?:[^"]|"")*(?:"|$)/g, '"');
}

function delimiterOf(records: readonly string[], usual: Delimiter | null): Delimiter | null {
  if (usual !== null && regularity(records, delimiters[usual]) > 0) return usual;
  let best: Delimiter | null = null;
  let bestScore = 0;
  for (const delimiter of ['\t', '|', ';', ','] as const) {
    const score = regularity(records, delimiters[delimiter]);
    if (score > bestScore) [best, bestScore] = [delimiter, score];
  }
  return best;
}

/** How often a delimiter occurs in a record, times the share of records in which it occurs as often; the best of these. */
function regularity(records: readonly string[], delimiter: RegExp): number {
  const recordsByCount = new Map<number, number>();
  for (const record of records) {
    const count = record.match(delimiter)?.length ?? 0;
    recordsByCount.set(count, (recordsByCount.get(count) ?? 0) + 1);
  }
  const scores = [...recordsByCount].map(([count, times]) => (count * times) / records.length);
  return Math.max(0, ...scores);
}

function lineEndOf(skeleton: string): CsvForm['lineEnd'] {
  const pairs = skeleton.split('\r\n').length - 1;
  const feeds = skeleton.split('\n').length - 1 - pairs;
  const returns = skeleton.split('\r').length - 1 - pairs;
  if (pairs > 0 && pairs >= feeds) return '\r\n';
  return returns > feeds ? '\r' : '\n';
}

/** The beginning of a file, taken apart. */
export interface TableStart {
  readonly titleLines: readonly Row[];
  readonly headings: Row | null;
  readonly headingLines: 0 | 1 | 2;
  readonly rows: readonly Row[];
  /** How many cells most rows have; 0 where there are none. */
  readonly columns: number;
}

/** What is known of another, larger export of the same service. */
export interface KnownTable {
  readonly titleLines?: readonly Row[];
  readonly headings: Row | null;
  readonly headingLines?: 0 | 1 | 2;
  readonly rows: readonly Row[];
}

/**
 * Distinguishes title lines, headings and events without knowing a language or a column. Headings differ from what is
 * below them: they have no digits where there are ids, times and numbers, and do not recur where few values do.
 *
 * @param records the first records of the file, blank lines left out; a few hundred are enough
 * @param known where so few records do not show it, they are compared with this table
 */
export function splitStart(records: readonly Row[], known?: KnownTable): TableStart {
  const { titles, columns } = knownTitles(records, known) ?? foundTitles(records, known);
  const [first, ...others] = records.slice(titles);
  const start = { titleLines: records.slice(0, titles), columns };
  const none = { ...start, headings: null, headingLines: 0 } as const;
  if (first === undefined) return { ...none, rows: [] };
  if (!areHeadings(first, others, known)) return { ...none, rows: [first, ...others] };
  const [second, ...rest] = others;
  return second !== undefined && isSecondLine(first, second, rest, known)
    ? { ...start, headings: joinedHeadings(first, second), headingLines: 2, rows: rest }
    : { ...start, headings: first, headingLines: 1, rows: others };
}

/** Whether headings have a second line: it is complete, differs from what is below it, and the known table has one. */
function isSecondLine(first: Row, second: Row, below: readonly Row[], known?: KnownTable): boolean {
  if (second.length !== first.length || second.includes('')) return false;
  if (known?.headingLines !== undefined) return known.headingLines === 2;
  return headingVotes(second, below) >= 2;
}

function joinedHeadings(first: Row, second: Row): Row {
  return first.map((cell, column) => `${cell} ${second[column] ?? ''}`);
}

function foundTitles(records: readonly Row[], known?: KnownTable) {
  const knownWidth = known?.rows[0]?.length;
  const columns =
    records.find(({ length }) => length === knownWidth)?.length ?? usualWidth(records);
  const titles =
    titlesAboveHeadings(records, columns, known) ?? titlesAboveEvents(records, columns);
  return { titles, columns };
}

/** The title lines of the known table, where the file begins with the same: it may be too small to show them. */
function knownTitles(records: readonly Row[], known?: KnownTable) {
  const { titleLines = [], rows: [row] = [] } = known ?? {};
  if (row === undefined || titleLines.length === 0) return undefined;
  const begin = records.slice(0, titleLines.length);
  const areTitles = titleLines.every((title, index) => begin[index]?.length === title.length);
  const differInWidth = begin.every(({ length }) => length !== row.length);
  return areTitles && differInWidth
    ? { titles: titleLines.length, columns: row.length }
    : undefined;
}

function usualWidth(records: readonly Row[]): number {
  const times = new Map<number, number>();
  for (const { length } of records) times.set(length, (times.get(length) ?? 0) + 1);
  // Of equally common widths the larger one: the file may be a title line above headings, and nothing else.
  const [width] = [...times].reduce((a, b) => ((b[1] - a[1] || b[0] - a[0]) > 0 ? b : a), [0, 0]);
  return width;
}

/** How many records there are above a complete row of headings; undefined where there is none. */
function titlesAboveHeadings(records: readonly Row[], columns: number, known?: KnownTable) {
  const isComplete = (row: Row) => row.length === columns && !row.includes('');
  const at = records.findIndex(isComplete);
  const row = records[at];
  const isNear = row !== undefined && at <= maxTitleLines;
  return isNear && areHeadings(row, records.slice(at + 1), known) ? at : undefined;
}

function titlesAboveEvents(records: readonly Row[], columns: number): number {
  const isTitle = (row: Row) => row.length !== columns || isPaddedTitle(row);
  const titles = records.findIndex((row) => !isTitle(row));
  // A row that an unquoted line break divides in two is a damaged event, not a title.
  const cells = records.slice(0, titles).reduce((sum, row) => sum + row.length - 1, 1);
  return titles > maxTitleLines || (titles > 1 && cells === columns) ? 0 : Math.max(0, titles);
}

/** A title of one cell, padded with empty cells to the width of the table. */
export function isPaddedTitle(row: Row): boolean {
  return row.length >= 3 && row[0] !== '' && row.slice(1).every((cell) => cell === '');
}

function areHeadings(first: Row, others: readonly Row[], known: KnownTable | undefined): boolean {
  if (known?.headings && sameCells(first, known.headings)) return true;
  const [second] = others;
  if (known?.headings && second && sameCells(joinedHeadings(first, second), known.headings)) {
    return true;
  }
  if (first.every((cell) => cell === '')) return false;
  const sameWidth = others.filter((row) => row.length === first.length);
  const vote = headingVotes(first, sameWidth);
  if (vote !== 0) return vote > 0;
  const knownRows = known?.rows.filter((row) => row.length === first.length) ?? [];
  const knownVote = headingVotes(first, knownRows);
  if (knownVote !== 0) return knownVote > 0;
  if (known && known.rows.length > 0) return known.headings !== null;
  // A single row is an event where one of its cells can be a date or an id.
  return first.every((cell) => (cell.match(/\p{Nd}/gu) ?? []).length < 4);
}

/** How many columns suggest that the first row is headings, minus how many suggest that it is an event. */
function headingVotes(first: Row, others: readonly Row[]): number {
  return first.reduce((sum, cell, column) => {
    const below = others.map((row) => row[column] ?? '').filter((text) => text !== '');
    return sum + columnVote(cell, below);
  }, 0);
}

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

function sameCells(a: Row, b: Row): boolean {
  return a.length === b.length && a.every((cell, column) => cell === b[column]);
}
