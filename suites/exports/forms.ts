import { difference, intersection, isSame, multiset, without } from '../../helpers/csv/multiset.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { day, hour } from '../../helpers/dates/time-zones.ts';
import { eventsOf } from '../../helpers/exports/columns.ts';
import { type CsvDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { TimeRange } from '../../helpers/exports/window.ts';
import { Inconclusive, other, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import type { World } from '../../runner/world.ts';
import type { Observation } from '../../schemas/observations.ts';
import { judgesBy, ofCsv } from '../answers.ts';
import { judgeEach } from '../expectations.ts';
import { samplesInLocales } from './levels.ts';
import { beginningOf, expectSameEvents, expectServed, noEvents } from './relations.ts';
import { expectDatesInZone } from './timezone.ts';

/*
 * A form is a timezone or a locale. What it changes in its own request, the arrays of `together.ts` show; here is what
 * no single request shows: a form counts neither for the next request, nor for one under way.
 */

/** A request; another one, in a form, that came right before or at the same time; and an export written as is right. */
interface Neighbours {
  readonly own: CsvDownload;
  readonly another: CsvDownload;
  readonly right: CsvDownload;
}

/**
 * @param parts what of the files is compared
 * @throws Violation where what a request has otherwise than `right` is mostly written as in another request
 */
export function expectNotAsAnother(
  { own, another, right }: Neighbours,
  { columns: { ignored } }: Pick<Knowledge, 'columns'>,
  parts: readonly ('headings' | 'rows')[] = ['headings', 'rows'],
): void {
  if (!own.table || !another.table || !right.table) return;
  for (const part of parts) {
    const inUtc = (row: readonly string[]) => row.map((cell) => cell.replaceAll(nameOfUtc, 'UTC'));
    const partOf = ({ headings, rows }: CsvTable) =>
      part === 'rows' ? multiset(rows.map(inUtc), ignored) : multiset([headings ?? []]);
    const [ofOwn, ofAnother, ofRight] = [own.table, another.table, right.table].map(partOf);
    if (!ofOwn || !ofAnother || !ofRight) return;
    // Where the form changes few rows, these may be events that have changed.
    if (intersection(ofAnother, ofRight).size * 2 >= ofAnother.size) continue;
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

/** A query in a form, and the plain export of the same events. */
interface InForm {
  /** What the request is called in a violation. */
  readonly name: string;
  readonly download: CsvDownload;
  readonly plain: CsvDownload;
}

interface Forms {
  readonly knowledge: Knowledge;
  readonly inZones: readonly InForm[];
  /** The sample with locale=en, which must be as without locale. */
  readonly english: InForm;
  readonly neighbours: readonly Neighbours[];
  /** The sample in other locales. */
  readonly inLocales: readonly InForm[];
}

/** A timezone that no other scenario asks for: west of UTC, with daylight saving and a hyphen in its name. */
const western = { timezone: 'America/Port-au-Prince' };
/** How far west of UTC it is at least, in milliseconds. */
const west = 4 * hour;

/** Played when other scenarios are done: what comes right before a request, or at the same time, is known then. */
const neighbouring = scenario({
  name: 'a timezone or a locale counts for its own request, not for the next one or one under way',
  async act({ exports, othersAreDone }: World): Promise<Forms> {
    const knowledge = await exports.knowledge();
    const { base, window } = knowledge;
    const { sample, middle, end } = window;
    const samples = await samplesInLocales(exports, knowledge);
    const plain = await exports.within(sample);
    const locale = samples.find(({ table }) => table !== undefined)?.query.locale;
    const isUtc = base.utc.timezone === 'UTC';
    // Nobody else asks for these: a file that the service keeps of them was first asked for here.
    const aside = isUtc
      ? { ...sample, timezone: nameOfUtc }
      : { ...sample, start: sample.start - 1 };
    const half = { start: middle - 1, end };
    const days = wholeDays(knowledge);
    const noTimezone = await exports.withoutTimezone({ ...days, start: days.start - 1 });
    await othersAreDone();

    const westernDays = await exports.within({ ...days, ...western });
    const without = await exports.withoutTimezone(days);
    const [long, westernHalf] = await Promise.all([
      exports.within(half),
      exports.within({ ...half, ...western }),
    ]);
    const daysAfter = await exports.within(days);
    const [english, translated] = await Promise.all([
      exports.within({ ...sample, locale: 'en' }),
      locale === undefined ? undefined : exports.within({ ...aside, locale }),
    ]);
    const asideAfter = translated && (await exports.within(aside));
    const inUtc = isUtc ? [] : [await exports.within({ ...sample, timezone: 'UTC' })];

    const inForm = (download: CsvDownload, plain: CsvDownload, name: string): InForm => {
      return { name, download, plain: download.beside ?? plain };
    };
    const { timezone } = western;
    const right = base.download;
    return {
      knowledge,
      inZones: [
        inForm(westernDays, daysAfter, `whole days with timezone=${timezone}`),
        inForm(without, daysAfter, 'an export without timezone'),
        ...inUtc.map((download) => inForm(download, plain, 'timezone=UTC')),
      ],
      english: inForm(english, plain, 'locale=en'),
      inLocales: samples.map((one) => inForm(one, plain, `locale=${one.query.locale}`)),
      neighbours: [
        { own: without, another: westernDays, right: noTimezone },
        { own: daysAfter, another: westernDays, right },
        { own: long, another: westernHalf, right },
        ...(translated && asideAfter
          ? [english, asideAfter].map((own) => ({ own, another: translated, right }))
          : []),
      ],
    };
  },
  judges: {
    'export.timezone-keeps-the-events': ({ inZones, knowledge }) =>
      expectEventsKept(inZones, knowledge),
    'export.timezone-formats-the-dates': ({ knowledge, inZones, neighbours }) => {
      if (knowledge.base.table.count === 0) throw noEvents();
      expectDatesInUtc(knowledge);
      const withZone = inZones.filter(({ download }) => download.query.timezone !== undefined);
      judgeEach(withZone, ({ name, plain: utc, download: csv }) => {
        if (utc.answer.status < 400) expectServed(`an export with ${name}`, csv);
        expectDatesInZone({ zone: csv.query.timezone ?? 'UTC', utc, csv }, knowledge);
      });
      for (const one of neighbours) {
        if (one.another.query.locale === undefined) expectNotAsAnother(one, knowledge);
      }
    },
    'export.locale-keeps-the-events': ({ english, inLocales, knowledge }) =>
      expectEventsKept([english, ...inLocales], knowledge),
    'export.locale-defaults-to-en': ({ knowledge, english, neighbours }) => {
      expectServed('an export with locale=en, the default', english.download);
      expectAlike(english, knowledge);
      for (const one of neighbours) {
        if (one.another.query.locale !== undefined) expectNotAsAnother(one, knowledge);
      }
    },
    ...judgesBy(ofCsv, ({ english, inZones }: Forms) =>
      [english, ...inZones].map(({ download }) => download.answer),
    ),
  },
  observes: {
    'export.supported-locales': ({ inLocales }) => inLocales.map(readsAs),
  },
});

/** @throws Violation where a served form holds other events than the plain query; Inconclusive where none is served */
function expectEventsKept(asked: readonly InForm[], { columns }: Knowledge): void {
  const served = asked.filter(({ download }) => download.table !== undefined);
  for (const { name, plain, download } of served.length === 0 ? asked : served) {
    expectSameEvents(name, plain, download, columns);
  }
}

/**
 * Whole days of UTC, with events in the hours after the first midnight and after the last: a service that reads its
 * bounds in a timezone west of UTC keeps other events. Where there are none, a range that nobody else asks for.
 */
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

/** @throws Violation where an export without locale has other headings, or other rows, than one with locale=en */
function expectAlike({ plain, download }: InForm, { base, columns: { ignored } }: Knowledge): void {
  const headings = (one: CsvDownload): string => JSON.stringify(tableOf(one).headings);
  if (headings(base.download) !== headings(base.again)) {
    const on = [base.download.answer, base.again.answer];
    throw new Inconclusive('The headings change from one export to the next.', on);
  }
  const rows = (one: CsvDownload) => eventsOf(tableOf(one), ignored);
  const { missing, extra } = difference(rows(download), rows(plain));
  const [expected, actual] = [headings(download), headings(plain)];
  if (expected === actual && missing.length + extra.length === 0) return;
  const first = `${missing.length} rows that differ, first [${beginningOf(extra[0] ?? [])}]`;
  const values =
    expected === actual
      ? { expected: 'the same rows', actual: first }
      : { expected: `the headings ${expected}`, actual };
  const on = [plain.answer, download.answer];
  throw new Violation(other('writes otherwise without locale', values), on);
}

/** Whether a locale is served, and whether its export reads as the same query without locale does. */
function readsAs({ download, plain }: InForm): Observation<'export.supported-locales'> {
  const { table, query, answer } = download;
  const [{ locale = '' }, { status }] = [query, answer];
  if (table === undefined) return { locale, status };
  const parts = ({ headings, rows }: CsvTable) => multiset([headings ?? [], ...rows]);
  const isAlike = plain.table !== undefined && isSame(parts(plain.table), parts(table));
  return { locale, status, reads: isAlike ? 'as without it' : 'differently' };
}

export const formScenarios = [neighbouring];
