import {
  type PdfPage,
  type PdfReading,
  type PdfText,
  PdfUnreadable,
} from '../helpers/pdf/read-pdf.ts';
import type { Sheets } from '../reference/export/pdf-draw.ts';
import type { PdfForm } from '../reference/export/pdf-layout.ts';
import { TextMeasure } from '../reference/export/pdf-text.ts';

/*
 * PDFs that are not drawn: their texts and places are handed over as they would be read. Drawing files and reading them
 * again takes most of the time of the proof, and shows nothing where not the files are in question but what they hold.
 */

const signature = '%PDF-as-text\n';

/** Sheets whose file is what a reader of the drawn file would find in it. */
export function textSheets({ page: { width, height }, fontSize }: PdfForm): Sheets {
  const measure = new TextMeasure(fontSize);
  const pages: PdfText[][] = [];
  return {
    addPage() {
      pages.push([]);
    },
    text(font, text, x, baseline) {
      const end = x + measure.widthIn(font, text);
      // As a reader has it: white space is no text, and what stands outside of the page is not seen.
      const isSeen = end > 0 && x < width && baseline > 0 && baseline - fontSize / 2 < height;
      if (isSeen && text.trim() !== '') {
        pages.at(-1)?.push({ text, x, y: baseline });
      }
      return end;
    },
    box() {},
    async bytes() {
      const read = pages.map((texts): PdfPage => ({ width, height, hasPictures: false, texts }));
      return Buffer.from(signature + JSON.stringify(read));
    },
  };
}

/** What a file of such sheets holds; undefined for another file. @throws PdfUnreadable where it was damaged */
export function readTextSheets(bytes: Uint8Array): PdfReading | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!file.subarray(0, signature.length).equals(Buffer.from(signature))) return undefined;
  try {
    return { pages: JSON.parse(file.subarray(signature.length).toString()) as PdfPage[] };
  } catch {
    throw new PdfUnreadable('broken', 'The file ends in the middle.');
  }
}
