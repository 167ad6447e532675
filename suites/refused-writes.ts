import { type RawUpdate, unassignBody, updateBody } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { type AnyScenario, type Need, type Observation, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause, OpenClause } from '../schemas/clauses.ts';
import type { Task } from '../schemas/task.ts';
import { expectSameTask, requireTwin } from './expectations.ts';
import { errorShape, together } from './shapes.ts';

/** A write that must not be carried out: what it breaks, and how it is made from a right one. */
interface WrongWrite {
  readonly clause: JudgedClause;
  readonly what: string;
  readonly make: (right: RightWrites) => RawUpdate;
}

/** Writes that would be right, as objects to spoil. */
interface RightWrites {
  readonly ifMatch: string;
  readonly update: Readonly<Record<string, unknown>>;
  readonly unassign: Readonly<Record<string, unknown>>;
}

interface Attempt {
  readonly clause: JudgedClause;
  readonly what: string;
  readonly before: Task;
  readonly answer: Answer;
  readonly read: Answer;
}

interface Evidence {
  readonly attempts: readonly Attempt[];
  /** The write that all the wrong ones were made from. */
  readonly twin: Answer;
}

async function attempt(world: World, wrong: readonly WrongWrite[]): Promise<Evidence> {
  const { api, tasks, user, actor: by, chance } = world;
  const attempts: Attempt[] = [];
  let current = await tasks.assignedTo(user(0));
  const remark = { by, comment: chance.lorem.sentence() };
  for (const { clause, what, make } of wrong) {
    const right = {
      ifMatch: current.updated_at,
      ...updateBody(user(1), remark),
      ...unassignBody(remark),
    } as RightWrites;
    const answer = await api.update(current.id, make(right));
    const read = await api.task(current.id);
    attempts.push({ clause, what, before: current, answer, read });
    current = taskOf(read);
  }
  const twin = await api.assign(current, user(1), remark);
  return { attempts, twin };
}

function refusal(
  name: string,
  wrong: readonly WrongWrite[],
  statuses: OpenClause,
  needs: readonly Need[] = ['writable-task', 'two-users'],
): AnyScenario {
  const ids = [...new Set(wrong.map(({ clause }) => clause))];
  const judges = ids.map((id) => [
    id,
    ({ attempts, twin }: Evidence) => {
      requireTwin(twin, 'the same write, right in every point');
      for (const { clause, what, before, read, answer } of attempts) {
        if (clause !== id) continue;
        const on = [answer, read];
        expectSameTask(`the task after a write ${what}`, before, taskOf(read), { on });
      }
    },
  ]);
  return scenario({
    name,
    needs,
    act: (world) => attempt(world, wrong),
    judges: Object.fromEntries(judges),
    observes: {
      [statuses]: ({ attempts }: Evidence): Observation =>
        together(attempts.map(({ what, answer }) => `${what}: ${answer.status}`)),
      'errors.body-shape': ({ attempts }: Evidence): Observation =>
        together(
          attempts
            .filter(({ answer }) => !answer.succeeded)
            .map(({ answer }) => errorShape(answer)),
        ),
    },
  });
}

/** A right `update` or `unassign` object with some of its fields replaced; undefined leaves a field out. */
const update =
  (changes: Record<string, unknown>) =>
  ({ ifMatch, update: right }: RightWrites): RawUpdate => ({
    ifMatch,
    body: { update: { ...right, ...changes } },
  });

const unassign =
  (changes: Record<string, unknown>) =>
  ({ ifMatch, unassign: right }: RightWrites): RawUpdate => ({
    ifMatch,
    body: { unassign: { ...right, ...changes } },
  });

const body =
  (value: unknown) =>
  ({ ifMatch }: RightWrites): RawUpdate => ({ ifMatch, body: value });

const withoutIfMatch = refusal(
  'a write without If-Match is not carried out',
  [
    {
      clause: 'update.needs-if-match',
      what: 'without If-Match',
      make: ({ update: right }) => ({ ifMatch: null, body: { update: right } }),
    },
    {
      clause: 'update.needs-if-match',
      what: 'with an empty If-Match',
      make: ({ update: right }) => ({ ifMatch: '', body: { update: right } }),
    },
    {
      clause: 'update.needs-if-match',
      what: 'that unassigns without If-Match',
      make: ({ unassign: right }) => ({ ifMatch: null, body: { unassign: right } }),
    },
  ],
  'update.missing-if-match-status',
);

const withoutAField = refusal(
  'a write without a required field is not carried out',
  [
    {
      clause: 'update.needs-assigned-by-id',
      what: 'without update.assigned_by_id',
      make: update({ assigned_by_id: undefined }),
    },
    {
      clause: 'update.needs-assigned-to-id',
      what: 'without update.assigned_to_id',
      make: update({ assigned_to_id: undefined }),
    },
    {
      clause: 'update.needs-assigned-to-type',
      what: 'without update.assigned_to_type',
      make: update({ assigned_to_type: undefined }),
    },
    {
      clause: 'unassign.needs-assigned-by-id',
      what: 'without unassign.assigned_by_id',
      make: unassign({ assigned_by_id: undefined }),
    },
  ],
  'update.refused-body-status',
);

const typeOfAssignee = (value: string): WrongWrite => ({
  clause: 'update.assigned-to-type-values',
  what: `with assigned_to_type ${JSON.stringify(value)}`,
  make: update({ assigned_to_type: value }),
});

const wrongField = (what: string, make: WrongWrite['make']): WrongWrite => ({
  clause: 'update.field-types',
  what: `with ${what}`,
  make,
});

const withAWrongField = refusal(
  'a write with a field of the wrong type is not carried out',
  [
    typeOfAssignee('GROUP'),
    typeOfAssignee('user'),
    typeOfAssignee(''),
    wrongField('a number as assigned_by_id', update({ assigned_by_id: 42 })),
    wrongField('a number as assigned_to_id', update({ assigned_to_id: 42 })),
    wrongField('null as assigned_to_id', update({ assigned_to_id: null })),
    wrongField('a list as assigned_to_id', update({ assigned_to_id: ['42'] })),
    wrongField('a number as assigned_to_type', update({ assigned_to_type: 1 })),
    wrongField('a number as the comment', update({ assignment_comment: 42 })),
    wrongField('an object as the comment', update({ assignment_comment: { text: 'x' } })),
    wrongField('a number as unassign.assigned_by_id', unassign({ assigned_by_id: 42 })),
    wrongField('a list as the comment of unassign', unassign({ assignment_comment: ['x'] })),
  ],
  'update.refused-body-status',
);

const noJsonObject = (what: string, value: unknown): WrongWrite => ({
  clause: 'update.body-is-a-json-object',
  what,
  make: body(value),
});

const withAWrongBody = refusal(
  'a write whose body is no JSON object is not carried out',
  [
    noJsonObject('whose body is empty', ''),
    noJsonObject('whose body is broken JSON', '{"unassign": {"assigned_by_id": "x"}'),
    noJsonObject('whose body is a JSON text', '"unassign"'),
    {
      clause: 'update.body-is-a-json-object',
      what: 'whose body is a list',
      make: ({ ifMatch, update: right }) => ({ ifMatch, body: [{ update: right }] }),
    },
    {
      clause: 'update.body-is-a-json-object',
      what: 'whose update is a text',
      make: ({ ifMatch }) => ({ ifMatch, body: { update: 'USER' } }),
    },
  ],
  'update.refused-body-status',
);

export const refusedWrites = [withoutIfMatch, withoutAField, withAWrongField, withAWrongBody];
