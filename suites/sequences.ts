import { isDeepStrictEqual } from 'node:util';
import { type Assignee, bodyThatAssigns } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { isObject, jsonObject } from '../helpers/json.ts';
import { Inconclusive, NotConfigured, NothingSeen, Violation } from '../helpers/outcomes.ts';
import { marksIn } from '../helpers/tasks/marks.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import { sameId, type Task } from '../schemas/resources.ts';
import { aNumber, idAskedFor, judgesBy, ofAssessment, ofRefusal } from './answers.ts';
import {
  expectUnchanged,
  isChanged,
  isPadded,
  mismatch,
  namesNobody,
  normalization,
  staysAfterWrite,
} from './comparing-tasks.ts';
import {
  isRefused,
  judgeEach,
  requireAccepted,
  unlikeStatus,
  type WithFacts,
} from './expectations.ts';
import { expectSameAssessment, readableAssessment, transitions } from './reads.ts';
import {
  expectRefused,
  isRefusedAsDue,
  isTwinAccepted,
  judgesByRows,
  observesRefusals,
} from './refusals.ts';
import {
  assessmentRead,
  type Between,
  refusedRequests,
  taskRead,
  unusualStatuses,
} from './refused-requests.ts';
import {
  type CommentForm,
  factsOfMove,
  hasText,
  type Move,
  moves,
  type Planned,
  plannedWalks,
} from './sequence-plan.ts';
import {
  actorOf,
  becomesOf,
  expectTaken,
  factsOfComment,
  nameOfWrite,
  observesWrites,
  oneActorAlone,
  type Step,
  type Steps,
  stepJudges,
  takeStep,
  type Write,
} from './writes.ts';

/*
 * Sequences (States and transitions, Assignment): tasks go from nobody to users and teams and back, with comments of all
 * forms, and between any two writes stands a request that is refused, or is about another task. What a service does may
 * depend on what came right before, or on two things at once: so each two of these meet, in as few writes as that takes.
 * A sequence is carried out step by step (`carryOut`): a step sends what is planned before a write, makes the write, and may
 * read the task after it.
 */

/** How many configured users are assigned a task at the most. */
const maxUsers = 8;

interface StepOfWalk extends Step {
  /** What it is, as a noun. */
  readonly name: string;
  /** What was sent between the write before and this one. */
  readonly behind: readonly Between[];
}

/** A request that was sent between two writes. */
interface Sent {
  readonly sent: Between;
  readonly answer: Answer;
  /** The comment of the write that the request was made from. */
  readonly comment: Write['comment'];
  /** The form of its comment, where that is not the one of the write that follows; and whether that unassigns. */
  readonly instead?: { readonly form: CommentForm; readonly unassigns: boolean };
  /** Whether others that were to come right before it were not sent. */
  readonly isAlone?: true;
  /** What the task was before and after it; left out of a read. */
  readonly around?: { readonly before: Task; readonly read: Answer };
}

interface Betweened extends Sent, WithFacts {
  /** The answer to the valid write that follows, with a comment of the same form; undefined where none does. */
  readonly twin: Answer | undefined;
  /** Whether it may have been refused for its comment: no write of the sequence was accepted with one of that form. */
  readonly isForComment?: true;
}

/** What a sequence showed. */
interface Walk extends Steps, Pick<UnderWay, 'own' | 'open' | 'between' | 'assessment'> {
  /** The unassignment before the sequence, the writes to another task, and those of the sequence. */
  readonly steps: readonly StepOfWalk[];
}

