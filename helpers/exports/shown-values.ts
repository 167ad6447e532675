import { isUuidShaped } from '../../schemas/identifier.ts';
import { metadataKeys } from '../../schemas/operations.ts';
import type { Row } from '../csv/csv-form.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import { readDate } from '../dates/read-date.ts';
import { groupBy } from '../group-by.ts';
import { Memory, remembered } from '../memory.ts';
import { type ReadingKind, readingsOf } from './cell-readings.ts';

/** A place: a column, read in one way, and the values that its rows show. A filter may select by them, or not. */
export interface ShownValues {
  /** The heading of the column, or what names the values inside its cells; empty where nothing does. */
  readonly name: string;
  readonly column: number;
  readonly kind: ReadingKind;
  /** The values that a row shows in this place; an empty list where it shows none. */
  readonly read: (row: Row) => readonly string[];
  /** By value, the rows that show it; the most frequent value first. */
  readonly rows: ReadonlyMap<string, readonly Row[]>;
  /** Whether its values are UUID-shaped. */
  readonly areIds: boolean;
}

/** In characters: longer texts are prose, not values to filter by. */
const maxLength = 200;
/** How many cells of a column are looked at to learn how it can be read, and how many more for each metadata key. */
const sampleSize = 300;
const enoughOfAKey = 5;

const memory = new Memory<CsvTable, string, readonly ShownValues[]>();

/** All places of an export, without dates and prose; `ignored`: columns that do not belong to the events. */
export function shownValuesOf(
  table: CsvTable,
  ignored: ReadonlySet<number>,
): readonly ShownValues[] {
  return memory.get(table, [...ignored].join(), () => makeShownValues(table, ignored));
}

function makeShownValues(table: CsvTable, ignored: ReadonlySet<number>): ShownValues[] {
  const columns = Array.from({ length: table.columns }, (_, column) => column);
  return columns
    .filter((column) => !ignored.has(column))
    .flatMap((column) => placesIn(table, column));
}

/** The places of one column; an empty list where it holds dates. */
function placesIn(table: CsvTable, column: number): ShownValues[] {
  const rowsByCell = groupBy(table.rows, (row) => row[column] ?? '');
  rowsByCell.delete('');
  const cells = sampleOf([...rowsByCell.keys()]);
  if (cells.every(isDate)) return [];
  const places = readingsOf(table.headings?.[column] ?? '', cells).map((reading) => ({
    ...reading,
    rows: new Map<string, Row[]>(),
  }));
  // Cell by cell, as readings remember what they found in the last cell.
  for (const [cell, rows] of rowsByCell) {
    for (const place of places) addValues(place.rows, new Set(place.read(cell)), rows);
  }
  return places.flatMap(({ read, ...place }) => {
    const rows = new Map([...place.rows].sort((a, b) => b[1].length - a[1].length));
    const sample = [...rows.keys()].slice(0, 20);
    if (sample.every(isDate)) return [];
    const readRow = (row: Row) => read(row[column] ?? '');
    return [{ ...place, column, rows, read: readRow, areIds: sample.every(isUuidShaped) }];
  });
}

function isDate(text: string): boolean {
  return readDate(text).length > 0;
}

/** Cells spread from the first to the last, and some that name each metadata key: a key may be rare. */
function sampleOf(cells: readonly string[]): string[] {
  const step = Math.max(1, cells.length / sampleSize);
  const spread = Array.from(
    { length: Math.min(sampleSize, cells.length) },
    (_, index) => cells[Math.floor(index * step)] ?? '',
  );
  const naming = metadataKeys.flatMap((key) =>
    cells.filter((cell) => cell.includes(key)).slice(0, enoughOfAKey),
  );
  return [...new Set([...spread, ...naming])];
}

function addValues(
  rowsByValue: Map<string, Row[]>,
  values: ReadonlySet<string>,
  rows: readonly Row[],
): void {
  for (const value of values) {
    if (value === '' || value.length > maxLength) continue;
    const known = remembered(rowsByValue, value, () => []);
    for (const row of rows) known.push(row);
  }
}

/**
 * The values that best show whether a filter selects by them, the best first: shown by more than one row where
 * possible, by no more than half, and not to be mistaken for another value by a part or by case.
 */
export function distinctiveValues(place: ShownValues, rows: number): readonly string[] {
  return ranked.get(place, rows, () => ranking(place, rows));
}

/** The results of `distinctiveValues`: each filter looks at each place, and comparing all its values costs time. */
const ranked = new Memory<ShownValues, number, readonly string[]>();

function ranking({ rows: shown, areIds }: ShownValues, rows: number): string[] {
  const all = [...shown.keys()].slice(0, 200);
  const plain = all.map((value) => value.toLowerCase());
  const isUnlike = (text: string): boolean =>
    plain.every((other) => other === text || !(other.includes(text) || text.includes(other)));
  const isAlone = (text: string): boolean => plain.filter((other) => other === text).length === 1;
  const rank = (value: string): number => {
    const text = value.toLowerCase();
    const times = shown.get(value)?.length ?? 0;
    const ambiguity = isAlone(text) && isUnlike(text) ? 0 : 4;
    const rarity = times > 1 && times <= rows / 2 ? 0 : 2;
    // Values of several words are better: they show the fault of a filter that one word is enough for.
    const isOneWord = !areIds && !/\p{L}\W\p{L}/u.test(value);
    return ambiguity + rarity + (/[,[\]]/.test(value) ? 1 : isOneWord ? 0.5 : 0);
  };
  return all
    .filter((value) => (shown.get(value)?.length ?? 0) < rows)
    .map((value) => ({ value, rank: rank(value) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ value }) => value);
}

/** How easily a value is taken for others: 2 for each that begins with it, 1 for each that differs only by case. */
export function similarValues(value: string, { rows }: ShownValues): number {
  const others = [...rows.keys()].slice(0, 500).filter((other) => other !== value);
  const longer = others.filter((other) => other.startsWith(value)).length;
  const inOtherCase = others.filter((other) => other.toLowerCase() === value.toLowerCase()).length;
  return 2 * longer + inOtherCase;
}

/** The first two values that are the same number, as 0815 and 815: a filter must tell them apart. */
export function sameNumbers(values: readonly string[]): readonly [string, string] | undefined {
  const byNumber = new Map<string, string>();
  for (const value of values.filter((text) => /^\d+$/.test(text))) {
    const number = value.replace(/^0+(?=\d)/, '');
    const other = byNumber.get(number);
    if (other !== undefined) return [other, value];
    byNumber.set(number, value);
  }
  return undefined;
}
