// Makes `dist/`, which is what the package holds: the sources as JavaScript with types, and the files that they read.
// Node strips no types below node_modules, so a project that installs the package could not run the sources.
import { execSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { extname, join } from 'node:path';

rmSync('dist', { recursive: true, force: true });
// npm puts it on the path.
execSync('tsc -p tsconfig.build.json', { stdio: 'inherit' });
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
