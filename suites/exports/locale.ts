import { difference, isSame, multiset } from '../../helpers/csv/multiset.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { eventsOf, type KnownColumns } from '../../helpers/exports/columns.ts';
import { type CsvDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { FilterSet } from '../../helpers/exports/query.ts';
import { Inconclusive, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import type { Observation } from '../../schemas/observations.ts';
import { csvAnswerJudges } from './answers.ts';
import { widestFilters } from './filter-combinations.ts';
import { expectSameEvents, expectServed } from './relations.ts';

export const notAsEnglish = 'writes otherwise without locale';

/** Languages that a service may support besides en: the more likely first. */
const locales = ['de', 'es'];

interface InLocales {
  readonly knowledge: Knowledge;
  readonly without: CsvDownload;
  readonly english: CsvDownload;
  readonly others: readonly CsvDownload[];
  /** With filters, without locale and in another one. */
  readonly filtered: readonly (readonly [CsvDownload, CsvDownload])[];
}

const inLocales = scenario({
  name: 'the locale changes how an export reads, not which events it holds',
  async act({ exports }): Promise<InLocales> {
    const knowledge = await exports.knowledge();
    const { sample } = knowledge.window;
    const [without, english, ...others] = await Promise.all([
      exports.within(sample),
      exports.within({ ...sample, locale: 'en' }),
      ...locales.map((locale) => exports.within({ ...sample, locale })),
    ]);
    const [supported] = others.filter(({ table }) => table !== undefined);
    const locale = supported?.query.locale;
    const filtered = locale === undefined ? [] : await besideFilters(exports, knowledge, locale);
    return { knowledge, without, english, others, filtered };
  },
  judges: {
    'export.locale-defaults-to-en': ({ knowledge, without, english }) => {
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
        throw new Violation('an export without locale, compared with locale en', {
          expected: `the headings ${headings(same)}`,
          actual: headings(table),
          on,
          difference: notAsEnglish,
        });
      }
      if (isSame(eventsOf(table, columns.ignored), eventsOf(same, columns.ignored))) return;
      throw new Violation('an export without locale, compared with locale en', {
        expected: 'the same rows',
        actual: firstDifference(same, table, columns),
        on,
        difference: notAsEnglish,
      });
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
    'export.supported-locales': ({ without, others }) =>
      others.map((other) => readsAs(other, without)),
  },
});

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
  const ask = (filters: FilterSet) =>
    Promise.all([exports.within({ filters }), exports.within({ filters, locale })]);
  return await Promise.all(widestFilters(knowledge).map(ask));
}

function firstDifference(expected: CsvTable, actual: CsvTable, { ignored }: KnownColumns): string {
  const { missing, extra } = difference(eventsOf(expected, ignored), eventsOf(actual, ignored));
  return `${missing.length} rows that differ, first [${(extra[0] ?? []).join(' | ').slice(0, 90)}]`;
}

export const localeScenarios = [inLocales];
