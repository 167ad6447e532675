import { type Assignee, updateBody } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { Inconclusive, NotJudged, Violation } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { shifted } from '../helpers/tasks/versions.ts';
import { scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { Task } from '../schemas/task.ts';
import { expectSameTask, expectStatus, expectSuccess, requireTwin } from './expectations.ts';
import { errorShape, together } from './shapes.ts';
import { answersOf, isRefused, latest, type Stretch, type Trial, tryInTurn } from './stretches.ts';

interface Refusals {
  readonly stretches: readonly Stretch<Trial>[];
  /** The same write with the right version. */
  readonly twin: Answer;
}

/** Writes with each wrong version in turn, and at the end with the right one. */
async function refusals(
  { api, actor: by, chance }: World,
  task: Task,
  to: Assignee,
  versions: readonly { readonly what: string; readonly version: string }[],
): Promise<Refusals> {
  const body = updateBody(to, { by, comment: chance.lorem.sentence() });
  const trials = versions.map(({ what, version }) => ({
    what: `with an If-Match ${what}`,
    make: () => ({ ifMatch: version, body }),
  }));
  const stretches = await tryInTurn(api, task, trials);
  const ifMatch = latest(stretches).updated_at;
  return { stretches, twin: await api.update(task.id, { ifMatch, body }) };
}

const twinWrite = 'the same write with the current version';

const refusalJudges = {
  'conflict.differing-version-is-409': ({ stretches, twin }: Refusals) => {
    requireTwin(twin, twinWrite);
    for (const { writes } of stretches) {
      for (const { trial, answer } of writes) expectStatus(answer, 409, trial.what);
    }
  },
  'conflict.changes-nothing': ({ stretches, twin }: Refusals) => {
    requireTwin(twin, twinWrite);
    for (const { before, writes, read } of stretches) {
      const answers = writes.map(({ answer }) => answer);
      // What another status than 409 left behind says nothing about what a 409 leaves behind.
      if (answers.some(({ status }) => status !== 409)) continue;
      const what = writes.map(({ trial }) => trial.what).join(', ');
      expectSameTask(`the task after a 409 ${what}`, before, taskOf(read), {
        on: [...answers, read],
      });
    }
  },
};

const observes = {
  'errors.body-shape': ({ stretches }: Refusals) =>
    together(answersOf(stretches).filter(isRefused).map(errorShape)),
};

const earlierVersions = scenario({
  name: 'an If-Match of an earlier version answers 409 and changes nothing',
  needs: ['writable-task', 'two-users'],
  async act(world) {
    const { tasks, user } = world;
    const first = await tasks.any();
    const second = await tasks.bringTo(first, user(0));
    const third = await tasks.bringTo(second, user(1));
    const current = await tasks.bringTo(third, user(0));
    const refused = await refusals(world, current, user(1), [
      { what: 'one version old', version: third.updated_at },
      { what: 'two versions old', version: second.updated_at },
      { what: 'of the first version seen', version: first.updated_at },
    ]);
    return { ...refused, seen: [first, second, third, current].map((task) => task.updated_at) };
  },
  judges: {
    ...refusalJudges,
    'task.updated-at-changes-with-the-task': ({ seen, twin }) => {
      const repeated = seen.find((version, index) => seen.indexOf(version) !== index);
      if (repeated === undefined) return;
      throw new Violation('updated_at over three changes of the task', {
        expected: 'another one after each',
        actual: seen.join(', '),
        on: [twin],
      });
    },
  },
  observes,
});

const otherMoments = scenario({
  name: 'an If-Match a millisecond off answers 409 and changes nothing',
  needs: ['writable-task', 'two-users'],
  async act(world) {
    const { tasks, user, anotherUser } = world;
    const task = await tasks.assigned(user());
    const later = shifted(task.updated_at, 1);
    const earlier = shifted(task.updated_at, -1);
    if (later === undefined || earlier === undefined) {
      throw new Inconclusive(`${task.updated_at} is no timestamp to move by a millisecond.`);
    }
    return await refusals(world, task, anotherUser(task), [
      { what: 'a millisecond later than the current version', version: later },
      { what: 'a millisecond earlier than the current version', version: earlier },
    ]);
  },
  judges: refusalJudges,
});

const anotherTask = scenario({
  name: 'an If-Match of another task’s version answers 409 and changes nothing',
  needs: ['two-writable-tasks', 'two-users'],
  async act(world) {
    const [task, other] = await world.tasks.two();
    if (other.updated_at === task.updated_at) {
      throw new NotJudged('The two tasks happen to have the same version.');
    }
    return await refusals(world, task, world.anotherUser(task), [
      { what: 'of another task', version: other.updated_at },
    ]);
  },
  judges: refusalJudges,
});

const noVersion = scenario({
  name: 'an If-Match that is no timestamp answers 409 and changes nothing',
  needs: ['writable-task', 'two-users'],
  async act(world) {
    const task = await world.tasks.any();
    return await refusals(world, task, world.anotherUser(task), [
      { what: 'that is no timestamp', version: 'not-a-version' },
    ]);
  },
  judges: {
    'conflict.text-that-is-no-version-is-409': refusalJudges['conflict.differing-version-is-409'],
    'conflict.changes-nothing': refusalJudges['conflict.changes-nothing'],
  },
});

const usedTwice = scenario({
  name: 'a version that was used once answers 409 the second time',
  needs: ['writable-task', 'two-users'],
  async act({ api, tasks, user, actor: by }) {
    const before = await tasks.any();
    const first = await api.assign(before, user(0), { by, comment: 'first' });
    const between = await tasks.read(before.id);
    const second = await api.assign(before, user(1), { by, comment: 'second' });
    const read = await api.task(before.id);
    const latest = taskOf(read);
    const retry = await api.assign(latest, user(1), { by, comment: 'second' });
    return { first, between, second, read, retry };
  },
  judges: {
    'conflict.differing-version-is-409': ({ first, second }) => {
      requireTwin(first, 'the first write with that version');
      expectStatus(second, 409, 'with an If-Match that another write has used up');
    },
    'conflict.changes-nothing': ({ first, second, between, read }) => {
      requireTwin(first, 'the first write with that version');
      if (second.status !== 409) throw new Inconclusive('The second write was not refused.');
      expectSameTask('the task after a 409', between, taskOf(read), { on: [second, read] });
    },
    'conflict.retry-with-the-latest-version': ({ first, second, retry }) => {
      requireTwin(first, 'the first write with that version');
      if (second.status !== 409) throw new Inconclusive('The second write was not refused.');
      expectSuccess(retry, 'the retry after a 409, with the version just read');
    },
  },
});

/** So many writes at once, so many times: enough to fall into a gap of a few milliseconds. */
const racers = 4;
const rounds = 2;

const mark = (round: number, lane: number): string => `round ${round}, lane ${lane}`;

const race = scenario({
  name: 'of several simultaneous writes with the same version exactly one is carried out',
  needs: ['writable-task', 'two-users'],
  async act({ api, tasks, user, actor: by }) {
    let before = await tasks.any();
    const played = [];
    // Opens the connections, so that the writes leave in the same moment.
    await api.tasksTogether(before.id, racers);
    for (let round = 0; round < rounds; round += 1) {
      const bodies = Array.from({ length: racers }, (_, lane) =>
        updateBody(user(lane % 2), { by, comment: mark(round, lane) }),
      );
      const writes = bodies.map((body) => ({ ifMatch: before.updated_at, body }));
      const answers = await api.updatesTogether(before.id, writes);
      const read = await api.task(before.id);
      played.push({ round, answers, read });
      before = taskOf(read);
    }
    return played;
  },
  judges: {
    'conflict.one-of-simultaneous-writes-wins': (played) => {
      for (const { round, answers, read } of played) judgeRace(round, answers, read);
    },
  },
});

function judgeRace(round: number, answers: readonly Answer[], read: Answer): void {
  const what = `${racers} simultaneous writes with the same version`;
  const winners = answers.filter(({ succeeded }) => succeeded);
  const statuses = answers.map(({ status }) => status).join(', ');
  if (winners.length === 0) throw new Inconclusive(`None of ${what} was accepted: ${statuses}.`);
  const others = answers.filter(({ succeeded, status }) => !succeeded && status !== 409);
  if (winners.length !== 1 || others.length > 0) {
    const expected = `one success and ${racers - 1} times 409`;
    throw new Violation(what, { expected, actual: statuses, on: answers });
  }
  const lane = answers.findIndex(({ succeeded }) => succeeded);
  const { assignment } = taskOf(read);
  const kept = answers.findIndex(
    (_, other) => assignment?.assignment_comment === mark(round, other),
  );
  if (kept === lane || kept === -1) return;
  throw new Violation(`the task after ${what}`, {
    expected: `what the one that succeeded says: comment "${mark(round, lane)}"`,
    actual: `comment "${mark(round, kept)}"`,
    on: [...answers, read],
  });
}

export const versions = [earlierVersions, otherMoments, anotherTask, noVersion, usedTwice, race];
