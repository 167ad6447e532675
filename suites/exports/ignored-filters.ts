import type { Row } from '../../helpers/csv/csv-form.ts';
import {
  type Bounds,
  inAny,
  isSubset,
  isWithin,
  keyOfRow,
  timesIn,
} from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery, Filter } from '../../helpers/exports/query.ts';
import type { EventsDifference } from '../../schemas/difference.ts';
import { pairsOf } from './covering-array.ts';
import type { Level } from './levels.ts';
import { inEachOf, wholeOf } from './prediction.ts';
import { events } from './relations.ts';

/*
 * Why an export of several filters keeps other events than it should: the rows tell which of them it left out of account.
 */

/** A parameter of a request, and the events that it keeps alone. */
interface Part {
  readonly name: string;
  readonly keeps: Bounds;
}

function partOf({ factor, query: { start }, keeps }: Level): Part[] {
  if (keeps === undefined) return [];
  if (factor !== 'range') return [{ name: factor, keeps }];
  return [{ name: start === undefined ? 'range_end' : 'range_start', keeps }];
}

/**
 * The parameters without which exactly the events would be kept that came, or of which one was enough; nothing where the
 * rows show neither.
 */
export function whyOthers(
  levels: readonly Level[],
  download: CsvDownload,
  knowledge: Knowledge,
): Pick<EventsDifference, 'ignored' | 'beside' | 'isAnyOf'> {
  if (download.table === undefined) return {};
  const parts = levels.flatMap(partOf);
  const actual = events(download, knowledge.columns);
  const whole = wholeOf(knowledge);
  // Rows came that do not match it.
  const unmatched = parts.filter(({ keeps }) => !isSubset(actual, keeps.most));
  const others = parts.filter((part) => !unmatched.includes(part));
  const keptBy = (some: readonly Part[]): Bounds =>
    inEachOf(
      some.map(({ keeps }) => keeps),
      whole,
    );
  if (unmatched.length > 0 && isWithin(keptBy(others), actual)) {
    return {
      ignored: unmatched.map(({ name }) => name),
      beside: others.map(({ name }) => name),
    };
  }
  for (const some of [parts, ...pairsOf(parts)]) {
    const others = parts.filter((part) => !some.includes(part)).map(({ keeps }) => keeps);
    if (some.length > 1 && isWithin(inEachOf([anyOf(some), ...others], whole), actual)) {
      return { isAnyOf: true, beside: some.map(({ name }) => name) };
    }
  }
  return {};
}

/**
 * What of a query events do not meet that a PDF holds beyond those of its CSV: that is ignored there. Nothing where one of
 * them meets all of it.
 */
export function ignoredFor(
  extra: readonly Row[],
  { start, end, filters = {} }: ExportQuery,
  knowledge: Knowledge,
): Pick<EventsDifference, 'ignored' | 'beside'> {
  const { base, columns, filters: all } = knowledge.asLearned ?? knowledge;
  const { times, ignored: unsteady } = columns;
  const asked = Object.entries(filters).map(([filter, values = []]) => {
    const known = all.known.get(filter as Filter)?.values ?? [];
    return { filter, kept: known.filter(({ value }) => values.includes(value)) };
  });
  const rowsByKey = new Map(base.table.rows.map((row, index) => [keyOfRow(row, unsteady), index]));
  const notMet = extra.slice(0, enoughExtra).map((row) => {
    const key = keyOfRow(row, unsteady);
    const at = times?.instants[rowsByKey.get(key) ?? -1];
    const isBefore = at !== undefined && typeof start === 'number' && at < start;
    const isAfter = at !== undefined && typeof end === 'number' && at > end;
    return [
      ...(isBefore ? ['range_start'] : []),
      ...(isAfter ? ['range_end'] : []),
      ...asked.flatMap(({ filter, kept }) =>
        kept.some(({ events }) => timesIn(events, key) > 0) ? [] : [filter],
      ),
    ];
  });
  const ignored = [...new Set(notMet.flat())];
  if (ignored.length === 0 || notMet.some(({ length }) => length === 0)) return {};
  const names = Object.keys(filters);
  return { ignored, beside: names.filter((name) => !ignored.includes(name)) };
}

/** So many events show what is ignored. */
const enoughExtra = 50;

/** The events that at least one of them keeps. */
function anyOf(parts: readonly Part[]): Bounds {
  return {
    least: inAny(parts.map(({ keeps }) => keeps.least)).least,
    most: inAny(parts.map(({ keeps }) => keeps.most)).most,
  };
}
