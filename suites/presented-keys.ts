import { networkInterfaces } from 'node:os';
import { type Caller, updateBody, withoutEvents } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { Inconclusive } from '../helpers/outcomes.ts';
import { scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import { expectStatus, judgeEach, requireTwin } from './expectations.ts';

/*
 * Authentication: the key is what the header apikey holds, and the address is where a request comes from. A valid key
 * elsewhere or among other text, a request that is wrong in another point too, and an address that is only claimed get 401.
 */

interface Refused {
  readonly what: string;
  readonly answer: Answer;
  /** The same request without any right to it: asked for where something was not refused with 401. */
  readonly control?: Answer | undefined;
}

interface PresentedKeys {
  readonly refused: readonly Refused[];
  /** The same request with the valid key in the header apikey, by the direct route. */
  readonly twins: readonly Answer[];
}

/** @param common what the requests have in common */
const refusedJudge =
  (common: string) =>
  ({ refused, twins }: PresentedKeys): void => {
    for (const twin of twins) {
      requireTwin(twin, 'the same request with the key in the header apikey');
    }
    judgeEach(
      refused,
      ({ what, answer, control }) => {
        if (control !== undefined && control.status !== 401) {
          const why = `${control.request} is not refused with 401 without all that either (${control.status}), which other clauses are about.`;
          throw new Inconclusive(why, [control]);
        }
        expectStatus(answer, 401, what);
      },
      common,
    );
  };

type Ask = (caller: Caller) => Promise<Answer>;

/**
 * Sends a request on behalf of each of these callers. Where one of them is not refused with 401, another one shows whether
 * that is because of what it presents.
 */
async function askEach(
  ask: Ask,
  callers: Readonly<Record<string, Caller>>,
  without: Caller,
): Promise<Refused[]> {
  const asked = await Promise.all(
    Object.entries(callers).map(async ([what, caller]) => ({ what, answer: await ask(caller) })),
  );
  if (asked.every(({ answer }) => answer.status === 401)) return asked;
  const control = await ask(without);
  return asked.map((one) => (one.answer.status === 401 ? one : { ...one, control }));
}

/** The key in one other place than the header apikey, or in several. */
interface Elsewhere extends Pick<Caller, 'headers' | 'parameters'> {}

/** Where gateways and frameworks look for keys. Of one name there can be one header: that is asked for by itself. */
const placesOf = (key: string): Readonly<Record<string, Elsewhere>> => ({
  'in the query': { parameters: { apikey: key } },
  'in the query as api_key': { parameters: { api_key: key } },
  'as a bearer token': { headers: { Authorization: `Bearer ${key}` } },
  'in a cookie': { headers: { Cookie: `apikey=${key}` } },
  'in the header x-api-key': { headers: { 'X-API-Key': key } },
  'in the header api-key': { headers: { 'Api-Key': key } },
});

const furtherPlacesOf = (key: string): Readonly<Record<string, Elsewhere>> => ({
  'as a user name': {
    headers: { Authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
  },
  'in the header authorization': { headers: { Authorization: key } },
});

const withoutHeader = (places: readonly Elsewhere[]): Caller => ({
  key: null,
  headers: Object.assign({}, ...places.map(({ headers }) => headers)),
  parameters: Object.assign({}, ...places.map(({ parameters }) => parameters)),
});

/**
 * Sends a request with the key in all places at once; only where that is not refused with 401, in each of them, to see
 * which it is. Several at once may be refused for being several.
 */
async function askElsewhere(
  operation: string,
  ask: Ask,
  places: Readonly<Record<string, Elsewhere>>,
): Promise<Refused[]> {
  const together = await ask(withoutHeader(Object.values(places)));
  const what = `${operation} with the key in other places than the header apikey`;
  if (together.status === 401) return [{ what, answer: together }];
  return await askInEach(operation, ask, places);
}

function askInEach(
  operation: string,
  ask: Ask,
  places: Readonly<Record<string, Elsewhere>>,
): Promise<Refused[]> {
  const callers = Object.entries(places).map(([place, one]) => [
    `${operation} with the key ${place}`,
    withoutHeader([one]),
  ]);
  return askEach(ask, Object.fromEntries(callers), { key: null });
}

/** A write that changes nothing where it is let in: no task has its id. */
function writeToNoTask({ api, faker }: Pick<World, 'api' | 'faker'>): Ask {
  const id = faker.string.uuid();
  const body = { unassign: { assigned_by_id: id } };
  return (caller) => api.update(id, { ifMatch: '2026-01-01T00:00:00.000Z', body }, caller);
}

const elsewhere = scenario({
  name: 'a valid key in another place than the header apikey answers 401',
  needs: ['task'],
  async act({ api, tasks, key, taskIds, assessmentIds, faker, mayWrite }): Promise<PresentedKeys> {
    const [taskId = ''] = taskIds;
    const task = (caller: Caller) => api.task(taskId, caller);
    const file = (caller: Caller) => api.export(withoutEvents, caller);
    const places = placesOf(key);
    const asked: readonly (readonly [string, Ask])[] = [
      ['a request', task],
      ['a request', (caller) => api.assessment(assessmentIds[0] ?? faker.string.uuid(), caller)],
      ['a request', file],
      ['a request for a PDF', (caller) => api.export(`${withoutEvents}&file_type=pdf`, caller)],
      ...(mayWrite ? ([['a request', writeToNoTask({ api, faker })]] as const) : []),
    ];
    const refused = await Promise.all([
      ...asked.map(([operation, ask]) => askElsewhere(operation, ask, places)),
      askInEach('a request', task, furtherPlacesOf(key)),
    ]);
    return { refused: refused.flat(), twins: [await tasks.seen(taskId)] };
  },
  judges: {
    'auth.key-elsewhere-is-401': refusedJudge(
      'a request with the key in another place than the header apikey',
    ),
  },
});

const amongOtherText = scenario({
  name: 'a header apikey with a part of the valid key, or more than that, answers 401',
  needs: ['assessment'],
  async act({ api, key, faker, assessmentIds, assessment, mayWrite }): Promise<PresentedKeys> {
    const [id = ''] = assessmentIds;
    const ask = (caller: Caller) => api.assessment(id, caller);
    const bearer: Caller = { key: `Bearer ${key}` };
    const wrong: Caller = { key: faker.string.alphanumeric({ length: 32 }) };
    const other = faker.string.alphanumeric({ length: 32 });
    const half = Math.ceil(key.length / 2);
    const refused = await Promise.all([
      askEach(
        ask,
        {
          'the key with “Bearer” before it': bearer,
          'the key in quotes': { key: `"${key}"` },
          'the key with another one behind it, after a comma': { key: `${key}, ${other}` },
          'the key with another one before it, and a comma': { key: `${other}, ${key}` },
          'the key with a space inside': { key: `${key.slice(0, half)} ${key.slice(half)}` },
          'the first half of the key': { key: key.slice(0, half) },
          'the key twice, with a comma': { key: `${key}, ${key}` },
          'the key with a percent sign in place of its second half': {
            key: `${key.slice(0, half)}%`,
          },
        },
        wrong,
      ),
      mayWrite
        ? askEach(
            writeToNoTask({ api, faker }),
            { 'a write with “Bearer” before the key': bearer },
            wrong,
          )
        : [],
    ]);
    return { refused: refused.flat(), twins: [await assessment(id)] };
  },
  judges: {
    'auth.key-among-other-text-is-401': refusedJudge(
      'an apikey header with a part of the key, or more than it',
    ),
  },
});

const wrongOtherwise = scenario({
  name: 'a write or an export that is wrong in itself answers 401 without a valid key',
  needs: ['writable-task', 'user'],
  async act({ api, tasks, user, actor: by, faker, mark }): Promise<PresentedKeys> {
    const { id } = await tasks.any();
    const comment = `Contract test ${mark()}`;
    const body = updateBody(user(), { by, comment });
    const missing = { key: null };
    const wrong = { key: faker.string.alphanumeric({ length: 32 }) };
    const { update } = body;
    const invalid = { update: { ...update, assigned_to_type: undefined } };
    const old = '2000-01-01T00:00:00.000Z';
    const reversed =
      'range_start=2000-01-01T00%3A00%3A00.001Z&range_end=2000-01-01T00%3A00%3A00.000Z';
    const ofNoValues =
      'range_start=not-a-time&file_type=xlsx&locale=xx&timezone=Nowhere%2FNothing&metadata%5Bno_such_key%5D=x';
    const asked: Readonly<Record<string, () => Promise<Answer>>> = {
      'a write without If-Match, of another media type, without a key': () =>
        api.update(id, { ifMatch: null, body, contentType: 'text/plain' }, missing),
      'a write with an old version and a body that is no JSON, without a key': () =>
        api.update(id, { ifMatch: old, body: '{"update": ' }, missing),
      'a write with an old version and without update.assigned_to_type, with a wrong key': () =>
        api.update(id, { ifMatch: old, body: invalid }, wrong),
      'an export of a reversed range, without a key': () => api.export(reversed, missing),
      'an export with values that no parameter has, without a key': () =>
        api.export(ofNoValues, missing),
      'an export of a reversed range as PDF, with a wrong key': () =>
        api.export(`${reversed}&file_type=pdf`, wrong),
    };
    const refused: Refused[] = [];
    for (const [what, ask] of Object.entries(asked)) refused.push({ what, answer: await ask() });
    return { refused, twins: [await api.task(id)] };
  },
  judges: {
    'auth.is-checked-before-the-request': refusedJudge(
      'a request without a valid key that is wrong in itself too',
    ),
  },
});

/** Addresses that may be on the allow list: those of this machine. */
function ownAddresses(): string[] {
  const others = Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.filter(({ family, internal }) => family === 'IPv4' && !internal),
  );
  return ['127.0.0.1', ...others.slice(0, 1).map(({ address }) => address)];
}

/** A caller from an address that is not allowed, who claims to come from this one, in every header in which proxies say it. */
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

const claimedAddress = scenario({
  name: 'a request from an address that is not allowed answers 401, whatever address it claims',
  needs: ['task', 'blocked-route'],
  async act({ api, tasks, taskIds, assessmentIds, faker, mayWrite }): Promise<PresentedKeys> {
    const [id = ''] = taskIds;
    const ask = (caller: Caller) => api.task(id, caller);
    const [own = '', ...others] = ownAddresses();
    const asked: readonly (readonly [string, Ask])[] = [
      ...[own, ...others].map((address) => [address, ask] as const),
      [own, (caller) => api.assessment(assessmentIds[0] ?? faker.string.uuid(), caller)],
      [own, (caller) => api.export(withoutEvents, caller)],
      ...(mayWrite ? ([[own, writeToNoTask({ api, faker })]] as const) : []),
    ];
    const refused = await Promise.all(
      asked.map(([address, send]) => {
        const calls = { [`a request as if from ${address}`]: claiming(address) };
        return askEach(send, calls, { route: 'blocked' });
      }),
    );
    return { refused: refused.flat(), twins: [await tasks.seen(id)] };
  },
  judges: {
    'auth.claimed-address-is-not-trusted': refusedJudge(
      'a request that claims to come from another address',
    ),
  },
});

export const presentedKeys = [elsewhere, amongOtherText, wrongOtherwise, claimedAddress];
