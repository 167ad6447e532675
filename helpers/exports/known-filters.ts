import { isUuidShaped, sameId } from '../../schemas/resources.ts';
import type { Row } from '../csv/csv-form.ts';
import type { Multiset } from '../csv/multiset.ts';
import type { CsvDownload } from './downloads.ts';
import type { Filter } from './query.ts';
import type { Place } from './shown-values.ts';

/** What is known of the filters. */
export interface KnownFilters {
  readonly known: ReadonlyMap<Filter, KnownFilter>;
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
  /** Further values, by which it meets other filters: some event matches both, and each leaves out events of the other. */
  readonly further?: readonly KnownValue[];
  /** Where rows show the values; undefined where no export has confirmed a place that does. */
  readonly shown: KnownPlace | undefined;
  /** A value that rows show as one of this filter, and for which it keeps none of these rows. */
  readonly unmatched: { readonly known: KnownValue; readonly lost: readonly Row[] } | undefined;
  /** Where no value keeps any, exports of the window by values that rows show: they hold no events. */
  readonly empty?: readonly CsvDownload[];
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
export interface KnownPlace extends Place {
  /** How many known values keep the events that show them, apart from lost ones; one more where cells spell the key as requests. */
  readonly confirmedBy: number;
}

/** Whether values stand in a place as they are, marked off from other text. */
export function isFaithful({ kind }: Pick<Place, 'kind'>): boolean {
  return kind === 'cell' || kind === 'part';
}

/** How many values must confirm a place before further values of the filter are judged by what rows show in it. */
const enoughConfirmed = 2;

export function isConfirmed(shown: KnownPlace): boolean {
  return isFaithful(shown) && shown.confirmedBy >= enoughConfirmed;
}

/** How many further values are sent at most, so that no request is too long. */
const maxFurther = 6;

/** Every second id that rows show besides, to be sent in a list: those left out show whether an id keeps another's events. */
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
