import type { AuditEvent } from '../audit-event.ts';
import { allColumns, allColumnsBut, type Column, commentColumn } from '../export/columns.ts';
import { needsQuotes, quotedWhere } from '../rules/export-csv.ts';
import type { Rules } from '../rules.ts';
import { ofRows } from './export-clauses.ts';
import type { Fault } from './fault.ts';

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
  const spoilt: Column = {
    ...commentColumn,
    cell: (event) => (event.comment === null ? '' : change(event.comment)),
  };
  const columns = allColumns.map((column) => (column === commentColumn ? spoilt : column));
  return { csvColumns: () => columns };
};

const withoutComments = allColumnsBut(commentColumn);

const rows: readonly Fault[] = [
  {
    id: 'export-csv-loses-its-last-row',
    breaks: [complete],
    mayBreak: ofRows,
    rules: inCsv((events) => events.slice(0, -1)),
  },
  {
    id: 'export-csv-loses-its-first-row',
    breaks: [complete],
    mayBreak: ofRows,
    rules: inCsv((events) => events.slice(1)),
  },
  {
    id: 'export-csv-repeats-its-last-row',
    breaks: [complete],
    mayBreak: ofRows,
    rules: inCsv((events) => [...events, ...events.slice(-1)]),
  },
  {
    id: 'export-csv-repeats-every-row',
    breaks: [complete],
    mayBreak: ofRows,
    rules: inCsv((events) => events.flatMap((event) => [event, event])),
  },
  {
    id: 'export-csv-loses-every-thousandth-row',
    breaks: ['export.csv-has-no-limit-of-5000'],
    mayBreak: [
      ...ofRows,
      'limits.pdf-of-5000-events-is-allowed',
      'limits.pdf-over-5000-events-is-400',
    ],
    rules: inCsv((events) => events.filter((_, index) => index % 1000 !== 999)),
  },
  {
    id: 'export-csv-repeats-every-thousandth-row',
    breaks: ['export.csv-has-no-limit-of-5000'],
    mayBreak: [
      ...ofRows,
      'limits.pdf-of-5000-events-is-allowed',
      'limits.pdf-over-5000-events-is-400',
    ],
    rules: inCsv((events) =>
      events.flatMap((event, index) => (index % 1000 === 999 ? [event, event] : [event])),
    ),
  },
  {
    id: 'export-csv-keeps-one-event-a-millisecond',
    breaks: [complete],
    mayBreak: ofRows,
    rules: inCsv((events) => events.filter(({ at }, index) => events[index - 1]?.at !== at)),
  },
  {
    id: 'export-csv-is-empty',
    breaks: [complete],
    mayBreak: ofRows,
    rules: inCsv(() => []),
  },
];

const cells: readonly Fault[] = [
  {
    id: 'export-csv-never-quotes',
    breaks: [oneTable, toTheLetter],
    mayBreak: ofRows,
    rules: { csvCell: () => (text) => text },
  },
  {
    id: 'export-csv-does-not-double-quotes',
    breaks: [oneTable, toTheLetter],
    mayBreak: ofRows,
    rules: {
      csvCell: (delimiter) => quotedWhere(needsQuotes(delimiter), (text) => `"${text}"`),
    },
  },
  {
    id: 'export-csv-escapes-quotes-with-backslashes',
    breaks: [oneTable, toTheLetter],
    mayBreak: ofRows,
    rules: {
      csvCell: (delimiter) =>
        quotedWhere(needsQuotes(delimiter), (text) => `"${text.replaceAll('"', '\\"')}"`),
    },
  },
  {
    id: 'export-csv-does-not-quote-line-breaks',
    breaks: [oneTable],
    mayBreak: ofRows,
    rules: { csvCell: (delimiter) => quotedWhere(new RegExp(`[${delimiter}"]`)) },
  },
  {
    id: 'export-csv-does-not-quote-its-delimiter',
    breaks: [oneTable],
    mayBreak: ofRows,
    rules: { csvCell: () => quotedWhere(/["\r\n]/) },
  },
  {
    id: 'export-csv-quotes-only-what-holds-its-delimiter',
    breaks: [oneTable],
    mayBreak: ofRows,
    rules: { csvCell: (delimiter) => quotedWhere(new RegExp(`[${delimiter}]`)) },
  },
  {
    id: 'export-csv-leaves-a-quote-open',
    breaks: [oneTable, toTheLetter],
    mayBreak: ofRows,
    rules: {
      csvCell: (delimiter) => {
        const written = quotedWhere(needsQuotes(delimiter));
        return (text) => (text.includes('\n') ? written(text).slice(0, -1) : written(text));
      },
    },
  },
  {
    id: 'export-csv-cuts-comments-at-thirty-characters',
    breaks: [toTheLetter],
    rules: withComments((comment) => comment.slice(0, 30)),
  },
  {
    id: 'export-csv-writes-line-breaks-as-spaces',
    breaks: [toTheLetter],
    rules: withComments((comment) => comment.replace(/\s*[\r\n]+\s*/g, ' ')),
  },
  {
    id: 'export-csv-writes-other-scripts-as-question-marks',
    breaks: [toTheLetter],
    rules: withComments((comment) => comment.replace(/[^\0-\xff]/g, '?')),
  },
  {
    id: 'export-csv-writes-double-quotes-as-single-ones',
    breaks: [toTheLetter],
    rules: withComments((comment) => comment.replaceAll('"', "'")),
  },
  {
    id: 'export-csv-drops-commas-from-comments',
    breaks: [toTheLetter],
    rules: withComments((comment) => comment.replaceAll(',', '')),
  },
  {
    id: 'export-csv-has-no-comments',
    breaks: ['audit.records-assignment-comments', 'audit.records-unassignment-comments'],
    rules: { csvColumns: () => withoutComments },
  },
];

/** CSV exports that lose or double rows, or do not read back as what was written (4. Export audit events). */
export const exportCsvFaults: readonly Fault[] = [...rows, ...cells];
