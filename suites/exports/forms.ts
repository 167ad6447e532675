import { intersection, isSame, multiset, without } from '../../helpers/csv/multiset.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { day, hour } from '../../helpers/dates/time-zones.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { TimeRange } from '../../helpers/exports/window.ts';
import { NothingSeen, other, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import type { Observation } from '../../schemas/observations.ts';
import { judgesBy, ofCsv } from '../answers.ts';
import { samplesInLocales } from './levels.ts';
import { expectSameEvents, expectServed, noEvents } from './relations.ts';
import { expectDatesInZone } from './timezone.ts';

/* That a form, a timezone or a locale, counts neither for the next request nor for one under way; its own request is in arrays. */

/** A request; another one, in a form, that came right before or at the same time; and an export written as is right. */
interface Neighbours {
  readonly own: CsvDownload;
  readonly another: CsvDownload;
  readonly right: CsvDownload;
}

/** @throws Violation where what differs from `right`, in `parts`, is mostly written as in another request */
export function expectNotAsAnother(
  { own, another, right }: Neighbours,
  { columns: { ignored } }: Pick<Knowledge, 'columns'>,
  parts: readonly ('headings' | 'rows')[] = ['headings', 'rows'],
): void {
  if (!own.table || !another.table || !right.table) return;
  for (const part of parts) {
    const inUtc = (row: readonly string[]) => row.map((cell) => cell.replaceAll(marksOfUtc, ''));
    const partOf = ({ headings, rows }: CsvTable) =>
      part === 'rows' ? multiset(rows.map(inUtc), ignored) : multiset([headings ?? []]);
    const [ofOwn, ofAnother, ofRight] = [own.table, another.table, right.table].map(partOf);
    if (!ofOwn || !ofAnother || !ofRight) return;
    // Where the form changes few rows, these may be events that have changed. Best told by a file of the same moment.
    const withoutForm = another.beside?.table ? partOf(another.beside.table) : ofRight;
    if (intersection(ofAnother, withoutForm).size * 2 >= ofAnother.size) continue;
    const foreign = without(ofOwn, ofRight);
    if (intersection(foreign, ofAnother).size * 2 <= foreign.size) continue;
    const { locale, timezone = '' } = another.query;
    const values = { expected: `the ${part} as without locale`, actual: locale ?? '' };
    throw new Violation(
      locale === undefined
        ? other('writes as in the timezone of another request', { actual: timezone })
        : other('writes as in an earlier locale', values),
      [own.answer, another.answer, right.answer],
    );
  }
}

/** A name that no other request of a run has, where UTC is served: what a service keeps of it was kept from here. */
const nameOfUtc = 'Etc/UTC';

/** Another one: a service may write dates otherwise where it converts them, and need not convert those in `UTC`. */
const otherNameOfUtc = 'Etc/GMT';

/** How dates say that they are in UTC: by an offset, a letter or a name, or by two of these. */
const marksOfUtc = /(?<=\d)\s*(?:Z\b|[+-]00:?00\b)|\s*\[?(?:Etc\/)?(?:UTC|GMT)\]?/g;

/** A timezone that no other scenario asks for: west of UTC, with daylight saving and a hyphen in its name. */
const western = { timezone: 'America/Port-au-Prince' };
/** How far west of UTC it is at least, in milliseconds. */
const west = 4 * hour;

/** Played when other scenarios are done: what comes right before a request, or at the same time, is known then. */
const neighbouring = scenario({
  name: 'a timezone or a locale counts for its own request, not for the next one or one under way',
  async act({ exports, othersAreDone }) {
    const knowledge = await exports.knowledge();
    const { base, window } = knowledge;
    const { sample, start, middle, end } = window;
    const inLocales = await samplesInLocales(exports, knowledge);
    const plain = await exports.within(sample);
    const locale = inLocales.find(({ table }) => table !== undefined)?.query.locale;
    const isUtc = base.utc.timezone === 'UTC';
    // Nobody else asks for these: a file that the service keeps of them was first asked for here.
    const aside = isUtc ? { start, end, timezone: nameOfUtc } : { start: start - 1, end };
    const half = { start: middle - 1, end };
    const days = wholeDays(knowledge);
    const daysInNoZone = { ...days, timezone: undefined };
    const noTimezone = await exports.anytime({ ...daysInNoZone, start: days.start - 1 });
    const named = isUtc ? await exports.within({ timezone: otherNameOfUtc }) : base.download;
    await othersAreDone('exports');

    // The same range in a timezone, without timezone right after it, and as others ask for it.
    const inZone = await exports.within({ ...days, ...western });
    const without = await exports.anytime(daysInNoZone);
    const [long, westernHalf] = await Promise.all([
      exports.within(half),
      exports.within({ ...half, ...western }),
    ]);
    const plainDays = await exports.within(days);
    const [english, translated] = await Promise.all([
      exports.within({ ...sample, locale: 'en' }),
      locale === undefined ? undefined : exports.within({ ...aside, locale }),
    ]);
    const asideAfter = translated && (await exports.within(aside));

    const right = base.download;
    return {
      ...{ knowledge, inZone, without, plainDays, plain, inLocales },
      neighbours: [
        { own: without, another: inZone, right: noTimezone },
        { own: plainDays, another: inZone, right },
        { own: long, another: westernHalf, right },
        ...(translated && asideAfter
          ? [
              { own: english, another: translated, right },
              { own: asideAfter, another: translated, right: named },
            ]
          : []),
      ],
    };
  },
  judges: {
    'export.timezone-keeps-the-events': ({ without, plainDays, knowledge }) => {
      const plain = without.beside ?? plainDays;
      expectSameEvents('an export without timezone', plain, without, knowledge.columns);
    },
    'export.timezone-formats-the-dates': ({ knowledge, inZone, plainDays, neighbours }) => {
      if (knowledge.base.table.rows.length === 0) throw noEvents();
      expectDatesInUtc(knowledge);
      const { timezone: zone } = western;
      const utc = inZone.beside ?? plainDays;
      if (utc.answer.status < 400) expectServed(`an export with timezone=${zone}`, inZone);
      expectDatesInZone({ zone, utc, csv: inZone }, knowledge);
      for (const one of neighbours) {
        if (one.another.query.locale === undefined) expectNotAsAnother(one, knowledge);
      }
    },
    'export.locale-defaults-to-en': ({ knowledge, neighbours }) => {
      const ofLocales = neighbours.filter(({ another }) => another.query.locale !== undefined);
      for (const one of ofLocales) expectNotAsAnother(one, knowledge);
      if (ofLocales.length === 0) throw new NothingSeen();
    },
    ...judgesBy(ofCsv, ({ inZone, without }: Record<'inZone' | 'without', CsvDownload>) => [
      inZone.answer,
      without.answer,
    ]),
  },
  observes: {
    'export.supported-locales': ({ inLocales, plain }) =>
      inLocales.map((one) => readsAs(one, one.beside ?? plain)),
  },
});

/** Whole days of UTC with events after both midnights, which bounds read in a zone west of it would move; or an unusual range. */
function wholeDays({ window, columns }: Knowledge): TimeRange {
  const { start: first, end: last } = window.sample;
  const midnights = (columns.times?.instants ?? [])
    .filter((at) => at % day < west)
    .map((at) => at - (at % day))
    .filter((at) => at > first && at < last);
  const [start, end] = [Math.min(...midnights), Math.max(...midnights)];
  return start < end ? { start, end: end - 1 } : { start: first, end: last + 1 };
}

/** @throws Violation where the dates of an export in UTC fit with its range only if they are of another zone */
function expectDatesInUtc({ columns: { shifted }, base: { utc, download } }: Knowledge): void {
  if (shifted === undefined || shifted.hasOffsets || utc.timezone === undefined) return;
  const values = { of: utc.timezone, hours: shifted.byMs / hour };
  throw new Violation(other('shows dates in another zone', values), [download.answer]);
}

/** Whether a locale is served, and whether its export reads as the same query without locale does. */
function readsAs(
  { table, query, answer }: CsvDownload,
  plain: CsvDownload,
): Observation<'export.supported-locales'> {
  const [{ locale = '' }, { status }] = [query, answer];
  if (table === undefined) return { locale, status };
  const parts = ({ headings, rows }: CsvTable) => multiset([headings ?? [], ...rows]);
  const isAlike = plain.table !== undefined && isSame(parts(plain.table), parts(table));
  return { locale, status, reads: isAlike ? 'as without it' : 'differently' };
}

export const formScenarios = [neighbouring];
