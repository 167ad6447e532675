import { type Assignee, bodyThatAssigns } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import type { AddressBook } from '../helpers/mail/address-book.ts';
import type { Email, Incoming } from '../helpers/mail/mail-watch.ts';
import { Inconclusive, NotConfigured, NothingSeen, other, Violation } from '../helpers/outcomes.ts';
import { type AnyScenario, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause, OpenClause } from '../schemas/clauses.ts';
import type { Observation } from '../schemas/observations.ts';
import { sameId, type Task } from '../schemas/resources.ts';
import { namesNobody } from './comparing-tasks.ts';
import { isRefused, judgeEach, requireAccepted, requireTwin } from './expectations.ts';
import { refusedWrites } from './refused-requests.ts';

/*
 * Email (Events). A plan is a list of writes to one task; it is carried out once or more, each time as a round of
 * steps. A step is a write and the emails that arrived after it; each write has a marker in its comment. First comes which
 * emails belong to which write, then what that shows, and last how a plan is carried out.
 */

interface Evidence {
  readonly rounds: readonly Round[];
  /** Whether emails of the target were known before to name the task that they are about. */
  readonly nameTheirTask: boolean;
  /** Emails that arrived after the last step, while no other scenario wrote; empty where no email was missing. */
  readonly late: readonly Email[];
  /** Emails from the last step to the end of the run, those of other scenarios too; empty where none was missing. */
  readonly atTheEnd: readonly Email[];
  /** The address of the user in whose name tasks are assigned; undefined where it is not configured. */
  readonly assigner: string | undefined;
  /** Of all who are configured. */
  readonly book: AddressBook;
}

/** The steps of a plan that was carried out, from an unassigned task on. */
type Round = readonly Step[];

/** One write, or several that are refused, and the emails that arrived after it. */
interface Step {
  readonly kind: 'assignment' | 'reassignment' | 'refused assignment' | 'unassignment';
  readonly taskId: string;
  readonly to: Assignee | null;
  /** The addresses that are to get email, in lower case. */
  readonly addresses: readonly string[];
  /** The marker of each write, a text that stands in its comment and nowhere else; none where that has no text. */
  readonly markers: readonly string[];
  /** The answer to each write, in the order of the markers. */
  readonly answers: readonly Answer[];
  /** All steps before, those of earlier rounds too. */
  readonly earlier: readonly Step[];
  /** Emails that arrived before the step, while the run wrote nothing; undefined where none were waited for. */
  readonly idle: Incoming | undefined;
  /** The emails that arrived after the step, until all were there or the time was up. */
  readonly incoming: Incoming;
}

/** What is known of a step before its emails arrive. */
type Written = Omit<Step, 'idle' | 'incoming'>;

function stepsOf({ rounds }: Evidence): Step[] {
  return rounds.flat();
}

function isAssigning({ kind }: Step): boolean {
  return kind === 'assignment' || kind === 'reassignment';
}

/**
 * Whether an email belongs to a write, and what shows that. It does where it shows the `marker` of the write or names
 * its `task`. It does not where it is of an `earlier write`, or of `something else`: it names other ids, while emails
 * of this service name the task. `unknown`: it shows nothing, and may be other people’s.
 */
type Attribution = 'marker' | 'task' | 'earlier write' | 'something else' | 'unknown';

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

function attribute(email: Email, written: Written, evidence: Evidence): Attribution {
  if (showsMarker(email, written)) return 'marker';
  if (isOfEarlier(email, written)) return 'earlier write';
  if (namesTask(email, written)) return 'task';
  return uuid.test(email.text) && doEmailsShowWrite(evidence) ? 'something else' : 'unknown';
}

function namesTask({ text }: Email, { taskId }: Written): boolean {
  return text.toLowerCase().includes(taskId.toLowerCase());
}

function showsMarker({ text }: Email, { markers }: Written): boolean {
  return markers.some((marker) => text.includes(marker));
}

/** Whether an email is a late or second one of an earlier step: shows its marker, at one of its addresses if any. */
function isOfEarlier(email: Email, { earlier }: Written): boolean {
  return earlier.some((step) => {
    const { addresses } = step;
    const isAddressed =
      addresses.length === 0 || addresses.some((one) => email.recipients.includes(one));
    return isAddressed && showsMarker(email, step);
  });
}

