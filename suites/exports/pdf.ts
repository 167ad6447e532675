import type { Row } from '../../helpers/csv/csv-form.ts';
import { keyOfRow, timesIn } from '../../helpers/csv/multiset.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { readDateColumn } from '../../helpers/dates/read-date.ts';
import { utcOf } from '../../helpers/dates/time-zones.ts';
import { columnsOfEvents, takeSeveralRows } from '../../helpers/exports/columns.ts';
import { type CsvDownload, type PdfDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge, KnownEvents } from '../../helpers/exports/learn.ts';
import type { ExportQuery, Filter } from '../../helpers/exports/query.ts';
import { longAgo } from '../../helpers/exports/window.ts';
import { countsOf, Memory } from '../../helpers/maps.ts';
import { Inconclusive, NothingSeen, NotJudged, other, Violation } from '../../helpers/outcomes.ts';
import { type EventMatch, matchEvents } from '../../helpers/pdf/match-events.ts';
import { type DateForm, dateForms, findDates } from '../../helpers/pdf/printed-dates.ts';
import type { PdfPage, PdfReading, PdfText } from '../../helpers/pdf/read-pdf.ts';
import { scenario } from '../../runner/scenario.ts';
import type { EventsDifference } from '../../schemas/difference.ts';
import type { Observation } from '../../schemas/observations.ts';
import { pdfEventLimit } from '../../schemas/operations.ts';
import { isUuidShaped } from '../../schemas/resources.ts';
import { judgesBy, ofExport } from '../answers.ts';
import { headerNames, publicName } from '../shapes.ts';
import { contentType, fileName } from './csv.ts';
import { translatedSamples } from './levels.ts';
import {
  beginningOf,
  commonIn,
  DoubtfulEvents,
  expectServed,
  firstOf,
  outcomeOf,
} from './relations.ts';
import {
  expectDatesInZone,
  localTimes,
  otherDates,
  wrongTime,
  zoneOfQuarters,
} from './timezone.ts';

/** The CSV and the PDF of one query, which may be in a timezone or locale. */
export interface BothFiles {
  readonly csv: CsvDownload;
  readonly pdf: PdfDownload;
  /** The CSV of the same events in UTC and without locale: that of the query itself where it is in no form. */
  readonly utc: CsvDownload;
}

/** Asks for both files of a range of the window. */
export async function asBothFiles(
  exports: Exports,
  range: Pick<ExportQuery, 'start' | 'end'>,
): Promise<BothFiles> {
  const [csv, pdf] = await Promise.all([exports.within(range), exports.pdfWithin(range)]);
  return bothFiles({ utc: csv, csv, pdf });
}

/** Files of one query that were downloaded apart: where events moved meanwhile, the CSVs are those read beside the PDF. */
export function bothFiles({ utc, csv, pdf }: BothFiles): BothFiles {
  const besidePdf = (csv.beside ? csv : pdf.beside) ?? csv;
  return { csv: besidePdf, pdf, utc: csv.beside ?? pdf.beside ?? utc };
}

/** @throws Violation unless the file opens as a PDF */
export function expectOpens({ answer, flaw }: PdfDownload): void {
  if (answer.status !== 200) throw new Inconclusive(`The PDF export gave ${answer.status}.`);
  if (flaw === undefined) return;
  if (['too big', 'too slow'].includes(flaw.flaw)) throw new Inconclusive(flaw.message);
  throw new Violation(other('is no PDF that opens', { of: flaw.flaw, actual: flaw.message }), [
    answer,
  ]);
}

/**
 * @param plain files of another query: they show which columns a PDF prints where that in `files` shows none
 * @param asked what was asked for, in words
 * @throws Violation where the PDF lacks events of the CSV, holds them more often, or holds others; DoubtfulEvents where some
 * cannot be recognized; NotJudged where it differs, and events take several rows of the CSV
 */
