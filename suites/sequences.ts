import { type Assignee, bodyThatAssigns } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { Inconclusive, NotConfigured, NothingSeen, Violation } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { type AnyScenario, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import { sameId } from '../schemas/identifier.ts';
import type { Task } from '../schemas/task.ts';
import { judgesBy, ofAssessment, ofRefusal } from './answers.ts';
import { namesNobody, normalization, staysAfterWrite } from './comparing-tasks.ts';
import { isRefused, judgeEach, requireAccepted, unlikeStatus } from './expectations.ts';
import { judgeHistory } from './history.ts';
import {
  type Betweened,
  judgesBetween,
  type Make,
  observesBetween,
  type Sent,
  sendAlone,
  sendTogether,
} from './in-between.ts';
import { expectSameAssessment, readableAssessment, transitions } from './reading-assessments.ts';
import {
  assessmentRead,
  type Between,
  charsetStatuses,
  refusedRequests,
  type Send,
  taskRead,
  withCharset,
} from './refused-requests.ts';
import { type CommentForm, type Move, moves, plannedWalks, walks } from './sequence-plan.ts';
import {
  actorOf,
  expectTaken,
  howCommented,
  nameOfWrite,
  type OfOneTask,
  observesWrites,
  oneActorAlone,
  type Step,
  type Steps,
  stepJudges,
  takeSteps,
  type Write,
} from './writes.ts';

/*
 * Sequences (States and transitions, Assignment): tasks go from nobody to users and teams and back, with comments of all
 * forms, and between any two writes stands a request that is refused, or is about another task. What a service does may
 * depend on what came right before, or on two things at once: so each two of these meet, in as few writes as that takes.
 */

/** How many configured users are assigned a task at the most. */
const maxUsers = 8;

/** A write of a sequence. */
interface StepOfWalk extends Step {
  /** What was sent between the write before and this one. */
  readonly behind: readonly Between[];
}

interface Walk extends Steps, OfOneTask {
  /** Those of the sequence; `steps` has the unassignment before it, and the writes to another task, too. */
  readonly own: readonly StepOfWalk[];
  readonly steps: readonly StepOfWalk[];
  readonly between: readonly Betweened[];
  /** The task's assessment, or else any, as it was before all writes; undefined where none can be read. */
  readonly assessment: Answer | undefined;
}

/** Takes one task through a sequence; where there is another task, of the same entity or assessment if possible, writes to that in between. */
async function walk(world: World, index: number): Promise<Walk> {
  const { tasks, users, teams, taskIds, assessmentIds } = world;
  const hasAnother = taskIds.length > 1;
  // What is kept by the assessment must not turn up at another entity either.
  const relation = index === 0 ? 'assessment' : 'entity';
  const [leased, other] = hasAnother ? await tasks.two(relation) : [await tasks.any(), undefined];
  const isPossible = ({ from, to, isSame }: Move): boolean =>
    (teams.length > 0 || (from !== 'a team' && to !== 'a team')) &&
    (users.length > 1 || isSame === true || from !== 'a user' || to !== 'a user');
  const assessment = await readableAssessment(world, [leased.assessment_id, assessmentIds[0]]);
  const assessmentId = assessment && String(assessment.object?.id);
  const ofTask = await unassigned(world, leased);
  const beside: StepOfWalk[] = [...ofTask.steps];
  let aside = other;
  let asideBefore: Step | undefined;
  /** Writes to the other task, to each kind of holder in turn, of users to the one who has this task. @param before what was sent right before */
  const writeAside =
    (task: Task, hasComment: boolean, before: string | undefined): Send =>
    async () => {
      if (aside === undefined) return undefined;
      const written = beside.length - ofTask.steps.length;
      const holder = users.find(({ id }) => sameId(id, task.assignment?.assigned_to_id));
      const turns = [holder ?? world.user(), ...teams.slice(0, 1), null];
      const next = [...turns.slice(written % turns.length), ...turns];
      // A write that changes nothing need not show.
      const has = aside.assignment?.assigned_to_id ?? null;
      const to = next.find((one) => (one === null ? has !== null : !sameId(one.id, has))) ?? null;
      const comment = hasComment ? world.mark() : [undefined, null][written % 2];
      const [step] = await takeSteps(world, aside, [{ to, comment }], asideBefore);
      if (step === undefined) return undefined;
      const facts = ['a write to another task', nameOfWrite(step), howCommented(comment)];
      beside.push({ ...step, behind: [], facts: [...facts, ...rightAfter(before)] });
      asideBefore = step;
      aside = taskOf(step.read);
      return step.answer;
    };
  const { [index]: plan = [] } = plannedWalks(
    moves.filter(isPossible),
    refusedRequests.filter((one) => hasAnother || one.kind !== 'another task'),
  );
  const { actors, task: first } = await world.findActors(ofTask.task);
  let last = first;
  /** All versions that the task was seen to have, the latest first. */
  const versions = [last.updated_at];
  const see = (task: Task): Task => {
    if (versions[0] !== task.updated_at) versions.unshift(task.updated_at);
    return task;
  };
  /** Users, in the order in which they get the task: only a write shows whether the target takes their ids. */
  const inTurn = [...users.slice(index, maxUsers), ...users.slice(0, index)];
  let earlier: StepOfWalk | undefined;
  const steps: StepOfWalk[] = [];
  const all: Betweened[] = [];
  for (const [
    at,
    { earlier: others, between, move, form, hasCharset, isReadAfter },
  ] of plan.entries()) {
    const sparesActors = plan.slice(at + 1).some((later) => later.move.isBySelf);
    const to = assigneeOf(move, last, { ...world, actors, sparesActors }, inTurn);
    const { isBySame: sameActor, isBySelf: bySelf } = move;
    const write = {
      to,
      ...(sameActor && { sameActor }),
      ...(bySelf && { bySelf }),
      ...(hasCharset && { contentType: withCharset }),
    };
    const bodyBefore = earlier?.answer.succeeded ? bodyThatAssigns(earlier.to, earlier) : undefined;
    const comments = new Map<Between, Write['comment']>();
    const make: Make = (one, task) => {
      // Every second one has a text where the write that follows has none, which must not turn up there; and the other way
      // round, if such a write was accepted before.
      const turn = others.indexOf(one);
      const hasText = typeof form.write('') === 'string';
      const other = hasText ? [undefined, null][(turn >> 1) % 2] : world.mark();
      const isOther =
        turn % 2 === 1 && (!hasText || steps.some(isAcceptedLike({ to, comment: other })));
      const comment = isOther ? other : form.write(world.mark());
      comments.set(one, comment);
      const by = actorOf(write, actors, earlier?.by ?? task.assignment?.assigned_by_id);
      const body = bodyThatAssigns(to, { by, comment });
      const old = versions.filter((version) => version !== task.updated_at);
      // The comment of one task must not turn up at another, which has none.
      const sendAside = writeAside(
        task,
        typeof form.write('') !== 'string',
        others.at(-1)?.name ?? earlier?.facts[0],
      );
      return one.make({ world, task, body, bodyBefore, old, aside, sendAside, assessmentId });
    };
    let sent: readonly Sent[] = [];
    [sent, last] = await sendTogether(tasks, others, last, make, see);
    const alone = await sendAlone(tasks, between, last, make);
    if (alone) sent = [...sent, alone];
    if (alone?.around) last = see(taskOf(alone.around.read));
    const { twin, made } = await written(world, last, write, form, earlier);
    const own = made.filter(mustBeTaken).map((step) => ({
      ...step,
      behind: sent.map((one) => one.sent),
      facts: [
        move.name,
        nameOfWrite(step),
        howCommented(step.comment),
        ...(step.contentType ? ['with a charset in its Content-Type'] : []),
        ...rightAfter(sent.at(-1)?.sent.name),
      ],
    }));
    for (const [index, one] of sent.entries()) {
      const before = sent[index - 1]?.sent.name ?? earlier?.facts[0];
      const { name } = one.sent;
      const commented = howCommented(comments.get(one.sent));
      const facts = [name, `for ${move.name}`, commented, ...rightAfter(before)];
      all.push({ ...one, facts, twin });
    }
    steps.push(...own);
    earlier = own.at(-1);
    // Where somebody else has unassigned the task before it was, no write was made.
    last = see(earlier ? taskOf(earlier.read) : await tasks.read(last.id));
    for (const reading of isReadAfter ? [taskRead, assessmentRead] : []) {
      const one = await sendAlone(tasks, reading, last, make);
      if (one)
        all.push({
          ...one,
          facts: [`after ${move.name}`, howCommented(form.write(''))],
          twin: one.answer,
        });
      if (one?.around) last = see(taskOf(one.around.read));
    }
  }
  return { own: steps, steps: [...beside, ...steps], between: all, assessment };
}

/** Whether users may assign tasks to themselves is open: where one may not, there was no write. */
const mustBeTaken = ({ by, to, answer: { status } }: Step): boolean =>
  !sameId(by, to?.id) || status < 400 || status > 499 || status === 401 || status === 409;

/** Whether a step shows that a write of a kind, with such a comment, is accepted. */
const isAcceptedLike =
  ({ to, comment }: Write) =>
  (step: Step): boolean =>
    step.answer.succeeded && step.comment === comment && (step.to === null) === (to === null);

const rightAfter = (what: string | undefined): string[] => (what ? [`right after ${what}`] : []);

/** Unassigns a task, unless nobody has it. @returns the task after that, and the step */
async function unassigned(world: World, task: Task) {
  const [step] = await takeSteps(world, task, [{ to: null }]);
  if (step === undefined) {
    // Somebody else may have unassigned it before.
    const now = namesNobody(task.assignment) ? task : await world.tasks.read(task.id);
    return { task: now, steps: [] };
  }
  const facts = ['an unassignment of a task as others left it', howCommented(step.comment)];
  return { task: taskOf(step.read), steps: [{ ...step, behind: [], facts }] };
}

/**
 * @param world with `sparesActors` where one of the actors is to take the task over later: then it goes to others first
 * @param inTurn users, of whom the first whom the task can go to takes it, and is the last from then on
 */
function assigneeOf(
  { to, isSame, isBySelf }: Move,
  task: Task,
  world: Pick<World, 'team' | 'user' | 'users' | 'actors'> & { readonly sparesActors: boolean },
  inTurn: Assignee[],
) {
  if (to === 'nobody') return null;
  if (to === 'a team') return world.team();
  const has = ({ id }: Assignee): boolean => sameId(id, task.assignment?.assigned_to_id);
  const isActor = ({ id }: Assignee): boolean => world.actors.some((actor) => sameId(actor, id));
  const user =
    (isSame && world.users.find(has)) ||
    (isBySelf && world.users.find((one) => isActor(one) && !has(one))) ||
    inTurn.find((one) => !has(one) && !(world.sparesActors && isActor(one))) ||
    inTurn.find((one) => !has(one)) ||
    world.user();
  const at = inTurn.indexOf(user);
  if (at >= 0) inTurn.push(...inTurn.splice(at, 1));
  return user;
}

/**
 * Makes a write with a comment. How long a comment may be is open: where one is refused, as many plain letters show
 * whether its length may be the reason, and where they are refused too, less of it is sent, and then the mark alone.
 * @returns the answer to the first write; and the writes to be judged
 */
async function written(
  world: World,
  task: Task,
  write: Write,
  form: CommentForm,
  earlier: Step | undefined,
): Promise<{ readonly twin: Answer | undefined; readonly made: readonly Step[] }> {
  const take = async (from: Task, comment: string | null | undefined) =>
    (await takeSteps(world, from, [{ ...write, comment }], earlier))[0];
  const comment = form.write(world.mark());
  const step = await take(task, comment);
  if (step === undefined) return { twin: undefined, made: [] };
  const twin = step.answer;
  const { contentType, ...plainly } = write;
  if (contentType && charsetStatuses.includes(twin.status))
    return await written(world, taskOf(step.read), plainly, form, earlier);
  if (typeof comment !== 'string' || !isRefused(twin)) return { twin, made: [step] };
  const plain = await take(taskOf(step.read), 'x'.repeat(comment.length));
  if (plain && !isRefused(plain.answer)) return { twin, made: [step, plain] };
  let last = plain;
  for (const length of [250, world.mark().length]) {
    if (last === undefined || !isRefused(last.answer)) break;
    last = await take(taskOf(last.read), form.write(world.mark())?.slice(0, length));
  }
  return { twin, made: [last ?? step] };
}

const assessmentReads = (between: Walk['between']): readonly Betweened[] =>
  between.filter(({ sent }) => sent === assessmentRead);

const hasText = ({ comment }: Step): boolean => typeof comment === 'string';
const isAssigning = ({ to }: Step): boolean => to !== null;

/** A judge that writes with comments of a kind are accepted as others are. */
const commentsAreTaken =
  (isOfKind: (step: Step) => boolean) =>
  ({ own }: Walk): void => {
    const assigning = own.filter(isAssigning);
    if (!assigning.some((step) => hasText(step) && step.answer.succeeded)) {
      const answers = assigning.map(({ answer }) => answer);
      throw new Inconclusive('No assignment with a comment was accepted.', answers);
    }
    const ofKind = assigning.filter(isOfKind);
    judgeHistory(ofKind, expectTaken);
  };

const isRetry = ({ behind }: StepOfWalk): boolean =>
  behind.some(({ leaves }) => leaves === 'conflict.changes-nothing');

const judgesOfWrites = {
  ...stepJudges,
  'task.updated-at-is-the-version': ({ steps }: Walk) =>
    stepJudges['task.updated-at-is-the-version']({
      steps: steps.filter((step) => !isRetry(step)),
    }),
  'conflict.retry-with-the-latest-version': ({ own, between }: Walk) => {
    const retries = between.filter(
      ({ sent, answer }) => sent.leaves === 'conflict.changes-nothing' && answer.status === 409,
    );
    if (retries.length === 0 || !own.some(({ answer }) => answer.succeeded))
      throw new NothingSeen();
    judgeEach(own.filter(isRetry), ({ answer }) => {
      if (answer.status !== 409) return requireAccepted(answer);
      throw unlikeStatus('the retry after a 409, with the version just read', '2xx', answer);
    });
  },
  'states.only-the-assignment-changes': ({ own, assessment: before, between }: Walk) => {
    if (before === undefined)
      throw new NotConfigured('ASSESSMENT_IDS', 'an assessment that can be read');
    if (!own.some(({ answer }) => answer.succeeded)) throw new NothingSeen();
    judgeHistory(assessmentReads(between), ({ answer: after }) => {
      if (!after.succeeded || !sameId(after.object?.id, before.object?.id))
        throw new Inconclusive('The assessment could not be read again after a write.', [after]);
      expectSameAssessment(before, after, { when: 'after a write to its task' });
    });
  },
  'comment.is-on-the-assignment': (evidence: Walk) => {
    commentsAreTaken(hasText)(evidence);
    stepJudges['comment.is-on-the-assignment'](evidence);
  },
  'update.comment-is-optional': commentsAreTaken((step) => !hasText(step)),
  'update.answers-with-the-updated-task': ({ steps }: Walk) => {
    // Whether a comment may be missing or null, and what a refusal of an unassignment says, are clauses of their own.
    const isJudged = (step: Step): boolean =>
      !isRefused(step.answer) || step.answer.status >= 500 || (hasText(step) && step.to !== null);
    stepJudges['update.answers-with-the-updated-task']({ steps: steps.filter(isJudged) });
  },
  'update.answers-with-a-new-version': (evidence: Walk) => {
    stepJudges['update.answers-with-a-new-version'](evidence);
    const { own } = evidence;
    const versions = own.map(({ read }) => taskOf(read).updated_at);
    const reused = own.find((_, at) => versions.indexOf(versions[at] ?? '') !== at);
    if (reused === undefined || !own.every(({ answer }) => answer.succeeded)) return;
    throw new Violation(staysAfterWrite(taskOf(reused.read).updated_at), [reused.read]);
  },
  'update.answers-with-the-new-assignment': (evidence: Walk) => {
    stepJudges['update.answers-with-the-new-assignment'](evidence);
    const { own } = evidence;
    if (own.every(({ by }) => by === own[0]?.by)) throw oneActorAlone();
  },
};

/** The clauses that only writes about a team show in all their parts. */
const shownByTeams: readonly JudgedClause[] = [
  'assignment.assigned-to-type',
  'assign.task-becomes-assigned',
  'reassign.task-goes-to-the-new-assignee',
  'update.answers-with-the-new-assignment',
  'comment.is-on-the-assignment',
  'unassign.task-becomes-unassigned',
  'unassign.answers-with-null-assignment',
  'service.assignee-is-single',
  'conflict.differing-version-is-409',
];

function sequence(index: number): AnyScenario {
  return scenario({
    name: `sequence ${index + 1}: tasks are assigned and unassigned, with refused requests in between`,
    needs: ['writable-task', 'user'],
    shownBy: {
      team: shownByTeams,
      'two-users': ['reassign.task-goes-to-the-new-assignee', 'service.assignee-is-single'],
      'two-tasks': ['conflict.differing-version-is-409', 'update.keeps-other-tasks'],
    },
    writes: 70,
    act: (world) => walk(world, index),
    judges: {
      ...judgesOfWrites,
      ...judgesBetween,
      ...judgesBy(ofRefusal, ({ between }: Walk) => between.map(({ answer }) => answer)),
      ...judgesBy(ofAssessment, ({ between }: Walk) =>
        assessmentReads(between).map(({ answer }) => answer),
      ),
    },
    observes: {
      ...observesWrites,
      ...observesBetween,
      'assessment.state-transitions': ({ assessment, between }: Walk) =>
        assessmentReads(between).flatMap(({ answer }) =>
          transitions('after an assignment of its task', assessment, answer),
        ),
      'comment.normalization': ({ own }: Walk) =>
        own.flatMap(({ comment, answer, read }) => {
          const kept: unknown = taskOf(read).assignment?.assignment_comment;
          return answer.succeeded && typeof comment === 'string' && typeof kept === 'string'
            ? normalization('task', comment, kept)
            : [];
        }),
    },
  });
}

export const sequences = Array.from({ length: walks }, (_, index) => sequence(index));
