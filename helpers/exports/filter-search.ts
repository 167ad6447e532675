/* The search for what one filter selects by: asks for candidates until enough of them keep some events and not all. */
import { difference, isSame, isSubset, type Multiset, multiset, without } from '../csv/multiset.ts';
import { eventsOf } from './columns.ts';
import type { CsvDownload } from './downloads.ts';
import {
  type Candidate,
  type FilterClues,
  firstUnshownNear,
  kinds,
  likeness,
  wordsShown,
} from './filter-candidates.ts';
import { furtherIds, type KnownPlace, type KnownValue } from './known-filters.ts';
import { type Filter, isListFilter } from './query.ts';
import { distinctiveValues, type ShownValues, similarValues } from './shown-values.ts';

/** How many values are tried at most: for one list filter, for one metadata key, and for all metadata keys together. */
export const maxTries = { list: 8, metadataKey: 10, metadata: 64 };

/** How many values that keep events are looked for, for one filter. A metadata key takes one value a request. */
const enoughValues = { list: 3, metadataKey: 2 };

/** A value that was asked for, and the export that it gave. */
export interface Answered extends Candidate {
  readonly download: CsvDownload;
}

/** Asks for candidates until enough is known of a filter. */
export class Search {
  readonly filter: Filter;
  readonly downloads: CsvDownload[] = [];
  readonly values: KnownValue[] = [];
  readonly unmatched: Answered[] = [];
  readonly refused: Answered[] = [];
  /** The first export that held all events although rows show further values: the filter is ignored. */
  keptAll: CsvDownload | undefined;
  readonly #shown: readonly ShownValues[];
  readonly #clues: FilterClues;
  readonly #asked = new Set<string>();

  constructor(filter: Filter, shown: readonly ShownValues[], clues: FilterClues) {
    this.filter = filter;
    this.#shown = shown;
    this.#clues = clues;
  }

  /** Runs the search; what it finds stands in `values`, `unmatched`, `refused`, `keptAll` and `place` afterwards. */
  async find(candidates: readonly Candidate[], maxTries: number): Promise<void> {
    const tried = candidates.slice(0, maxTries);
    await this.#askUntil(1, tried);
    const { place } = this;
    this.#askNear(place);
    if (place !== undefined && place.kind !== 'text') {
      await this.#askFurther(place);
      this.#askTogether();
      return;
    }
    // No place shows the first value: a place may show other values.
    if (this.values.length > 0) await this.#askUntil(enoughValues.list, tried);
    const isEnough = this.values.length >= enoughValues.list || this.keptAll !== undefined;
    if (isEnough || !isListFilter(this.filter)) return;
    const words = wordsShown(this.#shown, this.#clues.base);
    await this.#askUntil(enoughValues.list, await this.#amongMany(words));
    await this.#askUntil(enoughValues.list, words.slice(0, maxTries));
  }

  /**
   * The place that most values confirm; of several, the one that shows most clearly where a value ends. Words of a text
   * come last: by them, the fault of a filter that matches any word of a value would be right.
   */
  get place(): ShownValues | undefined {
    const like = ({ name }: ShownValues): number => likeness(name, this.filter);
    const isText = ({ kind }: ShownValues): number => Number(kind === 'text');
    const [best] = this.#shown
      .map((place) => ({ place, times: this.#timesConfirmed(place) }))
      .filter(({ times }) => times > 0)
      .sort(
        (a, b) =>
          kinds.indexOf(a.place.kind) - kinds.indexOf(b.place.kind) ||
          like(b.place) - like(a.place),
      )
      .sort((a, b) => isText(a.place) - isText(b.place) || b.times - a.times);
    return best?.place;
  }

  get knownPlace(): KnownPlace | undefined {
    const { place } = this;
    return (
      place && {
        column: place.column,
        kind: place.kind,
        read: (row) => place.read(row)[0],
        confirmedBy: this.#timesConfirmed(place),
        values: [...place.rows.keys()],
        eventsShowing: (value) => this.#showing(place, value),
      }
    );
  }

  /** Asks for candidates one after the other until `enough` values keep events, or the filter is seen to be ignored. */
  async #askUntil(enough: number, candidates: readonly Candidate[]): Promise<void> {
    for (const candidate of candidates) {
      const isIgnored = this.values.length === 0 && this.keptAll !== undefined;
      if (this.values.length >= enough || isIgnored) return;
      await this.#ask([candidate]);
    }
  }

  /**
   * Asks for a value near the first one (see `nearValues`) right after it; scenarios look at the answer. A service that
   * caches answers and mistakes one query for another does so only for a while.
   */
  #askNear(place: ShownValues | undefined): void {
    const [first] = this.values;
    const near = first && firstUnshownNear(first.value, place);
    if (near !== undefined) this.#askForLater([near]);
  }

  /** Asks for several values of a list in one request right after each of them, for the same reason as `#askNear`. */
  #askTogether(): void {
    const values = this.values.map(({ value }) => value);
    const [first] = values;
    if (!isListFilter(this.filter) || first === undefined || values.length < 2) return;
    if (values.some((value) => value.includes(','))) return;
    const further = furtherIds({ values: this.values, shown: this.knownPlace });
    this.#askForLater([...values, ...further, first]);
  }

  #askForLater(values: readonly string[]): void {
    // A request that fails is dealt with by the scenario, which asks for the same.
    this.#clues.fetch({ [this.filter]: values }).catch(() => {});
  }

