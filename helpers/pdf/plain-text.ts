import { countsOf, groupBy, remembered } from '../maps.ts';
import type { PdfPage, PdfText } from './read-pdf.ts';
import { thresholds } from './thresholds.ts';

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
  // The PDFs of a run hold the same cells again and again.
  if (plainTexts.size > maxPlainTexts) plainTexts.clear();
  return remembered(plainTexts, text, () =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\s_\p{Pd}\p{Cf}]+/gu, ''),
  );
}

const plainTexts = new Map<string, string>();
/** More than the cells of 5,000 events. */
const maxPlainTexts = 100_000;

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
  const breaks = new Set<number>();
  const starts: number[] = [];
  const pages: number[] = [];
  const words: string[] = [];
  let length = 0;
  for (const [index, piece] of pieces.entries()) {
    starts.push(length);
    if (piece.page !== pieces[index - 1]?.page) pages.push(length);
    for (const word of piece.text.split(/\s+/)) {
      breaks.add(length);
      const bare = plain(word);
      words.push(bare);
      length += bare.length;
    }
  }
  breaks.add(length);
  return { text: words.join(''), pieces, starts, pages, isBreak: (offset) => breaks.has(offset) };
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
 * ends before white space is found, or else the longer one. Short values, such as times, are found as whole words only.
 * @param values in the form of `plain`; empty ones are nowhere
 */
export function findOccurrences(text: PlainText, values: Iterable<string>): Occurrence[] {
  const { isBreak } = text;
  const isWordEnd = (at: number): boolean =>
    isBreak(at) || !/^[\p{L}\p{N}]{2}$/u.test(text.text.slice(at - 1, at + 1));
  const all = placesOf(text, values).filter(
    ({ value, start, end }) =>
      value.length > thresholds.wordLength || (isWordEnd(start) && isWordEnd(end)),
  );
  const endsWord = ({ end }: Occurrence): number => Number(isBreak(end));
  all.sort((a, b) => a.start - b.start || endsWord(b) - endsWord(a) || b.end - a.end);
  let last = 0;
  return all.filter(({ start, end }) => {
    const isFree = start >= last;
    if (isFree) last = end;
    return isFree;
  });
}

/** Every place of the values, also within others. */
export function placesOf(text: PlainText, values: Iterable<string>): Occurrence[] {
  const wanted = new Set(values);
  wanted.delete('');
  return [...findAll(text.text, wanted)].flatMap(([value, starts]) =>
    starts
      .map((start) => ({ value, start, end: start + value.length }))
      .filter((one) => !joinsNumbers(text, one)),
  );
}

/** Whether what stands there is the end of one number with the beginning of the next one, or a whole one with a part. */
function joinsNumbers({ text, isBreak }: PlainText, { start, end }: Occurrence): boolean {
  const goesOn = (at: number) => !isBreak(at) && /\d\d/.test(text.slice(at - 1, at + 1));
  if (!goesOn(start) && !goesOn(end)) return false;
  for (let at = start + 1; at < end; at += 1) if (isBreak(at)) return true;
  return false;
}

/** Every place of each value that stands in the text, also within other values; a value that does not has no entry. */
export function findAll(text: string, values: ReadonlySet<string>): Map<string, number[]> {
  const places = new Map<string, number[]>();
  // Eight characters tell most values apart.
  let length = 8;
  for (const value of values) length = Math.min(length, value.length);
  const byBeginning = groupBy(values, (value) => value.slice(0, length));
  for (let start = 0; length > 0 && start + length <= text.length; start += 1) {
    for (const value of byBeginning.get(text.slice(start, start + length)) ?? []) {
      if (text.startsWith(value, start)) remembered(places, value, () => []).push(start);
    }
  }
  return places;
}

/** All pieces in the order in which the file writes them, without what is repeated at the top and foot of pages. */
export function bodyOf(pages: readonly PdfPage[]): Piece[] {
  const repeated = runningTitles(pages);
  return pages.flatMap(({ texts }, page) => {
    const own = texts.filter((text) => !repeated.has(titleMarks(text).atPlace)).map(lineOf);
    const top = own.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    const foot = own.reduce((a, b) => Math.max(a, b), 0);
    return texts
      .filter((text) => lineOf(text) >= top && lineOf(text) <= foot)
      .map((text) => ({ ...text, page }));
  });
}

/**
 * What stands at the same place of most pages, page numbers taken as equal, and seldom above or below it, as a value stands
 * that many events begin with.
 */
function runningTitles(pages: readonly PdfPage[]): ReadonlySet<string> {
  const all = pages.flatMap(({ texts }) => {
    const marks = texts.map(titleMarks);
    return [...new Map(marks.map(({ atPlace, inColumn }) => [atPlace, inColumn]))];
  });
  const times = countsOf(all.map(([atPlace]) => atPlace));
  const timesInColumn = countsOf(all.map(([, inColumn]) => inColumn));
  // On two pages, an event printed twice can be at the same place of both.
  const often = Math.max(thresholds.titledPages, thresholds.titled * pages.length);
  const titles = all.filter(([atPlace, inColumn]) => {
    const count = times.get(atPlace) ?? 0;
    return count >= often && count * 2 > (timesInColumn.get(inColumn) ?? 0);
  });
  return new Set(titles.map(([atPlace]) => atPlace));
}

/** Equal for equal words at the same place of two pages, or only at the same left edge. */
function titleMarks(text: PdfText): { readonly atPlace: string; readonly inColumn: string } {
  // Longer numbers are parts of times and ids.
  const words = text.text.replace(/(?<![\d:./-])\d{1,4}(?![\d:./-])/g, '#');
  const line = lineOf(text);
  // The number of a page moves with its width.
  const inColumn = words === '#' ? `${words} ${line}` : `${Math.round(text.x)} ${words}`;
  return { atPlace: `${line} ${inColumn}`, inColumn };
}

function lineOf({ y }: PdfText): number {
  return Math.round(y);
}