/**
 * Whether a step shows that emails of this service name their task: all that arrived after it do, and everybody who was
 * to get email of it got some. A step of which nobody was to get email shows nothing.
 */
function showsThatEmailsNameTask(step: Step): boolean {
  const { incoming, addresses } = step;
  const named = incoming.emails.filter((email) => namesTask(email, step));
  return (
    addresses.length > 0 &&
    named.length === incoming.emails.length &&
    addresses.every((one) => named.some(({ recipients }) => recipients.includes(one)))
  );
}

function mayBelong(attribution: Attribution): boolean {
  return attribution !== 'earlier write' && attribution !== 'something else';
}

/** Whether emails of this service show their write: those of some step did, or were known before to do so. */
function doEmailsShowWrite(evidence: Evidence): boolean {
  const showsStep = (email: Email, step: Step): boolean =>
    showsMarker(email, step) || (namesTask(email, step) && !isOfEarlier(email, step));
  return (
    evidence.nameTheirTask ||
    stepsOf(evidence).some((step) => step.incoming.emails.some((email) => showsStep(email, step)))
  );
}

/** The addresses that were to get email of a step, and got none in time that may belong to it. */
function missingOf(step: Step, evidence: Evidence): string[] {
  const own = step.incoming.emails.filter((email) => mayBelong(attribute(email, step, evidence)));
  return step.addresses.filter(
    (address) => !own.some(({ recipients }) => recipients.includes(address)),
  );
}

/** The addresses that got email with a marker of this step too late: after later steps, or by the end of the run. */
function servedLate(step: Step, evidence: Evidence): string[] {
  return [...emailsAfter(step, evidence), ...evidence.atTheEnd]
    .filter((email) => showsMarker(email, step))
    .flatMap(({ recipients }) => recipients);
}

function emailsAfter(step: Step, evidence: Evidence): Email[] {
  const later = stepsOf(evidence).filter(({ earlier }) => earlier.includes(step));
  return later.flatMap(({ incoming }) => incoming.emails);
}

/** Whether an address got as many emails as it was to get, in time or late, whichever writes they are of. */
function gotAsManyAsDue(address: string, evidence: Evidence): boolean {
  const steps = stepsOf(evidence);
  const got = [...steps.flatMap(({ incoming }) => incoming.emails), ...evidence.late].filter(
    (email) =>
      email.recipients.includes(address) &&
      steps.some((step) => attribute(email, step, evidence) !== 'something else'),
  );
  return got.length >= steps.filter(({ addresses }) => addresses.includes(address)).length;
}

/** Whether email of no earlier step arrived while the run wrote nothing: that is other people’s. */
function hasOtherPeoplesEmail(evidence: Evidence): boolean {
  return stepsOf(evidence).some((step) =>
    step.idle?.emails.some((email) => !isOfEarlier(email, step)),
  );
}

/**
 * Configured people who got email that may belong to a step, besides those who were to get it; each with the marker of the
 * write that the email shows, where it shows one.
 */
function wrongRecipientsOf(step: Step, evidence: Evidence) {
  const { kind, addresses, earlier, markers, incoming } = step;
  const isRefused = kind === 'refused assignment';
  // Whether the assigner gets a copy is open; of a refused write nobody gets one.
  const isExpected = (address: string): boolean =>
    addresses.includes(address) || (address === evidence.assigner && !isRefused);
  // The comment of a refused write is kept nowhere: email that shows it, however late, can only be of that write.
  const late = emailsAfter(step, evidence).filter((email) => isRefused && showsMarker(email, step));
  return [...incoming.emails, ...late].flatMap((email) => {
    const attribution = attribute(email, step, evidence);
    if (!mayBelong(attribution)) return [];
    // An email without a marker of this step may be the one that its recipient was to get of an earlier step.
    const isOverdueOnly = (address: string): boolean =>
      attribution !== 'marker' && earlier.some((one) => isOverdue(address, one));
    const marker = markers.find((one) => email.text.includes(one));
    return email.recipients
      .filter((address) => evidence.book.addresses.includes(address) && !isExpected(address))
      .filter((address) => !isOverdueOnly(address))
      .map((address) => ({ address, attribution, marker }));
  });
}

