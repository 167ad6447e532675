/*
 * What the arrays of `together.ts` are about, as data: which levels meet, and in how many requests. Whoever wants other
 * levels to meet adds a topic, or widens one.
 */

import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { filters, isListFilter } from '../../helpers/exports/query.ts';
import { NotConfigured } from '../../helpers/outcomes.ts';
import {
  type ListEncoding,
  type ListFilter,
  listFilters,
  pdfEventLimit,
} from '../../schemas/operations.ts';
import type { Combination, Wanted } from './covering-array.ts';
import {
  exampleLevel,
  isImpossible,
  levelsOfFilters,
  levelsOfImpossibleValues,
  levelsOfUnknownValues,
  manyEvents,
  manyHave,
  oneValue,
  wholeListLevel,
} from './filter-levels.ts';
import {
  asPdf,
  aValueTwice,
  formsLeftOut,
  isFilter,
  isSeveral,
  type Level,
  noTimezone,
  otherForms,
  reversedRange,
  translatedSamples,
  withoutKey,
} from './levels.ts';
import { enoughToCompare } from './prediction.ts';
import {
  atVeryInstant,
  levelsOfRanges,
  openWindows,
  sampleLevel,
  sampleName,
  withoutFractions,
  withoutRange,
} from './range-levels.ts';
import { noValues } from './relations.ts';
import { zoneOfQuarters } from './timezone.ts';
import { isTurn, levelsOfTurns } from './turns.ts';

/** A topic: which levels meet, and in how many requests. */
export interface Topic extends Wanted {
  /** The levels of filters. */
  readonly values?: (known: Knowledge) => readonly Level[];
  /** The other levels. */
  readonly others?: readonly (keyof typeof setsOfLevels)[];
  /** Whether right answers hold no events, which does not show that a clause is kept. */
  readonly isRightlyEmpty?: true;
  /** Levels that are added to a request. @param index its place, from 0 */
  readonly adds?: (levels: Combination, known: Knowledge, index: number) => readonly Level[];
}

/** One request, or several that take turns. */
export type Kind = readonly (Wanted & {
  /** The levels that it is made of. */
  readonly of: (level: Level) => boolean;
  /** Levels that are added to it. */
  readonly always?: (level: Level) => boolean;
  /** Whether it takes turns with the same request that has another value in one parameter. */
  readonly varies?: true;
})[];

/** The levels of all filters that are wanted. */
const filtersThat =
  (isWanted: (level: Level) => boolean) =>
  (known: Knowledge): readonly Level[] =>
    levelsOfFilters(known).filter(isWanted);

