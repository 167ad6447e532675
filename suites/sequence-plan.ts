import type { Answer } from '../helpers/http/answer.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import type { Task } from '../schemas/task.ts';
import type { UpdateAssignment } from '../schemas/update-assignment.ts';

/*
 * What sequences are made of, as data: valid writes, forms of their comments, and requests that must leave the task as it
 * is. Whoever wants one more adds a row: it meets all others in `plannedWalks`.
 */

/** Who has a task. */
type Holder = 'nobody' | 'a user' | 'a team';

/** A valid write, by whom the task goes from, and to. */
export interface Move {
  readonly name: string;
  readonly from: Holder;
  readonly to: Holder;
  /** Whether the same user gets the task again. */
  readonly isSame?: true;
  /** Whether the same actor writes again: then nothing but the comment changes. */
  readonly isBySame?: true;
}

export const moves: readonly Move[] = [
  { name: 'an assignment to a user', from: 'nobody', to: 'a user' },
  { name: 'an assignment to a team', from: 'nobody', to: 'a team' },
  { name: 'a reassignment to another user', from: 'a user', to: 'a user' },
  { name: 'a reassignment from a user to a team', from: 'a user', to: 'a team' },
  { name: 'a reassignment from a team to a user', from: 'a team', to: 'a user' },
  { name: 'an assignment to the same user', from: 'a user', to: 'a user', isSame: true },
  {
    name: 'an assignment to the same user by the same actor',
    from: 'a user',
    to: 'a user',
    isSame: true,
    isBySame: true,
  },
  { name: 'an unassignment from a user', from: 'a user', to: 'nobody' },
  { name: 'an unassignment from a team', from: 'a team', to: 'nobody' },
];

/**
 * A form of comments. A careless service would change texts: those here neither begin nor end with white space, and begin
 * with the mark, by which their events are found even where a record cuts them.
 */
export interface CommentForm {
  /** What the form counts as beside moves and refusals: of several texts, one is enough. */
  readonly kind: string;
  readonly write: (mark: string) => string | null | undefined;
}

const commentForms: readonly CommentForm[] = [
  { kind: 'none', write: () => undefined },
  { kind: 'a text', write: (mark) => `${mark}: to be found` },
  { kind: 'null', write: () => null },
  { kind: 'a long text', write: (mark) => `${mark}${', and so on'.repeat(48)} ${mark}` },
  {
    kind: 'a text',
    write: (mark) =>
      `=${mark}: he said "now", she said 'later'; 5 < 6 && 7 > 2 \\ 100 %25 a+b <b>&amp;</b> <script>1</script> {{name}}`,
  },
  {
    kind: 'a text',
    write: (mark) =>
      `${mark} first line\nsecond line\r\nthird line\n\n\n\tindented,  with  double  spaces and\u00a0others`,
  },
  {
    kind: 'a text',
    // The same letter in one character and in two, and a ligature.
    write: (mark) =>
      `${mark} Gr\u00fc\u00dfe, gru\u0308n, \ufb01ne, žluťoučký, Привет, γειά σου, שלום, مرحبا, 你好, こんにちは, 👩‍👩‍👧 🏳️‍🌈 𝒳 👍🏽 and so on`,
  },
];

/** What a refused request is made from. */
interface Situation {
  readonly world: World;
  readonly task: Task;
  /** The body of the valid write that follows, with another mark. */
  readonly body: UpdateAssignment;
  /** A version that is not the current one: if there is any, the last that the task had before. */
  readonly old: string;
  /** Another task, which nobody has; undefined where there is none. */
  readonly aside: Task | undefined;
}

/** A status, the clause that says so, and what is refused with it, in the words of the scenarios that judge it too. */
interface Refused {
  readonly status: number;
  readonly clause: JudgedClause;
  readonly when: string;
  /** Whether that is said of all of them where none is refused. */
  readonly isGeneral?: true;
}

/** A request that must leave the task as it is. */
export interface Between {
  readonly name: string;
  /** What it counts as beside moves: of several that are refused alike, one is enough. */
  readonly kind: 401 | 404 | 409 | 'without an id' | 'another task';
  /** The status that it must be refused with, as what, and the clause that says so; left out where others judge that. */
  readonly refused?: Refused;
  /** The clause that it breaks if it changes the task; left out of a read. */
  readonly leaves?: JudgedClause;
  readonly send: (situation: Situation) => Promise<Answer>;
}

const callerWithoutKey = ({ faker }: World) => ({ key: faker.string.alphanumeric({ length: 32 }) });
const invalidKey: Refused = {
  status: 401,
  clause: 'auth.invalid-key-is-401',
  when: 'a request with another key altogether',
  isGeneral: true,
};
const oldVersion = 'a write with an If-Match one version old';

