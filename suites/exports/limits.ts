import { datesOf } from '../../helpers/exports/columns.ts';
import { type CsvDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge, KnownEvents } from '../../helpers/exports/learn.ts';
import { type ExportQuery, isListFilter } from '../../helpers/exports/query.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { NoResponse } from '../../helpers/http/no-response.ts';
import { CannotUphold, Inconclusive, NotConfigured, NotJudged } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { pdfEventLimit } from '../../schemas/operations.ts';
import { narrowedPdf } from '../answers.ts';
import { unlikeStatus } from '../expectations.ts';
import { rangeBySearch, rangeByTimes } from './exact-ranges.ts';
import { expectNoFile } from './odd-requests.ts';
import { asBothFiles, type BothFiles, expectOpens, expectSameEventsInPdf } from './pdf-events.ts';
import { askRanges, judgeRanges, type RangeRow, type RangeTable } from './range-rows.ts';
import { noValues } from './relations.ts';

const allowedClause = 'limits.pdf-of-5000-events-is-allowed';
const refusedClause = 'limits.pdf-over-5000-events-is-400';
const countingClause = 'limits.pdf-limit-counts-what-filters-leave';

/** A PDF about the limit, what it must be answered with, and the clause that says so. */
interface LimitedPdf {
  readonly what: string;
  readonly clause: typeof allowedClause | typeof refusedClause | typeof countingClause;
  readonly expected: '200' | '400';
  /** undefined where no response came, or no range of `count` events was found. */
  readonly answer: Answer | undefined;
  /** How many events the PDF is to hold, where they are counted in the CSV of the same query. */
  readonly count?: number;
  readonly files?: BothFiles | undefined;
  readonly on: readonly Answer[];
}

interface AtTheLimit {
  readonly knowledge: Knowledge;
  readonly pdfs: readonly LimitedPdf[];
  readonly total: number;
}

const pdfLimit = scenario({
  name: 'a PDF of 5,000 events is exported, one of 5,001 is refused',
  async act({ exports }): Promise<AtTheLimit> {
    // The largest files are asked for first: they need no filters, and take the longest.
    const known = await exports.events();
    const total = known.base.table.count;
    if (total <= pdfEventLimit) return { knowledge: await exports.knowledge(), pdfs: [], total };
    const { window, base } = known;
    const clause = refusedClause;
    // PDFs of all events besides: some services count events, and some only run out of memory.
    const farOver = async (what: string, query: ExportQuery): Promise<LimitedPdf> => {
      const answer = await unlessNoResponse(exports.file({ ...query, fileType: 'pdf' }));
      return { what, clause, expected: '400', answer, on: [base.download.answer] };
    };
    const exact = async (pdf: Pick<LimitedPdf, 'what' | 'clause' | 'expected'>, count: number) => {
      const files = await filesWith(count, exports, known);
      const on = files ? [files.csv.answer] : [];
      return { ...pdf, answer: files?.pdf.answer, count, files, on };
    };
    const { start, end } = window;
    const atIt = {
      what: 'a PDF of exactly 5,000 events',
      clause: allowedClause,
      expected: '200',
    } as const;
    const overIt = { what: 'a PDF of 5,001 events', clause, expected: '400' } as const;
    const [knowledge, narrowed, ...pdfs] = await Promise.all([
      exports.knowledge(),
      narrowedPdfs(exports),
      farOver('a PDF of the whole window', { start, end, ...base.utc }),
      farOver('a PDF of all events', { timezone: 'Asia/Kathmandu' }),
      exact(atIt, pdfEventLimit),
      exact(overIt, pdfEventLimit + 1),
    ]);
    return { knowledge, pdfs: [...pdfs, ...narrowed], total };
  },
  judges: {
    [allowedClause]: (evidence) => judgePdfs(allowedClause, evidence),
    [refusedClause]: (evidence) => {
      judgePdfs(refusedClause, evidence);
      const isSilent = ({ answer, count }: LimitedPdf) => answer === undefined && !count;
      const silent = evidence.pdfs.find(isSilent);
      if (silent !== undefined) throw new Inconclusive(`No response came to ${silent.what}.`);
    },
    [countingClause]: (evidence) => {
      judgePdfs(countingClause, evidence);
      if (evidence.pdfs.some(({ clause }) => clause === countingClause)) return;
      const what = 'a value of any filter that keeps fewer than 5,000 events';
      throw noValues(what, evidence.knowledge);
    },
    'export.pdf-opens': (evidence) => expectOpens(filesAbout(pdfEventLimit, evidence).pdf),
    'export.pdf-holds-the-events-of-the-csv': (evidence) =>
      expectSameEventsInPdf(filesAbout(pdfEventLimit, evidence), evidence.knowledge),
    'export.refusal-carries-no-events': (evidence) => {
      const { answer } = filesAbout(pdfEventLimit + 1, evidence).pdf;
      if (answer.status === 400) return expectNoFile(answer, evidence.knowledge);
      const why = `The PDF over the limit was not refused: that is ${refusedClause}.`;
      throw new Inconclusive(why, [answer]);
    },
  },
});

/** Judges the PDFs about one clause. @throws Violation where one gets another status than expected */
function judgePdfs(judged: LimitedPdf['clause'], evidence: AtTheLimit): void {
  if (evidence.total <= pdfEventLimit) throw tooFewEvents(evidence.total);
  for (const { what, clause, expected, answer, count, on } of evidence.pdfs) {
    if (clause !== judged) continue;
    if (count !== undefined) requireCount(filesAbout(count, evidence).csv, count);
    if (answer && `${answer.status}` !== expected)
      throw unlikeStatus(what, expected, answer, { on });
  }
}

