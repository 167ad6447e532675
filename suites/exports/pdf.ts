import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { columnsOfEvents } from '../../helpers/exports/columns.ts';
import type { PdfDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { longAgo } from '../../helpers/exports/window.ts';
import { countsOf } from '../../helpers/group-by.ts';
import { NothingSeen, NotJudged, other, Violation } from '../../helpers/outcomes.ts';
import type { PdfPage, PdfText } from '../../helpers/pdf/read-pdf.ts';
import { scenario } from '../../runner/scenario.ts';
import type { Observation } from '../../schemas/observations.ts';
import { pdfEventLimit } from '../../schemas/operations.ts';
import { judgesBy, ofExport } from '../answers.ts';
import { headerNames, publicName } from '../shapes.ts';
import { contentType, fileName } from './csv.ts';
import { translatedSamples } from './levels.ts';
import {
  asBothFiles,
  type BothFiles,
  expectNoEventsInPdf,
  expectOpens,
  expectSameEventsInPdf,
  matched,
} from './pdf-events.ts';
import { expectServed } from './relations.ts';
import { zoneOfQuarters } from './timezone.ts';

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
      base.table.count === 0 ? exports.pdfWithin(longAgo) : undefined,
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
  const { count = 0 } = (await exports.within(window.sample)).table ?? {};
  if (count <= pdfEventLimit) return;
  const why = `No range was found that holds events, and no more than a PDF may hold (${count} share their instants).`;
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
  const on = [...own.slice(0, 1), ...(another ? [another] : []), right];
  throw new Violation(
    difference,
    on.map(({ answer }) => answer),
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
  const { reading } = files.pdf;
  const { table } = files.csv;
  if (reading === undefined || table === undefined) return [];
  const { pages } = reading;
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
