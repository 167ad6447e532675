import { day } from '../../helpers/dates/time-zones.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { Inconclusive, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import type { OpenClause } from '../../schemas/clauses.ts';
import type { ExportOutcome, Observation, RefusalCause } from '../../schemas/observations.ts';
import { expectStatus, requireTwin, unlikeStatus } from '../expectations.ts';
import { errorShapes } from '../shapes.ts';

/** Values of single parameters that are invalid, or that the document does not describe, by their open clause. */
const values = {
  'export.unknown-metadata-key': [['metadata[no_such_key]', 'x']],
  'export.unknown-locale': [
    ['locale', 'xx'],
    ['locale', 'en-US'],
    ['locale', 'EN'],
  ],
  'export.unknown-timezone': [
    ['timezone', 'Nowhere/Nothing'],
    // A name that was replaced by another one: IANA keeps it as a link.
    ['timezone', 'Asia/Calcutta'],
  ],
  'export.unknown-file-type': [
    ['file_type', 'xlsx'],
    ['file_type', 'CSV'],
  ],
  'errors.further-statuses': [['no_such_parameter', 'x']],
  // Ways to write that there is no bound, or no time zone.
  'export.null-range': [
    ['range_start', ''],
    ['range_start', 'null'],
    ['timezone', ''],
    ['timezone', 'null'],
  ],
  'export.malformed-range': [
    ['range_start', 'not-a-time'],
    ['range_end', 'not-a-time'],
  ],
} as const satisfies { readonly [Id in OpenClause]?: readonly (readonly [string, string])[] };

/** Those that make a request invalid; the others may be ignored, or refused. */
const invalidValues: readonly string[] = ['xlsx', 'not-a-time'];

const reversed = 'errors.reversed-range-is-400';
const invalid = 'errors.invalid-export-is-400';

type Parameter = Observation<'export.unknown-locale'>;
type Fact = readonly [id: OpenClause, fact: Parameter];

/** A request, what it must be answered with, and what is observed of the answer. */
interface OddRequest {
  /** As a noun. */
  readonly what: string;
  readonly answer: Answer;
  readonly clause?: typeof reversed | typeof invalid | undefined;
  /** Whether it is no reason for a server error. */
  readonly isOdd?: true;
  readonly fact?: Fact;
  /** What the shape of a refusal is observed of: it carries no events. */
  readonly cause?: RefusalCause;
}

interface OddRequests {
  readonly knowledge: Knowledge;
  /** The same range as it should be. */
  readonly twin: Answer;
  readonly requests: readonly OddRequest[];
}

const oddRequests = scenario({
  name: 'exports with reversed, malformed, unknown or empty values',
  async act({ exports }): Promise<OddRequests> {
    const knowledge = await exports.knowledge();
    const { start, end: last } = knowledge.window.sample;
    // Of a single instant the two bounds would be equal.
    const sample = { start, end: Math.max(last, start + 1) };
    const whole = await exports.within(sample);
    const requests = await Promise.all([
      ...refusedRequests(exports, sample),
      ...requestsWithValues(exports, knowledge, sample, whole.table?.count ?? 0),
    ]);
    return { knowledge, twin: whole.answer, requests };
  },
  judges: {
    [reversed]: (evidence) => expectRefused(reversed, evidence),
    [invalid]: (evidence) => expectRefused(invalid, evidence),
    'errors.odd-value-is-no-server-error': ({ twin, requests }) => {
      requireTwin(twin, 'the same export without that value');
      for (const { what, answer, isOdd } of requests) {
        if (!isOdd || answer.status < 500) continue;
        throw unlikeStatus(what, '200 or 4xx', answer, { on: [twin] });
      }
    },
    'export.refusal-carries-no-events': ({ knowledge, requests }) => {
      const refused = requests.filter(
        ({ cause, answer }) => cause !== undefined && [400, 401].includes(answer.status),
      );
      if (refused.length === 0) throw new Inconclusive('Nothing was refused.');
      for (const { answer } of refused) expectNoFile(answer, knowledge);
    },
  },
  observes: {
    'errors.body-shape': ({ requests }) =>
      requests.flatMap(({ cause, answer }) => (cause ? errorShapes(cause, [answer]) : [])),
    'audit.classification-values': ({ requests }) =>
      factsOf('audit.classification-values', requests),
    ...Object.fromEntries(
      Object.keys(values).map((id) => [id, ({ requests }: OddRequests) => factsOf(id, requests)]),
    ),
  },
});

const factsOf = (id: string, requests: readonly OddRequest[]): Parameter[] =>
  requests.flatMap(({ fact }) => (fact?.[0] === id ? [fact[1]] : []));

function expectRefused(
  clause: NonNullable<OddRequest['clause']>,
  { twin, requests }: OddRequests,
): void {
  requireTwin(twin, 'the same export as it should be');
  for (const { what, answer, clause: broken } of requests) {
    if (broken === clause) expectStatus(answer, 400, what);
  }
}

type TimeRange = Knowledge['window']['sample'];

