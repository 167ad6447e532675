/* What the arrays of `together.ts` are about, as data: whoever wants other levels to meet adds a topic, or widens one. */

import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { filters } from '../../helpers/exports/query.ts';
import { Memory } from '../../helpers/maps.ts';
import { NotConfigured } from '../../helpers/outcomes.ts';
import { type ListEncoding, type ListFilter, listFilters } from '../../schemas/operations.ts';
import type { Combination, Wanted } from './covering-array.ts';
import {
  exampleLevel,
  impossibleLevels,
  levelsOfFilters,
  levelsOfUnknownValues,
  listsWithImpossible,
  manyEvents,
  manyHave,
  nearAnother,
  oneValue,
  wholeListLevel,
} from './filter-levels.ts';
import {
  amongEvents,
  asPdf,
  aValueTwice,
  exactlyOne,
  formsLeftOut,
  isAsked,
  isFilter,
  isForm,
  isMetadataKey,
  isNotation,
  isOfList,
  isRange,
  isWithoutRange,
  type Level,
  noTimezone,
  otherForms,
  reversedRange,
  translatedSamples,
  withoutKey,
} from './levels.ts';
import { enoughToCompare, type Model } from './prediction.ts';
import {
  anInstant,
  atVeryInstant,
  isTurn,
  levelsOfRanges,
  levelsOfTurns,
  type RangeLevels,
  sampleLevel,
  withoutRange,
} from './range-levels.ts';
import { noValues, wholeOf } from './relations.ts';
import { changingZone, zoneOfQuarters } from './timezone.ts';

/** A topic: which levels meet, and in how many requests. */
export interface Topic extends Wanted {
  readonly sets: readonly (keyof typeof setsOfLevels)[];
  /** Which levels of these sets; left out, all. */
  readonly of?: (level: Level) => boolean;
  /** Whether right answers hold no events, which does not show that a clause is kept. */
  readonly isRightlyEmpty?: true;
  /** Levels that are added to a request. @param index its place, from 0 */
  readonly adds?: (levels: Combination, known: Knowledge, index: number) => readonly Level[];
}

type SetOfLevels = (
  known: Knowledge,
  exports: Exports,
) => readonly Level[] | Promise<readonly Level[]>;

const ofRanges =
  (choose: (levels: RangeLevels) => readonly Level[]): SetOfLevels =>
  async (known, exports) =>
    choose(await levelsOfRanges(known, exports));

