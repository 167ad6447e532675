import { type Assignee, updateBody } from '../../helpers/api.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { neighbour } from '../../helpers/tasks/versions.ts';
import type { World } from '../../runner/world.ts';
import type { Task } from '../../schemas/task.ts';
import { wrongKeys } from '../authentication.ts';
import { namesNobody } from '../comparing-tasks.ts';
import { newMark } from '../marks.ts';
import {
  attribute,
  hasCome,
  isAttributable,
  mayBelong,
  missingOf,
  servedLate,
  wrongRecipientsOf,
} from './attribution.ts';
import { type Evidence, type Round, type Step, stepsOf, type Written } from './evidence.ts';

/** A write that is planned; `refuse` stands for several that the target is to refuse. */
export type PlannedWrite =
  | { readonly write: 'assign' | 'refuse'; readonly to: Assignee }
  | { readonly write: 'unassign' };

/** So often email to somebody else must come, each time after the same write, before it is believed. */
const maxRounds = 3;

/**
 * Carries out a plan while no other scenario writes, and collects the emails. Where somebody else got an email that
 * nothing in it attributes to the write, it may be other people’s: then the plan is carried out again, with a pause
 * before each write in which emails are collected, to see whether it comes again.
 */
export async function carryOut(world: World, plan: readonly PlannedWrite[]): Promise<Evidence> {
  const { mail, tasks, actor } = world;
  // The tasks before anything else: scenarios that need them later wait.
  const { id } = await tasks.alone();
  await mail.watch.open();
  const [assigner] = mail.book.of({ type: 'USER', id: actor });
  const configured = new Set(mail.book.addresses);
  const nameOf = (address: string): string => mail.book.nameOf(address);
  const rounds: Round[] = [];
  const evidence = { rounds, assigner, configured, nameOf };
  do rounds.push(await carryOutOnce(world, id, plan, stepsOf(evidence)));
  while (rounds.length < maxRounds && isDoubtful(evidence));
  return { ...evidence, ...(await lookOnceMore(world, rounds)) };
}

/**
 * What the time-out decided is looked for once more: a queue of email may be slow. Email that shows its write is known
 * whenever it comes, and looked for as late as can be. Other email is waited for while no other scenario writes.
 */
async function lookOnceMore(
  { mail, othersAreDone }: World,
  rounds: readonly Round[],
): Promise<Pick<Evidence, 'late' | 'atTheEnd'>> {
  const steps = stepsOf({ rounds });
  const overdue = steps.flatMap((step) =>
    missingOf(step, steps).map((address) => ({ step, address })),
  );
  if (overdue.length === 0) return { late: [], atTheEnd: [] };
  const { count } = mail.watch;
  const late = isAttributable(steps)
    ? []
    : await mail.watch.since(count, (emails) =>
        overdue.every(({ address }) => hasCome(address, { rounds, late: emails })),
      );
  await othersAreDone();
  const atTheEnd = await mail.watch.since(count, (emails) => {
    const served = overdue.filter(({ step, address }) =>
      servedLate(step, { rounds, atTheEnd: emails }).includes(address),
    );
    return served.length === 0 || served.length === overdue.length;
  });
  return { late, atTheEnd };
}

/** Whether somebody else got email in the last round, and none that shows a marker of ours. */
function isDoubtful(evidence: Omit<Evidence, 'late' | 'atTheEnd'>): boolean {
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
  before: readonly Step[],
): Promise<Round> {
  const { mail, tasks } = world;
  const round: Step[] = [];
  const isFree = namesNobody((await tasks.lately(taskId)).assignment);
  for (const planned of isFree ? plan : [{ write: 'unassign' } as const, ...plan]) {
    const earlier = [...before, ...round];
    const isPaused = before.length > 0 || round.length === 0;
    const idle = isPaused ? await mail.watch.collect() : undefined;
    const task = await tasks.lately(taskId);
    const written = { ...(await write(world, planned, task)), earlier, taskId };
    const isUsual = isAttributable(earlier);
    const incoming = await mail.watch.waitFor(written.addresses, (email) =>
      mayBelong(attribute(email, written, isUsual)),
    );
    round.push({ ...written, idle, incoming });
  }
  return round;
}

async function write(
  world: World,
  planned: PlannedWrite,
  task: Task,
): Promise<Omit<Written, 'earlier' | 'taskId'>> {
  const { tasks, mail, actor: by, faker } = world;
  const marker = newMark(world);
  const comment = `${marker}: ${faker.lorem.sentence()}`;
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
    const marker = newMark(world);
    const body = updateBody(to, { by, comment: `${marker}: this is to be refused` });
    answers.push(await api.update(id, { ifMatch, body }, caller));
    markers.push(marker);
  }
  return { markers, answers };
}
