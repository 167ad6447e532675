import { type Bounds, isWithin, type Multiset, timesIn } from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { describeQuery } from '../../helpers/exports/query.ts';
import { Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { csvAnswerJudges } from './answers.ts';
import { boundOf, findEventInstant } from './event-instants.ts';
import {
  type Combination,
  filtersOf,
  inEachOf,
  pairwiseCombinations,
  wholeOf,
} from './filter-combinations.ts';
import { partsOf, whyOthers } from './ignored-filters.ts';
import { events, expectServed, expectWithin, noValues } from './relations.ts';

interface RangeAndFilter {
  readonly knowledge: Knowledge;
  /** The range without a filter. */
  readonly half: CsvDownload;
  readonly asked: readonly Asked[];
  /** The very instant of an event, and a filter that keeps the event; undefined where there is no such event. */
  readonly atInstant: AtInstant | undefined;
  /** Asked for where no values are known. */
  readonly impossible: Impossible | undefined;
}

interface AtInstant {
  /** Without the filters. */
  readonly exactly: CsvDownload;
  readonly filtered: CsvDownload;
  /** The events that the filters keep. */
  readonly kept: Multiset;
}

interface Asked {
  readonly combination: Combination;
  readonly download: CsvDownload;
  /** Without the range, asked for where with it they do not keep what they should. */
  readonly alone: CsvDownload | undefined;
}

/** A filter with a value that no event has. */
interface Impossible {
  readonly alone: CsvDownload;
  readonly withRange: CsvDownload;
}

/** How many requests with a range and filters are sent: as many filters as possible in each. */
const maxCombinations = 4;

const withFilters = scenario({
  name: 'a range and a filter in one request keep the events that match both',
  async act({ exports, faker }): Promise<RangeAndFilter> {
    const knowledge = await exports.knowledge();
    const { middle } = knowledge.window;
    const half = await exports.within({ start: middle });
    const inRange = half.table && events(half, knowledge.columns);
    const chosen = pairwiseCombinations(knowledge, maxCombinations, faker, inRange);
    const [impossible, ...asked] = await Promise.all([
      chosen.length === 0 ? impossibleFilter(exports, knowledge) : undefined,
      ...chosen.map(async (combination): Promise<Asked> => {
        const filters = filtersOf(combination);
        const download = await exports.within({ start: middle, filters });
        const expected = inRange && inBoth(combination.expected, inRange, knowledge);
        const isRight =
          expected && download.table && isWithin(expected, events(download, knowledge.columns));
        // Filters that are wrong together have a clause of their own.
        const alone = isRight ? undefined : await exports.within({ filters });
        return { combination, download, alone };
      }),
    ]);
    const atInstant = await withFiltersAtInstant(exports, knowledge);
    return { knowledge, half, asked, atInstant, impossible };
  },
  judges: {
    'export.range-combines-with-filters': ({ knowledge, half, asked, atInstant, impossible }) => {
      const { columns, filters } = knowledge;
      if (filters.beyondWindow !== undefined) throw eventsBeyond(filters.beyondWindow);
      if (impossible !== undefined) judgeImpossible(impossible, knowledge);
      const inRange = events(half, columns);
      for (const { combination, download, alone } of asked) {
        const kept = alone && events(alone, columns);
        expectServed('a range and filters', download);
        const together = kept === undefined ? combination.expected : { least: kept, most: kept };
        const expected = inBoth(together, inRange, knowledge);
        expectWithin('a range and filters', expected, download, columns, {
          on: [half.answer, ...(alone === undefined ? [] : [alone.answer])],
          together: 'all',
          why: () =>
            whyOthers(
              [
                ...partsOf(combination.terms),
                { name: 'range_start', keeps: { least: inRange, most: inRange } },
              ],
              download,
              knowledge,
            ),
        });
      }
      if (atInstant === undefined) return;
      const { exactly, filtered, kept } = atInstant;
      const bounds = { least: kept, most: events(exactly, columns) };
      expectWithin('a range of one instant and filters', bounds, filtered, columns, {
        on: [exactly.answer],
      });
    },
    ...csvAnswerJudges(({ asked }: RangeAndFilter) => asked.map(({ download }) => download.answer)),
  },
});

/** Filters with values that keep an event of which the instant is known, and the range of that instant. */
async function withFiltersAtInstant(
  exports: Exports,
  knowledge: Knowledge,
): Promise<AtInstant | undefined> {
  const { columns, filters } = knowledge;
  if (knowledge.base.table.count === 0) return undefined;
  const { kind, at } = await findEventInstant(exports, knowledge);
  if (kind !== 'exact') return undefined;
  const range = { start: boundOf(at), end: boundOf(at) };
  const exactly = await exports.within(range);
  const [known] = [...(exactly.table ? events(exactly, columns).entries : [])];
  if (known === undefined) return undefined;
  const [key, event] = known;
  const set = Object.fromEntries(
    [...filters.known].flatMap(([filter, { values }]) => {
      const keeping = values.find(({ events: kept }) => timesIn(kept, key) >= event.times);
      return keeping === undefined ? [] : [[filter, [keeping.value]]];
    }),
  );
  if (Object.keys(set).length === 0) return undefined;
  const filtered = await exports.within({ ...range, filters: set });
  return { exactly, filtered, kept: { size: event.times, entries: new Map([[key, event]]) } };
}

function inBoth(filtered: Bounds, inRange: Multiset, knowledge: Knowledge): Bounds {
  return inEachOf([filtered, { least: inRange, most: inRange }], wholeOf(knowledge));
}

function eventsBeyond({ query, answer }: CsvDownload): Violation {
  const [parameter = ''] = Object.keys(query.filters ?? {});
  return new Violation(`a range and a filter (${describeQuery(query)})`, {
    expected: 'no event from outside the range',
    actual: 'events that the range alone does not hold, with times outside it',
    on: [answer],
    difference: { kind: 'other', wrong: 'returns events from outside the range', parameter },
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
      difference: 'returns events of no value beside a range',
    });
  }
  throw noValues('a value of any filter that occurs in the window', knowledge);
}

export const rangeAndFilterScenarios = [withFilters];
