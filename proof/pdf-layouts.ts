import { eventParts } from '../reference/export/columns.ts';
import {
  a4,
  type Block,
  type EventFields,
  type Layout,
  type LayoutContext,
  type PageSize,
  type PlacedText,
  paragraphsOf,
  tableLayout,
} from '../reference/export/pdf-layout.ts';

/** What PDF exports can look like, which the document leaves open (4. Export audit events). */
export const pdfLayouts = {
  /** A row for each event, a column for each part of it: as the service itself has it. */
  table: tableLayout,
  /** Several lines for each event, over the whole width. */
  lines: { place: placeLines, stacks: 1 },
  /** Boxes of labelled fields, in two stacks side by side. */
  cards: { place: placeCard, stacks: 2 },
  /** A heading for each day, and below it the events: the time alone, beside it several lines. */
  days: { place: placeBelowDay, stacks: 1 },
} as const satisfies Readonly<Record<string, Layout>>;

/** Sizes of pages, in points. */
export const paper = {
  a3: { width: 841.89, height: 1190.55 },
  a4,
  a5: { width: 419.53, height: 595.28 },
  letter: { width: 612, height: 792 },
  legal: { width: 612, height: 1008 },
} as const satisfies Readonly<Record<string, PageSize>>;

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
