import { intersection } from '../../helpers/csv/multiset.ts';
import { tableOf } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge, LargeWindow } from '../../helpers/exports/learn.ts';
import { type ExportQuery, isListFilter } from '../../helpers/exports/query.ts';
import { mayBeTooLarge, type TimeRange } from '../../helpers/exports/window.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { NoResponse } from '../../helpers/http/no-response.ts';
import {
  CannotUphold,
  Inconclusive,
  NotConfigured,
  NothingSeen,
  NotJudged,
} from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import { pdfEventLimit } from '../../schemas/operations.ts';
import { narrowedPdf } from '../answers.ts';
import { expectStatus, unlikeStatus } from '../expectations.ts';
import { boundOf, boundSteps, halve, type Span, tableIn, units } from './event-instants.ts';
import { canBeSent, namedLists } from './filter-levels.ts';
import { translatedSamples } from './levels.ts';
import {
  asBothFiles,
  type BothFiles,
  expectOpens,
  expectSameEventsInPdf,
  requireOneRowEach,
} from './pdf.ts';
import { expectNoFile } from './refused-exports.ts';
import { judgeSums, noValues, type Sum } from './relations.ts';
import { zoneOfQuarters } from './timezone.ts';

const refusedClause = 'limits.pdf-over-5000-events-is-400';

interface AtTheLimit {
  readonly knowledge: Knowledge;
  readonly large: LargeWindow;
  /** PDFs of all events of the large window, of all there are, and of those that a filter keeps. */
  readonly farOver: readonly TooLarge[];
  /** PDFs of few events that a filter leaves of it. */
  readonly narrowed: readonly Answer[];
  /** Ranges of exactly 5,000 events, and of one more; undefined where none was found. */
  readonly atIt?: OfRange | undefined;
  readonly overIt?: OfRange | undefined;
}

interface OfRange extends BothFiles {
  /** A PDF of the range by lists of all their values, and its CSV; undefined where they keep other events. */
  readonly byLists: Readonly<Record<'answer' | 'csv', Answer>> | undefined;
}

/** A PDF of more than 5,000 events. */
interface TooLarge {
  readonly what: string;
  /** Undefined where no response came. */
  readonly answer: Answer | undefined;
  /** The CSV that shows how many events they are; left out where that of the large window does. */
  readonly csv?: Answer;
}

