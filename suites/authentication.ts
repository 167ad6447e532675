import type { Faker } from '@faker-js/faker';
import { type Caller, withoutEvents } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { swapCase } from '../helpers/http/sent-key.ts';
import { Inconclusive, other, Violation } from '../helpers/outcomes.ts';
import { carriesTask, taskOf } from '../helpers/tasks/task-answer.ts';
import type { Need } from '../runner/needs.ts';
import { type AnyScenario, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import { identifierPattern } from '../schemas/identifier.ts';
import type { Task } from '../schemas/task.ts';
import { judgeBy, judgesBy, keyIsAccepted, ofRefusal } from './answers.ts';
import { differences, expectUnchanged } from './comparing-tasks.ts';
import { expectStatus, judgeEach, requireTwin } from './expectations.ts';
import { errorShapes } from './shapes.ts';

/*
 * Authentication: each of the four operations without a valid key, with the key of one region at another, and from an
 * address that is not allowed. All of them answer 401 and change nothing.
 */

const inAnotherCase = 'the key with upper and lower case swapped';

/** Each makes another key from the valid one. */
const keyChanges = {
  'another key altogether': (_valid: string, faker: Faker) =>
    faker.string.alphanumeric({ length: 32 }),
  'the key with an additional character': (valid: string) => valid + otherThan(valid.at(-1)),
  'the key without its last character': (valid: string) => valid.slice(0, -1),
  'the key with its last character changed': (valid: string) =>
    valid.slice(0, -1) + otherThan(valid.at(-1)),
  'the key with its first character changed': (valid: string) =>
    otherThan(valid[0]) + valid.slice(1),
  [inAnotherCase]: swapCase,
};

/** Whether a key is a UUID: the same one in the other case may be valid too, the document does not say whether case counts. */
const isUuid = (key: string): boolean => new RegExp(identifierPattern).test(key);

/** Another character. Its first bits differ too: where a key is base64, only those of its last character may count. */
function otherThan(character: string | undefined): string {
  return /[w-z]/.test(character ?? '') ? 'A' : 'x';
}

type KindOfKey = keyof typeof keyChanges;

// The names are those of the object just made.
const kindsOfKeys = Object.keys(keyChanges) as KindOfKey[];

/** What a request presents in place of the valid key. */
interface WrongKey {
  /** The request, as a noun. */
  readonly what: string;
  /** null leaves the header out. */
  readonly key: string | null;
  readonly kind?: KindOfKey;
  /** Whether it is the valid one in another case, and that may be valid too. */
  readonly mayBeValid?: boolean;
}

const noKey: WrongKey = { what: 'a request without the apikey header', key: null };
const emptyKey: WrongKey = { what: 'an empty apikey header', key: '' };

/** Keys that are similar to the valid one, and one that is not; none of them is it. */
export function wrongKeys(
  valid: string,
  faker: Faker,
  kinds: readonly KindOfKey[] = kindsOfKeys,
): WrongKey[] {
  return kinds
    .map(
      (kind): WrongKey => ({
        what: `a request with ${kind}`,
        key: keyChanges[kind](valid, faker),
        kind,
        mayBeValid: kind === inAnotherCase && isUuid(valid),
      }),
    )
    .filter(({ key }) => key !== valid && key !== '');
}

interface Presented extends WrongKey {
  readonly answer: Answer;
}

/** The requests of one operation: the writes have two bodies. */
interface KeyRequests {
  /** Each with the same request, sent with the valid key. */
  readonly refused: readonly (Presented & { readonly twin: Answer })[];
}

type Ask = (caller: Caller) => Promise<Answer>;

async function askWith(ask: Ask, keys: readonly WrongKey[]): Promise<Presented[]> {
  const asked: Presented[] = [];
  for (const one of keys) asked.push({ ...one, answer: await ask({ key: one.key }) });
  return asked;
}

const withTheKey = 'the same request with the valid key';

const refusedJudge =
  (isMeant: (one: WrongKey) => boolean) =>
  ({ refused }: KeyRequests): void =>
    judgeEach(refused.filter(isMeant), ({ what, key, kind, answer, twin }) => {
      requireTwin(twin, withTheKey);
      // Where none is accepted, or one that has nothing of the valid one, any is.
      expectStatus(answer, 401, what, key === null || kind === kindsOfKeys[0]);
      // To some services an empty header is a missing one.
      if (key !== '') expectNoRecord(answer, twin);
    });

const refusedAnswers = ({ refused }: KeyRequests): Answer[] => refused.map(({ answer }) => answer);

function keyJudges(needsTheKey: JudgedClause) {
  return {
    ...judgesBy(ofRefusal, refusedAnswers),
    [needsTheKey]: refusedJudge(({ key }) => key === null),
    'auth.empty-key-is-401': refusedJudge(({ key }) => key === ''),
    'auth.invalid-key-is-401': refusedJudge(
      ({ kind, mayBeValid }) => kind !== undefined && !mayBeValid,
    ),
    'auth.valid-key-is-accepted': ({ refused }: KeyRequests) =>
      judgeBy(
        keyIsAccepted,
        refused.map(({ twin }) => twin),
      ),
  };
}

/** A refusal may have any shape, but not that of the record that it refuses. */
function expectNoRecord(refused: Answer, twin: Answer): void {
  const fields = Object.entries(twin.object ?? {});
  const shown = fields.filter(
    ([name, value]) =>
      typeof value === 'string' && value !== '' && refused.object?.[name] === value,
  );
  if (shown.length < minFieldsOfRecord) return;
  const actual = shown.map(([name]) => name).join(', ');
  throw new Violation(other('refuses with the record', { actual }), [refused, twin]);
}

/** An id or two in a message are no record. */
const minFieldsOfRecord = 4;

const observes = {
  'errors.body-shape': (requests: KeyRequests) =>
    errorShapes('no valid key', refusedAnswers(requests)),
};

const observesReads = {
  ...observes,
  'auth.key-case': ({ refused }: KeyRequests) =>
    refused
      .filter(({ kind, twin }) => kind === inAnotherCase && twin.succeeded)
      .map(({ mayBeValid, answer: { status } }) => {
        if (!mayBeValid) return 'no UUID';
        return status === 401 ? 'case counts' : 'case does not count';
      }),
};

/** @param otherForm the same operation, asked for in another way, never with the valid key */
function reading(
  name: string,
  needs: readonly Need[],
  needsTheKey: JudgedClause,
  askOf: (world: World) => Ask,
  kinds: readonly KindOfKey[],
  otherForm?: (world: World) => Ask,
): AnyScenario {
  return scenario({
    name,
    needs,
    async act(world) {
      const ask = askOf(world);
      // In between: neither a refusal nor an answer that some cache keeps goes to another key.
      const missing = await askWith(ask, [noKey]);
      const twin = await ask({});
      const others = await askWith(ask, [emptyKey, ...wrongKeys(world.key, world.faker, kinds)]);
      const inOtherForm = otherForm ? await askWith(otherForm(world), [noKey]) : [];
      return { refused: [...missing, ...others, ...inOtherForm].map((one) => ({ ...one, twin })) };
    },
    judges: keyJudges(needsTheKey),
    observes: observesReads,
  });
}

/** Whether the task is not as it was before. */
function isChanged({ before, read }: { readonly before: Task; readonly read: Answer }): boolean {
  return read.succeeded && differences(before, taskOf(read)).length > 0;
}

const writing = scenario({
  name: 'a write without a valid key answers 401 and changes nothing',
  needs: ['writable-task', 'two-users'],
  async act(world) {
    const { api, tasks, user, anotherUser, actor: by, key, faker, mark } = world;
    const task = await tasks.assigned(user());
    const to = anotherUser(task);
    const remark = { by, comment: `Contract test ${mark()}` };
    // Of the other keys the reads tell more. Not one that may be valid: a write that is accepted would hide what becomes
    // of those that are refused.
    const wrong = wrongKeys(key, faker, ['another key altogether', inAnotherCase]).filter(
      ({ mayBeValid }) => !mayBeValid,
    );
    const attempt = async (before: Task) => {
      const assign: Ask = (caller) => api.assign(before, to, remark, caller);
      const unassign: Ask = (caller) => api.unassign(before, remark, caller);
      const assigning = await askWith(assign, [noKey, emptyKey, ...wrong]);
      // How keys are compared does not depend on the body; whether they are may.
      const unassigning = await askWith(unassign, [noKey, emptyKey, ...wrong.slice(0, 1)]);
      const { answer: read } = await tasks.look(before.id);
      return { assigning, unassigning, before, read };
    };
    const { assigning, unassigning, before, read } = await tasks.trial(task, attempt, isChanged);
    // Read again: a key that was accepted by mistake has changed the version.
    const { before: written, answer: twin } = await tasks.assign(taskOf(read), to, remark);
    // As soon as it was accepted: its answer may be kept for the same write.
    const repeated = await askWith((caller) => api.assign(written, to, remark, caller), [noKey]);
    const { answer: unassigned } = carriesTask(twin)
      ? await tasks.unassign(taskOf(twin), remark)
      : { answer: twin };
    // Which of its two defects is looked at first is a clause of its own.
    const carriedOut = repeated.filter(({ answer }) => answer.succeeded);
    const refused = [
      ...[...assigning, ...carriedOut].map((one) => ({ ...one, twin })),
      ...unassigning.map((one) => ({ ...one, twin: unassigned })),
    ];
    return { refused, before, read };
  },
  judges: {
    ...keyJudges('update.needs-the-apikey'),
    'auth.refusal-changes-nothing': ({ refused, before, read }) => {
      for (const { twin } of refused) requireTwin(twin, withTheKey);
      // What was sent later cannot have changed what the read shows.
      const answers = refusedAnswers({ refused }).filter(
        ({ exchange }) => exchange.number < read.exchange.number,
      );
      if (answers.some(({ status }) => status !== 401)) {
        throw new Inconclusive('Not every one of the writes was refused with 401.', answers);
      }
      expectUnchanged(before, taskOf(read), { how: 'without a valid key', on: [read, ...answers] });
    },
  },
  observes,
});

/** The four operations, requested at another address or by another route than those of the configuration. */
interface FromElsewhere {
  readonly before: Task;
  /** The write last. */
  readonly refused: readonly Answer[];
  /** By the direct route, in the own region. */
  readonly read: Answer;
}

function fromElsewhere(
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
  reading(
    'a task asked for without a valid key answers 401',
    ['task'],
    'get-task.needs-the-apikey',
    ({ api, taskIds }) =>
      (caller) =>
        api.task(taskIds[0] ?? '', caller),
    kindsOfKeys,
  ),
  reading(
    'an assessment asked for without a valid key answers 401',
    ['assessment'],
    'get-assessment.needs-the-apikey',
    ({ api, assessmentIds }) =>
      (caller) =>
        api.assessment(assessmentIds[0] ?? '', caller),
    ['another key altogether'],
  ),
  reading(
    'an export asked for without a valid key answers 401',
    [],
    'export.needs-the-apikey',
    ({ api }) =>
      (caller) =>
        api.export(withoutEvents, caller),
    ['another key altogether', 'the key without its last character', inAnotherCase],
    ({ api }) =>
      (caller) =>
        api.export('file_type=pdf', caller),
  ),
  writing,
  fromElsewhere(
    'the key of one region at another answers 401',
    'other-region',
    'auth.wrong-region-is-401',
    { region: 'other' },
    'at the address of another region',
  ),
  fromElsewhere(
    'a request from an address that is not allowed answers 401',
    'blocked-route',
    'auth.blocked-address-is-401',
    { route: 'blocked' },
    'from an address that is not on the allow list',
  ),
];