/** The levels that are no filters: ranges, forms that change how events are written, and what changes nothing. */
export const setsOfLevels = {
  ranges: async (exports: Exports, known: Knowledge) => {
    const { basic, misread } = await levelsOfRanges(exports, known);
    return [...basic, ...misread];
  },
  'ends of days and months': async (exports: Exports, known: Knowledge) =>
    (await levelsOfRanges(exports, known)).ends,
  /** Beside a filter that keeps none of its events, it does not matter how an instant is misread. */
  instants: async (exports: Exports, known: Knowledge) =>
    (await levelsOfRanges(exports, known)).basic.flatMap(({ misread: _, ...level }): Level[] =>
      level.query.start !== undefined && level.query.start === level.query.end ? [level] : [],
    ),
  /** Beyond the window other events may have come when a file is asked for in another form. */
  'closed ranges': async (exports: Exports, known: Knowledge) =>
    (await levelsOfRanges(exports, known)).basic.filter(({ isAnytime }) => !isAnytime),
  /** Ranges that a service may read otherwise for PDFs: at the very instant of an event, and without fractional digits. */
  'other bounds': async (exports: Exports, known: Knowledge) =>
    (await levelsOfRanges(exports, known)).basic.filter(
      ({ name, notation }) => name.endsWith(atVeryInstant) || notation === withoutFractions,
    ),
  /** Ranges with a bound at an event or at midnight: PDFs are few, and the others show no more in them. */
  bounds: async (exports: Exports, known: Knowledge) =>
    (await levelsOfRanges(exports, known)).basic.filter(({ name }) => boundsOfPdfs.includes(name)),
  /** A range_start alone, in another notation where the target reads that. */
  'a bound alone': async (exports: Exports, known: Knowledge) => {
    const { basic } = await levelsOfRanges(exports, known);
    return ['from an event on, with +00:00', 'from an event on, and no range_end'].flatMap((one) =>
      basic
        .filter(({ name }) => name === one)
        .map((level): Level => ({ ...level, isAnytime: true })),
    );
  },
  'open windows': async (_: Exports, known: Knowledge) => openWindows(known),
  'no range': async (_: Exports, known: Knowledge) => [withoutRange(known)],
  forms: async (exports: Exports, known: Knowledge) =>
    otherForms((await translatedSamples(exports, known))[0]?.query.locale, known),
  'a locale': async (exports: Exports, known: Knowledge) =>
    (await setsOfLevels.forms(exports, known)).filter(isLocale),
  'the sample': sampleLevel,
  /** A zone in which a date that is cut to whole hours shows, and the sample. */
  'a zone of PDFs': async (exports: Exports, known: Knowledge) =>
    (await setsOfLevels['forms of PDFs'](exports, known)).filter(
      (level) => isRange(level) || isZone(level),
    ),
  /** Forms of a PDF, and the sample: there are PDFs of it where no values of filters are known. */
  'forms of PDFs': async (exports: Exports, known: Knowledge) => [
    ...(await setsOfLevels.forms(exports, known)).filter(({ factor }) => factor !== asPdf.factor),
    ...(await sampleLevel(exports, known)),
  ],
  'forms left out': async () => formsLeftOut,
  turns: levelsOfTurns,
  'no timezone': async () => [noTimezone],
  /** A PDF, and requests that are refused. */
  'other answers': async (_: Exports, known: Knowledge) => [
    asPdf,
    reversedRange(known),
    withoutKey,
  ],
} as const;

const boundsOfPdfs = [
  'from an event on',
  'up to an event',
  'the instant of an event',
  'from midnight on',
  'up to midnight',
];

/** Whether exports have told what the level keeps; not of a level that shows whether a value is taken for a longer one. */
const isAsked = (level: Level): boolean =>
  level.shown === undefined && !(isFilter(level) && level.misread);
const isRange = ({ factor }: Level): boolean => factor === 'range';
const isOfList = (level: Level): boolean => isFilter(level) && isListFilter(level.factor);
const isMetadataKey = (level: Level): boolean => isFilter(level) && !isListFilter(level.factor);
const areMetadataKeys = (one: Level, other: Level): boolean =>
  isMetadataKey(one) && isMetadataKey(other);
const isTwoLists = (one: Level, other: Level): boolean => isOfList(one) && isOfList(other);
export const isNotation = ({ notation, isAnytime }: Level): boolean =>
  notation !== undefined && !isAnytime;
export const isForm = (level: Level): boolean => !isFilter(level) && !isRange(level);

/** Pairs of which one level is such, and the other is not. */
const exactlyOne =
  (is: (level: Level) => boolean) =>
  (one: Level, other: Level): boolean =>
    is(one) !== is(other);

const isOneOfList = (level: Level): boolean => isOfList(level) && !isSeveral(level);
const isPdf = (level: Level): boolean => level === asPdf;
const asPdfs = (): readonly Level[] => [asPdf];
const isBoundAlone = (level: Level): boolean => isRange(level) && level.isAnytime === true;
const isRefused = (level: Level): boolean => isRange(level) && level.mayBeRefused === true;
const isSample = ({ name }: Level): boolean => name === sampleName;
const isZone = ({ name }: Level): boolean => name === zoneOfQuarters;
const isLocale = ({ factor }: Level): boolean => factor === 'locale';

/** Whether the level gives the value of a filter by which many events are found, where there is such. */
const isOneOfMany = ({ name }: Level): boolean => [oneValue, manyHave].includes(name);

