import { isUuidShaped } from '../../schemas/identifier.ts';
import { metadataKeys } from '../../schemas/operations.ts';
import type { Row } from '../csv/csv-form.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import { readDate } from '../dates/read-date.ts';
import { groupBy } from '../group-by.ts';
import { Memory } from '../memory.ts';
import { type ReadingKind, readingsOf } from './cell-readings.ts';

/** Values that rows show in one place: candidates for what a filter selects by, until an export has confirmed them. */
export interface ShownValues {
  /** The heading of the column, or what names the values inside its cells; empty where nothing does. */
  readonly name: string;
  readonly column: number;
  readonly kind: ReadingKind;
  /** None where the row shows none. */
  readonly read: (row: Row) => readonly string[];
  /** The rows that show each value, the most frequent one first. */
  readonly rows: ReadonlyMap<string, readonly Row[]>;
  /** Whether its values are UUID-shaped. */
  readonly areIds: boolean;
}

/** In characters; longer texts are prose, not values to filter by. */
const maxLength = 200;
/** So many cells show how a column can be read. */
const sampleSize = 300;
const enoughOfAKey = 5;

const memory = new Memory<CsvTable, string, readonly ShownValues[]>();

/** Everything that the rows of an export show and a filter could select by, dates and prose left out. */
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
    .flatMap((column) => {
      const rowsByCell = groupBy(table.rows, (row) => row[column] ?? '');
      rowsByCell.delete('');
      const cells = sampleOf([...rowsByCell.keys()]);
      if (cells.every((cell) => readDate(cell).length > 0)) return [];
      const places = readingsOf(table.headings?.[column] ?? '', cells).map((reading) => ({
        ...reading,
        rows: new Map<string, Row[]>(),
      }));
      // Cell by cell: readings of one cell have work in common.
      for (const [cell, rows] of rowsByCell) {
        for (const place of places) addValues(place.rows, new Set(place.read(cell)), rows);
      }
      return places.flatMap(({ read, ...place }) => {
        const readRow = (row: Row) => read(row[column] ?? '');
        return shownValues({ ...place, column, read: readRow });
      });
    });
}

/** Some of the cells, from the first to the last, and some for each metadata key that any of them names: it may be rare. */
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
    const known = rowsByValue.get(value);
    if (known === undefined) rowsByValue.set(value, [...rows]);
    else for (const row of rows) known.push(row);
  }
}

function shownValues(place: Omit<ShownValues, 'areIds'>): ShownValues[] {
  if (place.rows.size === 0) return [];
  const rows = new Map([...place.rows].sort((a, b) => b[1].length - a[1].length));
  const sample = [...rows.keys()].slice(0, 20);
  if (sample.every((value) => readDate(value).length > 0)) return [];
  return [{ ...place, rows, areIds: sample.every(isUuidShaped) }];
}

/**
 * The values that best show whether a filter selects by them, the best first: shown by some rows and not by all, by
 * more than one where possible, and not to be mistaken for another value by its beginning or its case.
 */
export function distinctiveValues(place: ShownValues, rows: number): readonly string[] {
  const known = ranked.get(place);
  if (known?.rows === rows) return known.values;
  const values = ranking(place, rows);
  ranked.set(place, { rows, values });
  return values;
}

/** Each filter looks at each place, and all values of a place are compared with each other: once is enough. */
const ranked = new WeakMap<
  ShownValues,
  { readonly rows: number; readonly values: readonly string[] }
>();

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
    // Of a value of several words it can be asked whether one of them is enough.
    const isOneWord = !areIds && !/\p{L}\W\p{L}/u.test(value);
    return ambiguity + rarity + (/[,[\]]/.test(value) ? 1 : isOneWord ? 0.5 : 0);
  };
  return all
    .filter((value) => (shown.get(value)?.length ?? 0) < rows)
    .map((value) => ({ value, rank: rank(value) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ value }) => value);
}

/** How easily a value is taken for others: those that begin with it, and, less so, those that differ by case only. */
export function similarValues(value: string, { rows }: ShownValues): number {
  const others = [...rows.keys()].slice(0, 500).filter((other) => other !== value);
  const longer = others.filter((other) => other.startsWith(value)).length;
  const inOtherCase = others.filter((other) => other.toLowerCase() === value.toLowerCase()).length;
  return 2 * longer + inOtherCase;
}

/** The first two values that are one number, as 0815 and 815: not the same unless they are compared as numbers. */
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
