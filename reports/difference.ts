import { parseJson } from '../helpers/json-object.ts';
import { numeral } from './wording.ts';

/** How many characters of two long texts are shown before the one in which they differ, and at least from it on. */
const shownBefore = 40;
const shownAfter = 20;

/**
 * Shortens two different texts so that their difference stays visible: long ones are cut around the first character
 * that differs. If so, or if the difference is hard to see, the actual text ends with its place: `(differs from …)`.
 * @param max how many characters to show of each text
 */
export function shownBeside(expected: string, actual: string, max: number) {
  const { where, ...parts } = partsBeside(expected, actual, max);
  return where === undefined ? parts : { ...parts, actual: `${parts.actual} (${where.text})` };
}

/** As `shownBeside`, with the place apart: `where` is undefined where the shortened texts show the difference. */
export function partsBeside(expected: string, actual: string, max: number) {
  const place = firstDifference(expected, actual);
  const isLong = Math.max(expected.length, actual.length) > max;
  const isFar = isLong && place !== -1 && place >= max - shownBefore;
  const from = isFar ? Math.max(0, place - Math.min(shownBefore, max - shownAfter)) : 0;
  const part = (text: string): string => {
    const start = wholeAt(text, from);
    const end = wholeAt(text, start + max);
    return `${start > 0 ? '…' : ''}${text.slice(start, end)}${text.length > end ? '…' : ''}`;
  };
  // The closing quote of a JSON text does not count.
  const isCutOff = isLong && expected.startsWith(actual.replace(/"?$/, ''));
  const isShown = !isFar && !isCutOff && (place === -1 || unseen(expected, actual, place) === '');
  const where = isShown ? undefined : whereTheyDiffer(expected, actual);
  return { expected: part(expected), actual: part(actual), where };
}

/**
 * “255 of 4,000 characters” where the actual text is a beginning, otherwise “differs from character 12 on”.
 * `isHidden`: a character there is hard to see.
 */
function whereTheyDiffer(expected: string, actual: string) {
  const [right, wrong] = [textOfLiteral(expected) ?? expected, textOfLiteral(actual) ?? actual];
  const place = firstDifference(right, wrong);
  const hidden = unseen(right, wrong, place);
  const differs = `differs from character ${numeral(place + 1)} on${hidden}`;
  return { text: beginning(expected, actual) ?? differs, isHidden: hidden !== '' };
}

/** A character that is hard to see or to tell from others: a space, a joiner, a lone accent, a control character. */
const hardToSee = /^[\s\p{C}\p{M}]$/u;

/** “: a tab, not a space”, where one of the characters at a place is hard to see; else an empty text. */
function unseen(right: string, wrong: string, place: number): string {
  const characters = [wrong, right].map((text) => {
    const point = text.codePointAt(wholeAt(text, place));
    return point === undefined ? '' : String.fromCodePoint(point);
  });
  if (!characters.some((character) => hardToSee.test(character))) return '';
  return `: ${characters.map(nameOfCharacter).join(', not ')}`;
}

const namesOfCharacters: Readonly<Record<string, string>> = {
  '': 'the end',
  ' ': 'a space',
  '\n': 'a line feed',
  '\r': 'a carriage return',
  '\t': 'a tab',
  '\u00a0': 'a no-break space',
};

/** A character that is hard to see by its name, “a tab”, or code point, “U+200D”; any other as it is. */
function nameOfCharacter(character: string): string {
  const name = namesOfCharacters[character];
  if (name !== undefined || !hardToSee.test(character)) return name ?? character;
  const point = character.codePointAt(0) ?? 0;
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** How much of the whole the part is, “255 of 4,000 characters”, where it is its beginning; otherwise undefined. */
export function beginning(whole: string, part: string): string | undefined {
  const [long, short] = [textOfLiteral(whole), textOfLiteral(part)];
  if (long === undefined || short === undefined || short === '' || short === long) return undefined;
  return long.startsWith(short)
    ? `${numeral(short.length)} of ${numeral(long.length)} characters`
    : undefined;
}

/** The place of the first character in which texts differ, from 0; -1 where they are the same. */
export function firstDifference(one: ArrayLike<string>, other: ArrayLike<string>): number {
  const length = Math.max(one.length, other.length);
  for (let place = 0; place < length; place += 1) if (one[place] !== other[place]) return place;
  return -1;
}

/** The place, or the one before it where it divides a pair of surrogates. */
function wholeAt(text: string, place: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(place)) ? place - 1 : place;
}

/** The text of a JSON string, perhaps after the name of a field (`name "a"`: a); undefined for anything else. */
function textOfLiteral(text: string): string | undefined {
  const [, json = ''] = /^(?:[\w.]+ )?(".*")$/s.exec(text) ?? [];
  const value = parseJson(json);
  return typeof value === 'string' ? value : undefined;
}