/** Whether an address was to get email of a step, got none at all in time, and may still get it. */
function isOverdue(address: string, { addresses, incoming }: Step): boolean {
  const gotSome = incoming.emails.some(({ recipients }) => recipients.includes(address));
  return addresses.includes(address) && !gotSome;
}

type Judge = (evidence: Evidence) => void;

const otherPeoplesEmail =
  'The mailbox also gets email of other people’s doing, which nothing in it tells from that of these writes.';

const tooLate =
  'Email came later than MAIL_TIMEOUT_MS allows, and does not show of which write it is.';

const emptied = 'Somebody took messages out of the mailbox while email was waited for.';

/** A judge: everybody to whom a task went, by this kind of write to a user or a team, got email of it. */
function everybodyGetsEmail(kind: Step['kind'], type: 'USER' | 'TEAM' | 'any'): Judge {
  return (evidence) => {
    const steps = stepsOf(evidence).filter(
      (step) => step.kind === kind && (type === 'any' || step.to?.type === type),
    );
    if (steps.length === 0) throw new Inconclusive(`There was no ${kind} to judge.`);
    judgeEach(steps, (step) => expectEmail(step, evidence));
  };
}

/** Expects email at each address of a step; a missing one is a violation unless something else explains it. */
function expectEmail(step: Step, evidence: Evidence): void {
  const { answers, addresses, incoming, to, kind, markers } = step;
  for (const answer of answers) requireAccepted(answer);
  // Emails of other steps show of which write they are.
  const undecided = (why: string) =>
    markers.length > 0 ? new Inconclusive(why) : new NothingSeen();
  const attributionsFor = (address: string) =>
    incoming.emails
      .filter(({ recipients }) => recipients.includes(address))
      .map((email) => attribute(email, step, evidence));
  const overdue = missingOf(step, evidence);
  if (overdue.length === 0) {
    const isSure = addresses.every((address) =>
      attributionsFor(address).some((one) => one === 'marker' || one === 'task'),
    );
    if (!isSure && hasOtherPeoplesEmail(evidence)) throw undecided(otherPeoplesEmail);
    return;
  }
  if (incoming.lost) throw new Inconclusive(emptied);
  const ownersOf = (address: string): string => evidence.book.ownersOf(address);
  const late = servedLate(step, evidence);
  const missing = overdue.filter((address) => !late.includes(address));
  if (missing.length === 0) return;
  if (missing.every((address) => gotAsManyAsDue(address, evidence))) throw undecided(tooLate);
  if (missing.some((address) => attributionsFor(address).includes('something else'))) {
    throw undecided(otherPeoplesEmail);
  }
  throw new Violation(
    other(to?.type === 'TEAM' ? 'sends no email to the team' : 'sends no email to the user', {
      of: markers.length > 0 ? kind : `${kind} without a comment`,
      expected: addresses.map(ownersOf).join(' and to '),
      actual: missing.map(ownersOf).join(', nor to '),
      waitedMs: Math.round(incoming.waitedMs),
    }),
    answers,
  );
}

/** A judge: email of an assignment went to nobody but its assignees, and the assigner. */
const nobodyElse: Judge = (evidence) => {
  const steps = stepsOf(evidence).filter(isAssigning);
  const answers = steps.flatMap((step) => step.answers);
  for (const answer of answers) requireAccepted(answer);
  const isNobodyLeft = steps.every(({ addresses }) =>
    evidence.book.addresses.every((one) => addresses.includes(one) || one === evidence.assigner),
  );
  if (isNobodyLeft) {
    throw new NotConfigured('USER_EMAILS', 'the address of somebody besides the assignees');
  }
  expectNoWrongRecipients(evidence, isAssigning);
  if (steps.some(isFollowedByEmail)) return;
  const why = 'That nobody else got any email proves nothing: nor did the assignees.';
  throw new Inconclusive(why, answers);
};

/** Whether any of the addresses that were to get email of a step did. */
const isFollowedByEmail = ({ addresses, incoming }: Step): boolean =>
  incoming.emails.some(({ recipients }) => addresses.some((one) => recipients.includes(one)));

