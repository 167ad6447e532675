import { allColumns, type Column, commentColumn } from '../../reference/export/columns.ts';
import type { AuditEvent } from '../../reference/records.ts';
import { needsQuotes, quotedWhere } from '../../reference/rules/export.ts';
import type { Rules } from '../../reference/rules.ts';
import { rowClauses } from '../clause-groups.ts';
import { allColumnsBut } from '../exports.ts';
import { bytesOf, type Fault, fault, table } from './fault.ts';

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
  ...table(
    fault,
    { breaks: [complete], mayBreak: rowClauses },
    {
      'export-csv-loses-its-last-row': inCsv((events) => events.slice(0, -1)),
      'export-csv-loses-its-first-row': inCsv((events) => events.slice(1)),
      'export-csv-repeats-its-last-row': inCsv((events) => [...events, ...events.slice(-1)]),
      'export-csv-repeats-every-row': inCsv((events) => events.flatMap((event) => [event, event])),
    },
  ),
  ...table(
    fault,
    {
      breaks: ['export.csv-has-no-limit-of-5000'],
      showsAmongMany: true,
      mayBreak: [
        ...rowClauses,
        'limits.pdf-of-5000-events-is-allowed',
        'limits.pdf-over-5000-events-is-400',
      ],
    },
    {
      'export-csv-loses-every-thousandth-row': inCsv((events) =>
        events.filter((_, index) => index % 1000 !== 999),
      ),
      'export-csv-repeats-every-thousandth-row': inCsv((events) =>
        events.flatMap((event, index) => (index % 1000 === 999 ? [event, event] : [event])),
      ),
    },
  ),
  ...table(
    fault,
    { breaks: [complete], mayBreak: rowClauses },
    {
      'export-csv-keeps-one-event-a-millisecond': inCsv((events) =>
        events.filter(({ at }, index) => events[index - 1]?.at !== at),
      ),
      'export-csv-is-empty': inCsv(() => []),
    },
  ),
];

const cells: readonly Fault[] = [
  ...table(
    fault,
    { breaks: [oneTable, toTheLetter], mayBreak: rowClauses },
    {
      'export-csv-never-quotes': { csvCell: () => (text) => text },
      'export-csv-does-not-double-quotes': {
        csvCell: (delimiter) => quotedWhere(needsQuotes(delimiter), (text) => `"${text}"`),
      },
      'export-csv-escapes-quotes-with-backslashes': {
        csvCell: (delimiter) =>
          quotedWhere(needsQuotes(delimiter), (text) => `"${text.replaceAll('"', '\\"')}"`),
      },
    },
  ),
  ...table(
    fault,
    { breaks: [oneTable], mayBreak: rowClauses },
    {
      'export-csv-does-not-quote-line-breaks': {
        csvCell: (delimiter) => quotedWhere(new RegExp(`[${delimiter}"]`)),
      },
      'export-csv-does-not-quote-its-delimiter': { csvCell: () => quotedWhere(/["\r\n]/) },
    },
  ),
  fault(
    'export-csv-does-not-double-quotes-beside-a-workflow-step',
    { breaks: [oneTable], mayBreak: rowClauses },
    (handle) => async (request) => {
      const response = await handle(request);
      const isMeant = /workflow_step/.test(request.target) && !/=pdf/.test(request.target);
      if (response.status !== 200 || !isMeant) return response;
      const text = new TextDecoder().decode(await bytesOf(response));
      return { ...response, body: text.replaceAll('""', '"') };
    },
  ),
  fault(
    'export-csv-does-not-quote-what-begins-with-a-quoted-word',
    {
      breaks: [oneTable],
      // No event of the past does, as on most services: a comment of the run's own shows it.
      mayBreak: [toTheLetter, ...rowClauses],
    },
    {
      csvCell: (delimiter) => {
        const inQuotes = quotedWhere(needsQuotes(delimiter));
        const asItIs = new RegExp(`^"[^"]*" [^${delimiter}\\r\\n]*$`);
        return (text) => (asItIs.test(text) ? text : inQuotes(text));
      },
    },
  ),
  fault(
    'export-csv-quotes-only-what-holds-its-delimiter',
    { breaks: [oneTable], mayBreak: rowClauses },
    { csvCell: (delimiter) => quotedWhere(new RegExp(`[${delimiter}]`)) },
  ),
  fault(
    'export-csv-leaves-a-quote-open',
    { breaks: [oneTable], mayBreak: [toTheLetter, ...rowClauses] },
    {
      csvCell: (delimiter) => {
        const written = quotedWhere(needsQuotes(delimiter));
        return (text) => (text.includes('\n') ? written(text).slice(0, -1) : written(text));
      },
    },
  ),
  ...table(fault, [toTheLetter], {
    'export-csv-cuts-comments-at-thirty-characters': withComments((comment) =>
      comment.slice(0, 30),
    ),
    'export-csv-writes-line-breaks-as-spaces': withComments((comment) =>
      comment.replace(/\s*[\r\n]+\s*/g, ' '),
    ),
    'export-csv-writes-other-scripts-as-question-marks': withComments((comment) =>
      comment.replace(/[^\0-\xff]/g, '?'),
    ),
    'export-csv-writes-double-quotes-as-single-ones': withComments((comment) =>
      comment.replaceAll('"', "'"),
    ),
    'export-csv-drops-commas-from-comments': withComments((comment) => comment.replaceAll(',', '')),
  }),
  fault(
    'export-csv-has-no-comments',
    ['audit.records-assignment-comments', 'audit.records-unassignment-comments'],
    { csvColumns: () => withoutComments },
  ),
];

/** CSV exports that lose or double rows, or do not read back as what was written (4. Export audit events). */
export const exportCsvFaults: readonly Fault[] = [...rows, ...cells];
