import type { Faker } from '@faker-js/faker';
import { type Bounds, isWithin, type Multiset, timesIn } from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { describeQuery, type Filter, isListFilter } from '../../helpers/exports/query.ts';
import type { TimeRange } from '../../helpers/exports/window.ts';
import { Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { csvAnswerJudges } from './answers.ts';
import { type BoundName, boundOf, findEventInstant } from './event-instants.ts';
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
  /** The event, which the filters are to keep; none where they do not keep it in the whole window either. */
  readonly kept: Multiset;
}

/** A half of the window, by the bound that cuts it. */
interface Half {
  readonly bound: BoundName;
  readonly range: Partial<TimeRange>;
  /** Without a filter. */
  readonly download: CsvDownload;
}

interface Asked {
  readonly half: Half;
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

/** How many requests with a range and metadata are sent: as many filters as possible in each. */
const maxWithMetadata = 4;

const withFilters = scenario({
  name: 'a range and a filter in one request keep the events that match both',
  async act({ exports, faker }): Promise<RangeAndFilter> {
    const knowledge = await exports.knowledge();
    const halves = await halvesOf(exports, knowledge);
    const chosen = combinationsInHalves(halves, knowledge, faker);
    const [impossible, ...asked] = await Promise.all([
      chosen.length === 0 ? impossibleFilter(exports, knowledge) : undefined,
      ...chosen.map(async ({ half, combination }): Promise<Asked> => {
        const filters = filtersOf(combination);
        const download = await exports.within({ ...half.range, filters });
        const inRange = half.download.table && events(half.download, knowledge.columns);
        const expected = inRange && inBoth(combination.expected, inRange, knowledge);
        const isRight =
          expected && download.table && isWithin(expected, events(download, knowledge.columns));
        // Filters that are wrong together have a clause of their own.
        const alone = isRight ? undefined : await exports.within({ filters });
        return { half, combination, download, alone };
      }),
    ]);
    const atInstant = await withFiltersAtInstant(exports, knowledge);
    return { knowledge, asked, atInstant, impossible };
  },
  judges: {
    'export.range-combines-with-filters': ({ knowledge, asked, atInstant, impossible }) => {
      const { columns, filters } = knowledge;
      if (filters.beyondWindow !== undefined) throw eventsBeyond(filters.beyondWindow);
      if (impossible !== undefined) judgeImpossible(impossible, knowledge);
      for (const { half, combination, download, alone } of asked) {
        const inRange = events(half.download, columns);
        const kept = alone && events(alone, columns);
        expectServed('a range and filters', download);
        const together = kept === undefined ? combination.expected : { least: kept, most: kept };
        const expected = inBoth(together, inRange, knowledge);
        expectWithin('a range and filters', expected, download, columns, {
          on: [half.download.answer, ...(alone === undefined ? [] : [alone.answer])],
          isOfAll: true,
          why: () =>
            whyOthers(
              [
                ...partsOf(combination.terms),
                { name: half.bound, keeps: { least: inRange, most: inRange } },
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

/** Each half by one bound: the other one is that of the window. */
async function halvesOf(
  exports: Exports,
  { window: { middle } }: Knowledge,
): Promise<readonly [Half, Half]> {
  const [later, earlier] = [{ start: middle }, { end: middle }];
  const [from, until] = await Promise.all([exports.within(later), exports.within(earlier)]);
  return [
    { bound: 'range_start', range: later, download: from },
    { bound: 'range_end', range: earlier, download: until },
  ];
}

/**
 * Lists alone in either half, and metadata: each key in one of them at least, as far as so many requests do.
 */
function combinationsInHalves(
  [later, earlier]: readonly [Half, Half],
  knowledge: Knowledge,
  faker: Faker,
): Pick<Asked, 'half' | 'combination'>[] {
  const found: Pick<Asked, 'half' | 'combination'>[] = [];
  const left = new Set(knowledge.filters.known.keys());
  const add = (half: Half, isMeant: (filter: Filter) => boolean): void => {
    const inRange = half.download.table && events(half.download, knowledge.columns);
    const [combination] = pairwiseCombinations(only(isMeant, knowledge), 1, faker, inRange);
    if (combination === undefined) return;
    found.push({ half, combination });
    for (const { filter } of combination.terms) left.delete(filter);
  };
  for (const half of [later, earlier]) add(half, isListFilter);
  for (let times = 0; times < maxWithMetadata && left.size > 0; times += 1) {
    add(times % 2 === 0 ? earlier : later, (filter) => left.has(filter));
  }
  return found;
}

/** The same, as far as some filters are concerned. */
function only(isMeant: (filter: Filter) => boolean, { asLearned, ...now }: Knowledge): Knowledge {
  const some = (known: Knowledge): Knowledge => ({
    ...known,
    filters: {
      ...known.filters,
      known: new Map([...known.filters.known].filter(([filter]) => isMeant(filter))),
    },
  });
  return { ...some(now), ...(asLearned && { asLearned: some(asLearned) }) };
}

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
  const holdsIt = (download: CsvDownload): boolean =>
    download.table !== undefined && timesIn(events(download, columns), key) >= event.times;
  // Filters that are wrong together have a clause of their own.
  const isKept = holdsIt(filtered) || holdsIt(await exports.within({ filters: set }));
  const kept = isKept ? [[key, event] as const] : [];
  return { exactly, filtered, kept: { size: isKept ? event.times : 0, entries: new Map(kept) } };
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
