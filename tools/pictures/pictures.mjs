// Takes the pictures of the README: runs the contract against a service with faults, and photographs what came of it, on
// the terminal and as a page. `npm run pictures`; needs Chromium (CHROMIUM_PATH), and takes some minutes.
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createJiti } from 'jiti';
import { chromium } from 'playwright-core';
import { terminalAsHtml } from './terminal.mjs';

const faults = ['export-metadata-tag-is-ignored'];
const maxBytes = 150_000;
const pictures = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

const jiti = createJiti(import.meta.url);
const { faultyRun } = /** @type {typeof import('./faulty-run.ts')} */ (
  await jiti.import('./faulty-run.ts')
);
const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-lcd-text'],
});
try {
  const { terminal, page } = await faultyRun({ faults, reportDir: join(folder, 'run'), seed: 1 });
  await mkdir(pictures, { recursive: true });
  const browsed = await browser.newPage({ viewport: { width: 1100, height: 900 } });
  await browsed.goto(pathToFileURL(page).href);
  await browsed.screenshot({ path: join(pictures, 'page.png') });
  const typed = await browser.newPage({ viewport: { width: 900, height: 600 } });
  await typed.setContent(terminalAsHtml(terminal));
  await typed.locator('pre').screenshot({ path: join(pictures, 'terminal.png') });
  for (const name of ['page.png', 'terminal.png']) {
    const { size } = await stat(join(pictures, name));
    console.log(`${name}: ${size} bytes`);
    if (size > maxBytes) throw new Error(`${name} has more than ${maxBytes} bytes`);
  }
} finally {
  await browser.close();
  await rm(folder, { recursive: true });
}
process.exit();
