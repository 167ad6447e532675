import type { Faker } from '@faker-js/faker';
import { type Caller, withoutEvents } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { swapCase } from '../helpers/http/sent-key.ts';
import { Inconclusive, NothingSeen, other, Violation } from '../helpers/outcomes.ts';
import { carriesTask, taskOf } from '../helpers/tasks/task-answer.ts';
import type { Need } from '../runner/needs.ts';
import { type AnyScenario, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import { identifierPattern } from '../schemas/identifier.ts';
import type { Task } from '../schemas/task.ts';
import { differences, expectUnchanged } from './comparing-tasks.ts';
import {
  expectStatus,
  judgeEach,
  requireAccepted,
  requireTwin,
  unlikeStatus,
} from './expectations.ts';
import { jsonErrorJudges } from './json-answers.ts';
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

/** A key that is not the configured one, and how it differs. */
interface WrongKey {
  readonly what: KindOfKey;
  readonly key: string;
}

/** Keys that are similar to the valid one, and one that is not; none of them is it. */
export function wrongKeys(valid: string, faker: Faker): WrongKey[] {
  return kindsOfKeys
    .map((what): WrongKey => ({ what, key: keyChanges[what](valid, faker) }))
    .filter(({ key }) => key !== valid && key !== '');
}

interface Refused {
  readonly what: string;
  readonly answer: Answer;
  /** Whether the key is the valid one in another case, and that may be valid too. */
  readonly mayBeValid: boolean;
}

/** One request, sent without a valid key in several ways, and once with it. */
interface WithoutKey {
  readonly missing: Answer;
  /** Where that was tried. */
  readonly empty?: Answer;
  readonly wrong: readonly Refused[];
  readonly twin: Answer;
}

/** The requests of one operation: the writes have two bodies. */
interface KeyRequests {
  readonly requests: readonly WithoutKey[];
}

type Ask = (caller: Caller) => Promise<Answer>;

const certainlyWrong = ({ mayBeValid }: Pick<Refused, 'mayBeValid'>): boolean => !mayBeValid;

async function askWithWrongKeys(
  ask: Ask,
  { key }: World,
  keys: readonly WrongKey[],
): Promise<Refused[]> {
  const wrong: Refused[] = [];
  for (const { what, key: wrongKey } of keys) {
    const mayBeValid = what === inAnotherCase && isUuid(key);
    wrong.push({ what: `with ${what}`, answer: await ask({ key: wrongKey }), mayBeValid });
  }
  return wrong;
}

const withTheKey = 'the same request with the valid key';

const ofEach =
  (judge: (one: WithoutKey) => void) =>
  ({ requests }: KeyRequests): void =>
    judgeEach(requests, judge);

function keyJudges(needsTheKey: JudgedClause) {
  return {
    [needsTheKey]: ofEach(({ missing, twin }) => {
      requireTwin(twin, withTheKey);
      expectStatus(missing, 401, 'a request without the apikey header', true);
      expectNoRecord(missing, twin);
    }),
    'auth.empty-key-is-401': ofEach(({ empty, twin }) => {
      if (empty === undefined) throw new NothingSeen();
      requireTwin(twin, withTheKey);
      expectStatus(empty, 401, 'an empty apikey header');
    }),
    'auth.invalid-key-is-401': ofEach(({ wrong, twin }) => {
      requireTwin(twin, withTheKey);
      judgeEach(wrong.filter(certainlyWrong), ({ what, answer }) => {
        // Where a key that has nothing of the valid one is accepted, any is.
        const isGeneral = what === `with ${kindsOfKeys[0]}`;
        expectStatus(answer, 401, `a request ${what}`, isGeneral);
        expectNoRecord(answer, twin);
      });
    }),
    'auth.valid-key-is-accepted': ofEach(({ twin }) => {
      if (twin.succeeded) return;
      if (twin.status !== 401) requireAccepted(twin);
      throw unlikeStatus('a request with the valid key', '2xx', twin);
    }),
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

/** Whether a request was sent before a read: what was sent later cannot have changed what the read shows. */
const isBefore =
  (read: Answer) =>
  ({ exchange }: Answer): boolean =>
    exchange.number < read.exchange.number;

/** An id or two in a message are no record. */
const minFieldsOfRecord = 4;

const refusedAnswers = ({ requests }: KeyRequests): Answer[] =>
  requests.flatMap(({ missing, empty, wrong }) => [
    missing,
    ...(empty === undefined ? [] : [empty]),
    ...wrong.map(({ answer }) => answer),
  ]);

const observes = {
  'errors.body-shape': ({ requests }: KeyRequests) =>
    requests.flatMap(({ missing, wrong }) =>
      errorShapes('no valid key', [missing, ...wrong.map(({ answer }) => answer)]),
    ),
};

const observesReads = {
  ...observes,
  'auth.key-case': ({ requests }: KeyRequests) =>
    requests.flatMap(({ wrong, twin }) => {
      if (!twin.succeeded) return [];
      const [inOtherCase] = wrong.filter(({ what }) => what === `with ${inAnotherCase}`);
      if (inOtherCase === undefined) return [];
      if (!inOtherCase.mayBeValid) return ['no UUID' as const];
      const { status } = inOtherCase.answer;
      return [status === 401 ? ('case counts' as const) : ('case does not count' as const)];
    }),
};

interface ReadingOptions {
  /** Judges of the refusals besides. Whether an error of the export must be JSON, the document leaves open. */
  readonly ofErrors?: Partial<ReturnType<typeof jsonErrorJudges<KeyRequests>>>;
  /** The same operation, asked for in another way, never with the valid key. */
  readonly otherForm?: (world: World) => Ask;
}

function reading(
  name: string,
  needs: readonly Need[],
  needsTheKey: JudgedClause,
  askOf: (world: World) => Ask,
  kinds: readonly KindOfKey[],
  { ofErrors = jsonErrorJudges(refusedAnswers), otherForm }: ReadingOptions = {},
): AnyScenario {
  return scenario({
    name,
    needs,
    async act(world) {
      const ask = askOf(world);
      // In between: neither a refusal nor an answer that some cache keeps goes to another key.
      const missing = await ask({ key: null });
      const twin = await ask({});
      const keys = wrongKeys(world.key, world.faker).filter(({ what }) => kinds.includes(what));
      const empty = await ask({ key: '' });
      const wrong = await askWithWrongKeys(ask, world, keys);
      const requests: WithoutKey[] = [{ missing, twin, empty, wrong }];
      if (otherForm !== undefined) {
        requests.push({ missing: await otherForm(world)({ key: null }), twin, wrong: [] });
      }
      return { requests };
    },
    judges: { ...keyJudges(needsTheKey), ...ofErrors },
    observes: observesReads,
  });
}

/** Whether the task is not as it was before. */
function isChanged({ before, read }: { readonly before: Task; readonly read: Answer }): boolean {
  return read.succeeded && differences(before, taskOf(read)).length > 0;
}

/** Of keys that the reads tell more of, the writes have enough. */
const readsTell: readonly KindOfKey[] = [
  'the key with an additional character',
  'the key without its last character',
  'the key with its last character changed',
  'the key with its first character changed',
];

const writing = scenario({
  name: 'a write without a valid key answers 401 and changes nothing',
  needs: ['writable-task', 'two-users'],
  async act(world) {
    const { api, tasks, user, anotherUser, actor: by, key, faker, mark } = world;
    const task = await tasks.assigned(user());
    const to = anotherUser(task);
    const remark = { by, comment: `Contract test ${mark()}` };
    // Not one that may be valid: a write that is accepted would hide what becomes of those that are refused.
    const [altogether, ...similar] = wrongKeys(key, faker)
      .filter(({ what }) => what !== inAnotherCase || !isUuid(key))
      .filter(({ what }) => !readsTell.includes(what));
    if (altogether === undefined) throw new Error('Every key is the valid one.');
    const attempt = async (before: Task) => {
      const assign: Ask = (caller) => api.assign(before, to, remark, caller);
      const unassign: Ask = (caller) => api.unassign(before, remark, caller);
      const assigning = {
        missing: await assign({ key: null }),
        empty: await assign({ key: '' }),
        wrong: await askWithWrongKeys(assign, world, [altogether, ...similar]),
      };
      // How keys are compared does not depend on the body; whether they are may.
      const unassigning = {
        missing: await unassign({ key: null }),
        empty: await unassign({ key: '' }),
        wrong: await askWithWrongKeys(unassign, world, [altogether]),
      };
      const { answer: read } = await tasks.look(before.id);
      return { assigning, unassigning, before, read };
    };
    const { assigning, unassigning, before, read } = await tasks.trial(task, attempt, isChanged);
    // Read again: a key that was accepted by mistake has changed the version.
    const { before: written, answer: twin } = await tasks.assign(taskOf(read), to, remark);
    // As soon as it was accepted: its answer may be kept for the same write.
    const repeated = await api.assign(written, to, remark, { key: null });
    const { answer: unassigned } = carriesTask(twin)
      ? await tasks.unassign(taskOf(twin), remark)
      : { answer: twin };
    const requests: WithoutKey[] = [
      { ...assigning, twin },
      // Which of its two defects is looked at first is a clause of its own.
      ...(repeated.succeeded ? [{ missing: repeated, wrong: [], twin }] : []),
      { ...unassigning, twin: unassigned },
    ];
    return { requests, before, read };
  },
  judges: {
    ...keyJudges('update.needs-the-apikey'),
    ...jsonErrorJudges(refusedAnswers),
    'auth.refusal-changes-nothing': ({ requests, before, read }) => {
      for (const { twin } of requests) requireTwin(twin, withTheKey);
      const answers = refusedAnswers({ requests }).filter(isBefore(read));
      if (answers.some(({ status }) => status !== 401)) {
        throw new Inconclusive('Not every one of the writes was refused with 401.', answers);
      }
      expectUnchanged(before, taskOf(read), { how: 'without a valid key', on: [read, ...answers] });
    },
  },
  observes,
});

const beforeTheLookup = scenario({
  name: 'an unknown id asked for without a valid key answers 401',
  needs: ['task'],
  async act({ api, tasks, faker, taskIds, mayWrite }) {
    const id = faker.string.uuid();
    const key = faker.string.alphanumeric({ length: 32 });
    const write = {
      ifMatch: '2026-01-01T00:00:00.000Z',
      body: { unassign: { assigned_by_id: id } },
    };
    const callers: readonly [string, Caller][] = [
      ['without the apikey header', { key: null }],
      ['with a wrong key', { key }],
    ];
    const refused = await Promise.all(
      callers.flatMap(([how, caller]) => [
        api.task(id, caller).then((answer) => ({ what: `an unknown task ${how}`, answer })),
        api
          .assessment(id, caller)
          .then((answer) => ({ what: `an unknown assessment ${how}`, answer })),
        ...(mayWrite
          ? [api.update(id, write, caller).then((answer) => ({ what: `a write ${how}`, answer }))]
          : []),
      ]),
    );
    return { refused, twin: await tasks.seen(taskIds[0] ?? id) };
  },
  judges: {
    'auth.is-checked-before-the-lookup': ({ refused, twin }) => {
      requireTwin(twin, 'a known task with the valid key');
      for (const { what, answer } of refused) expectStatus(answer, 401, what);
    },
  },
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
    {
      ofErrors: {},
      otherForm:
        ({ api }) =>
        (caller) =>
          api.export('file_type=pdf', caller),
    },
  ),
  writing,
  beforeTheLookup,
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
