import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type PDFDocument from 'pdfkit';

export type FontName = 'Helvetica' | 'Helvetica-Bold' | 'DejaVu Sans' | 'Sawarabi Gothic';

/** Text in one font. */
export interface Run {
  readonly font: FontName;
  readonly text: string;
}

const { resolve } = createRequire(import.meta.url);

/** The files of the fonts that a PDF must bring with it: most alphabets, and Chinese characters as in Japan. */
export function embeddedFonts(): ReadonlyArray<readonly [name: FontName, path: string]> {
  return [
    ['DejaVu Sans', fileURLToPath(new URL('fonts/DejaVuSans.ttf', import.meta.url))],
    [
      'Sawarabi Gothic',
      resolve('@expo-google-fonts/sawarabi-gothic/400Regular/SawarabiGothic_400Regular.ttf'),
    ],
  ];
}

/** Characters that the fonts of every reader of PDFs can show. */
const plain = /^[\x20-\x7e\xa0-\xac\xae-\xff]*$/;

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

type Document = InstanceType<typeof PDFDocument>;

/** Measures with the fonts of a document. Widths of characters are kept; kerning, which is little, is left out. */
export class TextMeasure {
  readonly #document: Document;
  readonly #fontSize: number;
  /** By font and character. */
  readonly #widths = new Map<FontName, Map<string, number>>();

  constructor(document: Document, fontSize: number) {
    this.#document = document;
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
    let total = 0;
    for (const run of runsOf(text)) {
      const widths = this.#widthsOf(run.font);
      for (const character of run.text) {
        total += widths.get(character) ?? this.#measure(character, run.font, widths);
      }
    }
    return total;
  }

  #widthsOf(font: FontName): Map<string, number> {
    const known = this.#widths.get(font);
    if (known !== undefined) return known;
    const widths = new Map<string, number>();
    this.#widths.set(font, widths);
    return widths;
  }

  #measure(character: string, font: FontName, widths: Map<string, number>): number {
    const width = this.#document.font(font).fontSize(this.#fontSize).widthOfString(character);
    widths.set(character, width);
    return width;
  }
}
