import {
  difference,
  intersection,
  isSame,
  type Multiset,
  multiset,
} from '../../helpers/csv/multiset.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { day, hour } from '../../helpers/dates/time-zones.ts';
import { eventsOf } from '../../helpers/exports/columns.ts';
import { type CsvDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import { Inconclusive, NothingSeen, other, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import type { Observation } from '../../schemas/observations.ts';
import { judgesBy, ofCsv } from '../answers.ts';
import { judgeEach } from '../expectations.ts';
import { locales } from './levels.ts';
import { beginningOf, expectSameEvents, expectServed, noEvents } from './relations.ts';
import { expectDatesInZone, zoneOfQuarters } from './timezone.ts';

/*
 * A form is a timezone or a locale. In any form a query holds the same events: a timezone changes how their dates are
 * written, a locale how they read. A form counts for its own request, not for the next one, nor for one under way.
 */

/** A query that is asked twice: in a form, and plain, which is in UTC and without locale. */
interface Row {
  readonly query: ExportQuery;
  readonly form: Form;
  /** What the request is called in a violation, where that is not just its form. */
  readonly name?: string;
}

type Form = Pick<ExportQuery, 'timezone' | 'locale'>;

/** A row with its two exports: the plain one, and the one in the form. */
interface InForm extends Row {
  readonly plain: CsvDownload;
  readonly download: CsvDownload;
}

/** The rows that were asked, and what they are judged by. */
interface Forms {
  readonly knowledge: Knowledge;
  readonly asked: readonly InForm[];
}

/** @param plain when the plain query is sent: it shows what a service keeps of the request in the form */
async function ask(
  exports: Exports,
  row: Row,
  plain: 'at the same time' | 'right after' = 'at the same time',
): Promise<InForm> {
  const inForm = () => exports.within({ ...row.query, ...row.form });
  const before = plain === 'right after' ? await inForm() : undefined;
  const [without, download] = await Promise.all([exports.within(row.query), before ?? inForm()]);
  return { ...row, plain: download.beside ?? without, download };
}

/** @throws Violation where a served form holds other events than the plain query; Inconclusive where none is served */
function expectEventsKept({ asked, knowledge }: Forms): void {
  const served = asked.filter(({ download }) => download.table !== undefined);
  for (const { form, name, plain, download } of served.length === 0 ? asked : served) {
    const { timezone, locale } = form;
    const what = locale === undefined ? `timezone=${timezone}` : `locale=${locale}`;
    expectSameEvents(name ?? what, plain, download, knowledge.columns);
  }
}

/** @throws Violation where a query served in UTC is refused in a zone, or its dates are not local times there */
function expectLocalDates({ asked, knowledge }: Forms): void {
  const inZones = asked.flatMap(({ form: { timezone: zone }, plain: utc, download: csv }) =>
    zone === undefined ? [] : [{ zone, utc, csv }],
  );
  for (const { zone, utc, csv } of inZones) {
    if (utc.answer.status < 400) expectServed(`an export with timezone=${zone}`, csv);
  }
  judgeEach(inZones, (one) => expectDatesInZone(one, knowledge));
}

/** A request; another one, in a form, that came right before or at the same time; and an export written as is right. */
interface Neighbours {
  readonly own: CsvDownload;
  readonly another: CsvDownload;
  readonly right: CsvDownload;
}

/** The part of `own` that is mostly written as `another` is, and not as `right` is; undefined where none is. */
function writtenAsAnother(
  { own, another, right }: Neighbours,
  { columns: { ignored } }: Pick<Knowledge, 'columns'>,
  parts: readonly ('headings' | 'rows')[] = ['headings', 'rows'],
) {
  const inUtc = (row: readonly string[]) => row.map((one) => one.replaceAll(nameOfUtc, 'UTC'));
  const [ofOwn, ofAnother, ofRight] = [own.table, another.table, right.table];
  if (!ofOwn || !ofAnother || !ofRight) return undefined;
  return parts.find((one) => {
    const partOf = ({ headings, rows }: CsvTable): Multiset =>
      one === 'rows' ? multiset(rows.map(inUtc), ignored) : multiset([inUtc(headings ?? [])]);
    const cells = partOf(ofOwn);
    const isLike = (table: CsvTable) => intersection(cells, partOf(table)).size * 2 > cells.size;
    return isLike(ofAnother) && !isLike(ofRight);
  });
}

/** @throws Violation where a request is answered in the timezone or locale of another one */
export function expectNotAsAnother(
  neighbours: Neighbours,
  knowledge: Pick<Knowledge, 'columns'>,
  parts?: Parameters<typeof writtenAsAnother>[2],
): void {
  const part = writtenAsAnother(neighbours, knowledge, parts);
  if (part !== undefined) throw asAnother(neighbours, part);
}

/** The violation that `part` of a request, its headings or rows, is written as in another one. */
function asAnother({ own, another, right }: Neighbours, part: string): Violation {
  const { locale, timezone = '' } = another.query;
  const difference =
    locale === undefined
      ? other('writes as in the timezone of another request', { actual: timezone })
      : other('writes as in an earlier locale', {
          expected: `the ${part} as without locale`,
          actual: locale,
        });
  return new Violation(difference, [own.answer, another.answer, right.answer]);
}

/*
 * Timezones of different kinds: east of UTC by quarters of an hour; west of UTC, with daylight saving and a hyphen in
 * its name; and with a digit and a sign that means the opposite: Etc/GMT+5 is five hours west.
 */
const inQuarters = { timezone: zoneOfQuarters };
const western = { timezone: 'America/Port-au-Prince' };
const inverted = { timezone: 'Etc/GMT+5' };

const inTimezones = scenario({
  name: 'the timezone changes how dates are written, not which events are exported',
  async act({ exports }) {
    const knowledge = await exports.knowledge();
    const { base } = knowledge;
    const query = knowledge.window.sample;
    const isUtc = base.utc.timezone === 'UTC';
    // The request without a timezone follows the one with a timezone at once: a service that keeps the timezone of the
    // previous request, or of one that is under way, is found out.
    const [zoned, without, days, ...inUtc] = await Promise.all([
      ask(exports, { query, form: inQuarters }),
      exports.withoutTimezone(query),
      ask(exports, { ...wholeDays(knowledge), form: western }, 'right after'),
      ...(isUtc ? [] : [ask(exports, { query, form: { timezone: 'UTC' } })]),
    ]);
    const asked = [zoned, days, ...inUtc];
    const neighbours = [{ own: days.plain, another: days.download, right: base.download }];
    const unzoned = { own: without, another: zoned.download, right: zoned.plain };
    if (writtenAsAnother(unzoned, knowledge) !== undefined) {
      // Without a timezone any zone is right, but always the same one: a second neighbour tells which it is.
      const [another, right] = await Promise.all([
        ask(exports, { query, form: inverted }),
        exports.withoutTimezone(query, 'anew'),
      ]);
      asked.push(another);
      neighbours.unshift({ ...unzoned, right });
    }
    const name = 'an export without timezone';
    const none = { query, form: {}, name, plain: zoned.plain, download: without };
    return { knowledge, asked: [...asked, none], neighbours };
  },
  judges: {
    'export.timezone-keeps-the-events': expectEventsKept,
    ...judgesBy(ofCsv, ({ asked }: Forms) => asked.map(({ download }) => download.answer)),
    'export.timezone-formats-the-dates': ({ knowledge, asked, neighbours }) => {
      if (knowledge.base.table.count === 0) throw noEvents();
      expectDatesInUtc(knowledge);
      expectLocalDates({ knowledge, asked });
      for (const one of neighbours) expectNotAsAnother(one, knowledge);
    },
  },
});

/** How far west of UTC the timezone of `western` is at least, in milliseconds. */
const west = 4 * hour;

/**
 * A query for whole days of UTC, with events in the hours after the first midnight and after the last: a service that
 * reads its bounds in a timezone west of UTC keeps other events. The sample where there are no such days.
 */
function wholeDays({ window, columns }: Knowledge): Omit<Row, 'form'> {
  const midnights = (columns.times?.instants ?? [])
    .filter((at) => at % day < west)
    .map((at) => at - (at % day))
    .filter((at) => at > window.sample.start && at < window.sample.end);
  const [start, end] = [Math.min(...midnights), Math.max(...midnights)];
  if (!(start < end)) return { query: window.sample };
  return { query: { start, end: end - 1 }, name: `whole days with timezone=${western.timezone}` };
}

/** @throws Violation where the dates of an export in UTC fit with its range only if they are of another zone */
function expectDatesInUtc({ columns: { shifted }, base: { utc, download } }: Knowledge): void {
  if (shifted === undefined || shifted.hasOffsets || utc.timezone === undefined) return;
  const values = { of: utc.timezone, hours: shifted.byMs / hour };
  throw new Violation(other('shows dates in another zone', values), [download.answer]);
}

/** Played when other scenarios are done: two requests that wait in a queue are not under way at the same time. */
const amidAnother = scenario({
  name: 'a long export in UTC is in UTC to its end while another one is asked for in a timezone',
  async act({ exports, othersAreDone }) {
    const knowledge = await exports.knowledge();
    const { sample, middle, end } = knowledge.window;
    const half = { start: middle, end };
    const right = await exports.within(half);
    await othersAreDone();
    const [own, another] = await Promise.all([
      exports.anew(half),
      exports.anew({ ...sample, ...inQuarters }),
    ]);
    return { knowledge, own, another, right };
  },
  judges: {
    'export.timezone-formats-the-dates': ({ knowledge, own, another, right }) => {
      try {
        expectDatesInZone({ zone: 'UTC', utc: right, csv: own }, knowledge);
      } catch (error) {
        // Where other events are recorded meanwhile, the comparison shows nothing.
        if (error instanceof Inconclusive) throw new NothingSeen();
        throw error instanceof Violation ? asAnother({ own, another, right }, 'rows') : error;
      }
    },
    ...judgesBy(ofCsv, ({ own, another }: Neighbours) => [own.answer, another.answer]),
  },
});

export const timezoneScenarios = [inTimezones, amidAnother];

/** A name that no other request of a run has, where UTC is served: what a service keeps of it was kept from here. */
const nameOfUtc = 'Etc/UTC';

interface InLocales extends Forms {
  readonly english: InForm;
  readonly others: readonly InForm[];
  /** The query without locale, sent right after the others. */
  readonly after: CsvDownload;
}

const inLocales = scenario({
  name: 'the locale changes how an export reads, not which events it holds',
  async act({ exports }): Promise<InLocales> {
    const knowledge = await exports.knowledge();
    const query = knowledge.window.sample;
    // All are under way at the same time: a service that keeps the locale of one of them for another is found out.
    const [english, { others, after }] = await Promise.all([
      ask(exports, { query, form: { locale: 'en' } }),
      askInOtherLocales(exports, query),
    ]);
    return { knowledge, english, others, after, asked: [english, ...others] };
  },
  judges: {
    'export.locale-defaults-to-en': ({ knowledge, english, others, after }) => {
      expectServed('an export with locale=en, the default', english.download);
      expectAlike(english, knowledge);
      // The plain exports may have no timezone then, and read otherwise than the one after them, which has one.
      if (knowledge.base.utc.timezone !== 'UTC') return;
      for (const { plain: right, download: another } of others) {
        expectNotAsAnother({ own: after, another, right }, knowledge);
      }
    },
    'export.locale-keeps-the-events': expectEventsKept,
    ...judgesBy(ofCsv, ({ english }: InLocales) => [english.download.answer]),
  },
  observes: {
    'export.supported-locales': ({ after, others }) =>
      others.map(({ download }) => readsAs(download, after)),
  },
});

/**
 * Asks a query in one locale after another until one is served, and right after that without locale. All of them are in
 * Etc/UTC, which no other request names, unless the target refuses that.
 */
async function askInOtherLocales(
  exports: Exports,
  query: ExportQuery,
  form: Form = { timezone: nameOfUtc },
): Promise<{ readonly others: InForm[]; readonly after: CsvDownload }> {
  const others: InForm[] = [];
  for (const locale of locales) {
    others.push(await ask(exports, { query, form: { ...form, locale } }));
    if (others.at(-1)?.download.table !== undefined) break;
  }
  const after = await exports.within({ ...query, ...form });
  const isRefused = after.table === undefined && form.timezone !== undefined;
  return isRefused ? await askInOtherLocales(exports, query, {}) : { others, after };
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
function readsAs(
  { query: { locale = '' }, answer: { status }, table }: CsvDownload,
  { table: plain }: CsvDownload,
): Observation<'export.supported-locales'> {
  if (table === undefined) return { locale, status };
  const parts = ({ headings, rows }: CsvTable) => multiset([headings ?? [], ...rows]);
  const isAlike = plain !== undefined && isSame(parts(plain), parts(table));
  return { locale, status, reads: isAlike ? 'as without it' : 'differently' };
}

export const localeScenarios = [inLocales];