export function expectSameEventsInPdf(
  files: BothFiles,
  knowledge: Knowledge,
  plain = files,
  asked: string[] = [],
): void {
  const { csv, pdf } = files;
  const { rows } = tableOf(csv);
  const match = matched(files, knowledge);
  const { missing, doubtful, surplus, columns } = match;
  const isRight = missing.length === 0 && surplus === 0;
  if (isRight && doubtful.length === 0) return;
  requireOneRowEach(knowledge);
  if (isRight) {
    const example = beginningOf(rows[doubtful[0] ?? 0] ?? []);
    throw new DoubtfulEvents(
      `The PDF does not show whether it holds ${doubtful.length} of the ${rows.length} events of the CSV, such as [${example}].`,
      [pdf.answer, csv.answer],
    );
  }
  const printed = columns.length > 0 ? columns : matched(plain, knowledge).columns;
  const differs = pdfDifference(files, match, printed, knowledge);
  throw new Violation({ ...differs, asked }, [pdf.answer, csv.answer]);
}

/** @throws NotJudged where an event may take several rows of a CSV: they do not tell how many events a PDF is to hold */
export function requireOneRowEach({ base, columns }: KnownEvents): void {
  if (!takeSeveralRows(base.table, columns)) return;
  throw new NotJudged(
    'Events take several rows of a CSV, so that it does not tell how many they are.',
  );
}

/** How a PDF differs from its CSV. @param printed the columns of the CSV that the PDF prints, where a mark is looked for */
function pdfDifference(
  { csv, pdf }: BothFiles,
  match: EventMatch,
  printed: readonly number[],
  knowledge: Knowledge,
): EventsDifference {
  const { rows } = tableOf(csv);
  const { missing, surplus } = match;
  const excluded = excludedBy(csv.query, tableOf(csv), knowledge);
  const lost = missing.map((index) => rows[index] ?? []);
  const extra = match.excluded.map((index) => excluded[index] ?? []);
  const [repeated] = lost.length === 0 && extra.length === 0 ? match.repeated : [];
  const added = repeated === undefined ? extra : [rows[repeated] ?? []];
  const [shown] = lost.length === 0 ? extra : [];
  const marked = shown ? [...rows, shown] : rows;
  return {
    kind: 'events',
    when: 'the PDF, beside its CSV',
    fileType: 'pdf',
    missing: lost.length,
    extra: surplus,
    of: rows.length,
    ...firstOf(lost, added),
    ...commonIn(tableOf(csv), lost),
    ...perPage(missing, readingOf(pdf)),
    ...(lost.length === 0 && ignoredFor(extra, pdf.query, knowledge)),
    ...markOf(shown ? rows.length : (missing[0] ?? repeated), marked, printed),
    ...(repeated !== undefined && { isRepeated: true }),
  };
}

/** The parameters that extra events of a PDF do not match; {} where one of these events matches all. */
function ignoredFor(
  extra: readonly Row[],
  { start, end, filters = {} }: ExportQuery,
  knowledge: Knowledge,
): Pick<EventsDifference, 'ignored' | 'beside'> {
  const { base, columns, filters: all } = knowledge.original;
  const { times, ignored: unsteady } = columns;
  const valuesAsked = Object.entries(filters).map(([filter, values = []]) => {
    const known = all.known.get(filter as Filter)?.values ?? [];
    return { filter, kept: known.filter(({ value }) => values.includes(value)) };
  });
  const indexByKey = new Map(base.table.rows.map((row, index) => [keyOfRow(row, unsteady), index]));
  const unmatchedByRow = extra.slice(0, maxExtraLookedAt).map((row) => {
    const key = keyOfRow(row, unsteady);
    const at = times?.instants[indexByKey.get(key) ?? -1];
    const isBefore = at !== undefined && typeof start === 'number' && at < start;
    const isAfter = at !== undefined && typeof end === 'number' && at > end;
    return [
      ...(isBefore ? ['range_start'] : []),
      ...(isAfter ? ['range_end'] : []),
      ...valuesAsked.flatMap(({ filter, kept }) =>
        kept.some(({ events }) => timesIn(events, key) > 0) ? [] : [filter],
      ),
    ];
  });
  const ignored = [...new Set(unmatchedByRow.flat())];
  if (ignored.length === 0 || unmatchedByRow.some(({ length }) => length === 0)) return {};
  const names = Object.keys(filters);
  return { ignored, beside: names.filter((name) => !ignored.includes(name)) };
}

