import { type Assignee, bodyThatAssigns } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import type { Email } from '../helpers/mail/mail-watch.ts';
import { type AnyScenario, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import { sameId, type Task } from '../schemas/resources.ts';
import { namesNobody } from './comparing-tasks.ts';
import {
  attribute,
  doEmailsShowWrite,
  type Evidence,
  everybodyGetsEmail,
  gotAsManyAsDue,
  judgesOfAssignments,
  mayBelong,
  missingOf,
  noneOfRefused,
  observes,
  type Round,
  type Step,
  servedLate,
  showsThatEmailsNameTask,
  stepsOf,
  type Written,
  wrongRecipientsOf,
} from './emails.ts';
import { refusedWrites } from './refused-requests.ts';
import { newComment } from './writes.ts';

/** A write that is planned: to somebody, or to nobody (null); or several in its place that are to be refused. */
interface PlannedWrite {
  readonly to: Assignee | null;
  readonly isRefused?: true;
}

/** How often at most a plan is carried out to see whether email to somebody else comes each time. */
const maxRounds = 3;

/**
 * Carries out a plan, and collects the emails; no other scenario writes until emails are known to name the task that
 * they are about. An email to somebody else that does not show its write may be other people’s: then the plan is
 * carried out again, with a pause before each write to collect emails, to see whether that email comes again.
 */
async function carryOut(world: World, plan: readonly PlannedWrite[]): Promise<Evidence> {
  // Takes the tasks before anything else, so that scenarios which need tasks later wait for them.
  const { id } = await world.tasks.alone();
  const { count, evidence } = await world.mail.watch.inTurn(() => watch(world, id, plan));
  return { ...evidence, atTheEnd: await lookOnceMore(world, evidence, count) };
}

/** Carries out a plan once, or again where `isDoubtful`. @returns with `count` of emails that had arrived by then */
async function watch(
  world: World,
  id: string,
  plan: readonly PlannedWrite[],
): Promise<{ readonly evidence: Evidence; readonly count: number }> {
  const { mail, actor } = world;
  await mail.watch.open();
  const { nameTheirTask } = mail.watch;
  const { book } = mail;
  const [assigner] = book.of({ type: 'USER', id: actor });
  const rounds: Round[] = [];
  const evidence: Evidence = { book, assigner, nameTheirTask, rounds, late: [], atTheEnd: [] };
  do rounds.push(await carryOutOnce(world, id, plan, evidence));
  while (rounds.length < maxRounds && isDoubtful(evidence));
  const { count } = mail.watch;
  const overdue = overdueOf(evidence);
  // Where emails show their write, late ones are looked for at the end of the run alone (`lookOnceMore`).
  if (overdue.length === 0 || doEmailsShowWrite(evidence)) return { evidence, count };
  const late = await mail.watch.since(count, (emails) =>
    overdue.every(({ address }) => gotAsManyAsDue(address, { ...evidence, late: emails })),
  );
  return { evidence: { ...evidence, late }, count };
}

/**
 * Looks once more, at the end of the run, for emails that did not come in time. Once some came, it waits for all.
 * @param count how many emails had arrived by the last step
 */
async function lookOnceMore(
  { mail, othersAreDone }: World,
  evidence: Evidence,
  count: number,
): Promise<readonly Email[]> {
  const overdue = overdueOf(evidence);
  if (overdue.length === 0) return [];
  await othersAreDone();
  return await mail.watch.since(count, (emails) => {
    const served = overdue.filter(({ step, address }) =>
      servedLate(step, { ...evidence, atTheEnd: emails }).includes(address),
    );
    return served.length === 0 || served.length === overdue.length;
  });
}

/** The steps and addresses for which an email did not come in time. */
function overdueOf(evidence: Evidence): { readonly step: Step; readonly address: string }[] {
  return stepsOf(evidence).flatMap((step) =>
    missingOf(step, evidence).map((address) => ({ step, address })),
  );
}

/** Whether somebody else got email in the last round, and none of it shows a marker of this plan. */
function isDoubtful(evidence: Evidence): boolean {
  const attributions = (evidence.rounds.at(-1) ?? [])
    .filter(({ kind }) => kind !== 'unassignment')
    .flatMap((step) => wrongRecipientsOf(step, evidence))
    .map(({ attribution }) => attribution);
  return attributions.length > 0 && !attributions.includes('marker');
}

/** Carries out a plan on an unassigned task: one that is assigned is unassigned first, as a step of its own. */
async function carryOutOnce(
  world: World,
  taskId: string,
  plan: readonly PlannedWrite[],
  evidence: Evidence,
): Promise<Round> {
  const { mail, tasks } = world;
  const before = stepsOf(evidence);
  const round: Step[] = [];
  const isUnassigned = namesNobody((await tasks.lately(taskId)).assignment);
  for (const planned of isUnassigned ? plan : [{ to: null }, ...plan]) {
    const earlier = [...before, ...round];
    const isPaused = before.length > 0 || (round.length === 0 && !evidence.nameTheirTask);
    const idle = isPaused ? await mail.watch.waitFor([]) : undefined;
    const task = await tasks.lately(taskId);
    const written = { ...(await write(world, planned, task)), earlier, taskId };
    const soFar = { ...evidence, rounds: [earlier] };
    const incoming = await mail.watch.waitFor(written.addresses, (email) =>
      mayBelong(attribute(email, written, soFar)),
    );
    const step = { ...written, idle, incoming };
    round.push(step);
    if (mail.watch.nameTheirTask || !showsThatEmailsNameTask(step)) continue;
    mail.watch.nameTheirTask = true;
    tasks.share();
  }
  return round;
}

/** Sends a planned write, with a marker in its comment; of those to be refused several, each with its own. */
async function write(
  world: World,
  { to, isRefused }: PlannedWrite,
  task: Task,
): Promise<Omit<Written, 'earlier' | 'taskId'>> {
  const { tasks, mail, actor: by } = world;
  if (isRefused) {
    const refused = await writeRefused(world, task, to);
    return { kind: 'refused assignment', to, addresses: [], ...refused };
  }
  const marker = world.mark();
  // The marker comes first: an email may show no more than the beginning of a comment.
  const comment = `${marker}: ${newComment(world)}`;
  const { before, answer } = await tasks.assign(task, to, { by, comment });
  const sent = { markers: [marker], answers: [answer] };
  if (to === null) return { kind: 'unassignment', to, addresses: [], ...sent };
  const kind = namesNobody(before.assignment) ? 'assignment' : 'reassignment';
  return { kind, to, addresses: mail.book.of(to), ...sent };
}

/** Sends assignments that must be refused, and are right in everything else, each with a marker of its own. */
async function writeRefused(world: World, task: Task, to: Assignee | null) {
  const markers: string[] = [];
  const answers: Answer[] = [];
  for (const send of refusedWrites) {
    const marker = world.mark();
    const comment = `${marker}: this is to be refused`;
    const answer = await send(world, task, bodyThatAssigns(to, { by: world.actor, comment }));
    if (answer === undefined) continue;
    answers.push(answer);
    markers.push(marker);
  }
  return { markers, answers };
}

const amongUsers = scenario({
  name: 'who gets email when a task goes to a user, to another one, is refused and taken away',
  needs: ['writable-task', 'mailbox', 'two-users-with-email'],
  async act(world) {
    const { mail, actor } = world;
    // The actor is taken last: a service may send no email to somebody who assigns to themselves.
    const isActor = ({ id }: Assignee): number => Number(sameId(id, actor));
    const [first, second] = mail.users.toSorted((a, b) => isActor(a) - isActor(b));
    if (first === undefined || second === undefined) throw new Error('Two users are needed.');
    return await carryOut(world, [
      { to: first },
      { to: second },
      // To the first again, who is known to get email, and must get none of refused writes.
      { to: first, isRefused: true },
      { to: null },
    ]);
  },
  judges: {
    ...judgesOfAssignments,
    'notification.refused-write-sends-no-email': noneOfRefused,
    'notification.assigned-user-gets-email': everybodyGetsEmail('assignment', 'USER'),
  },
  observes,
});

const toATeam = scenario({
  name: 'who gets email when a task goes to a team, to a user and back',
  needs: ['writable-task', 'mailbox', 'user-with-email', 'team-with-email'],
  async act(world) {
    const { users, teams, book } = world.mail;
    // The largest team: one of a single member tells little.
    const [team] = teams.toSorted((a, b) => book.of(b).length - book.of(a).length);
    if (team === undefined) throw new Error('A team is needed.');
    const isMember = ({ id }: { id: string }): boolean =>
      book.of({ type: 'USER', id }).some((address) => book.of(team).includes(address));
    const user = users.find((one) => !isMember(one)) ?? users[0];
    if (user === undefined) throw new Error('A user is needed.');
    return await carryOut(world, [{ to: team }, { to: user }, { to: team }]);
  },
  judges: {
    ...judgesOfAssignments,
    'notification.assigned-team-gets-email': everybodyGetsEmail('assignment', 'TEAM'),
  },
  observes,
});

export const notifications: readonly AnyScenario[] = [amongUsers, toATeam];
