import { inEach } from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { KnownValue } from '../../helpers/exports/filters.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { describeQuery, isListFilter } from '../../helpers/exports/query.ts';
import { Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { exportAnswerJudges } from './answers.ts';
import { events, expectWithin, noValues } from './relations.ts';

interface RangeAndFilter {
  readonly knowledge: Knowledge;
  /** The range without a filter. */
  readonly half: CsvDownload;
  readonly asked: readonly { readonly value: KnownValue; readonly download: CsvDownload }[];
  /** Asked for where no values are known. */
  readonly impossible: Impossible | undefined;
}

/** A filter with a value that no event has. */
interface Impossible {
  readonly alone: CsvDownload;
  readonly withRange: CsvDownload;
}

const withFilters = scenario({
  name: 'a range and a filter in one request keep the events that match both',
  async act({ exports }): Promise<RangeAndFilter> {
    const knowledge = await exports.knowledge();
    const { middle } = knowledge.window;
    const known = [...knowledge.filters.known].flatMap(([filter, { values }]) =>
      values.slice(0, 1).map((value) => ({ filter, value })),
    );
    const chosen = [
      ...known.filter(({ filter }) => isListFilter(filter)).slice(0, 2),
      ...known.filter(({ filter }) => !isListFilter(filter)).slice(0, 2),
    ];
    const [half, impossible, ...asked] = await Promise.all([
      exports.within({ start: middle }),
      chosen.length === 0 ? impossibleFilter(exports, knowledge) : undefined,
      ...chosen.map(async ({ filter, value }) => ({
        value,
        download: await exports.within({ start: middle, filters: { [filter]: [value.value] } }),
      })),
    ]);
    return { knowledge, half, asked, impossible };
  },
  judges: {
    'export.range-combines-with-filters': ({ knowledge, half, asked, impossible }) => {
      const { base, columns, filters } = knowledge;
      if (filters.beyondWindow !== undefined) throw eventsBeyond(filters.beyondWindow);
      if (impossible !== undefined) judgeImpossible(impossible, knowledge);
      const whole = events(base.download, columns);
      const inRange = events(half, columns);
      for (const { value, download } of asked) {
        const expected = inEach([inRange, value.events], whole);
        expectWithin('a range and a filter', expected, download, columns, [half.answer]);
      }
    },
    ...exportAnswerJudges(({ asked }: RangeAndFilter) =>
      asked.map(({ download }) => download.answer),
    ),
  },
});

function eventsBeyond({ query, answer }: CsvDownload): Violation {
  return new Violation(`a range and a filter (${describeQuery(query)})`, {
    expected: 'no event from outside the range',
    actual: 'events that the range alone does not hold, with times outside it',
    on: [answer],
  });
}

async function impossibleFilter(
  exports: Exports,
  { filters: { impossible } }: Knowledge,
): Promise<Impossible> {
  const filters = { auditee_id: [impossible] };
  const [alone, withRange] = await Promise.all([
    exports.anytime({ filters }),
    exports.within({ filters }),
  ]);
  return { alone, withRange };
}

/** @throws Violation where the filter is honoured only without a range, else that no values are known */
function judgeImpossible({ alone, withRange }: Impossible, knowledge: Knowledge): void {
  if (alone.table?.count === 0 && (withRange.table?.count ?? 0) > 0) {
    throw new Violation('a range and a filter with a value that no event has', {
      expected: 'no events, as without the range',
      actual: `${withRange.table?.count} events`,
      on: [withRange.answer, alone.answer],
    });
  }
  throw noValues('a value of any filter that occurs in the window', knowledge);
}

export const rangeAndFilterScenarios = [withFilters];
