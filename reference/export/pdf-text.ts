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

/** The files of the fonts that a PDF must bring with it: most alphabets, and Chinese characters as in Japan. */
function embeddedFonts(): ReadonlyArray<readonly [name: FontName, path: string]> {
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

/** Registers the fonts that a document must bring with it. */
export function registerFonts(document: InstanceType<typeof PDFDocument>): void {
  for (const [name, path] of embeddedFonts()) document.registerFont(name, path);
}

/** Of characters, by font, at a size of one point: measured once, for opening a font takes longer than most files. */
const widths = new Map<FontName, Map<string, number>>();
let measuring: InstanceType<typeof PDFDocument> | undefined;

function widthOf(character: string, font: FontName): number {
  const known = widths.get(font) ?? new Map<string, number>();
  widths.set(font, known);
  const width = known.get(character) ?? measured(character, font);
  known.set(character, width);
  return width;
}

function measured(character: string, font: FontName): number {
  if (measuring === undefined) {
    measuring = new PDFDocument({ autoFirstPage: false });
    registerFonts(measuring);
  }
  return measuring.font(font).fontSize(1).widthOfString(character);
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
    let total = 0;
    for (const character of text) total += widthOf(character, font);
    return total * this.#fontSize;
  }
}
