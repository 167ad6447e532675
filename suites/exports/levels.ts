/*
 * What an export can be asked for, as data. A factor is a parameter, as event_type; a level is one way to give it, as
 * “one value”. A request has at most one level of each factor. Whoever wants one more way adds a row.
 */

import {
  type Bounds,
  exactly,
  isSubset,
  keyOfRow,
  type Multiset,
  multiset,
} from '../../helpers/csv/multiset.ts';
import { hour } from '../../helpers/dates/time-zones.ts';
import { eventsOf } from '../../helpers/exports/columns.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery, Filter } from '../../helpers/exports/query.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import { boundOf, findEventInstant } from './event-instants.ts';
import { changesAmong, changingZone, zoneOfQuarters } from './timezone.ts';

/** One way to give a parameter, and the events that an export with it is predicted to keep. */
export interface Level {
  /** The parameter: a filter, or `range`, `timezone`, `locale`, `file_type`, `order`. */
  readonly factor: Filter | Form;
  /** The way in which it is given, as “one value”: of several levels with one name, one is enough. */
  readonly name: string;
  /** What it adds to the query of a request. */
  readonly query: ExportQuery;
  /** The events of the window that it keeps alone; left out where it keeps all, as a timezone does. */
  readonly keeps?: Bounds;
  /** Parts of these events, as those of each value: only a request that keeps some of each shows the level honoured. */
  readonly each?: readonly Bounds[];
  /** The exports that tell what it keeps; empty where only rows of the window tell it. */
  readonly from: readonly CsvDownload[];
  /** Whether the request has no range, and events from outside the window may come. */
  readonly isAnytime?: true;
  /** Whether it is not known what it keeps: requests in other forms are compared with each other then. */
  readonly isUnknown?: true;
  /** The value, where only rows of the window tell which events have it. */
  readonly shown?: string;
  /** How the bounds of a range are written, where that is not as in the document. */
  readonly notation?: string;
  /** The clause that is violated where no other parameter that selects events is needed to show the difference. */
  readonly clause?: JudgedClause;
  /** Whether the request may be refused, as one with an unknown value. */
  readonly mayBeRefused?: true;
  /** What is asked for in its place where the answer is not wrong, and yet not empty. */
  readonly orElse?: Level;
  /** Where given, the request is wrong only if it keeps all events of one of these. */
  readonly onlyIfAllOf?: readonly Multiset[];
  /** Simpler ways to give the parameter, the simplest first: one value in place of several. */
  readonly simpler?: readonly Level[];
}

/** The parameters that are no filters. */
type Form = 'range' | 'timezone' | 'locale' | 'file_type' | 'order';

/** A range, and the events at its bound: a request that keeps some of them shows whether the bound is honoured. */
interface AskedRange {
  readonly name: string;
  readonly query: Pick<ExportQuery, 'start' | 'end'>;
  readonly at?: Bounds;
  /** The same range in another notation. */
  readonly notations?: readonly (readonly [string, Pick<ExportQuery, 'start' | 'end'>])[];
}

/**
 * Levels of ranges within the window, each with the events that its export holds: from an event on, up to an event,
 * between two events, at the instant of an event; and the same ranges in other notations, where the target reads these.
 */
export async function levelsOfRanges(
  exports: Exports,
  known: Knowledge,
): Promise<readonly Level[]> {
  const ranges = await rangesAtEvents(exports, known);
  return (await Promise.all(ranges.map((range) => levelsOfRange(range, exports, known)))).flat();
}

/** The levels of one range; none where it is refused, or the window lacks its events, which another clause judges. */
async function levelsOfRange(
  { name, query, at, notations = [] }: AskedRange,
  exports: Exports,
  { base, columns: { ignored } }: Knowledge,
): Promise<readonly Level[]> {
  const download = await exports.within(query);
  const events = download.table && eventsOf(download.table, ignored);
  if (events === undefined || !isSubset(events, eventsOf(base.table, ignored))) return [];
  const plain: Level = { factor: 'range', name, query, keeps: exactly(events), from: [download] };
  // A request that keeps the event at the bound shows most: a service that misreads the bound loses this event.
  const atBound: Level = { ...plain, ...(at && { each: [at] }) };
  const written = await Promise.all(
    notations.map(async ([notation, query]) => {
      // Which notations are read, beside the one that the document gives, is open.
      if ((await exports.within(query)).table === undefined) return [];
      return [
        {
          ...atBound,
          name: `${name}, ${notation}`,
          notation,
          query,
          clause: 'export.range-bounds-are-instants',
          simpler: [plain],
        },
      ] satisfies Level[];
    }),
  );
  return [...(at ? [atBound, plain] : [plain]), ...written.flat()];
}

