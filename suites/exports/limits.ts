import { instantOfEvent } from '../../helpers/exports/bisect.ts';
import { type CsvDownload, type PdfDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge, Window } from '../../helpers/exports/knowledge.ts';
import { type FilterSet, isListFilter } from '../../helpers/exports/query.ts';
import { Inconclusive, NotJudged, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { pdfEventLimit } from '../../schemas/operations.ts';
import { tooFewEvents } from './csv-size.ts';
import { asBothFiles, type BothFiles, expectOpens, expectSameEventsInPdf } from './pdf-events.ts';

/**
 * A range of exactly so many events. Events of the same millisecond cannot be cut apart: other places are tried.
 * @returns undefined where none was found
 */
async function rangeOf(
  count: number,
  exports: Exports,
  knowledge: Knowledge,
): Promise<Window | undefined> {
  const { times, base, window } = knowledge;
  if (base.count < count) return undefined;
  if (times?.unit === 1) return rangeByTimes(count, times.instants, window);
  return await rangeByHalving(count, exports, knowledge);
}

function rangeByTimes(
  count: number,
  instants: readonly number[],
  { start, end }: Window,
): Window | undefined {
  const sorted = instants.toSorted((a, b) => a - b);
  for (let first = 0; first + count <= sorted.length; first += 1) {
    const [before, from] = [sorted[first - 1] ?? start - 1, sorted[first] ?? start];
    const [to, after] = [sorted[first + count - 1] ?? end, sorted[first + count] ?? end + 1];
    if (before < from && to < after) return { start: from, end: to };
  }
  return undefined;
}

const places = 3;

async function rangeByHalving(
  count: number,
  exports: Exports,
  { window, base }: Knowledge,
): Promise<Window | undefined> {
  const countIn = async (start: number, end: number): Promise<number> =>
    tableOf(await exports.within({ start, end })).count;
  let { start } = window;
  let total = base.count;
  for (let place = 0; place < places; place += 1) {
    const found = await instantOfEvent(countIn, { start, end: window.end, total }, count);
    if (found?.upTo === count) return { start, end: found.instant };
    // The event at the end shares its instant with others: begin after the first events, and try again.
    const next = await instantOfEvent(countIn, { start, end: window.end, total }, 1);
    if (next === undefined) return undefined;
    start = next.instant + 1;
    total -= next.upTo;
  }
  return undefined;
}

interface AtTheLimit {
  readonly allowed: BothFiles | undefined;
  readonly over: { readonly csv: CsvDownload; readonly pdf: PdfDownload } | undefined;
  /** Of the whole window, narrowed by a list, and by metadata. */
  readonly narrowed: readonly PdfDownload[];
  readonly total: number;
}

const limit = scenario({
  name: 'a PDF of 5,000 events is exported, one of 5,001 is refused',
  async act({ exports }): Promise<AtTheLimit> {
    const knowledge = await exports.knowledge();
    const total = knowledge.base.count;
    if (total <= pdfEventLimit) return { allowed: undefined, over: undefined, narrowed: [], total };
    const [within, beyond] = await Promise.all([
      rangeOf(pdfEventLimit, exports, knowledge),
      rangeOf(pdfEventLimit + 1, exports, knowledge),
    ]);
    const { window, common, encoding } = knowledge;
    const [allowed, over, ...narrowed] = await Promise.all([
      within && asBothFiles(exports, knowledge, within),
      beyond && asBothFiles(exports, knowledge, beyond),
      ...narrowFilters(knowledge).map((filters) =>
        exports.pdf({ ...window, ...common, filters }, encoding),
      ),
    ]);
    return { allowed, over, narrowed, total };
  },
  judges: {
    'limits.pdf-of-5000-events-is-allowed': ({ allowed, total }) => {
      const { csv, pdf } = found(allowed, total);
      requireCount(csv, pdfEventLimit);
      if (pdf.answer.status === 200) return;
      throw new Violation('a PDF of exactly 5,000 events', {
        expected: '200',
        actual: `${pdf.answer.status}`,
        on: [pdf.answer, csv.answer],
      });
    },
    'limits.pdf-over-5000-events-is-400': ({ over, total }) => {
      const { csv, pdf } = found(over, total);
      requireCount(csv, pdfEventLimit + 1);
      if (pdf.answer.status === 400) return;
      throw new Violation('a PDF of 5,001 events', {
        expected: '400',
        actual: `${pdf.answer.status}`,
        on: [pdf.answer, csv.answer],
      });
    },
    'limits.pdf-limit-counts-what-filters-leave': ({ narrowed, total }) => {
      if (total <= pdfEventLimit) throw tooFewEvents(total);
      if (narrowed.length === 0) {
        throw new NotJudged(
          'Not configured: EXPORT_FILTER_VALUES: a value of any filter that leaves fewer than 5,000 events.',
        );
      }
      for (const { answer } of narrowed) {
        if (answer.status === 200) continue;
        const what = 'a PDF of a window of more than 5,000 events, of which a filter leaves few';
        throw new Violation(what, { expected: '200', actual: `${answer.status}`, on: [answer] });
      }
    },
    'export.pdf-opens': ({ allowed, total }) => expectOpens(found(allowed, total).pdf),
    'export.pdf-holds-the-events-of-the-csv': ({ allowed, total }) =>
      expectSameEventsInPdf(found(allowed, total)),
    'export.refusal-carries-no-events': ({ over, total }) => {
      const { pdf } = found(over, total);
      if (pdf.answer.status !== 400) throw new Inconclusive('The PDF was not refused.');
      if (!pdf.answer.text.startsWith('%PDF-')) return;
      throw new Violation('a refused PDF', {
        expected: 'no file',
        actual: 'a PDF',
        on: [pdf.answer],
      });
    },
  },
});

/** A value of a list and one of a metadata key, each of which leaves few events. */
function narrowFilters({ filters: known }: Knowledge): FilterSet[] {
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

/** The limit is about as many events as the CSV of the same query holds. */
function requireCount(csv: CsvDownload, count: number): void {
  const actual = tableOf(csv).count;
  if (actual === count) return;
  throw new Inconclusive(`The range that should hold ${count} events holds ${actual}.`);
}

export const limitScenarios = [limit];
