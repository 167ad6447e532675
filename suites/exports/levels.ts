/*
 * What an export can be asked for, as data. A factor is a parameter, as event_type; a level is one way to give it, as
 * “one value”. A request has at most one level of each factor. Whoever wants one more way adds a row; CONTRIBUTING names what
 * a new factor takes besides.
 */

import type { Caller } from '../../helpers/api.ts';
import {
  type Bounds,
  exactly,
  intersection,
  type Multiset,
  multiset,
} from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import {
  type ExportQuery,
  type Filter,
  isListFilter,
  type Writing,
} from '../../helpers/exports/query.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import type { ListEncoding } from '../../schemas/operations.ts';
import { filtersIn } from './relations.ts';
import { changesAmong, changingZone, zoneOfQuarters } from './timezone.ts';

/** One way to give a parameter, and the events that an export with it is predicted to keep. */
export interface Level {
  /** The parameter: a filter, or `range`, `timezone`, `locale`, `file_type`, `apikey`, `order`, `writing`, `headers`. */
  readonly factor: Filter | Form;
  /** The way in which it is given, as “one value”: of several levels with one name, one is enough. */
  readonly name: string;
  /** What it counts as in pairs, as “event_type one value”; left out, its name. */
  readonly inPairs?: readonly string[];
  /** What it counts as besides, whatever its parameter is, as “a value with a blank”: these pairs are looked for last. */
  readonly forms?: readonly string[];
  /** What it adds to the query of a request. */
  readonly query: ExportQuery;
  /** The events of the window that it keeps alone; left out where it keeps all, as a timezone does. */
  readonly keeps?: Bounds;
  /** Parts of these events, as those of each value: only a request that keeps some of each shows the level honoured. */
  readonly each?: readonly Bounds[];
  /** The events that it would lose or add, if it were misread: only a request that may hold some of them shows it honoured. */
  readonly misread?: Bounds;
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
  /** What the bound of a range is at, where it may be misread there: “at midnight”. */
  readonly place?: string;
  /** The clause that is violated where no other parameter that selects events is needed to show the difference. */
  readonly clause?: JudgedClause;
  /** Whether what it keeps alone was learned, or is what rows show: a request with it alone convicts of nothing. */
  readonly isLearned?: boolean;
  /** Whether the parameter is left out, and nothing is sent: what others show only then is asked for. */
  readonly isLeftOut?: true;
  /** Whether the request may be refused, as one with an unknown value. */
  readonly mayBeRefused?: true;
  /** How the request is sent, where it has no valid key: it must be refused, and nothing else is judged of it. */
  readonly caller?: Caller;
  /** What is asked for in its place where the answer is not wrong, and yet not empty. */
  readonly orElse?: Level;
  /** Where given, the request is wrong only if this is true of the events that it keeps. */
  readonly onlyIf?: (kept: Multiset) => boolean;
  /** Simpler ways to give the parameter, the simplest first: one value in place of several. */
  readonly simpler?: readonly Level[];
}

/** The level where only some of the events of the window are judged. */
export function amongEvents(level: Level, some: Multiset): Level {
  const { keeps, simpler, orElse } = level;
  const among = ({ least, most }: Bounds): Bounds => {
    const left = intersection(least, some);
    return { least: left, most: most === least ? left : intersection(most, some) };
  };
  return {
    ...level,
    ...(keeps && { keeps: among(keeps) }),
    ...(simpler && { simpler: simpler.map((one) => amongEvents(one, some)) }),
    ...(orElse && { orElse: amongEvents(orElse, some) }),
  };
}

/** The parameters that are no filters. */
type Form =
  | 'range'
  | 'timezone'
  | 'locale'
  | 'file_type'
  | 'apikey'
  | 'order'
  | 'writing'
  | 'headers';

/** Zones that differ in how they are named, and in how far from UTC they are: west of it, a bound read as a local time is later. */
export const zones = ['Etc/GMT+5', 'America/Argentina/Buenos_Aires', zoneOfQuarters];

/** Languages that a service may support besides en: the more likely first, the last one in another script. */
const locales = ['de', 'es', 'fr', 'ja'];

/** The sample in each of `locales`. */
export async function samplesInLocales(
  exports: Exports,
  { window: { sample } }: Knowledge,
): Promise<CsvDownload[]> {
  return await Promise.all(locales.map((locale) => exports.within({ ...sample, locale })));
}

/** The sample in those of `locales` that are served. */
export async function translatedSamples(exports: Exports, known: Knowledge) {
  return (await samplesInLocales(exports, known)).filter(({ table }) => table !== undefined);
}

const defaults = [
  formLevel('file_type', 'csv', { fileType: 'csv' }),
  formLevel('locale', 'en', { locale: 'en' }),
];