const pdfLimit = scenario({
  name: 'a PDF of 5,000 events is exported, one of 5,001 is refused',
  async act({ exports }): Promise<AtTheLimit> {
    // The largest files are asked for first: they need no filters, and take the longest.
    const large = await exports.large();
    if (large.table.rows.length <= pdfEventLimit) {
      return { knowledge: await exports.knowledge(), large, farOver: [], narrowed: [] };
    }
    const { utc } = (await exports.events()).base;
    const exact = async (count: number): Promise<OfRange | undefined> => {
      const range = await rangeOf(count, exports, large);
      if (range === undefined) return undefined;
      const [files, byLists] = await Promise.all([
        asBothFiles(exports, range),
        filteredByLists(range, count, exports),
      ]);
      return { ...files, byLists };
    };
    // PDFs of all events besides: some services count events, and some only run out of memory.
    const ofAll = async (what: string, query: ExportQuery) => ({
      what,
      answer: await unlessNoResponse(exports.file({ ...query, fileType: 'pdf' })),
    });
    const inAnotherForm = async () => {
      const [served] = await translatedSamples(exports, await exports.knowledge());
      const { locale } = served?.query ?? {};
      const form = { timezone: zoneOfQuarters, ...(locale !== undefined && { locale }) };
      return await ofAll('a PDF of all events', form);
    };
    const [knowledge, narrowed, filtered, atIt, overIt, ...farOver] = await Promise.all([
      exports.knowledge(),
      narrowedPdfs(exports, large),
      filteredPdfs(exports),
      exact(pdfEventLimit),
      exact(pdfEventLimit + 1),
      ofAll('a PDF of the whole window', { ...large.window, ...utc }),
      inAnotherForm(),
    ]);
    if (overIt?.byLists)
      filtered.push({ what: 'a PDF of 5,001 events that lists keep', ...overIt.byLists });
    return { knowledge, large, farOver: [...farOver, ...filtered], narrowed, atIt, overIt };
  },
  judges: {
    'limits.pdf-of-5000-events-is-allowed': (evidence) => {
      const { csv, pdf, byLists } = requireCount('atIt', evidence);
      expectStatus(pdf.answer, 200, 'a PDF of exactly 5,000 events', { on: [csv.answer] });
      const what = 'a PDF of exactly 5,000 events that filters keep';
      if (byLists) expectStatus(byLists.answer, 200, what, { on: [byLists.csv] });
    },
    [refusedClause]: (evidence) => {
      const { farOver, large, knowledge } = evidence;
      requireOneRowEach(knowledge);
      for (const { what, answer, csv = large.download.answer } of farOver)
        if (answer) expectStatus(answer, 400, what, { on: [csv] });
      const { csv, pdf } = requireCount('overIt', evidence);
      expectStatus(pdf.answer, 400, 'a PDF of 5,001 events', { on: [csv.answer] });
      const silent = farOver.find(({ answer }) => answer === undefined);
      if (silent !== undefined) throw new Inconclusive(`No response came to ${silent.what}.`);
    },
    'limits.pdf-limit-counts-what-filters-leave': ({ narrowed, large, knowledge }) => {
      const { length } = large.table.rows;
      if (length <= pdfEventLimit) throw tooFewEvents(length);
      for (const answer of narrowed) expectStatus(answer, 200, narrowedPdf);
      const what = 'a value of any filter that keeps fewer than 5,000 events';
      if (narrowed.length === 0) throw noValues(what, knowledge);
    },
    'export.pdf-opens': (evidence) => expectOpens(requireCount('atIt', evidence).pdf),
    'export.pdf-holds-the-events-of-the-csv': (evidence) =>
      expectSameEventsInPdf(requireCount('atIt', evidence), evidence.knowledge),
    'export.refusal-carries-no-events': (evidence) => {
      const { answer } = requireCount('overIt', evidence).pdf;
      if (answer.status === 400) return expectNoFile(answer, evidence.knowledge);
      const why = `The PDF over the limit was not refused: that is ${refusedClause}.`;
      throw new Inconclusive(why, [answer]);
    },
  },
});

/**
 * The files of the range at the limit, or over it, if their CSV holds so many events.
 * @throws NotConfigured where the large window holds too few, NotJudged where no such range was found, or rows are not events,
 * Inconclusive where the CSV holds more or fewer, or is no table
 */
function requireCount(
  which: 'atIt' | 'overIt',
  { knowledge, large, [which]: files }: AtTheLimit,
): OfRange {
  const total = large.table.rows.length;
  if (total <= pdfEventLimit) throw tooFewEvents(total);
  requireOneRowEach(knowledge);
  if (files === undefined) {
    const why = 'No range of exactly so many events was found: too many share their instants.';
    throw new NotJudged(why);
  }
  const count = pdfEventLimit + (which === 'overIt' ? 1 : 0);
  const { rows, problems } = tableOf(files.csv);
  if (rows.length === count && problems.length === 0) return files;
  const reason =
    problems.length > 0
      ? 'The events of a CSV that does not read as one table cannot be counted: that is export.csv-is-one-table.'
      : `The range that should hold ${count} events holds ${rows.length}.`;
  throw new Inconclusive(reason, [files.csv.answer]);
}

/** PDFs of the large window, by each filter with its value that fewest events have; and one by all of these, if it holds none. */
async function narrowedPdfs(exports: Exports, large: LargeWindow): Promise<Answer[]> {
  const { filters, base, encoding } = await exports.knowledge();
  // All events of the window lie in it; the others may have any value.
  const others = large.table.rows.length - base.table.rows.length;
  const rarest = [...filters.known].flatMap(([filter, { values }]) => {
    const [rare] = values.toSorted((a, b) => a.events.size - b.events.size);
    return rare && others + rare.events.size < pdfEventLimit ? [{ ...rare, filter }] : [];
  });
  const isNoneLeft =
    rarest.length > 1 && rarest.map(({ events }) => events).reduce(intersection).size === 0;
  const each = rarest.map(({ filter, value }) => ({ [filter]: [value] }));
  const asked = [...each, ...(isNoneLeft ? [Object.assign({}, ...each)] : [])];
  const sent = { ...large.window, ...base.utc, encoding: encoding.best, fileType: 'pdf' };
  // Whether they are served is all that is looked at: some hold thousands of events.
  const files = asked.map((filters) => unlessNoResponse(exports.file({ ...sent, filters })));
  return (await Promise.all(files)).flatMap((answer) => answer ?? []);
}

