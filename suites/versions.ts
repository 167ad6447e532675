import { type Assignee, bodyThatAssigns } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import {
  Inconclusive,
  NothingSeen,
  NotJudged,
  PartNotConfigured,
  Violation,
} from '../helpers/outcomes.ts';
import { carriesTask, taskOf } from '../helpers/tasks/task-answer.ts';
import { neighbour, stepOf } from '../helpers/tasks/versions.ts';
import { scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import type { Task } from '../schemas/task.ts';
import { isTimestamp } from '../schemas/timestamp.ts';
import type { UpdateAssignment } from '../schemas/update-assignment.ts';
import { judgesBy, ofRefusal } from './answers.ts';
import {
  type Attempt,
  type Attempted,
  answersOf,
  attemptInTurn,
  type Batch,
  changedByRefused,
  expectNoTrace,
  keepsTheOtherFields,
  latestTask,
  waysOf,
} from './attempts.ts';
import { staysAfterWrite } from './comparing-tasks.ts';
import { expectStatus, expectSuccess, isRefused, judgeEach, requireTwin } from './expectations.ts';
import { errorShapes } from './shapes.ts';
import { newComment } from './writes.ts';

/*
 * Errors: 409 Version mismatch. Writes whose If-Match is not the current version answer 409 and change nothing; the
 * same write with the current version is accepted.
 */

/** A write whose If-Match is not the current version. */
interface WrongVersion {
  /** Completes "an If-Match …": "one version old". */
  readonly what: string;
  readonly version: string;
  /** The body; left out, the write is the assignment that its twin makes. */
  readonly body?: UpdateAssignment | 'update' | 'unassign';
}

interface Refusals {
  readonly batches: readonly Batch[];
  /** Whether the version from which the wrong ones were made was still the current one at the end. */
  readonly isCurrent: boolean;
  /** The answer to the assignment with the current version. */
  readonly twin: Answer;
  /** Writes with a wrong version that followed an accepted one at once. */
  readonly atOnce: readonly Attempted[];
  /** The answer to the unassignment with the current version, where one with another version was sent. */
  readonly unassigned: Answer | undefined;
}

/** Versions that are wrong once a twin was accepted, sent at once then: a service that answers from a cache shows. */
interface SentAtOnce {
  readonly afterAssigning?: readonly WrongVersion[];
  /** Sent when nobody has the task any more. */
  readonly afterUnassigning?: readonly WrongVersion[];
}

/** The attempt at a write with a wrong version. @param twins the bodies of the writes with the current version */
function attemptOf(
  { what, version, body = 'update' }: WrongVersion,
  twins: Readonly<Record<'update' | 'unassign', UpdateAssignment>>,
): Attempt {
  const how = `with an If-Match ${what}`;
  if (typeof body !== 'string') return { how, make: () => ({ ifMatch: version, body }) };
  return { how, twin: body, make: () => ({ ifMatch: version, body: twins[body] }) };
}

/**
 * Sends a write with each wrong version in turn, and at the end with the current one.
 * @param task an assigned task, where a write unassigns it: what unassigning an unassigned one does is open
 */
async function refusals(
  world: World,
  task: Task,
  to: Assignee,
  versions: readonly WrongVersion[],
  { afterAssigning = [], afterUnassigning = [] }: SentAtOnce = {},
): Promise<Refusals> {
  const { api, tasks, actor: by } = world;
  const remark = { by, comment: newComment(world) };
  const remarkOnUnassigning = { by, comment: newComment(world) };
  const twins = {
    update: bodyThatAssigns(to, remark),
    unassign: bodyThatAssigns(null, remarkOnUnassigning),
  };
  // A version equal to the current one is not wrong; that versions should differ is a clause of its own.
  const attemptsOn = ({ updated_at: current }: Task, wrong: readonly WrongVersion[]) =>
    wrong.filter(({ version }) => version !== current).map((one) => attemptOf(one, twins));
  const atOnce: Attempted[] = [];
  const sendAtOnce = async (written: Task, wrong: readonly WrongVersion[]): Promise<void> => {
    for (const attempt of attemptsOn(written, wrong)) {
      const answer = await api.update(task.id, attempt.make(task));
      atOnce.push({ attempt, answer });
      if (!isRefused(answer)) await tasks.look(task.id);
    }
  };

  const attempts = attemptsOn(task, versions);
  if (attempts.length === 0) throw new Inconclusive('The task has had one version only.');
  const batches = await attemptInTurn(world, task, attempts);
  const { before, answer: twin } = await tasks.assign(latestTask(batches), to, remark);
  const isCurrent = before.updated_at === task.updated_at;
  const refused = { batches, isCurrent, twin, atOnce, unassigned: undefined };
  if (!carriesTask(twin)) return refused;
  await sendAtOnce(taskOf(twin), afterAssigning);
  if (!attempts.some((attempt) => attempt.twin === 'unassign')) return refused;
  const { answer: unassigned } = await tasks.assign(taskOf(twin), null, remarkOnUnassigning);
  if (carriesTask(unassigned)) await sendAtOnce(taskOf(unassigned), afterUnassigning);
  return { ...refused, unassigned };
}

/** How often wrong versions are made and sent, while the task has another version at the end each time. */
const maxOutdated = 3;

/**
 * Sends writes with wrong versions that `versionsOf` makes from the current one. Their refusal counts only where that
 * one stays current: a read may be old, and somebody else may change the task. Then they are made and sent anew.
 * @throws Inconclusive where the version has changed each time
 */
async function refusalsOfVersions(
  world: World,
  task: Task,
  versionsOf: (task: Task) => readonly WrongVersion[],
): Promise<Refusals> {
  const { tasks, user, anotherUser } = world;
  let current = task;
  for (let tries = 1; ; tries += 1) {
    const refused = await refusals(world, current, anotherUser(current), versionsOf(current));
    const { batches, isCurrent, twin } = refused;
    const hasTrace = batches.some((batch) => changedByRefused(batch) && !batch.disturbance);
    const isTelling = hasTrace || !answersOf(batches).every(isRefused);
    if (isCurrent || isTelling || !carriesTask(twin)) return refused;
    if (tries === maxOutdated) {
      const why = 'The version of the task changes faster than writes can be made of it.';
      throw tasks.disturbance([twin]) ?? new Inconclusive(why, [twin]);
    }
    const read = await tasks.read(task.id);
    current = read.assignment === null ? await tasks.bringTo(read, user()) : read;
  }
}

const twinWrite = 'the same write with the current version';

/** A judge that each wrong version is refused with one of these statuses; the document names the first. */
const expectRefused =
  (
    statuses: readonly number[],
    common = 'a write with an If-Match that is not the current version',
  ) =>
  ({ batches, atOnce, twin, unassigned }: Refusals): void => {
    requireTwin(twin, twinWrite);
    judgeEach(
      [...batches.flatMap(({ writes }) => writes), ...atOnce],
      ({ attempt, answer }) => {
        if (statuses.includes(answer.status)) return;
        const hasTwin =
          attempt.twin === 'update' || (attempt.twin === 'unassign' && unassigned?.succeeded);
        // Without a twin, a refusal of any kind may have another reason.
        if (!hasTwin && isRefused(answer)) throw new NothingSeen();
        expectStatus(answer, 409, `a write ${attempt.how}`);
      },
      common,
    );
  };

const refusalJudges = (
  clause: JudgedClause,
  statuses: readonly number[] = [409],
  common?: string,
) => ({
  [clause]: expectRefused(statuses, common),
  'conflict.changes-nothing': ({ batches, twin }: Refusals) => {
    requireTwin(twin, twinWrite);
    expectNoTrace(({ status }) => statuses.includes(status), waysOf)({ batches });
  },
  ...keepsTheOtherFields,
  ...judgesBy(ofRefusal, ({ batches }: Refusals) => answersOf(batches)),
});

const observes = {
  'errors.body-shape': ({ batches }: Refusals) => errorShapes('old version', answersOf(batches)),
};

const earlierVersions = scenario({
  name: 'an If-Match of an earlier version answers 409 and changes nothing',
  needs: ['writable-task', 'two-users'],
  async act(world) {
    const { tasks, user, teamOrUser, teams, actor: by } = world;
    const earlier = await tasks.any();
    const previous = await tasks.bringTo(earlier, user(0), { comment: newComment(world) });
    const comment = newComment(world);
    const current = await tasks.bringTo(previous, user(1), { comment });
    const [old, older] = [previous.updated_at, earlier.updated_at];
    const same = bodyThatAssigns(user(1), { by, comment });
    const toTeam = bodyThatAssigns(teamOrUser(), { by, comment });
    const versions: readonly WrongVersion[] = [
      { what: 'one version old', version: old, body: 'unassign' },
      { what: 'one version old, to the assignee that it has', version: old, body: same },
      { what: 'one version old, to assign to a team', version: old, body: toTeam },
      // Whether a version in quotes is accepted is open; an old one is refused in quotes too.
      { what: 'one version old, in quotes', version: `"${old}"`, body: same },
      { what: 'two versions old', version: older, body: bodyThatAssigns(null, { by }) },
      { what: 'two versions old', version: older, body: bodyThatAssigns(user(1), { by }) },
      {
        what: 'that was the first updated_at seen',
        version: tasks.firstSeen(current).updated_at,
        body: bodyThatAssigns(user(0), { by, comment: null }),
      },
    ];
    // The write that was just accepted, but for its comment.
    const again = bodyThatAssigns(user(0), { by, comment });
    const ofNobody = 'three versions old, to assign a task that nobody has';
    const refused = await refusals(world, current, user(0), versions, {
      afterAssigning: [{ what: 'one version old', version: current.updated_at, body: again }],
      afterUnassigning: [{ what: ofNobody, version: old }],
    });
    const seen = [earlier, previous, current].map((task) => task.updated_at);
    return { ...refused, seen, hasTeam: teams.length > 0 };
  },
  judges: {
    ...refusalJudges('conflict.differing-version-is-409'),
    'conflict.differing-version-is-409': (evidence) => {
      expectRefused([409])(evidence);
      if (!evidence.hasTeam) throw new PartNotConfigured('TEAM_IDS', 'a team');
    },
    'conflict.retry-with-the-latest-version': ({ batches, twin }) => {
      if (!answersOf(batches).some(({ status }) => status === 409)) {
        throw new Inconclusive('No write was refused with 409.', answersOf(batches));
      }
      // A service that fails has not looked at the version.
      if (twin.status >= 500) requireTwin(twin, twinWrite);
      expectSuccess(twin, 'the retry after a 409, with the version just read');
    },
    'task.updated-at-changes-with-the-task': ({ seen, twin }) => {
      requireTwin(twin, twinWrite);
      const repeated = seen.find((version, index) => seen.indexOf(version) !== index);
      if (repeated === undefined) return;
      throw new Violation(staysAfterWrite(repeated), [twin]);
    },
  },
  observes,
});

/** The created_at of a task; undefined where it is no timestamp, and so cannot be sent as a version. */
function creationOf({ created_at: created }: Task): string | undefined {
  return typeof created === 'string' && isTimestamp(created) ? created : undefined;
}

const otherMoments = scenario({
  name: 'an If-Match that differs in its last digit answers 409 and changes nothing',
  needs: ['writable-task', 'two-users'],
  async act(world) {
    const task = await world.tasks.assigned(world.user());
    // A step of the last digit that versions have: a target that keeps seconds cannot tell milliseconds apart.
    return await refusalsOfVersions(world, task, (current) => {
      const later = neighbour(current.updated_at, 'later');
      const earlier = neighbour(current.updated_at, 'earlier');
      const step = stepOf(current.updated_at) ?? 'one step';
      if (later === undefined || earlier === undefined) {
        throw new Inconclusive(
          `No version next to ${current.updated_at} can be made: it is no UTC timestamp with digits that can be changed.`,
        );
      }
      return [
        { what: `${step} later than updated_at`, version: later },
        { what: `${step} earlier than updated_at`, version: earlier },
        { what: `${step} earlier than updated_at`, version: earlier, body: 'unassign' },
        { what: 'that is created_at', version: creationOf(current) ?? earlier },
      ];
    });
  },
  judges: refusalJudges('conflict.differing-version-is-409'),
});

const anotherTask = scenario({
  name: 'an If-Match of another task’s version answers 409 and changes nothing',
  needs: ['two-writable-tasks', 'two-users'],
  async act(world) {
    const [one, another] = await world.tasks.two();
    if (one.updated_at === another.updated_at) {
      throw new NotJudged('The two tasks happen to have the same version.');
    }
    // The older of the two versions is sent to the task with the newer one, which cannot come to have it.
    const isEarlier = Date.parse(one.updated_at) < Date.parse(another.updated_at);
    const [other, task] = isEarlier ? [one, another] : [another, one];
    return await refusals(world, task, world.anotherUser(task), [
      { what: 'that is the updated_at of another task', version: other.updated_at },
    ]);
  },
  judges: refusalJudges('conflict.differing-version-is-409'),
});

/** 409, or the statuses of a service that checks the form of an If-Match first and finds the request invalid. */
const mismatchOrFormStatuses: readonly number[] = [409, 400, 422];

const noVersion = scenario({
  name: 'an If-Match that is no timestamp is refused and changes nothing',
  needs: ['writable-task', 'two-users'],
  async act(world) {
    const task = await world.tasks.assigned(world.user());
    return await refusalsOfVersions(
      world,
      task,
      ({ updated_at: version, data_version: dataVersion }) => [
        { what: 'that is no timestamp', version: 'not-a-version' },
        { what: 'that is its data_version', version: String(dataVersion ?? 'none') },
        { what: 'that is no timestamp', version: 'not-a-version', body: 'unassign' },
        { what: 'that is the day of updated_at alone', version: version.slice(0, 10) },
        { what: 'that is updated_at with a 0 added', version: `${version}0` },
      ],
    );
  },
  judges: refusalJudges(
    'conflict.text-that-is-no-version-is-409',
    mismatchOrFormStatuses,
    'a write with an If-Match that is no version',
  ),
  observes: {
    'errors.further-statuses': ({ batches }) =>
      answersOf(batches).map(({ status }) => ({
        when: 'an If-Match that is no timestamp',
        status,
      })),
  },
});

export const versions = [earlierVersions, otherMoments, anotherTask, noVersion];
