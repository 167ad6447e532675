/*
 * What names tell of a filter: what its own says of its values, and how like it a heading is. A hint about where to look, and
 * no more.
 */
import { words } from './cell-readings.ts';
import type { Filter } from './query.ts';
import type { ShownValues } from './shown-values.ts';

/** Whether the name of a filter says that its values are ids. */
export function wantsIds(filter: Filter): boolean {
  return /_id\]?$/.test(filter);
}

/** Whether a place has the name of the filter, or a part of it. */
export function isNamedFor({ name }: ShownValues, filter: Filter): boolean {
  const like = likeness(name, filter);
  return like === 'same' || like === 'all words' || (like !== 'none' && isPartOf(name, filter));
}

/** Whether the cells themselves name the key as requests do: they hold what is stored. */
export function isSpelledAs({ kind, name }: ShownValues, filter: Filter): boolean {
  return kind === 'part' && filter === `metadata[${name}]`;
}

/** How similar a heading and the name of a filter are, the least first. */
const likenesses = ['none', 'some words', 'all words', 'same'] as const;
type Likeness = (typeof likenesses)[number];

/** A number for comparing: the more similar, the higher. */
export function rank(likeness: Likeness): number {
  return likenesses.indexOf(likeness);
}

/** How similar a heading is to the name of a filter. */
export function likeness(heading: string, filter: Filter): Likeness {
  const wanted = words(filter.replace('metadata[', ''));
  const found = words(heading).map((word) => word.toLowerCase());
  if (found.length === 0) return 'none';
  if (found.join('') === wanted.join('')) return 'same';
  if (wanted.every((word) => found.includes(word))) return 'all words';
  const isSpecific = (word: string): boolean => word !== 'id' && word !== 'type';
  const specific = wanted.filter(isSpecific);
  const isRelated = found.some((word) => specific.includes(word));
  return isPartOf(heading, filter) || isRelated ? 'some words' : 'none';
}

/** Whether a heading has no word that the name of a filter has not, and not only the word id. */
function isPartOf(heading: string, filter: Filter): boolean {
  const wanted = words(filter.replace('metadata[', ''));
  const found = words(heading).map((word) => word.toLowerCase());
  return found.some((word) => word !== 'id') && found.every((word) => wanted.includes(word));
}