/** Requests of CSVs. */
export const topics: readonly Topic[] = [
  // A value that no event has keeps no event, however much it is like one that events have.
  { values: levelsOfUnknownValues, isRightlyEmpty: true },
  // Several values of a list keep the events of any of them.
  {
    values: (known) =>
      isListRead(known) ? listFilters.flatMap((filter) => wholeListLevel(filter, known)) : [],
    adds: () => [aValueTwice],
  },
  // Filters and ranges keep the events that match all of them.
  {
    values(known) {
      const all = levelsOfFilters(known);
      return all.length > 0 ? all : [exampleLevel];
    },
    others: ['ranges', 'no range'],
    isPair: (one, other) => isAsked(one) || isAsked(other),
    isSingle: (level) => isFilter(level) || level.isLearned !== true,
    max: 120,
    loose: 40,
  },
  { others: ['ends of days and months'], isSingle: () => true, max: 7 },
  // Where a filter and an instant have no event in common, none is kept: each leaves out what the other keeps.
  {
    values: filtersThat(isAsked),
    others: ['instants'],
    isSingle: isFilter,
    needs: 'range',
    most: 2,
    max: filters.length,
    size: { min: 0, max: 0 },
    isRightlyEmpty: true,
  },
  // Lists without a metadata key keep the events that match all of them, too.
  {
    values: filtersThat(isOfList),
    others: ['ranges', 'no range'],
    isPair: exactlyOne(isRange),
    isSingle: (level) => level.isAnytime === true,
    needs: 'range',
    max: 8,
  },
  // A bound alone, or none, keeps all of its events, however many they are.
  {
    others: ['open windows'],
    isSingle: () => true,
    max: 3,
    size: { min: pdfEventLimit + 1 },
  },
  // Each filter that keeps many events keeps all of them.
  { values: levelsOfFilters, isSingle: isOneOfMany, max: 8, size: { min: manyEvents } },
  // A value that no event has keeps none beside others either; in a list, the other value keeps its own.
  {
    values: (known) => levelsOfFilters(known).filter(({ isLearned }) => isLearned),
    others: ['forms'],
    isPair: exactlyOne(isForm),
    isSingle: () => true,
    max: 8,
    adds: impossibleBeside,
    isRightlyEmpty: true,
  },
  { values: listsWithImpossible, isSingle: isFilter, max: 1, size: { min: manyEvents } },
  {
    values: listsWithImpossible,
    others: ['forms', 'closed ranges'],
    isPair: exactlyOne(isFilter),
    isSingle: isFilter,
    max: 8,
  },
  // Filters and ranges in other forms of a request keep the same events.
  {
    values: filtersThat(({ misread }) => misread === undefined),
    others: ['forms', 'forms left out', 'closed ranges'],
    isPair: (one, other) => isForm(one) || isForm(other),
    max: 36,
    loose: 4,
  },
  // A locale alone, without a timezone, may do to a filter what it does not do in a zone.
  {
    values: filtersThat(isAsked),
    others: ['a locale'],
    isPair: exactlyOne(isForm),
    needs: 'locale',
    max: 4,
  },
  // So do filters beside a parameter that is null.
  { values: filtersThat(isAsked), others: ['no timezone'], isPair: exactlyOne(isForm), max: 4 },
  // Dates on both sides of a turn have offsets and years of their own.
  { others: ['turns'], isPair: isTurn, max: 2 },
  // A large export holds the same events in any form.
  {
    others: ['forms', 'closed ranges'],
    isPair: (one, other) => isForm(one) || isForm(other),
    isSingle: isNotation,
    max: 12,
    size: { min: manyEvents },
  },
];

/** Lists of a known value and one that no event has. */
function listsWithImpossible(known: Knowledge): readonly Level[] {
  return levelsOfImpossibleValues(known).filter((level) => !isImpossible(level));
}

/** A value that no event has, of a list that the request does not have: of one after the other. */
function impossibleBeside(levels: Combination, known: Knowledge, index: number): readonly Level[] {
  const free = levelsOfImpossibleValues(known).filter(
    (one) =>
      isImpossible(one) && isOfList(one) && !levels.some(({ factor }) => factor === one.factor),
  );
  return free.slice(index % free.length).slice(0, 1);
}

/** Among so many events dates in a PDF are known by their form, and not by chance. */
const enoughToReadDates = 20;

