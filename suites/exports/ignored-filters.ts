import type { Row } from '../../helpers/csv/csv-form.ts';
import {
  type Bounds,
  inAny,
  inEach,
  intersection,
  isSubset,
  isWithin,
  keyOfRow,
  type Multiset,
  timesIn,
} from '../../helpers/csv/multiset.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery, Filter } from '../../helpers/exports/query.ts';
import type { EventsDifference } from '../../schemas/difference.ts';
import { pairsOf } from './covering-array.ts';
import { isSeveral, type Level } from './levels.ts';
import { wholeOf } from './relations.ts';

/** A parameter of a request, and the events that it keeps alone. */
interface Part {
  readonly name: string;
  readonly keeps: Bounds;
}

/** The parameter that a level gives; empty where it selects no events. */
function partOf({ factor, query: { start }, keeps }: Level): Part[] {
  if (keeps === undefined) return [];
  if (factor !== 'range') return [{ name: factor, keeps }];
  return [{ name: start === undefined ? 'range_end' : 'range_start', keeps }];
}

/**
 * Why an export holds other events than predicted, by those of the window that it holds (`actual`). `ignored`: it holds exactly what is kept without these parameters.
 * `isAnyOf`: exactly what is kept where an event needs to match only one of these, as event_type=a or sub_type=b.
 * `lostValues`: values of a list keep none of their events. Empty where its rows show none of these.
 */
export function whyOthers(
  levels: readonly Level[],
  actual: Multiset,
  knowledge: Knowledge,
): Pick<EventsDifference, 'ignored' | 'beside' | 'isAnyOf' | 'lostValues'> {
  const parts = levels.flatMap(partOf);
  const lost = lostValues(levels, actual);
  if (lost !== undefined) return { lostValues: lost };
  const whole = wholeOf(knowledge);
  const boundsOf = (group: readonly Part[]): Bounds[] => group.map(({ keeps }) => keeps);
  // The parameters that some row of the export does not match.
  const unmatched = parts.filter(({ keeps }) => !isSubset(actual, keeps.most));
  const matched = parts.filter((part) => !unmatched.includes(part));
  if (unmatched.length > 0 && isWithin(inEach(boundsOf(matched), whole), actual)) {
    return {
      ignored: unmatched.map(({ name }) => name),
      beside: matched.map(({ name }) => name),
    };
  }
  const groups = [parts, ...pairsOf(parts)].filter((group) => group.length > 1);
  const alternatives = groups.find((group) => {
    const rest = parts.filter((part) => !group.includes(part));
    return isWithin(inEach([anyOf(group), ...boundsOf(rest)], whole), actual);
  });
  if (alternatives === undefined) return {};
  return { isAnyOf: true, beside: alternatives.map(({ name }) => name) };
}

/** The places in a list that is asked for alone, from 1, of values that kept none of their events; undefined if all did. */
function lostValues([list, ...others]: readonly Level[], kept: Multiset) {
  if (list === undefined || others.length > 0 || !isSeveral(list)) return undefined;
  const { factor: of, each = [] } = list;
  const places = each.flatMap(({ most }, index) =>
    intersection(most, kept).size === 0 ? [index + 1] : [],
  );
  return places.length === 0 ? undefined : { of, places, count: each.length };
}

/**
 * The parameters that a PDF ignores: those that its extra events, which the CSV of the same query lacks, do not match.
 * Empty where one of these events matches all parameters.
 */
export function ignoredFor(
  extra: readonly Row[],
  { start, end, filters = {} }: ExportQuery,
  knowledge: Knowledge,
): Pick<EventsDifference, 'ignored' | 'beside'> {
  const { base, columns, filters: all } = knowledge.asLearned ?? knowledge;
  const { times, ignored: unsteady } = columns;
  const valuesAsked = Object.entries(filters).map(([filter, values = []]) => {
    const known = all.known.get(filter as Filter)?.values ?? [];
    return { filter, kept: known.filter(({ value }) => values.includes(value)) };
  });
  const indexByKey = new Map(base.table.rows.map((row, index) => [keyOfRow(row, unsteady), index]));
  const unmatchedByRow = extra.slice(0, maxExtraLookedAt).map((row) => {
    const key = keyOfRow(row, unsteady);
    const at = times?.instants[indexByKey.get(key) ?? -1];
    const isBefore = at !== undefined && typeof start === 'number' && at < start;
    const isAfter = at !== undefined && typeof end === 'number' && at > end;
    return [
      ...(isBefore ? ['range_start'] : []),
      ...(isAfter ? ['range_end'] : []),
      ...valuesAsked.flatMap(({ filter, kept }) =>
        kept.some(({ events }) => timesIn(events, key) > 0) ? [] : [filter],
      ),
    ];
  });
  const ignored = [...new Set(unmatchedByRow.flat())];
  if (ignored.length === 0 || unmatchedByRow.some(({ length }) => length === 0)) return {};
  const names = Object.keys(filters);
  return { ignored, beside: names.filter((name) => !ignored.includes(name)) };
}

const maxExtraLookedAt = 50;

/** The events that at least one of the parameters keeps. */
function anyOf(parts: readonly Part[]): Bounds {
  return {
    least: inAny(parts.map(({ keeps }) => keeps.least)).least,
    most: inAny(parts.map(({ keeps }) => keeps.most)).most,
  };
}