/** A PDF of the range by lists that keep all of its events, so many, whose status alone is looked at. */
async function filteredByLists(
  range: ExportQuery,
  count: number,
  exports: Exports,
): Promise<OfRange['byLists']> {
  const known = await exports.knowledge();
  const lists = namedLists.flatMap((list) => {
    const values = known.filters.known.get(list)?.shown?.values ?? [];
    const canAllBeSent = values.every((value) => canBeSent(value, list, known));
    return values.length > 1 && values.length <= maxValues && canAllBeSent ? [[list, values]] : [];
  });
  if (lists.length === 0 || known.encoding.forTwoValues.length === 0) return undefined;
  const query = { ...range, filters: Object.fromEntries(lists) };
  const { answer: csv, table } = await exports.within(query);
  if (table?.rows.length !== count) return undefined;
  const sent = { ...query, ...known.base.utc, encoding: known.encoding.best, fileType: 'pdf' };
  const answer = await unlessNoResponse(exports.file(sent));
  return answer && { answer, csv };
}

/** How many values of a list are sent at most, so that no request is too long. */
const maxValues = 20;

/** PDFs of more than 5,000 events that a filter keeps of all there are: by a list and a metadata key, with their most frequent value. */
async function filteredPdfs(exports: Exports): Promise<TooLarge[]> {
  const { filters } = await exports.knowledge();
  const values = [...filters.known].flatMap(([filter, place]) =>
    place.values.map(({ value, events: { size } }) => ({ filter, value, size })),
  );
  const frequent = values.toSorted((a, b) => b.size - a.size);
  const ofEach = [true, false].flatMap(
    (isList) => frequent.find(({ filter }) => isListFilter(filter) === isList) ?? [],
  );
  const asked = ofEach.map(async ({ filter, value }): Promise<TooLarge[]> => {
    const query = { filters: { [filter]: [value] } };
    const { answer: csv, table } = await exports.anytime(query);
    if (table === undefined || table.rows.length <= pdfEventLimit) return [];
    const file = exports.pdfAnytime(query).then(({ answer }) => answer);
    const what = `a PDF of more than 5,000 events that ${filter} keeps`;
    return [{ what, csv, answer: await unlessNoResponse(file) }];
  });
  return (await Promise.all(asked)).flat();
}

/** The answer; undefined where the file is too large or takes too long, so that the rest is judged all the same. */
async function unlessNoResponse(file: Promise<Answer>): Promise<Answer | undefined> {
  return await file.catch((error: unknown) => {
    if (error instanceof NoResponse) return undefined;
    throw error;
  });
}

const splitClause = 'export.ranges-split-without-loss';
/** What other scenarios judge of the window is judged here of more events than a PDF may hold. */
const independentClause = 'export.range-bounds-are-independent';
const formClause = 'export.file-type-defaults-to-csv';
const unlimitedClause = 'export.csv-has-no-limit-of-5000';

const largeCsv = 'a CSV of 5,000 events or more';

/** A bound alone, or none, keeps all events that both keep. */
const unbounded = {
  clauses: [independentClause],
  what: `${largeCsv} without both bounds`,
  is: '≥',
} as const;
const withFileType = { clauses: [formClause], what: largeCsv, is: '=' } as const;