/** What topics choose their levels from. */
export const setsOfLevels = {
  filters: levelsOfFilters,
  'filters, or an example': (known) => {
    const all = levelsOfFilters(known);
    return all.length > 0 ? all : [exampleLevel];
  },
  /** Values of each filter for itself that may be taken for others. */
  'near values': (known) =>
    levelsOfFilters(known)
      .filter(isNearAnother)
      .map((level) => ({ ...level, inPairs: [level.factor], forms: [] })),
  /** For each form that values have, one that has it. */
  'values of each form': (known) => {
    const met = new Set<string>();
    return levelsOfFilters(known).flatMap((level): Level[] => {
      const { factor, forms = [] } = level;
      const fresh = isAsked(level) ? forms.filter((form) => !met.has(form)) : [];
      for (const form of fresh) met.add(form);
      return fresh.slice(0, 1).map((name) => ({ ...level, name, inPairs: [factor], forms: [] }));
    });
  },
  'values that only rows show': (known) =>
    levelsOfFilters(known).filter(({ shown }) => shown !== undefined),
  'unknown values': levelsOfUnknownValues,
  'whole lists': (known) =>
    isListRead(known) ? listFilters.flatMap((filter) => wholeListLevel(filter, known)) : [],
  'lists of a known value and one that no event has': listsWithImpossible,
  ranges: ofRanges(({ basic }) => basic),
  'misread ranges': ofRanges(({ misread }) => misread),
  'ends of days and months': ofRanges(({ ends }) => ends),
  /** Beside a filter that keeps none of its events, it does not matter how an instant is misread. */
  instants: ofRanges(({ basic }) =>
    basic.flatMap(({ misread: _, ...level }): Level[] =>
      level.query.start !== undefined && level.query.start === level.query.end ? [level] : [],
    ),
  ),
  /** Ranges with a bound at an event or at midnight: enough where requests are few. */
  bounds: ofRanges(({ basic }) => basic.filter(({ name }) => plainBounds.includes(name))),
  /** A range_start alone, in another notation where the target reads that. */
  'a bound alone': ofRanges(({ basic }) => {
    const named = ['from an event on, with +00:00', fromAnEventOn].map((one) =>
      basic.filter(({ name }) => name === one),
    );
    const some = named.find(({ length }) => length > 0) ?? [];
    return some.map((level): Level => ({ ...level, isAnytime: true }));
  }),
  /** Null, as far as a query can say so: a target may refuse it, or take it for a bound that no event is within. */
  'an empty bound': ofRanges(({ basic }) =>
    basic
      .filter(({ name }) => name === fromAnEventOn)
      .map(
        (level): Level => ({
          ...level,
          name: 'from an event on, and an empty range_end',
          notation: 'with an empty range_end',
          query: { ...level.query, end: '' },
          isLearned: true,
          mayBeRefused: true,
          onlyIf: ({ size }) => size > 0,
        }),
      ),
  ),
  'no range': (known) => [withoutRange(known)],
  forms: async (known, exports) =>
    otherForms((await translatedSamples(exports, known))[0]?.query.locale, known),
  /** There are PDFs of it where no values of filters are known. */
  'the sample': sampleLevel,
  'forms left out': () => formsLeftOut,
  turns: levelsOfTurns,
  'no timezone': () => [noTimezone],
  /** A PDF, and requests that are refused. */
  'other answers': (known) => [asPdf, reversedRange(known), withoutKey],
} satisfies Readonly<Record<string, SetOfLevels>>;

const fromAnEventOn = 'from an event on, and no range_end';
const midnights = ['from midnight on', 'up to midnight'];
const plainBounds = ['from an event on', 'up to an event', anInstant, ...midnights];

/** Of filters only these; and all that is no filter. */
const onlyFilters =
  (is: (level: Level) => boolean) =>
  (level: Level): boolean =>
    !isFilter(level) || is(level);

/** Beyond the window other events may have come when a file is asked for in another form. */
const isClosed = (level: Level): boolean => !isWithoutRange(level);

export const isZone = ({ name }: Level): boolean => name === zoneOfQuarters;
export const isLocale = ({ factor }: Level): boolean => factor === 'locale';

export const isNearAnother = ({ name }: Level): boolean => name === nearAnother;

