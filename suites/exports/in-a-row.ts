import { isDeepStrictEqual } from 'node:util';
import { inAny, intersection, type Multiset } from '../../helpers/csv/multiset.ts';
import { isNearBeyondCase } from '../../helpers/exports/meeting-values.ts';
import { groupBy } from '../../helpers/maps.ts';
import { Inconclusive, Violation } from '../../helpers/outcomes.ts';
import type { World } from '../../runner/world.ts';
import type { AskedOf } from './blame.ts';
import { type Combination, coveringArray, type Wanted } from './covering-array.ts';
import { impossibleLevels } from './filter-levels.ts';
import {
  asPdf,
  exactlyOne,
  inOtherLocale,
  isAsked,
  isFilter,
  isMetadataKey,
  isOfList,
  isRange,
  isSeveral,
  isWithoutRange,
  type Level,
  withADefault,
  withoutKey,
} from './levels.ts';
import { type Asked, ask, enoughToCompare, type Model, requestPhrase } from './prediction.ts';
import { sampleName } from './range-levels.ts';
import { wholeOf } from './relations.ts';
import { isLocale, isNearAnother, isZone, levelsOf, type Topic } from './topics.ts';

/* What came right before a request must not matter, a setting, a list or half a page: so requests are sent one after the other. */

/** One request, or several that take turns. */
type Kind = readonly (Wanted & {
  /** The levels that it is made of. */
  readonly of: (level: Level) => boolean;
  /** Levels that are added to it. */
  readonly always?: (level: Level) => boolean;
  /** Itself and the same request with other values in one parameter, in the order in which they take turns. */
  readonly turns?: readonly (keyof ReturnType<typeof turnsOf>)[];
})[];

const isBoundAlone = (level: Level): boolean => isRange(level) && isWithoutRange(level);
const isRefused = (level: Level): boolean => isRange(level) && level.mayBeRefused === true;
const isServedRange = (level: Level): boolean =>
  isRange(level) && !isRefused(level) && !isBoundAlone(level);
const isSample = ({ name }: Level): boolean => name === sampleName;
const isPdf = (level: Level): boolean => level === asPdf;

/** Two metadata keys or more in one request. */
const keysTogether = {
  of: (level: Level): boolean => isMetadataKey(level) && isAsked(level),
  isPair: () => true,
  max: 1,
  loose: 1,
};

/** One value of a list and one metadata key, and nothing else that an array would add. */
const valueAndKey = {
  of: (level: Level): boolean => isFilter(level) && !isSeveral(level) && isAsked(level),
  isPair: exactlyOne(isMetadataKey),
  max: 1,
  loose: 1,
  most: 2,
};

/** Several values of a list in a range. */
const listInRange = {
  of: (level: Level): boolean =>
    isOfList(level) ? isSeveral(level) : isServedRange(level) && !isSample(level),
  isSingle: isOfList,
  needs: 'range',
  max: 1,
  size: { min: enoughToCompare, max: 400 },
} as const;

const listOfAnySize = { ...listInRange, size: { min: 1 } } as const;

/** The levels that kinds in a row are made of. */
export const levelsInARow: Topic = {
  sets: ['filters', 'forms', 'bounds', 'a bound alone', 'other answers', 'the sample'],
  of: (level) => isAsked(level) || isNearAnother(level),
};

/** A request, and the same with each of its parameters changed: what is kept of the first by the others alone is not theirs. */
const eachChanged: Kind = [
  {
    ...listOfAnySize,
    turns: [
      'itself',
      'with a value less of each list',
      'with each other filter',
      'in another range',
    ],
  },
  { ...listOfAnySize, always: isZone },
  { ...listOfAnySize, always: isLocale },
];

