import { dateStyles } from '../../reference/export/dates.ts';
import { readListIn } from '../../reference/export/query.ts';
import type { ServiceRequest, ServiceResponse } from '../../reference/request.ts';
import type { Rules } from '../../reference/rules.ts';
import { dashed } from '../../schemas/clause.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import { listFilters, metadataKeys } from '../../schemas/operations.ts';
import { isUuidShaped } from '../../schemas/resources.ts';
import {
  auditTrailClauses,
  changingTaskClauses,
  clauseOfKey,
  clauseOfList,
  rowClauses,
} from '../clause-groups.ts';
import { bytesOf, type Fault, fault, table, type Wire } from './fault.ts';

type KeyOf = (request: ServiceRequest) => string | undefined;

/** When kept answers are forgotten: after so many requests of any kind, by a write to what they show, by any request beside another. */
interface Forgetting {
  readonly after?: number;
  readonly byOthers?: boolean;
  readonly byWrites?: boolean;
}

/**
 * Keeps successful answers by a key that is too short.
 *
 * @param keyOf undefined for requests whose answers are not kept
 */
const keeping =
  (
    keyOf: KeyOf,
    { after = Number.POSITIVE_INFINITY, byWrites = false, byOthers = false }: Forgetting = {},
  ): Wire =>
  (handle) => {
    const kept = new Map<string, { readonly answer: ServiceResponse; readonly until: number }>();
    let count = 0;
    let underWay = 0;
    const inTurn = async (request: ServiceRequest) => {
      count += 1;
      if (byOthers && underWay > 1) kept.clear();
      if (byWrites && request.method === 'PUT') {
        const target = request.target.replace('/update-assignment', '');
        kept.delete(keyOf({ ...request, method: 'GET', target }) ?? '');
      }
      const key = keyOf(request);
      if (key === undefined) return handle(request);
      const known = kept.get(key);
      if (known !== undefined && count <= known.until) return known.answer;
      const response = await handle(request);
      if (response.status !== 200) return response;
      const answer = { ...response, body: await bytesOf(response) };
      if (!byOthers || underWay === 1) kept.set(key, { answer, until: count + after });
      return answer;
    };
    return async (request) => {
      underWay += 1;
      return await inTurn(request).finally(() => {
        underWay -= 1;
      });
    };
  };

/** Requests of all scenarios, which are under way at the same time: of each of them these are the next two or three. */
const inAMoment = 40;

const ofKeys: readonly JudgedClause[] = [
  'auth.invalid-key-is-401',
  'auth.empty-key-is-401',
  'auth.key-elsewhere-is-401',
  'auth.key-among-other-text-is-401',
  'auth.is-checked-before-the-request',
];

/** An export's query without some of it, for who has this key. */
const exportKey =
  (
    change: (
      parameters: readonly (readonly [string, string])[],
    ) => readonly (readonly [string, string])[],
  ) =>
  ({ target, headers, region, remoteAddress }: ServiceRequest): string | undefined => {
    const [path, query = ''] = target.split('?');
    if (!path?.endsWith('/audit-sentinel/events/export')) return undefined;
    const parameters = change([...new URLSearchParams(query)]);
    return JSON.stringify([parameters, headers.apikey, region, remoteAddress]);
  };

const nameOf = (sent: string): string => sent.replace(/\[\d*\]$/, '');

const withoutParameter = (name: string) =>
  exportKey((parameters) => parameters.filter(([sent]) => nameOf(sent) !== name));

/** Of each parameter only so many values, the first ones. */
const withFirstValues = (count: number): KeyOf =>
  exportKey((parameters) =>
    parameters.filter(
      ([sent], index) =>
        parameters.slice(0, index).filter(([other]) => nameOf(other) === nameOf(sent)).length <
        count,
    ),
  );

/** The day of each bound only. */
const withDays = exportKey((parameters) =>
  parameters.map(([sent, value]) =>
    sent.startsWith('range_') ? ([sent, value.slice(0, 10)] as const) : ([sent, value] as const),
  ),
);

const withoutKey: KeyOf = ({ target, region, remoteAddress }) =>
  target.includes('/audit-sentinel/events/export')
    ? JSON.stringify([target, region, remoteAddress])
    : undefined;

