import { type EventPart, eventParts } from './columns.ts';
import type { TextMeasure } from './pdf-text.ts';

/*
 * The way of an event into a PDF: its cells become fields, a layout places the fields in a block, and blocks are put
 * on pages. Everything is placed here, in points, before anything is drawn.
 */

/** How a PDF export looks, which the document leaves open (4. Export audit events). Lengths are in points. */
export interface PdfForm {
  readonly page: PageSize;
  /** How an event is placed: the service itself has a table. */
  readonly layout: Layout;
  readonly fontSize: number;
  /** Of the table's columns, one for each part of an event, in proportion to each other. */
  readonly tableWidths: readonly [number, number, number, number, number];
  /** Stands at the head of every page; undefined: nothing does. */
  readonly runningTitle: string | undefined;
  readonly hasPageNumbers: boolean;
  /** A page before the others that says which events follow. */
  readonly hasCover: boolean;
}

export interface PageSize {
  readonly width: number;
  readonly height: number;
}

export const a4: PageSize = { width: 595.28, height: 841.89 };

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

/** A way of placing events on pages. */
export interface Layout {
  /** @param previous the event before it; undefined for the first one */
  readonly place: (event: EventFields, context: LayoutContext, previous?: EventFields) => Block;
  /** How many blocks stand side by side. */
  readonly stacks: number;
}

/** A row for each event, a column for each part of it. */
export const tableLayout: Layout = { place: placeRow, stacks: 1 };

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

/** The metadata run on; everything else has lines of its own, comments too: some read from right to left. */
export function paragraphsOf(event: EventFields, part: EventPart): readonly string[] {
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
