/*
 * The search for what one filter selects by. Candidates are values that it may select by, the most promising first; none is known
 * before an export has confirmed it. They are asked for until enough of them keep some events and not all.
 */

import { metadataKeys } from '../../schemas/operations.ts';
import { isUuidShaped, sameId } from '../../schemas/resources.ts';
import type { FilterValues } from '../config/settings.ts';
import type { Row } from '../csv/csv-form.ts';
import {
  difference,
  intersection,
  isSame,
  isSubset,
  keyOfRow,
  type Multiset,
} from '../csv/multiset.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import { countsOf } from '../maps.ts';
import { kinds, words } from './cell-readings.ts';
import { eventsOf, type KnownColumns } from './columns.ts';
import type { CsvDownload } from './downloads.ts';
import { type Filter, type FilterSet, isListFilter } from './query.ts';
import { distinctiveValues, type Place, placesOf } from './shown-values.ts';
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

/** The events of the window, and what is known of their columns. */
type Window = Pick<FilterClues, 'base' | 'columns'>;

function placesIn({ base, columns }: Window): readonly Place[] {
  return placesOf(base, columns.ignored);
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
  // A column “Tags” shows several of them.
  const [wanted = [], found = []] = [filter.replace('metadata[', ''), heading].map((name) =>
    words(name).map((word) => word.toLowerCase().replace(/s$/, '')),
  );
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
function wordsShown(window: Window): Candidate[] {
  const all = window.base.rows;
  const words = placesIn(window)
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

/** Whether a place shows codes, in whatever letter case. */
export const areCodes = ({ values }: Pick<Place, 'values'>): boolean =>
  values.every((value) => code.test(value.toLowerCase()));

/** How many candidates are tried for one filter at most: of a metadata key's own place first, and in all places. */
export const maxTries = { first: 3, inAll: 8 };

/** How many values that keep events are looked for, for one filter. A metadata key takes one value a request. */
const enoughValues = { list: 3, metadataKey: 2 };

/** A value that a filter was asked for, and the events that it keeps in the window. */
export interface KnownValue {
  readonly value: string;
  readonly events: Multiset;
  readonly download: CsvDownload;
}

/** Where rows show the values of a filter. */
export interface KnownPlace extends Place {
  /** Whether enough known values keep the events that show them there: by these, further values of the filter are judged. */
  readonly isConfirmed: boolean;
}

/** How many values must confirm a place; where cells spell the name of the filter as requests do, that counts as one. */
const enoughConfirmed = 2;

/** How many further values are sent at most, so that no request is too long. */
const maxFurther = 6;

/** Every second id that rows show besides, to be sent in a list: those left out show whether an id keeps another's events. */
export function furtherIds(
  known: readonly KnownValue[],
  shown: KnownPlace | undefined,
): readonly string[] {
  const ids = shown?.isConfirmed ? shown.values.filter(isUuidShaped) : [];
  const others = ids.filter((id) => !known.some(({ value }) => sameId(value, id)));
  return others.filter((_, index) => index % 2 === 0).slice(0, maxFurther);
}

/** The events of the window that a filter keeps. `unclear`: it was refused, or kept many events of another time. */
type Effect = Multiset | 'keeps none' | 'keeps all' | 'unclear';

/** A value that was asked for, the export that it gave, and what it kept. */
export interface Asked extends Candidate {
  readonly download: CsvDownload;
  readonly effect: Effect;
}

/** Asks for candidates until enough is known of a filter; all that it learns stands in `asked`. */
export class Search {
  readonly filter: Filter;
  readonly asked: Asked[] = [];
  readonly #clues: FilterClues;

  constructor(filter: Filter, clues: FilterClues) {
    this.filter = filter;
    this.#clues = clues;
  }

  /**
   * Runs the search, or goes on with it.
   * @param places where values are looked for
   * @param tries how many of the candidates are asked for at most
   */
  async find(places: readonly Place[], tries: number): Promise<void> {
    const candidates = candidatesFor(this.filter, places, this.#clues);
    const tried = candidates.filter(({ value }) => !this.#isAsked(value)).slice(0, tries);
    await this.#askUntil(1, tried);
    const { place } = this;
    this.#askNear(place);
    if (place !== undefined && place.kind !== 'text') {
      await this.#askFurther(place);
      this.#askTogether();
      return;
    }
    // No place shows the first value: a place may show other values.
    await this.#askUntil(enoughValues.list, tried);
    const isEnough = this.values.length >= enoughValues.list || this.keptAll !== undefined;
    if (isEnough || !isListFilter(this.filter)) return;
    const words = wordsShown(this.#clues);
    await this.#askUntil(enoughValues.list, await this.#amongMany(words));
    await this.#askUntil(enoughValues.list, words.slice(0, tries));
  }

  /** The values that keep some events and not all. */
  get values(): KnownValue[] {
    return this.asked.flatMap(({ value, effect: events, download }) =>
      typeof events === 'string' ? [] : [{ value, events, download }],
    );
  }

  /** The values that keep no event. */
  get unmatched(): Asked[] {
    return this.asked.filter(({ effect }) => effect === 'keeps none');
  }

  /** The first export that held all events although rows show further values: the filter is ignored, or that value is. */
  get keptAll(): CsvDownload | undefined {
    return this.#keepingAll[0]?.download;
  }

  get #keepingAll(): Asked[] {
    return this.asked.filter(
      ({ effect, shown }) => effect === 'keeps all' && shown !== undefined && shown.kind !== 'text',
    );
  }

  /** The place that most values confirm, and that shows best where they end; words of a text, which hide some faults, last. */
  get place(): KnownPlace | undefined {
    const like = ({ name }: Place): number => likeness(name, this.filter);
    const isText = ({ kind }: Place): number => Number(kind === 'text');
    const [best] = placesIn(this.#clues)
      .map((place) => ({ place, times: this.#timesConfirmed(place) }))
      .filter(({ times }) => times > 0)
      .sort(
        ({ place: a, ...one }, { place: b, ...other }) =>
          isText(a) - isText(b) ||
          other.times - one.times ||
          kinds.indexOf(a.kind) - kinds.indexOf(b.kind) ||
          like(b) - like(a),
      );
    const isConfirmed = best?.place.isFaithful === true && best.times >= enoughConfirmed;
    const found = best && { ...best.place, isConfirmed };
    return isConfirmed ? found : (placeOfLosing(this.values, this.#clues, this.filter) ?? found);
  }

  /** How many values keep exactly the events that show them in a place; its name counts, where requests write it so. */
  #timesConfirmed(place: Place): number {
    const confirming = this.values.filter(
      ({ value, events }) =>
        place.rows.get(value)?.length === events.size && isSame(place.eventsShowing(value), events),
    );
    const isCalledSo = confirming.length > 0 && isSpelledAs(place, this.filter);
    return confirming.length + Number(isCalledSo);
  }

  /** Asks for candidates one after the other until `enough` values keep events, or the filter is seen to be ignored. */
  async #askUntil(enough: number, candidates: readonly Candidate[]): Promise<void> {
    for (const candidate of candidates) {
      const { length } = this.values;
      // One value that keeps all events may be read otherwise than others; two are not.
      if (length >= enough || (length === 0 && this.#keepingAll.length > 1)) return;
      await this.#ask([candidate]);
    }
  }

  /** Asks right away for a value near the first one that no row shows: a wrong cache answers wrongly only for a while. */
  #askNear(place: Place | undefined): void {
    const [first] = this.values;
    const near = nearValues(first?.value ?? '').find((value) => place?.rows.has(value) !== true);
    if (near !== undefined) this.#askForLater([near]);
  }

  /** Asks for several values of a list in one request right after each of them, for the same reason as `#askNear`. */
  #askTogether(): void {
    const { values, place } = this;
    const [first] = values;
    if (!isListFilter(this.filter) || first === undefined || values.length < 2) return;
    if (values.some(({ value }) => value.includes(','))) return;
    const further = furtherIds(values, place);
    this.#askForLater([...values.map(({ value }) => value), ...further, first.value]);
  }

  #askForLater(values: readonly string[]): void {
    // A request that fails is dealt with by the scenario, which asks for the same.
    this.#clues.fetch({ [this.filter]: values }).catch(() => {});
  }

  /** Asks for further values of the place: one that is easily mistaken for another, then the most distinctive ones. */
  async #askFurther(place: Place): Promise<void> {
    const distinctive = distinctiveValues(place, this.#clues.base.rows.length);
    const { list, metadataKey } = enoughValues;
    const enough = isListFilter(this.filter) ? list : place.areIds ? 1 : metadataKey;
    const left = [...(place.areIds ? [] : distinctive.slice(-1)), ...distinctive]
      .filter((value) => !this.#isAsked(value))
      .slice(0, enough + 1);
    while (left.length > 0 && this.values.length < enough) {
      const next = new Set(left.splice(0, enough - this.values.length));
      await this.#ask([...next].map((value) => ({ value, shown: place })));
    }
  }

  /** Asks for all candidates in one request. @returns those not yet asked for whose rows are all in the answer */
  async #amongMany(candidates: readonly Candidate[]): Promise<Candidate[]> {
    const values = candidates.map(({ value }) => value);
    const effect = effectOf(await this.#clues.fetch({ [this.filter]: values }), this.#clues);
    if (typeof effect === 'string') return [];
    const isKept = ({ value, shown }: Candidate): boolean =>
      shown !== undefined && isSubset(shown.eventsShowing(value), effect);
    return candidates
      .filter((one) => !this.#isAsked(one.value) && isKept(one))
      .slice(0, maxTries.inAll);
  }

  #isAsked(value: string): boolean {
    return this.asked.some((one) => one.value === value);
  }

  /** Asks for all candidates at the same time, each in its own request, and learns from the answers in their order. */
  async #ask(candidates: readonly Candidate[]): Promise<void> {
    const fresh = candidates.filter(({ value }) => !this.#isAsked(value));
    const answered = fresh.map(async (candidate): Promise<Asked> => {
      const download = await this.#clues.fetch({ [this.filter]: [candidate.value] });
      return { ...candidate, download, effect: effectOf(download, this.#clues) };
    });
    this.asked.push(...(await Promise.all(answered)));
  }
}

/** How many events of an answer may have been recorded since the window was read. */
const maxNew = 6;

function effectOf({ table }: CsvDownload, { base, columns }: FilterClues): Effect {
  if (table === undefined) return 'unclear';
  if (table.rows.length === 0) return 'keeps none';
  if (table.rows.length === base.rows.length) return 'keeps all';
  const [events, all] = [eventsOf(table, columns.ignored), eventsOf(base, columns.ignored)];
  if (isSubset(events, all)) return events;
  const kept = intersection(events, all);
  const added = events.size - kept.size;
  return added <= maxNew && added < kept.size ? kept : 'unclear';
}

/**
 * The place of a filter that loses events (`areLostBy`, `areBehindOthers`), or that is called like a list: two values at
 * least keep events that show them there, and no others.
 */
export function placeOfLosing(
  values: readonly Pick<KnownValue, 'value' | 'events'>[],
  window: Window,
  filter: Filter,
): KnownPlace | undefined {
  const keyOf = keyIn(window);
  for (const place of placesIn(window).filter(({ isFaithful }) => isFaithful)) {
    const shown = values
      .filter(({ value }) => place.rows.has(value))
      .map(({ value, events }) => ({ value, ...difference(place.eventsShowing(value), events) }));
    if (shown.length < 2) continue;
    // Where a value keeps events that do not show it, the place shows something else than the filter selects by.
    if (shown.some(({ extra }) => extra.length > 0)) continue;
    const lost = shown.flatMap(({ missing }) => missing);
    const keysOfLost = new Set(lost.map(keyOf));
    const showing = shown.flatMap(({ value }) => place.rows.get(value) ?? []);
    const kept = showing.filter((row) => !keysOfLost.has(keyOf(row)));
    // A person may be shown behind the one who caused the event.
    const isOfKey = !isListFilter(filter) && isNamedFor(place, filter);
    if (
      (isOfKey && areBehindOthers(shown, place, keyOf)) ||
      (isCalledLike(place, filter) && kept.length >= enoughEvents) ||
      areLostBy(lost, kept, window, place.read)
    )
      return { ...place, isConfirmed: true };
  }
  return undefined;
}

/** Whether whole cells show ids or codes under the name of a list: an event has one type, subtype, source and user. */
const isCalledLike = (place: Place, filter: Filter): boolean =>
  isListFilter(filter) &&
  likeness(place.name, filter) === named.same &&
  place.kind === 'cell' &&
  (place.areIds || areCodes(place));

/** Whether those events are lost, of all that show several values, that show the one asked for behind another. */
function areBehindOthers(
  shown: readonly { readonly value: string; readonly missing: readonly Row[] }[],
  { rows, read }: Place,
  keyOf: (row: Row) => string,
): boolean {
  const times = countsOf(Array.from(rows.values(), (some) => [...new Set(some)]).flat());
  const ofSeveral = shown.flatMap(({ value, missing }) => {
    const lost = new Set(missing.map(keyOf));
    return (rows.get(value) ?? [])
      .filter((row) => (times.get(row) ?? 0) > 1)
      .map((row) => ({ isFirst: read(row) === value, isLost: lost.has(keyOf(row)) }));
  });
  const { length } = ofSeveral.filter(({ isLost }) => isLost);
  return (
    Math.min(length, ofSeveral.length - length) >= enoughEvents &&
    ofSeveral.every(({ isFirst, isLost }) => isFirst !== isLost)
  );
}

/** How many events must be lost, and how many kept, so that what they have in common is no accident. */
const enoughEvents = 3;

/** What a service may trip over in a text: a line break, characters beyond ASCII, and other scripts. */
const trippingOver = [/[\r\n]/, /\P{ASCII}/u, /[^\P{L}\p{Script=Latin}]/u];

/**
 * Whether the lost events have something in common that tells nothing of what a filter selects by, and no kept one has: they are
 * empty in other places, as by a join; all newer or older, as by an old index; hold a text that a service trips over; or are of
 * the instant or second of one that was kept, as by an index that holds one for each.
 * @param shownIn which of the values asked for a row shows, where they are several
 */
export function areLostBy(
  lost: readonly Row[],
  kept: readonly Row[],
  window: Window,
  shownIn: Place['read'] = () => undefined,
): boolean {
  const { base, columns } = window;
  if (lost.length < enoughEvents || kept.length < enoughEvents) return false;
  const isOfForm = trippingOver.some((form) =>
    base.rows[0]?.some((_, at) => {
      const is = (row: Row): boolean => form.test(row[at] ?? '');
      // Where hardly any kept event has a text there, that it has one may be what a filter selects by.
      const areOthers = kept.filter((row) => row[at]).length >= enoughEvents && !kept.some(is);
      return !columns.ignored.has(at) && areOthers && lost.every(is);
    }),
  );
  if (isOfForm || areEmpty(lost, kept, placesIn(window))) return true;
  const timeOf = timeIn(window);
  return areApartInTime(lost, kept, timeOf) || areTakenForOthers(lost, kept, timeOf, shownIn);
}

/** When the event of a row happened, in milliseconds since 1970; NaN where times are not known. */
function timeIn(window: Window): (row: Row) => number {
  const { base, columns } = window;
  const keyOf = keyIn(window);
  const at = new Map(base.rows.map((row, index) => [keyOf(row), columns.times?.instants[index]]));
  return (row) => at.get(keyOf(row)) ?? Number.NaN;
}

/** Whether all lost events are newer than those that were kept, or all are older. */
function areApartInTime(
  lost: readonly Row[],
  kept: readonly Row[],
  timeOf: (row: Row) => number,
): boolean {
  const [ofLost, ofKept] = [lost.map(timeOf), kept.map(timeOf)];
  return Math.min(...ofLost) > Math.max(...ofKept) || Math.max(...ofLost) < Math.min(...ofKept);
}

/** Whether of the events with a value that happened in one millisecond, or in one second, just one was kept each time. */
function areTakenForOthers(
  lost: readonly Row[],
  kept: readonly Row[],
  timeOf: (row: Row) => number,
  shownIn: Place['read'],
): boolean {
  return [1, 1000].some((unit) => {
    const keyOf = (row: Row) => `${Math.floor(timeOf(row) / unit)} ${shownIn(row)}`;
    const keys = new Set(kept.filter((row) => !Number.isNaN(timeOf(row))).map(keyOf));
    return keys.size === kept.length && lost.every((row) => keys.has(keyOf(row)));
  });
}

const keyIn =
  ({ columns: { ignored } }: Window) =>
  (row: Row): string =>
    keyOfRow(row, ignored);

/** Whether there are places in which the lost events all show nothing, and each of those that were kept something. */
function areEmpty(lost: readonly Row[], kept: readonly Row[], places: readonly Place[]): boolean {
  const empty = places.filter(({ read }) => lost.every((row) => read(row) === undefined));
  return kept.every((row) => empty.some(({ read }) => read(row) !== undefined));
}