const maxExtraLookedAt = 50;

/** The fewest pages with which it is no coincidence that as many events are missing. */
const enoughPages = 3;

/** Whether each page, or each page break, seems to lose one event. `missing`: row numbers, in order. */
function perPage(
  missing: readonly number[],
  { pages }: PdfReading,
): Pick<EventsDifference, 'oneFor'> {
  const isApart = missing.every((index, place) => index !== (missing[place - 1] ?? -2) + 1);
  if (!isApart || pages.length < enoughPages) return {};
  if (missing.length === pages.length) return { oneFor: 'page' };
  return missing.length === pages.length - 1 ? { oneFor: 'page break' } : {};
}

/** A cell of a row, in a printed column, that no other row holds there: a UUID where there is one. {} where none is. */
function markOf(
  index: number | undefined,
  rows: readonly Row[],
  printed: readonly number[],
): { mark?: string } {
  if (index === undefined) return {};
  const cells = rows[index] ?? [];
  const isAlone = (column: number): boolean =>
    rows.every((row, other) => other === index || row[column] !== cells[column]);
  const isWord = (column: number): boolean => /^[\w.:+-]{8,}$/.test(cells[column] ?? '');
  const unique = printed.filter((column) => isWord(column) && isAlone(column));
  const column = unique.find((candidate) => isUuidShaped(cells[candidate] ?? '')) ?? unique[0];
  const mark = column === undefined ? undefined : cells[column];
  return mark === undefined ? {} : { mark };
}

/** @throws Violation where the PDF of an empty CSV is refused with 400, or holds much more text than one that must be `empty` */
function expectNoEventsInPdf({ csv, pdf }: BothFiles, empty: PdfDownload): void {
  const isRefused = pdf.answer.status === 400;
  const textsIn = (one: PdfDownload) => readingOf(one).pages.flatMap(({ texts }) => texts).length;
  // Its title may list the parameters.
  if (!isRefused && textsIn(pdf) <= 2 * textsIn(empty) + 40) return;
  throw new Violation(
    isRefused ? 'refuses a PDF without events' : 'is a PDF with events where there are none',
    [pdf.answer, csv.answer],
  );
}

const matches = new Memory<PdfReading, CsvTable, EventMatch>();

/** How the events of both files agree, found out once a pair. @throws Inconclusive where one of them cannot be read */
function matched({ csv, pdf }: BothFiles, knowledge: Knowledge): EventMatch {
  const [table, reading] = [tableOf(csv), readingOf(pdf)];
  return matches.get(reading, table, () =>
    matchEvents(table.rows, reading, excludedBy(csv.query, table, knowledge)),
  );
}

/** The rows of the window that a query excludes; [] in another locale or timezone, where rows are written otherwise. */
function excludedBy(
  { locale, timezone }: ExportQuery,
  { rows }: CsvTable,
  { base, columns }: Knowledge,
): Row[] {
  if (locale !== undefined || timezone !== base.utc.timezone) return [];
  const selected = new Set(rows.map((row) => keyOfRow(row, columns.ignored)));
  return base.table.rows.filter((row) => !selected.has(keyOfRow(row, columns.ignored)));
}

/** @throws Inconclusive where there is no PDF that opens */
function readingOf({ reading, answer }: PdfDownload): PdfReading {
  if (reading !== undefined) return reading;
  throw new Inconclusive(`There was no PDF to look into: the export gave ${answer.status}.`, [
    answer,
  ]);
}

/* PDFs in a timezone or locale. How a PDF writes dates is learned from the plain files of a query: its PDF, and its CSV. */

const forms = new Memory<PdfReading, string, readonly DateForm[]>();

/** The ways in which a PDF may print dates, looked for once a file; [] where the dates of its events are not known. */
function formsIn({ csv, pdf }: BothFiles, knowledge: Knowledge): readonly DateForm[] {
  const written = localTimes('UTC', csv, knowledge)?.times;
  if (written === undefined) return [];
  const reading = readingOf(pdf);
  return forms.get(reading, written.map(utcOf).join(), () => dateForms(written, reading));
}

