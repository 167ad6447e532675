import { parametersOf } from '../../reference/export/query.ts';
import type { ServiceRequest } from '../../reference/request.ts';
import type { Operation } from '../../schemas/operations.ts';
import { changingTaskClauses } from '../clause-groups.ts';
import { acceptingKeys } from './access.ts';
import { type Fault, fault, table, type Wire } from './fault.ts';

/*
 * Keys that are taken from where they do not belong, checked too late, or by some operations only; addresses that
 * requests only claim (Authentication).
 */

const elsewhere = 'auth.key-elsewhere-is-401';
const amongOtherText = 'auth.key-among-other-text-is-401';
const beforeTheRequest = 'auth.is-checked-before-the-request';
const claimedAddress = 'auth.claimed-address-is-not-trusted';

type IsMeant = (request: ServiceRequest) => boolean;

const by = (operation: Operation): IsMeant => {
  const isOf: Readonly<Record<Operation, IsMeant>> = {
    'update-assignment': ({ method }) => method === 'PUT',
    'get-task': ({ method, target }) => method === 'GET' && target.startsWith('/v5/tasks/'),
    'get-assessment': ({ target }) => target.startsWith('/v5/assessments/'),
    export: ({ target }) => target.startsWith('/v5/audit-sentinel/'),
  };
  return isOf[operation];
};

const parameterOf = ({ target }: ServiceRequest, name: string): string | undefined =>
  new URLSearchParams(target.split('?')[1] ?? '').get(name) ?? undefined;

const isPdf: IsMeant = (request) => parameterOf(request, 'file_type') === 'pdf';

/** Takes the key from elsewhere where the header apikey is missing. */
const takingTheKey = (
  from: string,
  place: (request: ServiceRequest) => string | undefined,
  isMeant: IsMeant = () => true,
): Fault =>
  fault(`the-key-${from}-is-accepted`, [elsewhere], (handle) => (request) => {
    const key = isMeant(request) ? place(request) : undefined;
    const headers = key === undefined ? request.headers : { apikey: key, ...request.headers };
    return handle({ ...request, headers });
  });

const inQuery =
  (name = 'apikey') =>
  (request: ServiceRequest) =>
    parameterOf(request, name);
const asBearer = ({ headers }: ServiceRequest) => headers.authorization?.replace(/^Bearer /, '');
const inCookie = ({ headers }: ServiceRequest) => headers.cookie?.replace(/^apikey=/, '');
const asBasic = ({ headers }: ServiceRequest) => {
  const [, encoded] = /^Basic (.*)$/.exec(headers.authorization ?? '') ?? [];
  return encoded && Buffer.from(encoded, 'base64').toString().split(':')[0];
};

/** Looks at what is asked for before it looks at the key: `problem` gives the status of what is wrong with it. */
const late = (
  before: string,
  breaks: Fault['breaks'],
  problem: (request: ServiceRequest) => number | undefined,
  details: Pick<Fault, 'mayBreak'> = {},
): Fault => {
  const wire: Wire = (handle) => async (request) => {
    const answer = await handle(request);
    const status = answer.status === 401 ? problem(request) : undefined;
    return status === undefined ? answer : { status, headers: {}, body: '' };
  };
  return fault(`the-key-is-checked-after-${before}`, { breaks, ...details }, wire);
};

const isWithoutKey: IsMeant = ({ headers }) => headers.apikey === undefined;
const isWrite = by('update-assignment');
const isExport = by('export');

/** The body of a write as JSON; undefined where it is none. */
function bodyOf({ body }: ServiceRequest): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const isStale = (request: ServiceRequest) =>
  isWrite(request) && (request.headers['if-match'] ?? '') < '2001' && 'if-match' in request.headers;

const isReversed = (request: ServiceRequest) =>
  (parameterOf(request, 'range_start') ?? '') > (parameterOf(request, 'range_end') ?? '9');

const trusting = (header: string, isMeant: IsMeant = () => true, of = ''): Fault =>
  fault(`the-address-in-${header}-is-trusted${of}`, [claimedAddress], (handle) => (request) => {
    const claim = isMeant(request) ? request.headers[header] : undefined;
    return handle(claim === undefined ? request : { ...request, remoteAddress: claim });
  });

