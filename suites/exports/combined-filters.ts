import { type Bounds, inAny, isWithin } from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { isListFilter } from '../../helpers/exports/query.ts';
import { Inconclusive } from '../../helpers/outcomes.ts';
import { type AnyScenario, scenario } from '../../runner/scenario.ts';
import { csvAnswerJudges } from './answers.ts';
import {
  type Combination,
  filtersOf,
  inEachOf,
  pairwiseCombinations,
  type Term,
  wholeOf,
} from './filter-combinations.ts';
import { events, expectServed, expectWithin, noValues } from './relations.ts';

interface Combined {
  readonly knowledge: Knowledge;
  readonly asked: readonly Asked[];
}

interface Asked {
  readonly combination: Combination;
  readonly download: CsvDownload;
  /** Its terms by themselves, asked for where together they did not keep what they should: which of them it is then. */
  readonly parts: readonly Part[];
}

/** Terms that have a clause of their own: several values of one list, or several metadata keys. */
interface Part {
  readonly terms: readonly Term[];
  readonly download: CsvDownload;
}

const combined = scenario({
  name: 'several filters in one request keep the events that match all of them',
  async act({ exports, faker, maxCombinations }): Promise<Combined> {
    const knowledge = await exports.knowledge();
    const combinations = pairwiseCombinations(knowledge, maxCombinations, faker);
    const asked = await Promise.all(
      combinations.map(async (combination) => {
        const download = await exports.within({ filters: filtersOf(combination) });
        const isRight = holds(download, combination.expected, knowledge);
        const parts = isRight ? [] : await askForParts(combination, exports);
        return { combination, download, parts };
      }),
    );
    return { knowledge, asked };
  },
  judges: {
    'export.filters-combine': ({ knowledge, asked }) => {
      const mixed = asked.filter(({ combination }) => combination.terms.some(isList));
      requireAny(mixed, 'values of two filters that occur together in the window', knowledge);
      const judged = mixed.filter(({ parts }) => parts.every(({ download }) => download.table));
      for (const { combination, download, parts } of judged) {
        expectServed('several filters together', download);
        const expected = withParts(combination, parts, knowledge);
        expectWithin('several filters together', expected, download, knowledge.columns);
      }
      if (judged.length === 0) throw refusedParts(mixed);
    },
    'export.metadata-keys-combine': ({ knowledge, asked }) => {
      const several = asked.filter(({ combination }) => keysOf(combination).length > 1);
      requireAny(several, 'values of two metadata keys that occur together', knowledge);
      for (const { combination, download, parts } of several) {
        const keys = keysOf(combination);
        const isAlone = keys.length === combination.terms.length;
        const part = isAlone ? download : parts.find(({ terms }) => !terms.some(isList))?.download;
        // Beside lists they kept what they should.
        if (part === undefined) continue;
        expectServed('several metadata keys together', part);
        const expected = matching(keys, knowledge);
        expectWithin('several metadata keys together', expected, part, knowledge.columns);
      }
    },
    ...csvAnswerJudges(({ asked }: Combined) => asked.map(({ download }) => download.answer)),
  },
});

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
  return inEachOf(terms.map(boundsOf), wholeOf(knowledge));
}

const boundsOf = ({ values }: Term): Bounds => inAny(values.map(({ events: kept }) => kept));

function refusedParts(asked: readonly Asked[]): Inconclusive {
  const refused = asked.flatMap(({ parts }) => parts.map(({ download }) => download.answer));
  return new Inconclusive('Some of the filters are refused without the others.', refused);
}

export const combinedFilterScenarios: readonly AnyScenario[] = [combined];
