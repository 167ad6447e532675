import type { Row } from './csv-table.ts';

/** The beginning of a file, taken apart. */
export interface TableStart {
  readonly titleLines: readonly Row[];
  readonly headings: Row | null;
  readonly rows: readonly Row[];
  /** How many cells most rows have; 0 where there are none. */
  readonly columns: number;
}

/** What is known of another, larger export of the same service. */
export interface KnownTable {
  readonly titleLines?: readonly Row[];
  readonly headings: Row | null;
  readonly rows: readonly Row[];
}

const mostTitleLines = 5;

/**
 * Tells title lines, headings and events apart without knowing a language or a column. Headings look unlike what
 * stands below them: they carry no digits where ids, times and numbers stand, and do not recur where few values do.
 *
 * @param records the first records of the file, blank lines left out; a few hundred are enough
 * @param known where so few records leave it open, they are compared with this table
 */
export function splitStart(records: readonly Row[], known?: KnownTable): TableStart {
  const { titles, columns } = knownTitles(records, known) ?? foundTitles(records, known);
  const [first, ...others] = records.slice(titles);
  const start = { titleLines: records.slice(0, titles), columns };
  if (first === undefined) return { ...start, headings: null, rows: [] };
  return areHeadings(first, others, known)
    ? { ...start, headings: first, rows: others }
    : { ...start, headings: null, rows: [first, ...others] };
}

function foundTitles(records: readonly Row[], known?: KnownTable) {
  const columns = usualWidth(records);
  const titles =
    titlesAboveHeadings(records, columns, known) ?? titlesAboveEvents(records, columns);
  return { titles, columns };
}

/** The title lines of the known table, where the file is too small to show what stands out. */
function knownTitles(records: readonly Row[], known?: KnownTable) {
  const { titleLines = [], rows: [row] = [] } = known ?? {};
  if (row === undefined || titleLines.length === 0) return undefined;
  const begin = records.slice(0, titleLines.length);
  const areTitles = titleLines.every((title, index) => begin[index]?.length === title.length);
  const standOut = begin.every(({ length }) => length !== row.length);
  return areTitles && standOut ? { titles: titleLines.length, columns: row.length } : undefined;
}

function usualWidth(records: readonly Row[]): number {
  const times = new Map<number, number>();
  for (const { length } of records) times.set(length, (times.get(length) ?? 0) + 1);
  // Of widths equally common the larger: a title line above headings, and nothing else.
  const [width] = [...times].reduce((a, b) => ((b[1] - a[1] || b[0] - a[0]) > 0 ? b : a), [0, 0]);
  return width;
}

/** How many records stand above a complete row of headings; undefined where there is none. */
function titlesAboveHeadings(records: readonly Row[], columns: number, known?: KnownTable) {
  const isComplete = (row: Row) => row.length === columns && !row.includes('');
  const at = records.findIndex(isComplete);
  const row = records[at];
  const isNear = row !== undefined && at <= mostTitleLines;
  return isNear && areHeadings(row, records.slice(at + 1), known) ? at : undefined;
}

function titlesAboveEvents(records: readonly Row[], columns: number): number {
  const isTitle = (row: Row) => row.length !== columns || isFilledUp(row);
  const titles = records.findIndex((row) => !isTitle(row));
  // A row broken in two by a bare line break is an event that got damaged, not a title.
  const cells = records.slice(0, titles).reduce((sum, row) => sum + row.length - 1, 1);
  return titles > mostTitleLines || (titles > 1 && cells === columns) ? 0 : Math.max(0, titles);
}

/** A title of one cell, filled up with empty cells to the width of the table. */
function isFilledUp(row: Row): boolean {
  return row.length >= 3 && row[0] !== '' && row.slice(1).every((cell) => cell === '');
}

function areHeadings(first: Row, others: readonly Row[], known: KnownTable | undefined): boolean {
  if (known?.headings && sameCells(first, known.headings)) return true;
  if (first.every((cell) => cell === '')) return false;
  const sameWidth = others.filter((row) => row.length === first.length);
  const vote = unlikeness(first, sameWidth);
  if (vote !== 0) return vote > 0;
  const knownRows = known?.rows.filter((row) => row.length === first.length) ?? [];
  const knownVote = unlikeness(first, knownRows);
  if (knownVote !== 0) return knownVote > 0;
  if (known && known.rows.length > 0) return known.headings !== null;
  // Alone, a row is an event where it has room for a date or an id.
  return first.every((cell) => (cell.match(/\p{Nd}/gu) ?? []).length < 4);
}

/** Columns that speak for headings minus columns that speak for an event. */
function unlikeness(first: Row, others: readonly Row[]): number {
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
