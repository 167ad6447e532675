import type { Caller } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { Inconclusive, Violation } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { type AnyScenario, type Need, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import { expectUnchanged } from './comparing-tasks.ts';
import { expectStatus, requireTwin } from './expectations.ts';
import { errorShapes } from './shapes.ts';
import { wrongKeys } from './wrong-keys.ts';

interface Refused {
  readonly what: string;
  readonly answer: Answer;
}

/** One operation, asked without a valid key in several ways, and once with it. */
interface Evidence {
  readonly missing: Answer;
  readonly empty: Answer;
  readonly wrong: readonly Refused[];
  readonly twin: Answer;
}

type Ask = (caller: Caller) => Promise<Answer>;

async function askWithoutKey(ask: Ask, { key, faker }: World): Promise<Omit<Evidence, 'twin'>> {
  const missing = await ask({ key: null });
  const empty = await ask({ key: '' });
  const wrong: Refused[] = [];
  for (const { what, key: near } of wrongKeys(key, faker)) {
    wrong.push({ what: `with ${what}`, answer: await ask({ key: near }) });
  }
  return { missing, empty, wrong };
}

const withTheKey = 'the same request with the valid key';

function keyJudges(needsTheKey: JudgedClause) {
  return {
    [needsTheKey]: ({ missing, twin }: Evidence) => {
      requireTwin(twin, withTheKey);
      expectStatus(missing, 401, 'without the apikey header');
      expectNoRecord(missing, twin, 'without the apikey header');
    },
    'auth.empty-key-is-401': ({ empty, twin }: Evidence) => {
      requireTwin(twin, withTheKey);
      expectStatus(empty, 401, 'with an empty apikey header');
    },
    'auth.invalid-key-is-401': ({ wrong, twin }: Evidence) => {
      requireTwin(twin, withTheKey);
      for (const { what, answer } of wrong) {
        expectStatus(answer, 401, what);
        expectNoRecord(answer, twin, what);
      }
    },
    'auth.valid-key-is-accepted': ({ twin }: Evidence) => {
      if (twin.status !== 401) return;
      const expected = 'another status than 401';
      throw new Violation('with the valid key', { expected, actual: '401', on: [twin] });
    },
  };
}

/** A refusal may have any shape, but not that of the record that it refuses. */
function expectNoRecord(refused: Answer, twin: Answer, what: string): void {
  const fields = Object.entries(twin.object ?? {});
  const shown = fields.filter(
    ([name, value]) =>
      typeof value === 'string' && value !== '' && refused.object?.[name] === value,
  );
  if (shown.length < fewestFields) return;
  throw new Violation(what, {
    expected: 'a 401 that shows nothing of the record',
    actual: `a 401 with its ${shown.map(([name]) => name).join(', ')}`,
    on: [refused, twin],
  });
}

/** An id or two in a message are no record. */
const fewestFields = 4;

const observes = {
  'errors.body-shape': ({ missing, wrong }: Evidence) =>
    errorShapes('no valid key', [missing, ...wrong.map(({ answer }) => answer)]),
};

/** A millisecond of long ago, as a query of the export: the key is what matters, not the events. */
export const noEvents =
  'range_start=2000-01-01T00%3A00%3A00.000Z&range_end=2000-01-01T00%3A00%3A00.001Z';

function reading(
  name: string,
  needs: readonly Need[],
  needsTheKey: JudgedClause,
  askOf: (world: World) => Ask,
): AnyScenario {
  return scenario({
    name,
    needs,
    async act(world) {
      const ask = askOf(world);
      return { ...(await askWithoutKey(ask, world)), twin: await ask({}) };
    },
    judges: keyJudges(needsTheKey),
    observes,
  });
}

const writing = scenario({
  name: 'a write without a valid key answers 401 and changes nothing',
  needs: ['writable-task', 'two-users'],
  async act(world) {
    const { api, tasks, anotherUser, actor: by } = world;
    const before = await tasks.any();
    const to = anotherUser(before);
    const ask: Ask = (caller) =>
      api.assign(before, to, { by, comment: 'without a valid key' }, caller);
    const refused = await askWithoutKey(ask, world);
    const read = await api.task(before.id);
    // Read again: a key that was accepted by mistake has changed the version.
    const twin = await api.assign(taskOf(read), to, { by });
    return { ...refused, before, read, twin };
  },
  judges: {
    ...keyJudges('update.needs-the-apikey'),
    'auth.refusal-changes-nothing': ({ before, read, missing, empty, wrong, twin }) => {
      requireTwin(twin, withTheKey);
      const answers = [missing, empty, ...wrong.map(({ answer }) => answer)];
      if (answers.some(({ status }) => status !== 401)) {
        throw new Inconclusive('Not every one of the writes was refused with 401.');
      }
      expectUnchanged('the task after writes that were answered with 401', before, taskOf(read), {
        on: [read, ...answers],
      });
    },
  },
  observes,
});

const beforeTheLookup = scenario({
  name: 'an unknown id asked for without a valid key answers 401',
  needs: ['task'],
  async act({ api, faker, taskIds, mayWrite }) {
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
    return { refused, twin: await api.task(taskIds[0] ?? id) };
  },
  judges: {
    'auth.is-checked-before-the-lookup': ({ refused, twin }) => {
      requireTwin(twin, 'a known task with the valid key');
      for (const { what, answer } of refused) expectStatus(answer, 401, what);
    },
  },
});

export const authentication = [
  reading(
    'a task asked for without a valid key answers 401',
    ['task'],
    'get-task.needs-the-apikey',
    ({ api, taskIds }) =>
      (caller) =>
        api.task(taskIds[0] ?? '', caller),
  ),
  reading(
    'an assessment asked for without a valid key answers 401',
    ['assessment'],
    'get-assessment.needs-the-apikey',
    ({ api, assessmentIds }) =>
      (caller) =>
        api.assessment(assessmentIds[0] ?? '', caller),
  ),
  reading(
    'an export asked for without a valid key answers 401',
    [],
    'export.needs-the-apikey',
    ({ api }) =>
      (caller) =>
        api.export(noEvents, caller),
  ),
  writing,
  beforeTheLookup,
];