/** Whether a PDF surely prints the local times of its events. @throws Violation where it surely prints other times */
function printsLocalTimes(plain: BothFiles, zoned: BothFiles, knowledge: Knowledge): boolean {
  const due = localTimes(zoneOf(zoned), zoned.utc, knowledge);
  const found = due && findDates(due.times, readingOf(zoned.pdf), formsIn(plain, knowledge));
  if (due === undefined || found?.kind !== 'wrong') return found?.kind === 'right';
  throw otherDates(due, zoned.pdf, wrongTime(due, found));
}

/** @throws Violation where a PDF in a timezone prints other dates than the local ones, NotJudged where it prints no dates */
export function expectLocalDatesInPdf(
  plain: BothFiles,
  zoned: BothFiles,
  knowledge: Knowledge,
): void {
  if (printsLocalTimes(plain, zoned, knowledge)) return;
  // The way in which the PDF writes dates is unknown: then its columns tell whether they are still those in UTC.
  const [before, after] = [tableOf(zoned.utc), tableOf(zoned.csv)];
  const stillPrinted = matched(zoned, knowledge).columns;
  const { columns, cut } = matched(plain, knowledge);
  const dates = columns.filter((column) => {
    const [cells, moved] = [before, after].map(({ rows }) => rows.map((row) => row[column] ?? ''));
    const areDates = [cells, moved].every((texts) => readDateColumn(texts ?? []).length > 0);
    return areDates && !cut.includes(column) && cells?.join() !== moved?.join();
  });
  const [lost] = dates;
  if (lost === undefined) throw new NotJudged('The PDF shows no dates of the CSV.');
  // Of two times that are nearly the same, only one may be recognized.
  if (dates.some((column) => stillPrinted.includes(column))) return;
  const unmoved = matchEvents(before.rows, readingOf(zoned.pdf)).columns;
  if (!unmoved.includes(lost)) {
    throw new Inconclusive('The dates of the PDF were not recognized.', [zoned.pdf.answer]);
  }
  const [expected = '', actual = ''] = [after, before].map(({ rows }) => rows[0]?.[lost]);
  throw new Violation(
    { kind: 'dates', timezone: zoneOf(zoned), fileType: 'pdf', expected, actual },
    [zoned.pdf.answer, zoned.csv.answer],
  );
}

/**
 * Judges that the PDF of a query in a timezone or locale holds the events of its CSV.
 * @throws NothingSeen where the plain PDF lacks events, Inconclusive where dates are wrong too, and may hide events
 */
export function expectSameEventsInForm(
  plain: BothFiles,
  inForm: BothFiles,
  knowledge: Knowledge,
  asked: string[],
): void {
  try {
    expectSameEventsInPdf(plain, knowledge);
  } catch (error) {
    throw error instanceof Violation ? new NothingSeen() : error;
  }
  try {
    expectSameEventsInPdf(inForm, knowledge, plain, asked);
  } catch (error) {
    if (!(error instanceof Violation) || !showsOtherDates(plain, inForm, knowledge)) throw error;
    throw new Inconclusive(
      'The PDF, or its CSV, shows other dates than the local ones: that is export.timezone-formats-the-dates.',
      [inForm.pdf.answer, inForm.csv.answer],
    );
  }
}

/** Whether the CSV or the PDF surely shows other dates than local times. */
function showsOtherDates(plain: BothFiles, zoned: BothFiles, knowledge: Knowledge): boolean {
  const judges = [
    () => void printsLocalTimes(plain, zoned, knowledge),
    () => expectDatesInZone({ ...zoned, zone: zoneOf(zoned) }, knowledge),
  ];
  return judges.some((judge) => outcomeOf(judge).wrong !== undefined);
}

function zoneOf({ csv }: BothFiles): string {
  return csv.query.timezone ?? 'UTC';
}

