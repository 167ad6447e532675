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
import { judgeEach } from '../expectations.ts';
import { csvAnswerJudges } from './answers.ts';
import { locales } from './levels.ts';
import { beginningOf, expectSameEvents, expectServed, noEvents } from './relations.ts';
import { expectDatesInZone, zoneOfQuarters } from './timezone.ts';

/*
 * The same query in another form holds the same events. A timezone changes how their dates are written, a locale how they
 * read; and either is that of its own request, not of the next one, nor of one that is under way at the same time.
 */

/** A query to be asked in a form, and as it is without: in UTC, without locale. */
interface Row {
  readonly query: ExportQuery;
  readonly form: Form;
  /** What events are lost by, where that is not the form alone. */
  readonly name?: string;
}

type Form = Pick<ExportQuery, 'timezone' | 'locale'>;

/** A row that was asked. */
interface InForm extends Row {
  readonly plain: CsvDownload;
  readonly download: CsvDownload;
}

/** What rows are judged by. */
interface Forms {
  readonly knowledge: Knowledge;
  readonly asked: readonly InForm[];
}

/** @param plain when it is asked without the form: what a service keeps of the one shows in the other */
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

/** @throws Violation where a form that is served keeps other events; one that is refused has clauses of its own */
function expectEventsKept({ asked, knowledge }: Forms): void {
  const served = asked.filter(({ download }) => download.table !== undefined);
  for (const { form, name, plain, download } of served.length === 0 ? asked : served) {
    const { timezone, locale } = form;
    const what = locale === undefined ? `timezone=${timezone}` : `locale=${locale}`;
    expectSameEvents(name ?? what, plain, download, knowledge.columns);
  }
}

/** @throws Violation where a zone that is served in UTC is refused, or dates are not the local times in it */
function expectLocalDates({ asked, knowledge }: Forms): void {
  const inZones = asked.flatMap(({ form: { timezone: zone }, plain: utc, download: csv }) =>
    zone === undefined ? [] : [{ zone, utc, csv }],
  );
  for (const { zone, utc, csv } of inZones) {
    if (utc.answer.status < 400) expectServed(`an export with timezone=${zone}`, csv);
  }
  judgeEach(inZones, (one) => expectDatesInZone(one, knowledge));
}

/** A request, another one in a form that came before it or is under way, and the first where no such one is. */
interface Neighbours {
  readonly own: CsvDownload;
  readonly another: CsvDownload;
  readonly right: CsvDownload;
}

/** Which part of a request is mostly written as the other one, and not as is right; undefined where none is. */
function writtenAsAnother(
  { own, another, right }: Neighbours,
  { columns: { ignored } }: Pick<Knowledge, 'columns'>,
  parts: readonly ('headings' | 'rows')[] = ['headings', 'rows'],
) {
  const inUtc = (cells: readonly string[]) => cells.map((one) => one.replaceAll(nameOfUtc, 'UTC'));
  const [ofOwn, ofAnother, ofRight] = [own.table, another.table, right.table];
  if (!ofOwn || !ofAnother || !ofRight) return undefined;
  return parts.find((one) => {
    const part = ({ headings, rows }: CsvTable): Multiset =>
      one === 'rows' ? multiset(rows.map(inUtc), ignored) : multiset([inUtc(headings ?? [])]);
    const whole = part(ofOwn);
    const isAs = (table: CsvTable) => intersection(whole, part(table)).size * 2 > whole.size;
    return isAs(ofAnother) && !isAs(ofRight);
  });
}

/** A locale and a timezone are those of their own request. @throws Violation where one is written in those of another */
export function expectNotAsAnother(
  neighbours: Neighbours,
  knowledge: Pick<Knowledge, 'columns'>,
  parts?: Parameters<typeof writtenAsAnother>[2],
): void {
  const part = writtenAsAnother(neighbours, knowledge, parts);
  if (part !== undefined) throw asAnother(neighbours, part);
}

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
 * Identifiers of every form. Not by whole hours east of UTC, but by quarters; with a hyphen, with daylight saving west of
 * it; with a digit, and a sign that means the opposite of what it says.
 */
const ofSample = { timezone: zoneOfQuarters };
const ofDays = { timezone: 'America/Port-au-Prince' };
const ofNeighbour = { timezone: 'Etc/GMT+5' };

