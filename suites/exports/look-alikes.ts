import { intersection } from '../../helpers/csv/multiset.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { type Filter, isListFilter } from '../../helpers/exports/query.ts';
import { literal } from '../../helpers/text-pattern.ts';

/*
 * Two values that events show, and that are one where they are not compared as texts: 0815 and 815 as numbers, high_risk and
 * high-risk as patterns of a database. Whether upper and lower case are told apart is open.
 */

/** The first two such values of a metadata key, where rows show its values; none where there are none. */
export function lookAlikesOf(
  filter: Filter,
  { filters: { known }, asLearned }: Knowledge,
): readonly string[] {
  const { shown } = (asLearned?.filters.known ?? known).get(filter) ?? {};
  // A text that was taken for a value keeps nothing.
  if (isListFilter(filter) || shown === undefined) return [];
  const values = lookAlikesAmong(shown.values);
  if (values === undefined) return [];
  // An event may have several values.
  const [showing, showingOther] = values.map(shown.eventsShowing);
  return showing && showingOther && intersection(showing, showingOther).size > 0 ? [] : values;
}

/** The first two values that are the same number, or of which one is a pattern that the other one matches. */
export function lookAlikesAmong(values: readonly string[]): readonly [string, string] | undefined {
  const byNumber = new Map<string, string>();
  for (const value of values) {
    if (!/^\d+$/.test(value)) continue;
    const number = value.replace(/^0+(?=\d)/, '');
    const other = byNumber.get(number);
    if (other !== undefined) return [other, value];
    byNumber.set(number, value);
  }
  for (const value of values.filter((text) => /[_%]/.test(text)).slice(0, maxPatterns)) {
    const pattern = asPattern(value);
    const other = values.find((text) => text !== value && pattern.test(text));
    if (other !== undefined) return [value, other];
  }
  return undefined;
}

/** So many are compared with all others. */
const maxPatterns = 50;

/** A text as LIKE in SQL takes it, which tells neither case. */
function asPattern(text: string): RegExp {
  const parts = Array.from(text, (character) =>
    character === '_' ? '.' : character === '%' ? '.*' : literal(character),
  );
  return new RegExp(`^${parts.join('')}$`, 'su');
}
