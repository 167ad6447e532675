import { metadataKeys } from '../../schemas/operations.ts';
import type { Row } from '../csv/csv-form.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import { readDate } from '../dates/read-date.ts';

/** Values that rows show: those of a column, or of a named part of its cells. */
export interface ShownValues {
  /** The heading of the column, or the name of the part; empty where there is neither. */
  readonly name: string;
  readonly column: number;
  /** undefined where the row does not show it. */
  readonly read: (row: Row) => string | undefined;
  /** How many rows show each value, most first. */
  readonly values: ReadonlyMap<string, number>;
  /** Whether its values are UUID-shaped. */
  readonly areIds: boolean;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** In characters; longer texts are prose, not values to filter by. */
const maxLength = 200;

/** Everything that the rows of an export show and a filter could select, dates and prose left out. */
export function shownValuesOf(table: CsvTable, ignored: ReadonlySet<number>): ShownValues[] {
  const columns = Array.from({ length: table.columns }, (_, column) => column);
  return columns
    .filter((column) => !ignored.has(column))
    .flatMap((column) => {
      const heading = table.headings?.[column] ?? '';
      const whole = shownValues(table, heading, column, (row) => row[column]);
      return [...partsOf(table, column), ...(whole === undefined ? [] : [whole])];
    });
}

/** Parts of cells that name a metadata key together with its value: JSON, `key=value`, `key: value`. */
function partsOf(table: CsvTable, column: number): ShownValues[] {
  const mentioned = metadataKeys.filter((key) =>
    table.rows.slice(0, 300).some((row) => row[column]?.includes(key)),
  );
  return mentioned.flatMap((key) => {
    const named = new RegExp(
      `(?<![\\w-])${key}["']?\\s*[:=]\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^"',;|}\\]\\n]+))`,
    );
    const read = (row: Row): string | undefined => {
      const cell = row[column] ?? '';
      const fromJson = jsonField(cell, key);
      if (fromJson !== undefined) return fromJson;
      const [, quoted, plain] = named.exec(cell) ?? [];
      return quoted ?? plain?.trim();
    };
    const part = shownValues(table, key, column, read);
    return part === undefined ? [] : [part];
  });
}

function jsonField(cell: string, key: string): string | undefined {
  if (!cell.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(cell)[key];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

function shownValues(
  table: CsvTable,
  name: string,
  column: number,
  read: ShownValues['read'],
): ShownValues | undefined {
  const counts = new Map<string, number>();
  for (const row of table.rows) {
    const value = read(row);
    if (value === undefined || value === '' || value.length > maxLength) continue;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  if (counts.size === 0) return undefined;
  const values = new Map([...counts].sort((a, b) => b[1] - a[1]));
  const sample = [...values.keys()].slice(0, 20);
  if (sample.every((value) => readDate(value).length > 0)) return undefined;
  const areIds = sample.every((value) => uuid.test(value));
  return { name, column, read, values, areIds };
}

/**
 * The values that best show whether a filter selects by them, the best first: shown by some rows and not by all, by
 * more than one where possible, and not to be mistaken for another value by its beginning or its case.
 */
export function distinctiveValues({ values }: ShownValues, rows: number): string[] {
  const all = [...values.keys()].slice(0, 200);
  const plain = all.map((value) => value.toLowerCase());
  const isUnlike = (text: string): boolean =>
    plain.every((other) => other === text || !(other.includes(text) || text.includes(other)));
  const isAlone = (text: string): boolean => plain.filter((other) => other === text).length === 1;
  const rank = (value: string): number => {
    const text = value.toLowerCase();
    const times = values.get(value) ?? 0;
    const ambiguity = isAlone(text) && isUnlike(text) ? 0 : 4;
    return ambiguity + (times > 1 && times <= rows / 2 ? 0 : 2) + (/[,[\]]/.test(value) ? 1 : 0);
  };
  return all
    .filter((value) => (values.get(value) ?? 0) < rows)
    .map((value) => ({ value, rank: rank(value) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ value }) => value);
}
