/*
 * What the arrays of `together.ts` are about, as data: which levels meet, in how many requests, and which clauses a
 * difference can violate. Whoever wants other levels to meet adds a topic, or widens one.
 */

import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { isListFilter } from '../../helpers/exports/query.ts';
import { NotConfigured } from '../../helpers/outcomes.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import { type ListEncoding, type ListFilter, listFilters } from '../../schemas/operations.ts';
import type { Wanted } from './covering-array.ts';
import {
  clauseByFilter,
  exampleLevel,
  levelsOfFilters,
  levelsOfUnknownValues,
  manyEvents,
  wholeListLevel,
} from './filter-levels.ts';
import {
  asPdf,
  isFilter,
  isSeveral,
  type Level,
  otherForms,
  reversedRange,
  sameForms,
  translatedSample,
} from './levels.ts';
import { enoughToCompare } from './prediction.ts';
import { levelsOfRanges, withoutRange } from './range-levels.ts';
import { noValues } from './relations.ts';
import { zoneOfQuarters } from './timezone.ts';

/** A topic: which levels meet, and in how many requests. */
export interface Topic extends Wanted {
  readonly name: string;
  /** The clauses that cannot be judged without values of filters, and why they are not where these are missing. */
  readonly needsValues?: {
    readonly clauses: readonly JudgedClause[];
    readonly missing: (known: Knowledge) => Error;
  };
  /** Further clauses that the topic judges, where a request is about them. */
  readonly alsoJudges: readonly JudgedClause[];
  /** The levels of filters. */
  readonly values?: (known: Knowledge) => readonly Level[];
  /** The other levels. */
  readonly others?: readonly (keyof typeof setsOfLevels)[];
  /** In place of an array: kinds of requests of which each is sent right after each, when all other scenarios are done. */
  readonly inARow?: readonly Kind[];
  /** Whether right answers hold no events, which does not show that a clause is kept. */
  readonly isRightlyEmpty?: true;
  /** Levels that are added to every request. */
  readonly always?: readonly Level[];
}

/** One request, or several that take turns. */
export type Kind = readonly (Wanted & {
  /** The levels that it is made of. */
  readonly of: (level: Level) => boolean;
  /** Levels that are added to it. */
  readonly always?: (level: Level) => boolean;
})[];

/** The levels of all filters that are wanted. */
const filtersThat =
  (isWanted: (level: Level) => boolean) =>
  (known: Knowledge): readonly Level[] =>
    levelsOfFilters(known).filter(isWanted);

/** The levels that are no filters: ranges, forms that change how events are written, and what changes nothing. */
export const setsOfLevels = {
  ranges: levelsOfRanges,
  /** Ranges of one bound at an event: PDFs are few, and the others show no more in them. */
  bounds: async (exports: Exports, known: Knowledge) =>
    (await levelsOfRanges(exports, known)).filter(({ name }) => boundsAtEvents.includes(name)),
  'no range': async (_: Exports, known: Knowledge) => [withoutRange(known)],
  forms: async (exports: Exports, known: Knowledge) =>
    otherForms((await translatedSample(exports, known))?.query.locale, known),
  defaults: async () => sameForms,
  /** A PDF, and a request that is refused. */
  'other answers': async (_: Exports, known: Knowledge) => [asPdf, reversedRange(known)],
} as const;

const boundsAtEvents = ['from an event on', 'up to an event', 'the instant of an event'];

const isAsked = ({ shown }: Level): boolean => shown === undefined;
const isRange = ({ factor }: Level): boolean => factor === 'range';
const isOfList = (level: Level): boolean => isFilter(level) && isListFilter(level.factor);
const isMetadataKey = (level: Level): boolean => isFilter(level) && !isListFilter(level.factor);
const areMetadataKeys = (one: Level, other: Level): boolean =>
  isMetadataKey(one) && isMetadataKey(other);
const isNotation = ({ notation }: Level): boolean => notation !== undefined;
export const isForm = (level: Level): boolean => !isFilter(level) && !isRange(level);

/** Pairs of which one level is such, and the other is not. */
const exactlyOne =
  (is: (level: Level) => boolean) =>
  (one: Level, other: Level): boolean =>
    is(one) !== is(other);

const isOneOfList = (level: Level): boolean => isOfList(level) && !isSeveral(level);
const isPdf = (level: Level): boolean => level === asPdf;
const isRefused = (level: Level): boolean => isRange(level) && level.mayBeRefused === true;
const isZone = ({ name }: Level): boolean => name === zoneOfQuarters;
const isLocale = ({ factor }: Level): boolean => factor === 'locale';

