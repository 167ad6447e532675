import type { Row } from '../csv/csv-form.ts';
import { assign, groupByMark } from './assign-rows.ts';
import { countSurplus } from './count-surplus.ts';
import { findRecords } from './find-records.ts';
import type { PdfReading } from './pdf-reading.ts';
import { bodyOf } from './plain-text.ts';
import type { PrintedColumn } from './printed-columns.ts';
import { recognize } from './recognize.ts';
import { traitsOf } from './traits.ts';

/** How the events of a CSV and of a PDF agree. */
export interface EventMatch {
  /** Indexes of the rows that the PDF lacks, in order. Of rows alike in everything printed, any may stand for the others. */
  readonly missing: readonly number[];
  /** At least how many events the PDF holds beyond the rows, those printed twice among them. */
  readonly surplus: number;
  /** Columns of the CSV by which events were recognized in the PDF; empty where nothing of the CSV was found in it. */
  readonly columns: readonly number[];
  /** Those of them of which the PDF shows only the beginnings. */
  readonly cut: readonly number[];
}

/**
 * Compares the events of a PDF export with the rows of the CSV export of the same query (4. Export audit events),
 * whatever the layout: tables, several lines an event, cards; ids broken across lines; fewer columns and other
 * dates than in the CSV; text that is cut off or that the font cannot show.
 *
 * An event is there when the value that marks it (an id, a time) is, and with it the better part of what tells it
 * from others. An empty CSV does not show what events look like: compare its PDF with the rows of a query that
 * holds more; all of them must be missing.
 */
export function matchEvents(rows: readonly Row[], reading: PdfReading): EventMatch {
  const { text, columns, mark } = recognize(rows, bodyOf(reading.pages));
  const nothing = { missing: [...rows.keys()], surplus: 0, columns: [], cut: [] };
  if (!mark) return nothing;
  const records = findRecords(text, mark, columns);
  const groups = groupByMark(records, mark);
  const traits = traitsOf(groups, mark, columns);
  // A few values of one column, and nothing else of their events: the range in a title.
  if (traits.length === 0 && mark.found < 0.1) return nothing;

  const missing: number[] = [];
  let beyond = records.filter(({ value }) => value === null).length;
  for (const group of groups) {
    const { missed, left } = assign(group, traits, mark);
    missing.push(...missed);
    beyond += left.filter(({ isAtUsualPlace }) => isAtUsualPlace).length;
  }
  return {
    missing: missing.sort((a, b) => a - b),
    surplus: countSurplus(beyond, mark, columns, text),
    columns: numbersOf([mark, ...traits]),
    cut: numbersOf([mark, ...traits].filter(({ isCut }) => isCut)),
  };
}

function numbersOf(columns: readonly PrintedColumn[]): number[] {
  return columns.map(({ column }) => column).sort((a, b) => a - b);
}