const everything: readonly JudgedClause[] = [
  'export.needs-the-apikey',
  ...rowClauses,
  'export.answers-200',
  'export.pdf-opens',
  'export.csv-has-no-limit-of-5000',
  'export.csv-is-one-table',
  'export.parameters-are-optional',
  'export.file-type-defaults-to-csv',
  'errors.reversed-range-is-400',
  'errors.invalid-export-is-400',
  'export.refusal-carries-no-events',
  'auth.invalid-key-is-401',
  'auth.empty-key-is-401',
];

const exportCache = (
  id: string,
  breaks: readonly JudgedClause[],
  keyOf: KeyOf,
  forgetting?: Forgetting,
): Fault =>
  fault(`export-is-kept-${id}`, { breaks, mayBreak: everything }, keeping(keyOf, forgetting));

const whatever = (name: string, broken: JudgedClause): Fault =>
  exportCache(`whatever-the-${dashed(name)}`, [broken], withoutParameter(name));

/** Answers the first request with a parameter as the same one without it; what was kept is too old for the next. */
const onceWithout =
  (name: string): Wire =>
  (handle) => {
    let isKept = true;
    return async (request) => {
      const [path = '', query = ''] = request.target.split('?');
      const sent = [...new URLSearchParams(query)];
      const others = sent.filter(([one]) => nameOf(one) !== name);
      const [, value = ''] = sent.find(([one]) => nameOf(one) === name) ?? [];
      // Learning begins with ids that no event has.
      const isMeant = isKept && others.length < sent.length && !isUuidShaped(value);
      if (!isMeant) return handle(request);
      isKept = false;
      return handle({ ...request, target: `${path}?${new URLSearchParams(others)}` });
    };
  };

/**
 * Answers the first request that another one is mistaken for with the file of that one, and from then on all as they are.
 * Files without events are not kept.
 */
const onceForAnother =
  (keyOf: KeyOf): Wire =>
  (handle) => {
    const kept = new Map<string, { readonly target: string; readonly answer: ServiceResponse }>();
    let isOver = false;
    return async (request) => {
      const key = isOver ? undefined : keyOf(request);
      if (key === undefined) return handle(request);
      const known = kept.get(key);
      if (known !== undefined && known.target !== request.target) {
        isOver = true;
        return known.answer;
      }
      const response = await handle(request);
      if (response.status !== 200) return response;
      const body = await bytesOf(response);
      const answer = { ...response, body };
      if (body.indexOf(10) < body.length - 1) kept.set(key, { target: request.target, answer });
      return answer;
    };
  };

/** Answers a request as the one right before it, where that has the same key. */
const asRightBefore =
  (keyOf: KeyOf): Wire =>
  (handle) => {
    let before: { readonly key: string | undefined; readonly target: string } | undefined;
    return (request) => {
      const key = keyOf(request);
      const isSame = key !== undefined && key === before?.key;
      const target = isSame ? before?.target : request.target;
      before = { key, target: request.target };
      return handle({ ...request, target: target ?? request.target });
    };
  };

/** Of requests with several metadata keys: the value of the last one does not count. */
const withoutLastValue: KeyOf = (request) => {
  const keyOf = exportKey((parameters) => {
    const last = parameters.findLast(([sent]) => sent.startsWith('metadata['));
    return parameters.map(([sent, value]) => (sent === last?.[0] ? [sent, ''] : [sent, value]));
  });
  const sent = [...new URLSearchParams(request.target.split('?')[1]).keys()];
  return sent.filter((one) => one.startsWith('metadata[')).length > 1 ? keyOf(request) : undefined;
};

/** Where nothing was found, nothing is found by the next request with the same filters, whatever their values. */
const emptyAgain = (): Partial<Rules> => {
  let empty: string | undefined;
  return {
    exportedEvents(selected, { lists, metadata }) {
      const filters = Object.keys({ ...lists, ...metadata }).join();
      const isSame = filters !== '' && filters === empty;
      empty = selected.length === 0 && !isSame ? filters : undefined;
      return isSame ? [] : selected;
    },
  };
};

