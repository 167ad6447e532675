import type { Faker } from '@faker-js/faker';
import { type Caller, withoutEvents } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { swapCase } from '../helpers/http/sent-key.ts';
import { Inconclusive, other, Violation } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import type { Need } from '../runner/needs.ts';
import { type AnyScenario, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import { isUuidShaped } from '../schemas/identifier.ts';
import type { Task } from '../schemas/task.ts';
import { judgesBy, keyIsAccepted, ofRefusal } from './answers.ts';
import { expectUnchanged, isChanged } from './comparing-tasks.ts';
import { expectStatus, judgeEach, requireTwin } from './expectations.ts';
import { errorShapes } from './shapes.ts';

/*
 * Authentication: each of the four operations without a valid key, with the key of one region at another, and from an
 * address that is not allowed. All of them answer 401 and change nothing.
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
  [inAnotherCase]: swapCase,
};

export type KindOfKey = keyof typeof wrongKeyOf;

// The cast: Object.keys forgets that these are the keys of `wrongKeyOf`.
const allKinds = Object.keys(wrongKeyOf) as KindOfKey[];
const noneOrAnother = allKinds.slice(0, 3);

/** Another character, whose first bits differ too: in the last character of a base64 key, only those may count. */
function anotherCharacter(character: string | undefined): string {
  return /[w-z]/.test(character ?? '') ? 'A' : 'x';
}

interface WrongKey {
  readonly kind: KindOfKey;
  /** What the header apikey holds; null leaves the header out. */
  readonly key: string | null;
}

/** A wrong key of each kind; left out where it turns out to be the valid key, or to be empty by chance. */
export function wrongKeys({ key: valid, faker }: World, kinds: readonly KindOfKey[]): WrongKey[] {
  return kinds
    .map((kind): WrongKey => ({ kind, key: wrongKeyOf[kind](valid, faker) }))
    .filter(({ kind, key }) => key !== valid && (key !== '' || kind === 'an empty key'));
}

/** Whether this is the valid key in the other case, and a UUID: a service may accept it, as the document leaves it open. */
export function mayBeValid({ kind, key }: WrongKey): boolean {
  return kind === inAnotherCase && isUuidShaped(key ?? '');
}

/** The request with a wrong key, as a noun. */
export function requestWith({ kind }: Pick<WrongKey, 'kind'>): string {
  if (kind === 'no key') return 'a request without the apikey header';
  return kind === 'an empty key' ? 'an empty apikey header' : `a request with ${kind}`;
}

interface Presented extends WrongKey {
  readonly answer: Answer;
}

/** Requests with wrong keys, and their twin: the answer to the same request with the valid key. */
interface KeyRequests {
  readonly refused: readonly Presented[];
  readonly twin: Answer;
}

/** Sends a request with each of these keys, one after the other. */
async function askWith(
  ask: (caller: Caller) => Promise<Answer>,
  keys: readonly WrongKey[],
): Promise<Presented[]> {
  const asked: Presented[] = [];
  for (const wrong of keys) asked.push({ ...wrong, answer: await ask({ key: wrong.key }) });
  return asked;
}

const sameWithValidKey = 'the same request with the valid key';

/** A judge of the requests with keys of some kinds: they answer 401, and without the record. */
const judgeRefused =
  (isJudged: (kind: KindOfKey) => boolean) =>
  ({ refused, twin }: KeyRequests): void => {
    const judged = refused.filter((one) => isJudged(one.kind) && !mayBeValid(one));
    judgeEach(judged, (one) => {
      const { kind, answer } = one;
      requireTwin(twin, sameWithValidKey);
      // A service that accepts no key at all, or an unrelated one, accepts any: the violation says it in general.
      const isGeneral = kind === 'no key' || kind === 'another key altogether';
      expectStatus(answer, 401, requestWith(one), { isGeneral });
      // To some services an empty header is a missing one, whose answer is looked at already.
      if (kind !== 'an empty key') expectNoRecord(answer, twin);
    });
  };

const refusedAnswers = ({ refused }: KeyRequests): Answer[] => refused.map(({ answer }) => answer);

function keyJudges(missingKeyClause: JudgedClause) {
  return {
    ...judgesBy(ofRefusal, refusedAnswers),
    ...judgesBy({ 'auth.valid-key-is-accepted': keyIsAccepted }, ({ twin }: KeyRequests) => [twin]),
    [missingKeyClause]: judgeRefused((kind) => kind === 'no key'),
    'auth.empty-key-is-401': judgeRefused((kind) => kind === 'an empty key'),
    'auth.invalid-key-is-401': judgeRefused((kind) => kind !== 'no key' && kind !== 'an empty key'),
  };
}

/** @throws Violation where a refusal shows several fields of the record that it refuses, as its twin shows them */
export function expectNoRecord(refused: Answer, twin: Answer): void {
  const fields = Object.entries(twin.object ?? {});
  const shown = fields.filter(
    ([name, value]) =>
      typeof value === 'string' && value !== '' && refused.object?.[name] === value,
  );
  if (shown.length < minFieldsOfRecord) return;
  const actual = shown.map(([name]) => name).join(', ');
  throw new Violation(other('refuses with the record', { actual }), [refused, twin]);
}

/** Fewer fields are no record: an error message may hold an id or two. */
const minFieldsOfRecord = 4;

const observes = {
  'errors.body-shape': (requests: KeyRequests) =>
    errorShapes('no valid key', refusedAnswers(requests)),
  'auth.key-case': ({ refused, twin }: KeyRequests) =>
    refused
      .filter(({ kind }) => kind === inAnotherCase && twin.succeeded)
      .map((one) => {
        const isRefused = one.answer.status === 401;
        if (!mayBeValid(one)) return 'no UUID';
        return isRefused ? 'case counts' : 'case does not count';
      }),
};

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
  return scenario({
    ...named,
    async act(world) {
      const send = (caller: Caller) => ask(world, caller);
      const noKey = wrongKeys(world, ['no key']);
      const others = wrongKeys(world, kinds).slice(1);
      // The valid key comes between the others: a service that caches answers for any key is found out.
      const missing = await askWith(send, noKey);
      const twin = await send({});
      // What was refused once must not be let in the second time.
      const again = others.filter(({ kind }) => kind === 'another key altogether');
      const asked = [...missing, ...(await askWith(send, [...others, ...again]))];
      if (askInOtherForm) {
        asked.push(...(await askWith((caller) => askInOtherForm(world, caller), noKey)));
      }
      return { refused: asked, twin };
    },
    judges: keyJudges(clause),
    observes,
  });
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
