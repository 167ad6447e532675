import type { Row } from '../csv/csv-form.ts';
import { difference, isSame, type Multiset, multiset } from '../csv/multiset.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import { readDate } from '../dates/parse-date.ts';

/** With fewer rows a column may hold one value by chance. */
const fewRows = 20;

/**
 * Columns that belong to the export and not to its events: those that change from one identical request to the
 * next, row numbers, and dates that are the same in every row (the time of the export).
 *
 * @param again the same query, asked for a second time
 */
export function columnsOfTheExport(base: CsvTable, again: CsvTable): ReadonlySet<number> {
  const columns = Array.from({ length: base.columns }, (_, column) => column);
  const always = columns.filter((column) => {
    const values = base.rows.map((row) => row[column] ?? '');
    return isRowNumber(values) || isTimeOfExport(values);
  });
  const changing = columns.filter(
    (column) => !always.includes(column) && changes(base, again, column),
  );
  const found = new Set(isOfTheExport(changing, base, again) ? [...always, ...changing] : always);
  // A table of nothing but such columns would make all events alike.
  return found.size < columns.length ? found : new Set();
}

/**
 * Whether columns differ because each export writes them anew: then most of their cells do, or without them both
 * exports are alike and still tell events apart. Where events come and go, neither is so.
 */
function isOfTheExport(columns: readonly number[], base: CsvTable, again: CsvTable): boolean {
  const [one, other] = [base, again].map(({ rows }) => multiset(rows, new Set(columns)));
  if (one === undefined || other === undefined || columns.length === 0) return false;
  const tells = one.entries.size >= multiset(base.rows).entries.size / 2;
  if (tells && isSame(one, other)) return true;
  return columns.every((column) => {
    const [a, b] = [columnOf(base.rows, column), columnOf(again.rows, column)];
    return difference(a, b).missing.length > base.count / 2;
  });
}

function changes(base: CsvTable, again: CsvTable, column: number): boolean {
  if (base.count !== again.count) return false;
  const { missing } = difference(columnOf(base.rows, column), columnOf(again.rows, column));
  return missing.length > 0;
}

function columnOf(rows: readonly Row[], column: number): Multiset {
  return multiset(rows.map((row) => [row[column] ?? '']));
}

/** Every whole number from 0 or 1 on, once. */
function isRowNumber(values: readonly string[]): boolean {
  if (values.length < 3 || !values.every((value) => /^\d{1,9}$/.test(value))) return false;
  const numbers = values.map(Number).sort((a, b) => a - b);
  const [first = 0] = numbers;
  return first <= 1 && numbers.every((number, index) => number === first + index);
}

function isTimeOfExport(values: readonly string[]): boolean {
  const [first = ''] = values;
  const isConstant = values.length >= fewRows && values.every((value) => value === first);
  return isConstant && readDate(first).length > 0;
}
