// Reads PDFs in a process of its own: parsing blocks its thread, and a hostile file can take all memory there is.
// Plain JavaScript, so that it starts without a loader. See read-pdf.ts for who starts it and what it answers.
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { pdfjsDirectory } from './pdfjs.mjs';

/** @import { PdfAnswer, PdfPage, PdfText } from './read-pdf.ts' */

const memoryMb = Number(process.argv[2]);
const maxCharacters = 10_000_000;

// No option of Node limits memory outside the JavaScript heap, and the thread that parses cannot watch it.
// The watcher also ends a process whose parent is gone.
const watcher = `
  const { ppid } = process;
  setInterval(() => {
    const tooBig = process.memoryUsage.rss() > ${memoryMb} * 1024 * 1024;
    if (tooBig || process.ppid !== ppid) process.kill(process.pid, 'SIGKILL');
  }, 10);
`;
new Worker(watcher, { eval: true }).unref();

// Text needs no canvas, which is an optional package; without it the import needs the class all the same.
if (!('DOMMatrix' in globalThis)) Object.assign(globalThis, { DOMMatrix: class {} });

// pdf-parse gives the text of a page as lines, and keeps the places of words and the size of pages to itself: events are told
// apart by them, so its pdfjs is asked.
/** @type {typeof import('pdfjs-dist')} */
const pdfjs = await import(pathToFileURL(join(pdfjsDirectory, 'legacy/build/pdf.mjs')).href);

process.on('message', async (/** @type {Uint8Array} */ bytes) => {
  const answer = await answerFor(bytes);
  process.send?.({ ...answer, memoryMb: process.memoryUsage.rss() / 2 ** 20 });
});

// An error that escapes the parser: it is reported for the file, and the process is not used again.
process.on('uncaughtException', ({ name, message }) => {
  process.send?.({ failure: { name, message }, memoryMb });
});

/** @returns {Promise<PdfAnswer>} */
async function answerFor(/** @type {Uint8Array} */ bytes) {
  const task = pdfjs.getDocument({
    data: new Uint8Array(bytes),
    verbosity: pdfjs.VerbosityLevel.ERRORS,
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: true,
    // Fonts for Chinese, Japanese and Korean are named, not embedded, by some programs: their letters are in tables.
    cMapUrl: join(pdfjsDirectory, 'cmaps') + sep,
    cMapPacked: true,
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

/** A page with fewer may be the picture of a page. */
const fewTexts = 30;

/** Curves that letters take and logos and round corners do not. */
const manyCurves = 500;

/** @typedef {{ width: number, height: number }} Size In points. */

/** What stands beside its page, nobody can read. */
function isOnPage(
  /** @type {PdfText} */ { x, y },
  /** @type {Size} */ { width, height },
  /** @type {Size} */ page,
) {
  return x + width > 0 && x < page.width && y > 0 && y - height / 2 < page.height;
}

/** Whether a page shows images, or drawings that may be letters. */
async function showsPictures(/** @type {import('pdfjs-dist').PDFPageProxy} */ page) {
  const { OPS } = pdfjs;
  const { fnArray, argsArray } = await page.getOperatorList();
  const images = [OPS.paintImageXObject, OPS.paintInlineImageXObject, OPS.paintImageMaskXObject];
  const curve = 2;
  let curves = 0;
  for (const [index, operator] of fnArray.entries()) {
    if (images.includes(operator)) return true;
    if (operator !== OPS.constructPath) continue;
    for (const path of argsArray[index][1] ?? []) {
      for (const part of path ?? []) if (part === curve) curves += 1;
    }
  }
  return curves > manyCurves;
}

async function pagesOf(/** @type {import('pdfjs-dist').PDFDocumentProxy} */ document) {
  /** @type {PdfPage[]} */
  const pages = [];
  let characters = 0;
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const view = page.getViewport({ scale: 1 });
    const { items } = await page.getTextContent();
    /** @type {PdfText[]} */
    const texts = [];
    for (const item of items) {
      if (!('str' in item) || item.str.trim() === '') continue;
      characters += item.str.length;
      const [x, y] = view.convertToViewportPoint(item.transform[4], item.transform[5]);
      const text = { text: item.str, x, y };
      if (isOnPage(text, item, view)) texts.push(text);
    }
    if (characters > maxCharacters) throw new RangeError(`more than ${maxCharacters} characters`);
    const hasPictures = texts.length < fewTexts && (await showsPictures(page));
    pages.push({ width: view.width, height: view.height, hasPictures, texts });
    page.cleanup();
  }
  return pages;
}
