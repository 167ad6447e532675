import { type EventPart, eventParts } from './columns.ts';
import type { PdfForm, PdfLayout } from './pdf-form.ts';
import type { TextMeasure } from './pdf-text.ts';

/** The text of one cell, with the heading of its column. */
export interface Field {
  readonly heading: string;
  readonly text: string;
}

/** The cells of one event by where they belong; empty ones are left out. */
export type EventFields = Readonly<Record<EventPart, readonly Field[]>>;

/** A line of text; its place is counted from the upper left corner of its block, in points. */
export interface PlacedText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly bold?: boolean;
}

/** One event as it stands on the page. */
export interface Block {
  readonly height: number;
  readonly texts: readonly PlacedText[];
  /** Of the box around it, in points; missing: there is none. */
  readonly boxWidth?: number;
}

export interface LayoutContext {
  readonly form: PdfForm;
  readonly measure: TextMeasure;
  /** Of the block, in points. */
  readonly width: number;
  readonly lineHeight: number;
}

interface Layout {
  readonly place: (event: EventFields, context: LayoutContext) => Block;
  /** How many blocks stand side by side. */
  readonly stacks: number;
}

export const layouts: Readonly<Record<PdfLayout, Layout>> = {
  table: { place: placeRow, stacks: 1 },
  lines: { place: placeLines, stacks: 1 },
  cards: { place: placeCard, stacks: 2 },
};

function placeRow(event: EventFields, context: LayoutContext): Block {
  const { form, measure, width, lineHeight } = context;
  const gap = 8;
  const total = form.tableWidths.reduce((sum, part) => sum + part, 0);
  const texts: PlacedText[] = [];
  let x = 0;
  let mostLines = 0;
  for (const [index, part] of eventParts.entries()) {
    const columnWidth = ((form.tableWidths[index] ?? 0) / total) * width;
    const lines = paragraphsOf(event, part).flatMap((text) =>
      measure.wrap(text, columnWidth - gap),
    );
    for (const [row, text] of lines.entries()) texts.push({ text, x, y: row * lineHeight });
    mostLines = Math.max(mostLines, lines.length);
    x += columnWidth;
  }
  return { texts, height: (mostLines + 0.5) * lineHeight };
}

function placeLines(event: EventFields, { measure, width, lineHeight }: LayoutContext): Block {
  const who = [...event.identity, ...event.user].map(({ text }) => text).join('   ');
  const what = event.classification.map(({ text }) => text).join(' / ');
  const texts = [who, what, ...paragraphsOf(event, 'text'), ...paragraphsOf(event, 'metadata')]
    .filter((paragraph) => paragraph !== '')
    .flatMap((paragraph) => measure.wrap(paragraph, width))
    .map((text, row) => ({ text, x: 0, y: row * lineHeight }));
  return { texts, height: (texts.length + 1) * lineHeight };
}

function placeCard(event: EventFields, { measure, width, lineHeight }: LayoutContext): Block {
  const padding = 6;
  const labelWidth = width * 0.25;
  const texts: PlacedText[] = [];
  let y = padding;
  for (const { heading, text } of eventParts.flatMap((part) => event[part])) {
    texts.push({ text: heading, x: padding, y, bold: true });
    for (const line of measure.wrap(text, width - labelWidth - 2 * padding)) {
      texts.push({ text: line, x: labelWidth, y });
      y += lineHeight;
    }
  }
  return { texts, height: y + 2 * padding, boxWidth: width };
}

/** The metadata run on; everything else has lines of its own, comments too: some read from right to left. */
function paragraphsOf(event: EventFields, part: EventPart): readonly string[] {
  if (part !== 'metadata') return event[part].map(({ text }) => text);
  if (event.metadata.length === 0) return [];
  return [event.metadata.map(({ heading, text }) => `${heading}: ${text}`).join('; ')];
}