/** Requests of CSVs. */
export const topics: readonly Topic[] = [
  // A value that no event has keeps no event, however much it is like one that events have.
  { sets: ['unknown values'], isRightlyEmpty: true },
  // Several values of a list keep the events of any of them.
  { sets: ['whole lists'], adds: () => [aValueTwice] },
  // Filters and ranges keep the events that match all of them.
  {
    sets: ['filters, or an example', 'ranges', 'misread ranges', 'no range'],
    isPair: (one, other) => isAsked(one) || isAsked(other),
    isSingle: (level) => isFilter(level) || level.isLearned !== true,
    max: 132,
    loose: 40,
  },
  { sets: ['ends of days and months'], isSingle: () => true, max: 7 },
  // Where a filter and an instant have no event in common, none is kept: each leaves out what the other keeps.
  {
    sets: ['filters', 'instants'],
    of: isAsked,
    isPair: exactlyOne(isFilter),
    isSingle: isFilter,
    needs: 'range',
    most: 2,
    max: filters.length + 6,
    size: { min: 0, max: 0 },
    isRightlyEmpty: true,
  },
  // Lists without a metadata key keep the events that match all of them, too.
  {
    sets: ['filters', 'ranges', 'misread ranges', 'no range'],
    of: onlyFilters(isOfList),
    isPair: exactlyOne(isRange),
    isSingle: isWithoutRange,
    needs: 'range',
    max: 8,
  },
  // Each filter that keeps many events keeps all of them.
  {
    sets: ['filters'],
    isSingle: ({ name }) => name === oneValue || name === manyHave,
    max: 8,
    size: { min: manyEvents },
  },
  // A value that no event has keeps none beside others either; in a list, the other value keeps its own.
  {
    sets: ['filters', 'forms'],
    of: onlyFilters(({ isLearned }) => isLearned === true),
    isPair: exactlyOne(isForm),
    isSingle: () => true,
    max: 8,
    adds: impossibleBeside,
    isRightlyEmpty: true,
  },
  {
    sets: ['lists of a known value and one that no event has'],
    isSingle: isFilter,
    max: 1,
    size: { min: manyEvents },
  },
  {
    sets: ['lists of a known value and one that no event has', 'forms', 'ranges'],
    of: isClosed,
    isPair: exactlyOne(isFilter),
    isSingle: isFilter,
    max: 8,
  },
  // Filters and ranges in other forms of a request keep the same events.
  {
    sets: ['filters', 'forms', 'forms left out', 'ranges'],
    of: (level) => isClosed(level) && onlyFilters(({ misread }) => misread === undefined)(level),
    isPair: (one, other) => isForm(one) || isForm(other),
    max: 42,
    loose: 4,
  },
  {
    sets: ['filters', 'forms', 'misread ranges'],
    of: isAsked,
    isPair: (one, other) => [isForm, isRange].every((is) => is(one) || is(other)),
    needs: 'range',
    max: 12,
  },
  // Nor does a form lose a bound that is given alone.
  {
    sets: ['filters', 'forms', 'ranges', 'no range'],
    of: (level) => isAsked(level) && !(isRange(level) && isClosed(level)),
    isPair: exactlyOne(isForm),
    needs: 'range',
    max: 6,
  },
  // Nor is a value taken for another one in these forms.
  {
    sets: ['near values', 'forms'],
    of: isClosed,
    isPair: exactlyOne(isForm),
    isSingle: isFilter,
    max: 8,
  },
  // A locale alone, without a timezone, may do to a filter what it does not do in a zone.
  {
    sets: ['filters', 'forms'],
    of: (level) => isAsked(level) && (isFilter(level) || isLocale(level)),
    isPair: exactlyOne(isForm),
    needs: 'locale',
    max: 4,
  },
  // So do filters beside a parameter that is null.
  { sets: ['filters', 'no timezone'], of: isAsked, isPair: exactlyOne(isForm), max: 4 },
  {
    sets: ['filters', 'an empty bound'],
    of: isAsked,
    isPair: exactlyOne(isRange),
    needs: 'range',
    max: 4,
  },
  // Dates on both sides of a turn have offsets and years of their own.
  { sets: ['turns'], isPair: isTurn, max: 2 },
  // A bound is no local time, of today's offset or its own; nor is midnight the beginning of a local day.
  {
    sets: ['forms', 'ranges'],
    of: ({ name }) => [changingZone, anInstant, ...midnights].includes(name),
    isPair: exactlyOne(isForm),
    max: 3,
  },
  // A large export holds the same events in any form.
  {
    sets: ['forms', 'ranges'],
    of: isClosed,
    isPair: (one, other) => isForm(one) || isForm(other),
    isSingle: isNotation,
    max: 12,
    size: { min: manyEvents },
  },
];

/** A value that no event has, of a list that the request does not have: of one after the other. */
function impossibleBeside(levels: Combination, known: Knowledge, index: number): readonly Level[] {
  const free = impossibleLevels(known).filter(
    (one) => isOfList(one) && !levels.some(({ factor }) => factor === one.factor),
  );
  return free.slice(index % free.length).slice(0, 1);
}

/** Among so many events dates in a PDF are known by their form, and not by chance. */
const enoughToReadDates = 20;

