import { inEach } from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge, KnownValue } from '../../helpers/exports/knowledge.ts';
import { describeQuery, isListFilter } from '../../helpers/exports/query.ts';
import { NotJudged, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { exportAnswerJudges } from './answers.ts';
import { events, expectWithin } from './relations.ts';

interface RangeAndFilter {
  readonly knowledge: Knowledge;
  /** The range without a filter. */
  readonly half: CsvDownload;
  readonly asked: readonly { readonly value: KnownValue; readonly download: CsvDownload }[];
  /** Asked for where no filter is heard beside a range. */
  readonly unanswered: Unanswered | undefined;
}

/** A filter with a value that no event has. */
interface Unanswered {
  readonly alone: CsvDownload;
  readonly withRange: CsvDownload;
}

const withFilters = scenario({
  name: 'a range and a filter in one request keep the events that match both',
  async act({ exports }): Promise<RangeAndFilter> {
    const knowledge = await exports.knowledge();
    const { middle } = knowledge;
    const known = [...knowledge.filters].flatMap(([filter, { values }]) =>
      values.slice(0, 1).map((value) => ({ filter, value })),
    );
    const chosen = [
      ...known.filter(({ filter }) => isListFilter(filter)).slice(0, 2),
      ...known.filter(({ filter }) => !isListFilter(filter)).slice(0, 2),
    ];
    const [half, unanswered, ...asked] = await Promise.all([
      exports.within({ start: middle }),
      chosen.length === 0 ? unheardFilter(exports, knowledge) : undefined,
      ...chosen.map(async ({ filter, value }) => ({
        value,
        download: await exports.within({ start: middle, filters: { [filter]: [value.value] } }),
      })),
    ]);
    return { knowledge, half, asked, unanswered };
  },
  judges: {
    'export.range-combines-with-filters': ({ knowledge, half, asked, unanswered }) => {
      if (knowledge.beyond !== undefined) throw eventsBeyond(knowledge.beyond);
      if (unanswered !== undefined) judgeUnheard(unanswered);
      const whole = events(knowledge.baseDownload, knowledge);
      const inRange = events(half, knowledge);
      for (const { value, download } of asked) {
        const expected = inEach([inRange, value.events], whole);
        expectWithin('a range and a filter', expected, download, knowledge, [half.answer]);
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

async function unheardFilter(
  exports: Exports,
  { common, encoding, base, impossible }: Knowledge,
): Promise<Unanswered> {
  const filters = { auditee_id: [impossible] };
  const [alone, withRange] = await Promise.all([
    exports.csv({ ...common, filters }, encoding, base),
    exports.within({ filters }),
  ]);
  return { alone, withRange };
}

/** @throws Violation where a filter is heard only without a range, else NotJudged */
function judgeUnheard({ alone, withRange }: Unanswered): void {
  if (alone.table?.count === 0 && (withRange.table?.count ?? 0) > 0) {
    throw new Violation('a range and a filter with a value that no event has', {
      expected: 'no events, as without the range',
      actual: `${withRange.table?.count} events`,
      on: [withRange.answer, alone.answer],
    });
  }
  throw new NotJudged(
    'Not configured: EXPORT_FILTER_VALUES: a value of any filter that occurs in the window.',
  );
}

export const rangeAndFilterScenarios = [withFilters];