export const betweens: readonly Between[] = [
  {
    name: 'a write without a valid key',
    kind: 401,
    refused: invalidKey,
    leaves: 'auth.refusal-changes-nothing',
    send: ({ world, task: { id, updated_at: ifMatch }, body }) =>
      world.api.update(id, { ifMatch, body }, callerWithoutKey(world)),
  },
  {
    name: oldVersion,
    kind: 409,
    refused: { status: 409, clause: 'conflict.differing-version-is-409', when: oldVersion },
    leaves: 'conflict.changes-nothing',
    send: ({ world, task: { id }, body, old }) => world.api.update(id, { ifMatch: old, body }),
  },
  {
    name: 'a write to an unknown task',
    kind: 404,
    refused: {
      status: 404,
      clause: 'update.unknown-task-is-404',
      when: 'an unknown id',
      isGeneral: true,
    },
    leaves: 'endpoints.refused-write-changes-nothing',
    send: ({ world, task: { updated_at: ifMatch }, body }) =>
      world.api.update(world.faker.string.uuid(), { ifMatch, body }),
  },
  {
    name: 'a write without a required id',
    kind: 'without an id',
    leaves: 'update.needs-assigned-to-id',
    send({ world, task: { id, updated_at: ifMatch }, body: { update, unassign } }) {
      // No valid write has an empty comment, as what becomes of that is open.
      const empty = { assignment_comment: (update ?? unassign)?.assignment_comment ?? '' };
      const body = update
        ? { update: { ...update, ...empty, assigned_to_id: undefined } }
        : { unassign: { ...unassign, ...empty, assigned_by_id: undefined } };
      return world.api.update(id, { ifMatch, body });
    },
  },
  {
    name: 'a read without a valid key',
    kind: 401,
    refused: invalidKey,
    send: ({ world, task }) => world.api.task(task.id, callerWithoutKey(world)),
  },
  {
    name: 'a read of an unknown task',
    kind: 404,
    refused: {
      status: 404,
      clause: 'get-task.unknown-task-is-404',
      when: 'an unknown id',
      isGeneral: true,
    },
    send: ({ world }) => world.api.task(world.faker.string.uuid()),
  },
  {
    name: 'a read of an unknown assessment',
    kind: 404,
    send: ({ world }) => world.api.assessment(world.faker.string.uuid()),
  },
];

/** What an unassignment of a task that nobody has does is open: but no other task changes, and none is answered with. */
export const asideUnassigned: Between = {
  name: 'an unassignment of another task that nobody has',
  kind: 'another task',
  leaves: 'update.keeps-other-tasks',
  async send({ world: { tasks, actor: by }, aside }) {
    if (aside === undefined) throw new Error('There is no other task.');
    return (await tasks.assign(aside, null, { by })).answer;
  },
};

/** A valid write, and what is sent right before it. */
interface Planned {
  readonly between: Between;
  readonly move: Move;
  readonly form: CommentForm;
}

/** How many sequences there are: independent tasks can go through them at the same time. */
export const walks = 3;

/** How many valid writes a sequence has at most. */
const stepsOfAWalk = 14;

/** The sequences, each from a task that nobody has: each write is the one that brings most of what none before had. */
export function plannedWalks(possible: readonly Move[], between: readonly Between[]): Planned[][] {
  const seen = new Set<string>();
  const newIn = (one: Planned, before: Planned | undefined, index: number): number =>
    wantedIn(one, before, index).reduce(
      (sum, [key, worth]) => sum + (seen.has(key) ? 0 : worth),
      0,
    );
  const walk = (_: unknown, index: number): Planned[] => {
    const planned: Planned[] = [];
    for (let at: Holder = 'nobody'; planned.length < stepsOfAWalk; ) {
      const before = planned.at(-1);
      const [best] = possible
        .filter(({ from }) => from === at)
        .flatMap((move) =>
          between.flatMap((one) => commentForms.map((form) => ({ move, between: one, form }))),
        )
        .filter((one) => !mayChangeNothing(one, before) && (before || one.between.kind !== 409))
        .map((one) => ({ one, gain: newIn(one, before, index) }))
        .sort((one, other) => other.gain - one.gain);
      if (best === undefined || best.gain === 0) break;
      for (const [key] of wantedIn(best.one, before, index)) seen.add(key);
      planned.push(best.one);
      at = best.one.move.to;
    }
    return planned;
  };
  return Array.from({ length: walks }, walk);
}

/** Whether a write may leave the task as it was: then it need not have a new version. */
function mayChangeNothing({ move, form }: Planned, before: Planned | undefined): boolean {
  const hasNoText = ({ kind }: CommentForm): boolean => kind === 'none' || kind === 'null';
  return (
    move.isSame === true && hasNoText(form) && (before === undefined || hasNoText(before.form))
  );
}

/** What a write shows where no other did, and how much that is worth: pairs, and what must be there at least once. */
function wantedIn(
  { between, move, form }: Planned,
  before: Planned | undefined,
  index: number,
): (readonly [key: string, worth: number])[] {
  return [
    [`${move.name} & ${form.kind}`, 1],
    [`${move.name} & ${between.kind}`, 1],
    [`${between.name} & ${form.kind}`, 1],
    [`${before && kindOf(before.move)} ${before?.form.kind} & ${form.kind}`, 1.5],
    [`${before?.move.name} & ${move.name}`, 2],
    [`${commentForms.indexOf(form)} & ${move.to}`, 2],
    // Each sequence shows all that may become of a task.
    [move.isSame ? '' : `${index} & ${kindOf(move)}`, 3],
  ];
}

const kindOf = ({ from, to }: Move): string =>
  to === 'nobody' ? 'unassigned' : from === 'nobody' ? 'assigned' : 'reassigned';
