import { parseJson } from '../helpers/json.ts';

// Control characters, invisible format characters that reorder or hide text, halves of surrogate pairs, and
// code points that XML forbids. Joiners stay: scripts and emoji need them.
const unprintable =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u{ad}\u{61c}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{2069}\u{feff}\u{fff9}-\u{fffb}\u{fffe}\u{ffff}\u{e0000}-\u{e007f}]/gu;

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text of a target, safe for a terminal, XML and HTML alike once their own escaping is done: what would
 * steer a terminal or deceive an eye is spelled out (`\u001b`). Line feeds and tabs stay.
 */
export function printable(text: string): string {
  return text.replace(unprintable, (character) =>
    character === '\n' || character === '\t' ? character : spelledOut(character),
  );
}

/** As `printable`, on one line: line feeds and tabs are spelled out too. */
export function printableLine(text: string): string {
  return text.replace(unprintable, spelledOut);
}

/** A value as indented JSON in which nothing steers a terminal that shows the file. Ends with a line feed. */
export function jsonText(value: unknown): string {
  return `${printable(JSON.stringify(value, null, 2))}\n`;
}

/** The first `length` code units of a text, and `… (90 characters more)`; the whole text where that is no longer. */
export function cut(text: string, length: number): string {
  const end = wholeAt(text, length);
  const left = text.length - end;
  const note = `… (${left} characters more)`;
  return left <= note.length ? text : text.slice(0, end) + note;
}

/** A character as JSON spells it out, by its code units. */
function spelledOut(character: string): string {
  const unitText = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return shortEscapes[character] ?? character.replace(/./gs, unitText);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as the content of an XML or HTML element, free of characters that neither may hold. */
export function escaped(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** “1,234”. */
export function numeral(count: number): string {
  return count.toLocaleString('en-US');
}

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

/** “255 of 4,000 characters”, or “differs from character 12 on”. `isHidden`: a character there is hard to see. */
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
