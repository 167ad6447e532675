import { parseJson } from '../helpers/json-object.ts';
import { cut } from './printable.ts';

/** How much of two long texts is shown before the character in which they differ. */
const before = 40;

/**
 * Shortens two different texts so that their difference stays visible: long ones are cut around the first character in which they
 * differ, and the place of it follows the actual one, as it does where the difference cannot be seen.
 * @param max how many characters to show of each text
 */
export function shownBeside(
  expected: string,
  actual: string,
  max: number,
): { readonly expected: string; readonly actual: string } {
  const { where, ...parts } = partsBeside(expected, actual, max);
  return where === undefined ? parts : { ...parts, actual: `${parts.actual} (${where})` };
}

/** The same, but the place where they differ is a field of its own; missing where the shortened texts show the difference. */
export function partsBeside(
  expected: string,
  actual: string,
  max: number,
): { readonly expected: string; readonly actual: string; readonly where?: string } {
  const first = firstDifference(expected, actual);
  const isShown = first < max - before && !expected.startsWith(actual.replace(/"?$/, ''));
  if (first === -1 || (expected.length <= max && actual.length <= max) || isShown) {
    const shown = { expected: cut(expected, max), actual: cut(actual, max) };
    const isSeen = first === -1 || unseen(expected, actual, first) === '';
    return isSeen ? shown : { ...shown, where: whereTheyDiffer(expected, actual) };
  }
  const isNear = first <= Math.min(2 * before, max - before);
  const part = (text: string): string => {
    const start = isNear ? 0 : wholeAt(text, Math.max(0, first - Math.min(before, max - 20)));
    const end = wholeAt(text, start + max);
    const rest = text.length > end ? '…' : '';
    return `${start > 0 ? '…' : ''}${text.slice(start, end)}${rest}`;
  };
  return {
    expected: part(expected),
    actual: part(actual),
    where: whereTheyDiffer(expected, actual),
  };
}

/** Where two different texts differ: how much of the one the other is the beginning of, or from which character on; of literals, of what they hold. */
function whereTheyDiffer(expected: string, actual: string): string {
  const [right, wrong] = [literal(expected) ?? expected, literal(actual) ?? actual];
  const place = firstDifference(right, wrong);
  return (
    beginning(expected, actual) ??
    `differs from character ${count(place + 1)} on${unseen(right, wrong, place)}`
  );
}

/** What looks alike, or like nothing: spaces, joiners, accents by themselves, what steers. */
const hardToSee = /^[\s\p{C}\p{M}]$/u;

/** The characters that differ at a place, by their code points, where one of them cannot be seen. */
function unseen(right: string, wrong: string, place: number): string {
  const points = [wrong, right].map((text) => text.codePointAt(wholeAt(text, place)));
  const isSeen = points.every(
    (point) => point === undefined || !hardToSee.test(String.fromCodePoint(point)),
  );
  if (isSeen) return '';
  const [now, due] = points.map((point) =>
    point === undefined ? 'the end' : nameOfCharacter(String.fromCodePoint(point)),
  );
  return `: ${now}, not ${due}`;
}

const namesOfSpaces: Readonly<Record<string, string>> = {
  ' ': 'a space',
  '\n': 'a line feed',
  '\r': 'a carriage return',
  '\t': 'a tab',
  '\u00a0': 'a no-break space',
};

/** What is hard to see by its name, or its code point; anything else as it is. */
function nameOfCharacter(character: string): string {
  const name = namesOfSpaces[character];
  if (name !== undefined) return name;
  const point = character.codePointAt(0) ?? 0;
  return hardToSee.test(character)
    ? `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
    : character;
}

/** Whether two texts, given as JSON, are the same but for their white space. */
export function differInWhiteSpace(one: string, other: string): boolean {
  const [a, b] = [literal(one), literal(other)];
  const bare = (text: string): string => text.replace(/\s+/g, '');
  return a !== undefined && b !== undefined && a !== b && bare(a) === bare(b);
}

/** Whether people see where two texts differ: not where it is nothing that one of them has there, or looks the same. */
export function isSeen(expected: string, actual: string): boolean {
  const [right, wrong] = [literal(expected) ?? expected, literal(actual) ?? actual];
  if (right.normalize('NFKC') === wrong.normalize('NFKC')) return false;
  const place = firstDifference(right, wrong);
  const [due, now] = [right, wrong].map((text) => text.charAt(wholeAt(text, place)));
  // A gap beside a letter shows.
  const isGap = due !== '' && now !== '' && [due, now].includes(' ');
  return unseen(right, wrong, place) === '' || (isGap && due?.trim() !== now?.trim());
}

/** How much of a text another one is the beginning of: "255 of 4,000 characters"; undefined where it is not. */
export function beginning(whole: string, part: string): string | undefined {
  const [long, short] = [literal(whole), literal(part)];
  if (long === undefined || short === undefined || short === '' || short === long) return undefined;
  return long.startsWith(short)
    ? `${count(short.length)} of ${count(long.length)} characters`
    : undefined;
}

/** The place of the first character in which texts differ, from 0; -1 where they are the same. */
function firstDifference(one: string, other: string): number {
  const length = Math.max(one.length, other.length);
  for (let place = 0; place < length; place += 1) if (one[place] !== other[place]) return place;
  return -1;
}

/** A place that does not divide a pair of surrogates. */
function wholeAt(text: string, place: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(place)) ? place - 1 : place;
}

/** The text that stands in quotes, as JSON has it, perhaps after the name of a field. */
function literal(text: string): string | undefined {
  const [, json = ''] = /^(?:[\w.]+ )?(".*")$/s.exec(text) ?? [];
  const value = parseJson(json);
  return typeof value === 'string' ? value : undefined;
}

function count(characters: number): string {
  return characters.toLocaleString('en-US');
}
