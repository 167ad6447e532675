/*
 * The search for what one filter selects by: candidates are asked for until enough of them keep some events and not all.
 */
import { isUuidShaped } from '../../schemas/identifier.ts';
import { difference, isSame, isSubset, type Multiset, multiset, without } from '../csv/multiset.ts';
import { eventsOf } from './columns.ts';
import type { CsvDownload } from './downloads.ts';
import {
  type Candidate,
  code,
  examples,
  type FilterClues,
  kinds,
  nearValue,
  wordsShown,
} from './filter-candidates.ts';
import { isSpelledAs, likeness, rank } from './filter-names.ts';
import { furtherIds, type KnownFilter, type KnownPlace, type KnownValue } from './known-filters.ts';
import { type Filter, isListFilter } from './query.ts';
import { distinctiveValues, type ShownValues, similarValues } from './shown-values.ts';

/** How many values are tried for one filter one by one, and for all metadata keys together. */
export const maxTries = { list: 8, metadataKey: 10, metadata: 64 };

/** How many values are looked for; of a metadata key, one value is sent at a time. */
const enoughValues = { list: 3, metadataKey: 2 };

/** What was learned of one filter. */
export interface LearnedFilter {
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
export class Search {
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

  async find(candidates: readonly Candidate[], maxTries: number): Promise<LearnedFilter> {
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
    if (values.some((value) => value.includes(','))) return;
    const best = this.#bestPlace();
    const further = furtherIds({ values: this.#values, shown: best && this.#knownPlace(best) });
    this.#askForLater([...values, ...further, first]);
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
export function effectOf(
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