/** A judge: refused assignments sent no email, where the same assignment, accepted, did. */
const noneOfRefused: Judge = (evidence) => {
  for (const round of evidence.rounds) {
    for (const refused of round.filter(isRefusal)) requireTwinWithEmail(refused, round);
  }
  expectNoWrongRecipients(evidence, isRefusal);
};

const isRefusal = ({ kind }: Step): boolean => kind === 'refused assignment';

/** @throws Inconclusive unless all writes of the step were refused, and their accepted twin was followed by email */
function requireTwinWithEmail({ answers, to }: Step, round: Round): void {
  const accepted = answers.find((answer) => !isRefused(answer));
  if (accepted !== undefined) {
    throw new Inconclusive(`${accepted.request} was not refused.`, [accepted]);
  }
  const twin = round.find((step) => isAssigning(step) && step.to?.id === to?.id);
  for (const answer of twin?.answers ?? []) {
    requireTwin(answer, 'the same assignment, right in every point');
  }
  if (twin !== undefined && isFollowedByEmail(twin)) return;
  throw new Inconclusive(
    'That no email arrived proves nothing: of the same assignment none arrived when it was accepted either.',
    twin?.answers,
  );
}

/**
 * Email to somebody else is a violation where it shows a marker of the write, or where it came in each round after the
 * same write to the same person; an email that does not name the task, only if none came while the run wrote nothing.
 */
function expectNoWrongRecipients(evidence: Evidence, isJudged: (step: Step) => boolean): void {
  const rounds = evidence.rounds.map((round) =>
    round
      .filter(isJudged)
      .flatMap((step, index) =>
        wrongRecipientsOf(step, evidence).map((wrong) => ({ ...wrong, step, index })),
      ),
  );
  const last = rounds.at(-1) ?? [];
  const isNoisy = hasOtherPeoplesEmail(evidence);
  const isRepeated = ({ address, index, attribution }: (typeof last)[number]): boolean =>
    rounds.length > 1 &&
    (attribution === 'task' || !isNoisy) &&
    rounds.every((round) => round.some((one) => one.address === address && one.index === index));
  const proved =
    rounds.flat().find(({ attribution }) => attribution === 'marker') ?? last.find(isRepeated);
  if (proved !== undefined) {
    const { step, address, marker } = proved;
    throw new Violation(
      other(step.addresses.length > 0 ? 'sends email to somebody else' : 'sends email', {
        of: step.kind,
        actual: evidence.book.ownersOf(address),
      }),
      step.answers.filter((_, index) => marker === undefined || step.markers[index] === marker),
    );
  }
  // Where nobody else got email in the last round, what came in earlier ones was not of these writes.
  if (last.length > 0) throw new Inconclusive(otherPeoplesEmail);
  if (evidence.rounds.at(-1)?.some(({ incoming }) => incoming.lost))
    throw new Inconclusive(emptied);
}

const judgesOfAssignments = {
  'notification.new-assignee-gets-email': everybodyGetsEmail('reassignment', 'any'),
  'notification.nobody-else-gets-email': nobodyElse,
} satisfies { readonly [Id in JudgedClause]?: Judge };

/** The emails that may be of a step; where emails of this service show their write, only those that show this one. */
function emailsOf(step: Step, evidence: Evidence): Email[] {
  return step.incoming.emails.filter((email) => {
    const attribution = attribute(email, step, evidence);
    return mayBelong(attribution) && !(attribution === 'unknown' && doEmailsShowWrite(evidence));
  });
}

const assigning = (evidence: Evidence): Step[] => stepsOf(evidence).filter(isAssigning);

