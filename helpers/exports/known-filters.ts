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
  /** A filter's export of the window that holds events from outside of it; undefined where none was seen. */
  readonly beyondWindow: CsvDownload | undefined;
  /** What a value gave that was not used: it kept events which the window did not hold before. */
  readonly unclear: CsvDownload | undefined;
}

export interface KnownFilter {
  /** Values that keep some events of the window and not all, each of them asked for; best first. */
  readonly values: readonly KnownValue[];
  /** Where rows show the values; undefined where no export has confirmed a place that does. */
  readonly shown: KnownPlace | undefined;
  /** A value that rows show as one of this filter, and for which the filter left none of them. */
  readonly unmatched: LostEvents | undefined;
  /** What the first of its values gave: all events, although rows show others than that one. */
  readonly keptAll: CsvDownload | undefined;
  /** Of a value that must be served: where every value of this filter is refused, and values of others are served. */
  readonly refused: CsvDownload | undefined;
  /** Where a metadata key selects by what rows show as another one's. */
  readonly exchanged: Exchanged | undefined;
}

/** A metadata key that takes the values of another one for its own. */
export interface Exchanged {
  readonly other: Filter;
  /** With a value that rows show as the other key's: it keeps exactly the events that show it. */
  readonly kept: CsvDownload;
  /** With values that rows show as its own, none of which keeps an event. */
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
  /** undefined where a row shows none. */
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

/** So many values confirm that a column shows what the filter selects by, before another one is measured by it. */
const enoughConfirmed = 2;

export function isConfirmed(shown: KnownPlace): boolean {
  return isFaithful(shown) && shown.confirmedBy >= enoughConfirmed;
}

/** So many further values make no request too long. */
const maxFurther = 6;

/**
 * Every other one of the ids that rows show, but for those that are known, to be asked for with them in one list: that one
 * of these keeps the events of another is seen by those of the ids that are left out. None where it is not certain that rows
 * show what the filter selects by.
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
  for (const place of places.filter(isFaithful)) {
    const parts = values.flatMap((known) => {
      const rows = place.rows.get(known.value);
      const isKept = (row: Row): boolean => known.events.entries.has(keyOfRow(row, ignored));
      const kept = rows?.filter(isKept) ?? [];
      return rows ? [{ known, kept, lost: rows.filter((row) => !isKept(row)) }] : [];
    });
    const areLosing = parts.every(
      // That a place shows something else is seen in what is kept without being shown.
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
