import { type Bounds, isWithin } from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { isListFilter } from '../../helpers/exports/query.ts';
import { Inconclusive } from '../../helpers/outcomes.ts';
import { type AnyScenario, scenario } from '../../runner/scenario.ts';
import { csvAnswerJudges } from './answers.ts';
import {
  boundsOf,
  type Combination,
  filtersOf,
  inEachOf,
  matchingAll,
  nestedPairs,
  pairwiseCombinations,
  type Term,
  thirdKey,
  wholeOf,
} from './filter-combinations.ts';
import { partsOf, whyOthers } from './ignored-filters.ts';
import { type Comparison, events, expectServed, expectWithin, noValues } from './relations.ts';

interface Combined {
  readonly knowledge: Knowledge;
  readonly asked: readonly Asked[];
}

interface Asked {
  readonly combination: Combination;
  readonly download: CsvDownload;
  /** Its terms by themselves, asked for where together they did not keep what they should: which of them it is then. */
  readonly parts: readonly Part[];
  /** As few of its terms as show by themselves that they are wrong together; undefined where all are needed. */
  readonly fewer: Part | undefined;
}

/** Some of the terms of a combination, in a request of their own. */
interface Part {
  readonly terms: readonly Term[];
  readonly download: CsvDownload;
}

/** How many combinations are tried at the most; together they cover pairs of filters. */
const maxCombinations = 8;

const combined = scenario({
  name: 'several filters in one request keep the events that match all of them',
  async act({ exports, faker }): Promise<Combined> {
    const knowledge = await exports.knowledge();
    const mixed = pairwiseCombinations(knowledge, maxCombinations, faker);
    const combinations = [
      ...mixed,
      ...nestedPairs(knowledge, mixed),
      ...thirdKey(knowledge, mixed),
    ];
    const asked = await Promise.all(
      combinations.map(async (combination) => {
        const download = await exports.within({ filters: filtersOf(combination) });
        const isRight = holds(download, combination.expected, knowledge);
        if (isRight) return { combination, download, parts: [], fewer: undefined };
        const parts = await askForParts(combination, exports);
        const fewer = await fewestThatShowIt(combination, parts, knowledge, exports);
        return { combination, download, parts, fewer };
      }),
    );
    return { knowledge, asked };
  },
  judges: {
    'export.filters-combine': ({ knowledge, asked }) => {
      const mixed = asked.filter(({ combination }) => combination.terms.some(isList));
      requireAny(mixed, 'values of two filters that occur together in the window', knowledge);
      const judged = mixed.filter(({ parts }) => parts.every(({ download }) => download.table));
      for (const { combination, download, parts, fewer } of judged) {
        expectServed('several filters together', download);
        const expected = withParts(combination, parts, knowledge);
        if (holds(download, expected, knowledge)) continue;
        if (fewer?.terms.some(isList)) expectMatching('filters', fewer, knowledge);
        expectWithin('several filters together', expected, download, knowledge.columns, {
          ...comparedWith(combination.terms),
          why: () => whyOthers(partsOf(combination.terms), download, knowledge),
        });
      }
      if (judged.length === 0) throw refusedParts(mixed);
    },
    'export.metadata-keys-combine': ({ knowledge, asked }) => {
      const several = asked.filter(({ combination }) => keysOf(combination).length > 1);
      requireAny(several, 'values of two metadata keys that occur together', knowledge);
      for (const { combination, download, parts, fewer } of several) {
        const keys = keysOf(combination);
        const isAlone = keys.length === combination.terms.length;
        const part = isAlone ? download : parts.find(({ terms }) => !terms.some(isList))?.download;
        // Beside lists they kept what they should.
        if (part === undefined) continue;
        expectServed('several metadata keys together', part);
        const expected = matching(keys, knowledge);
        if (holds(part, expected, knowledge)) continue;
        if (fewer && !fewer.terms.some(isList)) {
          expectMatching('metadata keys', fewer, knowledge);
        }
        expectWithin('several metadata keys together', expected, part, knowledge.columns, {
          ...comparedWith(keys),
          why: () => whyOthers(partsOf(keys), part, knowledge),
        });
      }
    },
    ...csvAnswerJudges(({ asked }: Combined) => asked.map(({ download }) => download.answer)),
  },
});

