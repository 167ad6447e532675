import { bodyThatAssigns } from '../helpers/api.ts';
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

/** Writes in the same moment, and how often: enough to hit a gap of a few milliseconds between check and write. */
const writesPerRound = 5;
const roundCount = 3;

/** How many rounds are added until the unassignment loses one: only then a refused one can be judged. */
const furtherRounds = 4;

/** How many rounds are repeated because somebody else had changed the task before the writes. */
const maxOvertaken = 3;

/** Writes that were sent at once, and the task as read after them. */
interface Round {
  /** The If-Match of all writes. */
  readonly version: string;
  readonly answers: readonly Answer[];
  /** The comment of each write, in the order of the answers. */
  readonly comments: readonly string[];
  /** The index of the write that unassigns; -1 where none does. */
  readonly unassigningIndex: number;
  /** The answer to the first write sent again by itself, where none of those sent together was accepted. */
  readonly alone: Answer | undefined;
  readonly read: Answer;
}

/** Makes one round. @param unassigns whether one of its writes unassigns the task */
async function race(
  { api, tasks, user, actor: by }: World,
  before: Task,
  { round, unassigns }: { readonly round: number; readonly unassigns: boolean },
): Promise<Round> {
  const comments = Array.from(
    { length: writesPerRound },
    (_, index) => `round ${round}, write ${index + 1}`,
  );
  // Only the last write unassigns, as it is to lose: what a second unassignment does is open.
  const unassigningIndex = unassigns && !namesNobody(before.assignment) ? writesPerRound - 1 : -1;
  const { id, updated_at: version } = before;
  const writes = comments.map((comment, index) => ({
    ifMatch: version,
    body: bodyThatAssigns(index === unassigningIndex ? null : user(index % 2), { by, comment }),
  }));
  const answers = await api.updatesTogether(id, writes);
  // Where no write was accepted, one sent by itself shows whether the version was the current one.
  const [write] = writes;
  const alone =
    write === undefined || answers.some(({ succeeded }) => succeeded)
      ? undefined
      : await api.update(id, write);
  const read = isOutdated(alone) ? await tasks.readPast(before) : (await tasks.look(id)).answer;
  return { version, answers, comments, unassigningIndex, alone, read };
}

const isOutdated = (alone: Answer | undefined): boolean => alone?.status === 409;

/** How many races are tried until the unassignment loses one. */
const maxRaces = 4;

const together = scenario({
  name: 'of several simultaneous writes with the same version exactly one is carried out',
  needs: ['writable-task', 'two-users'],
  async act(world) {
    const { tasks, user } = world;
    let before = await tasks.any();
    const rounds: Round[] = [];
    let overtaken = 0;
    let lastRound = roundCount;
    for (let round = 1; round <= lastRound; round += 1) {
      const raced = await race(world, before, { round, unassigns: round >= roundCount });
      const { version, alone, read, comments } = raced;
      before = taskOf(read);
      // Somebody else had changed the task before all writes: the round is repeated with the version read now.
      const isOvertaken = before.updated_at !== version && indexShown(read, comments) === -1;
      if (isOutdated(alone) && isOvertaken && overtaken < maxOvertaken) {
        overtaken += 1;
        round -= 1;
        continue;
      }
      rounds.push(raced);
      const hasLost = rounds.some(unassignmentHasLost);
      if (round === lastRound && !hasLost && lastRound < roundCount + furtherRounds) lastRound += 1;
    }
    const undone = rounds.find(isUndone);
    if (undone === undefined) return rounds;
    // Somebody else may have unassigned the task once, but not in every race.
    const again = async (task: Task): Promise<Round> => {
      let current = task;
      for (let races = 1; ; races += 1) {
        const assigned = await tasks.bringTo(current, user());
        const raced = await race(world, assigned, { round: lastRound + races, unassigns: true });
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
      const { answers, unassigningIndex, read } = undone;
      if (!lost.every(isUndone)) throw new Inconclusive('The task was unassigned since.', [read]);
      throw new Violation('carries out an unassignment that lost', [
        ...answers.slice(unassigningIndex, unassigningIndex + 1),
        ...answers,
        read,
      ]);
    },
  },
});

const unassignmentHasLost = ({ answers, unassigningIndex }: Round): boolean =>
  answers[unassigningIndex]?.succeeded === false && answers.some(({ succeeded }) => succeeded);

/** Whether the task reads as unassigned although the unassignment was refused and another write accepted. */
const isUndone = (round: Round): boolean =>
  unassignmentHasLost(round) &&
  indexShown(round.read, round.comments) === -1 &&
  namesNobody(taskOf(round.read).assignment);

/**
 * @throws Violation unless one write of the round was accepted, the others answer 409, and the task shows that one
 * @throws Inconclusive where the round does not decide, as where its version may not have been the current one
 */
function judgeRound({ version, answers, comments, unassigningIndex, alone, read }: Round): void {
  const what = `${writesPerRound} simultaneous writes with the same version`;
  const statuses = answers.map(({ status }) => status).join(', ');
  // No write was accepted, so the first one was sent again alone.
  if (alone !== undefined) {
    const hasOther = answers.some(({ status }) => status !== 409);
    if (hasOther) throw new Inconclusive(`None of ${what} was accepted: ${statuses}.`, answers);
    // A task that shows one of the writes proves that their version was current: `alone` need not be accepted then.
    if (indexShown(read, comments) === -1) requireTwin(alone, 'one such write alone');
    const difference = other('refuses all simultaneous writes', { actual: statuses });
    throw new Violation(difference, [...answers, alone, read]);
  }
  const winners = answers.filter(({ succeeded }) => succeeded);
  const failures = answers.filter(
    ({ succeeded, status }, index) =>
      !succeeded &&
      status !== 409 &&
      // An unassignment with another 4xx may be refused for another reason.
      !(index === unassigningIndex && status < 500),
  );
  if (winners.length !== 1 || failures.length > 0) {
    // A winner that leaves the version as it is lets the next write win rightly: the version is at fault.
    const staysSame = winners.some(({ object }) => object?.updated_at === version);
    const wrong =
      winners.length < 2
        ? 'refuses simultaneous writes otherwise'
        : 'accepts several simultaneous writes';
    const isLost = winners.length >= 2 && staysSame;
    throw new Violation(
      isLost ? staysAfterWrite(version) : other(wrong, { actual: statuses }),
      answers,
    );
  }
  const shown = indexShown(read, comments);
  const winner = answers.findIndex(({ succeeded }) => succeeded);
  if (shown === winner) return;
  if (shown === -1) {
    expectCarriedOut({ version, unassigningIndex, read }, winner);
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

/** Judges a round after which the task shows no comment: the unassignment won, or somebody else changed the task. */
function expectCarriedOut(
  { version, unassigningIndex, read }: Pick<Round, 'version' | 'unassigningIndex' | 'read'>,
  winner: number,
): void {
  const { updated_at: now, assignment } = taskOf(read);
  if (now === version) throw new Violation(staysAfterWrite(version), [read]);
  const isUnassigned = namesNobody(assignment);
  // Whether an unassignment that was refused was carried out is judged over several rounds.
  if (isUnassigned && (winner === unassigningIndex || unassigningIndex !== -1)) return;
  throw new Inconclusive('The task shows none of the simultaneous writes.', [read]);
}

/** The index of the write whose comment the task shows; -1 where it shows none of them. */
function indexShown(read: Answer, comments: readonly string[]): number {
  return comments.indexOf(taskOf(read).assignment?.assignment_comment ?? '');
}

export const simultaneousWrites = [together];