const observes = {
  'notification.copy-to-the-assigner': (evidence) => {
    const { assigner } = evidence;
    if (assigner === undefined) return [];
    const others = assigning(evidence).filter(({ addresses }) => !addresses.includes(assigner));
    return others.map((step) => {
      const isCopied = emailsOf(step, evidence).some(({ recipients }) =>
        recipients.includes(assigner),
      );
      return isCopied ? 'a copy' : 'none';
    });
  },
  'notification.of-an-unassignment': (evidence) =>
    stepsOf(evidence)
      .filter(({ kind }) => kind === 'unassignment')
      .map((step) => (emailsOf(step, evidence).length > 0 ? 'somebody' : 'nobody')),
  'notification.content': (evidence) =>
    assigning(evidence)
      .filter(({ markers }) => markers.length > 0)
      .flatMap((step) =>
        emailsOf(step, evidence).map((email) => ({
          showsComment: showsMarker(email, step),
          namesTask: namesTask(email, step),
        })),
      ),
  'notification.messages-to-a-team': (evidence) =>
    assigning(evidence)
      .filter(({ to, addresses }) => to?.type === 'TEAM' && addresses.length > 1)
      .flatMap((step) => {
        const counts = emailsOf(step, evidence).map(
          ({ recipients }) => step.addresses.filter((one) => recipients.includes(one)).length,
        );
        if (counts.length === 0) return [];
        return counts.every((count) => count <= 1) ? 'one each' : 'one for several';
      }),
  // Coarse, so that a busy network is not taken for another service.
  'notification.delay': (evidence) =>
    assigning(evidence).flatMap((step) => {
      const isLate = servedLate(step, evidence).some((one) => step.addresses.includes(one));
      if (emailsOf(step, evidence).length === 0) return isLate ? ['later'] : [];
      return step.incoming.waitedMs < 15_000 && !isLate ? ['within 15 seconds'] : ['later'];
    }),
} satisfies { readonly [Id in OpenClause]?: (evidence: Evidence) => readonly Observation<Id>[] };

/** A write that is planned: to somebody, or to nobody (null); or several in its place that are to be refused. */
interface PlannedWrite {
  readonly to: Assignee | null;
  /** Its comment, made of a marker and a phrase; these alone where it is left out. */
  readonly commented?: (text: string) => string | null | undefined;
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
  const evidence = await world.mail.watch.inTurn(() => watch(world, id, plan));
  return { ...evidence, atTheEnd: await lookOnceMore(world, evidence) };
}

/** Carries out a plan once, or again where `isDoubtful`. @returns with `count` of emails that had arrived by then */
async function watch(world: World, id: string, plan: readonly PlannedWrite[]) {
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
  if (overdue.length === 0 || doEmailsShowWrite(evidence)) return { ...evidence, count };
  const late = await mail.watch.since(count, (emails) =>
    overdue.every(({ address }) => gotAsManyAsDue(address, { ...evidence, late: emails })),
  );
  return { ...evidence, late, count };
}

/** Looks once more, at the end of the run, for emails that did not come in time. Once some came, it waits for all. */
async function lookOnceMore(
  { mail, othersAreDone }: World,
  { count, ...evidence }: Awaited<ReturnType<typeof watch>>,
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
  { to, isRefused, commented = (text) => text }: PlannedWrite,
  task: Task,
): Promise<Omit<Written, 'earlier' | 'taskId'>> {
  const { tasks, mail, actor: by } = world;
  if (isRefused) {
    const refused = await writeRefused(world, task, to);
    return { kind: 'refused assignment', to, addresses: [], ...refused };
  }
  const marker = world.mark();
  // The marker comes first: an email may show no more than the beginning of a comment. Whoever gets it sees what it is.
  const comment = commented(
    `${marker}: Contract test: ${world.faker.company.catchPhrase().toLowerCase()}.`,
  );
  const { before, answer } = await tasks.assign(task, to, { by, comment });
  const sent = { markers: comment ? [marker] : [], answers: [answer] };
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
  name: 'who gets email when a task goes to a user, to another one, is refused, taken away and given back',
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
      // From nobody: email to who had it must not stand for one that is missing.
      { to: second, commented: () => undefined },
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
    return await carryOut(world, [
      { to: team },
      { to: user, commented: (text) => `${text}\nGrüße,\n\n\t„привет“ & <你好> 👍` },
      { to: team },
    ]);
  },
  judges: {
    ...judgesOfAssignments,
    'notification.assigned-team-gets-email': everybodyGetsEmail('assignment', 'TEAM'),
  },
  observes,
});

export const notifications: readonly AnyScenario[] = [amongUsers, toATeam];
