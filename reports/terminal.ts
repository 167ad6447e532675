import { stripVTControlCharacters, styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];

/** How text is put on a terminal: in colour or not, and how wide. */
export interface Terminal {
  paint(style: Style, text: string): string;
  /**
   * Lines of at most the terminal's width, broken at spaces. A word that is longer stays whole, so that it
   * can be copied.
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
      for (const word of text.split(' ')) {
        if (!empty && visibleLength(line) + 1 + visibleLength(word) > width) {
          lines.push(line);
          line = following;
          empty = true;
        }
        line += empty ? word : ` ${word}`;
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

function visibleLength(text: string): number {
  return stripVTControlCharacters(text).length;
}
