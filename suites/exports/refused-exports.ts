import { isDeepStrictEqual } from 'node:util';
import { day } from '../../helpers/dates/time-zones.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import type { TimeRange } from '../../helpers/exports/window.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { groupBy } from '../../helpers/maps.ts';
import { Inconclusive, other, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import type { OpenClause } from '../../schemas/clauses.ts';
import type { ExportOutcome, Observation } from '../../schemas/observations.ts';
import { type KindOfKey, withWrongKey, wrongKey } from '../authentication.ts';
import {
  expectStatus,
  judgeEach,
  requireTwin,
  unlikeStatus,
  type WithFacts,
} from '../expectations.ts';
import { expectRefused, isRefusedAsDue, type Refused, type WrongRequest } from '../refusals.ts';
import { errorShapes } from '../shapes.ts';
import { asPdf, isFilter, type Level, parameterOf, queryOf } from './levels.ts';
import { levelsOf, topics } from './topics.ts';

/** By open clause, parameters with a value that is invalid, or that the document does not describe. */
const oddValues = {
  'export.unknown-metadata-key': ['metadata[no_such_key]=x'],
  'export.unknown-locale': ['locale=xx', 'locale=en-US', 'locale=EN'],
  // IANA keeps Asia/Calcutta, the former name of Asia/Kolkata, as a link.
  'export.unknown-timezone': ['timezone=Nowhere/Nothing', 'timezone=Asia/Calcutta'],
  'export.unknown-file-type': ['file_type=xlsx', 'file_type=CSV'],
  'errors.further-statuses': ['no_such_parameter=x'],
  // Ways to write that there is no bound, or no time zone.
  'export.null-range': ['range_start=', 'range_start=null', 'timezone=', 'timezone=null'],
  'export.malformed-range': ['range_start=not-a-time', 'range_end=not-a-time'],
} as const satisfies { readonly [Id in OpenClause]?: readonly string[] };

/** The values that make a request invalid, so that it must be refused; all others may be ignored or refused. */
const invalidValues: readonly string[] = ['xlsx', 'not-a-time'];

/** An odd request with its answer, and the fact that the open clause `id` observes of it. */
interface OddRequest {
  /** The request, as a noun: “an export with locale=xx”. */
  readonly what: string;
  readonly answer: Answer;
  readonly id: OpenClause;
  readonly fact: Observation<'export.unknown-locale'>;
}

const oddRequests = scenario({
  name: 'exports with malformed, unknown or empty values',
  async act({ exports }) {
    const knowledge = await exports.knowledge();
    const twin = await exports.within(knowledge.window.sample);
    const requests = await Promise.all(
      requestsWithValues(exports, knowledge, twin.table?.rows.length ?? 0),
    );
    return { twin: twin.answer, requests };
  },
  judges: {
    'errors.invalid-export-is-400': ({ twin, requests }) => {
      requireTwin(twin, 'the same export as it should be');
      for (const { what, answer, fact } of requests) {
        if (invalidValues.includes(fact.value)) expectStatus(answer, 400, what);
      }
    },
    'errors.odd-value-is-no-server-error': ({ twin, requests }) => {
      requireTwin(twin, 'the same export without that value');
      const failed = requests.find(({ id, answer }) => id in oddValues && answer.status >= 500);
      if (failed === undefined) return;
      throw unlikeStatus(failed.what, '200 or 4xx', failed.answer, { on: [twin] });
    },
  },
  observes: Object.fromEntries(
    [...Object.keys(oddValues), 'audit.classification-values'].map((observed) => [
      observed,
      ({ requests }: { requests: readonly OddRequest[] }) =>
        requests.flatMap(({ id, fact }) => (id === observed ? [fact] : [])),
    ]),
  ),
});

/** Requests with odd values, a type that no event has, and coarse bounds. @param all how many events the sample holds */
function requestsWithValues(
  exports: Exports,
  { window, base, columns: { times } }: Knowledge,
  all: number,
): Promise<OddRequest>[] {
  const { sample } = window;
  // Reads one event more than `count` at most: how many more there are does not matter.
  const csv = (query: ExportQuery, count: number) =>
    exports.csv({ ...base.utc, ...query }, { max: count + 1, like: base.table });
  const withValues = Object.entries(oddValues).flatMap(([id, pairs]) =>
    pairs.map(async (pair): Promise<OddRequest> => {
      const [parameter = '', value = ''] = pair.split('=');
      const file = await csv({ ...sample, further: { [parameter]: value } }, all);
      // The cast: Object.entries types keys as strings.
      return observed(id as keyof typeof oddValues, pair, file, all);
    }),
  );
  const withEventType = async (value: string): Promise<OddRequest> => {
    const file = await exports.within({ ...sample, filters: { event_type: [value] } });
    return observed('audit.classification-values', `event_type=${value}`, file, all);
  };
  const lastDay = Math.floor(window.end / day) * day;
  /** A range_start on the last day of the window, with `time`. More events than that day has: the bound was ignored. */
  const fromLastDay = async (label: string, time: string): Promise<OddRequest> => {
    const start = `${new Date(lastDay).toISOString().slice(0, 10)}${time}`;
    const instants = times?.instants.filter((at) => at >= lastDay);
    const part = instants ? undefined : await exports.within({ start: lastDay });
    const moreThanDay = 1 + (instants?.length ?? part?.table?.rows.length ?? 0);
    const file = await csv({ start, end: window.end }, moreThanDay);
    const isThatDay = file.table?.rows.length === moreThanDay - 1 && moreThanDay > 1;
    const some = isThatDay ? 'from that day on' : undefined;
    return observed('export.malformed-range', `range_start=${label}`, file, moreThanDay, some);
  };
  const isShown = lastDay > window.start && lastDay < window.end && base.table.rows.length > 0;
  return [
    ...withValues,
    ...(all > 0 ? [withEventType('no_such_type')] : []),
    ...(isShown ? [fromLastDay('a day', ''), fromLastDay('no seconds', 'T00:00Z')] : []),
  ];
}

type Given = NonNullable<ExportOutcome['gives']>;

/**
 * A request with an odd value, and what it gave. @param all how many events the same request holds without the value
 * @param some what is said where it holds some of these
 */
function observed(
  id: OpenClause,
  pair: string,
  { answer, table, overflowed }: CsvDownload,
  all: number,
  some: Given = 'other events',
): OddRequest {
  const [parameter = '', value = ''] = pair.split('=');
  const { status } = answer;
  const gives = (): Given => {
    const count = table?.rows.length ?? all + 1;
    // Without a bound a file may hold more events.
    if (id.endsWith('-range') && count >= all) return 'as without it';
    if (count === all) return 'the same events';
    return count === 0 ? 'no events' : some;
  };
  const isRead = status === 200 && (table !== undefined || overflowed);
  const outcome = isRead ? { status, gives: gives() } : { status };
  return { what: `an export with ${pair}`, answer, id, fact: { parameter, value, outcome } };
}

/* Without a valid key (Authentication), or with a reversed range (Errors), an export is refused, whatever else it asks for. */

/** What makes an export be refused, and how it is sent. */
interface Refusing extends WrongRequest {
  readonly refused: Refused;
  /** The key to send; left out, the valid one. */
  readonly key?: KindOfKey;
  /** The range to send in place of any other. */
  readonly range?: (range: TimeRange) => TimeRange;
}

const reversed = {
  cause: 'reversed range',
  common: 'a range_start later than range_end',
  refused: { statuses: [400], clause: 'errors.reversed-range-is-400' },
} as const;

const refusing: readonly Refusing[] = [
  // One that is nearly valid stands for all others.
  ...(['no key', 'the key with its last character changed'] as const).map((key) => ({
    ...withWrongKey(key, 'export.needs-the-apikey'),
    key,
  })),
  {
    ...reversed,
    name: reversed.common,
    range: ({ start, end }) => ({ start: end + 1, end: start }),
  },
  {
    ...reversed,
    name: 'a range_start a millisecond later than range_end',
    range({ end }) {
      // For a service that cuts bounds to whole seconds: the two bounds in this second would be equal, and so in order.
      const inSecond = Math.floor(end / 1000) * 1000 + 500;
      return { start: inSecond, end: inSecond - 1 };
    },
  },
];

interface RefusedExport extends WithFacts {
  readonly by: Refusing;
  readonly query: ExportQuery;
  readonly answer: Answer;
}

interface RefusedExports {
  readonly knowledge: Knowledge;
  /** The answer to a valid request. */
  readonly twin: Answer;
  readonly refused: readonly RefusedExport[];
}

/**
 * One request without parameters; others that have all, or one filter alone, each in the next way: as few as each
 * way to give one needs.
 */
function inAllWays(levels: readonly Level[]): Level[][] {
  const byFactor = [...groupBy(levels, ({ factor }) => factor).values()].map((some) => [
    ...new Map(some.map((level) => [level.name, level])).values(),
  ]);
  const filters = byFactor.filter((ways) => ways.some(isFilter));
  const turnsOf = (ways: Level[]) => (filters.includes(ways) ? 2 : 1) * ways.length;
  const count = Math.max(0, ...byFactor.map(turnsOf));
  const all = Array.from({ length: count }, (_, at) => {
    const alone = at % 2 === 0 ? undefined : filters[(at >> 1) % filters.length];
    const given = byFactor.filter((ways) => !alone || ways === alone || !filters.includes(ways));
    return given.flatMap((ways) => {
      // Filters are all given in every second one.
      const turn = filters.includes(ways) ? at >> 1 : at;
      return ways[turn % ways.length] ?? [];
    });
  });
  return [[], ...all];
}

const refusedExports = scenario({
  name: 'exports without a valid key, or with a reversed range, are refused whatever else they ask for',
  async act(world, before?: RefusedExports): Promise<RefusedExports> {
    const { exports } = world;
    const knowledge = await exports.knowledge();
    const { start, end, sample } = knowledge.window;
    const { answer: twin } = await exports.within(sample);
    const learned = topics.map((topic) => levelsOf(topic, { exports, knowledge }));
    const levels = (await Promise.all(learned)).flatMap((of) => of.learned);
    const sent = [asPdf, ...levels].filter(
      ({ isLeftOut, mayBeRefused }) => !isLeftOut && !mayBeRefused,
    );
    const refused = refusing.flatMap((by) => {
      const { name, refused, range, key: kind } = by;
      const others = range ? sent.filter(({ factor }) => factor !== 'range') : sent;
      return inAllWays(others).map(async (ways, index): Promise<RefusedExport> => {
        // Filters come first, or one of the three parameters behind them.
        const order = -(index % 4);
        const query = { start, end, ...queryOf(ways), ...range?.({ start, end }), order };
        // A second look is at those that were not refused.
        const asBefore = before?.refused.find(
          (one) =>
            one.by === by &&
            isRefusedAsDue(one.answer, refused) &&
            isDeepStrictEqual(one.query, query),
        );
        if (asBefore !== undefined) return asBefore;
        const key = kind && wrongKey(world, kind);
        const answer = await exports.file(query, key === undefined ? undefined : { key });
        const facts = [name, ...ways.map((way) => `with ${parameterOf(way)}`)];
        return { by, query, answer, facts };
      });
    });
    return { knowledge, twin, refused: await Promise.all(refused) };
  },
  judges: {
    ...Object.fromEntries(
      refusing.map(({ refused: { clause }, common }) => [
        clause,
        ({ twin, refused }: RefusedExports) => {
          requireTwin(twin, 'the same export as it should be');
          const ofClause = refused.filter(({ by }) => by.refused.clause === clause);
          const judge = ({ by: sent, answer }: RefusedExport) =>
            expectRefused({ sent, answer, twin });
          return judgeEach(ofClause, judge, common);
        },
      ]),
    ),
    'export.refusal-carries-no-events': ({ knowledge, refused }) => {
      const due = refused.filter(({ answer }) => [400, 401].includes(answer.status));
      if (due.length === 0) throw new Inconclusive('Nothing was refused.');
      for (const { answer } of due) expectNoFile(answer, knowledge);
    },
  },
  observes: {
    'errors.body-shape': ({ refused }) =>
      refused.flatMap(({ by: { cause }, answer }) => (cause ? errorShapes(cause, answer) : [])),
  },
});

/** @throws Violation where the body of a refusal is a PDF, or holds long cells of at least two events of the window */
export function expectNoFile(answer: Answer, { base, columns }: Knowledge): void {
  const { text, status } = answer;
  if (text.startsWith('%PDF-')) {
    throw new Violation(other('refuses with a PDF', { status }), [answer]);
  }
  // The first cell of 16 characters or more in each row: no message holds two of them by coincidence.
  const distinctive = base.table.rows
    .slice(0, 2000)
    .map((row) => row.find((cell, column) => cell.length >= 16 && !columns.ignored.has(column)));
  const count = distinctive.filter((cell) => cell !== undefined && text.includes(cell)).length;
  if (count < 2) return;
  throw new Violation(other('refuses with events', { status, count }), [answer]);
}

export const refusedExportScenarios = [oddRequests, refusedExports];
