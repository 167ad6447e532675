import { type Assignee, unassignBody, updateBody } from '../../helpers/api.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { carriesTask, taskOf } from '../../helpers/tasks/task-answer.ts';
import type { World } from '../../runner/world.ts';
import type { Task } from '../../schemas/task.ts';
import type { UpdateAssignment } from '../../schemas/update-assignment.ts';
import { namesNobody } from '../comparing-tasks.ts';
import { anotherActor } from '../writes.ts';
import type { Classified } from './csv-observations.ts';

/*
 * The writes with comments that the audit trail is judged by: every transition of a task, each with a mark in its comment, and
 * writes that are to be refused.
 */

/** A write that was refused, and the mark of its comment. */
export interface RefusedWrite {
  readonly what: string;
  readonly mark: string;
  readonly answer: Answer;
}

/** A write with a comment. */
export interface CommentedWrite {
  /** As the classification of its event is observed. */
  readonly of: Classified['of'] | 'an assignment' | 'an assignment to the same assignee';
  readonly clause: 'audit.records-assignment-comments' | 'audit.records-unassignment-comments';
  readonly by: string;
  /** null where it removes the assignment. */
  readonly to: Assignee | null;
  readonly mark: string;
  readonly comment: string;
  /** What it may have to do with that its event is lost, as phrases that follow on "of an assignment". */
  readonly traits: readonly string[];
  readonly answer: Answer;
}

/** The writes of a run whose events are looked for. */
export interface CommentedWrites {
  readonly writes: readonly CommentedWrite[];
  readonly refused: readonly RefusedWrite[];
}

/** Columns for comments are often as wide. */
const shortComment = 255;

/**
 * Every transition with a comment, one write without a comment, and before the last of them those that are to be refused.
 * @param actors the usual one first; where there are two, each write is made by another one than the one before it
 */
export async function makeWrites(
  world: World,
  unassigned: Task,
  actors: readonly string[],
): Promise<CommentedWrites> {
  const { tasks, users, teams } = world;
  const [one, other = one] = users;
  const [team] = teams;
  if (one === undefined || other === undefined) throw new Error('No user is configured.');
  const writes: CommentedWrite[] = [];
  let task = unassigned;
  /** In whose name the last write was made that was carried out. */
  let last: string | undefined;
  let length = 0;
  let isAfterComment = false;
  /** Makes a write. @returns undefined where somebody else has unassigned the task that it was to unassign */
  const make = async (
    to: Assignee | null,
    comment?: string,
  ): Promise<{ readonly by: string; readonly answer: Answer } | undefined> => {
    const by = anotherActor(actors, last, to);
    const remark = { by, ...(comment !== undefined && { comment }) };
    if (to === null && namesNobody(task.assignment)) return undefined;
    const { before, answer } =
      to === null ? await tasks.unassign(task, remark) : await tasks.assign(task, to, remark);
    task = carriesTask(answer) ? taskOf(answer) : await tasks.read(task.id);
    if (answer.succeeded) last = by;
    return to === null && namesNobody(before.assignment) ? undefined : { by, answer };
  };
  const makeWithComment = async (of: CommentedWrite['of'], to: Assignee | null): Promise<void> => {
    const mark = world.mark();
    const comments = of === 'a reassignment' ? [quotedCommentWith(mark)] : commentsWith(mark);
    for (;;) {
      const comment = comments[Math.min(length, comments.length - 1)] ?? '';
      const made = await make(to, comment);
      // How long a comment may be is open.
      const { status = 0 } = made?.answer ?? {};
      const isTooLong = [400, 413, 422].includes(status) || status >= 500;
      if (isTooLong && length < comments.length - 1) {
        length += 1;
        continue;
      }
      const clause =
        `audit.records-${to === null ? 'unassignment' : 'assignment'}-comments` as const;
      const traits = [
        ...(of === 'an assignment' ? ['to a task that nobody had'] : []),
        ...(isAfterComment ? [] : ['following on a write without a comment']),
        ...(to !== null && to.type === 'TEAM' ? ['to a team'] : []),
        ...(comment.length > shortComment ? [`with ${comment.length} characters`] : []),
        ...(made === undefined ? [] : [`in the name of ${made.by}`]),
      ];
      if (made !== undefined) writes.push({ of, clause, to, mark, comment, traits, ...made });
      isAfterComment = true;
      return;
    }
  };
  await makeWithComment('an assignment', one);
  await makeWithComment('a reassignment', other);
  await make(one);
  isAfterComment = false;
  await makeWithComment('an assignment to the same assignee', one);
  if (team !== undefined) await makeWithComment('a reassignment', team);
  const refused = await refusedWrites(world, task);
  await makeWithComment('an unassignment', null);
  return { writes, refused };
}

/**
 * Comments with this mark and all that a CSV could trip over: one longer than 2,000 characters, and shorter ones. They
 * begin like formulas: a CSV may guard them, by a character before them.
 */
function commentsWith(mark: string): readonly [string, ...string[]] {
  // One letter is written as two characters.
  const hard =
    '"quoted",  comma; semicolon\nsecond line, Ωμέγα, Привет, 日本語, gru\u0308n, 👩‍👧 👍 50 %25 <b>&amp;</b>';
  const short = `=${mark}: ${hard}`;
  const and = ', and so on';
  return [
    `${short}${and.repeat(190)}`,
    `${short}${and.repeat(20)}`,
    short,
    `${mark}: "q", c\nß 👍`,
  ];
}

/** Begins with a quote, and nothing else in it asks for quotes around its cell. */
function quotedCommentWith(mark: string): string {
  return `"${mark}" ß 👍`;
}

/** One assignment and one unassignment for each reason to refuse it, each with a mark in its comment. */
async function refusedWrites(world: World, task: Task): Promise<readonly RefusedWrite[]> {
  const { api, user, actor: by, faker } = world;
  const ifMatch = task.updated_at;
  const old = '2000-01-01T00:00:00.000Z';
  const key = faker.string.alphanumeric({ length: 32 });
  const unknown = faker.string.uuid();
  const reasons: readonly {
    readonly what: string;
    readonly send: (body: UpdateAssignment) => Promise<Answer>;
  }[] = [
    {
      what: 'without a valid key',
      send: (body) => api.update(task.id, { ifMatch, body }, { key }),
    },
    { what: 'to an unknown task', send: (body) => api.update(unknown, { ifMatch, body }) },
    {
      what: 'with an If-Match of long ago',
      send: (body) => api.update(task.id, { ifMatch: old, body }),
    },
    {
      what: 'without a required id',
      send: (body) => api.update(task.id, { ifMatch, body: withoutAnId(body) }),
    },
  ];
  const refused: RefusedWrite[] = [];
  for (const { what, send } of reasons) {
    for (const write of ['assignment', 'unassignment'] as const) {
      const mark = world.mark();
      const remark = { by, comment: `${mark}: to be refused` };
      const body = write === 'assignment' ? updateBody(user(), remark) : unassignBody(remark);
      refused.push({ what: `an ${write} ${what}`, mark, answer: await send(body) });
    }
  }
  return refused;
}

/** Whom to assign the task to, or else who unassigns it, is left out. */
function withoutAnId({ update, unassign }: UpdateAssignment): unknown {
  return update === undefined
    ? { unassign: { ...unassign, assigned_by_id: undefined } }
    : { update: { ...update, assigned_to_id: undefined } };
}