/** Kinds of requests of which each is sent right after each, when all other scenarios are done. */
const kindsInARow: readonly Kind[] = [
  [
    // Without its last value comes right before the whole list, and the bound, with many events, after what is refused.
    { ...listOfAnySize },
    { of: isBoundAlone, isSingle: isBoundAlone, max: 1 },
    { ...listOfAnySize, turns: ['with a value less'] },
  ],
  [
    { ...keysTogether, turns: ['itself', 'with another value'] },
    {
      of: (level) => isMetadataKey(level) && isNearAnother(level),
      isSingle: isFilter,
      max: 1,
      most: 1,
      turns: ['with a value that no event has', 'itself', 'with another value', 'itself'],
    },
  ],
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

/** Sends kinds of requests right after one another, when all other scenarios are done. */
export async function askKinds(world: World, model: Model): Promise<readonly AskedOf[]> {
  const { learned, levelNow } = await levelsOf(levelsInARow, model);
  const impossible = impossibleLevels(model.knowledge);
  const requestsOf = (kind: Kind, turn: number) =>
    kind.flatMap(({ of, always = () => false, turns = ['itself'], ...wanted }) => {
      const whole = wholeOf(model.knowledge.original);
      const own = learned.filter(of);
      const [levels = []] = coveringArray(own, whole, wanted).combinations;
      const added = learned.filter(always);
      const combinationsOf = turnsOf(levels, learned, impossible);
      return turns
        .flatMap((one) => combinationsOf[one]())
        .filter((one) => one.length > 0)
        .map((one) => inOtherLocale([...one.map(levelNow), ...added], turn, model.translated));
    });
  await world.othersAreDone('exports');
  const asked: Asked[] = [];
  for (const kinds of [[requestsOf(eachChanged, 0)], kindsInARow.map(requestsOf)]) {
    const sent = kinds.filter(({ length }) => length > 0);
    asked.push(...(await askInARow(sent, model)));
  }
  return asked.map((one) => ({ ...one, topic: levelsInARow }));
}

/** The request, and the same changed in one parameter. @param impossible levels of values that no event has */
function turnsOf(levels: Combination, learned: readonly Level[], impossible: readonly Level[]) {
  const single = learned.filter((level) => !isSeveral(level));
  return {
    itself: () => [levels],
    'with another value': () => withAnotherValue(levels, single),
    'with a value less': () => withAValueLess(levels, lastOf).slice(0, 1),
    'with a value less of each list': () => withAValueLess(levels, mattersMost),
    'with each other filter': () => withEachOtherFilter(levels, single),
    'in another range': () => inAnotherRange(levels, learned),
    'with a value that no event has': () => withAnotherValue(levels, impossible),
  };
}

/** The request with another value in its last filter, if there is one a near one, by which alone a kept copy may differ; [] without one. */
function withAnotherValue(levels: Combination, all: readonly Level[]): readonly Combination[] {
  const last = levels.filter(isFilter).at(-1);
  const others = all.filter(
    ({ factor, query }) => factor === last?.factor && !isDeepStrictEqual(query, last.query),
  );
  const [own = ''] = valuesIn(last);
  const other = others.find((one) => valuesIn(one).some(isNearBeyondCase(own))) ?? others[0];
  return other ? [levels.map((level) => (level === last ? other : level))] : [];
}

/** What each value of a list keeps for itself. */
type EachOf = NonNullable<Level['each']>;

/** A copy may be kept by the first values alone. */
const lastOf = (each: EachOf): number => each.length - 1;

/** How many events of one level the others keep. */
const sizeBeside = (least: Multiset, others: Combination): number =>
  [least, ...others.flatMap(({ keeps }) => keeps?.least ?? [])].reduce(intersection).size;

/** The value by which most events of the other levels are kept. */
function mattersMost(each: EachOf, others: Combination): number {
  const sizes = each.map(({ least }) => sizeBeside(least, others));
  return sizes.indexOf(Math.max(...sizes));
}

/** The request with a value of each filter that it has not: of those that keep some of its events, one that keeps fewest. */
function withEachOtherFilter(levels: Combination, all: readonly Level[]): readonly Combination[] {
  const others = all.filter(
    (one) => isFilter(one) && levels.every(({ factor }) => factor !== one.factor),
  );
  return [...groupBy(others, ({ factor }) => factor).values()].flatMap((ofOne) => {
    const sized = ofOne.map((one) => ({
      one,
      size: one.keeps ? sizeBeside(one.keeps.least, levels) : 0,
    }));
    const [fewest] = sized.filter(({ size }) => size > 0).sort((a, b) => a.size - b.size);
    return fewest ? [[...levels, fewest.one]] : [];
  });
}

/** The request without a value of each of its lists, one list after the other. */
function withAValueLess(
  levels: Combination,
  choose: (each: EachOf, others: Combination) => number,
): readonly Combination[] {
  return levels.filter(isSeveral).flatMap((list) => {
    if (list.each === undefined) return [];
    const others = levels.filter((one) => one !== list);
    const at = choose(list.each, others);
    const each = list.each.toSpliced(at, 1);
    const shorter: Level = {
      ...list,
      query: { filters: { [list.factor]: valuesIn(list).toSpliced(at, 1) } },
      keeps: inAny(each),
      each,
    };
    return [levels.map((level) => (level === list ? shorter : level))];
  });
}

/** The request in another range, if there is one of the same notation. */
function inAnotherRange(levels: Combination, all: readonly Level[]): readonly Combination[] {
  const own = levels.find(isRange);
  const other = all.find(
    (one) =>
      isServedRange(one) &&
      one.notation === own?.notation &&
      !isDeepStrictEqual(one.query, own?.query),
  );
  return own && other ? [levels.map((level) => (level === own ? other : level))] : [];
}

const valuesIn = (level?: Level): readonly string[] =>
  Object.values(level?.query.filters ?? {}).flat();

/**
 * Sends requests of each kind right after one of each, and in turn those of one kind; one after the other and each anew.
 * @returns those that differ only right after another one; and all others, as they are answered by themselves
 */
async function askInARow(
  kinds: readonly (readonly Combination[])[],
  model: Model,
): Promise<readonly Asked[]> {
  const anew: Model = { ...model, isAnew: true };
  const asked: Asked[] = [];
  let before: Combination | undefined;
  const wrongAlone = new Set<Combination>();
  const sent = new Map<unknown, number>();
  for (const kind of eachAfterEach(kinds, ({ length }) => length)) {
    const turn = sent.get(kind) ?? 0;
    sent.set(kind, turn + 1);
    const levels = kind[turn % kind.length] ?? [];
    if (wrongAlone.has(levels)) continue;
    const first = await ask(levels, anew);
    // The same request is answered rightly, or in other words, where a wrong copy is kept of these: not what is exported by
    // now differs. The other order of parameters will not do, as a service may heed only the first value of a list.
    const isOnce =
      first.wrong !== undefined &&
      ((await ask(levels, anew)).wrong === undefined ||
        (await ask(withADefault(levels), anew)).wrong === undefined);
    // Whether a request must be served or refused is judged elsewhere.
    const isOfStatus = first.wrong?.difference.kind === 'status';
    const isJudged = !isOfStatus && !levels.some(({ mayBeRefused }) => mayBeRefused);
    if (isOnce && before !== undefined) asked.push(await askAfter(before, levels, anew));
    else if (levels.some(({ caller }) => caller) || (isJudged && first.wrong === undefined))
      asked.push(first);
    else if (isJudged) {
      wrongAlone.add(levels);
      asked.push(await ask(levels, model));
    }
    before = levels;
  }
  return asked;
}

/** Sends a request that differed right after another one alone right after it again. */
async function askAfter(before: Combination, levels: Combination, anew: Model): Promise<Asked> {
  const earlier = await ask(before, anew);
  const { wrong, ...asked } = await ask(levels, anew);
  const [own, others] = [levels, before].map(requestPhrase);
  const after = { ...asked, after: before };
  if (wrong === undefined) {
    const why = `An export with ${own} was another one right after one with ${others}, and not when both were sent again.`;
    return { ...after, undecided: new Inconclusive(why, [asked.answer, earlier.answer]) };
  }
  const { difference } = wrong;
  const when = `${own}, only right after ${own === others ? 'the same' : others}`;
  const said =
    difference.kind === 'events'
      ? { ...difference, when }
      : difference.kind === 'status'
        ? { ...difference, when: `an export with ${when}` }
        : difference;
  return { ...after, wrong: new Violation(said, [asked.answer], [earlier.answer]) };
}

/** Each item comes right after each, after itself so many times at least: of a and b the order a, a, b, b, a. */
export function eachAfterEach<T>(all: readonly T[], timesOf: (one: T) => number): readonly T[] {
  const inOrder = all.flatMap((one, index) => [
    ...Array.from({ length: timesOf(one) }, () => one),
    ...all.slice(index + 1).flatMap((other) => [one, other]),
  ]);
  return [...inOrder, ...all.slice(0, 1)];
}
