import {
  inAny,
  intersection,
  isSubset,
  isWithin,
  type Multiset,
} from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import { furtherIds, type KnownValue } from '../../helpers/exports/known-filters.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { NotConfigured } from '../../helpers/outcomes.ts';
import { type AnyScenario, scenario } from '../../runner/scenario.ts';
import type { EventsDifference } from '../../schemas/difference.ts';
import type { ListEncoding } from '../../schemas/operations.ts';
import { type ListFilter, listFilters } from '../../schemas/operations.ts';
import { judgesBy, ofCsv } from '../answers.ts';
import { valuesOf } from './levels.ts';
import { events, expectServed, expectWithin, noValues } from './relations.ts';

interface Lists {
  readonly knowledge: Knowledge;
  readonly values: readonly KnownValue[];
  /** Values that only rows show, sent in the same list. */
  readonly further: readonly string[];
  /** undefined where there are no two known values. */
  readonly download: CsvDownload | undefined;
}

/** The scenario that sends several values of one list in one request. */
function listScenario(filter: ListFilter): AnyScenario {
  return scenario({
    name: `several values of ${filter} keep the events of any of them`,
    async act({ exports }): Promise<Lists> {
      const knowledge = await exports.knowledge();
      const further = furtherIds(knowledge.filters.known.get(filter));
      const values = valuesOf(filter, knowledge);
      const [first = '', ...others] = values.map(({ value }) => value);
      // The first value is sent again at the end: each value must count, wherever it stands, and no event twice.
      const all = [first, ...others, ...further, first];
      const download =
        others.length === 0 ? undefined : await exports.within({ filters: { [filter]: all } });
      return { knowledge, values, further, download };
    },
    judges: {
      'export.lists-are-any-of': (lists) => judgeList(filter, lists),
      ...judgesBy(ofCsv, ({ download }: Lists) => (download ? [download.answer] : [])),
    },
  });
}

/** @throws Violation where the list keeps other events than its values; NotConfigured where it cannot be sent */
function judgeList(filter: ListFilter, { knowledge, values, further, download }: Lists): void {
  const { base, encoding, columns, filters } = knowledge;
  if (download === undefined) {
    const { count } = base.table;
    const what = `two values of ${filter} that occur in the window (${count} events)`;
    throw noValues(what, knowledge);
  }
  const what = `several values of ${filter}`;
  expectServed(what, download);
  const { shown } = filters.known.get(filter) ?? {};
  const keptByKnown = inAny(values.map(({ events: kept }) => kept));
  const keptByFurther = further.flatMap((value) => shown?.eventsShowing(value) ?? []);
  const bounds = { ...keptByKnown, most: inAny([keptByKnown.most, ...keptByFurther]).most };
  const kept = download.table && events(download, columns);
  const isRead = encoding.forTwoValues.length > 0 || (kept && isWithin(bounds, kept));
  if (!isRead && !isEncodingCertain(knowledge)) throw noEncodingWorks(filter, download, knowledge);
  expectWithin(what, bounds, download, columns, {
    on: values.map((value) => value.download.answer),
    ...(further.length > 0 && { together: 'at least' }),
    why: () => (kept ? lostValues(filter, values, further, kept) : {}),
  });
}

/** The places in the list, from 1, of values that kept none of their events; empty where all kept some. */
function lostValues(
  of: ListFilter,
  values: readonly KnownValue[],
  further: readonly string[],
  kept: Multiset,
): Pick<EventsDifference, 'lostValues'> {
  const isKept = ({ events: own }: KnownValue): boolean => intersection(own, kept).size > 0;
  const places = values.flatMap((value, index) => (isKept(value) ? [] : [index + 1]));
  if (places.length === 0) return {};
  const [one, ...others] = values.filter(isKept);
  const isOnlyOne = one !== undefined && others.length === 0 && isSubset(kept, one.events);
  const furtherPlaces = isOnlyOne ? further.map((_, index) => values.length + index + 1) : [];
  const count = values.length + further.length;
  return { lostValues: { of, places: [...places, ...furtherPlaces], count } };
}

/**
 * Whether it is certain how the target takes lists: the encoding is configured, or one that only lists have is honoured
 * for a single value. Then a list that is not read is a violation; else the target may want an encoding unknown to us.
 */
function isEncodingCertain({ encoding: { forOneValue, isGiven } }: Knowledge): boolean {
  return isGiven || forOneValue.some((one) => onlyForLists.includes(one));
}

function noEncodingWorks(
  filter: ListFilter,
  { answer, table }: CsvDownload,
  { encoding: { forOneValue } }: Knowledge,
): NotConfigured {
  const got = table === undefined ? `${answer.status}` : `${table.count} events`;
  const sent =
    forOneValue.length === 0
      ? 'no encoding that was tried is honoured, not even for one value'
      : `sent as ${forOneValue.join(', ')}, all of which are honoured for one value, never those of all values`;
  const what = `the way in which the target takes several values of ${filter} (${got}; ${sent})`;
  return new NotConfigured('ARRAY_ENCODING', what);
}

/** Encodings that are written for lists alone, as event_type[]=a. */
const onlyForLists: readonly ListEncoding[] = ['brackets', 'indices', 'json'];

export const listScenarios = listFilters.map(listScenario);