/** Defaults of parameters that a request does not have: sent, they change nothing about its file. */
const defaultsFor = (levels: readonly Level[]): readonly Level[] =>
  defaults.filter((form) => levels.every(({ factor }) => factor !== form.factor));

/** Null, as far as a query can say so: a target may refuse it, or take it for any timezone; but for nothing else. */
export const noTimezone: Level = {
  ...formLevel('timezone', '', { timezone: '' }),
  mayBeRefused: true,
};

/** Nothing is sent, as most clients do; other requests send UTC. In which zone dates are then is open. */
const withoutTimezone: Level = formLevel('timezone', 'none', { timezone: undefined });
export const isWithoutTimezone = ({ factor, name }: Level): boolean =>
  factor === 'timezone' && name === withoutTimezone.name;

/** That a request has no timezone but UTC, or no locale, beside what it has. */
export const formsLeftOut: readonly Level[] = (['timezone', 'locale'] as const).map((factor) => ({
  ...formLevel(factor, 'left out', {}),
  isLeftOut: true,
}));

const written = (writing: Writing, more: ExportQuery = {}): Level =>
  formLevel('writing', writing, { writing, ...more });

/** A value of a list stands again at its end: a service need not take that, but no event twice. */
export const aValueTwice: Level = { ...written('a value twice'), mayBeRefused: true };

/** The same request with each value once: it need not be refused. */
export function withEachValueOnce(levels: readonly Level[]): readonly Level[] {
  return levels.filter((level) => level !== aValueTwice);
}

/** Encodings that leave values as they are: who reads one of a list reads it of all. */
const encodingsOfNames: readonly ListEncoding[] = ['repeat', 'brackets', 'indices'];

/** Lists are in another encoding, and brackets plain, only where that is known to be read. */
function writingsOf(
  levels: readonly Level[],
  { encoding: { best, brackets, forOneValue } }: Knowledge,
) {
  const encoding = forOneValue.find((one) => one !== best && encodingsOfNames.includes(one));
  const inAnother =
    encoding && levels.some(isOfList)
      ? formLevel('writing', anotherEncoding, { encoding })
      : undefined;
  return [
    undefined,
    written('lower-case escapes'),
    levels.some(isSeveral) ? aValueTwice : inAnother,
    written('few escapes', brackets.includes('plain') ? { brackets: 'plain' } : {}),
  ];
}

/** Headers that clients send: which events a file holds does not hang on them, nor its language beside a locale. */
function headersOf(levels: readonly Level[]) {
  const type = levels.includes(asPdf) ? 'application/pdf' : 'text/csv';
  const sent = (name: string, value: string, more: ExportQuery = {}): Level =>
    formLevel('headers', name, { headers: { [name]: value }, ...more });
  const locale = levels.some(({ factor }) => factor === 'locale') ? {} : { locale: 'en' };
  return [
    undefined,
    sent('Accept-Language', 'fr, de;q=0.5', locale),
    sent('Accept-Encoding', 'gzip'),
    sent('Accept', `${type}, */*;q=0.1`),
  ];
}

/** How many orders take turns: what changes with every so many requests meets each of them. */
export const ordersInTurn = 3;
const writingsInTurn = 4;

/**
 * The same request with a default besides, its parameters in another order, written otherwise, and with headers: the ways take turns.
 * @param turn from 0
 */
export function inOtherWords(
  levels: readonly Level[],
  turn: number,
  known: Knowledge,
): readonly Level[] {
  const inTurn = (all: readonly (Level | undefined)[], at: number): readonly Level[] =>
    [all[at % all.length]].flatMap((one) => one ?? []);
  const orders = [
    undefined,
    formLevel('order', 'reversed', { order: 'reversed' }),
    // Where the first alone comes last, values of a list stand apart.
    formLevel('order', 'another', { order: turn % 2 === 0 ? 1 : turn }),
  ];
  const withDefault = [
    ...levels,
    ...inTurn([undefined, ...defaultsFor(levels)], Math.floor(turn / ordersInTurn)),
  ];
  return [
    ...withDefault,
    ...inTurn(orders, turn),
    ...inTurn(writingsOf(levels, known), turn),
    ...inTurn(headersOf(withDefault), Math.floor(turn / writingsInTurn)),
  ];
}

/** The same request in another language: those that are served take turns. @param turn from 0 */
export function inOtherLocale(
  levels: readonly Level[],
  turn: number,
  served: readonly CsvDownload[],
): readonly Level[] {
  const { locale } = served[turn % served.length]?.query ?? {};
  return levels.map((level) =>
    locale !== undefined && level.factor === 'locale' && isTranslating(level)
      ? formLevel('locale', locale, { locale })
      : level,
  );
}

/** Whether a file in this locale may be in another language than one without. */
export const isTranslating = ({ query: { locale } }: Pick<Level, 'query'>): boolean =>
  locale !== undefined && locale !== 'en';

