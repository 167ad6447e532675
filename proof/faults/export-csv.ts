import {
  allColumns,
  allColumnsBut,
  type Column,
  commentColumn,
} from '../../reference/export/columns.ts';
import type { AuditEvent } from '../../reference/records.ts';
import { needsQuotes, quotedWhere } from '../../reference/rules/export.ts';
import type { Rules } from '../../reference/rules.ts';
import { rowClauses } from '../clause-groups.ts';
import { type Fault, fault } from './fault.ts';

const complete = 'export.pdf-holds-the-events-of-the-csv';
const oneTable = 'export.csv-is-one-table';
const toTheLetter = 'audit.comment-is-kept-to-the-letter';

/** Changes the events of a CSV and leaves those of a PDF. */
const inCsv = (
  change: (events: readonly AuditEvent[]) => readonly AuditEvent[],
): Pick<Rules, 'exportedEvents'> => ({
  exportedEvents: (selected, { fileType }) => (fileType === 'csv' ? change(selected) : selected),
});

const withComments = (change: (comment: string) => string): Pick<Rules, 'csvColumns'> => {
  const corrupted: Column = {
    ...commentColumn,
    cell: (event) => (event.comment === null ? '' : change(event.comment)),
  };
  const columns = allColumns.map((column) => (column === commentColumn ? corrupted : column));
  return { csvColumns: () => columns };
};

const withoutComments = allColumnsBut(commentColumn);

const rows: readonly Fault[] = [
  fault('export-csv-loses-its-last-row', [complete], {
    mayBreak: rowClauses,
    rules: inCsv((events) => events.slice(0, -1)),
  }),
  fault('export-csv-loses-its-first-row', [complete], {
    mayBreak: rowClauses,
    rules: inCsv((events) => events.slice(1)),
  }),
  fault('export-csv-repeats-its-last-row', [complete], {
    mayBreak: rowClauses,
    rules: inCsv((events) => [...events, ...events.slice(-1)]),
  }),
  fault('export-csv-repeats-every-row', [complete], {
    mayBreak: rowClauses,
    rules: inCsv((events) => events.flatMap((event) => [event, event])),
  }),
  fault('export-csv-loses-every-thousandth-row', ['export.csv-has-no-limit-of-5000'], {
    showsAmongMany: true,
    mayBreak: [
      ...rowClauses,
      'limits.pdf-of-5000-events-is-allowed',
      'limits.pdf-over-5000-events-is-400',
    ],
    rules: inCsv((events) => events.filter((_, index) => index % 1000 !== 999)),
  }),
  fault('export-csv-repeats-every-thousandth-row', ['export.csv-has-no-limit-of-5000'], {
    showsAmongMany: true,
    mayBreak: [
      ...rowClauses,
      'limits.pdf-of-5000-events-is-allowed',
      'limits.pdf-over-5000-events-is-400',
    ],
    rules: inCsv((events) =>
      events.flatMap((event, index) => (index % 1000 === 999 ? [event, event] : [event])),
    ),
  }),
  fault('export-csv-keeps-one-event-a-millisecond', [complete], {
    mayBreak: rowClauses,
    rules: inCsv((events) => events.filter(({ at }, index) => events[index - 1]?.at !== at)),
  }),
  fault('export-csv-is-empty', [complete], { mayBreak: rowClauses, rules: inCsv(() => []) }),
];

const cells: readonly Fault[] = [
  fault('export-csv-never-quotes', [oneTable, toTheLetter], {
    mayBreak: rowClauses,
    rules: { csvCell: () => (text) => text },
  }),
  fault('export-csv-does-not-double-quotes', [oneTable, toTheLetter], {
    mayBreak: rowClauses,
    rules: { csvCell: (delimiter) => quotedWhere(needsQuotes(delimiter), (text) => `"${text}"`) },
  }),
  fault('export-csv-escapes-quotes-with-backslashes', [oneTable, toTheLetter], {
    mayBreak: rowClauses,
    rules: {
      csvCell: (delimiter) =>
        quotedWhere(needsQuotes(delimiter), (text) => `"${text.replaceAll('"', '\\"')}"`),
    },
  }),
  fault('export-csv-does-not-quote-line-breaks', [oneTable], {
    mayBreak: rowClauses,
    rules: { csvCell: (delimiter) => quotedWhere(new RegExp(`[${delimiter}"]`)) },
  }),
  fault('export-csv-does-not-quote-its-delimiter', [oneTable], {
    mayBreak: rowClauses,
    rules: { csvCell: () => quotedWhere(/["\r\n]/) },
  }),
  fault('export-csv-does-not-quote-what-begins-with-a-quoted-word', [oneTable], {
    // No event of the past does, as on most services: a comment of the run's own shows it.
    mayBreak: [toTheLetter, ...rowClauses],
    rules: {
      csvCell: (delimiter) => {
        const inQuotes = quotedWhere(needsQuotes(delimiter));
        const asItIs = new RegExp(`^"[^"]*" [^${delimiter}\\r\\n]*$`);
        return (text) => (asItIs.test(text) ? text : inQuotes(text));
      },
    },
  }),
  fault('export-csv-quotes-only-what-holds-its-delimiter', [oneTable], {
    mayBreak: rowClauses,
    rules: { csvCell: (delimiter) => quotedWhere(new RegExp(`[${delimiter}]`)) },
  }),
  fault('export-csv-leaves-a-quote-open', [oneTable, toTheLetter], {
    mayBreak: rowClauses,
    rules: {
      csvCell: (delimiter) => {
        const written = quotedWhere(needsQuotes(delimiter));
        return (text) => (text.includes('\n') ? written(text).slice(0, -1) : written(text));
      },
    },
  }),
  fault('export-csv-cuts-comments-at-thirty-characters', [toTheLetter], {
    rules: withComments((comment) => comment.slice(0, 30)),
  }),
  fault('export-csv-writes-line-breaks-as-spaces', [toTheLetter], {
    rules: withComments((comment) => comment.replace(/\s*[\r\n]+\s*/g, ' ')),
  }),
  fault('export-csv-writes-other-scripts-as-question-marks', [toTheLetter], {
    rules: withComments((comment) => comment.replace(/[^\0-\xff]/g, '?')),
  }),
  fault('export-csv-writes-double-quotes-as-single-ones', [toTheLetter], {
    rules: withComments((comment) => comment.replaceAll('"', "'")),
  }),
  fault('export-csv-drops-commas-from-comments', [toTheLetter], {
    rules: withComments((comment) => comment.replaceAll(',', '')),
  }),
  fault(
    'export-csv-has-no-comments',
    ['audit.records-assignment-comments', 'audit.records-unassignment-comments'],
    { rules: { csvColumns: () => withoutComments } },
  ),
];

/** CSV exports that lose or double rows, or do not read back as what was written (4. Export audit events). */
export const exportCsvFaults: readonly Fault[] = [...rows, ...cells];