const sameEvents = scenario({
  name: 'the PDF of a query holds the events of its CSV',
  async act({ exports }) {
    const knowledge = await exports.knowledge();
    const { sample } = knowledge.window;
    // Without the events that changed between reads, a window with events could seem empty.
    const { base } = knowledge.original;
    await expectFitsIntoPdf(exports, knowledge);
    const locale = (await translatedSamples(exports, knowledge))[0]?.query.locale;
    const [plain, english, translated, zoned, empty] = await Promise.all([
      asBothFiles(exports, sample),
      // Sent together, in this order: a service that mixes up locale or timezone of neighbouring requests is found out.
      exports.pdfWithin({ ...sample, locale: 'en' }),
      locale === undefined ? undefined : exports.pdfWithin({ ...sample, locale }),
      exports.pdfWithin({ ...sample, timezone: zoneOfQuarters }),
      base.table.rows.length === 0 ? exports.pdfWithin(longAgo) : undefined,
    ]);
    return { knowledge, plain, zoned, english, translated, empty };
  },
  judges: {
    'export.pdf-opens': ({ plain }) => expectOpens(plain.pdf),
    'export.pdf-holds-the-events-of-the-csv': ({ knowledge, plain, empty }) => {
      if (empty !== undefined) return expectNoEventsInPdf(plain, empty);
      expectSameEventsInPdf(plain, knowledge);
    },
    'export.locale-defaults-to-en': ({ plain, english, translated, zoned }) => {
      if (plain.pdf.reading === undefined) throw new NothingSeen();
      expectServed('a PDF with locale=en, the default', english);
      if (english.reading === undefined) throw new NothingSeen();
      expectInLanguage({ own: [plain.pdf, zoned], right: english });
      if (translated === undefined) return;
      for (const own of [english, zoned]) {
        expectInLanguage({ own: [own], right: plain.pdf, another: translated });
      }
    },
    ...judgesBy(ofExport, ({ plain, zoned }: { plain: BothFiles; zoned: PdfDownload }) => [
      plain.pdf.answer,
      zoned.answer,
    ]),
  },
  observes: {
    'export.pdf-content-type': ({ plain: { pdf } }) => contentType(pdf.answer),
    'export.file-name': ({ plain: { pdf } }) => fileName('pdf', pdf.answer),
    'interface.answer-headers': ({ plain: { pdf } }) =>
      pdf.answer.status === 200 ? headerNames('pdf', [pdf.answer]) : [],
    'export.pdf-form': ({ knowledge, plain }) => pdfForm(plain, knowledge),
  },
});

/** @throws NotJudged where the sample, which cannot be narrowed, holds more events than a PDF may hold */
async function expectFitsIntoPdf(exports: Exports, { window }: Knowledge): Promise<void> {
  const { rows = [] } = (await exports.within(window.sample)).table ?? {};
  if (rows.length <= pdfEventLimit) return;
  const why = `No range was found that holds events, and no more than a PDF may hold (${rows.length} share their instants).`;
  throw new NotJudged(why);
}

/** PDFs that must be in the language of `right`, in their own words or beside one that was asked for in another. */
interface InLanguage {
  /** Of several, the words that all hold: one in a single PDF may be a random mark. */
  readonly own: readonly PdfDownload[];
  readonly right: PdfDownload;
  readonly another?: PdfDownload;
}

/** @throws Violation where words in another language stand in PDFs, and none of those that are in their place in `right` */
function expectInLanguage({ own, right, another }: InLanguage): void {
  const others = another === undefined ? own : [another];
  const [foreign, due] = [wordsOnlyIn(others, [right]), wordsOnlyIn([right], others)];
  const isShown = (word: string): boolean => own.every((pdf) => wordsIn(pdf).has(word));
  const example = foreign.find(isShown);
  if (example === undefined || due.length === 0 || due.some(isShown)) return;
  const expected = `words such as ${due[0]}`;
  const difference =
    another === undefined
      ? other('writes otherwise without locale', { expected, actual: `${example} in its place` })
      : other('writes as in an earlier locale', { expected, actual: `${another.query.locale}` });
  throw new Violation(
    difference,
    [own[0], another, right].flatMap((pdf) => pdf?.answer ?? []),
  );
}

