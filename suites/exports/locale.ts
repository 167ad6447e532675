import { difference, isSame, type Multiset, multiset } from '../../helpers/csv/multiset.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { dateWords, plainWords } from '../../helpers/dates/date-words.ts';
import { eventsOf, type KnownColumns } from '../../helpers/exports/columns.ts';
import { type CsvDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { Inconclusive, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import type { Observation } from '../../schemas/observations.ts';
import { csvAnswerJudges } from './answers.ts';
import { widestQueries } from './filter-combinations.ts';
import { beginningOf, expectSameEvents, expectServed } from './relations.ts';

/** Languages that a service may support besides en: the more likely first. */
const locales = ['de', 'es'];

/** Its clocks are those of UTC. Nothing else of a run asks for it: what is kept of it is kept from here. */
const zone = 'Africa/Abidjan';

interface InLocales {
  readonly knowledge: Knowledge;
  readonly without: CsvDownload;
  readonly english: CsvDownload;
  /** In that zone, where it is served. */
  readonly others: readonly CsvDownload[];
  /** The same without locale, asked for right after them. */
  readonly after: CsvDownload;
  /** With filters, without locale and in another one. */
  readonly filtered: readonly (readonly [CsvDownload, CsvDownload])[];
}

const inLocales = scenario({
  name: 'the locale changes how an export reads, not which events it holds',
  async act({ exports }): Promise<InLocales> {
    const knowledge = await exports.knowledge();
    const { sample } = knowledge.window;
    // All of them under way at the same time: what is set for one of them shows in the other.
    const [without, english, { others, after }] = await Promise.all([
      exports.within(sample),
      exports.within({ ...sample, locale: 'en' }),
      inOthers(exports, knowledge),
    ]);
    const [supported] = others.filter(({ table }) => table !== undefined);
    const locale = supported?.query.locale;
    const filtered = locale === undefined ? [] : await besideFilters(exports, knowledge, locale);
    return { knowledge, without, english, others, after, filtered };
  },
  judges: {
    'export.locale-defaults-to-en': ({ knowledge, without, english, others, after }) => {
      expectServed('an export with locale=en, the default', english);
      const [table, same] = [tableOf(without), tableOf(english)];
      const headings = (one: CsvTable): string => JSON.stringify(one.headings);
      const { base, columns } = knowledge;
      if (headings(base.table) !== headings(tableOf(base.again))) {
        throw new Inconclusive('The headings change from one export to the next.', [
          base.download.answer,
          base.again.answer,
        ]);
      }
      const on = [without.answer, english.answer];
      if (headings(table) !== headings(same)) {
        throw otherwise(`the headings ${headings(same)}`, headings(table), on);
      }
      if (!isSame(eventsOf(table, columns.ignored), eventsOf(same, columns.ignored))) {
        throw otherwise('the same rows', firstOther(same, table, columns), on);
      }
      for (const other of others) expectNotAs(other, after, without, knowledge);
    },
    'export.locale-keeps-the-events': ({ knowledge, without, english, others, filtered }) => {
      for (const other of [english, ...others]) {
        // Which locales are supported is open.
        if (other.table === undefined) continue;
        expectSameEvents(`locale=${other.query.locale}`, without, other, knowledge.columns);
      }
      for (const [inEnglish, translated] of filtered) {
        const what = `locale=${translated.query.locale} and filters`;
        expectSameEvents(what, inEnglish, translated, knowledge.columns);
      }
    },
    ...csvAnswerJudges(({ english, filtered }: InLocales) =>
      [english, ...filtered.flat()].map(({ answer }) => answer),
    ),
  },
  observes: {
    'export.supported-locales': ({ after, others }) => others.map((other) => readsAs(other, after)),
  },
});

/** The sample in other locales, until one of them is served, and right after that without one. */
async function inOthers(exports: Exports, { window: { sample } }: Knowledge) {
  const ask = async (query: Pick<ExportQuery, 'timezone'>) => {
    const others: CsvDownload[] = [];
    for (const locale of locales) {
      others.push(await exports.within({ ...sample, ...query, locale }));
      if (others.at(-1)?.table !== undefined) break;
    }
    return { others, after: await exports.within({ ...sample, ...query }) };
  };
  const inZone = await ask({ timezone: zone });
  return inZone.after.table === undefined ? await ask({}) : inZone;
}

/**
 * What a service keeps for a timezone, or of an export, is of the locale too: without locale nothing reads as in the one that
 * was asked for before.
 *
 * @throws Violation where it does, and otherwise than in UTC without locale
 */
function expectNotAs(
  other: CsvDownload,
  after: CsvDownload,
  plain: CsvDownload,
  { columns: { ignored }, base }: Knowledge,
): void {
  const tables = [other.table, after.table, plain.table];
  const [ofOther, ofAfter, ofPlain] = tables.map((table) => table && asRead(table, ignored));
  if (ofOther === undefined || ofAfter === undefined || ofPlain === undefined) return;
  // What has no timezone may read otherwise in one.
  if (base.utc.timezone !== 'UTC' || other.query.timezone === undefined) return;
  const is = (one: keyof AsRead, as: AsRead): boolean => isSame(ofAfter[one], as[one]);
  const wrong = (['headings', 'rows'] as const).find(
    (one) => !is(one, ofPlain) && is(one, ofOther),
  );
  if (wrong === undefined) return;
  throw new Violation(
    {
      kind: 'other',
      wrong: 'writes as in an earlier locale',
      expected: `the ${wrong} as in UTC`,
      actual: `${other.query.locale}`,
    },
    [after.answer, other.answer, plain.answer],
  );
}

/** What of a table is not the name of a timezone, nor an offset of none. */
interface AsRead {
  readonly headings: Multiset;
  readonly rows: Multiset;
}

function asRead(table: CsvTable, ignored: ReadonlySet<number>): AsRead {
  const rows = table.rows.map((row) => row.map(numbersAndMonths));
  const headings = (table.headings ?? []).filter((heading) => !namesZone.test(heading));
  return { headings: multiset([headings]), rows: multiset(rows, ignored) };
}

const namesZone = /\b(?:utc|gmt|z)\b|abidjan|africa|greenwich|universal|[+-]\d/i;

/** The numbers of a text, and its names of months in whatever language, as they are written. */
function numbersAndMonths(text: string): string {
  const parts = text.replace(/[+-]00?(?::?00)?(?![\d:])/g, '').match(numbersAndWords) ?? [];
  return parts.filter((part) => /^\d/.test(part) || isMonth(part)).join(' ');
}

const numbersAndWords = /\d+(?:[.,:/-]\d+)*|\p{L}[\p{L}\p{M}]*\.?/gu;

function isMonth(word: string): boolean {
  const [plain = ''] = plainWords(word);
  return dateWords().some(({ months }) => months.has(plain));
}

/** How an export in a locale reads, compared with the same without one. */
function readsAs(
  { query: { locale = '' }, answer: { status }, table }: CsvDownload,
  without: CsvDownload,
): Observation<'export.supported-locales'> {
  if (table === undefined) return { locale, status };
  const plain = without.table;
  const isAlike =
    plain !== undefined &&
    isSame(multiset(plain.rows), multiset(table.rows)) &&
    JSON.stringify(plain.headings) === JSON.stringify(table.headings);
  return { locale, status, reads: isAlike ? 'as without it' : 'differently' };
}

/** The events that filters keep together, without locale and in another one. */
async function besideFilters(
  exports: Exports,
  knowledge: Knowledge,
  locale: string,
): Promise<(readonly [CsvDownload, CsvDownload])[]> {
  const ask = (query: ExportQuery) =>
    Promise.all([exports.within(query), exports.within({ ...query, locale })]);
  return await Promise.all(widestQueries(knowledge).map(ask));
}

function otherwise(expected: string, actual: string, on: readonly Answer[]): Violation {
  const wrong = 'writes otherwise without locale';
  return new Violation({ kind: 'other', wrong, expected, actual }, on);
}

function firstOther(expected: CsvTable, actual: CsvTable, { ignored }: KnownColumns): string {
  const { missing, extra } = difference(eventsOf(expected, ignored), eventsOf(actual, ignored));
  return `${missing.length} rows that differ, first [${beginningOf(extra[0] ?? [])}]`;
}

export const localeScenarios = [inLocales];
