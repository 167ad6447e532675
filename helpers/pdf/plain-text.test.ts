import { describe, expect, it, test } from 'vitest';
import {
  bodyOf,
  findAll,
  findOccurrences,
  isRightToLeft,
  isShowable,
  joinPieces,
  type Piece,
  pieceAt,
  plain,
} from './plain-text.ts';
import type { PdfPage } from './read-pdf.ts';

const piece = (text: string, page = 0): Piece => ({ text, page, x: 0, y: 0 });

test('text is compared without case, white space, hyphens, underscores, and in one form', () => {
  expect(plain('Two  Words\n–\u2010 a_b\u00ad ﬁne Ⅷ')).toBe('twowordsabfineviii');
  expect(plain(' -_ ')).toBe('');
});

test.each([
  ['abc-1', true],
  ['é', true],
  ['a b', false],
  ['日本', false],
  ['a日', false],
  ['日a', false],
  ['', false],
])('of %j it is known that a font can show it: %s', (text, isKnown) => {
  expect(isShowable(text)).toBe(isKnown);
});

test.each([
  ['مرحبا', true],
  ['a שלום', true],
  ['ܐܒܓ', true],
  ['ދިވެހި', true],
  ['abc 日本 Ωμ', false],
  ['', false],
])('%j is written from right to left: %s', (text, isSo) => {
  expect(isRightToLeft(text)).toBe(isSo);
});

describe('pieces are joined', () => {
  const text = joinPieces([piece('Two  Words'), piece('three'), piece('Four', 2), piece('', 2)]);

  it('to one text, of which the places of pieces and pages are known', () => {
    expect(text).toMatchObject({
      text: 'twowordsthreefour',
      starts: [0, 8, 13, 17],
      pages: [0, 13],
    });
    expect(joinPieces([])).toMatchObject({ text: '', starts: [], pages: [] });
  });

  it('which breaks where white space stood and where pieces end', () => {
    const offsets = Array.from({ length: 18 }, (_, offset) => offset);
    expect(offsets.filter((offset) => text.isBreak(offset))).toEqual([0, 3, 8, 13, 17]);
  });

  it('and found again', () => {
    const found = [0, 7, 8, 12, 13, 16].map((offset) => {
      const { piece, within } = pieceAt(text, offset) ?? {};
      return [piece?.text, within];
    });
    expect(found).toEqual([
      ['Two  Words', 0],
      ['Two  Words', 7],
      ['three', 0],
      ['three', 4],
      ['Four', 0],
      ['Four', 3],
    ]);
    expect(pieceAt(joinPieces([]), 0)).toBeUndefined();
    expect(pieceAt(joinPieces([piece('ab'), piece('cd')]), 3)?.piece.text).toBe('cd');
  });
});

describe('values are found', () => {
  const places = (text: string, ...values: string[]) =>
    Object.fromEntries(findAll(text, new Set(values)));

  it('wherever they stand, also within others', () => {
    expect(places('abcabcab', 'abc', 'bc', 'ab', 'x')).toEqual({
      abc: [0, 3],
      bc: [1, 4],
      ab: [0, 3, 6],
    });
    expect(places('aaa', 'aa', 'aaa', 'aaaa')).toEqual({ aa: [0, 1], aaa: [0] });
    expect(places('event-0001 event-0002', 'event-0001', 'event-0002', 'event-0003')).toEqual({
      'event-0001': [0],
      'event-0002': [11],
    });
    expect(places('', 'a')).toEqual({});
    expect(places('a')).toEqual({});
    expect(places('abc', '')).toEqual({});
  });

  const found = (pieces: readonly string[], ...values: string[]) =>
    findOccurrences(joinPieces(pieces.map((text) => piece(text))), values).map(
      ({ value, start, end }) => [value, start, end],
    );

  it('one after the other, the longer one where both begin', () => {
    const [short, long, later] = ['event.abc', 'event.abcd', 'vent.abcde'];
    expect(found([`x${long}e${short}f`], short, long, later)).toEqual([
      [long, 1, 11],
      [short, 12, 21],
    ]);
    // The one that ends where white space stood is meant.
    expect(found([`${short} dx`, long], short, long)).toEqual([
      [short, 0, 9],
      [long, 11, 21],
    ]);
    expect(found([`x${short}x`], short, short, '')).toEqual([[short, 1, 10]]);
    expect(found(['event0009', 'event0001'], 'event0001')).toEqual([['event0001', 9, 18]]);
    expect(found(['ababababababababababab'], 'ababababab')).toEqual([
      ['ababababab', 0, 10],
      ['ababababab', 10, 20],
    ]);
  });

  it('where one number does not go on with the next', () => {
    const numbers = ['1000000041', '1000000042', '0041100000', '0000411000'];
    expect(found(['1000000041 1000000042'], ...numbers)).toEqual([
      ['1000000041', 0, 10],
      ['1000000042', 10, 20],
    ]);
    expect(found(['x1000000041', '1000000042x'], '0000411000')).toEqual([]);
    expect(found(['0000411000', '7'], '0000411000')).toEqual([['0000411000', 0, 10]]);
    // Part of a number in one piece, a number that is broken, and one between letters.
    expect(found(['100000004107'], '1000000041')).toEqual([['1000000041', 0, 10]]);
    expect(found(['10000', '00041', 'by'], '1000000041')).toEqual([['1000000041', 0, 10]]);
    expect(found(['no.1000000', '041by'], '1000000041')).toEqual([['1000000041', 3, 13]]);
    expect(found(['1000000', '0417'], '1000000041')).toEqual([]);
  });

  it('of up to eight characters as words only', () => {
    const text = joinPieces([piece('12345678 a12345678 12345678b'), piece('12345678')]);
    const places = (value: string) => findOccurrences(text, [value]).map(({ start }) => start);
    expect(places('12345678')).toEqual([0, 26]);
    expect(places('2345678b')).toEqual([]);
    expect(places('12345678b')).toEqual([17]);
    expect(places('23456781')).toEqual([]);
    expect(places('a12345678')).toEqual([8]);
    expect(places('234567812')).toEqual([]);
    // Signs end words too: a day stands before its time of day.
    expect(found(['(6/7/2026,7:3'], '6/7/2026')).toEqual([['6/7/2026', 1, 9]]);
  });
});

