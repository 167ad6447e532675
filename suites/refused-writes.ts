import type { RawUpdate } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { type AnyScenario, type Need, type Observation, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause, OpenClause } from '../schemas/clauses.ts';
import type { Task } from '../schemas/task.ts';
import { expectSameTask, requireTwin } from './expectations.ts';
import { errorShape, together } from './shapes.ts';
import { answersOf, isRefused, latest, type Stretch, type Trial, tryInTurn } from './stretches.ts';

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

async function attempt(world: World, spoilt: readonly Spoilt[]): Promise<Evidence> {
  const { api, tasks, user, anotherUser, actor: by, chance } = world;
  const task = await tasks.assigned(user());
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
  const stretches = await tryInTurn(api, task, trials);
  return { stretches, twin: await api.assign(latest(stretches), to, { by, comment }) };
}

/** The clauses that the writes of a stretch break if it changed the task: that of the last, or of all refused. */
function blamed({ writes }: Stretch<WrongWrite>): JudgedClause[] {
  const accepted = writes.filter(({ answer }) => !isRefused(answer));
  return (accepted.length > 0 ? accepted : writes).map(({ trial }) => trial.clause);
}

function refusal(
  name: string,
  spoilt: readonly Spoilt[],
  statuses: OpenClause,
  needs: readonly Need[] = ['writable-task', 'two-users'],
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
    needs,
    act: (world) => attempt(world, spoilt),
    judges: Object.fromEntries(judges),
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

const body =
  (value: unknown) =>
  ({ ifMatch }: RightWrites): RawUpdate => ({ ifMatch, body: value });

const withoutIfMatch = refusal(
  'a write without If-Match is not carried out',
  [
    {
      clause: 'update.needs-if-match',
      what: 'without If-Match',
      spoil: ({ update: right }) => ({ ifMatch: null, body: { update: right } }),
    },
    {
      clause: 'update.needs-if-match',
      what: 'with an empty If-Match',
      spoil: ({ update: right }) => ({ ifMatch: '', body: { update: right } }),
    },
    {
      clause: 'update.needs-if-match',
      what: 'that unassigns without If-Match',
      spoil: ({ unassign: right }) => ({ ifMatch: null, body: { unassign: right } }),
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
  ],
  'update.refused-body-status',
);

const typeOfAssignee = (value: string): Spoilt => ({
  clause: 'update.assigned-to-type-values',
  what: `with assigned_to_type ${JSON.stringify(value)}`,
  spoil: update({ assigned_to_type: value }),
});

const wrongField = (what: string, spoil: Spoil): Spoilt => ({
  clause: 'update.field-types',
  what: `with ${what}`,
  spoil,
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

const noJsonObject = (what: string, value: unknown): Spoilt => ({
  clause: 'update.body-is-a-json-object',
  what,
  spoil: body(value),
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
      spoil: ({ ifMatch, update: right }) => ({ ifMatch, body: [{ update: right }] }),
    },
    {
      clause: 'update.body-is-a-json-object',
      what: 'whose update is a text',
      spoil: ({ ifMatch }) => ({ ifMatch, body: { update: 'USER' } }),
    },
  ],
  'update.refused-body-status',
);

export const refusedWrites = [withoutIfMatch, withoutAField, withAWrongField, withAWrongBody];