interface UnderWay {
  /** With all actors that there are. */
  readonly world: World;
  /** The task's assessment, or else any, as it was before all writes; undefined where none can be read. */
  readonly assessment: Answer | undefined;
  /** Users, in the order in which they get the task: only a write shows whether the target takes their ids. */
  readonly inTurn: Assignee[];
  /** The task as it was read last. */
  task: Task;
  /** All versions that it was seen to have, the latest first. */
  readonly versions: string[];
  /** Another task as it was read last; undefined where there is none. */
  aside: Task | undefined;
  /** The writes to that. */
  readonly toAside: StepOfWalk[];
  readonly own: StepOfWalk[];
  /** Assignments with comments of which it is open whether they are accepted, and what becomes of them. */
  readonly open: Step[];
  /** The last of these; undefined where no write came of the last step. */
  earlier: StepOfWalk | undefined;
  readonly between: Betweened[];
}

/** Takes a task through a sequence, with writes to another one in between, which is of the same entity or assessment if possible. */
async function walk(world: World, index: number): Promise<Walk> {
  const { tasks, users, assessmentIds } = world;
  const hasAnother = world.taskIds.length > 1;
  // What is kept by the assessment must not turn up at another entity either.
  const relation = index === 0 ? 'assessment' : 'entity';
  const [leased, aside] = hasAnother ? await tasks.two(relation) : [await tasks.any(), undefined];
  const assessment = await readableAssessment(world, [leased.assessment_id, assessmentIds[0]]);
  const { actors, task: found } = await world.findActors(leased);
  // Else only the holder may happen to unassign with the comment null, which services may refuse for whom it is by.
  const comment = index % 2 === 0 ? undefined : null;
  const first = await takeStep({ tasks, actors }, found, { to: null, comment });
  // Somebody else may have unassigned the task before.
  const isFree = namesNobody(found.assignment);
  const task = first ? taskOf(first.read) : isFree ? found : await tasks.read(found.id);
  const walk: UnderWay = {
    world: { ...world, actors },
    assessment,
    inTurn: [...users.slice(index, maxUsers), ...users.slice(0, index)],
    task,
    versions: [task.updated_at],
    aside,
    toAside: [],
    own: [],
    open: [],
    earlier: undefined,
    between: [],
  };
  const { [index]: plan = [] } = plannedWalks(
    moves.filter((move) => isPossible(move, world)),
    refusedRequests.filter((one) => hasAnother || one.kind !== 'another task'),
  );
  for (const [at, planned] of plan.entries()) {
    const sparesActors = plan.slice(at + 1).some(({ move }) => move.isBySelf);
    await carryOut(planned, walk, sparesActors);
  }
  const { own, open, toAside } = walk;
  const between = walk.between.map((one) => ({
    ...one,
    ...(isForComment(one, own) && { isForComment: true as const }),
  }));
  const name = 'an unassignment of a task as others left it';
  const facts = [name, ...factsOfComment(comment)];
  const before = first ? [{ ...first, name, behind: [], facts }] : [];
  return { own, open, steps: [...before, ...toAside, ...own], between, assessment };
}

/** Whether no write was accepted with a comment of its form, where that is not the one of the write that follows. */
const isForComment = ({ instead }: Sent, own: readonly Step[]): boolean =>
  instead !== undefined &&
  !own.some(
    ({ to, comment, answer }) =>
      answer.succeeded &&
      comment === instead.form.write(marksIn(comment ?? '')[0] ?? '') &&
      (to === null) === instead.unassigns,
  );

const isPossible = ({ from, to, isSame }: Move, { users, teams }: World): boolean =>
  (teams.length > 0 || (from !== 'a team' && to !== 'a team')) &&
  (users.length > 1 || isSame === true || from !== 'a user' || to !== 'a user');

function see(walk: UnderWay, task: Task): void {
  if (walk.versions[0] !== task.updated_at) walk.versions.unshift(task.updated_at);
  walk.task = task;
}

