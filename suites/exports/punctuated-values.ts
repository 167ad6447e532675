import { difference, intersection } from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import { isConfirmed } from '../../helpers/exports/known-filters.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { type Filter, isListFilter } from '../../helpers/exports/query.ts';
import { events, expectEvents } from './relations.ts';

/** A value that rows show with characters that divide texts, or stand for others where it is not read as one. */
export interface Punctuated {
  readonly value: string;
  readonly download: CsvDownload;
  /** With its parts one by one; asked for only where it keeps no event. */
  readonly parts: readonly CsvDownload[];
}

/** Divides lists; or stands for something else in queries: for another character, or for their parts. */
const punctuations = [/[,;|]/, /\+/, /%/, /[&#]/];
const anyPunctuation = new RegExp(punctuations.map(({ source }) => source).join('|'));

/**
 * Values of a metadata key that divide into parts, one of each kind, where rows show them and other values are known.
 * What one writes before a formula, an ellipsis, and what HTML writes for a character, are not in the value itself.
 */
export async function askPunctuated(
  exports: Exports,
  filter: Filter,
  { filters: { known }, asLearned }: Knowledge,
): Promise<readonly Punctuated[]> {
  const { values = [], shown } = (asLearned?.filters.known ?? known).get(filter) ?? {};
  if (isListFilter(filter) || shown === undefined || !isConfirmed(shown)) return [];
  const isPlain = (text: string) =>
    /^[\p{L}\p{N}]/u.test(text) && !/[\p{C}…]|\.\.\.$|&\w+;/u.test(text);
  const unknown = shown.values.filter(
    (text) => isPlain(text) && !values.some((known) => known.value === text),
  );
  const chosen = punctuations.flatMap((sign) => unknown.find((text) => sign.test(text)) ?? []);
  const ask = (text: string) => exports.within({ filters: { [filter]: [text] } });
  return await Promise.all(
    [...new Set(chosen)].map(async (value) => {
      const download = await ask(value);
      const parts = download.table?.count === 0 ? partsOf(value) : [];
      return { value, download, parts: await Promise.all(parts.map(ask)) };
    }),
  );
}

function partsOf(value: string): string[] {
  const parts = value.split(anyPunctuation).map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

/**
 * Events that show a value with punctuation are kept by it, where they are not kept by its parts: it may be several.
 * @throws Violation where they are not
 */
export function judgePunctuated(
  filter: Filter,
  { value, download, parts }: Punctuated,
  { base, columns, filters: { known } }: Knowledge,
): void {
  const showing = known.get(filter)?.shown?.eventsShowing(value);
  if (showing === undefined || showing.size === 0 || download.answer.status !== 200) return;
  const isKept = (part: CsvDownload) =>
    part.table === undefined || intersection(showing, events(part, columns)).size > 0;
  const missing = difference(showing, events(download, columns)).missing.length;
  if (missing < showing.size || parts.some(isKept)) return;
  expectEvents(`${filter} with a value that events show`, showing, download, columns, {
    shownIn: { value, all: base.download },
  });
}
