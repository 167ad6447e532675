import { difference, intersection, type Multiset, sum, surelyBoth, union } from './multiset.ts';

/**
 * What an export must hold at least and may hold at most. Rows that are alike in every column can be different
 * events, so that of parts of a whole only bounds follow; where all rows differ, both bounds are the same.
 */
export interface Bounds {
  readonly least: Multiset;
  readonly most: Multiset;
}

/** The events that are in each of several parts of a whole. */
export function inEach(parts: readonly Multiset[], whole: Multiset): Bounds {
  const both = (one: Multiset, other: Multiset) => surelyBoth(one, other, whole);
  return { least: parts.reduce(both), most: parts.reduce(intersection) };
}

/** The events that are in any of several parts: of one value of a filter each. */
export function inAny(parts: readonly Multiset[]): Bounds {
  return { least: parts.reduce(union), most: parts.reduce(sum) };
}

/** What an export lacks of the least, and what it has beyond the most. */
export function deviation({ least, most }: Bounds, actual: Multiset) {
  return { missing: difference(least, actual).missing, extra: difference(most, actual).extra };
}

export function isWithin(bounds: Bounds, actual: Multiset): boolean {
  const { missing, extra } = deviation(bounds, actual);
  return missing.length === 0 && extra.length === 0;
}
