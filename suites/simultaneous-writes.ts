import { bodyThatAssigns } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { shortJson } from '../helpers/json.ts';
import { Inconclusive, other, Violation } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { Task } from '../schemas/resources.ts';
import { fieldDifference, namesNobody, staysAfterWrite } from './comparing-tasks.ts';
import { judgeEach, requireTwin } from './expectations.ts';
import { refusedWrites } from './refused-requests.ts';

/*
 * Versioning, optimistic concurrency: of several writes with the same version that arrive in the same moment, one is
 * carried out, and the others answer 409.
 */

/** Writes in the same moment, and how often: enough to hit a gap of a few milliseconds between check and write. */
const writesPerRound = 5;
const roundCount = 3;

/** The first writes of some rounds have no comment, or an empty one: such writes may go another way. */
const silentWrites = 2;
const silent = new Map([
  [1, undefined],
  [roundCount, ''],
]);

/** How many rounds are added until the unassignment loses one: only then a refused one can be judged. */
const furtherRounds = 4;

/** How many rounds are repeated because somebody else had changed the task before the writes. */
const maxOvertaken = 3;

/** How many races are tried, where somebody else may have unassigned the task, until the unassignment loses one. */
const maxRaces = 4;

interface RacingWrite {
  /** Unlike that of any other write; left out of some, and empty in others. */
  readonly comment: string | undefined;
  readonly unassigns: boolean;
  readonly answer: Answer;
}

/** Writes that were sent at once, and the task as read after them. */
interface Round {
  /** The If-Match of all writes. */
  readonly version: string;
  readonly writes: readonly RacingWrite[];
  /** The answer to the first write sent again by itself, where none of those sent together was accepted. */
  readonly alone: Answer | undefined;
  readonly read: Answer;
}

interface Plan {
  readonly round: number;
  /** Whether its last write unassigns the task, if somebody has it. */
  readonly unassigns: boolean;
  /** Whether its comments are long: storing them may take longer than the check of the version. */
  readonly isLong?: boolean;
}

/** Makes one round; where long comments are refused, another one with short ones. */
async function race(world: World, before: Task, plan: Plan): Promise<Round> {
  const { api, tasks, user, actor: by, mark } = world;
  const { round, unassigns, isLong = false } = plan;
  const more = isLong ? ', and so on – и так далее'.repeat(50) : '';
  const { id, updated_at: version, assignment } = before;
  const planned = Array.from({ length: writesPerRound }, (_, index) => ({
    comment:
      index < silentWrites && silent.has(round)
        ? silent.get(round)
        : `round ${round}, write ${index + 1}: ${mark()}${more}`,
    // Only the last write unassigns, as it is to lose: what a second unassignment does is open.
    unassigns: unassigns && index === writesPerRound - 1 && !namesNobody(assignment),
  }));
  const updates = planned.map(({ comment, unassigns }, index) => ({
    ifMatch: version,
    body: bodyThatAssigns(unassigns ? null : user(index % 2), { by, comment }),
  }));
  const answers = await api.updatesTogether(id, updates);
  const writes = answers.flatMap((answer, index) => {
    const write = planned[index];
    return write === undefined ? [] : [{ ...write, answer }];
  });
  if (isLong && answers.every(({ status }) => status >= 400 && status < 500 && status !== 409))
    return await race(world, before, { ...plan, isLong: false });
  // Where no write was accepted, one sent by itself shows whether the version was the current one.
  const [update] = updates;
  const isAnyAccepted = answers.some(({ succeeded }) => succeeded);
  const alone = isAnyAccepted || !update ? undefined : await api.update(id, update);
  const read = alone?.status === 409 ? await tasks.readPast(before) : (await tasks.look(id)).answer;
  return { version, writes, alone, read };
}

/** The write whose comment the task shows afterwards; undefined where it shows none of them. */
function writeShown({ writes, read }: Round): RacingWrite | undefined {
  const shown = taskOf(read).assignment?.assignment_comment ?? '';
  return writes.find(({ comment }) => comment && comment === shown);
}

/** Whether somebody else had changed the task before all writes of the round. */
const isOvertaken = (round: Round): boolean =>
  round.alone?.status === 409 &&
  taskOf(round.read).updated_at !== round.version &&
  writeShown(round) === undefined;

const unassignmentHasLost = ({ writes }: Round): boolean =>
  writes.some(({ unassigns, answer }) => unassigns && !answer.succeeded) &&
  writes.some(({ answer }) => answer.succeeded);

/** Whether the task reads as unassigned although the unassignment was refused and another write accepted. */
const isUndone = (round: Round): boolean =>
  unassignmentHasLost(round) &&
  writeShown(round) === undefined &&
  namesNobody(taskOf(round.read).assignment);

/**
 * Makes rounds, each right after a write that is refused: the first from a task that nobody has, the last ones with an
 * unassignment, until it loses one. Repeats those in which it was overtaken.
 */
