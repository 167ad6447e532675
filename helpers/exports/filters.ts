import { isUuidShaped } from '../../schemas/identifier.ts';
import { listFilters, metadataKeys } from '../../schemas/operations.ts';
import type { FilterValues } from '../config/settings.ts';
import type { Row } from '../csv/csv-form.ts';
import { difference, isSame, isSubset, type Multiset, multiset, without } from '../csv/multiset.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import { type ReadingKind, words } from './cell-readings.ts';
import { eventsOf, isAnyOutside, type KnownColumns } from './columns.ts';
import type { CsvDownload } from './downloads.ts';
import { type Filter, type FilterSet, filters, isListFilter } from './query.ts';
import {
  distinctiveValues,
  type ShownValues,
  shownValuesOf,
  similarValues,
} from './shown-values.ts';
import type { TimeRange } from './window.ts';

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
  readonly unmatched:
    | { readonly value: string; readonly times: number; readonly download: CsvDownload }
    | undefined;
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

/** Whether values stand in it as they are. */
export function isFaithful({ kind }: KnownPlace): boolean {
  return kind === 'cell' || kind === 'part';
}

/** So many values confirm that a column shows what the filter selects by, before another one is measured by it. */
const enoughConfirmed = 2;

export function isConfirmed(shown: KnownPlace): boolean {
  return isFaithful(shown) && shown.confirmedBy >= enoughConfirmed;
}

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

/** How many values are tried for one filter one by one, and for all metadata keys together. */
const maxTries = { list: 8, metadataKey: 10, metadata: 64 };
/** How many values of a list parameter are asked about in one request. */
const maxTogether = 60;
/** How many values are looked for; of a metadata key, one value is sent at a time. */
const enoughValues = { list: 3, metadataKey: 2 };

/**
 * Finds for each filter values that keep some events and not all, and the place in which rows show them. What is read
 * off the rows is a candidate: only what an export has confirmed is known. Where rows show no value, the filter stays
 * without a place: relations between exports still judge it.
 */
export async function learnFilters(clues: FilterClues): Promise<KnownFilters> {
  const { base, window, columns, impossible } = clues;
  const shown = shownValuesOf(base, columns.ignored);
  const downloads: CsvDownload[] = [];
  const found = new Map<Filter, Learned>();
  const free = new Set(shown);
  const learnOne = async (filter: Filter, tries: number): Promise<number> => {
    const search = new Search(filter, shown, clues);
    const learned = await search.find(candidatesFor(filter, [...free], clues), tries);
    downloads.push(...search.downloads);
    found.set(filter, learned);
    // What is another one's is left to that one.
    if (exchangedIn(filter, learned) === undefined) {
      for (const place of taken(learned.place, shown)) free.delete(place);
    }
    return search.downloads.length;
  };
  const keys = mostPromisingFirst(shown, clues);
  askAhead(keys, shown, clues);
  await Promise.all(listFilters.map((filter) => learnOne(filter, maxTries.list)));
  // One after the other: what is known to belong to one key need not be tried for the next.
  let triesLeft = maxTries.metadata;
  for (const key of keys) {
    triesLeft -= await learnOne(key, Math.min(maxTries.metadataKey, triesLeft));
  }
  const beyondWindow = downloads.find(({ table }) => {
    if (table === undefined || columns.times === undefined) return false;
    const [events, all] = [eventsOf(table, columns.ignored), eventsOf(base, columns.ignored)];
    return isAnyOutside(difference(events, all).missing, window, columns.times);
  });
  const unclear = downloads.find(
    (download) => download.table !== undefined && effectOf(download, clues) === 'unclear',
  );
  return { known: knownIn(found, clues), impossible, beyondWindow, unclear };
}

/**
 * Asks at once what the search of each key is going to ask first, and what right after it, where a place is named like
 * that key, and like none before it: no answer to another key changes that. The search then finds its downloads under way.
 */
function askAhead(
  keys: readonly Filter[],
  shown: readonly ShownValues[],
  clues: FilterClues,
): void {
  const places = new Set<ShownValues>();
  for (const key of keys) {
    const [first] = candidatesFor(key, shown, clues);
    const place = first?.shown;
    if (first === undefined || place === undefined || places.has(place)) continue;
    if (likeness(place.name, key) === 'none') continue;
    places.add(place);
    const near = nearValue(first.value, place);
    const asked = [first.value, ...(near === undefined ? [] : [near])];
    // Whether they arrive is for the search to see.
    inTurn(asked, (value) => clues.fetch({ [key]: [value] })).catch(() => {});
  }
}

