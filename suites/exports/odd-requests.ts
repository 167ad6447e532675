import { day } from '../../helpers/dates/time-zones.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { scenario } from '../../runner/scenario.ts';
import type { OpenClause } from '../../schemas/clauses.ts';
import type { ExportOutcome, Observation } from '../../schemas/observations.ts';
import { expectStatus, requireTwin, unlikeStatus } from '../expectations.ts';

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

/** A parameter, its value, and what a request with them was answered with. */
type ParameterFact = Observation<'export.unknown-locale'>;

/** An odd request with its answer, and the fact that the open clause `id` observes of it. */
interface OddRequest {
  /** The request, as a noun: “an export with locale=xx”. */
  readonly what: string;
  readonly answer: Answer;
  readonly id: OpenClause;
  readonly fact: ParameterFact;
}

interface OddRequests {
  /** The answer to a valid request for the same range. */
  readonly twin: Answer;
  readonly requests: readonly OddRequest[];
}

const oddRequests = scenario({
  name: 'exports with malformed, unknown or empty values',
  async act({ exports }): Promise<OddRequests> {
    const knowledge = await exports.knowledge();
    const twin = await exports.within(knowledge.window.sample);
    const requests = await Promise.all(
      requestsWithValues(exports, knowledge, twin.table?.count ?? 0),
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
      ({ requests }: OddRequests) =>
        requests.flatMap(({ id, fact }) => (id === observed ? [fact] : [])),
    ]),
  ),
});

/**
 * One request for each of `oddValues`, for an event_type that no event has, and for bounds without time of day or seconds.
 * @param all how many events the sample, the range of these requests, holds
 */
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
      const asIfIgnored = id.endsWith('-range') ? 'as without it' : 'the same events';
      const outcome = outcomeOf(file, all, asIfIgnored);
      // The cast: Object.entries types keys as strings.
      return observed(id as keyof typeof oddValues, pair, file, outcome);
    }),
  );
  const withEventType = async (value: string): Promise<OddRequest> => {
    const file = await exports.within({ ...sample, filters: { event_type: [value] } });
    const outcome = outcomeOf(file, all, 'the same events');
    return observed('audit.classification-values', `event_type=${value}`, file, outcome);
  };
  const lastDay = Math.floor(window.end / day) * day;
  /**
   * A range_start on the last day of the window, without the time of day (`time` is '') or without seconds. Where it
   * gives more events than that day has, the bound was ignored.
   */
  const fromLastDay = async (label: string, time: string): Promise<OddRequest> => {
    const start = `${new Date(lastDay).toISOString().slice(0, 10)}${time}`;
    const instants = times?.instants.filter((at) => at >= lastDay);
    const part = instants ? undefined : await exports.within({ start: lastDay });
    const moreThanDay = 1 + (instants?.length ?? part?.table?.count ?? 0);
    const file = await csv({ start, end: window.end }, moreThanDay);
    const { gives, ...outcome } = outcomeOf(file, moreThanDay, 'as without it');
    const isThatDay = file.table?.count === moreThanDay - 1 && moreThanDay > 1;
    const read = isThatDay ? 'from that day on' : gives;
    return observed('export.malformed-range', `range_start=${label}`, file, {
      ...outcome,
      ...(read && { gives: read }),
    });
  };
  const isShown = lastDay > window.start && lastDay < window.end && base.table.count > 0;
  return [
    ...withValues,
    ...(all > 0 ? [withEventType('no_such_type')] : []),
    ...(isShown ? [fromLastDay('a day', ''), fromLastDay('no seconds', 'T00:00Z')] : []),
  ];
}

function observed(
  id: OpenClause,
  pair: string,
  { answer }: CsvDownload,
  outcome: ExportOutcome,
): OddRequest {
  const [parameter = '', value = ''] = pair.split('=');
  return { what: `an export with ${pair}`, answer, id, fact: { parameter, value, outcome } };
}

/**
 * What a request with an odd value gave: a status alone, or a file of the same, other or no events.
 * @param all how many events the same request holds without the value
 * @param asIfIgnored what is said where the value was ignored: without a bound a file may hold more events than `all`
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

export const oddRequestScenarios = [oddRequests];