/** The CSV and the PDF of a range of `count` events. @throws NotJudged where no such range was found */
function filesAbout(count: number, { pdfs, total }: AtTheLimit): BothFiles {
  if (total <= pdfEventLimit) throw tooFewEvents(total);
  const files = pdfs.find((pdf) => pdf.count === count)?.files;
  if (files !== undefined) return files;
  throw new NotJudged(
    'No range of exactly so many events was found: too many share their instants.',
  );
}

/** Two small PDFs of the window: with a value of a list, and with one of a metadata key, that few events have. */
async function narrowedPdfs(exports: Exports): Promise<LimitedPdf[]> {
  const { filters } = await exports.knowledge();
  const rareValues = [...filters.known]
    .flatMap(([filter, { values }]) =>
      values.map(({ value, events: { size } }) => ({ filter, value, size })),
    )
    .filter(({ size }) => size < 1000)
    .sort((a, b) => a.size - b.size);
  const chosen = [
    rareValues.find(({ filter }) => isListFilter(filter)),
    rareValues.find(({ filter }) => !isListFilter(filter)),
  ].filter((one) => one !== undefined);
  return await Promise.all(
    chosen.map(async ({ filter, value }): Promise<LimitedPdf> => {
      const { answer } = await exports.pdfWithin({ filters: { [filter]: [value] } });
      return { what: narrowedPdf, clause: countingClause, expected: '200', answer, on: [] };
    }),
  );
}

/** The answer; undefined where the file is too large or takes too long, so that the rest is judged all the same. */
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
 * Downloads a range that is to hold exactly `count` events, as CSV and as PDF. Where events came or went meanwhile, it
 * looks for another range: by the column of times, the last time by counting.
 * @returns the last files, which may still hold another number (`requireCount`); undefined where no range was found
 */
async function filesWith(
  count: number,
  exports: Exports,
  { window, base, columns: { times } }: KnownEvents,
): Promise<BothFiles | undefined> {
  let files: BothFiles | undefined;
  let { table } = base;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const instants = times && datesOf(table, times)?.instants;
    const isLast = tries === maxTries - 1;
    const range =
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

/** Counts the events in the CSV of the same query. @throws Inconclusive where it holds more or fewer, or is no table */
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

const splitClause = 'export.ranges-split-without-loss';
const unlimitedClause = 'export.csv-has-no-limit-of-5000';

interface Halves extends RangeTable {
  /** The part of a larger window, whose export was refused, that lies before this window. */
  readonly beyond: CsvDownload | undefined;
}

const halves = scenario({
  name: 'a CSV of the whole window holds the events of its halves, even where they are more than 5,000',
  async act({ exports }): Promise<Halves> {
    const knowledge = await exports.knowledge();
    const { base, window } = knowledge;
    const { middle, refused } = window;
    const { count } = base.table;
    // The window is cut at an event a quarter into it, so that the later part is large.
    const { instants = [] } = (knowledge.asLearned ?? knowledge).columns.times ?? {};
    const at = instants.toSorted((a, b) => a - b)[instants.length >> 2] ?? middle;
    const parts = await askRanges(exports, [
      { name: 'window', file: base.download },
      { name: 'early', ask: { end: at } },
      { name: 'late', ask: { start: at } },
      { name: 'in both', ask: { start: at, end: at } },
    ]);
    const what = 'a range, compared with a part of it';
    const rows: RangeRow[] = [
      {
        together: ['early', 'late'],
        clauses: [splitClause],
        what: 'the two parts of a range together',
        least: ['window', 'in both'],
      },
      // A cap on the size of a file shows in a range that lacks events of its part, however small it is.
      { together: ['window'], clauses: [splitClause], what, least: ['late'] },
      {
        together: ['window'],
        clauses: count > pdfEventLimit ? [] : [splitClause],
        what,
        least: ['early'],
      },
      {
        // Rows are compared, not only their number: what paging repeats or loses may be as much in the halves.
        together: ['window'],
        clauses: [unlimitedClause],
        what: 'a CSV of more than 5,000 events, compared with its halves',
        as: ['early', 'late'],
        less: ['in both'],
      },
    ];
    const elsewhere = refused && { start: refused.window.start, end: window.start - 1 };
    const beyond = elsewhere && (await exports.anytime(elsewhere));
    return { knowledge, rows: [...parts, ...rows], beyond };
  },
  judges: {
    [splitClause]: (evidence) => {
      judgeRanges(splitClause, evidence);
      throw new CannotUphold(
        'What could be exported are parts of a range, which do not show its bounds.',
      );
    },
    [unlimitedClause]: (evidence) => {
      const { refused } = evidence.knowledge.window;
      const { count } = evidence.knowledge.base.table;
      // How large a CSV may be is open; but one that is refused from the limit of PDFs on has that limit.
      const tooMany = count + (evidence.beyond?.table?.count ?? 0);
      const isNear = tooMany > pdfEventLimit && tooMany <= pdfEventLimit * 1.1;
      if (refused !== undefined && count <= pdfEventLimit && isNear) {
        throw unlikeStatus(`a CSV of ${tooMany} events`, '200', refused.download.answer);
      }
      if (count >= pdfEventLimit) judgeRanges(unlimitedClause, evidence);
      if (count <= pdfEventLimit) throw tooFewEvents(count);
    },
  },
});

function tooFewEvents(count: number): NotConfigured {
  return new NotConfigured(
    'EXPORT_RANGE_START',
    `a window with more than 5,000 events (${count} were found)`,
  );
}

export const pdfLimitScenarios = [pdfLimit];
export const csvSizeScenarios = [halves];