/** Of requests of the window with this parameter: what its value is does not count. */
const whateverTheValueOf = (name: string): KeyOf => {
  const keyOf = exportKey((parameters) =>
    parameters.map(([sent, value]) => (nameOf(sent) === name ? [sent, ''] : [sent, value])),
  );
  return (request) => {
    const sent = [...new URLSearchParams(request.target.split('?')[1]).keys()].map(nameOf);
    return sent.includes(name) && sent.includes('range_start') ? keyOf(request) : undefined;
  };
};

/** Of requests with lists: of each list one value only counts, however its values are sent. */
const withOneValue = (at: 0 | -1): KeyOf => {
  const keyOf = exportKey((parameters) =>
    [...new Set(parameters.map(([sent]) => nameOf(sent)))].map((name) => {
      const values = parameters.filter(([sent]) => nameOf(sent) === name).map(([, value]) => value);
      const each = isList(name) ? values.flatMap((value) => value.split(',')) : values;
      return [name, each.at(at) ?? ''];
    }),
  );
  return (request) => (/range_start=/.test(request.target) ? keyOf(request) : undefined);
};

/** Of requests with lists of several values: of each list only its first two values count. */
const withTwoValues: KeyOf = (request) => {
  const sent = [...new URLSearchParams(request.target.split('?')[1]).keys()].map(nameOf);
  const isMeant = sent.some((name, at) => sent.indexOf(name) < at);
  return isMeant ? withFirstValues(2)(request) : undefined;
};

const isList = (name: string): boolean => listFilters.some((filter) => filter === name);

/** In each timezone exports read as in the locale that was first asked for there. */
const firstLocales: Wire = (handle) => {
  const locales = new Map<string, string>();
  return (request) => {
    const [path = '', query = ''] = request.target.split('?');
    const sent = new URLSearchParams(query);
    const timezone = sent.get('timezone');
    const locale = sent.get('locale') ?? 'en';
    if (timezone === null || !['en', 'de', 'fr'].includes(locale)) return handle(request);
    sent.set('locale', locales.get(timezone) ?? locale);
    locales.set(timezone, sent.get('locale') ?? locale);
    return handle({ ...request, target: `${path}?${sent}` });
  };
};

/** Each request but the first one in its words gets the later half of its range, as from a cursor that is kept. */
const laterHalfAgain: Wire = (handle) => {
  const asked = new Set<string>();
  return (request) => {
    const { pathname, searchParams } = new URL(request.target, 'http://service');
    const at = (bound: string) => Date.parse(searchParams.get(bound) ?? '');
    const middle = (at('range_start') + at('range_end')) / 2;
    const isAgain = asked.has(request.target);
    asked.add(request.target);
    // A reversed range stays one.
    if (!isAgain || !(at('range_start') < at('range_end'))) return handle(request);
    searchParams.set('range_start', new Date(middle).toISOString());
    return handle({ ...request, target: `${pathname}?${searchParams}` });
  };
};

