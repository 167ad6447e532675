/* The search for what one filter selects by: asks for candidates until enough of them keep some events and not all. */
import { isUuidShaped, sameId } from '../../schemas/identifier.ts';
import type { Row } from '../csv/csv-form.ts';
import { difference, isSame, isSubset, type Multiset, multiset, without } from '../csv/multiset.ts';
import { eventsOf } from './columns.ts';
import type { CsvDownload } from './downloads.ts';
import {
  type Candidate,
  type FilterClues,
  isSpelledAs,
  kinds,
  likeness,
  nearValues,
  wordsShown,
} from './filter-candidates.ts';
import { type Filter, isListFilter } from './query.ts';
import { distinctiveValues, type Place, placesOf } from './shown-values.ts';

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
  readonly #shown: readonly Place[];
  readonly #clues: FilterClues;

  constructor(filter: Filter, shown: readonly Place[], clues: FilterClues) {
    this.filter = filter;
    this.#shown = shown;
    this.#clues = clues;
  }

  /** Runs the search, or goes on with it. @param tries how many of the candidates are asked for at most */
  async find(candidates: readonly Candidate[], tries: number): Promise<void> {
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
    const words = wordsShown(this.#shown, this.#clues.base);
    await this.#askUntil(enoughValues.list, await this.#amongMany(words));
    await this.#askUntil(enoughValues.list, words.slice(0, tries));
  }

  /** The values that keep some events and not all. */
  get values(): KnownValue[] {
    return this.asked.flatMap(({ value, effect: events, download }) =>
      typeof events === 'string' ? [] : [{ value, events, download }],
    );
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
    const [best] = this.#shown
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
    return isConfirmed ? found : (placeOfLosing(this.values, this.#shown, this.#clues) ?? found);
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
  if (table.count === 0) return 'keeps none';
  if (table.count === base.count) return 'keeps all';
  const [events, all] = [eventsOf(table, columns.ignored), eventsOf(base, columns.ignored)];
  if (isSubset(events, all)) return events;
  const { extra } = difference(all, events);
  const kept = without(events, multiset(extra, columns.ignored));
  return extra.length <= maxNew && extra.length < kept.size ? kept : 'unclear';
}

/** The events of the window, and what is known of their columns. */
type Window = Pick<FilterClues, 'base' | 'columns'>;

/** The place of a filter that loses events (`areLostBy`): two values at least keep events that show them there, and no others. */
export function placeOfLosing(
  values: readonly Pick<KnownValue, 'value' | 'events'>[],
  places: readonly Place[],
  window: Window,
): KnownPlace | undefined {
  for (const place of places.filter(({ isFaithful }) => isFaithful)) {
    const shown = values.filter(({ value }) => place.rows.has(value));
    if (shown.length < 2) continue;
    const parts = shown.map(({ value, events }) => difference(place.eventsShowing(value), events));
    // Where a value keeps events that do not show it, the place shows something else than the filter selects by.
    if (parts.some(({ extra }) => extra.length > 0)) continue;
    const lost = parts.flatMap(({ missing }) => missing);
    const showing = shown.flatMap(({ value }) => place.rows.get(value) ?? []);
    const kept = showing.filter((row) => !lost.includes(row));
    if (areLostBy(lost, kept, window)) return { ...place, isConfirmed: true };
  }
  return undefined;
}

/** How many events must be lost, and how many kept, so that what they have in common is no accident. */
const enoughEvents = 3;

/** What a service may trip over in a text: a line break, characters beyond ASCII, and other scripts. */
const trippingOver = [/[\r\n]/, /\P{ASCII}/u, /[^\P{L}\p{Script=Latin}]/u];

/**
 * Whether the lost events have something in common that tells nothing of what a filter selects by, and no kept one has: they are
 * empty in other places, as by a join; all newer or older, as by an old index; or hold a text that a service trips over.
 */
export function areLostBy(lost: readonly Row[], kept: readonly Row[], window: Window): boolean {
  const {
    base,
    columns: { ignored },
  } = window;
  if (lost.length < enoughEvents || kept.length < enoughEvents) return false;
  const isOfForm = trippingOver.some((form) =>
    base.rows[0]?.some((_, at) => {
      const is = (row: Row): boolean => form.test(row[at] ?? '');
      // Where hardly any kept event has a text there, that it has one may be what a filter selects by.
      const areOthers = kept.filter((row) => row[at]).length >= enoughEvents && !kept.some(is);
      return !ignored.has(at) && areOthers && lost.every(is);
    }),
  );
  return (
    isOfForm || areEmpty(lost, kept, placesOf(base, ignored)) || areApartInTime(lost, kept, window)
  );
}

/** Whether all lost events are newer than those that were kept, or all are older; false where times are not known. */
function areApartInTime(
  lost: readonly Row[],
  kept: readonly Row[],
  { base, columns: { times } }: Window,
): boolean {
  const at = new Map(base.rows.map((row, index) => [row, times?.instants[index]]));
  const timesOf = (rows: readonly Row[]) => rows.map((row) => at.get(row) ?? Number.NaN);
  const [ofLost, ofKept] = [timesOf(lost), timesOf(kept)];
  return Math.min(...ofLost) > Math.max(...ofKept) || Math.max(...ofLost) < Math.min(...ofKept);
}

/** Whether there are places in which the lost events all show nothing, and each of those that were kept something. */
function areEmpty(lost: readonly Row[], kept: readonly Row[], places: readonly Place[]): boolean {
  const empty = places.filter(({ read }) => lost.every((row) => read(row) === undefined));
  return kept.every((row) => empty.some(({ read }) => read(row) !== undefined));
}
