import { difference, intersection } from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import { isConfirmed } from '../../helpers/exports/filters.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { type Filter, isListFilter } from '../../helpers/exports/query.ts';
import { events, expectEvents } from './relations.ts';

/** A value that rows show with characters that divide texts, or stand for others, where it is not read as one. */
export interface Punctuated {
  readonly value: string;
  readonly download: CsvDownload;
  /** With its parts one by one; asked for only where it keeps no event. */
  readonly parts: readonly CsvDownload[];
}

/** Divides, or stands for something else, in forms, in patterns and in queries; no value is read as several by it. */
const punctuation = /[,;|+%&#]/;

/**
 * A value of a metadata key that divides into parts, where rows show one: that of other values is known. What one writes
 * before a formula, an ellipsis, and what HTML writes for a character, are not in the value itself.
 */
export async function askPunctuated(
  exports: Exports,
  filter: Filter,
  { filters: { known }, asLearned }: Knowledge,
): Promise<Punctuated | undefined> {
  const { values = [], shown } = (asLearned?.filters.known ?? known).get(filter) ?? {};
  if (isListFilter(filter) || shown === undefined || !isConfirmed(shown)) return undefined;
  const isPlain = (text: string) =>
    /^[\p{L}\p{N}]/u.test(text) && !/[\p{C}…]|\.\.\.$|&\w+;/u.test(text);
  const value = shown.values.find(
    (text) =>
      punctuation.test(text) && isPlain(text) && !values.some((known) => known.value === text),
  );
  if (value === undefined) return undefined;
  const ask = (text: string) => exports.within({ filters: { [filter]: [text] } });
  const download = await ask(value);
  const parts = value.split(punctuation).map((part) => part.trim());
  const isUnknown = download.table?.count === 0;
  return {
    value,
    download,
    parts: isUnknown ? await Promise.all(parts.filter(Boolean).map(ask)) : [],
  };
}

/**
 * Events that show a value with punctuation are kept by it, where they are not kept by its parts: it may be several.
 * @throws Violation where they are not
 */
export function judgePunctuated(
  filter: Filter,
  { value, download, parts }: Punctuated,
  { columns, filters: { known } }: Knowledge,
): void {
  const showing = known.get(filter)?.shown?.eventsShowing(value);
  if (showing === undefined || download.answer.status !== 200) return;
  const isKept = (part: CsvDownload) =>
    part.table === undefined || intersection(showing, events(part, columns)).size > 0;
  const missing = difference(showing, events(download, columns)).missing.length;
  if (missing < showing.size || parts.some(isKept)) return;
  expectEvents(`${filter} with a value that rows show`, showing, download, columns);
}