/** Requests of PDFs, which hold the events of their CSVs. */
export const topicsOfPdfs: readonly Topic[] = [
  { others: ['turns'], isPair: isTurn, max: 2, adds: asPdfs },
  {
    others: ['other bounds'],
    isSingle: () => true,
    max: 4,
    size: { min: enoughToCompare, max: 3000 },
    adds: asPdfs,
  },
  { others: ['a zone of PDFs'], isSingle: isForm, needs: 'range', max: 1, adds: asPdfs },
  {
    values: filtersThat(isAsked),
    others: ['forms of PDFs'],
    isPair: (one, other) => isForm(one) && isForm(other),
    isSingle: (level) => !isRange(level),
    needs: 'range',
    max: 6,
    size: { min: enoughToReadDates },
    adds: asPdfs,
  },
  {
    values: filtersThat(isAsked),
    others: ['bounds', 'no range'],
    isPair: (one, other) => isTwoLists(one, other) || exactlyOne(isRange)(one, other),
    isSingle: (level) => isFilter(level) || level.isAnytime === true,
    needs: 'range',
    max: 16,
    size: { min: enoughToCompare, max: 400 },
    adds: asPdfs,
  },
  // Values of every form, those too that only rows show.
  {
    values: filtersThat(({ shown, inPairs = [] }) => shown !== undefined || inPairs.length > 1),
    isSingle: () => true,
    max: 6,
    size: { min: enoughToCompare, max: 400 },
    adds: asPdfs,
  },
  {
    values: filtersThat(isAsked),
    isSingle: () => true,
    max: 1,
    size: { min: manyEvents, max: 3000 },
    adds: asPdfs,
  },
];

/** Two metadata keys or more in one request. */
const keysTogether = {
  of: isMetadataKey,
  isPair: areMetadataKeys,
  max: 1,
  loose: 1,
};

/** One value of a list and one metadata key, and nothing else that an array would add. */
const valueAndKey = {
  of: (level: Level): boolean => isOneOfList(level) || isMetadataKey(level),
  isPair: exactlyOne(isMetadataKey),
  max: 1,
  loose: 1,
  most: 2,
};

/** Several values of a list in a range. */
const listInRange = {
  of: (level: Level): boolean =>
    isOfList(level)
      ? isSeveral(level)
      : isRange(level) && !isSample(level) && !isRefused(level) && !isBoundAlone(level),
  isSingle: isOfList,
  needs: 'range',
  max: 1,
  size: { min: enoughToCompare, max: 400 },
} as const;

/** The levels that kinds in a row are made of. */
export const levelsInARow: Topic = {
  values: filtersThat(isAsked),
  others: ['forms', 'bounds', 'a bound alone', 'other answers', 'the sample'],
};

/** Kinds of requests of which each is sent right after each, when all other scenarios are done. */
export const kindsInARow: readonly Kind[] = [
  [
    {
      ...valueAndKey,
      of: (level) => valueAndKey.of(level) || isBoundAlone(level),
      isSingle: isBoundAlone,
      needs: 'range',
      most: 3,
    },
  ],
  [{ ...keysTogether, varies: true }],
  [
    { ...keysTogether, always: isZone },
    { ...keysTogether, always: isLocale },
  ],
  [
    { ...listInRange, always: isPdf },
    // In any other range they may keep more than a PDF that is drawn again and again should hold.
    {
      ...listInRange,
      of: (level) => isSample(level) || (isOfList(level) && isSeveral(level)),
      always: (level) => isPdf(level) || isZone(level),
    },
  ],
  [
    { ...valueAndKey, always: (level) => isRefused(level) || isZone(level) },
    { ...valueAndKey, always: (level) => isRefused(level) || isLocale(level) },
    { ...valueAndKey, always: (level) => level === withoutKey },
  ],
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

/** Why no request with several values of a list shows anything. */
export function whyNoList(known: Knowledge): Error {
  const { encoding, filters, base } = known;
  const valuesOf = (filter: ListFilter) => filters.known.get(filter)?.values ?? [];
  const filter = listFilters.find((list) => valuesOf(list).length > 1) ?? listFilters[0];
  if (valuesOf(filter).length < 2 || isListRead(known)) {
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
