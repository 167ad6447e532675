import { sum, without } from '../../helpers/csv/multiset.ts';
import { datesOf } from '../../helpers/exports/columns.ts';
import { type CsvDownload, type PdfDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge, KnownEvents } from '../../helpers/exports/learn.ts';
import { type ExportQuery, type FilterSet, isListFilter } from '../../helpers/exports/query.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { NoResponse } from '../../helpers/http/no-response.ts';
import { Inconclusive, NotConfigured, NotJudged, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { pdfEventLimit } from '../../schemas/operations.ts';
import { unlikeStatus } from '../expectations.ts';
import { narrowedPdf } from './answers.ts';
import { type ExactRange, rangeBySearch, rangeByTimes } from './exact-ranges.ts';
import { asBothFiles, type BothFiles, expectOpens, expectSameEventsInPdf } from './pdf-events.ts';
import { events, expectEvents, noValues } from './relations.ts';

interface AtTheLimit {
  readonly knowledge: Knowledge;
  readonly allowed: BothFiles | undefined;
  readonly over: { readonly csv: CsvDownload; readonly pdf: PdfDownload } | undefined;
  /** Far over the limit: some services count, some run out of memory. */
  readonly farOver: readonly FarOver[];
  /** Of the whole window, narrowed by a list, and by metadata. */
  readonly narrowed: readonly PdfDownload[];
  readonly total: number;
}

/** A PDF of at least as many events as the window holds; undefined where no response came. */
interface FarOver {
  readonly what: string;
  readonly answer: Answer | undefined;
}

async function pdfsFarOver(
  exports: Exports,
  { window: { start, end }, base }: KnownEvents,
): Promise<FarOver[]> {
  const ask = async (what: string, query: ExportQuery): Promise<FarOver> => ({
    what,
    answer: await unlessNoResponse(exports.file({ ...query, fileType: 'pdf' })),
  });
  return await Promise.all([
    ask('a PDF of the whole window', { start, end, ...base.utc }),
    ask('a PDF of all events', { timezone: 'Asia/Kathmandu' }),
  ]);
}

const pdfLimit = scenario({
  name: 'a PDF of 5,000 events is exported, one of 5,001 is refused',
  async act({ exports }): Promise<AtTheLimit> {
    // The largest files there are do not wait until filters are known.
    const known = await exports.events();
    const total = known.base.table.count;
    const isEnough = total > pdfEventLimit;
    const [knowledge, allowed, over, farOver, narrowed] = await Promise.all([
      exports.knowledge(),
      isEnough ? filesOf(pdfEventLimit, exports, known) : undefined,
      isEnough ? filesOf(pdfEventLimit + 1, exports, known) : undefined,
      isEnough ? pdfsFarOver(exports, known) : [],
      isEnough ? narrowedPdfs(exports) : [],
    ]);
    return { knowledge, allowed, over, farOver, narrowed, total };
  },
  judges: {
    'limits.pdf-of-5000-events-is-allowed': ({ allowed, total }) => {
      const { csv, pdf } = found(allowed, total);
      requireCount(csv, pdfEventLimit);
      if (pdf.answer.status === 200) return;
      throw unlikeStatus('a PDF of exactly 5,000 events', '200', pdf.answer, { on: [csv.answer] });
    },
    'limits.pdf-over-5000-events-is-400': ({ over, farOver, total, knowledge }) => {
      for (const { what, answer } of farOver) {
        if (answer === undefined || answer.status === 400) continue;
        const on = [knowledge.base.download.answer];
        throw unlikeStatus(what, '400', answer, { on });
      }
      const { csv, pdf } = found(over, total);
      requireCount(csv, pdfEventLimit + 1);
      if (pdf.answer.status !== 400) {
        throw unlikeStatus('a PDF of 5,001 events', '400', pdf.answer, { on: [csv.answer] });
      }
      const [silent] = farOver.filter(({ answer }) => answer === undefined);
      if (silent !== undefined) throw new Inconclusive(`No response came to ${silent.what}.`);
    },
    'limits.pdf-limit-counts-what-filters-leave': ({ knowledge, narrowed, total }) => {
      if (total <= pdfEventLimit) throw tooFewEvents(total);
      if (narrowed.length === 0) {
        const what = 'a value of any filter that keeps fewer than 5,000 events';
        throw noValues(what, knowledge);
      }
      for (const { answer } of narrowed) {
        if (answer.status === 200) continue;
        throw unlikeStatus(narrowedPdf, '200', answer);
      }
    },
    'export.pdf-opens': ({ allowed, total }) => expectOpens(found(allowed, total).pdf),
    'export.pdf-holds-the-events-of-the-csv': ({ knowledge, allowed, total }) =>
      expectSameEventsInPdf(found(allowed, total), knowledge),
    'export.refusal-carries-no-events': ({ over, total }) => {
      const { pdf } = found(over, total);
      if (pdf.answer.status !== 400)
        throw new Inconclusive(
          'The PDF over the limit was not refused: that is limits.pdf-over-5000-events-is-400.',
          [pdf.answer],
        );
      if (!pdf.answer.text.startsWith('%PDF-')) return;
      throw new Violation({ kind: 'other', wrong: 'refuses with a PDF', status: 400 }, [
        pdf.answer,
      ]);
    },
  },
});

async function narrowedPdfs(exports: Exports): Promise<PdfDownload[]> {
  const narrow = narrowFilters(await exports.knowledge());
  return await Promise.all(narrow.map((filters) => exports.pdfWithin({ filters })));
}

/** undefined where the file is too large to be read, or takes too long: what else is seen is judged. */
async function unlessNoResponse(file: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await file;
  } catch (error) {
    if (error instanceof NoResponse) return undefined;
    throw error;
  }
}

