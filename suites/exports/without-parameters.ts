import { nonCsvType } from '../../helpers/csv/csv-form.ts';
import { intersection, type Multiset, sum } from '../../helpers/csv/multiset.ts';
import type { KnownColumns } from '../../helpers/exports/columns.ts';
import { type CsvDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery, FilterSet } from '../../helpers/exports/query.ts';
import { dawn, longAgo } from '../../helpers/exports/window.ts';
import { Inconclusive, NothingSeen, NotJudged, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import { unlikeStatus } from '../expectations.ts';
import { exportAnswerJudges } from './answers.ts';
import { contentType } from './csv-observations.ts';
import { events, expectEvents } from './relations.ts';
import { lateIn } from './single-bounds.ts';

/** Enough events to see what the file is. */
const fewEvents = 200;

interface Plain {
  /** Without any parameter. */
  readonly plain: CsvDownload;
  /** Asked for where that is no CSV: what else could be the reason. */
  readonly doubts: Doubts | undefined;
}

interface Doubts {
  /** A range that holds no events. */
  readonly small: CsvDownload;
  readonly smallCsv: CsvDownload;
  /** All that there is, by both bounds. */
  readonly whole: CsvDownload;
  readonly csv: CsvDownload;
}

const noParameters = scenario({
  name: 'an export without any parameter',
  async act({ exports, now }): Promise<Plain> {
    const ask = (query: ExportQuery) => exports.csv(query, { max: fewEvents });
    const plain = await ask({});
    const { status, text } = plain.answer;
    if (status === 200 && nonCsvType(text) === undefined) return { plain, doubts: undefined };
    const [small, smallCsv, whole, csv] = await Promise.all([
      ask(longAgo),
      ask({ ...longAgo, fileType: 'csv' }),
      ask({ start: dawn, end: now() }),
      ask({ fileType: 'csv' }),
    ]);
    return { plain, doubts: { small, smallCsv, whole, csv } };
  },
  judges: {
    ...exportAnswerJudges(({ plain, doubts }: Plain) => (isTooLarge(doubts) ? [] : [plain.answer])),
    'export.parameters-are-optional': ({ plain: { answer }, doubts }) => {
      if (answer.status === 401) throw new Inconclusive('The key was not accepted.', [answer]);
      if (isTooLarge(doubts)) throw tooLarge();
      // Which success it is has a clause of its own.
      if (answer.succeeded) return;
      throw unlikeStatus('an export without any parameter', '200', answer);
    },
    'export.file-type-defaults-to-csv': ({ plain: { answer }, doubts }) => {
      if (isTooLarge(doubts)) throw tooLarge();
      const isNeeded = doubts?.small.answer.status === 400 && doubts.smallCsv.answer.status === 200;
      if (!answer.succeeded && !isNeeded) {
        throw new Inconclusive(`The export gave ${answer.status}.`, [answer]);
      }
      const kind = isNeeded ? `${answer.status}` : nonCsvType(answer.text);
      if (kind === undefined) return;
      throw new Violation({ kind: 'other', wrong: 'is no CSV by default', actual: kind }, [answer]);
    },
    'export.csv-is-one-table': ({ plain, doubts }) => {
      if (isTooLarge(doubts)) throw tooLarge();
      const { answer } = doubts?.csv ?? plain;
      if (answer.status !== 200)
        throw new Inconclusive(`The export gave ${answer.status}.`, [answer]);
      const kind = nonCsvType(answer.text);
      if (kind === undefined) return;
      throw new Violation({ kind: 'other', wrong: 'is not one table', actual: kind }, [answer]);
    },
  },
  observes: {
    'export.csv-content-type': ({ plain: { answer } }) => contentType(answer),
    'limits.rate': ({ plain: { answer } }) => {
      const names = answer.headers.map(([name]) => name.toLowerCase());
      const aboutRate = names.filter((name) => /rate-?limit/.test(name));
      return aboutRate.length === 0 ? [{ header: null }] : aboutRate.map((header) => ({ header }));
    },
  },
});

/** All there is is refused by both bounds too, and a small part of it is not. The size of a CSV is open. */
function isTooLarge(doubts: Doubts | undefined): boolean {
  return doubts?.whole.answer.status === 400 && doubts.small.answer.status === 200;
}

function tooLarge(): NotJudged {
  return new NotJudged('All events together are more than the target exports in one file.');
}

interface PlainRange {
  readonly range: CsvDownload;
  /** Asked for where that is refused: the bounds without fractional digits. */
  readonly short: CsvDownload | undefined;
}

const plainRange = scenario({
  name: 'a range that holds no events is exported',
  async act({ exports }): Promise<PlainRange> {
    const inUtc = await exports.csv({ ...longAgo, timezone: 'UTC' });
    if (inUtc.answer.status === 200) return { range: inUtc, short: undefined };
    const bound = new Date(longAgo.start).toISOString().replace('.000', '');
    const [range, short] = await Promise.all([
      exports.csv(longAgo),
      exports.csv({ start: bound, end: bound }),
    ]);
    return { range, short };
  },
  judges: {
    'export.range-bounds-are-instants': ({ range, short }) => {
      if (short?.answer.status !== 200 || range.answer.status === 200) {
        throw new NothingSeen();
      }
      throw unlikeStatus('a bound with fractional digits', '200', range.answer, {
        on: [short.answer],
      });
    },
    ...exportAnswerJudges(({ range }: PlainRange) => [range.answer]),
  },
  observes: {
    'export.csv-form': ({ range: { table } }) =>
      table === undefined ? [] : [{ emptyWithoutEvents: table.bytes === 0 }],
  },
});

interface BothWays {
  readonly without: CsvDownload;
  readonly from: CsvDownload;
  /** Asked for where there is more without a range: what was imported without a date may have one of long ago. */
  readonly before: CsvDownload | undefined;
}

interface WithoutRange {
  readonly columns: KnownColumns;
  /** By filters that keep few; undefined where no values are known. */
  readonly few: BothWays | undefined;
  /** All events but the latest, and an export without any parameter; undefined where they are too many for one file. */
  readonly all: { readonly until: CsvDownload; readonly plain: CsvDownload } | undefined;
}

/** So many events are enough to hold some of which a person or metadata are empty. */
const enoughForEmptyValues = 60;

/** Filters of what every event has: what they keep is not complete where events with empty values are lost. */
const listsOfKinds = ['event_type', 'sub_type', 'system_source'] as const;

/** Values that keep few events: all there are may be too many for one file. */
function narrowestFilters({ filters: { known } }: Knowledge): FilterSet | undefined {
  const byKind = listsOfKinds.map((filter) =>
    (known.get(filter)?.values ?? []).map(({ value, events }) => ({
      set: { [filter]: [value] },
      events,
    })),
  );
  const pairs = byKind.flatMap((one, index) =>
    byKind.slice(index + 1).flatMap((other) =>
      one.flatMap((a) =>
        other.map((b) => ({
          set: { ...a.set, ...b.set },
          events: intersection(a.events, b.events),
        })),
      ),
    ),
  );
  const others = [...known].flatMap(([filter, { values }]) =>
    values.map(({ value, events }) => ({ set: { [filter]: [value] }, events })),
  );
  const bySize = <T extends { readonly events: Multiset }>(some: readonly T[]): T[] =>
    some.toSorted((one, other) => one.events.size - other.events.size);
  const ofKinds = bySize([...byKind.flat(), ...pairs].filter(({ events }) => events.size > 0));
  const narrow = ofKinds.find(({ events: { size } }) => size >= enoughForEmptyValues);
  return (narrow ?? ofKinds.at(-1) ?? bySize(others)[0])?.set;
}

const withoutRange = scenario({
  name: 'an export without a range holds the events of any range',
  async act({ exports }): Promise<WithoutRange> {
    const knowledge = await exports.knowledge();
    const { columns, base } = knowledge;
    const filters = narrowestFilters(knowledge);
    const [few, until] = await Promise.all([
      filters && bothWays(exports, filters),
      exports.anytime({ end: lateIn(knowledge) }),
    ]);
    // After the other one: what is recorded meanwhile makes it larger.
    const isRead = until.table !== undefined && until.table.count > 0;
    const plain = isRead ? await exports.csv({}, { like: base.table }) : undefined;
    return { columns, few, all: plain && { until, plain } };
  },
  judges: {
    'export.range-bounds-are-independent': ({ columns, few, all }) => {
      if (all !== undefined) expectNoFewer(all);
      if (few === undefined) {
        throw new NotJudged('No filter is known that keeps a part of the events only.');
      }
      const { without, from, before } = few;
      // That a range must be given, or none, breaks clauses of its own; how much a file may hold is open.
      if (without.table === undefined || from.table === undefined) {
        throw new NotJudged('There is no export with a range and without one to compare.');
      }
      const what = 'an export without a range, compared with one of all times';
      const parts = [from, ...(before === undefined ? [] : [before])];
      const whole = parts.map((part) => events(part, columns)).reduce(sum);
      expectEvents(what, whole, without, columns, { on: parts.map(({ answer }) => answer) });
    },
  },
});

async function bothWays(exports: Exports, filters: FilterSet): Promise<BothWays> {
  const [without, from] = await Promise.all([
    exports.anytime({ filters }),
    exports.anytime({ filters, start: dawn }),
  ]);
  const isMore = (without.table?.count ?? 0) > (from.table?.count ?? 0);
  const before = isMore ? await exports.anytime({ filters, end: dawn - 1 }) : undefined;
  return { without, from, before };
}

/**
 * A whole holds what its part holds. Dates may be written in another zone: events are counted.
 * @throws Violation where an export without any parameter holds fewer events than a part of all
 */
function expectNoFewer({ until, plain }: NonNullable<WithoutRange['all']>): void {
  const { answer, table } = plain;
  if (table === undefined || nonCsvType(answer.text) !== undefined) return;
  const { count } = tableOf(until);
  if (table.count >= count) return;
  throw new Violation(
    {
      kind: 'other',
      wrong: 'returns fewer events without parameters',
      expected: `${count}`,
      actual: `${table.count}`,
    },
    [answer, until.answer],
  );
}

export const exportsWithoutParameters = [noParameters, plainRange, withoutRange];
