// Makes `dist/`, which is what the package holds: the sources as JavaScript with types, and the files that they read.
// Node strips no types below node_modules, so a project that installs the package could not run the sources.
import { execSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pdfjsDirectory } from '../../helpers/pdf/pdfjs.mjs';

rmSync('dist', { recursive: true, force: true });
// npm puts tsc on the path. The JavaScript has no comments; the types keep them, for people who use the package.
for (const part of ['--declaration false --removeComments', '--emitDeclarationOnly']) {
  execSync(`tsc -p tsconfig.build.json ${part}`, { stdio: 'inherit' });
}

// Only types that `contract-suite.d.ts` imports, directly or not, are kept: nobody can import the others.
const typed = new Set();
keepTypes(join('dist', 'vitest', 'contract-suite.d.ts'));
for (const path of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  const file = join('dist', path);
  if (file.endsWith('.d.ts') && !typed.has(file)) rmSync(file);
}

/** @param {string} file */
function keepTypes(file) {
  if (typed.has(file)) return;
  typed.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
    /(?:from|import\() *['"](\..+?)\.[jt]s['"]/g,
  )) {
    keepTypes(join(dirname(file), `${name}.d.ts`));
  }
}

const read = {
  helpers: ['.mjs'],
  reference: ['.json', '.ttf', '.LICENSE'],
  reports: ['.css', '.js'],
};
for (const [folder, endings] of Object.entries(read)) {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (path.includes('fixtures')) continue;
    if (endings.includes(extname(path))) cpSync(join(folder, path), join('dist', folder, path));
  }
}

// The parts of pdfjs that read text, and the character maps of fonts that files name without holding them.
const pdfjs = {
  LICENSE: 'LICENSE',
  'legacy/build/pdf.min.mjs': 'legacy/build/pdf.mjs',
  'legacy/build/pdf.worker.min.mjs': 'legacy/build/pdf.worker.mjs',
  ...Object.fromEntries(
    readdirSync(join(pdfjsDirectory, 'cmaps'))
      .filter((name) =>
        /^(Adobe-\w+-UCS2|Uni(CNS|GB|JIS|KS)-(UCS2|UTF16)-[HV])\.bcmap$|^LICENSE$/.test(name),
      )
      .map((name) => [`cmaps/${name}`, `cmaps/${name}`]),
  ),
};
for (const [from, to] of Object.entries(pdfjs)) {
  cpSync(join(pdfjsDirectory, from), join('dist/helpers/pdf/pdfjs', to));
}
writeFileSync(
  'dist/helpers/pdf/pdfjs.mjs',
  "import { fileURLToPath } from 'node:url';\n" +
    "export const pdfjsDirectory = fileURLToPath(new URL('./pdfjs', import.meta.url));\n",
);

await import('./third-parties.mjs');