async function inTurn<T>(all: readonly T[], ask: (one: T) => Promise<unknown>): Promise<void> {
  for (const one of all) await ask(one);
}

/** In the order of the document, whatever was learned first. */
function knownIn(
  found: ReadonlyMap<Filter, Learned>,
  clues: FilterClues,
): ReadonlyMap<Filter, KnownFilter> {
  const isServed = (filter: Filter): boolean => found.get(filter)?.isServed === true;
  return new Map(
    filters.flatMap((filter) => {
      const learned = found.get(filter);
      if (learned === undefined) return [];
      // Where all lists, or all keys, are refused, it may be the way in which they are sent.
      const areOthersServed = filters.some(
        (other) => isListFilter(other) === isListFilter(filter) && isServed(other),
      );
      const refused =
        areOthersServed && !isServed(filter) ? mustBeServed(filter, learned, clues) : undefined;
      const exchanged = exchangedIn(filter, learned);
      return [[filter, { ...learned.filter, refused, exchanged }] as const];
    }),
  );
}

/**
 * A refused value that must be served. A value that the target does not know may be refused: so it must be configured, an
 * example of the document, the id of a record at hand, or what several of the target's own rows show under a name of this
 * filter, as an id or a code. A server error is none of the answers to unknown values.
 */
function mustBeServed(
  filter: Filter,
  { refused }: Learned,
  { given, records }: FilterClues,
): CsvDownload | undefined {
  const wantsId = wantsIds(filter);
  const documented = [
    ...configured(filter, given),
    ...(examples[filter] ?? []),
    ...(wantsId ? (records[filter] ?? []) : []),
  ];
  const isOwn = ({ value, shown }: Candidate): boolean =>
    shown !== undefined &&
    !isListFilter(filter) &&
    isMarkedOff(shown) &&
    isNamedFor(shown, filter) &&
    (wantsId ? isUuidShaped(value) : code.test(value));
  const own = refused.filter(isOwn);
  const certain = [
    ...refused.filter(({ value }) => documented.includes(value)),
    ...(own.length > 1 ? own : []),
    ...refused.filter(({ download }) => download.answer.status >= 500),
  ];
  return certain[0]?.download;
}

/** Whether rows mark its values off from other text. */
function isMarkedOff({ kind }: ShownValues): boolean {
  return kind === 'cell' || kind === 'part';
}

function wantsIds(filter: Filter): boolean {
  return /_id\]?$/.test(filter);
}

/** Whether a place has the name of the filter, or a part of it. */
function isNamedFor({ name }: ShownValues, filter: Filter): boolean {
  const like = likeness(name, filter);
  return like === 'same' || like === 'all words' || (like !== 'none' && isPartOf(name, filter));
}

/** Whether the cells themselves name the key as requests do: they hold what is stored. */
function isSpelledAs({ kind, name }: ShownValues, filter: Filter): boolean {
  return kind === 'part' && filter === `metadata[${name}]`;
}

/**
 * Whether a metadata key selects by values that rows show under the name of another one, and not by those that they show
 * under its own name: ids, or codes where the cells spell the key. Two names that both fit, and one that fits both keys, say nothing.
 */
function exchangedIn(
  filter: Filter,
  { place, filter: { values }, unmatched }: Learned,
): Exchanged | undefined {
  const [first] = values;
  if (isListFilter(filter) || first === undefined || place === undefined) return undefined;
  const own = unmatched.filter(({ value, shown }) => {
    if (shown === undefined || !isMarkedOff(shown) || !isNamedFor(shown, filter)) return false;
    return isUuidShaped(value) || (isSpelledAs(shown, filter) && code.test(value));
  });
  const isClear = isMarkedOff(place) && (place.areIds || place.kind === 'part');
  if (own.length < 2 || !isClear || isNamedFor(place, filter)) return undefined;
  const other = filters.find(
    (one) =>
      !isListFilter(one) &&
      (place.areIds ? isNamedFor(place, one) : isSpelledAs(place, one)) &&
      !own.some(({ shown }) => shown !== undefined && isNamedFor(shown, one)),
  );
  if (other === undefined) return undefined;
  return { other, kept: first.download, unmatched: own.map(({ download }) => download) };
}

