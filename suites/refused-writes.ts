import type { RawUpdate } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { type AnyScenario, type Observation, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause, OpenClause } from '../schemas/clauses.ts';
import type { Task } from '../schemas/task.ts';
import { expectSameTask } from './comparing-tasks.ts';
import { requireTwin } from './expectations.ts';
import { errorShape, together } from './shapes.ts';
import {
  answersOf,
  isRefused,
  keepsTheOtherFields,
  latest,
  type Stretch,
  type Trial,
  tryInTurn,
} from './stretches.ts';

/** A write that must not be carried out, and the clause that says so. */
interface WrongWrite extends Trial {
  readonly clause: JudgedClause;
}

/** What a wrong write is made from: a right assignment and a right unassignment. */
interface RightWrites {
  readonly ifMatch: string;
  readonly update: Readonly<Record<string, unknown>>;
  readonly unassign: Readonly<Record<string, unknown>>;
}

/** Spoils a right write. */
type Spoil = (right: RightWrites) => RawUpdate;

interface Spoilt {
  readonly clause: JudgedClause;
  readonly what: string;
  readonly spoil: Spoil;
}

interface Evidence {
  readonly stretches: readonly Stretch<WrongWrite>[];
  /** The write that all the wrong ones were made from. */
  readonly twin: Answer;
}

async function attempt(world: World, task: Task, spoilt: readonly Spoilt[]): Promise<Evidence> {
  const { api, anotherUser, actor: by, chance } = world;
  const to = anotherUser(task);
  const comment = chance.lorem.sentence();
  const update = {
    assigned_by_id: by,
    assigned_to_id: to.id,
    assigned_to_type: 'USER',
    assignment_comment: comment,
  };
  const unassign = { assigned_by_id: by, assignment_comment: comment };
  const trials = spoilt.map(({ clause, what, spoil }) => ({
    clause,
    what,
    make: ({ updated_at: ifMatch }: Task) => spoil({ ifMatch, update, unassign }),
  }));
  const stretches = await tryInTurn(world, task, trials);
  return { stretches, twin: await api.assign(latest(stretches), to, { by, comment }) };
}

/** The clauses that the writes of a stretch break if it changed the task: that of the last, or of all refused. */
function blamed({ writes }: Stretch<WrongWrite>): JudgedClause[] {
  const accepted = writes.filter(({ answer }) => !isRefused(answer));
  return (accepted.length > 0 ? accepted : writes).map(({ trial }) => trial.clause);
}

