import type { CsvTable } from '../../helpers/csv/csv-table.ts';
import { readDateColumn } from '../../helpers/dates/date-column.ts';
import type { KnownTimes } from '../../helpers/exports/knowledge.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import type { Observation } from '../../runner/scenario.ts';

/** The media type of a file, without its parameters. */
export function mediaType(answer: Answer): string {
  return answer.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? 'none';
}

/** How the file is named, with digits and ids left out: they change from run to run. */
export function fileName(answer: Answer): string {
  const disposition = answer.header('content-disposition');
  if (disposition === undefined) return 'none';
  return disposition.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, '<id>').replace(/\d+/g, '<n>');
}

/** Delimiter, byte order mark, line ends, quoting, headings. */
export function csvForm(table: CsvTable): Observation {
  const { delimiter, bom, lineEnd, quoting, headings, titleLines } = table;
  return [
    `delimiter ${JSON.stringify(delimiter)}`,
    `line end ${JSON.stringify(lineEnd)}`,
    bom ? 'byte order mark' : 'no byte order mark',
    `quoting ${quoting}`,
    headings === null ? 'no headings' : 'headings',
    `${titleLines.length} title lines`,
  ];
}

/** How the column of times is written: digits as 9, letters as a. */
export function dateStyle(table: CsvTable, times: KnownTimes | undefined): string | undefined {
  if (times === undefined) return 'not readable';
  const values = table.rows.map((row) => row[times.column] ?? '');
  const style = readDateColumn(values)?.candidates[0]?.style;
  const written = values[0]?.replace(/\d/g, '9').replace(/\p{L}+/gu, 'a');
  return written === undefined ? undefined : `${style}: ${written}`;
}

/** In which order the events stand, by time. */
export function orderOf(times: KnownTimes | undefined): string | undefined {
  if (times === undefined) return undefined;
  const { instants } = times;
  const rises = instants.every((at, index) => index === 0 || (instants[index - 1] ?? 0) <= at);
  const falls = instants.every((at, index) => index === 0 || (instants[index - 1] ?? 0) >= at);
  return rises ? 'oldest first' : falls ? 'newest first' : 'neither oldest nor newest first';
}