/** Carries out one step. @param sparesActors whether an actor is to take the task over later: it goes to others first */
async function carryOut(planned: Planned, walk: UnderWay, sparesActors: boolean): Promise<void> {
  const { move, form, actor, way, isReadAfter, isUnread } = planned;
  const write = { ...move, ...way, actor, isUnread, to: assigneeOf(move, walk, sparesActors) };
  const send = senderBefore(write, planned, walk);
  const { task } = walk;
  const sent: Sent[] = [];
  for (const ones of [planned.earlier, [planned.between]]) {
    const some = await sendTogether(ones, send, walk);
    // Whatever they have done to it, what follows meets the task as planned.
    if (some.some(isOfChange)) see(walk, await walk.world.tasks.bringBack(task));
    sent.push(...some);
  }
  const { twin, made } = await written(write, form, walk);
  for (const [at, one] of sent.entries()) {
    const { name } = one.sent;
    const before = one.isAlone ? undefined : (sent[at - 1]?.sent.name ?? walk.earlier?.name);
    const facts = [name, ...factsOf('for', move, one.comment, task), ...rightAfter(before)];
    walk.between.push({ ...one, facts, twin });
  }
  walk.open.push(...made.filter((step) => isAssigning(step) && isOpen(step.comment)));
  const own = made.filter(mustBeTaken).map((step) => ({
    ...step,
    behind: sent.map((one) => one.sent),
    name: move.name,
    facts: [
      nameOfWrite(step),
      ...factsOfMove(move),
      move.name,
      ...factsOfComment(step.comment),
      ...(step.contentType ? ['with a charset in its Content-Type'] : []),
      ...(step.acceptsJson ? ['with an Accept of JSON'] : []),
      ...(step.isChunked ? ['in chunks'] : []),
      ...(step.order ? ['with its actor as the last field'] : []),
      ...(step.order === 'reversed' ? ['with its fields in reverse order'] : []),
      ...(actor === 'the same' && !move.isBySelf ? ['by who made the write before'] : []),
      ...factsOfTask(task),
      ...rightAfter(sent.at(-1)?.sent.name),
    ],
  }));
  // What was not read shows by what comes next.
  walk.own.push(...own.filter(({ answer, read }) => read !== answer));
  const last = own.at(-1);
  walk.earlier = last;
  // Where somebody else has unassigned the task before it was, no write was made.
  see(walk, last ? taskOf(last.read) : await walk.world.tasks.read(walk.task.id));
  for (const reading of isReadAfter ? [taskRead, assessmentRead] : [])
    for (const one of await sendTogether([reading], send, walk)) {
      const facts = factsOf('after', move, form.write('1'), task);
      walk.between.push({ ...one, facts, twin: one.answer });
    }
}

/** Whether it is open if a comment is accepted, and what becomes of it: an empty one, or with white space around it. */
const isOpen = (comment: Write['comment']): boolean => comment === '' || isPadded(comment ?? '');

/** What distinguishes a task from others, whatever is written to it. */
const factsOfTask = ({ assignment: _, ...task }: Task): string[] =>
  Object.entries(task)
    .filter(([, value]) => value === null || isDeepStrictEqual(value, {}))
    .map(([field]) => `of a task without ${field}`);

/** What distinguishes a request before a write, or after it. */
const factsOf = (
  when: 'for' | 'after',
  move: Move,
  comment: Write['comment'],
  task: Task,
): string[] => [
  ...factsOfMove(move),
  `${when} ${move.name}`,
  ...factsOfComment(comment),
  ...factsOfTask(task),
];

const rightAfter = (what: string | undefined): string[] => (what ? [`right after ${what}`] : []);

/** Whether users may assign tasks to themselves, or give them up, is open, as are some comments: else there was no write. */
const mustBeTaken = ({ by, to, before, comment, answer: { status } }: Step): boolean =>
  !(isOpen(comment) || sameId(by, to?.id ?? before.assignment?.assigned_to_id)) ||
  status < 400 ||
  status > 499 ||
  status === 401 ||
  status === 409;

