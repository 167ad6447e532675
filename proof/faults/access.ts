import type { ServiceResponse } from '../../reference/request.ts';
import { accessRules } from '../../reference/rules/access.ts';
import type { Operation } from '../../schemas/operations.ts';
import { type Fault, fault, refusedWith, table, type Wire } from './fault.ts';

/** Keys that are accepted although they are not the key, by one operation or by all. */
export const acceptingKeys = (
  id: string,
  breaks: Fault['breaks'],
  accepts: (presented: string | undefined, key: string) => boolean,
  by?: Operation,
): Fault =>
  fault(id, breaks, {
    keyIsValid: (presented, key, operation) =>
      accessRules.keyIsValid(presented, key, operation) ||
      ((by === undefined || by === operation) && accepts(presented, key)),
  });

const isMissing = (presented: string | undefined) => presented === undefined;
const isPresent = (presented: string | undefined) => (presented ?? '') !== '';

const checkingTheKeyAfterTheLookup = (by: Operation): Fault =>
  fault(`the-key-is-checked-after-the-lookup-by-${by}`, ['auth.is-checked-before-the-lookup'], {
    keyIsCheckedFirst: (operation, before) => operation !== by || before !== 'lookup',
  });

const checkingTheKeyAfterTheRequest = (by: Operation): Fault =>
  fault(`the-key-is-checked-after-the-request-by-${by}`, ['auth.is-checked-before-the-request'], {
    keyIsCheckedFirst: (operation, before) => operation !== by || before !== 'request',
  });

const elsewhere = 'auth.key-elsewhere-is-401';
const amongOtherText = 'auth.key-among-other-text-is-401';
const beforeTheRequest = 'auth.is-checked-before-the-request';
const claimedAddress = 'auth.claimed-address-is-not-trusted';

/** Takes the key from elsewhere where the header apikey is missing. */
const takingTheKeyFrom = (
  id: string,
  place: (headers: Readonly<Record<string, string>>) => string | undefined,
): Fault => fault(id, [elsewhere], { presentedKey: (headers) => headers.apikey ?? place(headers) });

/** Takes the key from the query where the header apikey is missing. */
const takingTheKeyFromTheQuery = (id: string, path: string): Fault =>
  fault(id, [elsewhere], (handle) => (request) => {
    const key = new URLSearchParams(request.target.split('?')[1] ?? '').get('apikey');
    const isMeant = key !== null && request.target.startsWith(path);
    const headers = isMeant ? { apikey: key, ...request.headers } : request.headers;
    return handle({ ...request, headers });
  });

/** Believes where a request says that it comes from. */
const trustingTheClaim = (header: string, addressIn: (claim: string) => string): Fault =>
  fault(`the-address-in-${header}-is-trusted`, [claimedAddress], (handle) => (request) => {
    const claim = request.headers[header];
    return handle(claim === undefined ? request : { ...request, remoteAddress: addressIn(claim) });
  });

const servingAnotherRegion = (by: Operation): Fault =>
  fault(`the-key-of-another-region-is-accepted-by-${by}`, ['auth.wrong-region-is-401'], {
    regionIsServed: (region, operation) =>
      operation === by || accessRules.regionIsServed(region, operation),
  });

const servingBlockedAddresses = (by: Operation): Fault =>
  fault(`an-address-off-the-allow-list-is-served-by-${by}`, ['auth.blocked-address-is-401'], {
    addressIsAllowed: (address, allowed, operation) =>
      operation === by || accessRules.addressIsAllowed(address, allowed, operation),
  });

const refusingTheKey = (by: Operation): Fault =>
  fault(`the-valid-key-is-refused-by-${by}`, ['auth.valid-key-is-accepted'], {
    keyIsValid: (presented, key, operation) =>
      operation !== by && accessRules.keyIsValid(presented, key, operation),
  });