/** The same request with a default besides, where it gives none for that parameter. */
export function withADefault(levels: readonly Level[]): readonly Level[] {
  return [...levels, ...defaultsFor(levels).slice(0, 1)];
}

/** Forms that may change how events are written, not which they are. @param locale one that is served besides en */
export function otherForms(locale: string | undefined, known: Knowledge): readonly Level[] {
  return [
    // Beside another parameter it matters to which side a zone moves what is read in it.
    ...zones.map((timezone) => ({
      ...formLevel('timezone', timezone, { timezone }),
      inPairs: [`timezone ${timezone === zoneOfQuarters ? 'ahead of' : 'behind'} UTC`],
    })),
    // All requests have it as long as it is served: then none is the other form.
    known.base.utc.timezone === 'UTC'
      ? withoutTimezone
      : formLevel('timezone', 'UTC', { timezone: 'UTC' }),
    ...changingZoneLevel(known),
    ...(locale === undefined ? [] : [formLevel('locale', locale, { locale })]),
  ];
}

/** A zone whose clocks change, with events before and after, with those of summer time, or with any; [] where none change. */
function changingZoneLevel({ base, columns: { dates, ignored } }: Knowledge): Level[] {
  const [change] = changesAmong(dates?.instants ?? [], changingZone);
  if (change === undefined || dates === undefined) return [];
  const side = (isOnSide: (at: number) => boolean): Bounds => {
    const rows = base.table.rows.filter((_, row) => isOnSide(dates.instants[row] ?? 0));
    return exactly(multiset(rows, ignored));
  };
  const [before, after] = [side((at) => at < change.at), side((at) => at >= change.at)];
  const level = formLevel('timezone', changingZone, { timezone: changingZone });
  const inSummer = change.byMs < 0 ? before : after;
  return [{ ...level, each: [before, after] }, { ...level, each: [inSummer] }, level];
}

export function formLevel(factor: Form, name: string, query: ExportQuery): Level {
  return { factor, name, query, from: [] };
}

/** A range that ends before it begins: the request must be refused. */
export function reversedRange({ window: { start, end } }: Knowledge): Level {
  const level = formLevel('range', 'reversed', { start: end, end: start });
  return { ...level, notation: 'that is reversed', mayBeRefused: true };
}

/** A request that must be refused for want of a key. */
export const withoutKey: Level = {
  ...formLevel('apikey', 'none', {}),
  mayBeRefused: true,
  caller: { key: null },
};

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

/** Whether a bound is missing, and events from outside the window may come. */
export const isWithoutRange = ({ isAnytime }: Level): boolean => isAnytime === true;
export const isRange = ({ factor }: Level): boolean => factor === 'range';
export const isOfList = (level: Level): boolean => isFilter(level) && isListFilter(level.factor);
export const isMetadataKey = (level: Level): boolean =>
  isFilter(level) && !isListFilter(level.factor);
export const isNotation = ({ notation, isAnytime }: Level): boolean =>
  notation !== undefined && !isAnytime;
export const isForm = (level: Level): boolean => !isFilter(level) && !isRange(level);

/** Whether exports have told what the level keeps; not of a level that shows whether a value is taken for a longer one. */
export const isAsked = (level: Level): boolean =>
  level.shown === undefined && !(isFilter(level) && level.misread);

/** Pairs of which one level is such, and the other is not. */
export const exactlyOne =
  (is: (level: Level) => boolean) =>
  (one: Level, other: Level): boolean =>
    is(one) !== is(other);

const anotherEncoding = 'another encoding';

const writingsInWords: Readonly<Record<Writing | typeof anotherEncoding, string>> = {
  'another encoding': 'lists in another encoding',
  'lower-case escapes': 'escapes in lower case (%3a)',
  'few escapes': 'few escapes (: and / as they are)',
  'a value twice': 'a value given twice',
};

/** What a level gives, as a request names it: “event_type”, “several values of event_type”, “range_end with an offset”. */
export function parameterOf({ factor, name, notation, place, query }: Level): string {
  const [filter] = filtersIn(query);
  if (filter !== undefined) return filter;
  if (factor === 'order')
    return `parameters in ${name === 'reversed' ? 'reverse' : 'another'} order`;
  if (factor === 'writing') return writingsInWords[name as keyof typeof writingsInWords];
  if (factor === 'headers') return `the header ${name}`;
  if (factor !== 'range') return name === 'none' ? `no ${factor}` : `${factor}=${name}`;
  const { start, end } = query;
  const [bound = 'no range', ...other] = [
    ...(start === undefined ? [] : ['range_start']),
    ...(end === undefined ? [] : ['range_end']),
  ];
  const range = other.length > 0 ? 'a range' : bound;
  return [range, place, notation].filter(Boolean).join(' ');
}
