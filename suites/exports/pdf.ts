import { difference, type Multiset, multiset } from '../../helpers/csv/multiset.ts';
import type { PdfDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { longAgo, type TimeRange } from '../../helpers/exports/window.ts';
import { CannotUphold, NothingSeen, NotJudged, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { pdfEventLimit } from '../../schemas/operations.ts';
import { judgeEach } from '../expectations.ts';
import { headerNames } from '../shapes.ts';
import { exportAnswerJudges } from './answers.ts';
import { contentType, fileName } from './csv-observations.ts';
import { boundOf, findEventInstant } from './event-instants.ts';
import {
  areLocal,
  asBothFiles,
  type BothFiles,
  DoubtfulEvents,
  expectDatesInZone,
  expectNoEventsInPdf,
  expectOpens,
  expectSameEventsInPdf,
  expectSameEventsInZone,
  formsIn,
  matched,
  type Zoned,
} from './pdf-events.ts';
import { pdfForm } from './pdf-observations.ts';
import { expectServed } from './relations.ts';
import { changingZone, rangeAboutChange } from './timezone.ts';

interface Pdfs {
  readonly knowledge: Knowledge;
  readonly plain: BothFiles;
  readonly zoned: Zoned;
  /** undefined where no other locale is supported. */
  readonly translated: BothFiles | undefined;
  readonly english: InEnglish;
  /** Of a range that holds no events; asked for where the CSV holds none. */
  readonly empty: PdfDownload | undefined;
}

const sameEvents = scenario({
  name: 'the PDF of a query holds the events of its CSV',
  async act({ exports }): Promise<Pdfs> {
    const knowledge = await exports.knowledge();
    const { window } = knowledge;
    // That nothing stood still of it makes no window empty.
    const { base } = knowledge.asLearned ?? knowledge;
    await expectFitsIntoPdf(exports, knowledge);
    const [plain, english, translated, zoned, empty] = await Promise.all([
      asBothFiles(exports, window.sample),
      // In this order: what is set for one of them shows in the one before it, or in the one after it.
      inEnglish(exports, window.sample),
      inAnotherLocale(exports, window.sample),
      inTimezone(exports, window.sample, zoneOfPdfs),
      base.table.count === 0 ? exports.pdf({ ...longAgo, ...base.utc }) : undefined,
    ]);
    return { knowledge, plain, zoned, translated, english, empty };
  },
  judges: {
    'export.pdf-opens': ({ plain }) => expectOpens(plain.pdf),
    'export.pdf-holds-the-events-of-the-csv': ({ knowledge, plain, empty }) => {
      if (empty !== undefined) return expectNoEventsInPdf(plain, empty);
      expectSameEventsInPdf(plain, knowledge);
    },
    'export.timezone-keeps-the-events': ({ knowledge, plain, zoned }) =>
      judgeBeside(plain, knowledge, () => expectSameEventsInZone(plain, zoned, knowledge)),
    'export.timezone-formats-the-dates': ({ knowledge, plain, zoned }) => {
      const isServed = plain.pdf.answer.status < 400;
      if (isServed) expectServed(`an export with timezone=${zoned.zone} as PDF`, zoned.files.pdf);
      expectDatesInZone(plain, zoned, knowledge);
    },
    'export.locale-defaults-to-en': ({ plain, english, translated, zoned }) => {
      expectInEnglish(english);
      const others = [...english.english, zoned.files.pdf];
      if (translated !== undefined) expectNoneAs(translated.pdf, plain.pdf, others);
    },
    'export.locale-keeps-the-events': ({ knowledge, plain, translated }) => {
      if (translated === undefined) return;
      judgeBeside(plain, knowledge, () => expectSameEventsInPdf(translated, knowledge));
    },
    ...exportAnswerJudges(({ plain, zoned }: Pdfs) => [plain.pdf.answer, zoned.files.pdf.answer]),
  },
  observes: {
    'export.pdf-content-type': ({ plain: { pdf } }) => contentType(pdf.answer),
    'export.file-name': ({ plain: { pdf } }) => fileName('pdf', pdf.answer),
    'interface.answer-headers': ({ plain: { pdf } }) =>
      pdf.answer.status === 200 ? headerNames('pdf', [pdf.answer]) : [],
    'export.pdf-form': ({ knowledge, plain }) => {
      const { reading } = plain.pdf;
      const { table } = plain.csv;
      if (reading === undefined || table === undefined) return [];
      const match = matched(plain, knowledge);
      return pdfForm({ reading, table, match, ignored: knowledge.columns.ignored });
    },
  },
});

const aboutClockChange = scenario({
  name: 'a PDF shows local times before and after clocks are changed',
  async act({ exports }) {
    const knowledge = await exports.knowledge();
    await expectFitsIntoPdf(exports, knowledge);
    const range = await rangeAboutChange(exports, knowledge);
    const [plain, zoned] = await Promise.all([
      asBothFiles(exports, knowledge.window.sample),
      range && inTimezone(exports, range, changingZone),
    ]);
    return { knowledge, plain, zoned };
  },
  judges: {
    'export.timezone-formats-the-dates': ({ knowledge, plain, zoned }) => {
      if (zoned === undefined) throw new NotJudged('No events around a clock change are known.');
      if (!areLocal(zoned, formsIn(plain, knowledge), knowledge)) {
        throw new NotJudged('How the PDF writes dates could not be found out.');
      }
    },
    // This range begins and ends at the very instants of events.
    'export.pdf-holds-the-events-of-the-csv': ({ knowledge, plain, zoned }) => {
      if (zoned === undefined) throw new NotJudged('No events around a clock change are known.');
      try {
        judgeBeside(plain, knowledge, () => expectSameEventsInZone(plain, zoned, knowledge));
      } catch (error) {
        if (!(error instanceof DoubtfulEvents)) throw error;
        throw new NotJudged(error.message);
      }
    },
  },
});

/** Where files show times less finely than bounds are read, no other PDF begins or ends at the very instant of an event. */
const atAnInstant = scenario({
  name: 'the PDFs up to the very instant of an event, and from it on, hold the events of their CSVs',
  async act({ exports }) {
    const knowledge = await exports.knowledge();
    const { start, end } = knowledge.window.sample;
    const { unit = Number.POSITIVE_INFINITY } = knowledge.columns.times ?? {};
    const found = unit > 1 ? await findEventInstant(exports, knowledge) : undefined;
    if (found?.kind !== 'exact') return { knowledge, files: [] };
    const at = boundOf(found.at);
    const ranges = [
      { start, end: at },
      { start: at, end },
    ];
    return { knowledge, files: await Promise.all(ranges.map((one) => asBothFiles(exports, one))) };
  },
  judges: {
    'export.pdf-holds-the-events-of-the-csv': ({ knowledge, files }) => {
      if (files.length === 0) throw new NotJudged('Other PDFs show it, or no instant is known.');
      judgeEach(files, (one) => expectSameEventsInPdf(one, knowledge));
    },
  },
});

const otherLocale = 'de';

/** The zone in which the sample is asked for as PDF: local times there differ from UTC in hours and minutes. */
const zoneOfPdfs = 'Asia/Kathmandu';

/** How a PDF writes dates in another locale is not known: whether they move with the timezone shows all the same. */
const inLocaleAndZone = scenario({
  name: 'a PDF in another locale shows other dates in a timezone than without it',
  async act({ exports }) {
    const knowledge = await exports.knowledge();
    await expectFitsIntoPdf(exports, knowledge);
    const { sample } = knowledge.window;
    const [plain, zoned, translated] = await Promise.all([
      asBothFiles(exports, sample),
      exports.pdfWithin({ ...sample, timezone: zoneOfPdfs }),
      inAnotherLocale(exports, sample),
    ]);
    if (translated === undefined) return undefined;
    const query = { ...sample, locale: otherLocale, timezone: zoneOfPdfs };
    return { plain, zoned, translated, both: await exports.pdfWithin(query) };
  },
  judges: {
    'export.timezone-formats-the-dates': (files) => {
      if (files === undefined) throw new NotJudged('No other locale is supported.');
      const { plain, zoned, translated, both } = files;
      const query = `a PDF with locale=${otherLocale} and timezone=${zoneOfPdfs}`;
      expectServed(query, both);
      const count = plain.csv.table?.count ?? 0;
      const [inEnglish, inOther] = [moved(plain.pdf, zoned), moved(translated.pdf, both)];
      // A title may name the timezone, and when the file was made; a day alone moves for some of the events.
      if (inEnglish >= count && inOther < count / 10) {
        throw new Violation(
          { kind: 'other', wrong: 'shows the same dates in a timezone', count: inOther },
          [both.answer, translated.pdf.answer],
        );
      }
      throw new CannotUphold('Dates that move need not be those of the timezone.');
    },
  },
});

/** How many words of a PDF another one does not hold, each as often as it stands there. */
function moved(one: PdfDownload, other: PdfDownload): number {
  const everyWord = (pdf: PdfDownload): Multiset =>
    multiset(textsIn(pdf).flatMap((text) => (text.match(/\S+/g) ?? []).map((word) => [word])));
  return difference(everyWord(one), everyWord(other)).missing.length;
}

function textsIn({ reading }: PdfDownload): string[] {
  return (reading?.pages ?? []).flatMap((page) => page.texts.map(({ text }) => text));
}

/** @throws NotJudged where more events than a PDF may hold share the instants of the sample */
async function expectFitsIntoPdf(
  exports: Exports,
  { window: { sample }, columns: { times } }: Knowledge,
): Promise<void> {
  const isInside = (at: number): boolean => at >= sample.start && at <= sample.end;
  const count =
    times?.instants.filter(isInside).length ?? (await exports.within(sample)).table?.count ?? 0;
  if (count <= pdfEventLimit) return;
  const why = `No range was found that holds events, and no more than a PDF may hold (${count} share their instants).`;
  throw new NotJudged(why);
}

async function inTimezone(exports: Exports, range: TimeRange, zone: string): Promise<Zoned> {
  const [utc, files] = await Promise.all([
    exports.within(range),
    asBothFiles(exports, { ...range, timezone: zone }),
  ]);
  return { utc, zone, files };
}

async function inAnotherLocale(
  exports: Exports,
  sample: TimeRange,
): Promise<BothFiles | undefined> {
  const files = await asBothFiles(exports, { ...sample, locale: otherLocale });
  return files.csv.table !== undefined && files.pdf.answer.status === 200 ? files : undefined;
}

/** The same PDF without locale and with locale en; twice where their words differ. */
interface InEnglish {
  readonly byDefault: readonly PdfDownload[];
  readonly english: readonly PdfDownload[];
}

async function inEnglish(exports: Exports, { start, end }: TimeRange): Promise<InEnglish> {
  const ask = async (range: TimeRange): Promise<InEnglish> => {
    const [byDefault, english] = await Promise.all([
      exports.pdfWithin(range),
      exports.pdfWithin({ ...range, locale: 'en' }),
    ]);
    return { byDefault: [byDefault], english: [english] };
  };
  const once = await ask({ start, end });
  const { ofDefault, ofEnglish } = wordsThatDiffer(once);
  if (ofDefault.length === 0 || ofEnglish.length === 0) return once;
  // The same events once more: a file may be marked with letters at random.
  const again = await ask({ start: start + 1, end });
  return {
    byDefault: [...once.byDefault, ...again.byDefault],
    english: [...once.english, ...again.english],
  };
}

/** The words that all files of one kind have, and none of the other. */
function wordsThatDiffer({ byDefault, english }: InEnglish) {
  const [some, others] = [byDefault.map(wordsIn), english.map(wordsIn)];
  const only = (those: readonly ReadonlySet<string>[], these: readonly ReadonlySet<string>[]) =>
    [...(those[0] ?? [])].filter(
      (word) => those.every((words) => words.has(word)) && !these.some((words) => words.has(word)),
    );
  return { ofDefault: only(some, others), ofEnglish: only(others, some) };
}

function wordsIn(pdf: PdfDownload): ReadonlySet<string> {
  return new Set(textsIn(pdf).flatMap((text) => text.match(/\p{L}[\p{L}\p{M}]{3,}/gu) ?? []));
}

/** @throws Violation where the PDF without locale says in other words what that of locale en says */
function expectInEnglish(files: InEnglish): void {
  const [byDefault] = files.byDefault;
  const [english] = files.english;
  if (byDefault?.reading === undefined || english === undefined) throw new NothingSeen();
  expectServed('a PDF with locale=en, the default', english);
  if (english.reading === undefined) throw new NothingSeen();
  const { ofDefault, ofEnglish } = wordsThatDiffer(files);
  if (ofDefault.length === 0 || ofEnglish.length === 0) return;
  throw new Violation(
    {
      kind: 'other',
      wrong: 'writes otherwise without locale',
      expected: `words such as ${ofEnglish[0]}`,
      actual: `${ofDefault[0]} in its place`,
    },
    [byDefault.answer, english.answer],
  );
}

/**
 * A locale is that of its own request.
 *
 * @param plain the same events without locale
 * @param others in English, of whatever events
 * @throws Violation where one of these has words of the translated one, and none of those that it has in English
 */
function expectNoneAs(
  translated: PdfDownload,
  plain: PdfDownload,
  others: readonly PdfDownload[],
): void {
  const [words, inPlain] = [wordsIn(translated), wordsIn(plain)];
  const ofTranslated = [...words].filter((word) => !inPlain.has(word));
  const ofEnglish = [...inPlain].filter((word) => !words.has(word));
  if (ofTranslated.length === 0 || ofEnglish.length === 0) return;
  for (const other of others) {
    const found = wordsIn(other);
    const [word] = ofTranslated.filter((one) => found.has(one));
    if (word === undefined || ofEnglish.some((one) => found.has(one))) continue;
    throw new Violation(
      {
        kind: 'other',
        wrong: 'writes as in an earlier locale',
        expected: `words such as ${ofEnglish[0]}`,
        actual: `${translated.query.locale}`,
      },
      [other.answer, translated.answer, plain.answer],
    );
  }
}

/** Judges a PDF unless the plain one lacks events already. */
function judgeBeside(plain: BothFiles, knowledge: Knowledge, judge: () => void): void {
  try {
    expectSameEventsInPdf(plain, knowledge);
  } catch (error) {
    // That has a clause of its own.
    if (error instanceof Violation) return;
    throw error;
  }
  judge();
}

export const pdfScenarios = [sameEvents, aboutClockChange, atAnInstant, inLocaleAndZone];
