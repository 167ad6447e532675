import { countsOf, groupBy } from '../group-by.ts';
import { remembered } from '../memory.ts';
import type { PdfPage, PdfText } from './read-pdf.ts';

/** A piece of text and the page it stands on, from 0. */
export interface Piece extends PdfText {
  readonly page: number;
}

/** The text of a PDF in one string without white space and in lower case, so that layout does not matter. */
export interface PlainText {
  readonly text: string;
  readonly pieces: readonly Piece[];
  /** Where each piece begins in the text. */
  readonly starts: readonly number[];
  /** Where each page begins in the text. */
  readonly pages: readonly number[];
  /** Whether white space, or the end of a piece, stood before this offset. */
  isBreak(offset: number): boolean;
}

/**
 * The form in which texts are compared: “Task_Plat-form” becomes “taskplatform”. Ligatures are taken apart; case, white
 * space and invisible marks do not count, nor do hyphens, which layouts add, and underscores, which labels replace.
 */
export function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_\p{Pd}\p{Cf}]+/gu, '');
}

/** Whether every font can show a text: it is western, without spaces. A font may lack the glyphs of other scripts. */
export function isShowable(value: string): boolean {
  return /^[\x21-\x7e\xa1-\xff]+$/.test(value);
}

/**
 * Whether a text has letters that are written from right to left. Libraries reorder and repeat letters in the line of
 * such a text, so that nothing in the line can be recognized.
 */
export function isRightToLeft(value: string): boolean {
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(value);
}

/** Joins pieces of text in the order given, and notes where each piece, page and word begins. */
export function joinPieces(pieces: readonly Piece[]): PlainText {
  const breaks: number[] = [];
  const starts: number[] = [];
  const pages: number[] = [];
  const words: string[] = [];
  let length = 0;
  for (const [index, piece] of pieces.entries()) {
    starts.push(length);
    if (piece.page !== pieces[index - 1]?.page) pages.push(length);
    for (const word of piece.text.split(/\s+/)) {
      breaks.push(length);
      const bare = plain(word);
      words.push(bare);
      length += bare.length;
    }
  }
  breaks.push(length);
  const marked = new Uint8Array(length + 1);
  for (const offset of breaks) marked[offset] = 1;
  return { text: words.join(''), pieces, starts, pages, isBreak: (offset) => marked[offset] === 1 };
}

/** The piece that holds an offset of the text, and how far into it the offset is. */
export function pieceAt({ pieces, starts }: PlainText, offset: number) {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  const piece = pieces[low];
  return piece && { piece, within: offset - (starts[low] ?? 0) };
}

/** A value where it stands in the text. */
export interface Occurrence {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds every place at which one of many values stands, in one pass. Where one value begins with another, the one that
 * ends before white space is found, or else the longer one.
 * @param values in the form of `plain`, none of them empty
 */
export function findOccurrences(text: PlainText, values: Iterable<string>): Occurrence[] {
  const all = [...findAll(text.text, new Set(values))].flatMap(([value, starts]) =>
    starts.map((start) => ({ value, start, end: start + value.length })),
  );
  const endsWord = ({ end }: Occurrence): number => Number(text.isBreak(end));
  all.sort((a, b) => a.start - b.start || endsWord(b) - endsWord(a) || b.end - a.end);
  let last = 0;
  return all.filter(({ start, end }) => {
    const isFree = start >= last;
    if (isFree) last = end;
    return isFree;
  });
}

/** How many first characters are compared at once: they tell most values apart. */
const enoughCharacters = 8;

/**
 * The offsets of each value that stands in the text, also within other values; a value that does not has no entry.
 * First characters are compared as one number (a rolling hash), which is computed for each offset from that of the one
 * before.
 */
export function findAll(text: string, values: ReadonlySet<string>): Map<string, number[]> {
  const places = new Map<string, number[]>();
  let length = enoughCharacters;
  for (const value of values) length = Math.min(length, value.length);
  if (length === 0) return places;
  const byNumber = groupBy(values, (value) => numberAt(value, 0, length));
  let weightOfFirst = 1;
  for (let index = 1; index < length; index += 1) weightOfFirst = Math.imul(weightOfFirst, 31);
  let number = numberAt(text, 0, length);
  for (let start = 0; start + length <= text.length; start += 1) {
    for (const value of byNumber.get(number) ?? []) {
      if (text.startsWith(value, start)) remembered(places, value, () => []).push(start);
    }
    const others = number - Math.imul(text.charCodeAt(start), weightOfFirst);
    number = (Math.imul(others, 31) + text.charCodeAt(start + length)) | 0;
  }
  return places;
}

/** Characters as one number, the same for the same ones. */
function numberAt(text: string, start: number, length: number): number {
  let number = 0;
  for (let offset = start; offset < start + length; offset += 1) {
    number = (Math.imul(number, 31) + text.charCodeAt(offset)) | 0;
  }
  return number;
}

/** All pieces in the order in which the file writes them, without what is repeated at the top and foot of pages. */
export function bodyOf(pages: readonly PdfPage[]): Piece[] {
  const repeated = runningTitles(pages);
  return pages.flatMap(({ texts }, page) => {
    const own = texts.filter((text) => !repeated.has(titleKey(text))).map(lineOf);
    const top = own.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    const foot = own.reduce((a, b) => Math.max(a, b), 0);
    return texts
      .filter((text) => lineOf(text) >= top && lineOf(text) <= foot)
      .map((text) => ({ ...text, page }));
  });
}

/** What stands at the same place of most pages, page numbers taken as equal. */
function runningTitles(pages: readonly PdfPage[]): ReadonlySet<string> {
  const times = countsOf(pages.flatMap(({ texts }) => [...new Set(texts.map(titleKey))]));
  // On two pages, an event printed twice can be at the same place of both.
  const often = Math.max(3, pages.length * 0.6);
  return new Set([...times].filter(([, count]) => count >= often).map(([key]) => key));
}

function titleKey(text: PdfText): string {
  // Longer numbers are parts of times and ids.
  const words = text.text.replace(/(?<![\d:./-])\d{1,4}(?![\d:./-])/g, '#');
  // The number of a page moves with its width.
  return `${words === '#' ? '' : Math.round(text.x)} ${lineOf(text)} ${words}`;
}

function lineOf({ y }: PdfText): number {
  return Math.round(y);
}
