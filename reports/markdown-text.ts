import { cut, printable, printableLine } from './printable.ts';

/** Untrusted text as a code span, in which Markdown and mentions mean nothing; cut, on one line. */
export function codeSpan(text: string, length = 300): string {
  const line = cut(printableLine(text), length);
  const fence = longerThan(line, '`', 1);
  const space = /^[` ]|[` ]$/.test(line) || line === '' ? ' ' : '';
  return `${fence}${space}${line}${space}${fence}`;
}

/** As `codeSpan`, for a cell of a table. */
export function codeCell(text: string, length?: number): string {
  return codeSpan(text, length).replaceAll('|', '\\|');
}

/** Untrusted text as a block; every line begins with the prefix. */
export function codeBlock(language: string, lines: readonly string[]): string[] {
  const content = lines.flatMap((line) => printable(line).split('\n'));
  const fence = longerThan(content.join('\n'), '`', 3);
  return [`${fence}${language}`, ...content, fence];
}

/** Text of ours, or of a person who may be trusted with words but not with markup. */
export function plain(text: string): string {
  return printableLine(text).replace(/[\\<>[\]*_|~@#&]/g, (character) => `\\${character}`);
}

function longerThan(text: string, character: string, least: number): string {
  const runs = text.match(new RegExp(`${character}+`, 'g')) ?? [];
  const longest = Math.max(least - 1, ...runs.map((run) => run.length));
  return character.repeat(longest + 1);
}