describe('what is repeated on most pages', () => {
  type Line = readonly [text: string, y: number, x?: number];
  const pagesOf = (pages: readonly (readonly Line[])[]): PdfPage[] =>
    pages.map((lines) => ({
      width: 600,
      height: 800,
      hasPictures: false,
      texts: lines.map(([text, y, x = 40]) => ({ text, x, y })),
    }));
  const bodies = (pages: readonly (readonly Line[])[]) =>
    bodyOf(pagesOf(pages)).map(({ text, page }) => `${page}: ${text}`);

  const withTitle = (count: number, foot: (page: number) => Line): Line[][] =>
    Array.from({ length: count }, (_, page) => [
      ['Audit events', 20.2],
      [`event ${page} one`, 60 + page],
      [`event ${page} two`, 80 + page],
      foot(page),
    ]);

  it('is no part of them, page numbers taken as equal', () => {
    const pages = withTitle(3, (page) => [`Page ${page + 9} of 12`, 700]);
    const events = [0, 1, 2].flatMap((page) =>
      ['one', 'two'].map((n) => `${page}: event ${page} ${n}`),
    );
    expect(bodies(pages)).toEqual(events);
    expect(bodies(withTitle(3, (page) => [`${page + 9}`, 700.3, 300 + page]))).toEqual(events);
  });

  it('is a part of them where there are two only, or where it is on few', () => {
    const two = withTitle(2, (page) => [`Page ${page}`, 700]);
    expect(bodies(two)).toHaveLength(8);
    const few = withTitle(6, (page) =>
      page < 3 ? ['Note', 700] : [`note ${'abc'[page - 3]}`, 700],
    );
    expect(bodies(few).filter((text) => text.endsWith('Note'))).toHaveLength(3);
    const often = withTitle(5, (page) =>
      page < 3 ? ['Note', 700] : [`note ${'ab'[page - 3]}`, 700],
    );
    expect(bodies(often).filter((text) => text.endsWith('Note'))).toEqual([]);
  });

  it('is a part of them where it stands as often below, as a user whom many events begin with', () => {
    const shared = (line: number) =>
      withTitle(4, (page) => ['Ada', page < 2 ? line : 400 + page]).map((lines): Line[] => [
        ['Ada', 40],
        ...lines,
      ]);
    const named = (line: number) => bodies(shared(line)).filter((text) => text.endsWith('Ada'));
    expect(named(400)).toHaveLength(8);
    expect(named(40)).toHaveLength(2);
  });

  it('is not what stands elsewhere on each, or has longer numbers and times', () => {
    const moving = withTitle(4, (page) => ['moving', 500 + 20 * page]);
    expect(bodies(moving).filter((text) => text.endsWith('moving'))).toHaveLength(4);
    const aside = withTitle(4, (page) => ['moving', 700, 300 + 50 * page]);
    expect(bodies(aside).filter((text) => text.endsWith('moving'))).toHaveLength(4);
    for (const text of ['10:0#', '2024-0#', 'a1234#', '1.#']) {
      const own = withTitle(4, (page) => [text.replace('#', `${page}`), 700]);
      const isOfPages = text === 'a1234#';
      expect(bodies(own)).toHaveLength(12);
      expect(isOfPages || text.length < 8).toBe(true);
    }
  });

  it('takes with it what stands above and below it', () => {
    const pages = withTitle(3, (page) => [`Page ${page}`, 700]).map((lines, page) => [
      ...lines,
      ...(page === 1 ? ([['Audit events', 20.2, 40]] as const) : []),
    ]);
    expect(bodies(pages)).toHaveLength(6);
    expect(bodies([[]])).toEqual([]);
  });
});
