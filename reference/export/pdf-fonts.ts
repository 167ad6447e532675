import { createRequire } from 'node:module';

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
    ['DejaVu Sans', resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')],
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
