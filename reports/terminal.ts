import { basename, dirname } from 'node:path';
import { stripVTControlCharacters, styleText } from 'node:util';
import type { Tone } from './blocks.ts';
import { cut, printableLine } from './printable.ts';

export type Style = Parameters<typeof styleText>[0];

/** How good or bad news is painted. */
export const toneStyles: Readonly<Record<Tone, Style>> = {
  good: ['bold', 'green'],
  bad: ['bold', 'red'],
  undecided: ['bold', 'yellow'],
  failure: ['bold', 'magenta'],
};

/** How text is put on a terminal: in colour or not, and how wide. */
export interface Terminal {
  paint(style: Style, text: string): string;
  /**
   * Lines of at most the terminal's width, broken at spaces, and not inside a date with its time, or between a number and
   * its unit. A word that is longer stays whole, so that it can be copied.
   * @param first what the first line begins with
   * @param following what the other lines begin with
   */
  wrap(text: string, first: string, following?: string): string[];
}

/** @param width columns */
export function terminal({ color, width }: { color: boolean; width: number }): Terminal {
  return {
    paint: (style, text) => (color ? styleText(style, text, { validateStream: false }) : text),
    wrap(text, first, following = first) {
      const lines: string[] = [];
      let line = first;
      let empty = true;
      for (const { word, space } of wordsOf(text)) {
        const length = visibleLength(word);
        // A word that fits on no line goes where it is.
        const fitsBelow = visibleLength(following) + length <= width;
        if (!empty && fitsBelow && visibleLength(line) + space.length + length > width) {
          lines.push(line);
          line = following;
          empty = true;
        }
        line += empty ? word : `${space}${word}`;
        empty = false;
      }
      return [...lines, line];
    },
  };
}

/**
 * Takes the meaning from what pipelines read as commands in the output of a step: `::name::` at the start of a
 * line, and `##[name]` anywhere.
 */
export function uncommanding(text: string): string {
  return text.replaceAll('::', ':\\u003a').replaceAll('##[', '#\\u0023[');
}

/** Text of a target on one line, without what a terminal or a pipeline would carry out. */
export function safe(text: string): string {
  return uncommanding(printableLine(text));
}

/** So much of a value is shown. */
export const maxShown = 240;

/** The same, cut. */
export function safeValue(text: string): string {
  return cut(safe(text), maxShown);
}

/** So many more files of a folder are named. */
const maxFiles = 11;

/** The files that were written, a folder a line: the first one with its path, the others by name. */
export function fileLines(files: readonly string[], { wrap }: Terminal): string[] {
  const folders = [...new Set(files.map(dirname))];
  return folders.flatMap((folder, index) => {
    const [first = '', ...others] = files.filter((file) => dirname(file) === folder);
    const hidden = others.length - maxFiles;
    const title = (index === 0 ? 'Reports' : '').padEnd(12);
    const names = [first, ...others.slice(0, maxFiles).map((file) => basename(file))].join(', ');
    return wrap(hidden > 0 ? `${names} and ${hidden} more` : names, title, ' '.repeat(12));
  });
}

/** Where a long address can be broken that is there to be read. */
const breakingPoint = '\u200b';

/** An address, or what holds one, that may be broken before each parameter. */
export function breakable(address: string): string {
  return address.replaceAll('&', `${breakingPoint}&`);
}

/** JSON on one line, which may be broken before each field. */
export function breakableJson(json: string): string {
  return json.replaceAll(',"', `,${breakingPoint}"`);
}

/** What must not stand at the beginning of a line when the one before it ends with a digit: a time after its day, a unit. */
const belongsToNumber = /^(?:\d|(?:ms|s|min|UTC|[AP]M)(?![a-z]))/;

/** The parts of a text that stay whole, each with what stands before it where it does not begin a line. */
function wordsOf(text: string): { word: string; space: string }[] {
  const words: { word: string; space: string }[] = [];
  for (const [index, part] of text.split(new RegExp(`( |${breakingPoint})`)).entries()) {
    if (index % 2 === 1) {
      words.push({ word: '', space: part === ' ' ? part : '' });
      continue;
    }
    const last = words.pop() ?? { word: '', space: '' };
    const before = words.at(-1);
    const isOne =
      last.space === ' ' &&
      before !== undefined &&
      /\d$/.test(stripVTControlCharacters(before.word)) &&
      belongsToNumber.test(stripVTControlCharacters(part));
    if (isOne) before.word += ` ${part}`;
    else words.push({ ...last, word: part });
  }
  return words;
}

function visibleLength(text: string): number {
  return stripVTControlCharacters(text).length;
}
