import { updateBody } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { Inconclusive, Violation } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { scenario } from '../runner/scenario.ts';
import { judgeEach, requireTwin } from './expectations.ts';

/** So many writes at once, so many times: enough to fall into a gap of a few milliseconds. */
const racers = 3;
const rounds = 2;

interface Round {
  readonly round: number;
  readonly answers: readonly Answer[];
  /** One such write by itself, where none of those sent together was accepted. */
  readonly alone: Answer | undefined;
  readonly read: Answer;
}

const mark = (round: number, lane: number): string => `round ${round}, lane ${lane}`;

const race = scenario({
  name: 'of several simultaneous writes with the same version exactly one is carried out',
  needs: ['writable-task', 'two-users'],
  async act({ api, tasks, user, actor: by }) {
    let before = await tasks.any();
    const played: Round[] = [];
    // Opens the connections, so that the writes leave in the same moment.
    await api.tasksTogether(before.id, racers);
    for (let round = 0; round < rounds; round += 1) {
      const bodies = Array.from({ length: racers }, (_, lane) =>
        updateBody(user(lane % 2), { by, comment: mark(round, lane) }),
      );
      const writes = bodies.map((body) => ({ ifMatch: before.updated_at, body }));
      const answers = await api.updatesTogether(before.id, writes);
      // Where none was accepted, the same version alone tells whether it was the right one.
      const [write] = writes;
      const alone =
        write === undefined || answers.some(({ succeeded }) => succeeded)
          ? undefined
          : await api.update(before.id, write);
      const read = await api.task(before.id);
      played.push({ round, answers, alone, read });
      before = taskOf(read);
    }
    return played;
  },
  judges: {
    'conflict.one-of-simultaneous-writes-wins': (played) => {
      judgeEach(played, judgeRace);
    },
  },
});

function judgeRace({ round, answers, alone, read }: Round): void {
  const what = `${racers} simultaneous writes with the same version`;
  const expected = `one success and ${racers - 1} times 409`;
  const winners = answers.filter(({ succeeded }) => succeeded);
  const statuses = answers.map(({ status }) => status).join(', ');
  if (alone !== undefined) {
    const failed = answers.some(({ status }) => status !== 409);
    if (failed) throw new Inconclusive(`None of ${what} was accepted: ${statuses}.`);
    const { assignment } = taskOf(read);
    const wasOurs = answers.some((_, lane) => assignment?.assignment_comment === mark(round, lane));
    if (!wasOurs) requireTwin(alone, 'one such write alone');
    throw new Violation(what, { expected, actual: statuses, on: [...answers, alone, read] });
  }
  const others = answers.filter(({ succeeded, status }) => !succeeded && status !== 409);
  if (winners.length !== 1 || others.length > 0) {
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

export const simultaneousWrites = [race];