/** Takes a key that was accepted before in whatever case, where a team is to be assigned. */
const keyInCapitals: Wire = (handle) => {
  let good = '';
  return async (request) => {
    const { apikey = '' } = request.headers;
    const isAlike = request.body.includes('"TEAM"') && apikey.toLowerCase() === good.toLowerCase();
    const taken = isAlike ? { ...request, headers: { ...request.headers, apikey: good } } : request;
    const answer = await handle(taken);
    if (answer.status === 200) good = taken.headers.apikey ?? '';
    return answer;
  };
};

const operations = ['update-assignment', 'get-assessment', 'export'] as const;

/** Of the three JSON operations, or of all. */
export const presentedKeyFaults: readonly Fault[] = [
  ...operations.flatMap((operation) => [
    takingTheKey(`in-the-query-of-${operation}`, inQuery(), by(operation)),
    takingTheKey(`as-a-bearer-token-of-${operation}`, asBearer, by(operation)),
    trusting('x-forwarded-for', by(operation), `-by-${operation}`),
  ]),
  takingTheKey('in-a-cookie-of-a-download', inCookie, isExport),
  takingTheKey('in-the-query-of-a-pdf', inQuery(), isPdf),
  takingTheKey(
    'in-x-api-key-of-an-assessment',
    ({ headers }) => headers['x-api-key'],
    by('get-assessment'),
  ),
  takingTheKey('in-api-key', ({ headers }) => headers['api-key']),
  takingTheKey('in-api-key-of-the-query', inQuery('api_key')),
  takingTheKey('as-a-user-name', asBasic),
  takingTheKey('in-authorization', ({ headers }) => headers.authorization),
  trusting('x-client-ip'),
  trusting('true-client-ip'),
  trusting('x-cluster-client-ip'),

  ...table(acceptingKeys, [amongOtherText], {
    'a-key-that-is-said-twice-is-accepted': (presented = '', key) =>
      presented.split(/, */).every((one) => one === key),
    'a-key-is-a-pattern': (presented = '', key) => {
      const pattern = presented.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('%', '.*');
      return presented !== '' && new RegExp(`^${pattern}$`).test(key);
    },
  }),
  acceptingKeys(
    'a-key-inside-other-text-is-accepted',
    [amongOtherText, 'auth.invalid-key-is-401'],
    (presented = '', key) => presented.includes(key),
  ),
  acceptingKeys(
    'a-key-with-bearer-before-it-is-accepted-by-update-assignment',
    [amongOtherText],
    (presented, key) => presented === `Bearer ${key}`,
    'update-assignment',
  ),
  acceptingKeys(
    'the-first-eight-characters-of-the-key-count',
    ['auth.invalid-key-is-401', amongOtherText],
    (presented = '', key) => presented.startsWith(key.slice(0, 8)),
  ),

  fault(
    'a-missing-key-is-accepted-to-assign-a-team',
    {
      breaks: ['update.needs-the-apikey'],
      mayBreak: [...changingTaskClauses, 'auth.refusal-changes-nothing'],
    },
    keyless((request) => isWithoutKey(request) && request.body.includes('"TEAM"')),
  ),
  fault(
    'a-missing-key-is-accepted-for-a-write-without-a-comment',
    {
      breaks: ['update.needs-the-apikey'],
      mayBreak: [
        ...changingTaskClauses,
        'auth.refusal-changes-nothing',
        'auth.is-checked-before-the-lookup',
        beforeTheRequest,
        elsewhere,
      ],
    },
    keyless(
      (request) =>
        isWrite(request) && isWithoutKey(request) && !request.body.includes('assignment_comment'),
    ),
  ),
  fault(
    'a-missing-key-is-accepted-for-a-write-with-white-space-around-its-comment',
    {
      breaks: ['update.needs-the-apikey'],
      mayBreak: [...changingTaskClauses, 'auth.refusal-changes-nothing'],
    },
    keyless((request) => isWithoutKey(request) && /"assignment_comment":" /.test(request.body)),
  ),
  fault(
    'a-key-in-capitals-is-accepted-to-assign-a-team',
    {
      breaks: ['auth.invalid-key-is-401'],
      mayBreak: [...changingTaskClauses, 'auth.refusal-changes-nothing'],
    },
    keyInCapitals,
  ),
  ...table(late, [beforeTheRequest], {
    'the-body-is-parsed': (request) =>
      isWrite(request) && bodyOf(request) === undefined ? 400 : undefined,
    'the-media-type-of-a-write': (request) =>
      isWrite(request) && !request.headers['content-type']?.startsWith('application/json')
        ? 415
        : undefined,
    'the-fields-of-a-write': (request) => {
      const body = bodyOf(request);
      const isValid = body === undefined || /"assigned_to_type"|"unassign"/.test(request.body);
      return isWrite(request) && !isValid ? 422 : undefined;
    },
    'the-version-of-a-write': (request) => (isStale(request) ? 409 : undefined),
    'the-version-of-a-write-without-a-key': (request) =>
      isStale(request) && request.headers.apikey === undefined ? 409 : undefined,
    'a-missing-version': (request) =>
      isWrite(request) && request.headers['if-match'] === undefined ? 428 : undefined,
  }),
];

const metadataKeysIn = ({ target }: ServiceRequest): number =>
  parametersOf(target).filter(([name]) => name.startsWith('metadata[')).length;

/** Of the export alone. */
export const exportKeyFaults: readonly Fault[] = [
  acceptingKeys(
    'the-key-in-another-case-is-accepted-by-export',
    ['auth.invalid-key-is-401'],
    (presented = '', key) => presented.toLowerCase() === key.toLowerCase(),
    'export',
  ),
  fault(
    'a-missing-key-is-accepted-for-a-pdf',
    { breaks: ['export.needs-the-apikey'], mayBreak: [beforeTheRequest] },
    keyless((request) => isPdf(request) && isWithoutKey(request)),
  ),
  fault(
    'any-key-is-accepted-for-a-pdf',
    [beforeTheRequest],
    keyless((request) => isPdf(request) && (request.headers.apikey ?? '') !== ''),
  ),
  fault(
    'any-key-is-accepted-beside-one-metadata-key-alone',
    { breaks: ['auth.invalid-key-is-401'], mayBreak: [beforeTheRequest] },
    keyless((request) => metadataKeysIn(request) === 1 && (request.headers.apikey ?? '') !== ''),
  ),
  fault(
    'a-key-of-the-same-length-is-accepted-beside-two-values',
    ['auth.invalid-key-is-401'],
    keyless(
      ({ target, headers }, valid) =>
        parametersOf(target).filter(([name]) => name === 'event_type').length === 2 &&
        headers.apikey?.length === valid.length,
    ),
  ),
  ...table(late, [beforeTheRequest], {
    'the-bounds-of-an-export': (request) =>
      isExport(request) && Number.isNaN(Date.parse(parameterOf(request, 'range_start') ?? '2000'))
        ? 400
        : undefined,
    'the-file-type-of-an-export': (request) =>
      isExport(request) && !/^(csv|pdf)$/.test(parameterOf(request, 'file_type') ?? 'csv')
        ? 400
        : undefined,
    'the-metadata-keys-of-an-export': (request) =>
      isExport(request) && /metadata(%5B|\[)no_such_key/.test(request.target) ? 400 : undefined,
    'the-order-of-a-range-of-a-csv': (request) =>
      isExport(request) && !isPdf(request) && isReversed(request) ? 400 : undefined,
    'the-order-of-a-range-of-a-pdf': (request) =>
      isExport(request) && isPdf(request) && isReversed(request) ? 400 : undefined,
  }),
  late('the-limit-of-a-pdf', ['export.needs-the-apikey'], (request) =>
    isExport(request) && isPdf(request) && parameterOf(request, 'range_start') === undefined
      ? 400
      : undefined,
  ),
];

/** Answers some requests without the right key as if they had it. */
function keyless(isMeant: (request: ServiceRequest, valid: string) => boolean): Wire {
  return (handle) => {
    let valid = '';
    return async (request) => {
      const answer = await handle(request);
      const { apikey = '' } = request.headers;
      if (answer.status !== 401) {
        valid = apikey;
        return answer;
      }
      const isServed = valid !== '' && isMeant(request, valid);
      return isServed
        ? handle({ ...request, headers: { ...request.headers, apikey: valid } })
        : answer;
    };
  };
}
