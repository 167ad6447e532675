import { type ExportQuery, ExportRefused } from '../reference/export/query.ts';
import type { AuditEvent } from '../reference/records.ts';
import type { Rules } from '../reference/rules.ts';
import type { ListFilter } from '../schemas/operations.ts';
import { down, nanoseconds, withoutList } from './exports.ts';

/*
 * Faults of exports that nobody has thought of: what a request may be like, and what may go wrong in it, each with each. Where
 * many of one row or column are not found, a pair of levels is missing in the arrays of `suites/exports/topics.ts`.
 */

/** What a request says, and what is understood by it. */
interface Asked {
  readonly query: ExportQuery;
  readonly sent: ReadonlyMap<string, string>;
}

type Part = 'start' | 'end' | 'timezone';

/** What a request may be like; `lacks`: what it then has not, so that nothing can go wrong with it. */
interface Likeness {
  readonly is: (asked: Asked) => boolean;
  readonly lacks?: readonly Part[];
}

const { day, hour, second } = nanoseconds;
const valuesIn = ({ lists }: ExportQuery) => Object.values(lists);
const boundsIn = ({ sent }: Asked) => `${sent.get('range_start')} ${sent.get('range_end')}`;
const lengthOf = ({ start = 0n, end = start + 1000n * day }: ExportQuery) => end - start;
const hasValue =
  (pattern: RegExp) =>
  ({ query }: Asked) =>
    [...valuesIn(query).flat(), ...Object.values(query.metadata)].some((one) => pattern.test(one));
const count = (object: object) => Object.keys(object).length;
const filtersIn = ({ query }: Asked) => count(query.lists) + count(query.metadata);
const boundsOf = ({ start, end }: ExportQuery) => [start, end].filter((at) => at !== undefined);

const likenesses: Readonly<Record<string, Likeness>> = {
  'a PDF': { is: ({ query }) => query.fileType === 'pdf' },
  'file_type=csv': { is: ({ sent }) => sent.get('file_type') === 'csv' },
  'another timezone': { is: ({ query }) => query.timezone !== 'UTC' },
  'no timezone': { is: ({ sent }) => !sent.has('timezone'), lacks: ['timezone'] },
  'another locale': { is: ({ query }) => query.locale !== 'en' },
  'locale=en': { is: ({ sent }) => sent.get('locale') === 'en' },
  'range_start alone': {
    is: ({ query }) => query.start !== undefined && query.end === undefined,
    lacks: ['end'],
  },
  'range_end alone': {
    is: ({ query }) => query.start === undefined && query.end !== undefined,
    lacks: ['start'],
  },
  'no range': {
    is: ({ query }) => query.start === undefined && query.end === undefined,
    lacks: ['start', 'end'],
  },
  'an instant': { is: ({ query }) => query.start !== undefined && query.start === query.end },
  'bounds with an offset': { is: (asked) => /[+-]\d\d:\d\d/.test(boundsIn(asked)) },
  'bounds without fractions': { is: (asked) => /:\d\dZ/.test(boundsIn(asked)) },
  'a day or less': { is: ({ query }) => lengthOf(query) <= day },
  'many days': { is: ({ query }) => lengthOf(query) > 10n * day },
  auditee_id: { is: ({ query }) => query.lists.auditee_id !== undefined },
  event_type: { is: ({ query }) => query.lists.event_type !== undefined },
  sub_type: { is: ({ query }) => query.lists.sub_type !== undefined },
  system_source: { is: ({ query }) => query.lists.system_source !== undefined },
  'a value with a capital': { is: hasValue(/[A-Z]/) },
  'a value of two words': { is: hasValue(/\S\s\S/) },
  'a value with a digit': { is: hasValue(/^(?![\da-f-]{36}$).*\d/) },
  'a value of one word': { is: hasValue(/^[a-z]+$/) },
  'several values': { is: ({ query }) => valuesIn(query).some((values) => values.length > 1) },
  'two lists': { is: ({ query }) => count(query.lists) > 1 },
  'a metadata key': { is: ({ query }) => count(query.metadata) > 0 },
  'a tag': { is: ({ query }) => query.metadata.tag !== undefined },
  'a task': { is: ({ query }) => query.metadata.task_id !== undefined },
  'two metadata keys': { is: ({ query }) => count(query.metadata) > 1 },
  'a filter and no range': {
    is: (asked) => filtersIn(asked) > 0 && boundsOf(asked.query).length === 0,
    lacks: ['start', 'end'],
  },
  'a filter and one bound': {
    is: (asked) => filtersIn(asked) > 0 && boundsOf(asked.query).length === 1,
  },
  'a list and both bounds': {
    is: ({ query }) => count(query.lists) > 0 && boundsOf(query).length === 2,
  },
  'a key and both bounds': {
    is: ({ query }) => count(query.metadata) > 0 && boundsOf(query).length === 2,
  },
  'a PDF with a filter': {
    is: (asked) => asked.query.fileType === 'pdf' && filtersIn(asked) > 0,
  },
  'a PDF in another timezone': {
    is: ({ query }) => query.fileType === 'pdf' && query.timezone !== 'UTC',
  },
};

/** What may go wrong: with what is understood, or with the events that are selected. The same object where nothing changes. */
type Mishap =
  | { readonly of?: Part; readonly query: (query: ExportQuery) => ExportQuery }
  | { readonly of?: Part; readonly events: (all: readonly AuditEvent[]) => readonly AuditEvent[] };

const ignoring = (list: ListFilter): Mishap => ({
  query: (query) => (query.lists[list] === undefined ? query : withoutList(list, query)),
});