const clausesOfForms: readonly JudgedClause[] = [
  'export.timezone-keeps-the-events',
  'export.timezone-formats-the-dates',
  'export.locale-defaults-to-en',
  'export.locale-keeps-the-events',
  'export.file-type-defaults-to-csv',
];

/** Clauses that requests compared row by row can violate: about defaults, and the timezone of another request. */
const clausesOfDefaults: readonly JudgedClause[] = [
  'export.timezone-formats-the-dates',
  'export.file-type-defaults-to-csv',
  'export.locale-defaults-to-en',
];

/** Clauses that a range can violate where the order of parameters, or a request before it, matters. */
const clausesOfRanges: readonly JudgedClause[] = [
  'export.range-start-includes-its-instant',
  'export.range-end-includes-its-instant',
  'export.range-start-equal-to-end',
];

/** Clauses that filters together can violate, whatever else a request has. */
const clausesOfCombining: readonly JudgedClause[] = [
  'export.filters-combine',
  'export.metadata-keys-combine',
];

/** Two metadata keys or more in one request. */
const keysTogether = {
  of: isMetadataKey,
  isPair: areMetadataKeys,
  max: 1,
  nested: { isPair: areMetadataKeys, max: 1 },
};

/** One value of a list and one metadata key, and nothing else that an array would add. */
const valueAndKey = {
  of: (level: Level): boolean => isOneOfList(level) || isMetadataKey(level),
  isPair: exactlyOne(isMetadataKey),
  max: 0,
  nested: { isPair: exactlyOne(isMetadataKey), max: 1 },
};

/** Filters that keep fewer events may, beside other parameters, leave too few to compare a PDF with its CSV. */
const fewEvents = 100;