const inTimezones = scenario({
  name: 'the timezone changes how dates are written, not which events are exported',
  async act({ exports }) {
    const knowledge = await exports.knowledge();
    const { base } = knowledge;
    const query = knowledge.window.sample;
    const isUtc = base.utc.timezone === 'UTC';
    // Right behind the one in a zone that without one: it gets what is set for the one before it, or for who asks at the same time.
    const [zoned, without, days, ...inUtc] = await Promise.all([
      ask(exports, { query, form: ofSample }),
      exports.withoutTimezone(query),
      ask(exports, { ...wholeDays(knowledge), form: ofDays }, 'right after'),
      ...(isUtc ? [] : [ask(exports, { query, form: { timezone: 'UTC' } })]),
    ]);
    const asked = [zoned, days, ...inUtc];
    const neighbours = [{ own: days.plain, another: days.download, right: base.download }];
    const beside = { own: without, another: zoned.download, right: zoned.plain };
    if (writtenAsAnother(beside, knowledge) !== undefined) {
      // In which zone dates are without one is open: in the same one beside whatever other.
      const [another, right] = await Promise.all([
        ask(exports, { query, form: ofNeighbour }),
        exports.withoutTimezone(query, 'anew'),
      ]);
      asked.push(another);
      neighbours.unshift({ ...beside, right });
    }
    const name = 'an export without timezone';
    const none = { query, form: {}, name, plain: zoned.plain, download: without };
    return { knowledge, asked: [...asked, none], neighbours };
  },
  judges: {
    'export.timezone-keeps-the-events': expectEventsKept,
    ...csvAnswerJudges(({ asked }: Forms) => asked.map(({ download }) => download.answer)),
    'export.timezone-formats-the-dates': ({ knowledge, asked, neighbours }) => {
      if (knowledge.base.table.count === 0) throw noEvents();
      expectDatesInUtc(knowledge);
      expectLocalDates({ knowledge, asked });
      for (const one of neighbours) expectNotAsAnother(one, knowledge);
    },
  },
});

/** The zone of days is so far west of UTC at least, in milliseconds. */
const west = 4 * hour;

/**
 * Whole days of UTC, between a midnight after which there are events and another one: read as days of a zone west of it
 * they keep others. The sample where there are none.
 */
function wholeDays({ window, columns }: Knowledge): Omit<Row, 'form'> {
  const midnights = (columns.times?.instants ?? [])
    .filter((at) => at % day < west)
    .map((at) => at - (at % day))
    .filter((at) => at > window.sample.start && at < window.sample.end);
  const [start, end] = [Math.min(...midnights), Math.max(...midnights)];
  if (!(start < end)) return { query: window.sample };
  return { query: { start, end: end - 1 }, name: `whole days with timezone=${ofDays.timezone}` };
}

/** @throws Violation where dates that were asked for in UTC fit with the range only in another zone */
function expectDatesInUtc({ columns: { shifted }, base: { utc, download } }: Knowledge): void {
  if (shifted === undefined || shifted.hasOffsets || utc.timezone === undefined) return;
  const values = { of: utc.timezone, hours: shifted.byMs / hour };
  throw new Violation(other('shows dates in another zone', values), [download.answer]);
}

/** By itself at the end: two requests that wait in a queue are not under way at the same time. */
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
      exports.anew({ ...sample, ...ofSample }),
    ]);
    return { knowledge, own, another, right };
  },
  judges: {
    // A file that takes its time to be made is written as its own request wants it, from its first row to its last.
    'export.timezone-formats-the-dates': ({ knowledge, own, another, right }) => {
      try {
        expectDatesInZone({ zone: 'UTC', utc: right, csv: own }, knowledge);
      } catch (error) {
        // Where other events are recorded meanwhile it shows nothing.
        if (error instanceof Inconclusive) throw new NothingSeen();
        throw error instanceof Violation ? asAnother({ own, another, right }, 'rows') : error;
      }
    },
    ...csvAnswerJudges(({ own, another }: Neighbours) => [own.answer, another.answer]),
  },
});

export const timezoneScenarios = [inTimezones, amidAnother];

/** Nothing else of a run asks for it where UTC is served: what is kept of it is kept from here. */
const nameOfUtc = 'Etc/UTC';

interface InLocales extends Forms {
  readonly english: InForm;
  readonly others: readonly InForm[];
  /** Without locale, right after the others. */
  readonly after: CsvDownload;
}

const inLocales = scenario({
  name: 'the locale changes how an export reads, not which events it holds',
  async act({ exports }): Promise<InLocales> {
    const knowledge = await exports.knowledge();
    const query = knowledge.window.sample;
    // All of them under way at the same time: what is set for one of them shows in the other.
    const [english, { others, after }] = await Promise.all([
      ask(exports, { query, form: { locale: 'en' } }),
      inOthers(exports, query),
    ]);
    return { knowledge, english, others, after, asked: [english, ...others] };
  },
  judges: {
    'export.locale-defaults-to-en': ({ knowledge, english, others, after }) => {
      expectServed('an export with locale=en, the default', english.download);
      expectAlike(english, knowledge);
      // What has no timezone may read otherwise in one.
      if (knowledge.base.utc.timezone !== 'UTC') return;
      for (const { plain: right, download: another } of others) {
        expectNotAsAnother({ own: after, another, right }, knowledge);
      }
    },
    'export.locale-keeps-the-events': expectEventsKept,
    ...csvAnswerJudges(({ english }: InLocales) => [english.download.answer]),
  },
  observes: {
    'export.supported-locales': ({ after, others }) =>
      others.map(({ download }) => readsAs(download, after)),
  },
});

/**
 * The same in other locales, until one of them is served, and right after that without one: in a zone that no other request
 * names, where it is served.
 */
async function inOthers(
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
  return isRefused ? await inOthers(exports, query, {}) : { others, after };
}

/** @throws Violation where an export without locale has other headings, or other rows, than one with the default */
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

/** How an export in a locale reads, compared with the same without one. */
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
