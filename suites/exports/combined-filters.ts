import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { type Filter, isListFilter } from '../../helpers/exports/query.ts';
import { type AnyScenario, scenario } from '../../runner/scenario.ts';
import { exportAnswerJudges } from './answers.ts';
import { type Combination, filtersOf, pairwiseCombinations } from './filter-combinations.ts';
import { expectServed, expectWithin, noValues } from './relations.ts';

interface Combined {
  readonly knowledge: Knowledge;
  readonly asked: readonly { readonly combination: Combination; readonly download: CsvDownload }[];
}

function combining(
  name: string,
  clause: 'export.filters-combine' | 'export.metadata-keys-combine',
  isAllowed: (filters: readonly Filter[]) => boolean,
): AnyScenario {
  return scenario({
    name,
    async act({ exports, faker, maxCombinations }): Promise<Combined> {
      const knowledge = await exports.knowledge();
      const budget = Math.ceil(maxCombinations / 2);
      const combinations = pairwiseCombinations(knowledge, isAllowed, budget, faker);
      const asked = await Promise.all(
        combinations.map(async (combination) => {
          const filters = filtersOf(combination);
          return { combination, download: await exports.within({ filters }) };
        }),
      );
      return { knowledge, asked };
    },
    judges: {
      [clause]: ({ knowledge, asked }: Combined) => {
        if (asked.length === 0) {
          const what = 'values of two filters that occur together in the window';
          throw noValues(what, knowledge);
        }
        for (const { combination, download } of asked) {
          expectServed('several filters together', download);
          expectWithin(
            'several filters together',
            combination.expected,
            download,
            knowledge.columns,
          );
        }
      },
      ...exportAnswerJudges(({ asked }: Combined) => asked.map(({ download }) => download.answer)),
    },
  });
}

export const combinedFilterScenarios = [
  combining(
    'several filters in one request keep the events that match all of them',
    'export.filters-combine',
    // Pairs of metadata keys have a clause of their own.
    (filters) => filters.filter((filter) => !isListFilter(filter)).length <= 1,
  ),
  combining(
    'several metadata keys in one request keep the events that match all of them',
    'export.metadata-keys-combine',
    (filters) => !filters.some(isListFilter),
  ),
];