const halves = scenario({
  name: 'a CSV of more than 5,000 events holds those of its halves, and those of its range alone',
  async act({ exports }) {
    const [knowledge, large] = await Promise.all([exports.knowledge(), exports.large()]);
    const { download, refused, window } = large;
    const { start, end } = window;
    // It may be cut at just so many.
    const isLarge = large.table.rows.length >= pdfEventLimit;
    // It is cut at an event a quarter into it, so that the later part is large.
    const { instants = [] } = large;
    const { start: ofWindow, middle } = knowledge.window;
    const at =
      instants.toSorted((a, b) => a - b)[instants.length >> 2] ??
      (ofWindow > start ? ofWindow : middle);
    const halves = [
      { start, end: at },
      { start: at, end },
      { start: at, end: at },
    ];
    const [until, from, here] = await Promise.all(halves.map((half) => exports.within(half)));
    // A cap on the size of a file shows in a range that lacks events of its part, however small it is. Rows are
    // compared, not only their number: what paging repeats or loses may be as much in the halves.
    const sum: Sum = {
      clauses: [splitClause, unlimitedClause],
      what: `${isLarge ? largeCsv : 'a range'}, compared with its halves`,
      own: download,
      beside: here,
      is: '=',
      of: [until, from],
    };
    const otherwise = async (
      query: ExportQuery,
      expected: Pick<Sum, 'clauses' | 'what' | 'is'>,
    ) => {
      const own = await exports.anytime(query);
      const isTooLarge = own.overflowed || mayBeTooLarge(own.answer);
      return { ...expected, own: isTooLarge ? undefined : own, of: [download] };
    };
    const asked = isLarge
      ? [
          otherwise({ start }, unbounded),
          otherwise({ end }, unbounded),
          otherwise({}, unbounded),
          otherwise({ start, end, fileType: 'csv' }, withFileType),
        ]
      : [];
    // The part of a larger window, whose export was refused, that lies before this window.
    const elsewhere = refused && { start: refused.window.start, end: start - 1 };
    const beyond = elsewhere && (await exports.anytime(elsewhere));
    const sums: readonly Sum[] = [sum, ...(await Promise.all(asked))];
    return { knowledge, large, sums, beyond };
  },
  judges: {
    [splitClause]: ({ sums, knowledge }) => {
      judgeSums(splitClause, sums, knowledge);
      throw new CannotUphold(
        'What could be exported are parts of a range, which do not show its bounds.',
      );
    },
    [independentClause]: judgingSums(independentClause),
    [formClause]: judgingSums(formClause),
    [unlimitedClause]: ({ sums, large, beyond, knowledge }) => {
      const { refused } = large;
      const count = large.table.rows.length;
      // How large a CSV may be is open; but one that is refused from the limit of PDFs on has that limit.
      const tooMany = count + (beyond?.table?.rows.length ?? 0);
      const isNear = tooMany > pdfEventLimit && tooMany <= pdfEventLimit * 1.1;
      if (refused !== undefined && count <= pdfEventLimit && isNear) {
        throw unlikeStatus(`a CSV of ${tooMany} events`, '200', refused.download.answer);
      }
      if (count >= pdfEventLimit) judgeSums(unlimitedClause, sums, knowledge);
      if (count <= pdfEventLimit) throw tooFewEvents(count);
    },
  },
  observes: {
    'limits.csv-size': ({ large: { table } }) =>
      table.rows.length > pdfEventLimit ? [{ exportsMoreThan: pdfEventLimit }] : [],
  },
});

/** A judge of a clause that other scenarios judge too, of fewer events. */
function judgingSums(clause: JudgedClause) {
  return ({ sums, knowledge }: { sums: readonly Sum[]; knowledge: Knowledge }): void => {
    judgeSums(clause, sums, knowledge);
    throw new NothingSeen();
  };
}

function tooFewEvents(count: number): NotConfigured {
  return new NotConfigured(
    'EXPORT_RANGE_START',
    `a window with more than 5,000 events (${count} were found)`,
  );
}

/*
 * Finds a range of exactly 5,000 events, or any other number, by counting those of exports. No bound can part events of one
 * instant: where it would have to, a later start is tried.
 */

const maxStarts = 3;

