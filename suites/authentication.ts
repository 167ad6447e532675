import type { Faker } from '@faker-js/faker';
import { type Caller, withoutEvents } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { swapCase } from '../helpers/http/sent-key.ts';
import { Inconclusive } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import type { Need } from '../runner/needs.ts';
import { type AnyScenario, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import { isUuidShaped } from '../schemas/identifier.ts';
import type { Observation } from '../schemas/observations.ts';
import type { Task } from '../schemas/task.ts';
import { expectUnchanged, isChanged } from './comparing-tasks.ts';
import { expectStatus, requireTwin } from './expectations.ts';
import { type Observed, type Request, refusals, type WrongRequest } from './refusals.ts';

/*
 * Authentication: each operation that reads without a valid key, and all four with the key of one region at another, and
 * from an address that is not allowed. All of them answer 401 and change nothing. Writes with wrong keys are rows of
 * refused-requests.ts, valid keys in wrong places of presented-keys.ts.
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

/** The four operations, requested at another address or by another route than those of the configuration. */
interface FromElsewhere {
  readonly before: Task;
  /** The answers to the four requests, the write last. */
  readonly refused: readonly Answer[];
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
    async act({ api, tasks, user, actor: by, assessmentIds, mark }): Promise<FromElsewhere> {
      const assessment = assessmentIds[0] ?? '';
      const remark = { by, comment: `Contract test ${mark()}` };
      const attempt = async (before: Task): Promise<FromElsewhere> => {
        const refused = [
          await api.task(before.id, caller),
          await api.assessment(assessment, caller),
          await api.export(withoutEvents, caller),
          await api.assign(before, user(), remark, caller),
        ];
        return { before, refused, read: (await tasks.look(before.id)).answer };
      };
      return await tasks.trial(await tasks.any(), attempt, isChanged);
    },
    judges: {
      [clause]: ({ refused, read }: FromElsewhere) => {
        requireTwin(read, 'the same request by the direct route in the own region');
        for (const answer of refused) expectStatus(answer, 401, `a request ${how}`);
      },
      'auth.refusal-changes-nothing': ({ before, refused, read }: FromElsewhere) => {
        const write = refused.slice(-1);
        if (write.some(({ status }) => status !== 401)) {
          throw new Inconclusive('The write was not refused with 401.', write);
        }
        expectUnchanged(before, taskOf(read), { how, on: [read, ...write] });
      },
    },
  });
}

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
];
