import { intersection, surelyBoth } from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { type Filter, isListFilter } from '../../helpers/exports/query.ts';
import { Violation } from '../../helpers/outcomes.ts';
import { literal } from '../../helpers/text-pattern.ts';
import { events } from './relations.ts';

/*
 * Two values that events show, and that are one where they are not compared as texts: 0815 and 815 as numbers, high_risk and
 * high-risk as patterns of a database. Whether upper and lower case are told apart is open.
 */

/** What each of two values keeps that are easily taken for one another. */
export interface LookAlikes {
  readonly values: readonly [string, string];
  readonly downloads: readonly [CsvDownload, CsvDownload];
}

/** The first two such values of a metadata key, where rows show its values; undefined where there are none. */
export async function askLookAlikes(
  exports: Exports,
  filter: Filter,
  { filters: { known }, asLearned }: Knowledge,
): Promise<LookAlikes | undefined> {
  const { shown } = (asLearned?.filters.known ?? known).get(filter) ?? {};
  // A text that was taken for a value keeps nothing.
  if (isListFilter(filter) || shown === undefined) return undefined;
  const values = lookAlikesAmong(shown.values);
  if (values === undefined) return undefined;
  // An event may have several values.
  const [showing, showingOther] = values.map(shown.eventsShowing);
  if (showing && showingOther && intersection(showing, showingOther).size > 0) return undefined;
  const ask = (value: string) => exports.within({ filters: { [filter]: [value] } });
  return { values, downloads: await Promise.all([ask(values[0]), ask(values[1])]) };
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

/** @throws Violation where both values keep an event */
export function judgeLookAlikes(
  filter: Filter,
  { values: [one, other], downloads: [ofOne, ofOther] }: LookAlikes,
  { base, columns }: Knowledge,
): void {
  if ([ofOne, ofOther].some(({ table }) => table === undefined)) return;
  const all = events(base.download, columns);
  const shared = surelyBoth(events(ofOne, columns), events(ofOther, columns), all);
  if (shared.size === 0) return;
  throw new Violation(`${filter} with either of two values (${one}, ${other})`, {
    expected: 'no event that both keep',
    actual: `${shared.size} of them`,
    on: [ofOne.answer, ofOther.answer],
    difference: { kind: 'other', wrong: 'matches one event by two values', parameter: filter },
  });
}
