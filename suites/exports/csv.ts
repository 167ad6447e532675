import { isDeepStrictEqual } from 'node:util';
import { nonCsvType } from '../../helpers/csv/csv-form.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { dateCell, datesIn, type KnownTimes } from '../../helpers/exports/columns.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import { bracketStyles } from '../../helpers/exports/encoding.ts';
import type { KnownPlace } from '../../helpers/exports/filter-search.ts';
import type { KnownFilters } from '../../helpers/exports/filters.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery, Filter } from '../../helpers/exports/query.ts';
import { dawn, longAgo, mayBeTooLarge } from '../../helpers/exports/window.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { NoResponse } from '../../helpers/http/no-response.ts';
import { Inconclusive, NothingSeen, NotJudged, other, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import type { Observation } from '../../schemas/observations.ts';
import { expectNoPdf, judgesBy, ofExport, ofRequests } from '../answers.ts';
import { unlikeStatus } from '../expectations.ts';
import { headerNames, publicName } from '../shapes.ts';
import { namedLists } from './filter-levels.ts';
import { events, expectEvents, expectServed, judgeTables, noEvents } from './relations.ts';

/** How many events of a file are read: enough to see whether it is a CSV. */
const fewEvents = 200;

type Plain = Readonly<Record<'plain', CsvDownload> & { doubts: Doubts | undefined }>;

/**
 * Further exports, which tell why one without parameters is no CSV: `small` holds no events, `whole` all there are, by both
 * bounds.
 */
type Doubts = Readonly<Record<'small' | 'smallCsv' | 'whole' | 'csv', CsvDownload>>;

const noParameters = scenario({
  name: 'an export without any parameter',
  async act({ exports, now }): Promise<Plain> {
    const ask = (query: ExportQuery) => exports.csv(query, { max: fewEvents });
    const plain = await ask({});
    const { status, text } = plain.answer;
    if (status === 200 && nonCsvType(text) === undefined) return { plain, doubts: undefined };
    const [small, smallCsv, whole, csv] = await Promise.all([
      ask(longAgo),
      ask({ ...longAgo, fileType: 'csv' }),
      ask({ start: dawn, end: now() }),
      ask({ fileType: 'csv' }),
    ]);
    return { plain, doubts: { small, smallCsv, whole, csv } };
  },
  judges: {
    ...judgesBy({ ...ofRequests, ...ofExport }, ({ plain, doubts }: Plain) =>
      isTooLarge(doubts) ? [] : [plain.answer],
    ),
    'export.parameters-are-optional': ({ plain: { answer }, doubts }) => {
      if (answer.status === 401) throw new Inconclusive('The key was not accepted.', [answer]);
      if (isTooLarge(doubts)) throw tooLarge();
      // That the status is 200, and no other success, has a clause of its own.
      if (answer.succeeded) return;
      throw unlikeStatus('an export without any parameter', '200', answer);
    },
    'export.file-type-defaults-to-csv': ({ plain: { answer }, doubts }) => {
      if (isTooLarge(doubts)) throw tooLarge();
      const isNeeded = doubts?.small.answer.status === 400 && doubts.smallCsv.answer.status === 200;
      if (!answer.succeeded && !isNeeded) {
        throw new Inconclusive(`The export gave ${answer.status}.`, [answer]);
      }
      const kind = isNeeded ? `${answer.status}` : nonCsvType(answer.text);
      if (kind === undefined) return;
      throw new Violation(other('is no CSV by default', { actual: kind }), [answer]);
    },
    'export.csv-is-one-table': ({ plain, doubts }) => {
      if (isTooLarge(doubts)) throw tooLarge();
      const { answer } = doubts?.csv ?? plain;
      if (answer.status !== 200)
        throw new Inconclusive(`The export gave ${answer.status}.`, [answer]);
      const kind = nonCsvType(answer.text);
      if (kind === undefined) return;
      throw new Violation(other('is not one table', { actual: kind }), [answer]);
    },
  },
  observes: {
    'export.csv-content-type': ({ plain: { answer } }) => contentType(answer),
    'limits.rate': ({ plain: { answer } }) => {
      const names = answer.headers.map(([name]) => name.toLowerCase());
      const aboutRate = names.filter((name) => /rate-?limit/.test(name));
      return aboutRate.length === 0 ? [{ header: null }] : aboutRate.map((header) => ({ header }));
    },
  },
});

/** Whether all events are refused by both bounds too, and a small range is not: how large a CSV may be is open. */
function isTooLarge(doubts: Doubts | undefined): boolean {
  if (doubts === undefined) return false;
  return mayBeTooLarge(doubts.whole.answer) && doubts.small.answer.status === 200;
}

function tooLarge(): NotJudged {
  return new NotJudged('All events together are more than the target exports in one file.');
}

const plainRange = scenario({
  name: 'a range that holds no events is exported',
  async act({ exports }) {
    const inUtc = await exports.csv({ ...longAgo, timezone: 'UTC' });
    if (inUtc.answer.status === 200) return { range: inUtc, short: undefined };
    // The same range without fractional digits in its bounds.
    const bound = new Date(longAgo.start).toISOString().replace('.000', '');
    const [range, short] = await Promise.all([
      exports.csv(longAgo),
      exports.csv({ start: bound, end: bound }),
    ]);
    return { range, short };
  },
  judges: {
    'export.range-bounds-are-instants': ({ range, short }) => {
      if (short?.answer.status !== 200 || range.answer.status === 200) {
        throw new NothingSeen();
      }
      throw unlikeStatus('a bound with fractional digits', '200', range.answer, {
        on: [short.answer],
      });
    },
    ...judgesBy(ofExport, ({ range }: { range: CsvDownload }) => [range.answer]),
  },
  observes: {
    'export.csv-form': ({ range: { table } }) =>
      table === undefined ? [] : [{ emptyWithoutEvents: table.bytes === 0 }],
  },
});

const twice = scenario({
  name: 'a closed window of the past is exported twice, and with file_type=csv',
  async act({ exports }) {
    const knowledge = await exports.knowledge();
    // The whole window, because a limit that only one of the two forms has shows among many events.
    const { fileType, ...rest } = knowledge.base.utc;
    const [csv, byDefault] = await Promise.all([
      exports.within({ fileType: 'csv' }),
      // Where learning sent no file_type, `base` is such an export already.
      fileType === undefined ? undefined : exports.csv({ ...rest, ...knowledge.window.sample }),
    ]);
    return { ...knowledge, csv, byDefault };
  },
  judges: {
    'export.is-repeatable': ({ base: { table, download, again }, columns }) => {
      if (table.rows.length === 0) throw noEvents();
      const expected = events(download, columns);
      const what = 'the same export, asked for twice';
      expectEvents(what, expected, again, columns, { on: [download.answer] });
    },
    'export.file-type-defaults-to-csv': ({ base, columns, csv, byDefault }) => {
      if (byDefault !== undefined) {
        expectNoPdf(byDefault.answer);
        expectServed('no file_type, where csv is served', byDefault);
        const why = 'Without file_type there is no CSV to compare with.';
        throw new Inconclusive(why, [byDefault.answer]);
      }
      const { download: without } = base;
      expectServed('an export with file_type=csv, the default', csv);
      const on = [without.answer];
      expectEvents('file_type=csv', events(without, columns), csv, columns, { on });
    },
    'export.csv-is-one-table': ({
      base: { download, again, table },
      csv,
      filters: { unclear },
    }) => {
      judgeTables([download, again, csv]);
      // Below title lines, a few events may not be recognized as a table.
      if (unclear && table.titleLines.length === 0) judgeTables([unclear]);
    },
    ...judgesBy(
      ofExport,
      ({ base: { download, again }, csv }: Knowledge & { csv: CsvDownload }) => [
        download.answer,
        again.answer,
        csv.answer,
      ],
    ),
  },
  observes: {
    'export.csv-columns': ({ base }) => csvColumns(base.table),
    'export.csv-form': ({ base }) => csvForm(base.table),
    'export.date-style': ({ base, columns }) => dateStyle(base.table, columns.dates),
    'export.order-of-events': orderOf,
    'export.file-name': ({ base }) => fileName('csv', base.download.answer),
    'export.array-encoding': ({ encoding: { forOneValue, forTwoValues } }) =>
      forTwoValues.length > 0
        ? forTwoValues.map((one) => ({ encoding: one, values: 'several' as const }))
        : forOneValue.map((one) => ({ encoding: one, values: 'one' as const })),
    'export.brackets-of-metadata': ({ encoding: { brackets } }) =>
      brackets.length === 0
        ? []
        : bracketStyles.map((style) => ({ brackets: style, honoured: brackets.includes(style) })),
    'audit.event-fields': eventFields,
    'audit.classification-values': classificationValues,
    'interface.answer-headers': ({ base: { download } }) =>
      download.answer.status === 200 ? headerNames('csv', [download.answer]) : [],
  },
});

const arrivesWhole = scenario({
  name: 'an exported file arrives whole',
  async act({ exports }) {
    const { sample } = (await exports.knowledge()).window;
    // The downloads that other scenarios ask for too. A file that breaks off is what this scenario looks for.
    return await Promise.all([
      exports.within({ fileType: 'csv' }).then(({ answer }) => answer, brokenOff),
      exports.pdfWithin(sample).then(({ answer }) => answer, brokenOff),
    ]);
  },
  judges: {
    'export.content-length-is-true': (files) => {
      for (const file of files) {
        const { response, failure } = file.exchange;
        const sent = response?.headers.find(
          ([name]) => name.toLowerCase() === 'content-length',
        )?.[1];
        if (response?.status !== 200 || sent === undefined) continue;
        if (Number(sent) === response.size && failure === undefined) continue;
        throw new Violation(
          other('sends another Content-Length', {
            expected: sent,
            actual: `${response.size}${failure === undefined ? '' : `, then ${failure.why}`}`,
          }),
          file instanceof NoResponse ? [] : [file],
        );
      }
      if (files.some((file) => file instanceof NoResponse)) {
        throw new Inconclusive('A file broke off before its end.');
      }
    },
  },
});

/** The failure, where a file broke off after status 200. @throws any other error as it is */
function brokenOff(error: unknown): NoResponse {
  if (error instanceof NoResponse && error.exchange.response?.status === 200) return error;
  throw error;
}

/** The content type in lower case, with sorted parameters: “text/csv; charset=utf-8”. Empty where it was refused. */
export function contentType(answer: Answer): (string | null)[] {
  if (answer.status !== 200) return [];
  const parts = answer.header('content-type')?.toLowerCase().split(';') ?? [];
  const [type, ...parameters] = parts.map((part) => part.trim());
  return [type === undefined ? null : [type, ...parameters.sort()].join('; ')];
}

/** The Content-Disposition of a file; what changes from run to run stands as <n> (digits) and <id>. */
export function fileName(of: 'csv' | 'pdf', answer: Answer): Observation<'export.file-name'>[] {
  if (answer.status !== 200) return [];
  const disposition = answer.header('content-disposition')?.replace(uuids, '<id>');
  const contentDisposition = disposition?.replace(/(?<!utf-)\d+/gi, '<n>') ?? null;
  return [{ of, contentDisposition }];
}

const uuids = /[0-9a-f]{8}-[0-9a-f-]{27}/gi;

/** The headings in their order; in a CSV without headings, how many columns there are. */
function csvColumns(table: CsvTable): Observation<'export.csv-columns'>[] {
  const { headings, columns: columnsWithoutHeadings } = table;
  return [headings === null ? { columnsWithoutHeadings } : { headings: headings.map(publicName) }];
}

/** Delimiter, encoding, line ends, quoting, headings, and what stands around the table. */
function csvForm(table: CsvTable): Observation<'export.csv-form'>[] {
  const { delimiter, bom, lineEnd, quoting, headings, titleLines, endsLastLine } = table;
  const { footerLines, separatorLine, encoding } = table;
  return [
    ...(delimiter === null ? [] : [{ delimiter }]),
    { lineEnd },
    { endsLastLine },
    { byteOrderMark: bom },
    { quotes: quoting === 'all' ? 'around every cell' : 'where needed' },
    { headings: headings !== null },
    { titleLines: titleLines.length },
    { footerLines: footerLines.length },
    { separatorLine },
    { encoding },
  ];
}

const maxPatterns = 10;

/** How the column of times is written, as patterns: “3 May 2026” and “12 June 2026” are both “9 a 9999”. */
function dateStyle(
  table: CsvTable,
  times: KnownTimes | undefined,
): Observation<'export.date-style'>[] {
  if (table.rows.length === 0) return [];
  const order = times && datesIn(table, times.columns)[0]?.style;
  if (times === undefined || order === undefined) return ['not readable'];
  const patterns = table.rows.map((row) =>
    dateCell(row, times.columns)
      .replace(/\d+/g, ({ length }) => '9'.repeat(length === 2 ? 1 : length))
      .replace(/\p{L}[\p{L}\p{M}]*/gu, 'a'),
  );
  return [...new Set(patterns)]
    .sort()
    .slice(0, maxPatterns)
    .map((pattern) => ({ order, pattern }));
}

/** Whether rows are sorted by time, and whether a second export of the window has them in the same order. */
function orderOf(knowledge: Knowledge): Observation<'export.order-of-events'>[] {
  if (knowledge.base.table.rows.length < 2) return [];
  return [
    { byTime: orderByTime(knowledge.columns.times) },
    { again: isSameOrder(knowledge) ? 'the same' : 'another' },
  ];
}

function orderByTime(times: KnownTimes | undefined) {
  if (times === undefined) return 'not known';
  const { instants } = times;
  const rises = instants.every((at, index) => index === 0 || (instants[index - 1] ?? 0) <= at);
  const falls = instants.every((at, index) => index === 0 || (instants[index - 1] ?? 0) >= at);
  return rises ? 'oldest first' : falls ? 'newest first' : 'neither';
}

/** Whether both exports of the window have the same order, seen in the first column in which events differ. */
function isSameOrder({ base: { table, again }, columns: { ignored } }: Knowledge): boolean {
  const [first] = table.rows;
  const distinctive = first?.findIndex(
    (cell, column) => !ignored.has(column) && table.rows.some((row) => row[column] !== cell),
  );
  const order = (csv: CsvTable | undefined) => csv?.rows.map((row) => row[distinctive ?? 0]);
  return distinctive === -1 || isDeepStrictEqual(order(table), order(again.table));
}

/** What rows show of their events: `time`, and each filter whose values are shown; [null] where nothing is known. */
function eventFields({ columns, filters, base }: Knowledge): Observation<'audit.event-fields'>[] {
  if (base.table.rows.length === 0) return [];
  const shown = [...filters.known.keys()].filter((filter) => readerOf(filter, filters));
  if (columns.times !== undefined) return ['time', ...shown];
  return shown.length === 0 ? [null] : shown;
}

/** Reads the value of a filter from a row; undefined where no place shows it, or only as part of a text. */
export function readerOf(filter: Filter, { known }: KnownFilters): KnownPlace['read'] | undefined {
  const shown = known.get(filter)?.shown;
  return shown?.kind === 'text' ? undefined : shown?.read;
}

const maxValues = 40;

/** The types, subtypes and sources that rows of the window show, sorted; none of a filter that no place shows. */
function classificationValues({
  filters,
  base,
}: Knowledge): Observation<'audit.classification-values'>[] {
  return namedLists.flatMap((filter) => {
    const read = readerOf(filter, filters);
    if (read === undefined) return [];
    const values = new Set(base.table.rows.map((row) => publicName(read(row) ?? '')));
    return [...values]
      .sort()
      .slice(0, maxValues)
      .map((value) => ({ of: 'any event' as const, filter, value }));
  });
}

export const csvScenarios = [noParameters, plainRange, twice, arrivesWhole];
