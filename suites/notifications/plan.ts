import { type Assignee, updateBody } from '../../helpers/api.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import type { Email } from '../../helpers/mail/mail-watch.ts';
import { neighbour } from '../../helpers/tasks/versions.ts';
import type { World } from '../../runner/world.ts';
import type { Task } from '../../schemas/task.ts';
import { wrongKeys } from '../authentication.ts';
import { namesNobody } from '../comparing-tasks.ts';
import { newComment } from '../marks.ts';
import {
  attribute,
  hasCome,
  isAttributable,
  mayBelong,
  missingOf,
  servedLate,
  showsThatEmailsNameTask,
  wrongRecipientsOf,
} from './attribution.ts';
import {
  type Evidence,
  type Known,
  type People,
  type Round,
  type Step,
  stepsOf,
  type Watched,
  type Written,
} from './evidence.ts';

/** A write that is planned; `refuse` stands for several that the target is to refuse. */
export type PlannedWrite =
  | { readonly write: 'assign' | 'refuse'; readonly to: Assignee }
  | { readonly write: 'unassign' };

/** So often email to somebody else must come, each time after the same write, before it is believed. */
const maxRounds = 3;

/**
 * Carries out a plan, and collects the emails; no other scenario writes until emails are known to name the task that
 * they are about. Where somebody else got an email that nothing in it attributes to the write, it may be other
 * people’s: then the plan is carried out again, with a pause before each write in which emails are collected, to see
 * whether it comes again.
 */
export async function carryOut(world: World, plan: readonly PlannedWrite[]): Promise<Evidence> {
  const { mail, tasks, actor } = world;
  // The tasks before anything else: scenarios that need them later wait.
  const { id } = await tasks.alone();
  const [assigner] = mail.book.of({ type: 'USER', id: actor });
  const people: People = {
    assigner,
    configured: new Set(mail.book.addresses),
    nameOf: (address) => mail.book.nameOf(address),
  };
  const { count, ...watched } = await mail.watch.inTurn(() => watch(world, id, plan, people));
  return { ...people, ...watched, atTheEnd: await lookOnceMore(world, watched, count) };
}

/** Carries out a plan as often as it takes, and looks for what the time-out decided. */
async function watch(
  world: World,
  id: string,
  plan: readonly PlannedWrite[],
  people: People,
): Promise<Omit<Watched, 'atTheEnd'> & { readonly count: number }> {
  const { mail } = world;
  await mail.watch.open();
  const { nameTheirTask } = mail.watch;
  const rounds: Round[] = [];
  const known = { rounds, nameTheirTask };
  do rounds.push(await carryOutOnce(world, id, plan, known));
  while (rounds.length < maxRounds && isDoubtful({ ...people, ...known }));
  const { count } = mail.watch;
  const overdue = overdueOf(known);
  // Email that shows its write is known whenever it comes, and looked for as late as can be.
  const late =
    overdue.length === 0 || isAttributable(known)
      ? []
      : await mail.watch.since(count, (emails) =>
          overdue.every(({ address }) => hasCome(address, { ...known, late: emails })),
        );
  return { ...known, late, count };
}

/**
 * What the time-out decided is looked for once more at the end of the run: a queue of email may be slow.
 * @param count of the moment after the last step
 */
async function lookOnceMore(
  { mail, othersAreDone }: World,
  watched: Omit<Watched, 'atTheEnd'>,
  count: number,
): Promise<readonly Email[]> {
  const overdue = overdueOf(watched);
  if (overdue.length === 0) return [];
  await othersAreDone();
  return await mail.watch.since(count, (emails) => {
    const served = overdue.filter(({ step, address }) =>
      servedLate(step, { ...watched, atTheEnd: emails }).includes(address),
    );
    return served.length === 0 || served.length === overdue.length;
  });
}

/** Who was to get email of which step, and got none in time. */
function overdueOf(known: Known): { readonly step: Step; readonly address: string }[] {
  return stepsOf(known).flatMap((step) =>
    missingOf(step, known).map((address) => ({ step, address })),
  );
}

/** Whether somebody else got email in the last round, and none that shows a marker of ours. */
function isDoubtful(evidence: People & Known): boolean {
  const attributions = (evidence.rounds.at(-1) ?? [])
    .filter(({ kind }) => kind !== 'unassignment')
    .flatMap((step) => wrongRecipientsOf(step, evidence))
    .map(({ attribution }) => attribution);
  return attributions.length > 0 && !attributions.includes('marker');
}

async function carryOutOnce(
  world: World,
  taskId: string,
  plan: readonly PlannedWrite[],
  known: Known,
): Promise<Round> {
  const { mail, tasks } = world;
  const before = stepsOf(known);
  const round: Step[] = [];
  const isFree = namesNobody((await tasks.lately(taskId)).assignment);
  for (const planned of isFree ? plan : [{ write: 'unassign' } as const, ...plan]) {
    const earlier = [...before, ...round];
    const isPaused = before.length > 0 || (round.length === 0 && !known.nameTheirTask);
    const idle = isPaused ? await mail.watch.collect() : undefined;
    const task = await tasks.lately(taskId);
    const written = { ...(await write(world, planned, task)), earlier, taskId };
    const isUsual = isAttributable({ ...known, rounds: [earlier] });
    const incoming = await mail.watch.waitFor(written.addresses, (email) =>
      mayBelong(attribute(email, written, isUsual)),
    );
    const step = { ...written, idle, incoming };
    round.push(step);
    if (mail.watch.nameTheirTask || !showsThatEmailsNameTask(step)) continue;
    mail.watch.nameTheirTask = true;
    tasks.share();
  }
  return round;
}

async function write(
  world: World,
  planned: PlannedWrite,
  task: Task,
): Promise<Omit<Written, 'earlier' | 'taskId'>> {
  const { tasks, mail, actor: by } = world;
  const marker = world.mark();
  // An email may show no more than the beginning.
  const comment = `${marker}: ${newComment(world)}`;
  const markers = [marker];
  switch (planned.write) {
    case 'unassign': {
      const { answer } = await tasks.unassign(task, { by, comment });
      return { kind: 'unassignment', to: null, addresses: [], markers, answers: [answer] };
    }
    case 'assign': {
      const { to } = planned;
      const { before, answer } = await tasks.assign(task, to, { by, comment });
      const kind = namesNobody(before.assignment) ? 'assignment' : 'reassignment';
      return { kind, to, addresses: mail.book.of(to), markers, answers: [answer] };
    }
    case 'refuse': {
      const { to } = planned;
      const refused = await writeRefused(world, task, to);
      return { kind: 'refused assignment', to, addresses: [], ...refused };
    }
  }
}

/** Sends assignments that get 401, 404 and 409, each right but for that. */
async function writeRefused(world: World, task: Task, to: Assignee) {
  const { api, actor: by, faker, key } = world;
  const current = task.updated_at;
  const [wrong] = wrongKeys(key, faker);
  const stale = neighbour(current, 'earlier') ?? 'not-a-version';
  const attempts = [
    { id: task.id, ifMatch: current, caller: { key: wrong?.key ?? null } },
    { id: faker.string.uuid(), ifMatch: current, caller: {} },
    { id: task.id, ifMatch: stale, caller: {} },
  ];
  const markers: string[] = [];
  const answers: Answer[] = [];
  for (const { id, ifMatch, caller } of attempts) {
    const marker = world.mark();
    const body = updateBody(to, { by, comment: `${marker}: this is to be refused` });
    answers.push(await api.update(id, { ifMatch, body }, caller));
    markers.push(marker);
  }
  return { markers, answers };
}
