/*
 * Values that a filter may select by, read off what rows show, off the configuration, the document and the records at hand:
 * candidates, of which none is known before an export has confirmed it.
 */
import { isUuidShaped } from '../../schemas/identifier.ts';
import { metadataKeys } from '../../schemas/operations.ts';
import type { FilterValues } from '../config/settings.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import { type ReadingKind, words } from './cell-readings.ts';
import type { KnownColumns } from './columns.ts';
import type { CsvDownload } from './downloads.ts';
import { type Filter, type FilterSet, isListFilter } from './query.ts';
import { distinctiveValues, type ShownValues } from './shown-values.ts';
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
  readonly records: { readonly [F in Filter]?: readonly string[] };
  /** Fetches the events of the window that match. */
  readonly fetch: (filters: FilterSet) => Promise<CsvDownload>;
}

/** Values that the document gives as examples (4. Export audit events). */
export const examples: { readonly [F in Filter]?: readonly string[] } = {
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

/** How like the name of a filter a heading is: a hint about where to look, and no more. The more, the higher. */
export const named = { otherwise: 0, withAWord: 1, withItsWordsOnly: 2, withAllWords: 3, same: 4 };

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

/** Whether a place has the name of the filter, or a part of it. */
export function isNamedFor({ name }: Pick<ShownValues, 'name'>, filter: Filter): boolean {
  return likeness(name, filter) >= named.withItsWordsOnly;
}

/** Whether the cells themselves name the key as requests do: they hold what is stored. */
export function isSpelledAs({ kind, name }: ShownValues, filter: Filter): boolean {
  return kind === 'part' && filter === `metadata[${name}]`;
}

/** From the one that says most clearly where a value ends. */
export const kinds: readonly ReadingKind[] = ['cell', 'part', 'code', 'text'];

/** A value to try. */
export interface Candidate {
  readonly value: string;
  /** What shows the value; undefined where nothing is known to. */
  readonly shown: ShownValues | undefined;
}

/** So many values of the column that is named like a filter, none of which keeps any event, say that it shows more than them. */
const enoughSimilar = 3;

/** Values to try, the most promising first. */
export function candidatesFor(
  filter: Filter,
  shown: readonly ShownValues[],
  { base, given, records }: FilterClues,
): Candidate[] {
  const unseen = (value: string): Candidate => ({ value, shown: undefined });
  const showing = (value: string): Candidate[] =>
    shown.filter(({ rows }) => rows.has(value)).map((one) => ({ value, shown: one }));
  const bestOf = (one: ShownValues, count: number): Candidate[] =>
    distinctiveValues(one, base.rows.length)
      .slice(0, count)
      .map((value) => ({ value, shown: one }));

  const wantsId = wantsIds(filter);
  // What is called an id need not look like one.
  const isSimilar = (place: ShownValues): boolean =>
    place.areIds === wantsId
      ? likeness(place.name, filter) > named.otherwise
      : isNamedFor(place, filter);
  const endsClearly = ({ kind }: ShownValues): boolean => kind !== 'text' || wantsId;
  const similar = shown
    .filter(isSimilar)
    .sort((a, b) => likeness(b.name, filter) - likeness(a.name, filter));
  const other = shown
    .filter((one) => !similar.includes(one) && one.areIds === wantsId)
    .filter(({ rows }) => rows.size <= base.rows.length / 2 || wantsId)
    .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
    .sort((a, b) => Number(isRepeated(b)) - Number(isRepeated(a)));
  const ofDocument = examples[filter] ?? [];
  const ofRecords = records[filter] ?? [];

  // A value may end where another reading of the same cell goes on: the longest was listed first.
  const ofSimilar = similar
    .filter(endsClearly)
    .slice(0, 6)
    .flatMap((one, index) => bestOf(one, index === 0 ? 6 : 1));
  const list = [
    ...configured(filter, given).map((value) => showing(value)[0] ?? unseen(value)),
    ...ofSimilar.slice(0, enoughSimilar),
    ...ofDocument.flatMap((value) => {
      const [first] = showing(value);
      // Another value of the same column too: where the filter knows neither, it does not select by what is shown.
      return first?.shown === undefined ? [] : [first, ...bestOf(first.shown, 1)];
    }),
    ...ofSimilar.slice(enoughSimilar),
    ...ofRecords.flatMap((value) => showing(value).slice(0, 1)),
    ...ofDocument.map(unseen),
    ...ofRecords.map(unseen),
    ...similar.flatMap((one) => bestOf(one, 2)),
    ...other.flatMap((one) => bestOf(one, 1)),
    ...other.flatMap((one) => bestOf(one, 20)),
  ];
  const values = new Set<string>();
  return list.filter(({ value }) => !values.has(value) && values.add(value));
}

/**
 * Single words that some of the rows show: of a sentence any of them may be a value. First those in small letters, as
 * codes are and names are not, the most frequent first.
 */
export function wordsShown(shown: readonly ShownValues[], { rows: all }: CsvTable): Candidate[] {
  const found = new Map<string, { readonly candidate: Candidate; readonly times: number }>();
  for (const place of shown) {
    if (place.areIds) continue;
    for (const [value, { length: times }] of place.rows) {
      const isUsual = times > 1 && times < all.length * 0.7;
      if (!isUsual || !code.test(value.toLowerCase()) || found.has(value)) continue;
      found.set(value, { candidate: { value, shown: place }, times });
    }
  }
  return [...found.values()]
    .sort((a, b) => b.times - a.times)
    .sort((a, b) => Number(isCode(b.candidate)) - Number(isCode(a.candidate)))
    .slice(0, maxTogether)
    .map(({ candidate }) => candidate);
}

function isCode({ value }: Candidate): boolean {
  return code.test(value);
}

function isRepeated({ rows }: ShownValues): boolean {
  return [...rows.values()].some(({ length }) => length > 1);
}

/**
 * Values that only a filter which matches parts or patterns takes for this one: it without its last character; of a text, also its
 * last word, and it with a wildcard of SQL.
 */
export function nearValues(value: string): string[] {
  const cut = value.slice(0, -1);
  if (isUuidShaped(value)) return [cut];
  const [last = ''] = /[\p{L}\p{N}]+$/u.exec(value) ?? [];
  return [cut, last, `_${value.slice(1)}`].filter(
    (near) => near !== '' && near !== value && near.trim() === near,
  );
}

/** The first near value that rows do not show where they show the value itself: a right filter keeps no event for it. */
export function firstUnshownNear(
  value: string,
  place: ShownValues | undefined,
): string | undefined {
  return nearValues(value).find((near) => place?.rows.has(near) !== true);
}

/** As codes are written, and labels for people are not. */
export const code = /^[a-z0-9]+(?:[_.-][a-z0-9]+)*$/;
