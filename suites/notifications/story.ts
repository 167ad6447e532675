import { type Assignee, updateBody } from '../../helpers/api.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import type { Heard } from '../../helpers/mail/mail-watch.ts';
import { shifted } from '../../helpers/tasks/versions.ts';
import type { World } from '../../runner/world.ts';
import type { Task } from '../../schemas/task.ts';
import { namesNobody } from '../expectations.ts';
import { wrongKeys } from '../wrong-keys.ts';
import { isTieUsual, mayBeOfIt, straysOf, tieOf } from './attribution.ts';

/** What is written, of which email is expected, or none. */
export type Deed = 'assignment' | 'reassignment' | 'refused assignment' | 'unassignment';

/** One write, or several that are refused, and the email that arrived afterwards. */
export interface Chapter {
  readonly deed: Deed;
  readonly to: Assignee | null;
  /** Who is to get email, in lower case. */
  readonly addresses: readonly string[];
  /** What stands in the comment of each write, and nowhere else. */
  readonly marks: readonly string[];
  /** All chapters of the story before, those of earlier rounds too. */
  readonly earlier: readonly Chapter[];
  readonly taskId: string;
  /** One for each mark. */
  readonly answers: readonly Answer[];
  /** What was heard before, while the run wrote nothing; undefined where nobody listened. */
  readonly silence: Heard | undefined;
  readonly heard: Heard;
}

/** The chapters of a story, from an unassigned task on. */
export type Round = readonly Chapter[];

/** What is to be written in a chapter. */
export type Plan =
  | { readonly next: 'assign' | 'refuse'; readonly to: Assignee }
  | { readonly next: 'unassign' };

export interface Told {
  readonly rounds: readonly Round[];
  /** The address of the user in whose name is assigned; undefined where it is not configured. */
  readonly assigner: string | undefined;
  /** All addresses that are configured. */
  readonly configured: ReadonlySet<string>;
  /** Who has the address, without naming it. */
  readonly nameOf: (address: string) => string;
}

/** So often email to somebody else must come, each time after the same write, before it is believed. */
const mostRounds = 3;

/**
 * Carries out a plan while no other scenario writes, and tells what email came of it. Where somebody else got an
 * email that nothing ties to the write, it may be other people’s: then the plan is carried out again, with silence
 * before each write, to see whether it comes again.
 */
export async function tell(world: World, plan: readonly Plan[]): Promise<Told> {
  const { mail, tasks, actor } = world;
  // The tasks before anything else: whoever asks for them later waits.
  const { id } = await tasks.alone();
  await mail.watch.open();
  const [assigner] = mail.book.of({ type: 'USER', id: actor });
  const circle = { assigner, configured: new Set(mail.book.addresses) };
  const rounds: Round[] = [];
  do rounds.push(await carryOut(world, id, plan, rounds.flat()));
  while (rounds.length < mostRounds && isDoubtful({ rounds, ...circle }));
  return { rounds, ...circle, nameOf: (address) => mail.book.nameOf(address) };
}

/** Whether somebody else got email in the last round, and none that shows a mark of ours. */
function isDoubtful(told: Omit<Told, 'nameOf'>): boolean {
  const ties = (told.rounds.at(-1) ?? [])
    .filter(({ deed }) => deed !== 'unassignment')
    .flatMap((chapter) => straysOf(chapter, told))
    .map(({ tie }) => tie);
  return ties.length > 0 && !ties.includes('mark');
}

async function carryOut(
  world: World,
  taskId: string,
  plan: readonly Plan[],
  told: readonly Chapter[],
): Promise<Round> {
  const { mail, tasks } = world;
  const round: Chapter[] = [];
  let before = await tasks.read(taskId);
  const isFree = namesNobody(before.assignment);
  for (const step of isFree ? plan : [{ next: 'unassign' } as const, ...plan]) {
    const earlier = [...told, ...round];
    const listens = told.length > 0 || round.length === 0;
    const silence = listens ? await mail.watch.listen() : undefined;
    const written = { ...(await write(world, step, before)), earlier, taskId };
    const isUsual = isTieUsual(earlier);
    const heard = await mail.watch.hear(written.addresses, (arrival) =>
      mayBeOfIt(tieOf(arrival, written, isUsual)),
    );
    round.push({ ...written, silence, heard });
    before = await tasks.read(taskId);
  }
  return round;
}

type Written = Pick<Chapter, 'deed' | 'to' | 'addresses' | 'marks' | 'answers'>;

/** Digits that stand in no other comment, of this run or another: the same seed plays at another time. */
function newMark({ faker, now }: World): string {
  return `${faker.string.numeric(4)}${Math.round(now())}`;
}

async function write(world: World, step: Plan, before: Task): Promise<Written> {
  const { api, mail, actor: by, faker } = world;
  const mark = newMark(world);
  const comment = `${mark}: ${faker.lorem.sentence()}`;
  switch (step.next) {
    case 'unassign': {
      const answer = await api.unassign(before, { by, comment });
      return { deed: 'unassignment', to: null, addresses: [], marks: [mark], answers: [answer] };
    }
    case 'assign': {
      const { to } = step;
      const deed = namesNobody(before.assignment) ? 'assignment' : 'reassignment';
      const answer = await api.assign(before, to, { by, comment });
      return { deed, to, addresses: mail.book.of(to), marks: [mark], answers: [answer] };
    }
    case 'refuse': {
      const { to } = step;
      const refused = await refuseThrice(world, before, to);
      return { deed: 'refused assignment', to, addresses: [], ...refused };
    }
  }
}

/** Assignments that get 401, 404 and 409, each right but for that. */
async function refuseThrice(world: World, task: Task, to: Assignee) {
  const { api, actor: by, faker, key } = world;
  const current = task.updated_at;
  const [wrong] = wrongKeys(key, faker);
  const stale = shifted(current, -1) ?? 'not-a-version';
  const attempts = [
    { id: task.id, ifMatch: current, caller: { key: wrong?.key ?? null } },
    { id: faker.string.uuid(), ifMatch: current, caller: {} },
    { id: task.id, ifMatch: stale, caller: {} },
  ];
  const marks: string[] = [];
  const answers: Answer[] = [];
  for (const { id, ifMatch, caller } of attempts) {
    const mark = newMark(world);
    const body = updateBody(to, { by, comment: `${mark}: this is to be refused` });
    answers.push(await api.update(id, { ifMatch, body }, caller));
    marks.push(mark);
  }
  return { marks, answers };
}
