// Imports run one way: which directory may import which is said here, once. `npm run check` runs it; a wrong import is
// reported with the line that it stands on, and exit code 1. Tests may import anything.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const contract = ['schemas', 'helpers', 'runner', 'suites', 'reports', 'reference'];

/** By directory, the directories that it may import from; itself always. */
export const mayImport = /** @type {Readonly<Record<string, readonly string[]>>} */ ({
  schemas: [],
  helpers: ['schemas'],
  runner: ['schemas', 'helpers'],
  // Suites and reference service share nothing but schemas: one misreading must not pass on both sides.
  suites: ['schemas', 'helpers', 'runner'],
  reference: ['schemas'],
  reports: ['schemas', 'helpers'],
  contract,
  commands: [...contract, 'contract'],
  vitest: [...contract, 'contract'],
  // The proof is not shipped: tests and tools may import it, nothing else.
  proof: [...contract, 'contract'],
  'tools/openapi': ['schemas'],
});

const imported = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

/**
 * The imports of a file that are not allowed, as text for people.
 * @param {string} path from the root, with slashes
 * @param {string} text
 * @returns {string[]}
 */
export function wrongImports(path, text) {
  const own = directoryOf(path);
  const allowed = mayImport[own];
  return [...text.matchAll(imported)].flatMap(({ 1: name = '', index }) => {
    const target = join(dirname(path), name).split(sep).join('/');
    const directory = directoryOf(target);
    const isWrong =
      target === 'cli.ts' ||
      (allowed !== undefined && directory !== own && !allowed.includes(directory));
    const line = text.slice(0, index).split('\n').length;
    return isWrong ? [`${path}:${line}: ${own} must not import ${target}`] : [];
  });
}

/**
 * The directory whose rules hold for a path.
 * @param {string} path
 */
function directoryOf(path) {
  const [first = '', second] = path.split('/');
  return `${first}/${second}` in mayImport ? `${first}/${second}` : first;
}

/**
 * Every file of the sources but tests, by its path from the root.
 * @param {string} root
 */
function sources(root) {
  const directories = new Set(
    [...Object.keys(mayImport), 'tools'].map((name) => name.split('/')[0] ?? ''),
  );
  return [...directories].flatMap((directory) =>
    readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
      .map((name) => `${directory}/${name.split(sep).join('/')}`)
      .filter((path) => /\.(ts|mjs)$/.test(path) && !path.endsWith('.test.ts')),
  );
}

const root = fileURLToPath(new URL('../..', import.meta.url));
if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const found = sources(root).flatMap((path) =>
    wrongImports(path, readFileSync(join(root, path), 'utf8')),
  );
  for (const line of found) console.error(line);
  process.exitCode = found.length === 0 ? 0 : 1;
}
