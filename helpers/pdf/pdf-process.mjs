// Reads PDFs in a process of its own: parsing blocks its thread, and a hostile file can take all memory there is.
// Plain JavaScript, so that it starts without a loader. See read-pdf.ts for who starts it and what it answers.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/** @import { PdfPage, PdfAnswer } from './pdf-reading.ts' */

const memoryMb = Number(process.argv[2]);
const mostCharacters = 50_000_000;

// Memory outside the JavaScript heap is bounded by no option of Node, and the thread that parses cannot watch it.
// The watcher also ends a process whose parent is gone.
const watcher = `
  const { ppid } = process;
  setInterval(() => {
    const tooBig = process.memoryUsage.rss() > ${memoryMb} * 1024 * 1024;
    if (tooBig || process.ppid !== ppid) process.kill(process.pid, 'SIGKILL');
  }, 10);
`;
new Worker(watcher, { eval: true }).unref();

// Text needs no canvas, which is an optional package; without it the import asks for the class all the same.
globalThis.DOMMatrix ??= /** @type {typeof DOMMatrix} */ (class {});

// The pdfjs of pdf-parse, wherever the package manager put it.
const ownRequire = createRequire(import.meta.url);
const pdfParseRequire = createRequire(ownRequire.resolve('pdf-parse'));
const pdfjsPath = pdfParseRequire.resolve('pdfjs-dist/legacy/build/pdf.mjs');
const pdfjs = await import(pathToFileURL(pdfjsPath).href);

process.on('message', async (/** @type {Uint8Array} */ bytes) => {
  const answer = await answerFor(bytes);
  process.send?.({ ...answer, memoryMb: process.memoryUsage.rss() / 2 ** 20 });
});

/** @returns {Promise<PdfAnswer>} */
async function answerFor(/** @type {Uint8Array} */ bytes) {
  const task = pdfjs.getDocument({
    data: new Uint8Array(bytes),
    verbosity: pdfjs.VerbosityLevel.ERRORS,
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: true,
  });
  try {
    return { pages: await pagesOf(await task.promise) };
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    return { failure: { name, message } };
  } finally {
    await task.destroy();
  }
}

async function pagesOf(document) {
  /** @type {PdfPage[]} */
  const pages = [];
  let characters = 0;
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const [left, bottom, right, top] = page.view;
    const { items } = await page.getTextContent();
    const texts = [];
    for (const { str, transform, width, height } of items) {
      if (str === undefined || str.trim() === '') continue;
      characters += str.length;
      const [, , , , x, y] = transform;
      texts.push({ text: str, x: x - left, y: top - y, width, height });
    }
    if (characters > mostCharacters) throw new RangeError(`more than ${mostCharacters} characters`);
    pages.push({ width: right - left, height: top - bottom, texts });
    page.cleanup();
  }
  return pages;
}
