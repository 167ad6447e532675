/*
 * Values by which filters meet: some event matches both, and each leaves out events that the other keeps. Only there shows what
 * a service does with two filters, or with a filter and a form of value. Rows tell which values do; exports confirm it.
 */

import { isUuidShaped } from '../../schemas/resources.ts';
import type { Row } from '../csv/csv-form.ts';
import { isSame } from '../csv/multiset.ts';
import { countsOf, remembered } from '../maps.ts';
import { eventsOf } from './columns.ts';
import type { FilterClues } from './filter-search.ts';
import type { KnownFilter } from './filters.ts';
import type { Filter } from './query.ts';

/** Forms of values that a service may read as something else, as it may read + as a blank. */
export const forms: readonly { readonly name: string; readonly is: RegExp }[] = [
  { name: 'a value with a comma or the like', is: /[,;|]/ },
  { name: 'a value with a plus sign', is: /\+/ },
  { name: 'a value with a percent sign', is: /%/ },
  { name: 'a value with & or #', is: /[&#]/ },
  { name: 'a value with a capital', is: /\p{Lu}/u },
  { name: 'a value with a blank', is: / / },
  { name: 'a value in another script', is: /[^\P{L}\p{Script=Latin}]/u },
  { name: 'a value with an accent', is: /[^\P{L}\p{ASCII}]/u },
  { name: 'a number', is: /^\d+$/ },
  { name: 'a value with a digit', is: /\d/ },
  { name: 'a value with a hyphen', is: /-/ },
  { name: 'a value with a dot', is: /\./ },
  { name: 'a long value', is: /^.{33}/u },
];

/** Whether a value is of a form; an id is of none. */
export function isOf({ is }: (typeof forms)[number], value: string): boolean {
  return is.test(value) && !isUuidShaped(value);
}

export function formsOf(value: string): readonly string[] {
  return forms.flatMap((form) => (isOf(form, value) ? form.name : []));
}

/** Whether a text can be a value as it is: not shortened (“abc…”), guarded (“'=a”) or escaped (“a&amp;b”). */
export function isPlain(text: string): boolean {
  return /^[\p{L}\p{N}]/u.test(text) && !/[\p{C}…]|\.\.\.$|&\w+;/u.test(text);
}

/** How many characters two values have in common at least for one to be taken for the other where only a part is compared. */
const sharedLength = 8;

/** How a service may see a value that it compares in part: without case, each letter beyond ASCII as the same one. */
const outlineOf = (value: string): string => value.toLowerCase().replaceAll(/\P{ASCII}/gu, '?');

/** Whether a service may take a value for another one: one that begins with it, or that begins as it does. */
export function isNear(value: string): (other: string) => boolean {
  const beginning = outlineOf(value).slice(0, sharedLength);
  return (other) => value !== other && outlineOf(other).startsWith(beginning);
}

/** Whether it may, and not for their case alone: whether that counts is open. */
export function isNearBeyondCase(value: string): (other: string) => boolean {
  const isNearIt = isNear(value);
  return (other) => isNearIt(other) && other.toLowerCase() !== value.toLowerCase();
}

/** Values, but ids, that each are near another one, beyond case; `shared`: how many characters both begin with. The most first. */
export function nearAmong(values: readonly string[]) {
  const sorted = values
    .filter((value) => !isUuidShaped(value))
    .map((value) => ({ value, outline: outlineOf(value) }))
    .sort((a, b) => Number(a.outline > b.outline) - Number(a.outline < b.outline));
  return sorted
    .flatMap(({ value, outline }, index) => {
      const next = sorted[index + 1];
      if (next === undefined || !isNearBeyondCase(value)(next.value)) return [];
      const shared = [...outline].findIndex((character, at) => character !== next.outline[at]);
      return [{ value, other: next.value, shared: shared < 0 ? outline.length : shared }];
    })
    .sort((one, other) => other.shared - one.shared);
}

const maxAdded = 30;

/** A filter whose values rows show. */
function shownBy(filter: Filter, { values, shown: place }: Pick<KnownFilter, 'values' | 'shown'>) {
  if (!place?.isFaithful) return [];
  const rows = new Map([...place.rows].filter(([value]) => isPlain(value)));
  const byRow = new Map<Row, string[]>();
  for (const [value, showing] of rows) {
    for (const row of showing) remembered(byRow, row, () => []).push(value);
  }
  return {
    filter,
    place,
    /** The rows that show a value, of values that can be asked for as they are; and the values of each row. */
    rows,
    byRow,
    /** The values that are known already, and those that are chosen here. */
    taken: new Set(values.map(({ value }) => value)),
  };
}

type Shown = Exclude<ReturnType<typeof shownBy>, readonly unknown[]>;

/**
 * Chooses values until each two filters meet, and each form of a value meets each other filter, and asks for each alone.
 * @returns the export by each value; `confirmed`: the value, if it keeps exactly the events that show it
 */
export async function valuesThatMeet(
  known: ReadonlyMap<Filter, Pick<KnownFilter, 'values' | 'shown'>>,
  { fetch, columns }: Pick<FilterClues, 'fetch' | 'columns'>,
) {
  const shown = [...known].flatMap(([filter, one]) => shownBy(filter, one));
  const chosen: Meeting['values'][number][] = [];
  for (const meetings of allMeetings(shown)) {
    const [best] = meetings.toSorted((a, b) => b.worth - a.worth);
    const fresh = best?.values.filter(({ of, value }) => !of.taken.has(value)) ?? [];
    for (const { of, value } of fresh) of.taken.add(value);
    chosen.push(...fresh);
    if (chosen.length >= maxAdded) break;
  }
  const asked = chosen.map(async ({ of: { filter, place }, value }) => {
    const download = await fetch({ [filter]: [value] });
    const events = download.table && eventsOf(download.table, columns.ignored);
    const isConfirmed = events !== undefined && isSame(events, place.eventsShowing(value));
    return { filter, download, confirmed: isConfirmed ? { value, events, download } : [] };
  });
  return await Promise.all(asked);
}

/** Two values that are worth asking for: of two filters, if some event has both, and other events one; or near each other. */
interface Meeting {
  readonly values: readonly { readonly of: Shown; readonly value: string }[];
  /** The more, the fewer values it adds, and the more events have both. */
  readonly worth: number;
}

/** The meetings of which each time the best is chosen: worked out one after the other, as their worth hangs on those chosen before. */
function* allMeetings(shown: readonly Shown[]): Generator<readonly Meeting[]> {
  for (const of of shown) {
    yield nearAmong([...of.rows.keys()]).map(({ value, other, shared: worth }) => {
      return { values: [value, other].map((each) => ({ of, value: each })), worth };
    });
  }
  for (const [index, one] of shown.entries()) {
    for (const other of shown.slice(index + 1)) yield meetingsOf(one, other);
  }
  for (const form of forms) {
    const meant = shown.map((one) => {
      return { one, some: [...one.rows].filter(([value]) => isOf(form, value)) };
    });
    for (const other of shown) {
      const others = meant.filter(({ one }) => one !== other);
      yield others.flatMap(({ one, some }) => meetingsOf(one, other, some));
    }
  }
}

/** @param some the values of the first filter that count, and their rows */
function meetingsOf(one: Shown, other: Shown, some = [...one.rows]): Meeting[] {
  return some.flatMap(([value, rows]) => {
    const together = countsOf(rows.flatMap((row) => other.byRow.get(row) ?? []));
    return [...together].flatMap(([second, times]) => {
      if (times === rows.length || times === other.rows.get(second)?.length) return [];
      const taken = Number(one.taken.has(value)) + Number(other.taken.has(second));
      const values = [one, other].map((of) => ({ of, value: of === one ? value : second }));
      return { values, worth: 2 * taken + 1 - 1 / times };
    });
  });
}
