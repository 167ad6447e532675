// How large the product is, by directory: files, lines, and characters of code without comments and white space. Tests,
// fixtures and the proof are not counted: `npm run size`, or `npm run size -- COMMIT`.
import { execFileSync } from 'node:child_process';

const notProduct = /\.(test|fixture)\.|\/fixtures\/|^proof\//;

/** @param {string[]} args */
const git = (...args) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28 });

/**
 * The code of a text, without comments and white space. Comments are looked for behind strings and templates, so that an
 * address in quotes stays whole; regular expressions that hold quotes are rare enough for a count.
 * @param {string} text
 */
function codeOf(text) {
  const tokens =
    /(\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(,])\/\/[^\n]*)|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
  return text
    .replace(tokens, (token, comment) => (comment === undefined ? token : ''))
    .replace(/\s+/g, '');
}

/** @param {string} path */
function roomOf(path) {
  const parts = path.split('/');
  return parts.length === 1 ? '(top level)' : parts.slice(0, parts.length > 2 ? 2 : 1).join('/');
}

const [commit = 'HEAD'] = process.argv.slice(2);
/** @type {Map<string, [files: number, lines: number, characters: number]>} */
const rooms = new Map();
for (const path of git('ls-tree', '-r', '--name-only', commit).trim().split('\n')) {
  if (!/\.(ts|mjs|js)$/.test(path) || notProduct.test(path)) continue;
  const text = git('show', `${commit}:${path}`);
  for (const room of [roomOf(path), 'all']) {
    const [files, lines, characters] = rooms.get(room) ?? [0, 0, 0];
    rooms.set(room, [
      files + 1,
      lines + text.split('\n').length - 1,
      characters + codeOf(text).length,
    ]);
  }
}
console.log('   files     lines      code');
for (const [room, counts] of [...rooms].toSorted(([, [, a]], [, [, b]]) => b - a)) {
  console.log(
    `${counts.map((count) => count.toLocaleString('en-US').padStart(8)).join('  ')}  ${room}`,
  );
}