export const topics: readonly Topic[] = [
  {
    name: 'a value that no event has keeps no event, however much it is like one that events have',
    alsoJudges: Object.values(clauseByFilter),
    values: levelsOfUnknownValues,
    isRightlyEmpty: true,
  },
  ...listFilters.map(
    (filter): Topic => ({
      name: `several values of ${filter} keep the events of any of them`,
      needsValues: {
        clauses: ['export.lists-are-any-of'],
        missing: (known) => whyNoList(filter, known),
      },
      alsoJudges: [],
      values: (known) => (isListRead(known) ? wholeListLevel(filter, known) : []),
    }),
  ),
  {
    name: 'several filters in one request keep the events that match all of them',
    needsValues: {
      clauses: clausesOfCombining,
      missing: (known) =>
        noValues('values of two filters that occur together in the window', known),
    },
    alsoJudges: [...Object.values(clauseByFilter), ...clausesOfDefaults],
    values(known) {
      const all = levelsOfFilters(known);
      return all.length > 0 ? all : [exampleLevel];
    },
    others: ['defaults'],
    isPair: (one, other) =>
      exactlyOne(isForm)(one, other) || (isFilter(one) && (isAsked(one) || isAsked(other))),
    isSingle: ({ shown }) => shown !== undefined,
    max: 16,
    nested: { isPair: areMetadataKeys, max: 3 },
  },
  {
    name: 'filters that keep many events keep all of them',
    alsoJudges: [...Object.values(clauseByFilter), ...clausesOfCombining],
    values: levelsOfFilters,
    isSingle: () => true,
    max: 4,
    size: { min: manyEvents },
  },
  {
    name: 'a range and filters in one request keep the events that match both',
    needsValues: {
      clauses: ['export.range-combines-with-filters'],
      missing: (known) => noValues('a value of any filter that occurs in the window', known),
    },
    alsoJudges: [...clausesOfDefaults, ...clausesOfRanges, ...clausesOfCombining],
    values: levelsOfFilters,
    others: ['ranges', 'defaults'],
    isPair: exactlyOne(isRange),
    isSingle: isFilter,
    needs: 'range',
    max: 22,
  },
  {
    name: 'filters without a range keep all events of the window that match them',
    alsoJudges: [
      ...clausesOfDefaults,
      ...clausesOfCombining,
      'export.range-bounds-are-independent',
    ],
    values: levelsOfFilters,
    others: ['no range', 'defaults'],
    isPair: exactlyOne(isRange),
    needs: 'range',
    max: 6,
  },
  {
    name: 'parameters that have no event in common keep none together',
    alsoJudges: [...clausesOfCombining, 'export.range-combines-with-filters', ...clausesOfForms],
    values: filtersThat(isAsked),
    others: ['forms', 'ranges'],
    isPair: exactlyOne(isForm),
    isSingle: (level) => isForm(level) || isNotation(level),
    max: 8,
    areApart: true,
    isRightlyEmpty: true,
  },
  {
    name: 'filters and ranges in other forms of a request keep the same events',
    alsoJudges: [...clausesOfForms, ...clausesOfCombining],
    values: levelsOfFilters,
    others: ['forms', 'ranges'],
    isPair: (one, other) => isForm(one) || isForm(other),
    max: 14,
  },
  {
    name: 'a large export in other forms holds the same events',
    alsoJudges: [...clausesOfForms, 'export.range-bounds-are-instants'],
    others: ['forms', 'ranges'],
    isPair: (one, other) => isForm(one) || isForm(other),
    isSingle: isNotation,
    max: 6,
    size: { min: manyEvents },
  },
  {
    name: 'PDFs of filters and ranges hold the events of their CSVs',
    needsValues: {
      clauses: ['export.pdf-holds-the-events-of-the-csv'],
      missing: (known) => noValues('values of filters that occur in the window', known),
    },
    alsoJudges: ['export.pdf-opens'],
    values: filtersThat(isAsked),
    others: ['bounds', 'no range'],
    isPair: (one, other) => isTwoLists(one, other) || exactlyOne(isRange)(one, other),
    isSingle: (level) => isFilter(level) || level.isAnytime === true,
    needs: 'range',
    max: 12,
    size: { min: enoughToCompare, max: 400 },
    always: [asPdf],
  },
  {
    name: 'PDFs of filters that keep few events are exported',
    alsoJudges: ['export.pdf-opens'],
    values: filtersThat((level) => isAsked(level) && (level.keeps?.most.size ?? 0) < fewEvents),
    isSingle: () => true,
    max: 4,
    always: [asPdf],
  },
  {
    name: 'a PDF of many events that a filter keeps holds the events of its CSV',
    alsoJudges: ['export.pdf-holds-the-events-of-the-csv', 'export.pdf-opens'],
    values: filtersThat(isAsked),
    isSingle: () => true,
    max: 1,
    size: { min: manyEvents, max: 3000 },
    always: [asPdf],
  },
  {
    name: 'an export is answered by what it asks for, whatever was asked for right before it',
    alsoJudges: [...clausesOfForms, 'export.pdf-holds-the-events-of-the-csv', 'export.pdf-opens'],
    values: filtersThat(isAsked),
    others: ['forms', 'bounds', 'other answers'],
    inARow: [
      [valueAndKey],
      [keysTogether],
      [
        { ...keysTogether, always: isZone },
        { ...keysTogether, always: isLocale },
      ],
      [
        {
          of: (level) => (isOfList(level) ? isSeveral(level) : isRange(level) && !isRefused(level)),
          isSingle: isOfList,
          needs: 'range',
          max: 1,
          size: { min: enoughToCompare, max: 400 },
          always: isPdf,
        },
      ],
      [
        { ...valueAndKey, always: (level) => isRefused(level) || isZone(level) },
        { ...valueAndKey, always: (level) => isRefused(level) || isLocale(level) },
      ],
    ],
  },
];

/** Encodings that are written for lists alone, as event_type[]=a. */
const onlyForLists: readonly ListEncoding[] = ['brackets', 'indices', 'json'];

/**
 * Whether it is certain how the target takes lists: an encoding works, is configured, or is one that only lists have and
 * is honoured for a single value. Else the target may want an encoding unknown to us.
 */
function isListRead({ encoding: { forOneValue, forTwoValues, isGiven } }: Knowledge): boolean {
  return (
    forTwoValues.length > 0 || isGiven || forOneValue.some((one) => onlyForLists.includes(one))
  );
}

function whyNoList(filter: ListFilter, known: Knowledge): Error {
  const { encoding, filters, base } = known;
  const { values = [] } = filters.known.get(filter) ?? {};
  if (values.length < 2 || isListRead(known)) {
    const { count } = base.table;
    return noValues(`two values of ${filter} that occur in the window (${count} events)`, known);
  }
  const sent =
    encoding.forOneValue.length === 0
      ? 'no encoding that was tried is honoured, not even for one value'
      : `sent as ${encoding.forOneValue.join(', ')}, all of which are honoured for one value, never those of all values`;
  const what = `the way in which the target takes several values of ${filter} (${sent})`;
  return new NotConfigured('ARRAY_ENCODING', what);
}

const isTwoLists = (one: Level, other: Level): boolean => isOfList(one) && isOfList(other);