/** To whom a task goes: of users, the first whom it can go to, who is the last from then on. */
function assigneeOf({ to, isSame, isBySelf }: Move, walk: UnderWay, sparesActors: boolean) {
  const { world, task, inTurn } = walk;
  const { users, actors } = world;
  if (to === 'nobody') return null;
  if (to === 'a team') return world.team();
  const has = ({ id }: Assignee): boolean => sameId(id, task.assignment?.assigned_to_id);
  const isActor = ({ id }: Assignee): boolean => actors.some((actor) => sameId(actor, id));
  const user =
    (isSame && users.find(has)) ||
    (isBySelf && users.find((one) => isActor(one) && !has(one))) ||
    inTurn.find((one) => !has(one) && !(sparesActors && isActor(one))) ||
    inTurn.find((one) => !has(one)) ||
    world.user();
  const at = inTurn.indexOf(user);
  if (at >= 0) inTurn.push(...inTurn.splice(at, 1));
  return user;
}

/** Sends a request for the task as it is; undefined where it cannot be made. */
type SendOne = (one: Between, task: Task) => Promise<Sent | undefined>;

/** Sends what comes before a write, of the like of that. */
function senderBefore(write: Write, planned: Planned, walk: UnderWay): SendOne {
  const { earlier: others, instead, form } = planned;
  const { world, assessment, earlier, versions } = walk;
  // What is tried again is the same write.
  const turn = walk.toAside.length;
  const bodyBefore = earlier?.answer.succeeded ? bodyThatAssigns(earlier.to, earlier) : undefined;
  return async (sent, task) => {
    const other = instead.get(sent);
    const comment = (other ?? form).write(world.mark());
    const by = actorOf(write, world, task, earlier);
    const answer = await sent.send({
      world,
      task,
      body: bodyThatAssigns(write.to, { by, comment }),
      bodyBefore,
      old: versions.filter((version) => version !== task.updated_at),
      aside: walk.aside,
      // The comment of one task must not turn up at another, which has none.
      sendAside: () =>
        writeAside(walk, task, turn, !hasText(form), others.at(-1)?.name ?? earlier?.name),
      assessmentId: assessment && idAskedFor(assessment),
    });
    const unassigns = write.to === null;
    return (
      answer && { sent, answer, comment, ...(other && { instead: { form: other, unassigns } }) }
    );
  };
}

/**
 * Writes to the other task, to each kind of holder in turn, of users to the one who has this task.
 * @param before what was sent right before
 */
async function writeAside(
  walk: UnderWay,
  task: Task,
  turn: number,
  hasComment: boolean,
  before: string | undefined,
): Promise<Answer | undefined> {
  const { world, toAside } = walk;
  if (walk.aside === undefined) return undefined;
  // What was written to this task must not show there either.
  const aside = await world.tasks.read(walk.aside.id);
  const { users, teams } = world;
  const isHolder = ({ id }: Assignee) => sameId(id, task.assignment?.assigned_to_id);
  const turns = [[...users.filter(isHolder), ...users], teams, [null]].filter(
    ({ length }) => length > 0,
  );
  const next = [...turns.slice(turn % turns.length), ...turns].flat();
  // A write that changes nothing need not show.
  const has = aside.assignment?.assigned_to_id ?? null;
  const to = next.find((one) => (one === null ? has !== null : !sameId(one.id, has))) ?? null;
  const comment = hasComment ? world.mark() : [undefined, null][turn % 2];
  const step = await takeStep(world, aside, { to, comment }, toAside.at(-1));
  if (step === undefined) return undefined;
  const name = 'a write to another task';
  const facts = [nameOfWrite(step), name, ...factsOfComment(comment), ...rightAfter(before)];
  toAside.push({ ...step, name, behind: [], facts });
  walk.aside = taskOf(step.read);
  return step.answer;
}

/**
 * Sends requests one after the other. Of several that are to be refused, where one was not, or the task has changed all
 * the same, each is sent alone, to the task as it was before; where none does that alone, each right after the one that
 * came before it.
 */
