/* The events of this run's writes, asked for by what their rows show: further filters by values, and bounds by times. */

import type { Row } from '../../helpers/csv/csv-form.ts';
import { datesOf } from '../../helpers/exports/columns.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { filters, isListFilter } from '../../helpers/exports/query.ts';
import { groupBy } from '../../helpers/maps.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import { readerOf } from './csv.ts';
import { shownAt, units } from './event-instants.ts';
import { canBeSent, clauseByFilter } from './filter-levels.ts';
import {
  filtersOfRecords,
  isThere,
  type Look,
  type OwnWrite,
  type Question,
} from './own-events.ts';
import { levelsOfRanges } from './range-levels.ts';

/** A write, and the row of its event. */
export type ShownWrite = OwnWrite & { readonly shown: { readonly row: Row } };

/** How many values of a filter, and how many events, are asked for at most. */
const maxQuestions = 5;

/** How many exports with a bound at the time of an event must show it: times that are cut do so by chance, but not twice. */
const enoughExact = 2;

/** As few of these as show writes of every kind between them. */
function ofAllKinds<One>(
  all: readonly One[],
  writesOf: (one: One) => readonly OwnWrite[],
): readonly One[] {
  const kindsOf = (one: One) => writesOf(one).flatMap(({ kinds }) => kinds);
  const met = new Set<string>();
  const freshIn = (one: One): number => new Set(kindsOf(one).filter((kind) => !met.has(kind))).size;
  const chosen: One[] = [];
  while (chosen.length < maxQuestions) {
    const [best] = all.toSorted((one, other) => freshIn(other) - freshIn(one));
    if (best === undefined || freshIn(best) === 0) break;
    for (const kind of kindsOf(best)) met.add(kind);
    chosen.push(best);
  }
  return chosen;
}

/** Those by which the events of all writes are not asked for anyhow. */
const furtherFilters = filters.filter((filter) => filtersOfRecords.every((one) => one !== filter));

/** By each further filter whose values rows show: where a value keeps most of the events that show it, it is to keep all. */
export function questionsByValues(writes: readonly ShownWrite[], known: Knowledge): Question[] {
  return furtherFilters.flatMap((filter): Question[] => {
    const read = readerOf(filter, known.filters);
    if (!read) return [];
    const byValue = [...groupBy(writes, ({ shown }) => read(shown.row) ?? '')].filter(
      ([value]) => value !== '' && canBeSent(value, filter, known),
    );
    const { values = [], shown } = known.filters.known.get(filter) ?? {};
    // A cell may show several tags as one text, or what is like the value of another key; of types there is one.
    const isSure = (value: string): boolean =>
      isListFilter(filter) &&
      (shown?.isConfirmed === true || values.some((one) => one.value === value));
    return ofAllKinds(byValue, ([, some]) => some).map(([value, due]) => ({
      clause: clauseByFilter[filter],
      filters: { [filter]: [value] },
      due: due.map(({ mark }) => mark),
      isSure: isSure(value),
    }));
  });
}

const clauseOfBound = {
  start: 'export.range-start-includes-its-instant',
  end: 'export.range-end-includes-its-instant',
} as const;

/** The clauses of these questions: own events alone do not show them kept. */
export const clausesOfRows: readonly JudgedClause[] = [
  ...furtherFilters.map((filter) => clauseByFilter[filter]),
  ...Object.values(clauseOfBound),
];

/** From the times of events on, and up to these: each is to hold what rows show to lie there, see `withItsEdge`. */
export async function questionsByTimes(
  writes: readonly ShownWrite[],
  exports: Exports,
  known: Knowledge,
): Promise<Question[]> {
  const { times } = known.columns;
  const rows = writes.map(({ shown: { row } }) => row);
  const dates = times && datesOf({ rows }, times);
  if (!times || !dates?.instants.every(Number.isInteger)) return [];
  const { areExact } = await levelsOfRanges(known, exports);
  /** Rows may show the beginning of the second in which an event happened, or the next one. */
  const unit = BigInt(Math.ceil(times.unit)) * units.millisecond;
  const timed = writes.map((write, row) => ({ ...write, at: shownAt(dates, row) }));
  const step = times.unit < 1 ? units.nanosecond : units.microsecond;
  return ofAllKinds(timed, (one) => [one]).flatMap(({ at: shown, mark }) =>
    (['start', 'end'] as const).map((of) => {
      const isStart = of === 'start';
      const at = isStart || areExact ? shown : shown + unit;
      const isInside = (one: bigint): boolean =>
        isStart ? one > shown + unit : one < shown - unit;
      return {
        clause: clauseOfBound[of],
        filters: {},
        isSure: true,
        bound: { of, at, beyond: isStart ? at - step : at + step, mark },
        due: timed.filter((one) => isInside(one.at)).map((one) => one.mark),
      };
    }),
  );
}

/**
 * An export with a bound at the time of an event that it lacks: that one is due there only if it stays away, the rest of the time
 * lacks it too, and times of others are as their rows show them; else it may have happened a little beyond.
 * @param looks all with bounds @param lookAt asks one more question
 */
export async function withItsEdge(
  look: Look,
  looks: readonly Look[],
  lookAt: (question: Question) => Promise<Look | undefined>,
): Promise<Look> {
  const { bound, clause, due = [] } = look;
  if (bound === undefined || isThere(look, bound)) return look;
  const exact = looks.filter((one) => one.bound?.of === bound.of && isThere(one, one.bound));
  if (exact.length < enoughExact) return look;
  const again = await lookAt({ ...look, due: [...due, bound.mark] });
  const of = bound.of === 'start' ? 'end' : 'start';
  const rest = await lookAt({
    clause,
    filters: {},
    bound: { ...bound, of, at: bound.beyond },
    due: [],
  });
  const isLacked = [again, rest].every((one) => one && isThere(one, bound) === false);
  return again && isLacked ? again : look;
}
