import { type EventPart, eventParts } from './columns.ts';
import type { TextMeasure } from './pdf-text.ts';

/*
 * The way of an event into a PDF: its cells become fields, a layout places the fields in a block, and blocks are put
 * on pages. Everything is placed here, in points, before anything is drawn.
 */

/** How a PDF export looks, which the document leaves open (4. Export audit events). Lengths are in points. */
export interface PdfForm {
  readonly page: PageSize;
  /**
   * - `table`: a row for each event, a column for each part of it.
   * - `lines`: several lines for each event, over the whole width.
   * - `cards`: boxes of labelled fields, in two stacks side by side.
   * - `days`: a heading for each day, and below it the events: the time alone, beside it several lines.
   */
  readonly layout: PdfLayout;
  readonly fontSize: number;
  /** Of the table's columns, one for each part of an event, in proportion to each other. */
  readonly tableWidths: readonly [number, number, number, number, number];
  /** Stands at the head of every page; undefined: nothing does. */
  readonly runningTitle: string | undefined;
  readonly hasPageNumbers: boolean;
  /** A page before the others that says which events follow. */
  readonly hasCover: boolean;
  /** In which order the texts of a page are written into the file; it looks the same. */
  readonly drawing: 'event by event' | 'column by column';
}

export type PdfLayout = 'table' | 'lines' | 'cards' | 'days';

export interface PageSize {
  readonly width: number;
  readonly height: number;
}

export const paper = {
  a3: { width: 841.89, height: 1190.55 },
  a4: { width: 595.28, height: 841.89 },
  a5: { width: 419.53, height: 595.28 },
  letter: { width: 612, height: 792 },
  legal: { width: 612, height: 1008 },
} as const satisfies Record<string, PageSize>;

export function landscape({ width, height }: PageSize): PageSize {
  return { width: height, height: width };
}

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
  /** @param previous the event before it; undefined for the first one */
  readonly place: (event: EventFields, context: LayoutContext, previous?: EventFields) => Block;
  /** How many blocks stand side by side. */
  readonly stacks: number;
}

export const layouts: Readonly<Record<PdfLayout, Layout>> = {
  table: { place: placeRow, stacks: 1 },
  lines: { place: placeLines, stacks: 1 },
  cards: { place: placeCard, stacks: 2 },
  days: { place: placeBelowDay, stacks: 1 },
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

function placeBelowDay(
  event: EventFields,
  { measure, width, lineHeight }: LayoutContext,
  previous?: EventFields,
): Block {
  const texts: PlacedText[] = [];
  let y = 0;
  const { day, clock, others } = timeOf(event);
  if (previous === undefined || timeOf(previous).day !== day) {
    texts.push({ text: day, x: 0, y, bold: true });
    y += 2 * lineHeight;
  }
  texts.push({ text: clock, x: 0, y });
  const timeWidth = 60;
  const lines = [
    event.classification.map(({ text }) => text).join(' · '),
    ...[...event.user, ...others].map(({ text }) => text),
    ...paragraphsOf(event, 'text'),
    ...event.metadata.map(({ heading, text }) => `${heading}: ${text}`),
  ];
  for (const line of lines.flatMap((text) => measure.wrap(text, width - timeWidth))) {
    texts.push({ text: line, x: timeWidth, y });
    y += lineHeight;
  }
  return { texts, height: y + lineHeight };
}

/** The day of an event and its time to the second, where it is written `2026-11-20 14:05:33`, and what else names it. */
function timeOf({ identity }: EventFields) {
  const others = identity.filter(({ text }) => !/^[\d-]{10} [\d:]{8}/.test(text));
  const time = identity.find((field) => !others.includes(field));
  const [day = '', clock = ''] = time?.text.split(' ') ?? [];
  return { day, clock: clock.slice(0, 8), others };
}

/** The metadata run on; everything else has lines of its own, comments too: some read from right to left. */
function paragraphsOf(event: EventFields, part: EventPart): readonly string[] {
  if (part !== 'metadata') return event[part].map(({ text }) => text);
  if (event.metadata.length === 0) return [];
  return [event.metadata.map(({ heading, text }) => `${heading}: ${text}`).join('; ')];
}

/** A block and the upper left corner of its place, in points from that of the frame. */
export interface PlacedBlock extends Block {
  readonly left: number;
  readonly top: number;
}

export type Page = readonly PlacedBlock[];

/** The room for blocks on each page: stacks side by side, filled one after the other. Lengths are in points. */
export interface Frame {
  readonly height: number;
  readonly lineHeight: number;
  readonly stacks: number;
  /** From the left edge of one stack to that of the next. */
  readonly stackWidth: number;
}

/**
 * Puts blocks on pages, at least one. A block that does not fit any more stands in the next stack or on the
 * next page; one that is higher than a page is continued there.
 */
export function paginate(blocks: readonly Block[], frame: Frame): readonly Page[] {
  const pages: PlacedBlock[][] = [];
  let stack = frame.stacks;
  let top = 0;
  for (const block of blocks.flatMap((high) => cutToHeight(high, frame))) {
    if (pages.length === 0 || top + block.height > frame.height) {
      top = 0;
      stack += 1;
    }
    if (stack >= frame.stacks) {
      stack = 0;
      pages.push([]);
    }
    pages.at(-1)?.push({ ...block, left: stack * frame.stackWidth, top });
    top += block.height;
  }
  return pages.length === 0 ? [[]] : pages;
}

function cutToHeight(block: Block, frame: Frame): readonly Block[] {
  const { height, lineHeight } = frame;
  if (block.height <= height) return [block];
  const fits = ({ y }: { readonly y: number }) => y + lineHeight <= height;
  const below = block.texts.filter((text) => !fits(text));
  const firstBelow = Math.min(...below.map(({ y }) => y));
  const rest = {
    ...block,
    height: block.height - firstBelow,
    texts: below.map((text) => ({ ...text, y: text.y - firstBelow })),
  };
  const head = { ...block, height, texts: block.texts.filter(fits) };
  return below.length === 0 ? [head] : [head, ...cutToHeight(rest, frame)];
}
