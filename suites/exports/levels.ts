/*
 * What an export can be asked for, as data: a factor is a parameter, its levels are the ways in which a request gives it.
 * A parameter that a request leaves out has no level in it. Whoever wants one more way adds a row.
 */

import {
  type Bounds,
  exactly,
  inAny,
  isSubset,
  keyOfRow,
  type Multiset,
  multiset,
} from '../../helpers/csv/multiset.ts';
import { hour } from '../../helpers/dates/time-zones.ts';
import { eventsOf } from '../../helpers/exports/columns.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import {
  isConfirmed,
  type KnownPlace,
  type KnownValue,
} from '../../helpers/exports/known-filters.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { type ExportQuery, type Filter, isListFilter } from '../../helpers/exports/query.ts';
import { Memory } from '../../helpers/memory.ts';
import { boundOf, findEventInstant, units } from './event-instants.ts';
import { changesAmong, changingZone, zoneOfQuarters } from './timezone.ts';

/** One way to give a parameter, and what the model says that an export with it keeps. */
export interface Level {
  /** The parameter: a filter, or `range`, `timezone`, `locale`, `file_type`, `order`. */
  readonly factor: Filter | Form;
  /** In which way it is given: of two levels of the same name one is enough. */
  readonly name: string;
  /** What it adds to a request. */
  readonly query: ExportQuery;
  /** Which events of the window it keeps; left out where it changes nothing about that. */
  readonly keeps?: Bounds;
  /** Parts of the events of which some must be among what a request keeps, for the level to show: those of each value. */
  readonly each?: readonly Bounds[];
  /** The exports that say what it keeps; none where it is only what rows show. */
  readonly from: readonly CsvDownload[];
  /** Whether the request has no range, and events from outside the window may come. */
  readonly isAnytime?: true;
  /** Whether it is not known what it keeps: requests in other forms are compared with each other then. */
  readonly isUnknown?: true;
  /** The value, where it is only what rows show. */
  readonly shown?: string;
  /** How the bounds of a range are written, where that is not as in the document. */
  readonly notation?: string;
  /** Ways to give the parameter that have less to them, the least first. */
  readonly simpler?: readonly Level[];
}

/** The parameters that are no filters. */
type Form = 'range' | 'timezone' | 'locale' | 'file_type' | 'order';

/** How many values of a list are sent together. */
const maxTogether = 3;

/**
 * The levels of each filter of which values are known: each known value, two and three of a list, and of every form in
 * which values occur one that rows show where others of the same place are confirmed.
 */
export function levelsOfFilters(known: Knowledge): readonly Level[] {
  return filterLevels.get(known, 'all', () =>
    [...known.filters.known.keys()].flatMap((filter) => [
      ...listLevels(filter, known),
      ...valuesOf(filter, known).map((value) => valueLevel(filter, value)),
      ...shownLevels(filter, known),
    ]),
  );
}

const filterLevels = new Memory<Knowledge, 'all', readonly Level[]>();

/** Where no value is known, one that the document gives as an example may be one. */
export const exampleLevel: Level = {
  factor: 'event_type',
  name: 'the example of the document',
  query: { filters: { event_type: ['assessment'] } },
  from: [],
  isUnknown: true,
};

function valueLevel(filter: Filter, { value, events, download }: KnownValue): Level {
  return {
    factor: filter,
    name: 'one value',
    query: { filters: { [filter]: [value] } },
    keeps: exactly(events),
    from: [download],
  };
}

/** Three of a list together, and two where those do not all count. */
function listLevels(filter: Filter, known: Knowledge): Level[] {
  if (!isListFilter(filter) || known.encoding.forTwoValues.length === 0) return [];
  const values = valuesOf(filter, known);
  const [one, other, third] = values;
  if (one === undefined || other === undefined) return [];
  const of = (some: readonly KnownValue[], simpler: readonly Level[]): Level => ({
    factor: filter,
    name: 'several values',
    query: { filters: { [filter]: some.map(({ value }) => value) } },
    keeps: inAny(some.map(({ events }) => events)),
    each: some.map(({ events }) => exactly(events)),
    from: some.map(({ download }) => download),
    simpler,
  });
  const single = values.map((value) => valueLevel(filter, value));
  if (third === undefined) return [of([one, other], single)];
  const two = [
    [one, other],
    [one, third],
    [other, third],
  ].map((pair) => of(pair, single));
  return [of(values, [...single, ...two]), ...two];
}