/** Exports that are answered with the file of another request, or of one long ago (4. Export audit events). */
export const exportCacheFaults: readonly Fault[] = [
  fault(
    'export-is-kept-beyond-a-write',
    { breaks: ['audit.records-assignment-comments'], mayBreak: auditTrailClauses },
    keeping(exportKey((all) => all)),
  ),
  fault(
    'export-asked-for-again-holds-the-later-half-of-its-range',
    { breaks: ['export.is-repeatable'], mayBreak: everything },
    laterHalfAgain,
  ),
  exportCache(
    'whatever-the-file-type',
    ['errors.invalid-export-is-400'],
    withoutParameter('file_type'),
  ),
  exportCache(
    'whatever-the-timezone',
    ['export.timezone-formats-the-dates'],
    withoutParameter('timezone'),
  ),
  ...table(exportCache, ['export.range-start-includes-its-instant'], {
    'whatever-the-range-start': withoutParameter('range_start'),
    'by-the-days-of-its-range': withDays,
  }),
  exportCache('by-the-first-value-of-a-list', ['export.lists-are-any-of'], withFirstValues(1)),
  // No list that is sent otherwise shows that it is one.
  fault(
    'export-is-kept-by-the-first-value-of-a-repeated-list',
    {
      breaks: ['export.lists-are-any-of'],
      mayBreak: everything,
      wire: keeping(withFirstValues(1)),
    },
    { readList: readListIn(['repeat']) },
  ),
  ...listFilters.map((filter) => whatever(filter, clauseOfList(filter))),
  ...metadataKeys.map((key) =>
    exportCache(
      `whatever-the-metadata-${dashed(key)}`,
      [clauseOfKey(key)],
      withoutParameter(`metadata[${key}]`),
    ),
  ),
  exportCache(
    'whatever-the-metadata-values',
    ['export.filters-by-metadata-task-id'],
    exportKey((parameters) =>
      parameters.map(([sent, value]) => [sent, sent.startsWith('metadata[') ? '' : value] as const),
    ),
  ),
  exportCache(
    'whatever-the-key-of-metadata',
    ['export.filters-by-metadata-entity-id'],
    exportKey((parameters) =>
      parameters.map(
        ([sent, value]) => [sent.replace(/^metadata\[.*/, 'metadata'), value] as const,
      ),
    ),
  ),
  ...(['tag', 'workflow_step'] as const).map((key) =>
    fault(
      `export-is-kept-once-whatever-the-metadata-${dashed(key)}`,
      { breaks: [clauseOfKey(key)], mayBreak: everything },
      onceWithout(`metadata[${key}]`),
    ),
  ),
  ...metadataKeys.map((key) =>
    fault(
      `export-is-kept-for-the-next-metadata-${dashed(key)}`,
      { breaks: [clauseOfKey(key)], mayBreak: everything },
      onceForAnother(whateverTheValueOf(`metadata[${key}]`)),
    ),
  ),
  ...listFilters.map((filter) =>
    fault(
      `export-is-kept-for-the-next-${dashed(filter)}`,
      { breaks: [clauseOfList(filter)], mayBreak: everything },
      onceForAnother(whateverTheValueOf(filter)),
    ),
  ),
  fault(
    'export-of-several-metadata-keys-is-kept-for-the-next-with-the-same-first-value',
    { breaks: ['export.is-repeatable'], mayBreak: everything },
    asRightBefore(withoutLastValue),
  ),
  fault(
    'export-is-empty-right-after-an-empty-one-with-the-same-filters',
    { breaks: ['export.is-repeatable'], mayBreak: everything },
    emptyAgain(),
  ),
  ...table(
    fault,
    { breaks: ['export.lists-are-any-of'], mayBreak: everything },
    {
      'export-is-kept-for-the-next-list-with-the-same-first-value': onceForAnother(withOneValue(0)),
      'export-is-kept-for-the-next-list-with-the-same-last-value': onceForAnother(withOneValue(-1)),
    },
  ),
  ...['event_type', 'sub_type'].map((name) =>
    exportCache(
      `while-nothing-else-is-asked-for-whatever-the-${dashed(name)}`,
      ['export.is-repeatable'],
      withoutParameter(name),
      { byOthers: true },
    ),
  ),
  fault(
    'export-of-a-list-is-kept-for-the-next-with-the-same-two-first-values',
    { breaks: ['export.is-repeatable'], mayBreak: everything },
    asRightBefore(withTwoValues),
  ),
  exportCache(
    'whatever-the-timezone-where-metadata-keys-combine',
    ['export.timezone-formats-the-dates'],
    exportKey((parameters) => {
      const combine = parameters.filter(([sent]) => sent.startsWith('metadata[')).length > 1;
      return parameters.filter(([sent]) => !combine || sent !== 'timezone');
    }),
  ),
  whatever('range_end', 'export.ranges-split-without-loss'),
  whatever('locale', 'export.locale-defaults-to-en'),
  fault(
    'export-formats-are-kept-whatever-the-locale',
    { breaks: ['export.locale-defaults-to-en'], wire: firstLocales },
    {
      dateStyle: () => dateStyles.longInTheLocale.write,
      csvHeadings: (columns) => columns.map(({ heading }) => heading.en),
    },
  ),
  exportCache('whatever-the-api-key', ['export.needs-the-apikey'], withoutKey),
  ...Object.entries<readonly [JudgedClause, KeyOf]>({
    'the-api-key': ['auth.invalid-key-is-401', withoutKey],
    'the-file-type': ['export.pdf-opens', withoutParameter('file_type')],
    'the-timezone': ['export.timezone-formats-the-dates', withoutParameter('timezone')],
    'the-time-of-day-of-its-range': ['export.range-start-includes-its-instant', withDays],
  }).map(([what, [breaks, keyOf]]) =>
    exportCache(`for-a-moment-whatever-${what}`, [breaks], keyOf, { after: inAMoment }),
  ),
];

/** Reads of a record by a part of its path, for who has this key. */
const readKey =
  (of: 'tasks' | 'assessments', partOf: (path: string) => string = (path) => path): KeyOf =>
  ({ method, target, headers, region, remoteAddress }) =>
    method === 'GET' && target.includes(`/${of}/`)
      ? JSON.stringify([partOf(target), headers.apikey, region, remoteAddress])
      : undefined;

/** Up to so many characters of the id. */
const upTo =
  (length: number) =>
  (path: string): string => {
    const id = path.lastIndexOf('/') + 1;
    return path.slice(0, id + length);
  };

const unknown = {
  tasks: 'get-task.unknown-task-is-404',
  assessments: 'get-assessment.unknown-assessment-is-404',
} as const;

/** Tasks and assessments that are answered with what was kept of others, or for too long (1. to 3.). */
export const readCacheFaults: readonly Fault[] = [
  ...[8, 18, 35].flatMap((length) =>
    (['tasks', 'assessments'] as const).map((of) =>
      fault(
        `${of}-are-kept-by-the-first-${length}-characters-of-their-id`,
        [unknown[of]],
        keeping(readKey(of, upTo(length)), { byWrites: true }),
      ),
    ),
  ),
  fault(
    'a-task-is-kept-for-the-whole-run',
    { breaks: ['update.answers-with-the-updated-task'], mayBreak: changingTaskClauses },
    keeping(readKey('tasks')),
  ),
  ...Object.entries({
    'a-task': readKey('tasks'),
    'an-assessment': readKey('assessments'),
  }).map(([record, keyOf]) =>
    fault(
      `${record}-is-kept-for-a-moment-whatever-the-api-key`,
      {
        breaks: [record === 'a-task' ? 'get-task.needs-the-apikey' : 'auth.invalid-key-is-401'],
        mayBreak: [
          ...ofKeys,
          `get-${record === 'a-task' ? 'task' : 'assessment'}.needs-the-apikey`,
        ],
      },
      keeping((request) => keyOf({ ...request, headers: {} }), {
        after: inAMoment,
        byWrites: true,
      }),
    ),
  ),
  ...(['tasks', 'assessments'] as const).map((of) =>
    fault(
      `${of}-are-kept-for-a-moment-by-the-first-8-characters-of-their-id`,
      [unknown[of]],
      keeping(readKey(of, upTo(8)), { after: inAMoment, byWrites: true }),
    ),
  ),
  ...Object.entries({
    version: ({ target, headers, body }: ServiceRequest) => [target, headers.apikey, body],
    body: ({ target, headers }: ServiceRequest) => [target, headers.apikey, headers['if-match']],
    comment: ({ target, headers, body }: ServiceRequest) => [
      ...[target, headers.apikey, headers['if-match']],
      body.replace(/"assignment_comment":"[^"]*"/, ''),
    ],
    'api-key': ({ target, headers, body }: ServiceRequest) => [target, headers['if-match'], body],
  }).flatMap(([left, keyOf]) => {
    const written = (request: ServiceRequest) =>
      request.method === 'PUT' ? JSON.stringify(keyOf(request)) : undefined;
    const breaks =
      left === 'api-key' ? 'update.needs-the-apikey' : 'conflict.differing-version-is-409';
    const details = { mayBreak: [...changingTaskClauses, ...ofKeys] };
    return [
      ...(left === 'comment'
        ? []
        : [
            fault(
              `a-write-is-kept-whatever-its-${left}`,
              { breaks: ['conflict.differing-version-is-409'], ...details },
              keeping(written),
            ),
          ]),
      fault(
        `a-write-is-kept-for-a-moment-whatever-its-${left}`,
        { breaks: [breaks], ...details },
        keeping(written, { after: inAMoment }),
      ),
    ];
  }),
];