const maxTries = 3;

/**
 * Downloads a range that is to hold exactly `count` events, as CSV and as PDF. Where events came or went meanwhile, it looks
 * for another range: by the column of times, the last time by counting.
 *
 * @returns the last files, whose count may still be another one (`requireCount`); undefined where no range was found
 */
async function filesOf(
  count: number,
  exports: Exports,
  { window, base, columns: { times } }: KnownEvents,
): Promise<BothFiles | undefined> {
  let files: BothFiles | undefined;
  let { table } = base;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const instants = times && datesOf(table, times)?.instants;
    const isLast = tries === maxTries - 1;
    const range: ExactRange | undefined =
      (!isLast && times && instants && rangeByTimes(count, { ...times, instants }, window)) ||
      (await rangeBySearch(count, exports, window, table.count));
    if (range === undefined) return files;
    files = await asBothFiles(exports, range);
    if (files.csv.table?.count === count) return files;
    const now = await exports.anew({ start: window.start, end: window.end });
    table = now.table ?? table;
  }
  return files;
}

/** A value of a list and one of a metadata key, each of which keeps few events. */
function narrowFilters({ filters: { known } }: Knowledge): FilterSet[] {
  const narrow = [...known]
    .flatMap(([filter, { values }]) =>
      values.map(({ value, events: { size } }) => ({ filter, value, size })),
    )
    .filter(({ size }) => size < 1000)
    .sort((a, b) => a.size - b.size);
  const chosen = [
    narrow.find(({ filter }) => isListFilter(filter)),
    narrow.find(({ filter }) => !isListFilter(filter)),
  ];
  return chosen.flatMap((one) => (one === undefined ? [] : [{ [one.filter]: [one.value] }]));
}

function found(files: BothFiles | undefined, total: number): BothFiles {
  if (files !== undefined) return files;
  if (total <= pdfEventLimit) throw tooFewEvents(total);
  throw new NotJudged(
    'No range of exactly so many events was found: too many share their instants.',
  );
}

/** The events are counted in the CSV of the same query. @throws Inconclusive where it holds more or fewer, or is no table */
function requireCount(csv: CsvDownload, count: number): void {
  const { count: actual, problems } = tableOf(csv);
  if (problems.length > 0) {
    throw new Inconclusive(
      'The events of a CSV that does not read as one table cannot be counted: that is export.csv-is-one-table.',
      [csv.answer],
    );
  }
  if (actual === count) return;
  throw new Inconclusive(`The range that should hold ${count} events holds ${actual}.`, [
    csv.answer,
  ]);
}

interface Unlimited {
  readonly knowledge: Knowledge;
  /** The window in two. */
  readonly halves: readonly [CsvDownload, CsvDownload] | undefined;
  /** What both of them hold; asked for where together they hold more than the window. */
  readonly inBoth: CsvDownload | undefined;
  /** What a larger window that was refused holds besides. */
  readonly beyond: CsvDownload | undefined;
}

const unlimitedCsv = scenario({
  name: 'a CSV holds more than 5,000 events',
  async act({ exports }): Promise<Unlimited> {
    const knowledge = await exports.knowledge();
    const { window } = knowledge;
    const { count } = knowledge.base.table;
    const { refused } = window;
    const beyond =
      refused && (await exports.anytime({ start: refused.window.start, end: window.start - 1 }));
    if (count < pdfEventLimit) return { knowledge, halves: undefined, inBoth: undefined, beyond };
    const at = window.middle;
    const halves = await Promise.all([exports.within({ end: at }), exports.within({ start: at })]);
    const isMore = halves.reduce((sum, { table }) => sum + (table?.count ?? 0), 0) > count;
    const inBoth = isMore ? await exports.within({ start: at, end: at }) : undefined;
    return { knowledge, halves, inBoth, beyond };
  },
  judges: {
    'export.csv-has-no-limit-of-5000': ({ knowledge, halves, inBoth, beyond }) => {
      const { refused } = knowledge.window;
      const { download } = knowledge.base;
      const { count } = knowledge.base.table;
      if (refused !== undefined && count <= pdfEventLimit) {
        expectLimitElsewhere(count + (beyond?.table?.count ?? 0), refused.download.answer);
      }
      if (halves === undefined) throw tooFewEvents(count);
      const { columns } = knowledge;
      const [early, late] = halves;
      const both = sum(events(early, columns), events(late, columns));
      // Not the number alone: what is repeated or lost once a page can be as much in the halves.
      const together = inBoth === undefined ? both : without(both, events(inBoth, columns));
      const what = 'a CSV of more than 5,000 events, compared with its halves';
      expectEvents(what, together, download, columns, { on: [early.answer, late.answer] });
      if (count <= pdfEventLimit) throw tooFewEvents(count);
    },
  },
});

/**
 * How large a CSV may be is open; that it ends where a PDF does is not.
 *
 * @param count of the events in the smallest window that was refused
 * @throws Violation where a little more than a PDF may hold is refused, and no more was exported at once
 */
function expectLimitElsewhere(count: number, answer: Answer): void {
  if (count <= pdfEventLimit || count > pdfEventLimit * 1.1) return;
  throw unlikeStatus(`a CSV of ${count} events`, '200', answer);
}

/** For clauses about the limit, where the window holds too few events to try it. */
function tooFewEvents(count: number): NotConfigured {
  return new NotConfigured(
    'EXPORT_RANGE_START',
    `a window with more than 5,000 events (${count} were found)`,
  );
}

export const pdfLimitScenarios = [pdfLimit];
export const csvSizeScenarios = [unlimitedCsv];