/** Another bound, where there is one. */
const moving = (of: 'start' | 'end', move: (at: bigint) => bigint | undefined): Mishap => ({
  of,
  query: (query) => {
    const { [of]: at, ...others } = query;
    const moved = at === undefined ? at : move(at);
    if (moved === at) return query;
    return moved === undefined ? others : { ...others, [of]: moved };
  },
});

/** Without some of the events. */
const losing = (isLost: (event: AuditEvent, index: number) => boolean): Mishap => ({
  events: (all) => {
    const left = all.filter((event, index) => !isLost(event, index));
    return left.length === all.length ? all : left;
  },
});

/** Other events in place of some. */
const showing = (shown: (event: AuditEvent, all: readonly AuditEvent[]) => AuditEvent): Mishap => ({
  events: (all) => {
    const others = all.map((event) => shown(event, all));
    return others.every((one, index) => one === all[index]) ? all : others;
  },
});

const withValues = (cut: (values: readonly string[]) => readonly string[]): Mishap => ({
  query: (query) => {
    if (valuesIn(query).every((values) => cut(values).length === values.length)) return query;
    const lists = Object.entries(query.lists).map(([list, values]) => [list, cut(values)]);
    return { ...query, lists: Object.fromEntries(lists) };
  },
});

const withKeys = (most: number): Mishap => ({
  query: (query) => {
    if (count(query.metadata) <= most) return query;
    const kept = Object.entries(query.metadata).slice(0, most);
    return { ...query, metadata: Object.fromEntries(kept) };
  },
});

const mishaps: Readonly<Record<string, Mishap>> = {
  'auditee_id is ignored': ignoring('auditee_id'),
  'event_type is ignored': ignoring('event_type'),
  'sub_type is ignored': ignoring('sub_type'),
  'system_source is ignored': ignoring('system_source'),
  'metadata is ignored': withKeys(0),
  'a second metadata key is ignored': withKeys(1),
  'only the first value counts': withValues((values) => values.slice(0, 1)),
  'only the last value counts': withValues((values) => values.slice(-1)),
  'range_start is ignored': moving('start', () => undefined),
  'range_end is ignored': moving('end', () => undefined),
  'range_start is exclusive': moving('start', (at) => at + 1n),
  'range_end is exclusive': moving('end', (at) => at - 1n),
  'range_start is two hours late': moving('start', (at) => at + 2n * hour),
  'range_end is two hours late': moving('end', (at) => at + 2n * hour),
  'range_start is a whole hour': moving('start', (at) => down(at, hour)),
  'range_start is a whole second': moving('start', (at) => down(at, second)),
  'range_start is the beginning of its day': moving('start', (at) => down(at, day)),
  'range_end is a whole second': moving('end', (at) => down(at, second)),
  'range_end is the end of its day': moving('end', (at) => down(at, day) + day - 1n),
  'timezone is ignored': {
    of: 'timezone',
    query: (query) => (query.timezone === 'UTC' ? query : { ...query, timezone: 'UTC' }),
  },
  'it is refused': {
    query: () => {
      throw new ExportRefused('not so');
    },
  },
  'fifty events are exported': { events: (all) => (all.length > 50 ? all.slice(0, 50) : all) },
  'the first event is lost': { events: (all) => all.slice(1) },
  'an event comes twice': { events: (all) => [...all.slice(0, 1), ...all] },
  'the last event is lost': { events: (all) => all.slice(0, -1) },
  'every tenth event is lost': losing((_, index) => index % 10 === 9),
  'events without metadata are lost': losing(({ metadata }) => count(metadata) === 0),
  'events of many metadata keys are lost': losing(({ metadata }) => count(metadata) > 3),
  'events of Sundays are lost': losing(({ at }) => new Date(at).getUTCDay() === 0),
  'tags are not shown': showing((event) => {
    const { tag, ...metadata } = event.metadata;
    return tag === undefined ? event : { ...event, metadata };
  }),
  'times are an hour late': showing((event) => ({ ...event, at: event.at + 3_600_000 })),
  'the first person is shown for all': showing((event, [first = event]) =>
    event.auditeeId === first.auditeeId ? event : { ...event, auditeeId: first.auditeeId },
  ),
};

/** A likeness and a mishap, and the rules by which one goes with the other. */
export interface Pair {
  readonly name: string;
  readonly rules: Partial<Rules>;
  /** How many requests went wrong so far. */
  readonly count: () => number;
}

function pairOf(name: string, { is }: Likeness, mishap: Mishap): Pair {
  let sent: ReadonlyMap<string, string> = new Map();
  let wrong = 0;
  const note = <T>(right: T, given: T): T => {
    if (given !== right) wrong += 1;
    return given;
  };
  const rules: Partial<Rules> = {
    checkParameters: (parameters) => {
      sent = new Map(parameters);
    },
    ...('query' in mishap
      ? {
          queryActedOn: (query: ExportQuery) => {
            if (!is({ query, sent })) return query;
            try {
              return note(query, mishap.query(query));
            } catch (refused) {
              wrong += 1;
              throw refused;
            }
          },
        }
      : {
          exportedEvents: (all: readonly AuditEvent[], query: ExportQuery) =>
            is({ query, sent }) ? note(all, mishap.events(all)) : all,
        }),
  };
  return { name, rules, count: () => wrong };
}

/** Each likeness with each mishap that it can have. */
export const pairsOfExports: readonly Pair[] = Object.entries(likenesses).flatMap(
  ([of, likeness]) =>
    Object.entries(mishaps)
      .filter(([, { of: part }]) => part === undefined || !likeness.lacks?.includes(part))
      .map(([what, mishap]) => pairOf(`${of}: ${what}`, likeness, mishap)),
);