/** Up to three that can be sent together: a comma in a value of a list would make two of it under one of the encodings. */
export function valuesOf(filter: Filter, known: Knowledge): readonly KnownValue[] {
  const { values = [] } = known.filters.known.get(filter) ?? {};
  const divides = isListFilter(filter) ? dividerOf(known) : undefined;
  return values.filter(({ value }) => divides?.test(value) !== true).slice(0, maxTogether);
}

function dividerOf({ encoding: { best } }: Knowledge): RegExp {
  return best === 'pipe' ? /[,|]/ : best === 'semicolon' ? /[,;]/ : /,/;
}

/** The forms in which values occur, which a service may read as something else. */
const forms: readonly { readonly name: string; readonly is: RegExp }[] = [
  { name: 'a value with a comma or the like', is: /[,;|]/ },
  { name: 'a value with a plus sign', is: /\+/ },
  { name: 'a value with a percent sign', is: /%/ },
  { name: 'a value with & or #', is: /[&#]/ },
  { name: 'a value with a capital', is: /\p{Lu}/u },
  { name: 'a value with a blank', is: / / },
  { name: 'a value in another script', is: /[^\P{L}\p{Script=Latin}]/u },
  { name: 'a number', is: /^\d+$/ },
];

/** Whole pages, and more than one batch of most services. */
export const manyEvents = 501;

/** As values are written that stand in a cell as they are: not shortened, nor guarded, nor escaped. */
function isPlain(text: string): boolean {
  return /^[\p{L}\p{N}]/u.test(text) && !/[\p{C}…]|\.\.\.$|&\w+;/u.test(text);
}

/** Values that no export was asked for: rows show them where others of this filter have been confirmed. */
function shownLevels(filter: Filter, known: Knowledge): Level[] {
  const { values = [], shown } = known.filters.known.get(filter) ?? {};
  if (shown === undefined || !isConfirmed(shown)) return [];
  const divides = isListFilter(filter) ? dividerOf(known) : undefined;
  const isKnown = (text: string): boolean => values.some(({ value }) => value === text);
  const others = shown.values.filter(
    (text) => isPlain(text) && !isKnown(text) && divides?.test(text) !== true,
  );
  const chosen = new Map<string, string>();
  const [frequent] = others;
  if (frequent !== undefined && shown.eventsShowing(frequent).size >= manyEvents) {
    chosen.set('a value that many events have', frequent);
  }
  for (const { name, is } of forms) {
    const value = others.find((text) => is.test(text));
    if (value !== undefined && ![...chosen.values()].includes(value)) chosen.set(name, value);
  }
  return [...chosen].map(([name, value]) => {
    const least = shown.eventsShowing(value);
    const most = withUnread(least, shown, known);
    const query = { filters: { [filter]: [value] } };
    return { factor: filter, name, query, keeps: { least, most }, from: [], shown: value };
  });
}

/** These events, and those that show no value in the place: an event may have one all the same. */
function withUnread(least: Multiset, shown: KnownPlace, { base, columns }: Knowledge): Multiset {
  const unread = multiset(
    base.table.rows.filter((row) => (shown.read(row) ?? '') === ''),
    columns.ignored,
  );
  return {
    size: least.size + unread.size,
    entries: new Map([...least.entries, ...unread.entries]),
  };
}

/** A range, as the bounds that it is asked with, and the event that must be among what a request keeps for it to show. */
interface AskedRange {
  readonly name: string;
  readonly query: Pick<ExportQuery, 'start' | 'end'>;
  readonly at?: Bounds;
  /** The same range in another notation. */
  readonly notations?: readonly (readonly [string, Pick<ExportQuery, 'start' | 'end'>])[];
}

/**
 * Ranges within the window, each with the events that it keeps alone: from an event on and up to one, between two, the very
 * instant of one, and the same in other notations.
 */
export async function levelsOfRanges(
  exports: Exports,
  known: Knowledge,
): Promise<readonly Level[]> {
  const levels = await Promise.all(
    (await rangesAtEvents(exports, known)).map(async ({ name, query, at, notations = [] }) => {
      const download = await exports.within(query);
      if (download.table === undefined) return [];
      const events = eventsOf(download.table, known.columns.ignored);
      // Of a window that lacks events nothing can be predicted: that has a clause of its own.
      if (!isSubset(events, eventsOf(known.base.table, known.columns.ignored))) return [];
      const common = {
        factor: 'range' as const,
        keeps: exactly(events),
        from: [download],
      };
      // Rather with the event at the bound among what is kept; but any event shows whether the range counts.
      const both = (level: Level): Level[] => [...(at ? [{ ...level, each: [at] }] : []), level];
      const plain: Level = { ...common, name, query };
      const others = await Promise.all(
        notations.map(async ([notation, query]) => {
          const level: Level = {
            ...common,
            name: `${name}, ${notation}`,
            notation,
            query,
            // Misread, it loses this event.
            ...(at && { each: [at] }),
            simpler: [plain],
          };
          // Which notations are read, beside the one that the document gives, is open.
          return (await exports.within(query)).table === undefined ? [] : [level];
        }),
      );
      return [...both(plain), ...others.flat()];
    }),
  );
  return levels.flat();
}

async function rangesAtEvents(exports: Exports, known: Knowledge): Promise<readonly AskedRange[]> {
  const { window, columns, base } = known.asLearned ?? known;
  if (base.table.count === 0) return [];
  const [early, middle, late] = [1 / 4, 1 / 2, 3 / 4].map((share) => eventNear(share, known));
  if (early === undefined || middle === undefined || late === undefined || !columns.times) {
    const at = window.middle;
    return [
      { name: 'from an instant on', query: { start: at } },
      { name: 'up to an instant', query: { end: at } },
    ];
  }
  const found = await findEventInstant(exports, known);
  // Times that are kept more finely lie at no millisecond.
  const isFiner = found.kind === 'exact' && found.at % units.millisecond !== 0n;
  const exact = isFiner ? boundOf(found.at) : late.at;
  const second = Math.floor(middle.at / 1000) * 1000;
  return [
    {
      name: 'from an event on',
      query: { start: middle.at },
      at: middle.events,
      notations: [['with an offset', { start: withOffset(middle.at, 2) }]],
    },
    {
      name: 'up to an event',
      query: { end: middle.at },
      at: middle.events,
      notations: [['with an offset', { end: withOffset(middle.at, -2) }]],
    },
    {
      name: 'from a whole second on',
      query: { start: second },
      at: middle.events,
      notations: [['without fraction', { start: withoutFraction(second) }]],
    },
    { name: 'between two events', query: { start: early.at, end: late.at }, at: late.events },
    {
      name: 'a second',
      query: { start: second, end: second + 1000 },
      notations: [
        [
          'without fraction',
          { start: withoutFraction(second), end: withoutFraction(second + 1000) },
        ],
      ],
    },
    { name: 'the instant of an event', query: { start: exact, end: exact } },
  ];
}

/**
 * An event about as far into the window: one that many levels of filters keep, in whatever form their values are, and that shares
 * its second with others where there is such.
 */
export function eventNear(
  share: number,
  known: Knowledge,
): { at: number; events: Bounds } | undefined {
  const { base, columns } = known.asLearned ?? known;
  const { times, ignored } = columns;
  if (times === undefined || times.unit > 1) return undefined;
  const levels = levelsOfFilters(known.asLearned ?? known);
  const byTime = times.instants
    .map((at, row) => ({ at, row }))
    .sort((one, other) => one.at - other.at);
  const first = Math.floor(byTime.length * (share - nearby));
  const near = byTime.slice(Math.max(0, first), Math.floor(byTime.length * (share + nearby)) + 1);
  const keyAt = (row: number): string => keyOfRow(base.table.rows[row] ?? [], ignored);
  const worth = ({ at, row }: { at: number; row: number }): number => {
    const key = keyAt(row);
    const keeping = levels.filter(({ keeps }) => keeps?.least.entries.has(key));
    const others = near.some((one) => one.at !== at && isInSecond(one.at, at));
    return keeping.length + (others ? 2 : 0) + (at % 1000 === 0 ? 0 : 1);
  };
  const [best] = near
    .map((event) => ({ ...event, worth: worth(event) }))
    .sort((one, other) => other.worth - one.worth);
  if (best === undefined) return undefined;
  const rows = byTime.filter(({ at }) => at === best.at).map(({ row }) => row);
  const events = multiset(
    rows.map((row) => base.table.rows[row] ?? []),
    ignored,
  );
  return { at: best.at, events: exactly(events) };
}

/** So large a part of the window on either side. */
const nearby = 1 / 20;

function isInSecond(one: number, other: number): boolean {
  return Math.floor(one / 1000) === Math.floor(other / 1000);
}

/** The same instant, as clocks show it so many hours east of UTC: of a range_start, earlier than it looks. */
function withOffset(at: number, hours: number): string {
  const sign = hours < 0 ? '-' : '+';
  const offset = `${sign}${String(Math.abs(hours)).padStart(2, '0')}:00`;
  return new Date(at + hours * hour).toISOString().replace('Z', offset);
}

function withoutFraction(at: number): string {
  return new Date(at).toISOString().replace('.000', '');
}

/** Zones that differ in how they are named, and in how far from UTC they are. */
export const zones = ['Etc/GMT+5', 'America/Argentina/Buenos_Aires', zoneOfQuarters];

/** Languages that a service may support besides en: the more likely first. */
export const locales = ['de', 'es'];

/** The sample in another locale; undefined where none of them is supported. */
export async function translatedSample(exports: Exports, { window: { sample } }: Knowledge) {
  for (const locale of locales) {
    const translated = await exports.within({ ...sample, locale });
    if (translated.table !== undefined) return translated;
  }
  return undefined;
}

/** Forms of a request that change nothing about its file: what is the default, said, and another order. */
export const sameForms: readonly Level[] = [
  formLevel('file_type', 'csv', { fileType: 'csv' }),
  formLevel('locale', 'en', { locale: 'en' }),
  formLevel('order', 'reversed', { isReversed: true }),
];

/**
 * Forms of a request that change how events are written, and not which they are.
 * @param locale one that the target supports besides en; undefined where none is known
 */
export function otherForms(locale: string | undefined, known: Knowledge): readonly Level[] {
  return [
    ...zones.map((timezone) => formLevel('timezone', timezone, { timezone })),
    ...changingZoneLevel(known),
    ...(locale === undefined ? [] : [formLevel('locale', locale, { locale })]),
    ...sameForms.filter(({ factor }) => factor !== 'locale'),
  ];
}

/** A zone whose clocks are changed between two events: some on both sides must be among what a request keeps. */
function changingZoneLevel(known: Knowledge): Level[] {
  const { base, columns } = known.asLearned ?? known;
  const { dates, ignored } = columns;
  const [change] = changesAmong(dates?.instants ?? [], changingZone);
  if (change === undefined || dates === undefined) return [];
  const side = (isMeant: (at: number) => boolean): Bounds => {
    const rows = base.table.rows.filter((_, row) => isMeant(dates.instants[row] ?? 0));
    return exactly(multiset(rows, ignored));
  };
  const each = [side((at) => at < change.at), side((at) => at >= change.at)];
  const query = { timezone: changingZone };
  return [{ ...formLevel('timezone', changingZone, query), each }];
}

function formLevel(factor: Form, name: string, query: ExportQuery): Level {
  return { factor, name, query, from: [] };
}

/** No range at all: one that reaches back for a while alone loses events of the beginning of the window. */
export function withoutRange(known: Knowledge): Level {
  const { window, base, columns } = known.asLearned ?? known;
  const { times, ignored } = columns;
  const early = multiset(
    base.table.rows.filter((_, row) => (times?.instants[row] ?? 0) < window.middle),
    ignored,
  );
  const each = times === undefined ? [] : [exactly(early)];
  return { ...formLevel('range', 'none', {}), each, isAnytime: true, isUnknown: true };
}

/** As PDF. */
export const asPdf = formLevel('file_type', 'pdf', { fileType: 'pdf' });

/** The query that asks for all of them. */
export function queryOf(levels: readonly Level[]): ExportQuery {
  const filters = Object.assign({}, ...levels.map(({ query }) => query.filters));
  const all: ExportQuery = Object.assign({}, ...levels.map(({ query }) => query));
  return Object.keys(filters).length === 0 ? all : { ...all, filters };
}

/** Whether a level is one of a filter. */
export function isFilter(level: Level): level is Level & { readonly factor: Filter } {
  return level.query.filters !== undefined;
}

/** Whether it gives a list more than one value. */
export function isSeveral({ query }: Level): boolean {
  return Object.values(query.filters ?? {}).some((values) => values.length > 1);
}
