import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';

export type FontName = 'Helvetica' | 'Helvetica-Bold' | 'DejaVu Sans' | 'Sawarabi Gothic';

/** Text in one font. */
export interface Run {
  readonly font: FontName;
  readonly text: string;
}

const { resolve } = createRequire(import.meta.url);

/**
 * The files of the fonts that a PDF must bring with it, as every reader of PDFs has Helvetica: most alphabets, and Chinese characters as in Japan. DejaVu Sans
 * without hints and without the letters of rare scripts, by fonttools: `pyftsubset DejaVuSans.ttf --no-hinting
 * --layout-features='*' --unicodes=U+0000-06FF,U+10A0-10FF,U+1E00-20BF,U+2100-23FF,U+2500-27BF,U+FB00-FEFF,U+1F600-1F64F`.
 */
export const embeddedFonts = {
  'DejaVu Sans': fileURLToPath(new URL('fonts/DejaVuSans.ttf', import.meta.url)),
  'Sawarabi Gothic': resolve(
    '@expo-google-fonts/sawarabi-gothic/400Regular/SawarabiGothic_400Regular.ttf',
  ),
};

/** What pdfkit's types do not tell: the font that is chosen, and by which name pages refer to it. */
export interface ChosenFont {
  readonly _font: { readonly id: string; ref(): object };
  readonly _fontSize: number;
}

/** Gives a document the fonts that a PDF must bring with it; each is read when it is first drawn with. */
export function registerFonts(document: InstanceType<typeof PDFDocument>): void {
  for (const [name, path] of Object.entries(embeddedFonts)) document.registerFont(name, path);
}

/** Letters are measured with its fonts; nobody reads it. */
const ruler = new PDFDocument({ autoFirstPage: false });
registerFonts(ruler);

/** Characters beyond Latin-1 that the standard fonts can show, in the order of their codes from 0x80 on; `\0` stands for none. */
const beyondLatin1 = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';

/** Texts that the fonts of every reader of PDFs can show. */
const plain = /^[\x20-\x7e\xa0-\xac\xae-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/;

/** A plain text with a character for each byte of the encoding WinAnsi (PDF 32000-1, annex D.2). */
export function winAnsi(text: string): string {
  return text.replace(/[^\x20-\xff]/g, (character) =>
    String.fromCharCode(0x80 + beyondLatin1.indexOf(character)),
  );
}

const eastAsian =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]+)/u;

/**
 * The fonts in which a line is drawn, from left to right. A line that the plain font cannot show in full goes
 * to the embedded ones as a whole: text that reads from the right must stay in one piece.
 */
export function runsOf(line: string): readonly Run[] {
  if (plain.test(line)) return [{ font: 'Helvetica', text: line }];
  return line
    .split(eastAsian)
    .filter((text) => text !== '')
    .map((text) => ({ font: eastAsian.test(text) ? 'Sawarabi Gothic' : 'DejaVu Sans', text }));
}

/** Measures lines of one size. Kerning, which is little, is left out. */
export class TextMeasure {
  readonly #fontSize: number;

  /** @param fontSize in points */
  constructor(fontSize: number) {
    this.#fontSize = fontSize;
  }

  /** Lines no wider than `width` points; a word that is wider is broken where it must be. */
  wrap(text: string, width: number): readonly string[] {
    const lines = text.replaceAll('\t', '    ').split(/\r\n|[\r\n\u2028\u2029]/);
    return lines.flatMap((line) => this.#wrapLine(line, width));
  }

  #wrapLine(line: string, width: number): readonly string[] {
    if (this.#width(line) <= width) return [line];
    const lines: string[] = [];
    let current = '';
    let currentWidth = 0;
    for (const piece of line.match(/\S+\s*/g)?.flatMap((word) => this.#pieces(word, width)) ?? []) {
      if (current !== '' && currentWidth + this.#width(piece.trimEnd()) > width) {
        lines.push(current.trimEnd());
        current = '';
        currentWidth = 0;
      }
      current += piece;
      currentWidth += this.#width(piece);
    }
    return [...lines, current.trimEnd()];
  }

  /** A word with the white space after it, in pieces that are no wider than a line. */
  #pieces(word: string, width: number): readonly string[] {
    if (this.#width(word.trimEnd()) <= width) return [word];
    const pieces: string[] = [];
    let piece = '';
    for (const character of word) {
      if (piece !== '' && this.#width(piece + character) > width) {
        pieces.push(piece);
        piece = '';
      }
      piece += character;
    }
    return [...pieces, piece];
  }

  #width(text: string): number {
    return runsOf(text).reduce((total, { font, text }) => total + this.widthIn(font, text), 0);
  }

  /** In points. */
  widthIn(font: FontName, text: string): number {
    return (widthOf(text, font) * this.#fontSize) / 1000;
  }
}

/** Of each font, the widths of its characters by code point, in a size of 1,000 points. An array with holes is much slower. */
const widths: Readonly<Record<FontName, Map<number, number>>> = {
  Helvetica: new Map(),
  'Helvetica-Bold': new Map(),
  'DejaVu Sans': new Map(),
  'Sawarabi Gothic': new Map(),
};

function widthOf(text: string, font: FontName): number {
  const known = widths[font];
  let total = 0;
  for (let index = 0; index < text.length; index += 1) {
    const codePoint = text.codePointAt(index) ?? 0;
    if (codePoint > 0xffff) index += 1;
    let width = known.get(codePoint);
    if (width === undefined) {
      width = ruler.font(font).fontSize(1000).widthOfString(String.fromCodePoint(codePoint));
      known.set(codePoint, width);
    }
    total += width;
  }
  return total;
}