async function raceInRounds(world: World): Promise<Round[]> {
  let before = await world.tasks.bringTo(await world.tasks.any(), null);
  const rounds: Round[] = [];
  let overtaken = 0;
  const isEnough = (): boolean =>
    rounds.length >= roundCount + furtherRounds ||
    (rounds.length >= roundCount && rounds.some(unassignmentHasLost));
  while (!isEnough()) {
    const round = rounds.length + 1;
    const body = bodyThatAssigns(world.user(), { by: world.actor });
    await refusedWrites[rounds.length % refusedWrites.length]?.(world, before, body);
    const plan = { round, unassigns: round >= roundCount, isLong: round === 2 };
    const raced = await race(world, before, plan);
    before = taskOf(raced.read);
    if (isOvertaken(raced) && overtaken < maxOvertaken) overtaken += 1;
    else rounds.push(raced);
  }
  return rounds;
}

const together = scenario({
  name: 'of several simultaneous writes with the same version exactly one is carried out',
  needs: ['writable-task', 'two-users'],
  writes: (writesPerRound + 1) * roundCount + 1,
  async act(world) {
    const { tasks, user } = world;
    const rounds = await raceInRounds(world);
    const undone = rounds.find(isUndone);
    if (undone === undefined) return rounds;
    // Somebody else may have unassigned the task once, but not in every race.
    const again = async (task: Task): Promise<Round> => {
      let current = task;
      for (let races = 1; ; races += 1) {
        const assigned = await tasks.bringTo(current, user());
        const round = rounds.length + races;
        const raced = await race(world, assigned, { round, unassigns: true });
        if (unassignmentHasLost(raced) || races === maxRaces) return raced;
        current = taskOf(raced.read);
      }
    };
    const { id } = taskOf(undone.read);
    return [...rounds, await tasks.tryAgain(id, again, isUndone, [undone.read])];
  },
  judges: {
    'conflict.one-of-simultaneous-writes-wins': (rounds) => {
      judgeEach(rounds, judgeRound);
      const lost = rounds.filter(unassignmentHasLost);
      const [undone] = lost.filter(isUndone);
      if (undone === undefined) return;
      const { writes, read } = undone;
      if (!lost.every(isUndone)) throw new Inconclusive('The task was unassigned since.', [read]);
      const unassigning = writes.filter(({ unassigns }) => unassigns);
      const on = [...unassigning, ...writes].map(({ answer }) => answer);
      throw new Violation('carries out an unassignment that lost', [...on, read]);
    },
  },
});

/**
 * @throws Violation unless one write of the round was accepted, the others answer 409, and the task shows that one
 * @throws Inconclusive where the round does not decide, as where its version may not have been the current one
 */
function judgeRound(round: Round): void {
  const { version, writes, alone, read } = round;
  const answers = writes.map(({ answer }) => answer);
  const statuses = answers.map(({ status }) => status).join(', ');
  const shown = writeShown(round);
  // No write was accepted, so the first one was sent again alone.
  if (alone !== undefined) {
    const what = `${writesPerRound} simultaneous writes with the same version`;
    const hasOther = answers.some(({ status }) => status !== 409);
    if (hasOther) throw new Inconclusive(`None of ${what} was accepted: ${statuses}.`, answers);
    // A task that shows one of the writes proves that their version was current: `alone` need not be accepted then.
    if (shown === undefined) requireTwin(alone, 'one such write alone');
    const difference = other('refuses all simultaneous writes', { actual: statuses });
    throw new Violation(difference, [...answers, alone, read]);
  }
  const [winner, ...others] = writes.filter(({ answer }) => answer.succeeded);
  if (others.length > 0) {
    // A winner that leaves the version as it is lets the next write win rightly: the version is at fault.
    const staysSame = answers.some(
      ({ succeeded, object }) => succeeded && object?.updated_at === version,
    );
    const several = other('accepts several simultaneous writes', { actual: statuses });
    throw new Violation(staysSame ? staysAfterWrite(version) : several, answers);
  }
  // An unassignment, or an empty comment, with another 4xx may be refused for another reason.
  const isRefusedOtherwise = ({ unassigns, comment, answer }: RacingWrite): boolean =>
    !answer.succeeded &&
    answer.status !== 409 &&
    (!(unassigns || comment === '') || answer.status >= 500);
  if (writes.some(isRefusedOtherwise)) {
    const difference = other('refuses simultaneous writes otherwise', { actual: statuses });
    throw new Violation(difference, answers);
  }
  if (shown === winner) return;
  // The unassignment won, or somebody else changed the task.
  if (shown === undefined) {
    const { updated_at: now, assignment } = taskOf(read);
    if (now === version) throw new Violation(staysAfterWrite(version), [read]);
    // What has no comment does not show.
    if (!winner?.comment) return;
    // Whether an unassignment that was refused was carried out is judged over several rounds.
    if (namesNobody(assignment) && writes.some(({ unassigns }) => unassigns)) return;
    throw new Inconclusive('The task shows none of the simultaneous writes.', [read]);
  }
  const [expected, actual] = [shortJson(winner?.comment), shortJson(shown.comment)];
  throw new Violation(
    {
      ...fieldDifference('assignment.assignment_comment', expected, actual),
      write: {
        how: 'while another one with the same version is carried out',
        statuses: [shown.answer.status],
        isSent: true,
      },
    },
    [...answers, read],
  );
}

export const simultaneousWrites = [together];
