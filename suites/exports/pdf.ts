import { difference, type Multiset, multiset } from '../../helpers/csv/multiset.ts';
import type { PdfDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { longAgo } from '../../helpers/exports/window.ts';
import { NothingSeen, NotJudged, other, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { pdfEventLimit } from '../../schemas/operations.ts';
import { judgesBy, ofCsv, ofExport } from '../answers.ts';
import { judgeEach } from '../expectations.ts';
import { headerNames } from '../shapes.ts';
import { contentType, fileName } from './csv-observations.ts';
import { boundOf, findEventInstant } from './event-instants.ts';
import { translatedSample } from './levels.ts';
import {
  asBothFiles,
  type BothFiles,
  DoubtfulEvents,
  expectLocalDatesInPdf,
  expectNoEventsInPdf,
  expectOpens,
  expectSameEventsInPdf,
  expectSameEventsInZonedPdf,
  formsIn,
  inTimezone,
  matched,
  printsLocalTimes,
  type ZonedFiles,
} from './pdf-events.ts';
import { pdfForm } from './pdf-observations.ts';
import { expectSameEvents, expectServed } from './relations.ts';
import { changingZone, expectDatesInZone, rangeAboutChange, zoneOfQuarters } from './timezone.ts';

interface Pdfs {
  readonly knowledge: Knowledge;
  readonly plain: BothFiles;
  /** The sample up to the instant of an event, and from there on: see `cutAtInstant`. */
  readonly bounded: readonly BothFiles[];
  readonly zoned: ZonedFiles;
  /** The sample with locale=en. */
  readonly english: PdfDownload;
  /** undefined where no other locale is supported. */
  readonly translated: Translated | undefined;
  /** The PDF of a range without events; undefined unless the window holds none either. */
  readonly empty: PdfDownload | undefined;
}

/** The sample in another locale than English. */
interface Translated extends BothFiles {
  /** The PDF in this locale and in a timezone. */
  readonly zoned: PdfDownload;
}

const sameEvents = scenario({
  name: 'the PDF of a query holds the events of its CSV',
  async act({ exports }): Promise<Pdfs> {
    const knowledge = await exports.knowledge();
    const { sample } = knowledge.window;
    // `asLearned` still has the events that changed between reads; without them, a window with events could seem empty.
    const { base } = knowledge.asLearned ?? knowledge;
    await expectFitsIntoPdf(exports, knowledge);
    const locale = (await translatedSample(exports, knowledge))?.query.locale;
    const inLocale = locale === undefined ? undefined : { ...sample, locale };
    const [plain, english, otherLocale, zoned, empty] = await Promise.all([
      asBothFiles(exports, sample),
      // Sent together, in this order: a service that mixes up locale or timezone of neighbouring requests is found out.
      exports.pdfWithin({ ...sample, locale: 'en' }),
      inLocale && asBothFiles(exports, inLocale),
      inTimezone(exports, sample, zoneOfQuarters),
      base.table.count === 0 ? exports.pdf({ ...longAgo, ...base.utc }) : undefined,
    ]);
    const bounded = await cutAtInstant(exports, knowledge);
    const common = { knowledge, plain, bounded, zoned, english, empty };
    if (otherLocale?.pdf.answer.status !== 200) return { ...common, translated: undefined };
    const zonedToo = await exports.pdfWithin({ ...inLocale, timezone: zoneOfQuarters });
    return { ...common, translated: { ...otherLocale, zoned: zonedToo } };
  },
  judges: {
    'export.pdf-opens': ({ plain }) => expectOpens(plain.pdf),
    'export.pdf-holds-the-events-of-the-csv': ({ knowledge, plain, bounded, empty }) => {
      if (empty !== undefined) return expectNoEventsInPdf(plain, empty);
      judgeEach([plain, ...bounded], (files) => expectSameEventsInPdf(files, knowledge));
    },
    'export.timezone-keeps-the-events': ({ knowledge, plain, zoned }) =>
      judgeUnlessPlainIsWrong(plain, knowledge, () =>
        expectSameEventsInZonedPdf(plain, zoned, knowledge),
      ),
    'export.timezone-formats-the-dates': ({ knowledge, plain, zoned, translated }) => {
      const isServed = plain.pdf.answer.status < 400;
      if (isServed) expectServed(`an export with timezone=${zoned.zone} as PDF`, zoned.pdf);
      if (translated !== undefined) expectOtherDates(plain, zoned, translated);
      expectLocalDatesInPdf(plain, zoned, knowledge);
    },
    'export.locale-defaults-to-en': ({ plain, english, translated, zoned }) => {
      expectInEnglish([plain.pdf, zoned.pdf], english);
      if (translated === undefined) return;
      expectLocaleNotKept(translated.pdf, plain.pdf, [english, zoned.pdf]);
    },
    'export.locale-keeps-the-events': ({ knowledge, plain, translated }) => {
      if (translated === undefined) throw new NothingSeen();
      judgeUnlessPlainIsWrong(plain, knowledge, () => expectSameEventsInPdf(translated, knowledge));
    },
    ...judgesBy(ofExport, ({ plain, zoned }: Pdfs) => [plain.pdf.answer, zoned.pdf.answer]),
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

interface AboutChange {
  readonly knowledge: Knowledge;
  readonly plain: BothFiles;
  /** undefined where no events are known on both sides of a change. */
  readonly zoned: ZonedFiles | undefined;
}

/** A scenario of its own, so that a run says whether dates were judged on both sides of a clock change. */
const aboutClockChange = scenario({
  name: 'dates before and after clocks are changed have offsets of their own',
  async act({ exports }): Promise<AboutChange> {
    const knowledge = await exports.knowledge();
    const range = await rangeAboutChange(exports, knowledge);
    const [plain, zoned] = await Promise.all([
      asBothFiles(exports, knowledge.window.sample),
      range && inTimezone(exports, range, changingZone),
    ]);
    return { knowledge, plain, zoned };
  },
  judges: {
    'export.timezone-keeps-the-events': (evidence) => {
      const { zone, utc, csv } = requireChange(evidence);
      expectSameEvents(`timezone=${zone}`, utc, csv, evidence.knowledge.columns);
    },
    'export.timezone-formats-the-dates': (evidence) => {
      const { knowledge, plain } = evidence;
      const zoned = requireChange(evidence);
      expectServed(`an export with timezone=${zoned.zone}`, zoned.csv);
      const inCsv = () => expectDatesInZone(zoned, knowledge);
      const inPdf = () => {
        if (printsLocalTimes(zoned, formsIn(plain, knowledge), knowledge)) return;
        throw new NotJudged('How the PDF writes dates could not be found out.');
      };
      judgeEach([inCsv, inPdf], (judge) => judge());
    },
    // This range begins and ends at instants of events: a PDF that excludes its bounds lacks events.
    'export.pdf-holds-the-events-of-the-csv': (evidence) => {
      const { knowledge, plain } = evidence;
      const zoned = requireChange(evidence);
      try {
        judgeUnlessPlainIsWrong(plain, knowledge, () =>
          expectSameEventsInZonedPdf(plain, zoned, knowledge),
        );
      } catch (error) {
        if (!(error instanceof DoubtfulEvents)) throw error;
        throw new NotJudged(error.message);
      }
    },
    ...judgesBy(ofCsv, ({ zoned }: AboutChange) => (zoned ? [zoned.csv.answer] : [])),
  },
});

/** The files about a clock change. @throws NotJudged where no events are known on both sides of one */
function requireChange({ zoned }: AboutChange): ZonedFiles {
  if (zoned !== undefined) return zoned;
  throw new NotJudged(
    `No events are known on both sides of a clock change in ${changingZone}: it is not seen whether each date has the offset of its own time of year.`,
  );
}

/**
 * Dates in another locale are not read: a timezone that changes a word of each event in English must do so there too.
 * @throws Violation where a PDF in another locale is refused in a timezone, or shows the same dates in it as without
 */
function expectOtherDates(plain: BothFiles, zoned: ZonedFiles, translated: Translated): void {
  const { pdf, zoned: zonedPdf } = translated;
  expectServed(`a PDF with locale=${pdf.query.locale} and timezone=${zoned.zone}`, zonedPdf);
  const count = wordsChanged(pdf, zonedPdf);
  const events = plain.csv.table?.count ?? 0;
  // A few words change anyhow, as a title with the timezone; where only days are printed, few dates change.
  if (wordsChanged(plain.pdf, zoned.pdf) < events || count >= events / 10) return;
  const on = [zonedPdf.answer, pdf.answer];
  throw new Violation(other('shows the same dates in a timezone', { count }), on);
}

/** How many words of a PDF another one lacks: a word five times in the one and twice in the other counts three. */
function wordsChanged(pdf: PdfDownload, other: PdfDownload): number {
  const everyWord = (file: PdfDownload): Multiset =>
    multiset(textsIn(file).flatMap((text) => (text.match(/\S+/g) ?? []).map((word) => [word])));
  return difference(everyWord(pdf), everyWord(other)).missing.length;
}

function textsIn({ reading }: PdfDownload): string[] {
  return (reading?.pages ?? []).flatMap((page) => page.texts.map(({ text }) => text));
}

/** @throws NotJudged where the sample, which cannot be narrowed, holds more events than a PDF may hold */
async function expectFitsIntoPdf(exports: Exports, { window }: Knowledge): Promise<void> {
  const { count = 0 } = (await exports.within(window.sample)).table ?? {};
  if (count <= pdfEventLimit) return;
  const why = `No range was found that holds events, and no more than a PDF may hold (${count} share their instants).`;
  throw new NotJudged(why);
}

/**
 * The sample cut in two at an event, as both files; [] where `aboutClockChange` has exact instants, or none is known.
 */
async function cutAtInstant(exports: Exports, knowledge: Knowledge): Promise<BothFiles[]> {
  const { start, end } = knowledge.window.sample;
  const { unit = Number.POSITIVE_INFINITY } = knowledge.columns.times ?? {};
  const { table } = await exports.within({ start, end });
  if (unit <= 1 || table === undefined || table.count === 0) return [];
  const instant = await findEventInstant(exports, knowledge);
  if (instant.kind !== 'exact') return [];
  const at = boundOf(instant.at);
  const ranges = [
    { start, end: at },
    { start: at, end },
  ];
  return await Promise.all(ranges.map((range) => asBothFiles(exports, range)));
}

/** The words that all of the first files hold, and none of the others. */
function wordsOnlyIn(files: readonly PdfDownload[], others: readonly PdfDownload[]): string[] {
  const [[first, ...rest], inOthers] = [files.map(wordsIn), others.map(wordsIn)];
  return [...(first ?? [])].filter(
    (word) => rest.every((words) => words.has(word)) && !inOthers.some((words) => words.has(word)),
  );
}

/** The words of a PDF, of four letters or more. */
function wordsIn(pdf: PdfDownload): ReadonlySet<string> {
  return new Set(textsIn(pdf).flatMap((text) => text.match(/\p{L}[\p{L}\p{M}]{3,}/gu) ?? []));
}

/**
 * @param byDefault two PDFs without locale: a word in one of them alone may be a random mark
 * @throws Violation where the PDFs without locale have words that the one with locale=en lacks, and lack words of it
 */
function expectInEnglish(byDefault: readonly PdfDownload[], english: PdfDownload): void {
  const [first] = byDefault;
  if (first?.reading === undefined) throw new NothingSeen();
  expectServed('a PDF with locale=en, the default', english);
  if (english.reading === undefined) throw new NothingSeen();
  const [ofDefault] = wordsOnlyIn(byDefault, [english]);
  const [ofEnglish] = wordsOnlyIn([english], byDefault);
  if (ofDefault === undefined || ofEnglish === undefined) return;
  const values = { expected: `words such as ${ofEnglish}`, actual: `${ofDefault} in its place` };
  const on = [first.answer, english.answer];
  throw new Violation(other('writes otherwise without locale', values), on);
}

/**
 * A locale counts for its own request alone.
 * @param plain the same events as in the translated PDF, without locale
 * @param others PDFs that were asked for in English, of whatever events
 * @throws Violation where one of the others holds words of the translated PDF, and no English words in their place
 */
function expectLocaleNotKept(
  translated: PdfDownload,
  plain: PdfDownload,
  others: readonly PdfDownload[],
): void {
  const ofTranslated = wordsOnlyIn([translated], [plain]);
  const ofEnglish = wordsOnlyIn([plain], [translated]);
  for (const pdf of others) {
    const words = wordsIn(pdf);
    const isIn = (word: string): boolean => words.has(word);
    if (ofEnglish.length === 0 || !ofTranslated.some(isIn) || ofEnglish.some(isIn)) continue;
    const values = {
      expected: `words such as ${ofEnglish[0]}`,
      actual: `${translated.query.locale}`,
    };
    const on = [pdf.answer, translated.answer, plain.answer];
    throw new Violation(other('writes as in an earlier locale', values), on);
  }
}

/** Calls a judge of a PDF in another form. @throws NothingSeen where the plain PDF lacks events: of that is a clause */
function judgeUnlessPlainIsWrong(plain: BothFiles, knowledge: Knowledge, judge: () => void): void {
  try {
    expectSameEventsInPdf(plain, knowledge);
  } catch (error) {
    throw error instanceof Violation ? new NothingSeen() : error;
  }
  judge();
}

export const pdfScenarios = [sameEvents, aboutClockChange];
