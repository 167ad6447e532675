/* Candidates: values that a filter may select by; none is known before an export has confirmed it. */

import { metadataKeys } from '../../schemas/operations.ts';
import { isUuidShaped } from '../../schemas/resources.ts';
import type { FilterValues } from '../config/settings.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import { type ReadingKind, words } from './cell-readings.ts';
import type { KnownColumns } from './columns.ts';
import type { CsvDownload } from './downloads.ts';
import { type Filter, type FilterSet, isListFilter } from './query.ts';
import { distinctiveValues, type Place } from './shown-values.ts';
import type { TimeRange } from './window.ts';

/** What finding values starts from. */
export interface FilterClues {
  readonly base: CsvTable;
  readonly window: TimeRange;
  readonly columns: KnownColumns;
  /** A value that no event has. */
  readonly impossible: string;
  /** Values known to occur, by configuration. */
  readonly given: FilterValues;
  /** Ids of records at hand, by filter. */
  readonly records: FilterSet;
  readonly fetch: (filters: FilterSet) => Promise<CsvDownload>;
}

/** Values that the document gives as examples (4. Export audit events). */
export const examples: FilterSet = {
  event_type: ['assessment'],
  sub_type: ['created', 'updated'],
  system_source: ['assessment_service', 'task_platform'],
};

/** How many values of a list parameter are asked about in one request. */
const maxTogether = 60;

/** The values of a filter that the configuration gives. */
export function configured(filter: Filter, given: FilterValues): readonly string[] {
  if (isListFilter(filter)) return given[filter] ?? [];
  const key = metadataKeys.find((one) => filter === `metadata[${one}]`);
  return (key && given.metadata?.[key]) ?? [];
}

/** Whether the name of a filter says that its values are ids. */
export function wantsIds(filter: Filter): boolean {
  return /_id\]?$/.test(filter);
}

/** Grades of likeness between a heading and the name of a filter, higher for more: only a hint about where to look. */
export const named = { otherwise: 0, withAWord: 1, withItsWordsOnly: 2, withAllWords: 3, same: 4 };

/** The grade of `named` for a heading: “Task ID” is `same` for task_id, “Task” has `withItsWordsOnly`. */
export function likeness(heading: string, filter: Filter): number {
  const wanted = words(filter.replace('metadata[', ''));
  const found = words(heading).map((word) => word.toLowerCase());
  if (found.join('') === wanted.join('')) return named.same;
  if (wanted.every((word) => found.includes(word))) return named.withAllWords;
  const isTelling = found.some((word) => word !== 'id');
  if (isTelling && found.every((word) => wanted.includes(word))) return named.withItsWordsOnly;
  const isOwn = (word: string): boolean =>
    word !== 'id' && word !== 'type' && wanted.includes(word);
  return found.some(isOwn) ? named.withAWord : named.otherwise;
}

/** Whether a place is named with the words of the filter: all of them, with others or not, or some and no others. */
export function isNamedFor({ name }: Pick<Place, 'name'>, filter: Filter): boolean {
  return likeness(name, filter) >= named.withItsWordsOnly;
}

/** Whether cells name the metadata key exactly as requests do (`"task_id": …`): their values are then as stored. */
export function isSpelledAs({ kind, name }: Place, filter: Filter): boolean {
  return kind === 'part' && filter === `metadata[${name}]`;
}

/** In order of how clearly a reading shows where a value ends, the clearest first. */
export const kinds: readonly ReadingKind[] = ['cell', 'part', 'code', 'text'];

/** A value to try. */
export interface Candidate {
  readonly value: string;
  /** The place whose rows show the value; undefined where no place does. */
  readonly shown: Place | undefined;
}

/** How many values of a place named like the filter are tried before the examples: if none matches, others will not. */
const enoughSimilar = 3;