/** Ranges whose bounds are times of events; without known times, ranges that begin or end amid the window. */
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
  const exact = found.kind === 'exact' ? boundOf(found.at) : late.at;
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
 * The time of an event about this share (0 to 1) into the window, and the events of that instant. It prefers an event
 * that values of many filters keep, and that shares its second with others. undefined without times in milliseconds.
 */
export function eventNear(
  share: number,
  known: Knowledge,
): { at: number; events: Bounds } | undefined {
  const { base, columns, filters } = known.asLearned ?? known;
  const { times, ignored } = columns;
  if (times === undefined || times.unit > 1) return undefined;
  const byTime = times.instants
    .map((at, row) => ({ at, row: base.table.rows[row] ?? [] }))
    .sort((one, other) => one.at - other.at);
  const first = Math.floor(byTime.length * (share - nearby));
  const near = byTime.slice(Math.max(0, first), Math.floor(byTime.length * (share + nearby)) + 1);
  const worth = ({ at, row }: (typeof near)[number]): number => {
    const key = keyOfRow(row, ignored);
    const filtersKeeping = [...filters.known.values()].filter(({ values }) =>
      values.some(({ events }) => events.entries.has(key)),
    );
    const sharesSecond = near.some((one) => one.at !== at && isInSecond(one.at, at));
    return filtersKeeping.length + (sharesSecond ? 2 : 0) + (at % 1000 === 0 ? 0 : 1);
  };
  const [best] = near
    .map((event) => ({ ...event, worth: worth(event) }))
    .sort((one, other) => other.worth - one.worth);
  if (best === undefined) return undefined;
  const rows = byTime.filter(({ at }) => at === best.at).map(({ row }) => row);
  return { at: best.at, events: exactly(multiset(rows, ignored)) };
}

/** How far before or after its place the event may be, as a share of all events. */
const nearby = 1 / 20;

function isInSecond(one: number, other: number): boolean {
  return Math.floor(one / 1000) === Math.floor(other / 1000);
}

/** The instant with an offset: 10:00Z as 12:00+02:00 for two hours. A service that ignores the offset reads 12:00. */
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
const locales = ['de', 'es'];

/** The sample in one of `locales` after another, until one is served. */
export async function samplesInLocales(
  exports: Exports,
  { window: { sample } }: Knowledge,
): Promise<CsvDownload[]> {
  const samples: CsvDownload[] = [];
  for (const locale of locales) {
    samples.push(await exports.within({ ...sample, locale }));
    if (samples.at(-1)?.table !== undefined) break;
  }
  return samples;
}

/** The sample in the first of `locales` that is served; undefined where none is. */
export async function translatedSample(exports: Exports, known: Knowledge) {
  return (await samplesInLocales(exports, known)).find(({ table }) => table !== undefined);
}

/** Forms of a request that change nothing about its file: a default that is sent, and parameters in reversed order. */
export const sameForms: readonly Level[] = [
  formLevel('file_type', 'csv', { fileType: 'csv' }),
  formLevel('locale', 'en', { locale: 'en' }),
  formLevel('order', 'reversed', { isReversed: true }),
];

/**
 * Forms of a request that may change how events are written, and not which events they are.
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

/** A zone whose clocks change between events of the window, with those before and after; empty where there is none. */
function changingZoneLevel(known: Knowledge): Level[] {
  const { base, columns } = known.asLearned ?? known;
  const { dates, ignored } = columns;
  const [change] = changesAmong(dates?.instants ?? [], changingZone);
  if (change === undefined || dates === undefined) return [];
  const side = (isOnSide: (at: number) => boolean): Bounds => {
    const rows = base.table.rows.filter((_, row) => isOnSide(dates.instants[row] ?? 0));
    return exactly(multiset(rows, ignored));
  };
  const each = [side((at) => at < change.at), side((at) => at >= change.at)];
  const query = { timezone: changingZone };
  return [{ ...formLevel('timezone', changingZone, query), each }];
}

function formLevel(factor: Form, name: string, query: ExportQuery): Level {
  return { factor, name, query, from: [] };
}

/** No range at all: a service that then reaches back only for a while loses events of the early half of the window. */
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

export const asPdf = formLevel('file_type', 'pdf', { fileType: 'pdf' });

/** The query of a request with all of these levels. */
export function queryOf(levels: readonly Level[]): ExportQuery {
  const filters = Object.assign({}, ...levels.map(({ query }) => query.filters));
  const all: ExportQuery = Object.assign({}, ...levels.map(({ query }) => query));
  return Object.keys(filters).length === 0 ? all : { ...all, filters };
}

export function isFilter(level: Level): level is Level & { readonly factor: Filter } {
  return level.query.filters !== undefined;
}

/** Whether the level gives a list more than one value. */
export function isSeveral({ query }: Level): boolean {
  return Object.values(query.filters ?? {}).some((values) => values.length > 1);
}