function refusal(
  name: string,
  statuses: OpenClause,
  spoilt: readonly Spoilt[],
  prepare = ({ tasks, user }: World): Promise<Task> => tasks.assigned(user()),
): AnyScenario {
  const ids = [...new Set(spoilt.map(({ clause }) => clause))];
  const judges = ids.map((id) => [
    id,
    ({ stretches, twin }: Evidence) => {
      requireTwin(twin, 'the same write, right in every point');
      for (const stretch of stretches.filter((one) => blamed(one).includes(id))) {
        const { before, writes, read } = stretch;
        const on = [...writes.map(({ answer }) => answer).slice(-1), read];
        const what = writes.at(-1)?.trial.what ?? '';
        expectSameTask(`the task after a write ${what}`, before, taskOf(read), { on });
      }
    },
  ]);
  return scenario({
    name,
    needs: ['writable-task', 'two-users'],
    act: async (world) => await attempt(world, await prepare(world), spoilt),
    judges: { ...keepsTheOtherFields, ...Object.fromEntries(judges) },
    observes: {
      [statuses]: ({ stretches }: Evidence): Observation =>
        together(
          stretches.flatMap(({ writes }) =>
            writes.map(({ trial, answer }) => `${trial.what}: ${answer.status}`),
          ),
        ),
      'errors.body-shape': ({ stretches }: Evidence): Observation =>
        together(answersOf(stretches).filter(isRefused).map(errorShape)),
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

const needsIfMatch = (what: string, spoil: Spoil): Spoilt => ({
  clause: 'update.needs-if-match',
  what,
  spoil,
});

const withoutIfMatch = [
  needsIfMatch('without If-Match', ({ update }) => ({ ifMatch: null, body: { update } })),
  needsIfMatch('that unassigns without If-Match', ({ unassign }) => ({
    ifMatch: null,
    body: { unassign },
  })),
];

const anEmptyIfMatch = needsIfMatch('with an empty If-Match', ({ update }) => ({
  ifMatch: '',
  body: { update },
}));

const typeOfAssignee = (value: string): Spoilt => ({
  clause: 'update.assigned-to-type-values',
  what: `with assigned_to_type ${JSON.stringify(value)}`,
  spoil: update({ assigned_to_type: value }),
});

const wrongType = (what: string, spoil: Spoil): Spoilt => ({
  clause: 'update.field-types',
  what: `with ${what}`,
  spoil,
});

const wrongFields: readonly Spoilt[] = [
  {
    clause: 'update.needs-assigned-by-id',
    what: 'without update.assigned_by_id',
    spoil: update({ assigned_by_id: undefined }),
  },
  {
    clause: 'update.needs-assigned-to-id',
    what: 'without update.assigned_to_id',
    spoil: update({ assigned_to_id: undefined }),
  },
  {
    clause: 'update.needs-assigned-to-type',
    what: 'without update.assigned_to_type',
    spoil: update({ assigned_to_type: undefined }),
  },
  {
    clause: 'unassign.needs-assigned-by-id',
    what: 'without unassign.assigned_by_id',
    spoil: unassign({ assigned_by_id: undefined }),
  },
  typeOfAssignee('GROUP'),
  typeOfAssignee('user'),
  typeOfAssignee(''),
  wrongType('a number as assigned_by_id', update({ assigned_by_id: 42 })),
  wrongType('null as assigned_by_id', update({ assigned_by_id: null })),
  wrongType('a number as assigned_to_id', update({ assigned_to_id: 42 })),
  wrongType('null as assigned_to_id', update({ assigned_to_id: null })),
  wrongType('a list as assigned_to_id', update({ assigned_to_id: ['42'] })),
  wrongType('a number as assigned_to_type', update({ assigned_to_type: 1 })),
  wrongType('null as assigned_to_type', update({ assigned_to_type: null })),
  wrongType('a number as the comment', update({ assignment_comment: 42 })),
  wrongType('an object as the comment', update({ assignment_comment: { text: 'x' } })),
  wrongType('a number as unassign.assigned_by_id', unassign({ assigned_by_id: 42 })),
  wrongType('a list as the comment of unassign', unassign({ assignment_comment: ['x'] })),
];

const noJsonObject = (what: string, body: (right: RightWrites) => unknown): Spoilt => ({
  clause: 'update.body-is-a-json-object',
  what,
  spoil: (right) => ({ ifMatch: right.ifMatch, body: body(right) }),
});

const wrongBodies = [
  noJsonObject('whose body is empty', () => ''),
  noJsonObject('whose body is broken JSON', () => '{"unassign": {"assigned_by_id": "x"}'),
  // Serialized twice: what is sent is a JSON text that holds the right body.
  noJsonObject('whose body is a JSON text', ({ update }) =>
    JSON.stringify(JSON.stringify({ update })),
  ),
  noJsonObject('whose body is a list', ({ update }) => [{ update }]),
  noJsonObject('whose update is a text', () => ({ update: 'USER' })),
];

export const refusedWrites = [
  refusal('a write without If-Match is not carried out', 'update.missing-if-match-status', [
    ...withoutIfMatch,
    anEmptyIfMatch,
  ]),
  refusal(
    'a write without If-Match to an unassigned task is not carried out',
    'update.missing-if-match-status',
    withoutIfMatch,
    ({ tasks }) => tasks.unassigned(),
  ),
  refusal(
    'a write without a required field, or with one of the wrong type, is not carried out',
    'update.refused-body-status',
    wrongFields,
  ),
  refusal(
    'a write whose body is no JSON object is not carried out',
    'update.refused-body-status',
    wrongBodies,
  ),
];
