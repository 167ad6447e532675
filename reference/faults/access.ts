import type { Operation } from '../../schemas/operations.ts';
import type { ServiceResponse } from '../request.ts';
import { accessRules } from '../rules/access.ts';
import { type Fault, fault, refusedWith, type Wire } from './fault.ts';

/** Keys that are accepted although they are not the key, by one operation or by all. */
const acceptingKeys = (
  id: string,
  breaks: Fault['breaks'],
  accepts: (presented: string | undefined, key: string) => boolean,
  by?: Operation,
): Fault =>
  fault(id, breaks, {
    rules: {
      keyIsValid: (presented, key, operation) =>
        accessRules.keyIsValid(presented, key, operation) ||
        ((by === undefined || by === operation) && accepts(presented, key)),
    },
  });

const isMissing = (presented: string | undefined) => presented === undefined;
const isPresent = (presented: string | undefined) => (presented ?? '') !== '';

const checkingTheKeyAfterTheLookup = (by: Operation): Fault =>
  fault(`the-key-is-checked-after-the-lookup-by-${by}`, ['auth.is-checked-before-the-lookup'], {
    rules: { keyIsCheckedFirst: (operation) => operation !== by },
  });

const servingAnotherRegion = (by: Operation): Fault =>
  fault(`the-key-of-another-region-is-accepted-by-${by}`, ['auth.wrong-region-is-401'], {
    rules: {
      regionIsServed: (region, operation) =>
        operation === by || accessRules.regionIsServed(region, operation),
    },
  });

const servingBlockedAddresses = (by: Operation): Fault =>
  fault(`an-address-off-the-allow-list-is-served-by-${by}`, ['auth.blocked-address-is-401'], {
    rules: {
      addressIsAllowed: (address, allowed, operation) =>
        operation === by || accessRules.addressIsAllowed(address, allowed, operation),
    },
  });

const refusingTheKey = (by: Operation): Fault =>
  fault(`the-valid-key-is-refused-by-${by}`, ['auth.valid-key-is-accepted'], {
    rules: {
      keyIsValid: (presented, key, operation) =>
        operation !== by && accessRules.keyIsValid(presented, key, operation),
    },
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
] as const;

/** Keys, regions and addresses that are let in, or kept out, wrongly (Authentication). */
export const accessFaults: readonly Fault[] = [
  acceptingKeys(
    'a-missing-key-is-accepted-by-update-assignment',
    [needingNoKey['update-assignment'], 'auth.is-checked-before-the-lookup'],
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
  acceptingKeys('an-empty-key-is-accepted', ['auth.empty-key-is-401'], (key) => key === ''),
  acceptingKeys(
    'an-empty-key-is-accepted-by-get-assessment',
    ['auth.empty-key-is-401'],
    (key) => key === '',
    'get-assessment',
  ),
  acceptingKeys(
    'any-key-is-accepted-by-update-assignment',
    ['auth.invalid-key-is-401', 'auth.is-checked-before-the-lookup'],
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
  acceptingKeys('any-key-is-accepted-by-export', ['auth.invalid-key-is-401'], isPresent, 'export'),
  acceptingKeys(
    'the-beginning-of-the-key-is-accepted',
    ['auth.invalid-key-is-401'],
    (presented = '', key) => presented !== '' && key.startsWith(presented),
  ),
  acceptingKeys(
    'a-key-with-more-behind-it-is-accepted',
    ['auth.invalid-key-is-401'],
    (presented = '', key) => presented.startsWith(key),
  ),
  acceptingKeys(
    'the-key-in-another-case-is-accepted',
    ['auth.invalid-key-is-401'],
    (presented = '', key) => presented.toLowerCase() === key.toLowerCase(),
  ),
  acceptingKeys(
    'any-key-of-the-right-length-is-accepted',
    ['auth.invalid-key-is-401'],
    (presented = '', key) => presented.length === key.length,
  ),
  acceptingKeys(
    'a-key-without-its-last-character-is-enough',
    ['auth.invalid-key-is-401'],
    (presented = '', key) => presented.slice(0, key.length - 1) === key.slice(0, -1),
  ),
  acceptingKeys(
    'the-end-of-the-key-is-enough',
    ['auth.invalid-key-is-401'],
    (presented = '', key) => presented.endsWith(key.slice(1)),
  ),
  fault('an-invalid-key-is-403', everyRefusal, { rules: refusedWith('unauthorized', 403) }),
  fault('an-invalid-key-is-404', everyRefusal, { rules: refusedWith('unauthorized', 404) }),
  checkingTheKeyAfterTheLookup('update-assignment'),
  checkingTheKeyAfterTheLookup('get-task'),
  checkingTheKeyAfterTheLookup('get-assessment'),
  fault('the-key-of-another-region-is-accepted', ['auth.wrong-region-is-401'], {
    rules: { regionIsServed: () => true },
  }),
  servingAnotherRegion('update-assignment'),
  servingAnotherRegion('get-assessment'),
  fault('an-address-off-the-allow-list-is-served', ['auth.blocked-address-is-401'], {
    rules: { addressIsAllowed: () => true },
  }),
  servingBlockedAddresses('get-task'),
  servingBlockedAddresses('update-assignment'),
  refusingTheKey('get-assessment'),
  refusingTheKey('update-assignment'),
  fault('a-read-without-a-key-shows-what-it-refuses', ['get-task.needs-the-apikey'], {
    mayBreak: ['auth.invalid-key-is-401', 'get-assessment.needs-the-apikey'],
    wire: showsWhatItRefuses,
  }),
];

/** The same of the export, where nothing of the JSON operations is broken. */
export const exportAccessFaults: readonly Fault[] = [
  acceptingKeys('a-missing-key-is-accepted-by-export', [needingNoKey.export], isMissing, 'export'),
];
