import { networkInterfaces } from 'node:os';
import type { Faker } from '@faker-js/faker';
import { bodyThatAssigns, type Caller, type RawUpdate, withoutEvents } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { swapCase } from '../helpers/http/sent-key.ts';
import { Inconclusive } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import type { Need } from '../runner/needs.ts';
import { type AnyScenario, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import type { Observation } from '../schemas/observations.ts';
import { isUuidShaped, type Task } from '../schemas/resources.ts';
import { expectUnchanged, isChanged } from './comparing-tasks.ts';
import { expectStatus, requireTwin } from './expectations.ts';
import {
  type Ask,
  nearTo,
  type Observed,
  type Request,
  refusals,
  startingLike,
  type WrongRequest,
} from './refusals.ts';

/*
 * Authentication: each operation that reads without a valid key, and all four with the key of one region at another, and
 * from an address that is not allowed. All of them answer 401 and change nothing. Writes with wrong keys are rows of
 * refused-requests.ts.
 */

const inAnotherCase = 'the key with upper and lower case swapped';

/** What requests present in place of the valid key, by what it is called; null leaves the header apikey out. */
const wrongKeyOf = {
  'no key': () => null,
  'an empty key': () => '',
  'another key altogether': (_valid: string, faker: Faker) =>
    faker.string.alphanumeric({ length: 32 }),
  'the key with an additional character': (valid: string) => valid + anotherCharacter(valid.at(-1)),
  'the key without its last character': (valid: string) => valid.slice(0, -1),
  'the key with its last character changed': (valid: string) =>
    valid.slice(0, -1) + anotherCharacter(valid.at(-1)),
  'the key with its first character changed': (valid: string) =>
    anotherCharacter(valid[0]) + valid.slice(1),
  'the key with a character in its middle changed'(valid: string) {
    const middle = valid.length >> 1;
    return valid.slice(0, middle) + anotherCharacter(valid[middle]) + valid.slice(middle + 1);
  },
  [inAnotherCase]: swapCase,
};

export type KindOfKey = keyof typeof wrongKeyOf;

// The cast: Object.keys forgets that these are the keys of `wrongKeyOf`.
const allKinds = Object.keys(wrongKeyOf) as KindOfKey[];
const noneOrAnother = allKinds.slice(0, 3);

/** Keys that a service may take for the valid one where it looks at a part of it. */
export const nearKeys = [
  inAnotherCase,
  'the key without its last character',
  'the key with an additional character',
  'the key with a character in its middle changed',
] as const satisfies KindOfKey[];

/** Another character, whose first bits differ too: in the last character of a base64 key, only those may count. */
function anotherCharacter(character: string | undefined): string {
  return /[w-z]/.test(character ?? '') ? 'A' : 'x';
}

/** A wrong key; null leaves the header apikey out. Undefined where it turns out to be the valid key, or empty by chance. */
export function wrongKey({ key: valid, faker }: World, kind: KindOfKey): string | null | undefined {
  const key = wrongKeyOf[kind](valid, faker);
  return key === valid || (key === '' && kind !== 'an empty key') ? undefined : key;
}

/** Whether this is the valid key in the other case, and a UUID: a service may accept it, as the document leaves it open. */
export const mayBeValid = (kind: KindOfKey, key: string | null): boolean =>
  kind === inAnotherCase && isUuidShaped(key ?? '');

/** A service that accepts no key at all, or an unrelated one, accepts any: that is said in general. */
const general: readonly KindOfKey[] = ['no key', 'another key altogether'];

/** An operation that reads, to be sent with wrong keys. */
interface Reading extends Pick<AnyScenario, 'name' | 'needs'> {
  /** The clause that it needs a key. */
  readonly clause: JudgedClause;
  readonly ask: (world: World, caller: Caller) => Promise<Answer>;
  /** The same operation in another form, as for a PDF: it is sent without a key only. */
  readonly askInOtherForm?: (world: World, caller: Caller) => Promise<Answer>;
  /** Which wrong keys it is sent with; first none. */
  readonly kinds: readonly KindOfKey[];
}

function readScenario({ clause, ask, askInOtherForm, kinds, ...named }: Reading): AnyScenario {
  return refusals({
    ...named,
    clauses: [clause, 'auth.empty-key-is-401', 'auth.invalid-key-is-401'],
    cause: 'no valid key',
    observes: ['auth.key-case'],
    twin: (world) => ask(world, {}),
    inTurn: true,
    requests(world) {
      const send = (asked: Reading['ask'], kinds: readonly KindOfKey[]): Request[] =>
        kinds.flatMap((kind) => {
          const key = wrongKey(world, kind);
          if (key === undefined) return [];
          const isOpen = mayBeValid(kind, key);
          return {
            ...withWrongKey(kind, clause),
            isGeneral: general.includes(kind),
            // To some services an empty header is a missing one.
            isJudgedByStatus: kind === 'an empty key',
            ...(isOpen && { refused: undefined }),
            ...(kind === inAnotherCase && { observes: whetherCaseCounts(isOpen) }),
            ask: (caller) => asked(world, caller),
            caller: { key },
          };
        });
      return [
        ...send(ask, kinds),
        // What was refused once must not be let in the second time.
        ...send(
          ask,
          kinds.filter((kind) => kind === 'another key altogether'),
        ),
        ...(askInOtherForm ? send(askInOtherForm, ['no key']) : []),
      ];
    },
  });
}

const whetherCaseCounts = (isOpen: boolean): Observed => ({
  clause: 'auth.key-case',
  facts: ({ status }): Observation<'auth.key-case'>[] => {
    if (!isOpen) return ['no UUID'];
    return [status === 401 ? 'case counts' : 'case does not count'];
  },
});

/** The clause that a request with a wrong key breaks where it is accepted. @param withoutKey that its operation needs one */
function clauseOf(kind: KindOfKey, withoutKey: JudgedClause): JudgedClause {
  if (kind === 'no key') return withoutKey;
  return kind === 'an empty key' ? 'auth.empty-key-is-401' : 'auth.invalid-key-is-401';
}

const nounOf: { readonly [Kind in KindOfKey]?: string } = {
  'no key': 'a request without the apikey header',
  'an empty key': 'an empty apikey header',
};

/** What rows say of requests with wrong keys. @param withoutKey the clause that the operation needs a key */
export function withWrongKey(kind: KindOfKey, withoutKey: JudgedClause) {
  const name = nounOf[kind] ?? `a request with ${kind}`;
  const refused = { statuses: [401], clause: clauseOf(kind, withoutKey) };
  return { name, cause: 'no valid key', common: name, refused } satisfies WrongRequest;
}

/** The four operations, and a read without a key, requested at another address or by another route than those of the configuration. */
interface FromElsewhere {
  readonly before: Task;
  /** The answers to the requests: to reads, to a body that is no change, and once more to a read after all writes. */
  readonly refused: readonly Answer[];
  /** The answers to the writes that would change the task. */
  readonly writes: readonly Answer[];
  /** The task as read afterwards, by the direct route in the own region. */
  readonly read: Answer;
}

function elsewhereScenario(
  name: string,
  need: Need,
  clause: JudgedClause,
  caller: Caller,
  how: string,
): AnyScenario {
  return scenario({
    name,
    needs: ['writable-task', 'user', 'assessment', need],
    async act(world): Promise<FromElsewhere> {
      const { api, tasks, user, teams, actor: by, assessmentIds, mark } = world;
      const assessment = assessmentIds[0] ?? '';
      const remark = { by, comment: `Contract test ${mark()}` };
      const attempt = async (before: Task): Promise<FromElsewhere> => {
        const nothing = { ifMatch: before.updated_at, body: {} };
        const refused = [
          await api.task(before.id, { ...caller, key: null }),
          await api.task(before.id, caller),
          await api.assessment(assessment, caller),
          await api.export(withoutEvents, caller),
          await api.update(before.id, nothing, caller),
        ];
        const writes = [
          await api.assign(before, teams[0] ?? user(), { by }, caller),
          await api.assign(before, user(), remark, caller),
          await api.assign(before, null, { by }, caller),
        ];
        refused.push(await api.task(before.id, caller));
        return { before, refused, writes, read: (await tasks.look(before.id)).answer };
      };
      return await tasks.trial(await tasks.any(), attempt, isChanged);
    },
    judges: {
      [clause]: ({ refused, writes, read }: FromElsewhere) => {
        requireTwin(read, 'the same request by the direct route in the own region');
        for (const answer of [...refused, ...writes]) expectStatus(answer, 401, `a request ${how}`);
      },
      'auth.refusal-changes-nothing': ({ before, writes, read }: FromElsewhere) => {
        if (writes.some(({ status }) => status !== 401)) {
          throw new Inconclusive('A write was not refused with 401.', writes);
        }
        expectUnchanged(before, taskOf(read), { how, on: [read, ...writes] });
      },
    },
  });
}

/*
 * The key is what the header apikey holds, and the address is where a request comes from: a valid key elsewhere or among
 * other text, a request wrong in another point too, and an address that is only claimed get 401.
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
    without: { key: null },
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
    const wrong = faker.string.alphanumeric({ length: 32 });
    const invalid = { update: { ...body.update, assigned_to_type: undefined } };
    const old = '2000-01-01T00:00:00.000Z';
    const reversed =
      'range_start=2000-01-01T00%3A00%3A00.001Z&range_end=2000-01-01T00%3A00%3A00.000Z';
    const ofNoValues =
      'range_start=not-a-time&file_type=xlsx&locale=xx&timezone=Nowhere%2FNothing&metadata%5Bno_such_key%5D=x';
    const asking = (what: string, key: string | null, ask: Ask): Request => ({
      name: `${what}, ${key === null ? 'without a key' : 'with a wrong key'}`,
      ask,
      caller: { key },
    });
    const write = (how: string, key: string | null, update: RawUpdate): Request =>
      asking(`a write ${how}`, key, (caller) => api.update(id, update, caller));
    const exporting = (how: string, key: string | null, query: string): Request =>
      asking(`an export ${how}`, key, (caller) => api.export(query, caller));
    return [
      write('without If-Match, of another media type', null, {
        ifMatch: null,
        body,
        contentType: 'text/plain',
      }),
      write('with an old version and a body that is no JSON', null, {
        ifMatch: old,
        body: '{"update": ',
      }),
      write('with an old version and without update.assigned_to_type', wrong, {
        ifMatch: old,
        body: invalid,
      }),
      exporting('of a reversed range', null, reversed),
      exporting('with values that no parameter has', null, ofNoValues),
      exporting('of a reversed range as PDF', wrong, `${reversed}&file_type=pdf`),
    ];
  },
});

/** Addresses that may be on the allow list: those of this machine. */
function ownAddresses(): [string, ...string[]] {
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
    const addresses = ownAddresses();
    const from = (address: string, ask: Ask): Request => ({
      name: `a request as if from ${address}`,
      ask,
      caller: claiming(address),
      without: { route: 'blocked' },
    });
    const [task, ...further] = eachOperation(world);
    return [
      ...addresses.map((address) => from(address, task)),
      ...further.map((ask) => from(addresses[0], ask)),
    ];
  },
});