/** A read that is refused with 401 is answered with what was last read there. */
const showsWhatItRefuses: Wire = (handle) => {
  const shown = new Map<string, ServiceResponse>();
  return async (request) => {
    const answer = await handle(request);
    if (request.method === 'GET' && answer.status === 200) shown.set(request.target, answer);
    const kept = shown.get(request.target);
    return answer.status === 401 && kept !== undefined ? { ...kept, status: 401 } : answer;
  };
};

/** After a mismatch the task is shown to whoever has no key. */
const servesAfterAMismatch: Wire = (handle) => {
  const keys = new Map<string, string>();
  return async (request) => {
    const { method, target, headers } = request;
    const key = method === 'GET' ? keys.get(target) : undefined;
    const answer = await handle(
      key ? { ...request, headers: { apikey: key, ...headers } } : request,
    );
    if (answer.status === 409)
      keys.set(target.replace('/update-assignment', ''), headers.apikey ?? '');
    return answer;
  };
};

/** A read is answered with what a caller with the valid key read a moment before, whatever the key. */
const caches =
  (path: string, lifetimeMs: number): Wire =>
  (handle) => {
    const kept = new Map<string, { answer: ServiceResponse; until: number }>();
    return async (request) => {
      const { method, target } = request;
      if (method !== 'GET' || !target.startsWith(path)) return handle(request);
      const known = kept.get(target);
      if (known !== undefined && known.until > performance.now()) return known.answer;
      const answer = await handle(request);
      const until = performance.now() + lifetimeMs;
      if (answer.status === 200) kept.set(target, { answer, until });
      return answer;
    };
  };

const needingNoKey = {
  'update-assignment': 'update.needs-the-apikey',
  'get-task': 'get-task.needs-the-apikey',
  'get-assessment': 'get-assessment.needs-the-apikey',
  export: 'export.needs-the-apikey',
} as const;

const everyNeed = Object.values(needingNoKey);
const everyRefusal = [
  ...everyNeed,
  'auth.invalid-key-is-401',
  'auth.empty-key-is-401',
  'auth.is-checked-before-the-lookup',
  'auth.wrong-region-is-401',
  'auth.blocked-address-is-401',
  beforeTheRequest,
] as const;

