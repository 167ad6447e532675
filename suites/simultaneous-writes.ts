import { unassignBody, updateBody } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { Inconclusive, other, Violation } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { shortJson } from '../helpers/validation.ts';
import { scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { Task } from '../schemas/task.ts';
import { fieldDifference, namesNobody, staysAfterWrite } from './comparing-tasks.ts';
import { judgeEach, requireTwin } from './expectations.ts';

/*
 * Versioning, optimistic concurrency: of several writes with the same version that arrive in the same moment, one is
 * carried out, and the others answer 409.
 */

/** So many writes in the same moment, so many times: enough to hit a gap of a few milliseconds. */
const writesPerRound = 5;
const roundCount = 3;

/** So many more where the one that unassigns wins: what becomes of it where another one is faster is not seen then. */
const furtherRounds = 4;

/** So many rounds are repeated because the task had changed before. */
const maxOvertaken = 3;

interface Round {
  /** The version that all of them were made with. */
  readonly version: string;
  readonly answers: readonly Answer[];
  /** The comment of each write. */
  readonly comments: readonly string[];
  /** Which of the writes unassigns; -1 where none does. */
  readonly unassigning: number;
  /** One such write by itself, where none of those sent together was accepted. */
  readonly alone: Answer | undefined;
  readonly read: Answer;
}

/** Sends the writes together. */
async function race(
  { api, tasks, user, actor: by }: World,
  before: Task,
  { round, unassigns }: { readonly round: number; readonly unassigns: boolean },
): Promise<Round> {
  const comments = Array.from(
    { length: writesPerRound },
    (_, index) => `round ${round}, write ${index + 1}`,
  );
  // Not two that unassign: what the second does to a task that nobody has any more is open. The last one, as it is to lose.
  const unassigning = unassigns && !namesNobody(before.assignment) ? writesPerRound - 1 : -1;
  const { id, updated_at: version } = before;
  const writes = comments.map((comment, index) => ({
    ifMatch: version,
    body:
      index === unassigning
        ? unassignBody({ by, comment })
        : updateBody(user(index % 2), { by, comment }),
  }));
  const answers = await api.updatesTogether(id, writes);
  // Where none was accepted, the same version alone tells whether it was the current one.
  const [write] = writes;
  const alone =
    write === undefined || answers.some(({ succeeded }) => succeeded)
      ? undefined
      : await api.update(id, write);
  const read = isOutdated(alone) ? await tasks.readPast(before) : (await tasks.look(id)).answer;
  return { version, answers, comments, unassigning, alone, read };
}

const isOutdated = (alone: Answer | undefined): boolean => alone?.status === 409;

/** So many races until the one that unassigns loses. */
const maxRaces = 4;

const together = scenario({
  name: 'of several simultaneous writes with the same version exactly one is carried out',
  needs: ['writable-task', 'two-users'],
  async act(world) {
    const { tasks, user } = world;
    let before = await tasks.any();
    const rounds: Round[] = [];
    let overtaken = 0;
    let last = roundCount;
    for (let round = 1; round <= last; round += 1) {
      const raced = await race(world, before, { round, unassigns: round >= roundCount });
      const { version, alone, read, comments } = raced;
      before = taskOf(read);
      // Somebody else was faster than all of them: again with the version that is read now.
      const isOvertaken = before.updated_at !== version && shownBy(read, comments) === -1;
      if (isOutdated(alone) && isOvertaken && overtaken < maxOvertaken) {
        overtaken += 1;
        round -= 1;
        continue;
      }
      rounds.push(raced);
      const hasLost = rounds.some(unassignmentHasLost);
      if (round === last && !hasLost && last < roundCount + furtherRounds) last += 1;
    }
    const undone = rounds.find(isUndone);
    if (undone === undefined) return rounds;
    // Somebody else may have unassigned the task; not each time.
    const again = async (task: Task): Promise<Round> => {
      let current = task;
      for (let races = 1; ; races += 1) {
        const assigned = await tasks.bringTo(current, user());
        const raced = await race(world, assigned, { round: last + races, unassigns: true });
        if (unassignmentHasLost(raced) || races === maxRaces) return raced;
        current = taskOf(raced.read);
      }
    };
    return [...rounds, await tasks.tryAgain(before.id, again, isUndone, [undone.read])];
  },
  judges: {
    'conflict.one-of-simultaneous-writes-wins': (rounds) => {
      judgeEach(rounds, judgeRound);
      const lost = rounds.filter(unassignmentHasLost);
      const [undone] = lost.filter(isUndone);
      if (undone === undefined) return;
      const { answers, unassigning, read } = undone;
      if (!lost.every(isUndone)) throw new Inconclusive('The task was unassigned since.', [read]);
      throw new Violation('carries out an unassignment that lost', [
        ...answers.slice(unassigning, unassigning + 1),
        ...answers,
        read,
      ]);
    },
  },
});

const unassignmentHasLost = ({ answers, unassigning }: Round): boolean =>
  answers[unassigning]?.succeeded === false && answers.some(({ succeeded }) => succeeded);

/** Whether nobody has the task, although the write that unassigns was refused. */
const isUndone = (round: Round): boolean =>
  unassignmentHasLost(round) &&
  shownBy(round.read, round.comments) === -1 &&
  namesNobody(taskOf(round.read).assignment);

function judgeRound({ version, answers, comments, unassigning, alone, read }: Round): void {
  const what = `${writesPerRound} simultaneous writes with the same version`;
  const statuses = answers.map(({ status }) => status).join(', ');
  if (alone !== undefined) {
    const failed = answers.some(({ status }) => status !== 409);
    if (failed) throw new Inconclusive(`None of ${what} was accepted: ${statuses}.`, answers);
    if (shownBy(read, comments) === -1) requireTwin(alone, 'one such write alone');
    const difference = other('refuses all simultaneous writes', { actual: statuses });
    throw new Violation(difference, [...answers, alone, read]);
  }
  const winners = answers.filter(({ succeeded }) => succeeded);
  const others = answers.filter(
    ({ succeeded, status }, index) =>
      !succeeded &&
      status !== 409 &&
      // An unassignment that is refused otherwise may be refused for another reason.
      !(index === unassigning && status < 500),
  );
  if (winners.length !== 1 || others.length > 0) {
    // After a write that leaves the version as it is, the next one is made with the current one.
    const isSame = winners.some(({ object }) => object?.updated_at === version);
    const wrong =
      winners.length < 2
        ? 'refuses simultaneous writes otherwise'
        : 'accepts several simultaneous writes';
    const isLost = winners.length >= 2 && isSame;
    throw new Violation(
      isLost ? staysAfterWrite(version) : other(wrong, { actual: statuses }),
      answers,
    );
  }
  const shown = shownBy(read, comments);
  const winner = answers.findIndex(({ succeeded }) => succeeded);
  if (shown === winner) return;
  if (shown === -1) {
    expectCarriedOut({ version, unassigning, read }, winner);
    return;
  }
  throw new Violation(
    {
      ...fieldDifference(
        'assignment.assignment_comment',
        shortJson(comments[winner]),
        shortJson(comments[shown]),
      ),
      write: {
        how: 'while another one with the same version is carried out',
        statuses: answers.slice(shown, shown + 1).map(({ status }) => status),
        isSent: true,
      },
    },
    [...answers, read],
  );
}

/** Judges a task that shows none of the comments: an unassignment leaves none, and somebody else may have changed it. */
function expectCarriedOut(
  { version, unassigning, read }: Pick<Round, 'version' | 'unassigning' | 'read'>,
  winner: number,
): void {
  const { updated_at: now, assignment } = taskOf(read);
  if (now === version) throw new Violation(staysAfterWrite(version), [read]);
  const isUnassigned = namesNobody(assignment);
  // Of an unassignment that was refused, several rounds tell whether it was carried out.
  if (isUnassigned && (winner === unassigning || unassigning !== -1)) return;
  throw new Inconclusive('The task shows none of the simultaneous writes.', [read]);
}

/** Which of the writes the task shows, by their comments; -1 where it shows none of them. */
function shownBy(read: Answer, comments: readonly string[]): number {
  return comments.indexOf(taskOf(read).assignment?.assignment_comment ?? '');
}

export const simultaneousWrites = [together];
