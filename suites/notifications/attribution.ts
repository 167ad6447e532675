import type { Email } from '../../helpers/mail/mail-watch.ts';
import {
  type Evidence,
  type Known,
  type People,
  type Step,
  stepsOf,
  type Written,
} from './evidence.ts';

/**
 * Whether an email belongs to a write, and what shows that. It does where it shows the `marker` of the write or names
 * its `task`. It does not where it is of an `earlier write`, or of `something else`: it names other ids, while emails
 * of this service name the task. `unknown`: it shows nothing, and may be other people’s.
 */
export type Attribution = 'marker' | 'task' | 'earlier write' | 'something else' | 'unknown';

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** @param emailsShowWrite whether emails of this service are known to show their write: see `doEmailsShowWrite` */
export function attribute(email: Email, written: Written, emailsShowWrite: boolean): Attribution {
  if (showsMarker(email, written)) return 'marker';
  if (written.earlier.some((step) => isSentAgain(email, step))) return 'earlier write';
  if (namesTask(email, written)) return 'task';
  return emailsShowWrite && uuid.test(email.text) ? 'something else' : 'unknown';
}

export function namesTask({ text }: Email, { taskId }: Written): boolean {
  return text.toLowerCase().includes(taskId.toLowerCase());
}

/** Whether an email shows the comment of a write, by the marker in it. */
export function showsMarker({ text }: Email, { markers }: Written): boolean {
  return markers.some((marker) => text.includes(marker));
}

/** Whether an email is a late or second one of this earlier step: shows its marker, at one of its addresses if any. */
function isSentAgain(email: Email, step: Step): boolean {
  const { addresses } = step;
  const isAddressed =
    addresses.length === 0 || addresses.some((one) => email.recipients.includes(one));
  return showsMarker(email, step) && isAddressed;
}

/**
 * Whether a step shows that emails of this service name their task: all that arrived after it do, and everybody who was
 * to get email of it got some. A step of which nobody was to get email shows nothing.
 */
export function showsThatEmailsNameTask(step: Step): boolean {
  const { incoming, addresses } = step;
  const named = incoming.emails.filter((email) => namesTask(email, step));
  return (
    addresses.length > 0 &&
    named.length === incoming.emails.length &&
    addresses.every((one) => named.some(({ recipients }) => recipients.includes(one)))
  );
}

/** Whether an email with this attribution may belong to the write. */
export function mayBelong(attribution: Attribution): boolean {
  return attribution !== 'earlier write' && attribution !== 'something else';
}

/** Whether an email with this attribution surely belongs to the write. */
export function surelyBelongs(attribution: Attribution): boolean {
  return attribution === 'marker' || attribution === 'task';
}

/** Whether emails of this service show their write: those of some step did, or were known before to do so. */
export function doEmailsShowWrite(evidence: Known): boolean {
  return (
    evidence.nameTheirTask ||
    stepsOf(evidence).some((step) =>
      step.incoming.emails.some((email) => surelyBelongs(attribute(email, step, false))),
    )
  );
}

/** The addresses that were to get email of a step, and got none in time that may belong to it. */
export function missingOf(step: Step, evidence: Known): string[] {
  const emailsShowWrite = doEmailsShowWrite(evidence);
  const own = step.incoming.emails.filter((email) =>
    mayBelong(attribute(email, step, emailsShowWrite)),
  );
  return step.addresses.filter(
    (address) => !own.some(({ recipients }) => recipients.includes(address)),
  );
}

/** The addresses that got email with a marker of this step too late: after later steps, or by the end of the run. */
export function servedLate(
  step: Step,
  { rounds, atTheEnd }: Pick<Evidence, 'rounds' | 'atTheEnd'>,
): string[] {
  const later = stepsOf({ rounds }).filter(({ earlier }) => earlier.includes(step));
  return [...later.flatMap(({ incoming }) => incoming.emails), ...atTheEnd]
    .filter((email) => showsMarker(email, step))
    .flatMap(({ recipients }) => recipients);
}

/** Whether an address got as many emails as it was to get, in time or late, whichever writes they are of. */
export function gotAsManyAsDue(
  address: string,
  { late, ...known }: Known & Pick<Evidence, 'late'>,
): boolean {
  const steps = stepsOf(known);
  const emailsShowWrite = doEmailsShowWrite(known);
  const emails = [...steps.flatMap(({ incoming }) => incoming.emails), ...late].filter(
    (email) => !steps.every((step) => attribute(email, step, emailsShowWrite) === 'something else'),
  );
  const count = emails.filter(({ recipients }) => recipients.includes(address)).length;
  return count >= steps.filter(({ addresses }) => addresses.includes(address)).length;
}

/** Whether email of no earlier step arrived while the run wrote nothing: that is other people’s. */
export function hasOtherPeoplesEmail(steps: readonly Step[]): boolean {
  return steps.some((step) =>
    step.idle?.emails.some((email) => attribute(email, step, false) !== 'earlier write'),
  );
}

/** Somebody who got an email that was for others. */
export interface WrongRecipient {
  readonly address: string;
  readonly attribution: Attribution;
  /** The marker of the write that the email shows. */
  readonly marker: string | undefined;
}

/** Configured people who got email that may belong to a step, besides those who were to get it. */
export function wrongRecipientsOf(
  step: Step,
  evidence: Known & Pick<People, 'configured' | 'assigner'>,
): WrongRecipient[] {
  const steps = stepsOf(evidence);
  const emailsShowWrite = doEmailsShowWrite(evidence);
  const others = [...evidence.configured].filter((address) => !isExpected(address, step, evidence));
  const overdue = others.filter((address) => step.earlier.some((one) => isOverdue(address, one)));
  return [...step.incoming.emails, ...lateEmailsOf(step, steps)].flatMap((email) => {
    const attribution = attribute(email, step, emailsShowWrite);
    if (!mayBelong(attribution)) return [];
    // An email without a marker of this step may be the one that its recipient was to get of an earlier step.
    const isLate = (address: string) => attribution !== 'marker' && overdue.includes(address);
    const marker = step.markers.find((one) => email.text.includes(one));
    return email.recipients
      .filter((address) => others.includes(address) && !isLate(address))
      .map((address) => ({ address, attribution, marker }));
  });
}

/** Whether an address may get email of a step: that of an assignee, or of the assigner, for whom a copy is open. */
function isExpected(
  address: string,
  { kind, addresses }: Step,
  { assigner }: Pick<People, 'assigner'>,
): boolean {
  // Nobody gets a copy of a refused write.
  return addresses.includes(address) || (address === assigner && kind !== 'refused assignment');
}

/** Whether an address was to get email of a step, got none at all in time, and may still get it. */
function isOverdue(address: string, { addresses, incoming }: Step): boolean {
  const gotSome = incoming.emails.some(({ recipients }) => recipients.includes(address));
  return addresses.includes(address) && !gotSome;
}

/**
 * Emails that arrived after later steps and show a marker of this step, where its writes were refused; else none. The
 * comment of a refused write is kept nowhere, so that they can only be of that write.
 */
function lateEmailsOf(step: Step, steps: readonly Step[]): Email[] {
  if (step.kind !== 'refused assignment') return [];
  return steps
    .filter(({ earlier }) => earlier.includes(step))
    .flatMap((later) => later.incoming.emails)
    .filter((email) => showsMarker(email, step));
}