/** Keys, regions and addresses that are let in, or kept out, wrongly (Authentication). */
export const accessFaults: readonly Fault[] = [
  acceptingKeys(
    'a-missing-key-is-accepted-by-update-assignment',
    [needingNoKey['update-assignment'], 'auth.is-checked-before-the-lookup', beforeTheRequest],
    isMissing,
    'update-assignment',
  ),
  acceptingKeys(
    'a-missing-key-is-accepted-by-get-task',
    [needingNoKey['get-task'], 'auth.is-checked-before-the-lookup'],
    isMissing,
    'get-task',
  ),
  acceptingKeys(
    'a-missing-key-is-accepted-by-get-assessment',
    [needingNoKey['get-assessment'], 'auth.is-checked-before-the-lookup'],
    isMissing,
    'get-assessment',
  ),
  fault(
    'an-assessment-that-was-just-read-needs-no-key',
    {
      breaks: ['auth.empty-key-is-401', 'auth.invalid-key-is-401'],
      // What others have read before.
      mayBreak: [
        needingNoKey['get-assessment'],
        'auth.wrong-region-is-401',
        'auth.blocked-address-is-401',
        amongOtherText,
      ],
    },
    caches('/v5/assessments/', 2000),
  ),
  fault(
    'a-refusal-of-a-read-is-kept-for-the-valid-key',
    {
      breaks: ['auth.valid-key-is-accepted'],
      mayBreak: ['get-assessment.answers-with-the-full-assessment'],
    },
    (handle) => {
      const refusedAt = new Map<string, number>();
      return async (request) => {
        const { method, target } = request;
        if (method !== 'GET' || !target.startsWith('/v5/assessments/')) return handle(request);
        const answer = await handle(request);
        if (answer.status === 401) refusedAt.set(target, performance.now());
        const isKept = performance.now() - (refusedAt.get(target) ?? Number.NaN) < 100;
        return isKept ? { status: 401, headers: {}, body: '' } : answer;
      };
    },
  ),
  acceptingKeys('an-empty-key-is-accepted', ['auth.empty-key-is-401'], (key) => key === ''),
  acceptingKeys(
    'an-empty-key-is-accepted-by-get-assessment',
    ['auth.empty-key-is-401'],
    (key) => key === '',
    'get-assessment',
  ),
  ...Object.entries({
    'without-its-last-character': (presented: string, key: string) =>
      presented === key.slice(0, -1),
    'with-more-behind-it': (presented: string, key: string) =>
      presented !== key && presented.startsWith(key) && !/[\s,]/.test(presented),
    'but-for-its-middle': (presented: string, key: string) =>
      presented.slice(0, 8) === key.slice(0, 8) && presented.slice(-4) === key.slice(-4),
  }).map(([how, accepts]) =>
    acceptingKeys(
      `the-key-${how}-is-accepted-by-update-assignment`,
      ['auth.invalid-key-is-401'],
      (presented = '', key) => accepts(presented, key),
      'update-assignment',
    ),
  ),
  acceptingKeys(
    'any-key-is-accepted-by-update-assignment',
    ['auth.invalid-key-is-401', 'auth.is-checked-before-the-lookup', beforeTheRequest],
    isPresent,
    'update-assignment',
  ),
  acceptingKeys(
    'any-key-is-accepted-by-get-task',
    ['auth.invalid-key-is-401', 'auth.is-checked-before-the-lookup'],
    isPresent,
    'get-task',
  ),
  acceptingKeys(
    'any-key-is-accepted-by-get-assessment',
    ['auth.invalid-key-is-401', 'auth.is-checked-before-the-lookup'],
    isPresent,
    'get-assessment',
  ),
  acceptingKeys(
    'any-key-is-accepted-by-export',
    ['auth.invalid-key-is-401', beforeTheRequest],
    isPresent,
    'export',
  ),
  ...table(acceptingKeys, ['auth.invalid-key-is-401', amongOtherText], {
    'the-beginning-of-the-key-is-accepted': (presented = '', key) =>
      presented !== '' && key.startsWith(presented),
    'a-key-with-more-behind-it-is-accepted': (presented = '', key) => presented.startsWith(key),
  }),
  ...table(acceptingKeys, ['auth.invalid-key-is-401'], {
    'the-key-in-another-case-is-accepted': (presented = '', key) =>
      presented.toLowerCase() === key.toLowerCase(),
    'any-key-of-the-right-length-is-accepted': (presented = '', key) =>
      presented.length === key.length,
  }),
  ...table(acceptingKeys, ['auth.invalid-key-is-401', amongOtherText], {
    'a-key-without-its-last-character-is-enough': (presented = '', key) =>
      presented.slice(0, key.length - 1) === key.slice(0, -1),
    'the-end-of-the-key-is-enough': (presented = '', key) => presented.endsWith(key.slice(1)),
  }),
  fault('an-invalid-key-is-403', everyRefusal, refusedWith('unauthorized', 403)),
  fault('an-invalid-key-is-404', everyRefusal, refusedWith('unauthorized', 404)),
  checkingTheKeyAfterTheLookup('update-assignment'),
  checkingTheKeyAfterTheLookup('get-task'),
  checkingTheKeyAfterTheLookup('get-assessment'),
  checkingTheKeyAfterTheRequest('update-assignment'),
  checkingTheKeyAfterTheRequest('export'),
  takingTheKeyFrom('the-key-as-a-bearer-token-is-accepted', ({ authorization }) =>
    authorization?.replace(/^Bearer /, ''),
  ),
  takingTheKeyFrom('the-key-in-a-cookie-is-accepted', ({ cookie }) =>
    cookie?.replace(/^apikey=/, ''),
  ),
  takingTheKeyFrom('the-key-in-x-api-key-is-accepted', (headers) => headers['x-api-key']),
  takingTheKeyFrom('the-key-in-two-other-headers-is-accepted', (headers) =>
    headers['x-api-key'] === headers['api-key'] ? headers['api-key'] : undefined,
  ),
  takingTheKeyFromTheQuery('the-key-in-the-query-is-accepted', '/v5/'),
  takingTheKeyFromTheQuery('the-key-in-the-query-of-an-export-is-accepted', '/v5/audit-sentinel/'),
  ...table(acceptingKeys, [amongOtherText], {
    'a-key-with-bearer-before-it-is-accepted': (presented, key) => presented === `Bearer ${key}`,
    'a-key-in-quotes-is-accepted': (presented, key) => presented === `"${key}"`,
    'one-of-several-keys-is-enough': (presented = '', key) => presented.split(/, */).includes(key),
    'the-last-of-several-keys-is-enough': (presented = '', key) =>
      presented.split(/, */).at(-1) === key,
    'spaces-inside-a-key-are-ignored': (presented = '', key) =>
      presented.replaceAll(' ', '') === key,
    'the-first-half-of-the-key-is-enough': (presented = '', key) =>
      presented === key.slice(0, Math.ceil(key.length / 2)),
  }),
  trustingTheClaim('x-forwarded-for', (claim) => claim),
  trustingTheClaim('x-real-ip', (claim) => claim),
  trustingTheClaim('forwarded', (claim) => claim.replace('for=', '')),
  fault('the-key-of-another-region-is-accepted', ['auth.wrong-region-is-401'], {
    regionIsServed: () => true,
  }),
  ...table(fault, ['auth.wrong-region-is-401'], {
    'a-body-is-checked-before-the-key-of-another-region': (handle) => async (request) => {
      const answer = await handle(request);
      const isMeant = request.region === 'other' && request.body === '{}';
      return isMeant ? { ...answer, status: 400 } : answer;
    },
    'the-key-of-another-region-is-accepted-after-an-unassignment': (handle) => {
      let isKnown = false;
      return (request) => {
        const isServed =
          isKnown && request.region === 'other' && request.headers.apikey !== undefined;
        isKnown ||= request.region === 'other' && request.body.includes('"unassign"');
        return handle(
          isServed && request.method === 'GET' ? { ...request, region: 'own' } : request,
        );
      };
    },
  }),
  servingAnotherRegion('update-assignment'),
  servingAnotherRegion('get-assessment'),
  fault('an-address-off-the-allow-list-is-served', ['auth.blocked-address-is-401'], {
    addressIsAllowed: () => true,
  }),
  servingBlockedAddresses('get-task'),
  servingBlockedAddresses('update-assignment'),
  refusingTheKey('get-assessment'),
  refusingTheKey('update-assignment'),
  fault(
    'a-read-without-a-key-shows-what-it-refuses',
    {
      breaks: ['get-task.needs-the-apikey'],
      mayBreak: ['auth.invalid-key-is-401', 'get-assessment.needs-the-apikey'],
    },
    showsWhatItRefuses,
  ),
  fault(
    'a-task-is-read-without-a-key-after-a-mismatch',
    ['get-task.needs-the-apikey'],
    servesAfterAMismatch,
  ),
];

/** The same of the export, where nothing of the JSON operations is broken. */
export const exportAccessFaults: readonly Fault[] = [
  fault(
    'an-export-that-begins-with-its-file-type-needs-no-valid-key',
    ['export.needs-the-apikey', 'auth.invalid-key-is-401'],
    (handle) => {
      let valid: string | undefined;
      return async (request) => {
        const { target, headers } = request;
        if (target.includes('?file_type=') && valid !== undefined)
          return handle({ ...request, headers: { ...headers, apikey: valid } });
        const answer = await handle(request);
        if (answer.status === 200) valid = headers.apikey;
        return answer;
      };
    },
  ),
  acceptingKeys(
    'a-missing-key-is-accepted-by-export',
    [needingNoKey.export, beforeTheRequest],
    isMissing,
    'export',
  ),
];