/** The readings of the same cells, or of the same part of them, which show values of no other filter. */
function taken(
  found: ShownValues | undefined,
  shown: readonly ShownValues[],
): readonly ShownValues[] {
  if (found === undefined) return [];
  const isWhole = ({ kind }: ShownValues): boolean => kind === 'cell' || kind === 'code';
  return shown.filter(
    ({ column, name }) => column === found.column && (isWhole(found) || name === found.name),
  );
}

/** The metadata keys; first those for which more than the form of values shows where to look. */
function mostPromisingFirst(shown: readonly ShownValues[], clues: FilterClues): Filter[] {
  const keys = filters.filter((filter) => !isListFilter(filter));
  const isPromising = (key: Filter): boolean =>
    configured(key, clues.given).length > 0 ||
    shown.some(({ name }) => likeness(name, key) !== 'none') ||
    (clues.records[key] ?? []).some((id) => shown.some(({ rows }) => rows.has(id)));
  const promising = keys.filter(isPromising);
  return [...promising, ...keys.filter((key) => !promising.includes(key))];
}

function configured(filter: Filter, given: FilterValues): readonly string[] {
  if (isListFilter(filter)) return given[filter] ?? [];
  const key = metadataKeys.find((one) => filter === `metadata[${one}]`);
  return (key && given.metadata?.[key]) ?? [];
}

/** From the one that says most clearly where a value ends. */
const kinds: readonly ReadingKind[] = ['cell', 'part', 'code', 'text'];

/** A value to try. */
interface Candidate {
  readonly value: string;
  /** What shows the value; undefined where nothing is known to. */
  readonly shown: ShownValues | undefined;
}

