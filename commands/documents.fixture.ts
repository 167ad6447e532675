import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** The pages that a user reads, the README first; the last one is for whoever changes the suite. */
export const pages = [
  'README.md',
  ...readdirSync(new URL('docs', root)).map((name) => `docs/${name}`),
  'CONTRIBUTING.md',
]
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: read(path) }));

/** What stands in blocks of the shell, a line a command, without comments. */
export function shellLines(text: string): string[] {
  return [...text.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) =>
    block
      .split(/\n|&&/)
      .map((line) => line.replace(/^#.*|\s#.*/, '').trim())
      .filter((line) => line !== ''),
  );
}

/** The files and folders that a text links to, from its own folder. */
export function linksIn(text: string): string[] {
  return [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map(([, to = '']) => to);
}

/** The files that a page shows whole, by the name that a comment on their first line gives. */
export function filesIn(text: string): Map<string, string> {
  const blocks = text.matchAll(/```\w+\n((?:\/\/|#) (\S+)\n.*?)```/gs);
  return new Map([...blocks].map(([, file = '', name = '']) => [name, file]));
}

/** The exit codes that the first table of a page with a column of them lists, each with its row. */
export function exitCodesOf(path: string, column: number): Map<string, string> {
  const { text = '' } = pages.find((page) => page.path === path) ?? {};
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  const head = cells.findIndex((row) => /^exit/.test(row[column] ?? ''));
  const body = cells.slice(head + 2);
  const end = body.findIndex((row) => !/^\d+$/.test(row[column] ?? ''));
  return new Map(
    body.slice(0, end === -1 ? undefined : end).map((row) => [row[1] ?? '', row[column] ?? '']),
  );
}