/** A range of exactly `count` events in the window; undefined where none of the starts that were tried has one. */
export async function rangeOf(
  count: number,
  exports: Exports,
  { window, table, instants }: Pick<LargeWindow, 'window' | 'table' | 'instants'>,
): Promise<Pick<ExportQuery, 'start' | 'end'> | undefined> {
  const likely = instants && rangeByTimes(count, instants, window);
  if (likely && (await exports.within(likely)).table?.rows.length === count) return likely;
  let start = BigInt(window.start) * units.millisecond;
  const end = BigInt(window.end) * units.millisecond;
  let left = table.rows.length;
  for (let tries = 0; tries < maxStarts && left >= count; tries += 1) {
    const all = { at: end, count: left };
    const last = await upToEvent(count, exports, start, all);
    if (last.count === count) return { start: boundOf(start), end: boundOf(last.at) };
    // The event at the end shares its instant with others: begin after the first events, and try again.
    const first = await upToEvent(1, exports, start, all);
    left -= first.count;
    start = first.at + first.step;
  }
  return undefined;
}

/** A range of `count` events by the times that rows show, with its bounds in the middle of the widest gaps there are. */
export function rangeByTimes(
  count: number,
  instants: readonly number[],
  { start, end }: TimeRange,
): TimeRange | undefined {
  const sorted = instants.filter((at) => at >= start && at <= end).sort((a, b) => a - b);
  /** The gap before an event, `byMs` wide; at either end of the window a range may begin or end as it does. */
  const gapBefore = (index: number) => {
    const [earlier, later] = [sorted[index - 1], sorted[index]];
    if (earlier === undefined) return { middle: start, byMs: Infinity };
    if (later === undefined) return { middle: end, byMs: Infinity };
    return { middle: earlier + Math.floor((later - earlier) / 2), byMs: later - earlier };
  };
  const [widest] = sorted
    .slice(count - 1)
    .map((_, first) => ({ before: gapBefore(first), after: gapBefore(first + count) }))
    .map((gaps) => ({ ...gaps, narrower: Math.min(gaps.before.byMs, gaps.after.byMs) }))
    .filter(({ narrower }) => narrower > 1)
    .sort((one, other) => other.narrower - one.narrower);
  return widest && { start: widest.before.middle, end: widest.after.middle };
}

/** A range_end in nanoseconds since 1970, and how many events there are from the start up to it. */
interface CountedBound {
  readonly at: bigint;
  readonly count: number;
}

/** Among how few events a bound must be known to lie for these alone to be counted, and not all from the start. */
const fewEvents = 500;

/**
 * A range_end up to which `wanted` events lie from `start` on; the earliest with more, where events share its instant.
 * @param last a bound that is known to have enough: the end of the window
 * @returns the bound, the events up to it, and the finest step in which bounds were tried, in nanoseconds
 */
async function upToEvent(
  wanted: number,
  exports: Exports,
  start: bigint,
  last: CountedBound,
): Promise<CountedBound & { readonly step: bigint }> {
  let tooFew: CountedBound = { at: start - units.millisecond, count: 0 };
  let enough = last;
  /** Where events are counted from, and how many there are before it: first all, later only the few in question. */
  let from: CountedBound = { at: start, count: 0 };
  /** Counts up to a bound, and notes the bound. @returns whether it has enough; undefined ends the search */
  const hasEnough = async (at: bigint): Promise<boolean | undefined> => {
    if (from.at === start && tooFew.at > start && enough.count - tooFew.count <= fewEvents) {
      // Events at the bound itself belong to both counts, up to the bound and from it on: they are taken off once.
      const atBound = await tableIn(exports, [tooFew.at, tooFew.at]);
      from = { at: tooFew.at, count: tooFew.count - (atBound?.rows.length ?? 0) };
    }
    const table = await tableIn(exports, [from.at, at]);
    if (table === undefined) return undefined;
    const count = from.count + table.rows.length;
    if (count >= wanted) enough = { at, count };
    else tooFew = { at, count };
    return count === wanted ? undefined : count > wanted;
  };
  let span: Span | undefined = { before: tooFew.at, at: last.at };
  let step: bigint = units.millisecond;
  for (const finer of enough.count === wanted ? [] : boundSteps) {
    step = finer;
    span = await halve(span, step, hasEnough);
    if (span === undefined) break;
  }
  return { ...enough, step };
}

export const pdfLimitScenarios = [pdfLimit];
export const csvSizeScenarios = [halves];
