import type PDFDocument from 'pdfkit';
import { type FontName, runsOf } from './pdf-fonts.ts';

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
