import { networkInterfaces } from 'node:os';
import { type Caller, updateBody } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { scenario } from '../runner/scenario.ts';
import { withoutEvents } from './authentication.ts';
import { expectStatus, requireTwin } from './expectations.ts';

/*
 * Authentication: the key is what the header apikey holds, and the address is where a request comes from. A valid key
 * elsewhere or among other text, a request that is wrong in another point too, and an address that is only claimed get 401.
 */

interface Refused {
  readonly what: string;
  readonly answer: Answer;
}

interface Evidence {
  readonly refused: readonly Refused[];
  /** The same request with the valid key in the header apikey, by the direct route. */
  readonly twins: readonly Answer[];
}

function expectRefused({ refused, twins }: Evidence): void {
  for (const twin of twins) requireTwin(twin, 'the same request with the key in the header apikey');
  for (const { what, answer } of refused) expectStatus(answer, 401, what);
}

/** Sends a request on behalf of each of these callers. */
async function askEach(
  ask: (caller: Caller) => Promise<Answer>,
  callers: Readonly<Record<string, Caller>>,
): Promise<Refused[]> {
  return await Promise.all(
    Object.entries(callers).map(async ([what, caller]) => ({ what, answer: await ask(caller) })),
  );
}

const elsewhere = scenario({
  name: 'a valid key in another place than the header apikey answers 401',
  needs: ['task'],
  async act({ api, tasks, key, taskIds }): Promise<Evidence> {
    const [taskId = ''] = taskIds;
    const task = (caller: Caller) => api.task(taskId, caller);
    const file = (caller: Caller) => api.export(withoutEvents, caller);
    const inQuery = { key: null, parameters: { apikey: key } };
    const refused = await Promise.all([
      askEach(task, {
        'a task, with the key in the query': inQuery,
        'a task, with the key as a bearer token': {
          key: null,
          headers: { Authorization: `Bearer ${key}` },
        },
        'a task, with the key in a cookie': { key: null, headers: { Cookie: `apikey=${key}` } },
        'a task, with the key in the header x-api-key': {
          key: null,
          headers: { 'X-API-Key': key },
        },
      }),
      askEach(file, { 'an export, with the key in the query': inQuery }),
    ]);
    return { refused: refused.flat(), twins: await Promise.all([tasks.seen(taskId), file({})]) };
  },
  judges: { 'auth.key-elsewhere-is-401': expectRefused },
});

const amongOtherText = scenario({
  name: 'a header apikey with a part of the valid key, or more than that, answers 401',
  needs: ['assessment'],
  async act({ api, key, faker, assessmentIds, assessment }): Promise<Evidence> {
    const [id = ''] = assessmentIds;
    const ask = (caller: Caller) => api.assessment(id, caller);
    const other = faker.string.alphanumeric({ length: 32 });
    const half = Math.ceil(key.length / 2);
    const refused = await askEach(ask, {
      'with “Bearer” before the key': { key: `Bearer ${key}` },
      'with the key in quotes': { key: `"${key}"` },
      'with another key behind it, after a comma': { key: `${key}, ${other}` },
      'with another key before it, and a comma': { key: `${other}, ${key}` },
      'with a space inside the key': { key: `${key.slice(0, half)} ${key.slice(half)}` },
      'with the first half of the key': { key: key.slice(0, half) },
    });
    return { refused, twins: [await assessment(id)] };
  },
  judges: { 'auth.key-among-other-text-is-401': expectRefused },
});

const wrongOtherwise = scenario({
  name: 'a write or an export that is wrong in itself answers 401 without a valid key',
  needs: ['writable-task', 'user'],
  async act({ api, tasks, user, actor: by, faker }): Promise<Evidence> {
    const { id, updated_at: ifMatch } = await tasks.any();
    const body = updateBody(user(), { by, comment: 'without a valid key' });
    const missing = { key: null };
    const wrong = { key: faker.string.alphanumeric({ length: 32 }) };
    const { update } = body;
    const invalid = { update: { ...update, assigned_to_type: undefined } };
    const old = '2000-01-01T00:00:00.000Z';
    const reversed =
      'range_start=2000-01-01T00%3A00%3A00.001Z&range_end=2000-01-01T00%3A00%3A00.000Z';
    const refused = [
      {
        what: 'a write with an old version, with a wrong key',
        answer: await api.update(id, { ifMatch: old, body }, wrong),
      },
      {
        what: 'a write without If-Match, without a key',
        answer: await api.update(id, { ifMatch: null, body }, missing),
      },
      {
        what: 'a write without update.assigned_to_type, with a wrong key',
        answer: await api.update(id, { ifMatch, body: invalid }, wrong),
      },
      {
        what: 'an export of a reversed range, without a key',
        answer: await api.export(reversed, missing),
      },
      {
        what: 'an export of a reversed range as PDF, with a wrong key',
        answer: await api.export(`${reversed}&file_type=pdf`, wrong),
      },
    ];
    return { refused, twins: [await api.task(id)] };
  },
  judges: { 'auth.is-checked-before-the-request': expectRefused },
});

/** Addresses that may be on the allow list: those of this machine. */
function ownAddresses(): string[] {
  const others = Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.filter(({ family, internal }) => family === 'IPv4' && !internal),
  );
  return ['127.0.0.1', ...others.slice(0, 1).map(({ address }) => address)];
}

const claimedAddress = scenario({
  name: 'a request from an address that is not allowed answers 401, whatever address it claims',
  needs: ['task', 'blocked-route'],
  async act({ api, tasks, taskIds }): Promise<Evidence> {
    const [id = ''] = taskIds;
    const ask = (caller: Caller) => api.task(id, caller);
    const claims = ownAddresses().map((address): [string, Caller] => [
      `a task, as if from ${address}`,
      {
        route: 'blocked',
        headers: {
          'X-Forwarded-For': address,
          'X-Real-IP': address,
          Forwarded: `for=${address}`,
        },
      },
    ]);
    const refused = await askEach(ask, Object.fromEntries(claims));
    return { refused, twins: [await tasks.seen(id)] };
  },
  judges: { 'auth.claimed-address-is-not-trusted': expectRefused },
});

export const presentedKeys = [elsewhere, amongOtherText, wrongOtherwise, claimedAddress];