async function sendTogether(
  ones: readonly Between[],
  send: SendOne,
  walk: UnderWay,
): Promise<readonly Sent[]> {
  const { task } = walk;
  const { tasks } = walk.world;
  const isOne = ones.length < 2;
  // Of several each is tried alone, where the task has changed.
  const sent = await sendInARow(ones, task, send, walk, isOne ? isDoubtful : () => false);
  // What one alone has changed need not change again.
  if (isOne || !sent.some(isWrong)) return sent;
  const eachLastOf = async (rowOf: (index: number) => readonly Between[]): Promise<Sent[]> => {
    const last: Sent[] = [];
    for (const index of ones.keys()) {
      const before = await tasks.bringBack(task);
      see(walk, before);
      last.push(...(await sendInARow(rowOf(index), before, send, walk)).slice(-1));
    }
    return last;
  };
  const alone = await eachLastOf((index) => ones.slice(index, index + 1));
  return alone.some(isWrong)
    ? alone.map((one) => ({ ...one, isAlone: true }))
    : await eachLastOf((index) => ones.slice(Math.max(index - 1, 0), index + 1));
}

/** Whether a request that is to be refused was not, or the task has changed around it. */
const isWrong = (one: Sent): boolean => !isRefused(one.answer) || isOfChange(one);

const isOfChange = ({ around }: Sent): boolean => around !== undefined && isChanged(around);

const isCarriedOut = ({ sent: { refused }, answer }: Sent): boolean =>
  refused !== undefined && !isRefused(answer);

interface Trial {
  readonly before: Task;
  readonly sent: readonly Sent[];
  readonly read: Answer;
}

/** What is carried out although it must be refused changes the task, which needs no second trial. */
const isDoubtful = (trial: Trial): boolean => isChanged(trial) && !trial.sent.some(isCarriedOut);

/**
 * Sends requests one after the other until one is not refused, and reads the task where they must leave it as it is.
 * @param isInDoubt whether it is to be tried again, as somebody else may have changed the task
 */
async function sendInARow(
  ones: readonly Between[],
  task: Task,
  sendOne: SendOne,
  walk: UnderWay,
  isInDoubt: (trial: Trial) => boolean = isDoubtful,
): Promise<readonly Sent[]> {
  const { tasks } = walk.world;
  const send = async (before: Task): Promise<Sent[]> => {
    const sent: Sent[] = [];
    for (const one of ones) {
      const last = await sendOne(one, before);
      if (last) sent.push(last);
      if (last && !isRefused(last.answer)) break;
    }
    return sent;
  };
  if (ones.every(({ leaves }) => leaves === undefined)) return await send(task);
  const attempt = async (before: Task): Promise<Trial> => ({
    before,
    sent: await send(before),
    read: (await tasks.look(before.id)).answer,
  });
  const cause = ones.at(-1)?.leaves;
  const { sent, ...around } = await tasks.trial(task, attempt, isInDoubt, cause);
  see(walk, taskOf(around.read));
  return sent.map((one) => ({ ...one, around }));
}

/**
 * Makes a write with a comment. How long a comment may be is open: where one is refused, as many plain letters show
 * whether its length may be the reason, and where they are refused too, less of it is sent, and then the mark alone.
 * @returns the answer to the first write; and the writes to be judged
 */