/** @throws Violation where filters keep other events together than each of them alone */
function expectMatching(
  what: 'filters' | 'metadata keys',
  { terms, download }: Part,
  knowledge: Knowledge,
): void {
  const many = terms.length === 2 ? 'two' : 'several';
  expectWithin(
    `${many} ${what} together`,
    matching(terms, knowledge),
    download,
    knowledge.columns,
    {
      ...comparedWith(terms),
      why: () => whyOthers(partsOf(terms), download, knowledge),
    },
  );
}

/** The exports of each of the filters alone; nothing where one has several values, which no export has kept together. */
function comparedWith(terms: readonly Term[]): Comparison {
  if (terms.some(({ values }) => values.length > 1)) return {};
  const on = terms.flatMap(({ values }) => values.map(({ download }) => download.answer));
  return { on, together: 'all' };
}

const isList = ({ filter }: Term): boolean => isListFilter(filter);

const keysOf = ({ terms }: Combination): readonly Term[] => terms.filter((term) => !isList(term));

function requireAny(asked: readonly Asked[], what: string, knowledge: Knowledge): void {
  if (asked.length === 0) throw noValues(what, knowledge);
}

function holds(download: CsvDownload, expected: Bounds, { columns }: Knowledge): boolean {
  return download.table !== undefined && isWithin(expected, events(download, columns));
}

async function askForParts(combination: Combination, exports: Exports): Promise<readonly Part[]> {
  const keys = keysOf(combination);
  const parts = [
    ...combination.terms.filter(({ values }) => values.length > 1).map((term) => [term]),
    ...(keys.length > 1 && keys.length < combination.terms.length ? [keys] : []),
  ];
  return await Promise.all(
    parts.map(async (terms) => ({
      terms,
      download: await exports.within({ filters: filtersOf({ terms }) }),
    })),
  );
}

/**
 * Reduces a combination whose export is wrong: leaves out one filter after the other, for good where the export is still wrong
 * without it. Where the metadata keys alone are wrong, it begins with these.
 *
 * @returns the smallest combination found with a wrong export; undefined where nothing could be left out
 */
async function fewestThatShowIt(
  combination: Combination,
  parts: readonly Part[],
  knowledge: Knowledge,
  exports: Exports,
): Promise<Part | undefined> {
  const showsIt = async (terms: readonly Term[]): Promise<Part | undefined> => {
    const download = await exports.within({ filters: filtersOf({ terms }) });
    return isWrong({ terms, download }, knowledge) ? { terms, download } : undefined;
  };
  const keys = parts.find(({ terms }) => terms.length > 1);
  const { terms: all } = keys && isWrong(keys, knowledge) ? keys : combination;
  const single = all.map(({ filter, values }) => ({ filter, values: values.slice(0, 1) }));
  const isSingle = all.every(({ values }) => values.length === 1);
  let fewest = isSingle ? undefined : await showsIt(single);
  for (const { filter } of all) {
    const { terms } = fewest ?? { terms: all };
    if (terms.length === 2) break;
    fewest = (await showsIt(terms.filter((term) => term.filter !== filter))) ?? fewest;
  }
  return fewest;
}

/** Whether terms that are served keep other events together than each of them alone. */
function isWrong({ terms, download }: Part, knowledge: Knowledge): boolean {
  return download.table !== undefined && !holds(download, matching(terms, knowledge), knowledge);
}

/** What the terms keep together, given what some of them keep by themselves. */
function withParts(
  { terms, expected }: Combination,
  parts: readonly Part[],
  knowledge: Knowledge,
): Bounds {
  if (parts.length === 0) return expected;
  const others = terms.filter((term) => !parts.some((part) => part.terms.includes(term)));
  const kept = parts.map(({ download }) => events(download, knowledge.columns));
  return inEachOf(
    [...kept.map((one) => ({ least: one, most: one })), ...others.map(boundsOf)],
    wholeOf(knowledge),
  );
}

function matching(terms: readonly Term[], knowledge: Knowledge): Bounds {
  return matchingAll(terms, wholeOf(knowledge));
}

function refusedParts(asked: readonly Asked[]): Inconclusive {
  const refused = asked.flatMap(({ parts }) => parts.map(({ download }) => download.answer));
  return new Inconclusive('Some of the filters are refused where they stand alone.', refused);
}

export const combinedFilterScenarios: readonly AnyScenario[] = [combined];
