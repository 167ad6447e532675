import PDFDocument from 'pdfkit';
import { type EventFields, layouts, type Page, type PdfForm, paginate } from './pdf-layout.ts';
import {
  type ChosenFont,
  type FontName,
  isStandardFont,
  registerFonts,
  runsOf,
  type StandardFont,
  TextMeasure,
  winAnsi,
} from './pdf-text.ts';

type Document = InstanceType<typeof PDFDocument>;

/** Around the blocks, in points; the running title and the page number stand in it. */
const margin = 36;
const titleBaseline = 24;
const boxGap = 6;

/**
 * Draws events one after the other. The same events and form give the same bytes.
 *
 * @param arrange changes the pages before they are drawn
 */
export async function drawPdf(
  events: readonly EventFields[],
  form: PdfForm,
  arrange: (pages: readonly Page[]) => readonly Page[],
): Promise<Uint8Array> {
  const document = newDocument(form);
  if (form.hasCover) drawCover(document, events, form);
  for (const [index, page] of arrange(pagesOf(events, form)).entries()) {
    document.addPage();
    drawMargins(document, form, index + 1);
    drawPage(document, page, form);
  }
  document.end();
  const pieces: Uint8Array[] = [];
  for await (const piece of document) pieces.push(piece);
  return Buffer.concat(pieces);
}

function newDocument({ page, runningTitle }: PdfForm): Document {
  const document = new PDFDocument({
    size: [page.width, page.height],
    margin: 0,
    autoFirstPage: false,
    // The id of the file is made from these: with the time of day, no two files would be the same.
    info: { Title: runningTitle ?? 'Audit events', CreationDate: new Date(0) },
  });
  registerFonts(document);
  return document;
}

function pagesOf(events: readonly EventFields[], form: PdfForm): readonly Page[] {
  const { place, stacks } = layouts[form.layout];
  const gutter = 12;
  const stackWidth = (form.page.width - 2 * margin + gutter) / stacks;
  const lineHeight = lineHeightOf(form);
  const width = stackWidth - gutter;
  const context = { form, measure: new TextMeasure(form.fontSize), width, lineHeight };
  const blocks = events.map((event, index) => place(event, context, events[index - 1]));
  return paginate(blocks, {
    height: form.page.height - 2 * margin,
    lineHeight,
    stacks,
    stackWidth,
  });
}

function drawMargins(document: Document, form: PdfForm, pageNumber: number): void {
  const { page, runningTitle, hasPageNumbers } = form;
  document.fontSize(form.fontSize);
  if (runningTitle !== undefined) drawRuns(document, runningTitle, margin, titleBaseline);
  if (hasPageNumbers) {
    drawText(
      document,
      'Helvetica',
      String(pageNumber),
      page.width / 2,
      page.height - titleBaseline,
    );
  }
}

function drawCover(document: Document, events: readonly EventFields[], form: PdfForm): void {
  document.addPage();
  const ends = [events[0], events.at(-1)].flatMap((event) => event?.identity ?? []);
  const lines = [`${events.length} events`, ...ends.map(({ text }) => text)];
  for (const [row, line] of lines.entries()) {
    drawRuns(document, line, margin, 3 * margin + row * 2 * lineHeightOf(form));
  }
}

function drawPage(document: Document, page: Page, form: PdfForm): void {
  const texts = page.flatMap((block) => {
    const left = margin + block.left;
    const top = margin + block.top;
    if (block.boxWidth !== undefined) {
      document.rect(left, top, block.boxWidth, block.height - boxGap).stroke('#999');
    }
    return block.texts.map((one) => ({
      ...one,
      x: left + one.x,
      baseline: top + one.y + form.fontSize,
    }));
  });
  if (form.drawing === 'column by column') texts.sort((a, b) => a.x - b.x);
  for (const { text, x, baseline, bold } of texts) {
    if (bold) drawText(document, 'Helvetica-Bold', text, x, baseline);
    else drawRuns(document, text, x, baseline);
  }
}

function drawRuns(document: Document, line: string, left: number, baseline: number): void {
  let x = left;
  for (const { font, text } of runsOf(line)) {
    drawText(document, font, text, x, baseline);
    // Where pdfkit's text ends.
    x = document.x;
  }
}

function drawText(
  document: Document,
  font: FontName,
  text: string,
  x: number,
  baseline: number,
): void {
  if (isStandardFont(font)) {
    writeText(document, font, text, x, baseline);
    return;
  }
  // With a list of features, even an empty one, pdfkit shapes a text as a whole and not word by word: only so
  // do words of scripts that read from right to left stand in their order.
  document
    .font(font)
    .text(text, x, baseline, { lineBreak: false, baseline: 'alphabetic', features: [] });
}

/**
 * Writes a text as the page description language does (PDF 32000-1, 9.4.3). pdfkit itself looks up every letter, and every
 * pair of them for kerning, several times: a file of 5,000 events takes it seconds.
 */
function writeText(
  document: Document,
  font: StandardFont,
  text: string,
  x: number,
  baseline: number,
): void {
  document.font(font);
  // The type that pdfkit has in fact; a test draws with every font.
  const { _font: chosen, _fontSize: size } = document as Document & ChosenFont;
  const { fonts } = document.page;
  fonts[chosen.id] ??= chosen.ref();
  const [left, top] = [x, baseline].map((length) => Math.round(length * 1000) / 1000);
  const literal = winAnsi(text).replace(/[\\()]/g, '\\$&');
  // On pages of pdfkit, y grows downwards: text stands upright where its own y is turned again.
  const drawn = `BT /${chosen.id} ${size} Tf 1 0 0 -1 ${left} ${top} Tm (${literal}) Tj ET\n`;
  document.addContent(Buffer.from(drawn, 'latin1'));
}

function lineHeightOf({ fontSize }: PdfForm): number {
  return fontSize * 1.25;
}