async function written(
  write: Write,
  form: CommentForm,
  { world, task, earlier }: Pick<UnderWay, 'world' | 'task' | 'earlier'>,
): Promise<{ readonly twin: Answer | undefined; readonly made: readonly Step[] }> {
  const take = (from: Task, comment: Write['comment']) =>
    takeStep(world, from, { ...write, comment }, earlier);
  const comment = form.write(world.mark());
  const step = await take(task, comment);
  if (step === undefined) return { twin: undefined, made: [] };
  const twin = step.answer;
  if ((write.contentType || write.isChunked) && unusualStatuses.includes(twin.status)) {
    const plainly = { ...write, contentType: undefined, isChunked: false };
    return await written(plainly, form, { world, task: taskOf(step.read), earlier });
  }
  if (!comment || !isRefused(twin) || twin.status === 409) return { twin, made: [step] };
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

const isCommented = ({ comment }: Step): boolean => Boolean(comment);
const isAssigning = ({ to }: Step): boolean => to !== null;

/** A judge that writes with comments of a kind are accepted as others are. */
const commentsAreTaken =
  (isOfKind: (step: Step) => boolean) =>
  ({ own }: Walk) => {
    const assigning = own.filter(isAssigning);
    const commented = assigning.filter(isCommented).map(({ answer }) => answer);
    if (commented.length === 0) throw new NothingSeen();
    if (!commented.some(({ succeeded }) => succeeded))
      throw new Inconclusive('No assignment with a comment was accepted.', commented);
    const ofKind = assigning.filter(isOfKind);
    return judgeEach(ofKind, expectTaken);
  };

const isRetry = ({ behind }: StepOfWalk): boolean =>
  behind.some(({ leaves, mayMismatch }) => leaves === 'conflict.changes-nothing' || mayMismatch);

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
    const answers = own.filter(isRetry).map(({ answer }) => answer);
    judgeEach(answers, (answer) => {
      if (answer.status !== 409) return requireAccepted(answer);
      throw unlikeStatus('the retry after a 409, with the version just read', '2xx', answer);
    });
  },
  'states.only-the-assignment-changes': ({ own, assessment: before, between }: Walk) => {
    if (before === undefined)
      throw new NotConfigured('ASSESSMENT_IDS', 'an assessment that can be read');
    if (!own.some(({ answer }) => answer.succeeded)) throw new NothingSeen();
    judgeEach(assessmentReads(between), ({ answer: after }) => {
      if (after.succeeded && !sameId(after.object?.id, before.object?.id))
        throw new Inconclusive('Another assessment was read after a write.', [after]);
      expectSameAssessment(before, after, 'after a write to its task');
    });
  },
  'comment.is-on-the-assignment': (evidence: Walk) => {
    commentsAreTaken(isCommented)(evidence);
    return stepJudges['comment.is-on-the-assignment'](evidence);
  },
  'comment.is-not-carried-over': (evidence: Walk) => {
    // A short sequence may have none.
    if (evidence.steps.every((step) => isCommented(step) || !isAssigning(step)))
      throw new NothingSeen();
    return stepJudges['comment.is-not-carried-over'](evidence);
  },
  'update.comment-is-optional': commentsAreTaken((step) => !isCommented(step)),
  'update.answers-with-the-updated-task': ({ steps }: Walk) => {
    // Whether a comment may be missing or null, and what a refusal of an unassignment says, are clauses of their own.
    const isJudged = (step: Step): boolean =>
      !isRefused(step.answer) ||
      step.answer.status >= 500 ||
      (isCommented(step) && step.to !== null);
    return stepJudges['update.answers-with-the-updated-task']({ steps: steps.filter(isJudged) });
  },
  'update.answers-with-a-new-version': (evidence: Walk) => {
    const cases = stepJudges['update.answers-with-a-new-version'](evidence);
    const { own } = evidence;
    const versions = own.map(({ read }) => taskOf(read).updated_at);
    const reused = own.find((_, at) => versions.indexOf(versions[at] ?? '') !== at);
    if (reused === undefined || !own.every(({ answer }) => answer.succeeded)) return cases;
    throw new Violation(staysAfterWrite(taskOf(reused.read).updated_at), [reused.read]);
  },
  'update.answers-with-the-new-assignment': (evidence: Walk) => {
    const cases = stepJudges['update.answers-with-the-new-assignment'](evidence);
    const { steps } = evidence;
    if (steps.every(({ by }) => by === steps[0]?.by)) throw oneActorAlone();
    return cases;
  },
};