/** Values to try, the most promising first. */
function candidatesFor(
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
  const isSimilar = ({ name, areIds }: ShownValues): boolean => {
    const like = likeness(name, filter);
    return areIds === wantsId ? like !== 'none' : like === 'same';
  };
  const endsClearly = ({ kind }: ShownValues): boolean => kind !== 'text' || wantsId;
  const similar = shown
    .filter(isSimilar)
    .sort((a, b) => rank(likeness(b.name, filter)) - rank(likeness(a.name, filter)));
  const other = shown
    .filter((one) => !similar.includes(one) && one.areIds === wantsId)
    .filter(({ rows }) => rows.size <= base.rows.length / 2 || wantsId)
    .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
    .sort((a, b) => Number(isRepeated(b)) - Number(isRepeated(a)));
  const ofDocument = examples[filter] ?? [];
  const ofRecords = records[filter] ?? [];

  const list = [
    ...configured(filter, given).map((value) => showing(value)[0] ?? unseen(value)),
    // A value may end where another reading of the same cell goes on: the longest was listed first.
    ...similar
      .filter(endsClearly)
      .slice(0, 6)
      .flatMap((one, index) => bestOf(one, index === 0 ? 6 : 1)),
    ...ofDocument.flatMap((value) => {
      const [first] = showing(value);
      // Another value of the same column too: where the filter knows neither, it does not select by what is shown.
      return first?.shown === undefined ? [] : [first, ...bestOf(first.shown, 1)];
    }),
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
function wordsShown(shown: readonly ShownValues[], { rows: all }: CsvTable): Candidate[] {
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

/** How similar a heading and the name of a filter are, the least first: a hint about where to look, and no more. */
const likenesses = ['none', 'some words', 'all words', 'same'] as const;
type Likeness = (typeof likenesses)[number];

function rank(likeness: Likeness): number {
  return likenesses.indexOf(likeness);
}

function likeness(heading: string, filter: Filter): Likeness {
  const wanted = words(filter.replace('metadata[', ''));
  const found = words(heading).map((word) => word.toLowerCase());
  if (found.length === 0) return 'none';
  if (found.join('') === wanted.join('')) return 'same';
  if (wanted.every((word) => found.includes(word))) return 'all words';
  const isSpecific = (word: string): boolean => word !== 'id' && word !== 'type';
  const specific = wanted.filter(isSpecific);
  const isRelated = found.some((word) => specific.includes(word));
  return isPartOf(heading, filter) || isRelated ? 'some words' : 'none';
}

/** Whether a heading has no word that the name of a filter has not, and not only the word id. */
function isPartOf(heading: string, filter: Filter): boolean {
  const wanted = words(filter.replace('metadata[', ''));
  const found = words(heading).map((word) => word.toLowerCase());
  return found.some((word) => word !== 'id') && found.every((word) => wanted.includes(word));
}

/** The value cut by a character; of a text, the last of its words too, and the text with a wildcard of SQL in it. */
export function nearValues(value: string): string[] {
  const cut = value.slice(0, -1);
  if (isUuidShaped(value)) return [cut];
  const [last = ''] = /[\p{L}\p{N}]+$/u.exec(value) ?? [];
  return [cut, last, `_${value.slice(1)}`].filter(
    (near) => near !== '' && near !== value && near.trim() === near,
  );
}

/** The first of the values near to one that its place does not show. */
function nearValue(value: string, place: ShownValues | undefined): string | undefined {
  return nearValues(value).find((near) => place?.rows.has(near) !== true);
}

/** What was learned of one filter. */
interface Learned {
  readonly filter: Omit<KnownFilter, 'refused' | 'exchanged'>;
  readonly place: ShownValues | undefined;
  readonly unmatched: readonly Answered[];
  readonly refused: readonly Answered[];
  /** Whether any of its values was answered with an export. */
  readonly isServed: boolean;
}

/** A value that was asked for, and what it gave. */
interface Answered extends Candidate {
  readonly download: CsvDownload;
}

/** Asks for candidates until enough is known of a filter. */
class Search {
  readonly downloads: CsvDownload[] = [];
  readonly #filter: Filter;
  readonly #shown: readonly ShownValues[];
  readonly #clues: FilterClues;
  readonly #values: KnownValue[] = [];
  readonly #unmatched: Answered[] = [];
  readonly #refused: Answered[] = [];
  readonly #asked = new Set<string>();

  constructor(filter: Filter, shown: readonly ShownValues[], clues: FilterClues) {
    this.#filter = filter;
    this.#shown = shown;
    this.#clues = clues;
  }

  async find(candidates: readonly Candidate[], maxTries: number): Promise<Learned> {
    const place = await this.#findFirst(candidates.slice(0, maxTries));
    this.#askNear(place);
    const isUnmarked = place === undefined || place.kind === 'text';
    if (!isUnmarked) await this.#askFurther(place);
    else if (this.#values.length > 0) await this.#findMore(candidates.slice(0, maxTries));
    if (!isUnmarked) this.#askTogether();
    const isList = isListFilter(this.#filter) && this.#keptAll === undefined;
    if (isUnmarked && isList && this.#values.length < enoughValues.list) {
      const words = wordsShown(this.#shown, this.#clues.base);
      await this.#findMore(await this.#amongMany(words));
      await this.#findMore(words.slice(0, maxTries));
    }
    const best = this.#bestPlace();
    return {
      filter: {
        values: this.#values,
        shown: best && this.#knownPlace(best),
        unmatched: expectedToMatch(this.#filter, this.#unmatched),
        keptAll: this.#keptAll,
      },
      place: best,
      unmatched: this.#unmatched,
      refused: this.#refused,
      isServed: this.downloads.some(({ table }) => table !== undefined),
    };
  }

  #keptAll: CsvDownload | undefined;

  /** Asks until a value keeps events. @returns the place that shows exactly these */
  async #findFirst(candidates: readonly Candidate[]): Promise<ShownValues | undefined> {
    for (const candidate of candidates) {
      const kept = await this.#ask(candidate);
      if (this.#keptAll !== undefined) return undefined;
      if (kept !== undefined) return this.#placeOf(kept, candidate.shown);
    }
    return undefined;
  }

  /**
   * Asks for what scenarios compare with the first value, right after it: a service that keeps answers, and takes one query
   * for another, does so for a while only.
   */
  #askNear(place: ShownValues | undefined): void {
    const [first] = this.#values;
    if (first === undefined) return;
    const near = nearValue(first.value, place);
    if (near !== undefined) this.#askForLater([near]);
  }

  /** The same with several values of a list. */
  #askTogether(): void {
    const values = this.#values.map(({ value }) => value);
    const [first] = values;
    if (!isListFilter(this.#filter) || first === undefined || values.length < 2) return;
    if (!values.some((value) => value.includes(','))) this.#askForLater([...values, first]);
  }

  #askForLater(values: readonly string[]): void {
    // Whether it arrives is for the scenario to see.
    this.#clues.fetch({ [this.#filter]: values }).catch(() => {});
  }

  /** Where no place shows the first value, others may be shown by one. */
  async #findMore(candidates: readonly Candidate[]): Promise<void> {
    for (const candidate of candidates) {
      if (this.#values.length >= enoughValues.list) return;
      await this.#ask(candidate);
    }
  }

  /** Further values of the same place: one that is easily mistaken for another, then the most distinctive ones. */
  async #askFurther(place: ShownValues): Promise<void> {
    const { base } = this.#clues;
    const distinctive = distinctiveValues(place, base.rows.length);
    const [ambiguous] = distinctive
      .map((value) => ({ value, similar: place.areIds ? 0 : similarValues(value, place) }))
      .filter(({ similar }) => similar > 0)
      .sort((a, b) => b.similar - a.similar);
    const isList = isListFilter(this.#filter);
    const enough = isList
      ? enoughValues.list
      : ambiguous === undefined
        ? 1
        : enoughValues.metadataKey;
    const others = [...(ambiguous === undefined ? [] : [ambiguous.value]), ...distinctive];
    const left = others.filter((value) => !this.#asked.has(value)).slice(0, enough + 1);
    while (left.length > 0 && this.#values.length < enough) {
      const next = [...new Set(left.splice(0, enough - this.#values.length))];
      await this.#askAll(next.map((value) => ({ value, shown: place })));
    }
  }

  /** Asks for all candidates in one request, and keeps those that it may have matched. */
  async #amongMany(candidates: readonly Candidate[]): Promise<Candidate[]> {
    const download = await this.#clues.fetch({
      [this.#filter]: candidates.map(({ value }) => value),
    });
    this.downloads.push(download);
    const effect = effectOf(download, this.#clues);
    if (typeof effect === 'string') return [];
    const isMatched = ({ value, shown }: Candidate): boolean =>
      shown !== undefined && isSubset(this.#showing(shown, value), effect);
    return candidates
      .filter(({ value }) => !this.#asked.has(value))
      .filter(isMatched)
      .slice(0, maxTries.list);
  }

  async #ask(candidate: Candidate): Promise<KnownValue | undefined> {
    const [known] = await this.#askAll([candidate]);
    return known;
  }

  /** Asks for several at once, and learns from the answers in this order. */
  async #askAll(candidates: readonly Candidate[]): Promise<(KnownValue | undefined)[]> {
    const fresh = candidates.filter(({ value }) => !this.#asked.has(value));
    for (const { value } of fresh) this.#asked.add(value);
    const downloads = await Promise.all(
      fresh.map(({ value }) => this.#clues.fetch({ [this.#filter]: [value] })),
    );
    return fresh.map((candidate, index) => this.#learnFrom(candidate, downloads[index]));
  }

  #learnFrom(candidate: Candidate, download: CsvDownload | undefined): KnownValue | undefined {
    if (download === undefined) return undefined;
    const { value, shown } = candidate;
    this.downloads.push(download);
    if (isRefusal(download)) this.#refused.push({ ...candidate, download });
    const events = effectOf(download, this.#clues);
    if (events === 'keeps none') this.#unmatched.push({ ...candidate, download });
    // Rows show other values too, and nothing was left out: the filter is ignored.
    if (events === 'keeps all' && shown !== undefined && shown.kind !== 'text') {
      this.#keptAll ??= download;
    }
    if (typeof events === 'string') return undefined;
    const known = { value, events, download };
    this.#values.push(known);
    return known;
  }

  /** A place that shows a value in exactly the events that it keeps. */
  #placeOf(
    { value, events }: KnownValue,
    expected: ShownValues | undefined,
  ): ShownValues | undefined {
    const places = [
      ...(expected === undefined ? [] : [expected]),
      ...this.#placesFor(({ rows }) => rows.get(value)?.length === events.size),
    ];
    return places.find((place) => this.#isConfirmed(place, { value, events }));
  }

  /**
   * The place that most values confirm: of several, the one that says most clearly where a value ends. Words of a text
   * are the last resort: a filter by which any word of a value is enough would be right by them.
   */
  #bestPlace(): ShownValues | undefined {
    const places = this.#placesFor(({ rows }) => this.#values.some(({ value }) => rows.has(value)));
    const confirmed = places
      .map((place) => ({ place, times: this.#timesConfirmed(place) }))
      .filter(({ times }) => times > 0)
      .sort((a, b) => isText(a.place) - isText(b.place) || b.times - a.times);
    return confirmed[0]?.place;
  }

  /** In the order in which they are to be preferred. */
  #placesFor(isPossible: (place: ShownValues) => boolean): ShownValues[] {
    const like = ({ name }: ShownValues): number => rank(likeness(name, this.#filter));
    return this.#shown
      .filter(isPossible)
      .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || like(b) - like(a));
  }

  #timesConfirmed(place: ShownValues): number {
    return this.#values.filter((known) => this.#isConfirmed(place, known)).length;
  }

  #isConfirmed(
    place: ShownValues,
    { value, events }: Pick<KnownValue, 'value' | 'events'>,
  ): boolean {
    return isSame(this.#showing(place, value), events);
  }

  #showing({ rows }: ShownValues, value: string): Multiset {
    return multiset(rows.get(value) ?? [], this.#clues.columns.ignored);
  }

  #knownPlace(place: ShownValues): KnownPlace {
    return {
      column: place.column,
      kind: place.kind,
      read: (row) => place.read(row)[0],
      confirmedBy: this.#timesConfirmed(place),
      values: [...place.rows.keys()],
      eventsShowing: (value) => this.#showing(place, value),
    };
  }
}

/** Not for the key, nor because there was too much to do. */
function isRefusal({ answer: { status } }: CsvDownload): boolean {
  return status >= 400 && ![401, 429, 503].includes(status);
}

function isText({ kind }: ShownValues): 0 | 1 {
  return kind === 'text' ? 1 : 0;
}

/** The events of the window that a filter keeps. `unclear`: it was refused, or selected other events. */
function effectOf(
  { table }: CsvDownload,
  { base, columns }: FilterClues,
): Multiset | 'keeps none' | 'keeps all' | 'unclear' {
  if (table === undefined) return 'unclear';
  if (table.count === 0) return 'keeps none';
  if (table.count === base.count) return 'keeps all';
  const [events, all] = [eventsOf(table, columns.ignored), eventsOf(base, columns.ignored)];
  if (isSubset(events, all)) return events;
  const { extra } = difference(all, events);
  const kept = without(events, multiset(extra, columns.ignored));
  return extra.length <= maxNew && extra.length < kept.size ? kept : 'unclear';
}

/** So many events may have been recorded since the window was read. */
const maxNew = 6;

/** As codes are written, and labels for people are not. */
const code = /^[a-z0-9]+(?:[_.-][a-z0-9]+)*$/;

/**
 * A value that the filter should match and does not. What a column shows may be labels, names, or some of several
 * values: so it must be an example of the document, in a column of codes that is named like the filter, or ids under the
 * name of a metadata key; and no other value of it is matched either.
 */
function expectedToMatch(filter: Filter, unmatched: readonly Answered[]): KnownFilter['unmatched'] {
  for (const { value, shown, download } of unmatched) {
    if (shown === undefined || (shown.kind !== 'cell' && shown.kind !== 'part')) continue;
    const all = [...shown.rows.keys()];
    const hasOthers = unmatched.some((other) => other.shown === shown && other.value !== value);
    const like = likeness(shown.name, filter);
    const isExample =
      examples[filter]?.includes(value) === true &&
      all.every((one) => code.test(one.toLowerCase()));
    const isNamedId = !isListFilter(filter) && like === 'same' && all.every(isUuidShaped);
    const isNamedCode = isSpelledAs(shown, filter) && code.test(value);
    if (hasOthers && (isNamedId || isNamedCode || (isExample && like !== 'none'))) {
      return { value, times: shown.rows.get(value)?.length ?? 0, download };
    }
  }
  return undefined;
}
