// Where pdfjs is: the one that pdf-parse brings, wherever the package manager put it. What is packed has a copy of the
// files that are read in its place (see tools/packing/build.mjs): pdf-parse brings 88 MB, of which they are two.
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

const pdfParseRequire = createRequire(createRequire(import.meta.url).resolve('pdf-parse'));

/** A directory that is laid out as the package of pdfjs. */
export const pdfjsDirectory = dirname(pdfParseRequire.resolve('pdfjs-dist/package.json'));
