import { networkInterfaces } from 'node:os';
import { bodyThatAssigns, type Caller, type RawUpdate, withoutEvents } from '../helpers/api.ts';
import type { World } from '../runner/world.ts';
import { mayBeValid, nearKeys, wrongKey } from './authentication.ts';
import { type Ask, type Request, refusals } from './refusals.ts';
import { nearTo, startingLike } from './unknown-ids.ts';

/*
 * Authentication: the key is what the header apikey holds, and the address is where a request comes from. A valid key
 * elsewhere or among other text, a request wrong in another point too, and an address that is only claimed get 401.
 */

/** Callers by where else than in the header apikey they carry a key. */
type Places = Readonly<Record<string, Caller>>;

/** Places where gateways and frameworks look for keys. One request can use them all, as no header has two values. */
const placesOf = (key: string): Places => ({
  'in the query': { parameters: { apikey: key } },
  'in the query as api_key': { parameters: { api_key: key } },
  'as a bearer token': { headers: { Authorization: `Bearer ${key}` } },
  'in a cookie': { headers: { Cookie: `apikey=${key}` } },
  'in the header x-api-key': { headers: { 'X-API-Key': key } },
  'in the header api-key': { headers: { 'Api-Key': key } },
});

/** Places in headers that those above use otherwise: each takes a request of its own. */
const furtherPlacesOf = (key: string): Places => ({
  'as a user name': {
    headers: { Authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
  },
  'in the header authorization': { headers: { Authorization: key } },
});

/** An operation with the key in each of these places. */
const inEach = (operation: string, ask: Ask, places: Places): Request[] =>
  Object.entries(places).map(([place, elsewhere]) => ({
    name: `${operation} with the key ${place}`,
    ask,
    caller: { key: null, ...elsewhere },
    without: { key: null },
  }));

/**
 * An operation with the key in all places at once. Only where that is not refused with 401, each place is tried, to see
 * which is accepted: several keys may get another status because they are several.
 */
function inAll(operation: string, ask: Ask, key: string): Request {
  const places = placesOf(key);
  const headers = Object.assign({}, ...Object.values(places).map((one) => one.headers));
  const parameters = Object.assign({}, ...Object.values(places).map((one) => one.parameters));
  return {
    name: `${operation} with the key in other places than the header apikey`,
    ask,
    caller: { key: null, headers, parameters },
    each: inEach(operation, ask, places),
  };
}

/** A write to a random id that no task has: it changes nothing where a service lets it in. None where it may not write. */
function writeToNoTask({ api, faker, mayWrite }: World): Ask[] {
  if (!mayWrite) return [];
  const id = faker.string.uuid();
  const body = { unassign: { assigned_by_id: id } };
  return [(caller) => api.update(id, { ifMatch: '2026-01-01T00:00:00.000Z', body }, caller)];
}

/** A request of each operation: first a read of a task, last a write where the run may write. */
function eachOperation(world: World): [Ask, ...Ask[]] {
  const { api, taskIds, assessmentIds, faker } = world;
  return [
    (caller) => api.task(taskIds[0] ?? '', caller),
    (caller) => api.assessment(assessmentIds[0] ?? faker.string.uuid(), caller),
    (caller) => api.export(withoutEvents, caller),
    ...writeToNoTask(world),
  ];
}

const elsewhere = refusals({
  name: 'a valid key in another place than the header apikey answers 401',
  needs: ['task'],
  clauses: ['auth.key-elsewhere-is-401'],
  common: 'a request with the key in another place than the header apikey',
  requests(world) {
    const { api, key } = world;
    const operations = eachOperation(world);
    const pdf: Ask = (caller) => api.export(`${withoutEvents}&file_type=pdf`, caller);
    return [
      ...operations.map((ask) => inAll('a request', ask, key)),
      inAll('a request for a PDF', pdf, key),
      ...inEach('a request', operations[0], furtherPlacesOf(key)),
    ];
  },
});

const amongOtherText = refusals({
  name: 'a header apikey with a part of the valid key, or more than that, answers 401',
  needs: ['assessment'],
  clauses: ['auth.key-among-other-text-is-401'],
  common: 'an apikey header with a part of the key, or more than it',
  twin: ({ assessment, assessmentIds }) => assessment(assessmentIds[0] ?? ''),
  requests(world) {
    const { api, key, faker, assessmentIds } = world;
    const without = { key: faker.string.alphanumeric({ length: 32 }) };
    const other = faker.string.alphanumeric({ length: 32 });
    const half = Math.ceil(key.length / 2);
    const bearer = `Bearer ${key}`;
    const sent = {
      'the key with “Bearer” before it': bearer,
      'the key in quotes': `"${key}"`,
      'the key with another one behind it, after a comma': `${key}, ${other}`,
      'the key with another one before it, and a comma': `${other}, ${key}`,
      'the key with a space inside': `${key.slice(0, half)} ${key.slice(half)}`,
      'the first half of the key': key.slice(0, half),
      'the key twice, with a comma': `${key}, ${key}`,
      'the key with a percent sign in place of its second half': `${key.slice(0, half)}%`,
    };
    const read: Ask = (caller) => api.assessment(assessmentIds[0] ?? '', caller);
    const name = 'a write with “Bearer” before the key';
    return [
      ...Object.entries(sent).map(([name, key]) => ({ name, ask: read, caller: { key }, without })),
      ...writeToNoTask(world).map((ask) => ({ name, ask, caller: { key: bearer }, without })),
    ];
  },
});

const ofUnknownRecords = refusals({
  name: 'an unknown id asked for without a valid key answers 401',
  needs: ['task'],
  clauses: ['auth.is-checked-before-the-lookup'],
  common: 'a request for an unknown record without a valid key',
  async requests(world) {
    const { api, faker, taskIds } = world;
    const [taskId = ''] = taskIds;
    const [id, found] = [faker.string.uuid(), faker.string.uuid()];
    const near = startingLike(taskId, id);
    const key = faker.string.alphanumeric({ length: 32 });
    // A service may remember what it has not found.
    await api.task(found);
    const both = (what: string, ask: Ask): Request[] => [
      { name: `${what} without the apikey header`, ask, caller: { key: null } },
      { name: `${what} with a wrong key`, ask, caller: { key } },
    ];
    return [
      ...both('an unknown task', (caller) => api.task(nearTo(taskId), caller)),
      ...nearKeys.flatMap((kind) => {
        const key = wrongKey(world, kind);
        if (!key || mayBeValid(kind, key)) return [];
        const ask: Ask = (caller) => api.task(near, caller);
        return [{ name: `an unknown task with ${kind}`, ask, caller: { key } }];
      }),
      ...both('an unknown task that was just asked for', (caller) => api.task(found, caller)),
      ...both('an unknown assessment', (caller) => api.assessment(id, caller)),
      // Whether it is known in this case is open.
      ...both('a task in capitals', (caller) => api.task(taskId.toUpperCase(), caller)),
      ...writeToNoTask(world).flatMap((ask) => both('a write', ask)),
    ];
  },
});

const wrongOtherwise = refusals({
  name: 'a write or an export that is wrong in itself answers 401 without a valid key',
  needs: ['writable-task', 'user'],
  clauses: ['auth.is-checked-before-the-request'],
  common: 'a request without a valid key that is wrong in itself too',
  async requests({ api, tasks, user, actor: by, faker, mark }) {
    const { id } = await tasks.any();
    const body = bodyThatAssigns(user(), { by, comment: `Contract test ${mark()}` });
    const noKey = { key: null };
    const wrongKey = { key: faker.string.alphanumeric({ length: 32 }) };
    const invalid = { update: { ...body.update, assigned_to_type: undefined } };
    const old = '2000-01-01T00:00:00.000Z';
    const reversed =
      'range_start=2000-01-01T00%3A00%3A00.001Z&range_end=2000-01-01T00%3A00%3A00.000Z';
    const ofNoValues =
      'range_start=not-a-time&file_type=xlsx&locale=xx&timezone=Nowhere%2FNothing&metadata%5Bno_such_key%5D=x';
    const write =
      (update: RawUpdate): Ask =>
      (caller) =>
        api.update(id, update, caller);
    const exporting =
      (query: string): Ask =>
      (caller) =>
        api.export(query, caller);
    return [
      {
        name: 'a write without If-Match, of another media type, without a key',
        ask: write({ ifMatch: null, body, contentType: 'text/plain' }),
        caller: noKey,
      },
      {
        name: 'a write with an old version and a body that is no JSON, without a key',
        ask: write({ ifMatch: old, body: '{"update": ' }),
        caller: noKey,
      },
      {
        name: 'a write with an old version and without update.assigned_to_type, with a wrong key',
        ask: write({ ifMatch: old, body: invalid }),
        caller: wrongKey,
      },
      {
        name: 'an export of a reversed range, without a key',
        ask: exporting(reversed),
        caller: noKey,
      },
      {
        name: 'an export with values that no parameter has, without a key',
        ask: exporting(ofNoValues),
        caller: noKey,
      },
      {
        name: 'an export of a reversed range as PDF, with a wrong key',
        ask: exporting(`${reversed}&file_type=pdf`),
        caller: wrongKey,
      },
    ];
  },
});

/** Addresses that may be on the allow list: those of this machine. */
function ownAddresses(): string[] {
  const others = Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.filter(({ family, internal }) => family === 'IPv4' && !internal),
  );
  return ['127.0.0.1', ...others.slice(0, 1).map(({ address }) => address)];
}

/** A caller from a blocked address who claims to come from this one, in every header that proxies use for that. */
const claiming = (address: string): Caller => ({
  route: 'blocked',
  headers: {
    'X-Forwarded-For': address,
    'X-Real-IP': address,
    'X-Client-IP': address,
    'X-Cluster-Client-IP': address,
    'True-Client-IP': address,
    Forwarded: `for=${address}`,
  },
});

const claimedAddress = refusals({
  name: 'a request from an address that is not allowed answers 401, whatever address it claims',
  needs: ['task', 'blocked-route'],
  clauses: ['auth.claimed-address-is-not-trusted'],
  common: 'a request that claims to come from another address',
  requests(world) {
    const [own = '', ...others] = ownAddresses();
    const from = (address: string, ask: Ask): Request => ({
      name: `a request as if from ${address}`,
      ask,
      caller: claiming(address),
      without: { route: 'blocked' },
    });
    const [task, ...further] = eachOperation(world);
    return [
      ...[own, ...others].map((address) => from(address, task)),
      ...further.map((ask) => from(own, ask)),
    ];
  },
});

export const presentedKeys = [
  elsewhere,
  amongOtherText,
  ofUnknownRecords,
  wrongOtherwise,
  claimedAddress,
];
