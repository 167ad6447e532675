import { isDeepStrictEqual } from 'node:util';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { datesIn, type KnownTimes } from '../../helpers/exports/columns.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { filterName } from '../../helpers/exports/query.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import type { Seen } from '../../runner/scenario.ts';
import { nameOf } from '../shapes.ts';

/** The content type of a file with its parameters, spaces and case made alike; nothing where it was refused. */
export function contentType(answer: Answer): Seen[] {
  if (answer.status !== 200) return [];
  const parts = answer.header('content-type')?.toLowerCase().split(';') ?? [];
  const [type, ...parameters] = parts.map((part) => part.trim());
  return [type === undefined ? 'none' : [type, ...parameters.sort()].join('; ')];
}

/** How the file is named, with what changes from run to run left out: digits and ids. */
export function fileName(fileType: 'csv' | 'pdf', answer: Answer): Seen[] {
  if (answer.status !== 200) return [];
  const disposition = answer.header('content-disposition') ?? 'none';
  const name = disposition.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, '<id>');
  return [`${fileType}: ${name.replace(/(?<!utf-)\d+/gi, '<n>')}`];
}

/** The headings in their order, or how many columns there are. */
export function csvColumns({ headings, columns }: CsvTable): Seen[] {
  return [headings === null ? `no headings, ${columns} columns` : headings.map(nameOf)];
}

/** Delimiter, byte order mark, line ends, quoting, headings. */
export function csvForm(table: CsvTable): Seen[] {
  const { delimiter, bom, lineEnd, quoting, headings, titleLines, endsLastLine } = table;
  return [
    `delimiter ${JSON.stringify(delimiter)}`,
    `line end ${JSON.stringify(lineEnd)}, ${endsLastLine ? 'also' : 'not'} after the last line`,
    bom ? 'byte order mark' : 'no byte order mark',
    `quotes ${quoting === 'all' ? 'around every cell' : 'where needed'}`,
    headings === null ? 'no headings' : 'headings',
    `${titleLines.length} title lines`,
  ];
}

const maxStyles = 10;

/** How the column of times is written: one or two digits as 9, more as so many, letters as a. */
export function dateStyle(table: CsvTable, times: KnownTimes | undefined): Seen[] {
  if (table.count === 0) return [];
  if (times === undefined) return ['not readable'];
  const style = datesIn(table, times.column)[0]?.style;
  const written = table.rows.map((row) =>
    (row[times.column] ?? '')
      .replace(/\d+/g, ({ length }) => '9'.repeat(length === 2 ? 1 : length))
      .replace(/\p{L}[\p{L}\p{M}]*/gu, 'a'),
  );
  return [...new Set(written)]
    .sort()
    .slice(0, maxStyles)
    .map((one) => `${style}: ${one}`);
}

/** In which order the events stand, by time, and whether they do each time. */
export function orderOf(knowledge: Knowledge): Seen[] {
  if (knowledge.base.table.count < 2) return [];
  return [
    orderByTime(knowledge.columns.times),
    isSameOrder(knowledge) ? 'the same again' : 'another again',
  ];
}

function orderByTime(times: KnownTimes | undefined): string {
  if (times === undefined) return 'not known by time';
  const { instants } = times;
  const rises = instants.every((at, index) => index === 0 || (instants[index - 1] ?? 0) <= at);
  const falls = instants.every((at, index) => index === 0 || (instants[index - 1] ?? 0) >= at);
  return rises ? 'oldest first' : falls ? 'newest first' : 'neither oldest nor newest first';
}

/** By the first column that tells events apart; what belongs to the export itself does not. */
function isSameOrder({ base: { table, again }, columns: { ignored } }: Knowledge): boolean {
  const [first] = table.rows;
  const distinctive = first?.findIndex(
    (cell, column) => !ignored.has(column) && table.rows.some((row) => row[column] !== cell),
  );
  const order = (one: CsvTable | undefined) => one?.rows.map((row) => row[distinctive ?? 0]);
  return distinctive === -1 || isDeepStrictEqual(order(table), order(again.table));
}

/** What rows were found to show of their events: when, and the value of which filter. */
export function eventFields({ columns: { times }, filters, base }: Knowledge): Seen[] {
  if (base.table.count === 0) return [];
  const readable = [...filters.known].filter(([, { read }]) => read !== undefined);
  const shown = [
    ...(times === undefined ? [] : ['when it happened']),
    ...readable.map(([filter]) => filterName(filter)),
  ];
  return shown.length === 0 ? ['none that is a filter'] : shown;
}

const maxValues = 40;

/** By what audit events are classified (Events). */
export const classification = ['event_type', 'sub_type', 'system_source'] as const;

/** Types, subtypes and sources that occur in the window. */
export function classificationValues({ filters, base }: Knowledge): Seen[] {
  return classification.flatMap((filter) => {
    const read = filters.known.get(filter)?.read;
    if (read === undefined) return [];
    const values = new Set(base.table.rows.map((row) => nameOf(read(row) ?? '')));
    return [...values]
      .sort()
      .slice(0, maxValues)
      .map((value) => `${filter}: ${value}`);
  });
}