  /** Asks for further values of the place: one that is easily mistaken for another, then the most distinctive ones. */
  async #askFurther(place: ShownValues): Promise<void> {
    const distinctive = distinctiveValues(place, this.#clues.base.rows.length);
    const ambiguous = (place.areIds ? [] : distinctive)
      .map((value) => ({ value, similar: similarValues(value, place) }))
      .filter(({ similar }) => similar > 0)
      .sort((a, b) => b.similar - a.similar)
      .slice(0, 1)
      .map(({ value }) => value);
    const { list, metadataKey } = enoughValues;
    const enough = isListFilter(this.filter) ? list : ambiguous.length === 0 ? 1 : metadataKey;
    const left = [...ambiguous, ...distinctive]
      .filter((value) => !this.#asked.has(value))
      .slice(0, enough + 1);
    while (left.length > 0 && this.values.length < enough) {
      const next = [...new Set(left.splice(0, enough - this.values.length))];
      await this.#ask(next.map((value) => ({ value, shown: place })));
    }
  }

  /** Asks for all candidates in one request. @returns those not yet asked for whose rows are all in the answer */
  async #amongMany(candidates: readonly Candidate[]): Promise<Candidate[]> {
    const values = candidates.map(({ value }) => value);
    const download = await this.#clues.fetch({ [this.filter]: values });
    this.downloads.push(download);
    const effect = effectOf(download, this.#clues);
    if (typeof effect === 'string') return [];
    const isMatched = ({ value, shown }: Candidate): boolean =>
      shown !== undefined && isSubset(this.#showing(shown, value), effect);
    const fresh = candidates.filter(({ value }) => !this.#asked.has(value));
    return fresh.filter(isMatched).slice(0, maxTries.list);
  }

  /** Asks for all candidates at the same time, each in its own request, and learns from the answers in their order. */
  async #ask(candidates: readonly Candidate[]): Promise<void> {
    const fresh = candidates.filter(({ value }) => !this.#asked.has(value));
    for (const { value } of fresh) this.#asked.add(value);
    const answered = await Promise.all(
      fresh.map(async (candidate): Promise<Answered> => {
        const download = await this.#clues.fetch({ [this.filter]: [candidate.value] });
        return { ...candidate, download };
      }),
    );
    for (const one of answered) this.#learnFrom(one);
  }

  #learnFrom(one: Answered): void {
    const { value, shown, download } = one;
    this.downloads.push(download);
    if (isRefusal(download)) this.refused.push(one);
    const events = effectOf(download, this.#clues);
    if (events === 'keeps none') this.unmatched.push(one);
    // Rows show other values in that place too, and yet no event is left out: the filter is ignored.
    else if (events === 'keeps all' && shown !== undefined && shown.kind !== 'text')
      this.keptAll ??= download;
    else if (typeof events !== 'string') this.values.push({ value, events, download });
  }

  /** How many values keep exactly the events that show them in a place. */
  #timesConfirmed(place: ShownValues): number {
    return this.values.filter(
      ({ value, events }) =>
        place.rows.get(value)?.length === events.size &&
        isSame(this.#showing(place, value), events),
    ).length;
  }

  /** The events of the window whose rows show a value in a place. */
  #showing({ rows }: ShownValues, value: string): Multiset {
    return multiset(rows.get(value) ?? [], this.#clues.columns.ignored);
  }
}

/** Whether the value was refused: not the API key (401), and not because the service is busy (429, 503). */
function isRefusal({ answer: { status } }: CsvDownload): boolean {
  return status >= 400 && ![401, 429, 503].includes(status);
}

/** How many events of an answer may have been recorded since the window was read. */
const maxNew = 6;

/** The events of the window that a filter keeps. `unclear`: it was refused, or kept many events of another time. */
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
