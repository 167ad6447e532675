import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { type EventFields, type Page, type PdfForm, paginate } from './pdf-layout.ts';
import {
  type ChosenFont,
  embeddedFonts,
  type FontName,
  registerFonts,
  runsOf,
  TextMeasure,
  winAnsi,
} from './pdf-text.ts';

/** Pages to write on. Lengths are in points, from the upper left corner of the page. */
export interface Sheets {
  addPage(): void;
  /** @returns where the text ends */
  text(font: FontName, text: string, x: number, baseline: number): number;
  box(left: number, top: number, width: number, height: number): void;
  /** The whole file. */
  bytes(): Promise<Uint8Array>;
}

/** Around the blocks, in points; the running title and the page number stand in it. */
const margin = 36;
const titleBaseline = 24;
const boxGap = 6;
const pagesAtOnce = 20;

/** Draws events: the same ones in the same form give the same bytes. @param arrange changes the pages before that */
export async function drawPdf(
  events: readonly EventFields[],
  form: PdfForm,
  arrange: (pages: readonly Page[]) => readonly Page[],
  sheets: Sheets,
): Promise<Uint8Array> {
  if (form.hasCover) drawCover(sheets, events, form);
  for (const [index, page] of arrange(pagesOf(events, form)).entries()) {
    sheets.addPage();
    drawMargins(sheets, form, index + 1);
    drawPage(sheets, page, form);
    // A large file takes its time: other requests are answered meanwhile.
    if (index % pagesAtOnce === pagesAtOnce - 1) await setImmediate();
  }
  return await sheets.bytes();
}

/** The sheets of a PDF, made by pdfkit. */
export function pdfSheets({ page, runningTitle, fontSize }: PdfForm): Sheets {
  const document = new PDFDocument({
    size: [page.width, page.height],
    margin: 0,
    autoFirstPage: false,
    // The id of the file is made from these: with the time of day, no two files would be the same.
    info: { Title: runningTitle ?? 'Audit events', CreationDate: new Date(0) },
  });
  registerFonts(document);
  const measure = new TextMeasure(fontSize);
  return {
    addPage: () => document.addPage(),
    text(font, text, x, baseline) {
      document.font(font).fontSize(fontSize);
      if (!(font in embeddedFonts)) {
        writeText(document, text, x, baseline);
        return x + measure.widthIn(font, text);
      }
      // With a list of features, even an empty one, pdfkit shapes a text as a whole and not word by word: only so
      // do words of scripts that read from right to left stand in their order.
      const how = { lineBreak: false, baseline: 'alphabetic' } as const;
      return document.text(text, x, baseline, { ...how, features: [] }).x;
    },
    box: (left, top, width, height) => document.rect(left, top, width, height).stroke('#999'),
    async bytes() {
      document.end();
      return await buffer(document);
    },
  };
}

/**
 * Writes a text as the page description language does (PDF 32000-1, 9.4.3). pdfkit itself looks up every letter, and every
 * pair of them for kerning, several times: a file of 5,000 events takes it seconds.
 */
function writeText(
  document: InstanceType<typeof PDFDocument>,
  text: string,
  x: number,
  baseline: number,
): void {
  // The type that pdfkit's documents have in fact.
  const { _font: font, _fontSize: size } = document as typeof document & ChosenFont;
  const { fonts } = document.page;
  fonts[font.id] ??= font.ref();
  const [left, top] = [x, baseline].map((length) => Math.round(length * 1000) / 1000);
  const literal = winAnsi(text).replace(/[\\()]/g, '\\$&');
  // On pages of pdfkit, y grows downwards: text stands upright where its own y is turned again.
  const drawn = `BT /${font.id} ${size} Tf 1 0 0 -1 ${left} ${top} Tm (${literal}) Tj ET\n`;
  document.addContent(Buffer.from(drawn, 'latin1'));
}

function pagesOf(events: readonly EventFields[], form: PdfForm): readonly Page[] {
  const { place, stacks } = form.layout;
  const gutter = 12;
  const stackWidth = (form.page.width - 2 * margin + gutter) / stacks;
  const lineHeight = lineHeightOf(form);
  const width = stackWidth - gutter;
  const context = { form, measure: new TextMeasure(form.fontSize), width, lineHeight };
  const blocks = events.map((event, index) => place(event, context, events[index - 1]));
  const height = form.page.height - 2 * margin;
  return paginate(blocks, { height, lineHeight, stacks, stackWidth });
}

function drawMargins(sheets: Sheets, form: PdfForm, pageNumber: number): void {
  const { page, runningTitle, hasPageNumbers } = form;
  if (runningTitle !== undefined) drawRuns(sheets, runningTitle, margin, titleBaseline);
  if (hasPageNumbers) {
    const baseline = page.height - titleBaseline;
    sheets.text('Helvetica', String(pageNumber), page.width / 2, baseline);
  }
}

function drawCover(sheets: Sheets, events: readonly EventFields[], form: PdfForm): void {
  sheets.addPage();
  const ends = [events[0], events.at(-1)].flatMap((event) => event?.identity ?? []);
  const lines = [`${events.length} events`, ...ends.map(({ text }) => text)];
  for (const [row, line] of lines.entries()) {
    drawRuns(sheets, line, margin, 3 * margin + row * 2 * lineHeightOf(form));
  }
}

function drawPage(sheets: Sheets, page: Page, form: PdfForm): void {
  for (const block of page) {
    const left = margin + block.left;
    const top = margin + block.top;
    if (block.boxWidth !== undefined) {
      sheets.box(left, top, block.boxWidth, block.height - boxGap);
    }
    for (const { text, x, y, bold } of block.texts) {
      const baseline = top + y + form.fontSize;
      if (bold) sheets.text('Helvetica-Bold', text, left + x, baseline);
      else drawRuns(sheets, text, left + x, baseline);
    }
  }
}

function drawRuns(sheets: Sheets, line: string, left: number, baseline: number): void {
  let x = left;
  for (const { font, text } of runsOf(line)) x = sheets.text(font, text, x, baseline);
}

function lineHeightOf({ fontSize }: PdfForm): number {
  return fontSize * 1.25;
}