/** The words that all of the first files hold, and none of the others. */
function wordsOnlyIn(files: readonly PdfDownload[], others: readonly PdfDownload[]): string[] {
  const [[first, ...rest], inOthers] = [files.map(wordsIn), others.map(wordsIn)];
  return [...(first ?? [])].filter(
    (word) => rest.every((words) => words.has(word)) && !inOthers.some((words) => words.has(word)),
  );
}

/** The words of a PDF, of four letters or more. */
function wordsIn({ reading }: PdfDownload): ReadonlySet<string> {
  const texts = reading?.pages.flatMap((page) => page.texts.map(({ text }) => text)) ?? [];
  return new Set(texts.flatMap((text) => text.match(/\p{L}[\p{L}\p{M}]{3,}/gu) ?? []));
}

type PdfForm = Observation<'export.pdf-form'>;

/** How a PDF looks: paper, left edges of texts, what each page repeats, and which columns of the CSV it omits. */
function pdfForm(files: BothFiles, knowledge: Knowledge): PdfForm[] {
  const { table } = files.csv;
  const { pages } = files.pdf.reading ?? {};
  if (pages === undefined || table === undefined) return [];
  const [first] = pages;
  if (first === undefined) return [{ pages: 0 }];
  const match = matched(files, knowledge);
  const { ignored } = knowledge.columns;
  const named = (column: number): string =>
    publicName(table.headings?.[column] ?? `column ${column + 1}`);
  const filled = columnsOfEvents(table, ignored).filter((column) =>
    table.rows.some((row) => row[column]),
  );
  const omitted = filled.filter((column) => !match.columns.includes(column));
  return [
    { width: Math.round(first.width) },
    { height: Math.round(first.height) },
    { leftEdges: leftEdgesOf(pages) },
    ...repeated(pages),
    ...(omitted.length === 0 ? [{ printsEveryColumn: true }] : []),
    ...omitted.map((column) => ({ leavesOut: named(column) })),
    ...match.cut.map((column) => ({ cutsOff: named(column) })),
    ...(hasEllipses(pages, table) ? [{ ellipses: true }] : []),
  ];
}

/** Whether a PDF holds an ellipsis that does not come from a cell of the CSV. */
function hasEllipses(pages: readonly PdfPage[], { rows }: CsvTable): boolean {
  const ellipsis = /…|\.\.\./;
  const isOfTheCsv = rows.some((row) => row.some((cell) => ellipsis.test(cell)));
  return !isOfTheCsv && pages.some(({ texts }) => texts.some(({ text }) => ellipsis.test(text)));
}

/** How many left edges more than 2 % of all texts share: in a table one for each column, in lists and cards fewer. */
function leftEdgesOf(pages: readonly PdfPage[]): number {
  const texts = pages.flatMap((page) => page.texts);
  const edges = countsOf(texts.map(({ x }) => Math.round(x)));
  return [...edges.values()].filter((times) => times > 0.02 * texts.length).length;
}

/** Whether every page holds the same title, and its own number, at the same height; [] of a PDF of one page. */
function repeated(pages: readonly PdfPage[]): PdfForm[] {
  const [first, ...others] = pages;
  if (first === undefined || others.length === 0) return [];
  const isOnAll = (isLike: (text: PdfText, page: number) => boolean): boolean =>
    others.every(({ texts }, index) => texts.some((text) => isLike(text, index + 2)));
  const title = first.texts.find((onFirst) =>
    isOnAll((text) => text.text === onFirst.text && isLevel(text, onFirst)),
  );
  const hasNumbers = first.texts.some(
    (one) =>
      /\b1\b/.test(one.text) &&
      isOnAll((text, page) => new RegExp(`\\b${page}\\b`).test(text.text) && isLevel(text, one)),
  );
  return [{ runningTitle: titled(title) }, { pageNumbers: hasNumbers }];
}

function titled(title: PdfText | undefined) {
  if (title === undefined) return 'none';
  return /\d/.test(title.text) ? 'with numbers' : 'without numbers';
}

function isLevel(one: PdfText, other: PdfText): boolean {
  return Math.abs(one.y - other.y) < 2;
}

export const pdfScenarios = [sameEvents];
