import { createHash } from 'node:crypto';
import PDFDocument from 'pdfkit';

/** An event as the tests export it: id, type, subtype, source, time, user, comment, entity. */
export type Cells = readonly string[];

/** Events of which some share the millisecond, the user, the entity, and now and then the comment. */
export function eventRows(count: number): Cells[] {
  return Array.from({ length: count }, (_, index) => [
    uuid(`event ${index}`),
    ['assessment', 'task', 'screening'][index % 3] ?? '',
    ['created', 'updated'][index % 2] ?? '',
    ['assessment_service', 'task_platform'][index % 2] ?? '',
    new Date(Date.UTC(2026, 2, 1) + Math.floor(index / 3) * 61_007).toISOString(),
    uuid(`user ${index % 11}`),
    comments[index % comments.length]?.replace('#', String(index)) ?? '',
    uuid(`entity ${index % 97}`),
  ]);
}

const comments = [
  '',
  'checked #',
  'said "no, thanks" to #',
  'looks fine',
  '日本 #',
  'x '.repeat(60),
];

function uuid(seed: string): string {
  const hex = createHash('sha1').update(seed).digest('hex');
  return [8, 12, 16, 20, 32].map((end, at) => hex.slice([0, 8, 12, 16, 20][at], end)).join('-');
}

type Document = InstanceType<typeof PDFDocument>;

/** Draws one event at a place and answers how high it is, in points. */
type Draw = (document: Document, cells: Cells, x: number, y: number) => number;

/** Where one event goes and how; `across` of them stand side by side. */
export interface Layout {
  readonly across: number;
  readonly draw: Draw;
}

const widths = [50, 60, 45, 60, 60, 90, 90, 90];

export const layouts = {
  'a table': {
    across: 1,
    draw(document, cells, x, y) {
      const wide = [150, 55, 40, 85, 100, 150, 90, 150];
      for (const [column, cell] of cells.entries()) {
        const options = { width: wide[column] ?? 0, height: 8, ellipsis: true };
        document.text(cell, x + sum(wide, column), y, options);
      }
      return 10;
    },
  },
  'a table of narrow columns': {
    across: 1,
    draw(document, cells, x, y) {
      const heights = cells.map((cell, column) => {
        const width = (widths[column] ?? 0) - 4;
        document.text(broken(document, cell, width).join('\n'), x + sum(widths, column), y, {
          width,
        });
        return document.y - y;
      });
      return Math.max(...heights) + 4;
    },
  },
  'a table written line by line': {
    across: 1,
    draw(document, cells, x, y) {
      const columns = cells.map((cell, at) => broken(document, cell, (widths[at] ?? 0) - 4));
      const height = Math.max(...columns.map((lines) => lines.length));
      for (let line = 0; line < height; line++) {
        for (const [at, lines] of columns.entries()) {
          const place = [x + sum(widths, at), y + line * 8] as const;
          if (lines[line]) document.text(lines[line] ?? '', ...place, { lineBreak: false });
        }
      }
      return height * 8 + 4;
    },
  },
  'several lines an event': {
    across: 1,
    draw(document, [id, type, subtype, source, time, user, comment, entity], x, y) {
      document.text(`${type} ${subtype} (${source})`, x, y, { lineBreak: false });
      document.text(`${written(time)} – ${user}`, x, y + 9, { lineBreak: false });
      document.text(`Event ${id}, entity ${entity}`, x, y + 18, { lineBreak: false });
      document.text(`Comment: ${comment}`, x, y + 27, { width: 300, height: 8, ellipsis: true });
      return 44;
    },
  },
  'cards side by side': {
    across: 2,
    draw(document, [id, type, subtype, , time, user, comment], x, y) {
      document.rect(x, y, 380, 62).stroke();
      document.text(time ?? '', x + 5, y + 5, { lineBreak: false });
      document.text(`${type} / ${subtype}`, x + 200, y + 5, { lineBreak: false });
      document.text(`${id}`, x + 5, y + 15, { lineBreak: false });
      document.text(`by ${user}`, x + 5, y + 25, { lineBreak: false });
      document.text(comment ?? '', x + 5, y + 35, { width: 360, height: 18, ellipsis: true });
      return 68;
    },
  },
  'times and users, no ids': {
    across: 1,
    draw(document, [, type, subtype, , time, user], x, y) {
      for (const [column, cell] of [time, type, subtype, user].entries()) {
        document.text(cell ?? '', x + 160 * column, y, { lineBreak: false });
      }
      return 10;
    },
  },
} satisfies Record<string, Layout>;

/**
 * A PDF with these events, a title, a head and a page number on each page.
 *
 * @param loses called for each event: whether to leave it out; with its page and whether it is the first of that page
 */
export async function printEvents(
  events: readonly Cells[],
  { across, draw }: Layout,
  loses: (index: number, isFirstOfPage: boolean) => boolean = () => false,
): Promise<Uint8Array> {
  const document = new PDFDocument({ size: 'A4', layout: 'landscape', margin: 0 });
  document.fontSize(7).text('Audit events from 2026-03-01T00:00:00.000Z', 30, 20);
  let [y, page, isFirst] = [60, 1, true];
  let row = 0;
  for (const [index, event] of events.entries()) {
    if (y > 500) {
      [y, page, isFirst] = [60, page + 1, true];
      document.addPage();
    }
    if (isFirst) document.text(`Kennung / Zeitpunkt`, 30, 40).text(`Seite ${page}`, 700, 570);
    if (loses(index, isFirst)) continue;
    isFirst = false;
    const column = row % across;
    const height = draw(document, event, 30 + column * 395, y);
    row += 1;
    if (column === across - 1) y += height;
  }
  document.end();
  return Buffer.concat(await document.toArray());
}

function sum(numbers: readonly number[], count: number): number {
  return numbers.slice(0, count).reduce((a, b) => a + b, 0);
}

/** Breaks words that are too long for a line, as layouts for narrow columns do. */
function broken(document: Document, text: string, width: number): string[] {
  const lines = [''];
  for (const character of text) {
    const longer = `${lines.at(-1)}${character}`;
    if (document.widthOfString(longer) > width) lines.push(character);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

function written(time: string | undefined): string {
  const format = new Intl.DateTimeFormat('de', {
    dateStyle: 'long',
    timeStyle: 'medium',
    timeZone: 'UTC',
  });
  return format.format(new Date(time ?? 0));
}
