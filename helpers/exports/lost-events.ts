import type { Row } from '../csv/csv-form.ts';
import { keyOfRow } from '../csv/multiset.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import type { KnownValue } from './known-filters.ts';
import { type ShownValues, shownValuesOf } from './shown-values.ts';

/** Events that show a value, and that its filter loses. */
export interface LostEvents {
  readonly known: KnownValue;
  readonly lost: readonly Row[];
}

/** So many events on either side show that what they have in common is no chance. */
const enoughEvents = 3;

/**
 * Events that a filter loses because they are empty in some places, as where a table is joined that has no row for them: of
 * several values each keeps all events that show it in one place, but for those, and no others. A place may show less than
 * what a filter selects by, and then some of its events are not kept either; but not these and only these.
 *
 * @param ignored columns that change from one export to the next
 * @returns empty where there are none
 */
export function eventsLostBeside(
  values: readonly KnownValue[],
  table: CsvTable,
  ignored: ReadonlySet<number>,
): readonly LostEvents[] {
  const places = shownValuesOf(table, ignored);
  for (const place of places.filter(({ kind }) => kind === 'cell' || kind === 'part')) {
    const parts = values.flatMap((known) => partsOf(known, place, ignored));
    // That a place shows something else is seen in what is kept without being shown.
    if (parts.some(({ isWithin }) => !isWithin)) continue;
    const losing = parts.filter(({ kept, lost }) => kept.length > 0 && lost.length > 0);
    if (losing.length < 2 || losing.length < parts.length) continue;
    if (
      areEmpty(
        losing.flatMap(({ lost }) => lost),
        losing.flatMap(({ kept }) => kept),
        places,
      )
    ) {
      return losing;
    }
  }
  return [];
}

/** What a place shows of a value, and of that what the value keeps; none where it shows the value nowhere. */
function partsOf(known: KnownValue, place: ShownValues, ignored: ReadonlySet<number>) {
  const rows = place.rows.get(known.value);
  if (rows === undefined) return [];
  const isKept = (row: Row): boolean => known.events.entries.has(keyOfRow(row, ignored));
  const kept = rows.filter(isKept);
  const isWithin = kept.length === known.events.size;
  return [{ known, kept, lost: rows.filter((row) => !isKept(row)), isWithin }];
}

/** Whether there are places in which the lost events all show nothing, and each of those that were kept something. */
function areEmpty(
  lost: readonly Row[],
  kept: readonly Row[],
  places: readonly ShownValues[],
): boolean {
  if (lost.length < enoughEvents || kept.length < enoughEvents) return false;
  const isEmptyAt = (row: Row, { read }: ShownValues): boolean =>
    read(row).every((value) => value === '');
  const empty = places.filter((place) => lost.every((row) => isEmptyAt(row, place)));
  return kept.every((row) => empty.some((place) => !isEmptyAt(row, place)));
}
