import { basename, dirname } from 'node:path';
import { stripVTControlCharacters, styleText } from 'node:util';
import { cut, printableLine } from './printable.ts';
import { listed } from './wording.ts';

type Style = Parameters<typeof styleText>[0];

export type Terminal = ReturnType<typeof terminal>;

/** How text is put on a terminal: in colour or not, and how wide. @param width columns */
export function terminal({ color, width }: { color: boolean; width: number }) {
  return {
    width,
    paint(style: Style, text: string): string {
      return color ? styleText(style, text, { validateStream: false }) : text;
    },
    /**
     * Lines of at most the terminal's width, broken at spaces. A longer word stays whole, so that it can be copied.
     * @param first what the first line begins with
     * @param following what the other lines begin with
     */
    wrap(text: string, first: string, following = first): string[] {
      const lines: string[] = [];
      let line = first;
      for (const [index, word] of text.split(' ').entries()) {
        // A word that is too long for any line stays on this one.
        const fitsBelow = visibleLength(following + word) <= width;
        if (index > 0 && fitsBelow && visibleLength(`${line} ${word}`) > width) {
          lines.push(line);
          line = following + word;
        } else line += index === 0 ? word : ` ${word}`;
      }
      return [...lines, line];
    },
  };
}

/**
 * Text of a target on one line, without what a terminal or a pipeline would carry out: pipelines read `::name::` at the
 * start of a line, and `##[name]` anywhere, as commands.
 */
export function safe(text: string): string {
  return printableLine(text).replaceAll('::', ':\\u003a').replaceAll('##[', '#\\u0023[');
}

/** How many characters of a value are shown. */
export const maxShown = 240;

/** As `safe`, cut to `maxShown`. */
export function safeValue(text: string): string {
  return cut(safe(text), maxShown);
}

/** The most files of a folder that are named. */
const maxFiles = 12;

/** The files that were written, a folder a line: the first one with its path, the others by name. */
export function fileLines(files: readonly string[], { wrap }: Terminal): string[] {
  const folders = [...new Set(files.map(dirname))];
  return folders.flatMap((folder, index) => {
    const [first = '', ...others] = files.filter((file) => dirname(file) === folder);
    const names = [first, ...others.map((file) => basename(file))];
    const title = (index === 0 ? 'Reports' : '').padEnd(12);
    return wrap(listed(names, maxFiles), title, ' '.repeat(12));
  });
}

function visibleLength(text: string): number {
  return stripVTControlCharacters(text).length;
}
