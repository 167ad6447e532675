import { isUuidShaped, sameId } from '../../schemas/identifier.ts';
import type { Row } from '../csv/csv-form.ts';
import { keyOfRow, type Multiset } from '../csv/multiset.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import type { ReadingKind } from './cell-readings.ts';
import type { CsvDownload } from './downloads.ts';
import type { Filter } from './query.ts';
import { type ShownValues, shownValuesOf } from './shown-values.ts';

/** What is known of the filters. */
export interface KnownFilters {
  readonly known: ReadonlyMap<Filter, KnownFilter>;
  /** A value that no event has, for any filter. */
  readonly impossible: string;
  /** An export of the window with a filter that holds events from outside of the window; undefined where none does. */
  readonly beyondWindow: CsvDownload | undefined;
  /** An export that was not used, as it holds many events that the window did not hold before. */
  readonly unclear: CsvDownload | undefined;
}

/** What is known of one filter. Exports among it show faults. */
export interface KnownFilter {
  /** Values that keep some events of the window and not all, in the order in which they were asked for. */
  readonly values: readonly KnownValue[];
  /** Where rows show the values; undefined where no export has confirmed a place that does. */
  readonly shown: KnownPlace | undefined;
  /** A value that rows show as one of this filter, and for which it keeps none of these rows. */
  readonly unmatched: LostEvents | undefined;
  /** An export that holds all events although rows show further values: the filter is ignored. */
  readonly keptAll: CsvDownload | undefined;
  /** The refusal of a value that must be served: the filter refuses every value, and others do not. */
  readonly refused: CsvDownload | undefined;
  /** Set where a metadata key selects by what rows show as another key's values. */
  readonly exchanged: Exchanged | undefined;
}

/** A metadata key that takes the values of another one for its own. */
export interface Exchanged {
  readonly other: Filter;
  /** The export for a value of the other key: it holds exactly the events that show the value. */
  readonly kept: CsvDownload;
  /** The exports for values that rows show as this key's own: they hold no events. */
  readonly unmatched: readonly CsvDownload[];
}

/** A value that a filter was asked for, and the events that it keeps in the window. */
export interface KnownValue {
  readonly value: string;
  readonly events: Multiset;
  readonly download: CsvDownload;
}

/** Where rows show the values of a filter. */
export interface KnownPlace {
  readonly column: number;
  readonly kind: ReadingKind;
  /** The first value that a row shows; undefined where it shows none. */
  readonly read: (row: Row) => string | undefined;
  /** How many of the known values keep exactly the events that show them. */
  readonly confirmedBy: number;
  /** All values that rows show. */
  readonly values: readonly string[];
  /** The events of the window that show a value. */
  readonly eventsShowing: (value: string) => Multiset;
}

/** Whether values stand in a place as they are, marked off from other text. */
export function isFaithful({ kind }: Pick<KnownPlace, 'kind'>): boolean {
  return kind === 'cell' || kind === 'part';
}

/** How many values must confirm a place before further values of the filter are judged by what rows show in it. */
const enoughConfirmed = 2;

export function isConfirmed(shown: KnownPlace): boolean {
  return isFaithful(shown) && shown.confirmedBy >= enoughConfirmed;
}

/** How many further values are sent at most, so that no request is too long. */
const maxFurther = 6;

/**
 * Further ids to be asked for in one list with the known values: every second one of the ids that rows show. The ids
 * left out show the fault that one id keeps the events of another. Empty where the filter's place is not confirmed.
 */
export function furtherIds(
  filter: Pick<KnownFilter, 'values' | 'shown'> | undefined,
): readonly string[] {
  const { shown, values = [] } = filter ?? {};
  if (shown === undefined || !isConfirmed(shown)) return [];
  const others = shown.values.filter(
    (value) => isUuidShaped(value) && !values.some((known) => sameId(known.value, value)),
  );
  return others.filter((_, index) => index % 2 === 0).slice(0, maxFurther);
}

/** A value, and the rows that show it and that the filter does not keep. */
export interface LostEvents {
  readonly known: KnownValue;
  readonly lost: readonly Row[];
}

/** How many events must be lost, and how many kept, so that what they have in common is no accident. */
const enoughEvents = 3;

/**
 * Finds the fault that a filter loses all events that are empty in some places, as by a join with a table that has no
 * row for them. At least two values must each keep events that show them in one place and no others, and lose others;
 * and exactly the lost events must be empty in those places.
 * @param ignored columns that change from one export to the next
 * @returns for each value, the rows that it loses; an empty list where the fault is not shown
 */
export function eventsLostBeside(
  values: readonly KnownValue[],
  table: CsvTable,
  ignored: ReadonlySet<number>,
): readonly LostEvents[] {
  const places = shownValuesOf(table, ignored);
  for (const place of places.filter(isFaithful)) {
    const parts = values.flatMap((known) => {
      const rows = place.rows.get(known.value);
      const isKept = (row: Row): boolean => known.events.entries.has(keyOfRow(row, ignored));
      const kept = rows?.filter(isKept) ?? [];
      return rows ? [{ known, kept, lost: rows.filter((row) => !isKept(row)) }] : [];
    });
    const areLosing = parts.every(
      // Where a value keeps events that do not show it, the place shows something else than the filter selects by.
      ({ known, kept, lost }) =>
        kept.length > 0 && lost.length > 0 && kept.length === known.events.size,
    );
    if (parts.length < 2 || !areLosing) continue;
    const [kept, lost] = [parts.flatMap((one) => one.kept), parts.flatMap((one) => one.lost)];
    if (areEmpty(lost, kept, places)) return parts;
  }
  return [];
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
