import { basename, dirname } from 'node:path';
import type { Terminal } from './terminal.ts';

/** The files that were written, a folder a line: the first one with its path, the others by name. */
export function fileLines(files: readonly string[], { wrap }: Terminal): string[] {
  const folders = [...new Set(files.map(dirname))];
  return folders.flatMap((folder, index) => {
    const [first = '', ...others] = files.filter((file) => dirname(file) === folder);
    const title = (index === 0 ? 'Reports' : '').padEnd(12);
    return wrap([first, ...others.map((file) => basename(file))].join(', '), title, ' '.repeat(12));
  });
}