/** The values to try for a filter, the most promising first, each of them once. */
export function candidatesFor(
  filter: Filter,
  shown: readonly Place[],
  { base, given, records }: FilterClues,
): Candidate[] {
  const { similar, other } = placesFor(filter, shown, base.rows.length);
  const candidate = (value: string): Candidate => {
    return { value, shown: shown.find(({ rows }) => rows.has(value)) };
  };
  const bestValuesOf = (place: Place, count: number): Candidate[] =>
    distinctiveValues(place, base.rows.length)
      .slice(0, count)
      .map((value) => ({ value, shown: place }));
  const ofDocument = (examples[filter] ?? []).map(candidate);
  const ofRecords = (records[filter] ?? []).map(candidate);
  // Several readings of one cell differ in where its value ends. The first of them is the one with the longest values.
  const ofSimilar = similar
    .filter(({ kind }) => kind !== 'text' || wantsIds(filter))
    .slice(0, 6)
    .flatMap((place, index) => bestValuesOf(place, index === 0 ? 6 : 1));
  return eachOnce([
    ...configured(filter, given).map(candidate),
    ...ofSimilar.slice(0, enoughSimilar),
    // With a second value of that column: a filter that matches neither does not select by what the column shows.
    ...ofDocument.flatMap((one) => (one.shown ? [one, ...bestValuesOf(one.shown, 1)] : [])),
    ...ofSimilar.slice(enoughSimilar),
    ...ofRecords.filter(({ shown }) => shown !== undefined),
    ...ofDocument,
    ...ofRecords,
    ...similar.flatMap((place) => bestValuesOf(place, 2)),
    ...other.flatMap((place) => bestValuesOf(place, 1)),
    ...other.flatMap((place) => bestValuesOf(place, 20)),
  ]);
}

/** The places in which the values of a filter may stand: `similar` to it by name, and others of the form of its values. */
function placesFor(filter: Filter, shown: readonly Place[], rowsInAll: number) {
  const wantsId = wantsIds(filter);
  // Where the name promises ids and the values are not UUIDs, or the reverse, the names must be closer.
  const isSimilar = (place: Place): boolean =>
    place.areIds === wantsId
      ? likeness(place.name, filter) > named.otherwise
      : isNamedFor(place, filter);
  const similar = shown
    .filter(isSimilar)
    .sort((a, b) => likeness(b.name, filter) - likeness(a.name, filter));
  const other = shown
    .filter((one) => !similar.includes(one) && one.areIds === wantsId)
    .filter(({ rows }) => rows.size <= rowsInAll / 2 || wantsId)
    .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
    .sort((a, b) => Number(isRepeated(b)) - Number(isRepeated(a)));
  return { similar, other };
}

function eachOnce<One extends Candidate>(candidates: readonly One[]): One[] {
  const values = new Set<string>();
  return candidates.filter(({ value }) => !values.has(value) && values.add(value));
}

/** Single words that some rows show: those in small letters first, as codes are written, and of them the most frequent. */
export function wordsShown(shown: readonly Place[], { rows: all }: CsvTable): Candidate[] {
  const words = shown
    .filter(({ areIds }) => !areIds)
    .flatMap((place) =>
      [...place.rows].map(([value, { length }]) => ({ value, shown: place, times: length })),
    )
    .filter(({ value, times }) => {
      return times > 1 && times < all.length * 0.7 && code.test(value.toLowerCase());
    });
  return eachOnce(words)
    .sort((a, b) => b.times - a.times)
    .sort((a, b) => Number(code.test(b.value)) - Number(code.test(a.value)))
    .slice(0, maxTogether);
}

function isRepeated({ rows }: Place): boolean {
  return [...rows.values()].some(({ length }) => length > 1);
}

/** Values that only a filter by parts or patterns takes for this one: of “task kyc” “task ky”, “kyc” and “_ask kyc”. */
export function nearValues(value: string): string[] {
  const cut = value.slice(0, -1);
  if (isUuidShaped(value)) return [cut];
  const [last = ''] = /[\p{L}\p{N}]+$/u.exec(value) ?? [];
  return [cut, last, `_${value.slice(1)}`].filter(
    (near) => near !== '' && near !== value && near.trim() === near,
  );
}

/** The form of codes (`task_platform`), in which labels for people are not written. */
export const code = /^[a-z0-9]+(?:[_.-][a-z0-9]+)*$/;