const namedBy = <Id>(clauseOf: (one: Between) => Id | undefined): Id[] => [
  ...new Set(refusedRequests.flatMap((one) => clauseOf(one) ?? [])),
];

const requests = ({ between }: Walk) => between;

const judgesOfRefusals = judgesByRows(
  namedBy(({ refused }) => refused?.clause),
  requests,
  (one) => {
    const mayBeOtherwise = one.isForComment || !isTwinAccepted(one);
    if (isRefused(one.answer) && mayBeOtherwise) throw new NothingSeen();
    expectRefused(one);
  },
);

const sentBy = ({ exchange }: Answer) => jsonObject(exchange.request.body) ?? {};

const effects = judgesByRows(
  namedBy(({ leaves }) => leaves),
  requests,
  (one) => {
    const { sent, answer, around } = one;
    // An answer with another status breaks another clause. Of what is not carried out, the status is open.
    const isOther = !isRefusedAsDue(answer, sent.refused);
    const isOfUnassign = sent.kind === 'without an id' && !isObject(sentBy(answer).update);
    const isNotMade = sent.kind === 'another task' && isRefused(answer);
    if (around === undefined || isOther || isOfUnassign || isNotMade) throw new NothingSeen();
    const { before, read } = around;
    const { how } = sent;
    if (how !== undefined && (!isTwinAccepted(one) || isReadAsText(answer, read)))
      throw new NothingSeen();
    const said = how === undefined ? { when: `after ${sent.name}` } : { how };
    expectUnchanged(before, taskOf(read), { on: how ? [answer, read] : [read, answer], ...said });
  },
  ({ leaves }) => leaves,
);

/** Whether the service took the number in a write for the text “42”, which the document does not exclude. */
function isReadAsText(answer: Answer, read: Answer): boolean {
  const { update } = sentBy(answer);
  if (!answer.succeeded || !isObject(update)) return false;
  const asTexts = Object.entries(update).flatMap(([field, value]) =>
    value === aNumber ? [[field, String(value)] as const] : [],
  );
  if (asTexts.length === 0) return false;
  return mismatch(Object.fromEntries(asTexts), read.object?.assignment) === undefined;
}

const observesBetween = observesRefusals(
  namedBy(({ observes }) => observes?.clause),
  ({ between }: Walk) => between.filter(({ isForComment }) => !isForComment),
);

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

/** In which order sequences begin: what takes longest is not left for the end, where all else would wait for it. */
const longestFirst = [0, 1, 5, 2, 3, 4];

export const sequences = longestFirst.map((index) =>
  scenario({
    name: `sequence ${index + 1}: tasks are assigned and unassigned, with refused requests in between`,
    needs: ['writable-task', 'user'],
    shownBy: {
      team: shownByTeams,
      'two-users': ['reassign.task-goes-to-the-new-assignee', 'service.assignee-is-single'],
      'two-tasks': ['conflict.differing-version-is-409', 'update.keeps-other-tasks'],
    },
    writes: 45,
    act: (world) => walk(world, index),
    judges: {
      ...judgesOfWrites,
      ...judgesOfRefusals,
      ...effects,
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
      'comment.when-empty': ({ open }: Walk) =>
        open.filter(({ comment }) => comment === '').map(becomesOf),
      'comment.surrounding-white-space': ({ open }: Walk) =>
        open
          .filter(({ comment }) => comment !== '')
          .map((step) => ({ when: 'around a text', outcome: becomesOf(step) })),
      'comment.normalization': ({ own }: Walk) =>
        own.flatMap(({ comment, answer, read }) => {
          const kept: unknown = taskOf(read).assignment?.assignment_comment;
          return answer.succeeded && comment && typeof kept === 'string'
            ? normalization('task', comment, kept)
            : [];
        }),
    },
  }),
);