const ofPdfs: readonly Topic[] = [
  { sets: ['turns'], isPair: isTurn, max: 2 },
  // Ranges at the very instant of an event, which a service may read otherwise for PDFs.
  {
    sets: ['ranges'],
    of: ({ name }) => name.endsWith(atVeryInstant),
    isSingle: () => true,
    max: 4,
    size: { min: enoughToCompare, max: 3000 },
  },
  // A zone in which a date that is cut to whole hours shows.
  {
    sets: ['forms', 'the sample'],
    of: (level) => isRange(level) || isZone(level),
    isSingle: isForm,
    needs: 'range',
    max: 1,
  },
  {
    sets: ['filters', 'forms', 'the sample'],
    of: isAsked,
    isPair: (one, other) => isForm(one) && isForm(other),
    isSingle: (level) => !isRange(level),
    needs: 'range',
    max: 8,
    size: { min: enoughToReadDates },
  },
  {
    sets: ['filters', 'bounds', 'a bound alone', 'no range'],
    of: isAsked,
    isPair: (one, other) =>
      [isOfList, isMetadataKey].some((is) => is(one) && is(other)) ||
      exactlyOne(isRange)(one, other),
    isSingle: (level) => isFilter(level) || isWithoutRange(level),
    needs: 'range',
    max: 18,
    size: { min: enoughToCompare, max: 400 },
  },
  {
    sets: ['filters', 'ranges', 'misread ranges'],
    of: isAsked,
    isSingle: isRange,
    needs: 'range',
    most: 2,
    max: 12,
    size: { min: enoughToCompare, max: 400 },
  },
  // Values of every form, those too that only rows show.
  {
    sets: ['values of each form', 'values that only rows show'],
    isSingle: () => true,
    max: 14,
    size: { min: enoughToCompare, max: 400 },
  },
  // Values that may be taken for others, one in each.
  {
    sets: ['near values', 'bounds', 'no range'],
    isSingle: isFilter,
    needs: 'range',
    max: 3,
    most: 2,
    size: { min: enoughToCompare, max: 400 },
  },
  {
    sets: ['filters'],
    of: isAsked,
    isSingle: () => true,
    max: 1,
    size: { min: manyEvents, max: 1200 },
  },
];

/** Requests of PDFs, which hold the events of their CSVs. */
export const topicsOfPdfs = ofPdfs.map((topic): Topic => ({ ...topic, adds: () => [asPdf] }));

const setsAsLearned = new Memory<Knowledge, Topic['sets'][number], Promise<readonly Level[]>>();

/** The levels of a topic as learned, by which a further run chooses the same requests, and what they keep of unmoved events. */
export async function levelsOf(
  topic: Topic,
  { exports, knowledge }: Pick<Model, 'exports' | 'knowledge'>,
) {
  const { original } = knowledge;
  // Most topics are made of the same sets, and most levels hold thousands of events: they are worked out once.
  const sets = topic.sets.map((set) =>
    setsAsLearned.get(original, set, async () => await setsOfLevels[set](original, exports)),
  );
  const learned = (await Promise.all(sets)).flat().filter((level) => topic.of?.(level) !== false);
  const levelNow = (level: Level): Level =>
    original === knowledge ? level : amongEvents(level, wholeOf(knowledge));
  return { learned, levelNow };
}

/** Encodings that are written for lists alone, as event_type[]=a. */
const onlyForLists: readonly ListEncoding[] = ['brackets', 'indices', 'json'];

/** Whether an encoding works, is given, or is of lists alone and honoured: else the target may want one that is unknown to us. */
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
    const { length } = base.table.rows;
    return noValues(`two values of ${filter} that occur in the window (${length} events)`, known);
  }
  const sent =
    encoding.forOneValue.length === 0
      ? 'no encoding that was tried is honoured, not even for one value'
      : `sent as ${encoding.forOneValue.join(', ')}, all of which are honoured for one value, never those of all values`;
  const what = `the way in which the target takes several values of ${filter} (${sent})`;
  return new NotConfigured('ARRAY_ENCODING', what);
}
