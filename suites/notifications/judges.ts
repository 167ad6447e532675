import type { Email } from '../../helpers/mail/mail-watch.ts';
import { Inconclusive, NotConfigured, other, Violation } from '../../helpers/outcomes.ts';
import type { JudgedClause, OpenClause } from '../../schemas/clauses.ts';
import type { Observation } from '../../schemas/observations.ts';
import { isRefused, judgeEach, requireAccepted, requireTwin } from '../expectations.ts';
import {
  attribute,
  doEmailsShowWrite,
  type Evidence,
  gotAsManyAsDue,
  hasOtherPeoplesEmail,
  isAssigning,
  mayBelong,
  missingOf,
  namesTask,
  type Round,
  type Step,
  servedLate,
  showsMarker,
  stepsOf,
  wrongRecipientsOf,
} from './evidence.ts';

type Judge = (evidence: Evidence) => void;

const otherPeoplesEmail =
  'The mailbox also gets email of other people’s doing, which nothing in it tells from that of these writes.';

const tooLate =
  'Email came later than MAIL_TIMEOUT_MS allows, and does not show of which write it is.';

const emptied = 'Somebody took messages out of the mailbox while email was waited for.';

/** A judge: everybody to whom a task went, by this kind of write to a user or a team, got email of it. */
export function everybodyGetsEmail(kind: Step['kind'], type: 'USER' | 'TEAM' | 'any'): Judge {
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
  const { answers, addresses, incoming, to, kind } = step;
  for (const answer of answers) requireAccepted(answer);
  const attributionsFor = (address: string) =>
    incoming.emails
      .filter(({ recipients }) => recipients.includes(address))
      .map((email) => attribute(email, step, evidence));
  const overdue = missingOf(step, evidence);
  if (overdue.length === 0) {
    const isSure = addresses.every((address) =>
      attributionsFor(address).some((one) => one === 'marker' || one === 'task'),
    );
    if (!isSure && hasOtherPeoplesEmail(evidence)) throw new Inconclusive(otherPeoplesEmail);
    return;
  }
  if (incoming.lost) throw new Inconclusive(emptied);
  const ownersOf = (address: string): string => evidence.book.ownersOf(address);
  const late = servedLate(step, evidence);
  const missing = overdue.filter((address) => !late.includes(address));
  if (missing.length === 0) return;
  if (missing.every((address) => gotAsManyAsDue(address, evidence)))
    throw new Inconclusive(tooLate);
  if (missing.some((address) => attributionsFor(address).includes('something else'))) {
    throw new Inconclusive(otherPeoplesEmail);
  }
  throw new Violation(
    other(to?.type === 'TEAM' ? 'sends no email to the team' : 'sends no email to the user', {
      of: kind,
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
export const noneOfRefused: Judge = (evidence) => {
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

/** Judges for every plan. */
export const judgesOfAssignments = {
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

/** Observations of what the document leaves open of email. */
export const observes = {
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
    assigning(evidence).flatMap((step) =>
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
