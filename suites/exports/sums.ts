/*
 * Exports that must add up, as data: two parts of a range hold together what the whole does, and what both share twice.
 * So ranges are judged without knowing what any column shows.
 */

import {
  deviation,
  intersection,
  type Multiset,
  multiset,
  sum,
  without,
} from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { Violation } from '../../helpers/outcomes.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import type { Difference } from '../../schemas/difference.ts';
import { events, eventsDifference, filtersIn } from './relations.ts';

/** An export, and others that hold together with it the same events as further ones do, at least these, or at most. */
export interface Sum {
  readonly clauses: readonly JudgedClause[];
  /** What `own` is in messages, as a phrase: "a range that ends at midnight". */
  readonly what: string;
  /** Left out where there was nothing to ask for. */
  readonly own: CsvDownload | undefined;
  readonly beside?: CsvDownload | undefined;
  readonly is: '=' | '≥' | '≤';
  /** Without events where nothing is given; where one was refused, nothing is judged. */
  readonly of: readonly (CsvDownload | undefined)[];
  /** The events of `own` that are looked at; left out, all. */
  readonly among?: Multiset;
  /** The difference to report in place of the events that differ. @param count how many there are */
  readonly says?: ((count: number) => Difference) | undefined;
}

/**
 * Judges all sums that have the clause.
 * @throws Violation where an export lacks events that it must hold, or holds events that it may not hold
 * @throws Inconclusive where it is no table
 */
export function judgeSums(
  clause: JudgedClause,
  sums: readonly Sum[],
  { columns }: Pick<Knowledge, 'columns'>,
): void {
  for (const { clauses, what, own, beside, is, of, among, says } of sums) {
    const others = [beside, ...of].flatMap((one) => one ?? []);
    if (!clauses.includes(clause) || own === undefined) continue;
    if (others.some(({ table }) => table === undefined)) continue;
    const all = events(own, columns);
    const held = among ? intersection(all, among) : all;
    const eventsOf = (one: CsvDownload | undefined): Multiset =>
      one ? events(one, columns) : multiset([]);
    const due = without(of.map(eventsOf).reduce(sum, multiset([])), eventsOf(beside));
    const differs = deviation(
      { least: is === '≤' ? held : due, most: is === '≥' ? held : due },
      held,
    );
    const count = differs.missing.length + differs.extra.length;
    if (count === 0) continue;
    const isPart = beside !== undefined && is !== '=';
    throw new Violation(
      says?.(count) ?? {
        ...eventsDifference(
          isPart ? `${what}, together with the one beside it` : what,
          own,
          differs,
          columns,
        ),
        ...(is !== '≤' && { of: due.size }),
        asked: filtersIn(own.query),
        ...(is === '≥' && { together: 'at least' }),
      },
      [own, ...others].map(({ answer }) => answer),
    );
  }
}