/** Ranges the wrong way round, and a right one without a key. */
function refusedRequests(exports: Exports, { start, end }: TimeRange): Promise<OddRequest>[] {
  // Cut to whole seconds, the two would be in order.
  const inSecond = Math.floor(end / 1000) * 1000 + 500;
  const ask = async (what: string, query: ExportQuery): Promise<OddRequest> => ({
    what,
    answer: await exports.file(query),
    clause: reversed,
    cause: 'reversed range',
  });
  const what = 'a range_start later than range_end';
  return [
    ask(what, { start: end, end: start }),
    ask('a range_start a millisecond later than range_end', {
      start: inSecond,
      end: inSecond - 1,
    }),
    ask(`${what}, as PDF`, { start: end, end: start, fileType: 'pdf' }),
    exports
      .file({ start, end }, { key: null })
      .then((answer) => ({ what: 'no key', answer, cause: 'no valid key' })),
  ];
}

/**
 * @param sample the range that they have
 * @param all how many events there are without the value
 */
function requestsWithValues(
  exports: Exports,
  { window, base, columns: { times } }: Knowledge,
  sample: TimeRange,
  all: number,
): Promise<OddRequest>[] {
  // How many more there are than without the value does not matter.
  const csv = (query: ExportQuery, count: number) =>
    exports.csv({ ...base.utc, ...query }, { max: count + 1, like: base.table });
  const tried = Object.entries(values).flatMap(([id, pairs]) =>
    pairs.map(async (pair): Promise<OddRequest> => {
      const [parameter, value] = pair;
      const file = await csv({ ...sample, further: { [parameter]: value } }, all);
      const outcome = outcomeOf(
        file,
        all,
        id.endsWith('-range') ? 'as without it' : 'the same events',
      );
      const clause = invalidValues.includes(value) ? invalid : undefined;
      // Object.entries forgets its keys.
      return { ...observed(id as keyof typeof values, pair, file, outcome), isOdd: true, clause };
    }),
  );
  const ofType = async (value: string): Promise<OddRequest> => {
    const file = await exports.within({ ...sample, filters: { event_type: [value] } });
    const outcome = outcomeOf(file, all, 'the same events');
    return observed('audit.classification-values', ['event_type', value], file, outcome);
  };
  const lastDay = Math.floor(window.end / day) * day;
  /** A bound at the beginning of a day that leaves out what ISO 8601 lets it leave out. */
  const ofDay = async (value: string, time: string): Promise<OddRequest> => {
    const start = `${new Date(lastDay).toISOString().slice(0, 10)}${time}`;
    const instants = times?.instants.filter((at) => at >= lastDay);
    const part = instants ? undefined : await exports.within({ start: lastDay });
    const more = 1 + (instants?.length ?? part?.table?.count ?? 0);
    const file = await csv({ start, end: window.end }, more);
    const { gives, ...outcome } = outcomeOf(file, more, 'as without it');
    const read = gives === 'other events' ? 'from that day on' : gives;
    return observed('export.malformed-range', ['range_start', value], file, {
      ...outcome,
      ...(read && { gives: read }),
    });
  };
  const isShown = lastDay > window.start && lastDay < window.end && base.table.count > 0;
  return [
    ...tried,
    ...(all > 0 ? [ofType('no_such_type')] : []),
    ...(isShown ? [ofDay('a day', ''), ofDay('no seconds', 'T00:00Z')] : []),
  ];
}

function observed(
  id: OpenClause,
  [parameter, value]: readonly [string, string],
  { answer }: CsvDownload,
  outcome: ExportOutcome,
): OddRequest {
  const what = `an export with ${parameter}=${value}`;
  return { what, answer, fact: [id, { parameter, value, outcome }] };
}

/**
 * @param all how many events there are without the value
 * @param asIfIgnored what it gives where there are as many: without a bound there may be more
 */
function outcomeOf(
  { answer: { status }, table, overflowed }: CsvDownload,
  all: number,
  asIfIgnored: 'the same events' | 'as without it',
): ExportOutcome {
  if (status !== 200 || (table === undefined && !overflowed)) return { status };
  const count = table?.count ?? all + 1;
  const isIgnored = asIfIgnored === 'as without it' ? count >= all : count === all;
  if (isIgnored) return { status, gives: asIfIgnored };
  return { status, gives: count === 0 ? 'no events' : 'other events' };
}

/** @throws Violation where the body is a PDF, or holds events of the window */
export function expectNoFile(answer: Answer, { base, columns }: Knowledge): void {
  const { text, status } = answer;
  if (text.startsWith('%PDF-')) {
    throw new Violation({ kind: 'other', wrong: 'refuses with a PDF', status }, [answer]);
  }
  // No message holds long cells by coincidence.
  const distinctive = base.table.rows
    .slice(0, 2000)
    .map((row) => row.find((cell, column) => cell.length >= 16 && !columns.ignored.has(column)));
  const count = distinctive.filter((cell) => cell !== undefined && text.includes(cell)).length;
  if (count < 2) return;
  throw new Violation({ kind: 'other', wrong: 'refuses with events', status, count }, [answer]);
}

export const oddRequestScenarios = [oddRequests];