export const authentication = [
  readScenario({
    name: 'a task asked for without a valid key answers 401',
    needs: ['task'],
    clause: 'get-task.needs-the-apikey',
    ask: ({ api, taskIds }, caller) => api.task(taskIds[0] ?? '', caller),
    kinds: allKinds,
  }),
  readScenario({
    name: 'an assessment asked for without a valid key answers 401',
    needs: ['assessment'],
    clause: 'get-assessment.needs-the-apikey',
    ask: ({ api, assessmentIds }, caller) => api.assessment(assessmentIds[0] ?? '', caller),
    kinds: noneOrAnother,
  }),
  readScenario({
    name: 'an export asked for without a valid key answers 401',
    needs: [],
    clause: 'export.needs-the-apikey',
    ask: ({ api }, caller) => api.export(withoutEvents, caller),
    askInOtherForm: ({ api }, caller) => api.export('file_type=pdf', caller),
    kinds: [...noneOrAnother, 'the key without its last character', inAnotherCase],
  }),
  elsewhereScenario(
    'the key of one region at another answers 401',
    'other-region',
    'auth.wrong-region-is-401',
    { region: 'other' },
    'at the address of another region',
  ),
  elsewhereScenario(
    'a request from an address that is not allowed answers 401',
    'blocked-route',
    'auth.blocked-address-is-401',
    { route: 'blocked' },
    'from an address that is not on the allow list',
  ),
  elsewhere,
  amongOtherText,
  ofUnknownRecords,
  wrongOtherwise,
  claimedAddress,
];
