import { metadataKeys } from '../../schemas/operations.ts';
import { isUuidShaped } from '../../schemas/resources.ts';
import type { Row } from '../csv/csv-form.ts';
import { multiset } from '../csv/multiset.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import { readDate } from '../dates/read-date.ts';
import { countsOf, groupBy, Memory, remembered } from '../maps.ts';
import { readingsOf } from './cell-readings.ts';
import { columnsOfEvents } from './columns.ts';

/** A place: a column, read in one way, and the values that its rows show. A filter may select by them, or not. */
export type Place = Readonly<ReturnType<typeof placesIn>[number]>;

/** In characters: longer texts are prose, not values to filter by. */
const maxLength = 200;
/** How many cells of a column are looked at to learn how it can be read, and how many more for each metadata key. */
const sampleSize = 300;
const enoughOfAKey = 5;

const memory = new Memory<CsvTable, string, readonly Place[]>();

/** All places of an export, without dates and prose; `ignored`: columns that do not belong to the events. */
export function placesOf(table: CsvTable, ignored: ReadonlySet<number>): readonly Place[] {
  return memory.get(table, [...ignored].join(), () => {
    const columns = columnsOfEvents(table, ignored).map((column) => ({
      column,
      rowsByCell: groupBy(table.rows, (row) => row[column] ?? ''),
    }));
    const times = countsOf(columns.flatMap(({ rowsByCell }) => [...rowsByCell.keys()]));
    const isCommon = (count: number): boolean => count > 2 && count * 3 >= columns.length;
    const isNone = (text: string): boolean =>
      wordForNone.test(text) || (isCommon(times.get(text) ?? 0) && !isUuidShaped(text));
    return columns.flatMap((one) => placesIn(table, one, ignored, isNone));
  });
}

/** What stands in a cell that shows no value; so does whatever stands in a third of all columns. */
const wordForNone =
  /^[^\p{L}\p{N}]*(?:n\/?a|none|null|nil|undefined|not (?:set|available|applicable))?[^\p{L}\p{N}]*$/iu;

/** The places of one column; an empty list where it holds dates. @param isNone whether a text says that there is no value */
function placesIn(
  table: CsvTable,
  { column, rowsByCell }: { readonly column: number; readonly rowsByCell: Map<string, Row[]> },
  ignored: ReadonlySet<number>,
  isNone: (text: string) => boolean,
) {
  for (const cell of rowsByCell.keys()) if (isNone(cell)) rowsByCell.delete(cell);
  const cells = sampleOf([...rowsByCell.keys()]);
  if (cells.every(isDate)) return [];
  const readings = readingsOf(table.headings?.[column] ?? '', cells).map((reading) => ({
    ...reading,
    found: new Map<string, Row[]>(),
  }));
  // Cell by cell, as readings remember what they found in the last cell.
  for (const [cell, rows] of rowsByCell) {
    for (const { read, found } of readings) {
      for (const value of new Set(read(cell))) {
        if (value.length > maxLength || isNone(value)) continue;
        const showing = remembered(found, value, () => []);
        for (const row of rows) showing.push(row);
      }
    }
  }
  return readings.flatMap(({ name, kind, read, found }) => {
    /** By value, the rows that show it; the most frequent value first. */
    const rows: ReadonlyMap<string, readonly Row[]> = new Map(
      [...found].sort((a, b) => b[1].length - a[1].length),
    );
    const values: readonly string[] = [...rows.keys()];
    const sample = values.slice(0, 20);
    if (sample.every(isDate)) return [];
    return {
      /** The heading of the column, or what names the values inside its cells; empty where nothing does. */
      name,
      column,
      kind,
      /** The first value that a row shows; undefined where it shows none. */
      read: (row: Row) => read(row[column] ?? '').find((value) => !isNone(value)),
      rows,
      values,
      eventsShowing: (value: string) => multiset(rows.get(value) ?? [], ignored),
      areIds: sample.every(isUuidShaped),
      /** Whether values stand in it as they are, marked off from other text. */
      isFaithful: kind === 'cell' || kind === 'part',
    };
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

/** The results of `distinctiveValues`: each filter looks at each place, and comparing all its values costs time. */
const ranked = new Memory<Place, number, readonly string[]>();

/**
 * The values that best show whether a filter selects by them: shown by several rows, and no more than half, and not to be
 * mistaken for another value. Those with which others begin come last, the most frequent at the end.
 */
export function distinctiveValues(place: Place, rows: number): readonly string[] {
  return ranked.get(place, rows, () => ranking(place, rows));
}

function ranking({ rows: shown, values, areIds }: Place, rows: number): string[] {
  const all = values.slice(0, 200);
  const plain = all.map((value) => value.toLowerCase());
  const isUnlikeOthers = (text: string): boolean =>
    plain.filter((other) => other.includes(text) || text.includes(other)).length === 1;
  const beginsAnother = (value: string): boolean =>
    all.some((other) => other !== value && other.startsWith(value));
  const rank = (value: string): number => {
    const text = value.toLowerCase();
    const times = shown.get(value)?.length ?? 0;
    const ambiguity = beginsAnother(value) ? 8 + times / rows : isUnlikeOthers(text) ? 0 : 4;
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

/** The first two values that are the same number, as 0815 and 815: a filter must tell them apart. */
export function sameNumbers(values: readonly string[]): readonly [string, string] | undefined {
  const numbers = values.filter((text) => /^\d+$/.test(text));
  const alike = groupBy(numbers, (number) => number.replace(/^0+(?=\d)/, ''));
  for (const [one, other] of alike.values()) if (other !== undefined) return [one, other];
  return undefined;
}

/** How many characters a service compares at least, where it compares only so many. */
const compared = 16;

/** The first two texts that begin with the same characters, as many as a service may compare; undefined where none do. */
export function beginningAlike(values: readonly string[]): readonly [string, string] | undefined {
  const words = values.filter((text) => !text.includes(',') && !isUuidShaped(text));
  for (const [one, other] of groupBy(words, (text) => text.slice(0, compared)).values())
    if (other !== undefined && one.length > compared) return [one, other];
  return undefined;
}
