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
 * By what an email belongs to a write, or not. It does by the `marker` of the write, which it shows, or by the `task`,
 * which it names. It does not where it belongs to an `earlier write`, or to `something else`: it names other ids,
 * while emails of this service name the task. `unknown`: nothing in it tells; it may be other people’s.
 */
export type Attribution = 'marker' | 'task' | 'earlier write' | 'something else' | 'unknown';

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** @param isUsual whether emails of this service are known to show markers or to name their task: see `isAttributable` */
export function attribute(email: Email, written: Written, isUsual: boolean): Attribution {
  if (showsMarker(email, written)) return 'marker';
  if (written.earlier.some((step) => isSentAgain(email, step))) return 'earlier write';
  if (namesTask(email, written)) return 'task';
  return isUsual && uuid.test(email.text) ? 'something else' : 'unknown';
}

/** Whether an email names the task of a write. */
export function namesTask({ text }: Email, { taskId }: Written): boolean {
  return text.toLowerCase().includes(taskId.toLowerCase());
}

/** Whether an email shows a comment of a write. */
export function showsMarker({ text }: Email, { markers }: Written): boolean {
  return markers.some((marker) => text.includes(marker));
}

/** Whether an email is that of an earlier step, late or delivered twice: to those who were to get it then. */
function isSentAgain(email: Email, step: Step): boolean {
  const { addresses } = step;
  const isMeant = addresses.length === 0 || addresses.some((one) => email.recipients.includes(one));
  return showsMarker(email, step) && isMeant;
}

/**
 * Whether a step shows that emails of this service name their task: all that arrived after it do, and everybody who was to get
 * email of it got some. A step of which nobody was to get email shows nothing.
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

/** Whether some email surely belongs to its step: then those of this service usually show what they belong to. */
export function isAttributable(evidence: Known): boolean {
  return (
    evidence.nameTheirTask ||
    stepsOf(evidence).some((step) =>
      step.incoming.emails.some((email) => surelyBelongs(attribute(email, step, false))),
    )
  );
}

/** Who was to get email of a step, and of whom nothing that came after it, in time, may belong to it. */
export function missingOf(step: Step, evidence: Known): string[] {
  const isUsual = isAttributable(evidence);
  const own = step.incoming.emails.filter((email) => mayBelong(attribute(email, step, isUsual)));
  return step.addresses.filter(
    (address) => !own.some(({ recipients }) => recipients.includes(address)),
  );
}

/** Who got email that shows the marker of a step, but too late: after other steps, or by the end of the run. */
export function servedLate(
  step: Step,
  { rounds, atTheEnd }: Pick<Evidence, 'rounds' | 'atTheEnd'>,
): string[] {
  const later = stepsOf({ rounds }).filter(({ earlier }) => earlier.includes(step));
  return [...later.flatMap(({ incoming }) => incoming.emails), ...atTheEnd]
    .filter((email) => showsMarker(email, step))
    .flatMap(({ recipients }) => recipients);
}

/** Whether an address got as many emails as it was to get, in time or late; of which write they are need not show. */
export function hasCome(
  address: string,
  { late, ...known }: Known & Pick<Evidence, 'late'>,
): boolean {
  const steps = stepsOf(known);
  const isUsual = isAttributable(known);
  const emails = [...steps.flatMap(({ incoming }) => incoming.emails), ...late].filter(
    (email) => !steps.every((step) => attribute(email, step, isUsual) === 'something else'),
  );
  const count = emails.filter(({ recipients }) => recipients.includes(address)).length;
  return count >= steps.filter(({ addresses }) => addresses.includes(address)).length;
}

/** Whether email arrived while the run wrote nothing: other people’s. */
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
  const isUsual = isAttributable(evidence);
  const wrong = [...evidence.configured].filter((address) => !isExpected(address, step, evidence));
  const overdue = wrong.filter((address) => step.earlier.some((one) => isOverdue(address, one)));
  return [...step.incoming.emails, ...lateEmailsOf(step, steps)].flatMap((email) => {
    const attribution = attribute(email, step, isUsual);
    if (!mayBelong(attribution)) return [];
    // What shows no marker of this step may be what somebody was to get of an earlier one.
    const isLate = (address: string) => attribution !== 'marker' && overdue.includes(address);
    const marker = step.markers.find((one) => email.text.includes(one));
    return email.recipients
      .filter((address) => wrong.includes(address) && !isLate(address))
      .map((address) => ({ address, attribution, marker }));
  });
}

/** Whether an address may get email of a step: that of an assignee, or of the assigner, for whom a copy is open. */
function isExpected(
  address: string,
  { kind, addresses }: Step,
  { assigner }: Pick<People, 'assigner'>,
): boolean {
  // Of what was refused there is no copy.
  return addresses.includes(address) || (address === assigner && kind !== 'refused assignment');
}

/** Whether an address was to get email of a step, got none at all in time, and may still get it. */
function isOverdue(address: string, { addresses, incoming }: Step): boolean {
  const isThere = incoming.emails.some(({ recipients }) => recipients.includes(address));
  return addresses.includes(address) && !isThere;
}

/**
 * Emails that arrived after later steps and show the marker of a refused write. The comment of a refused write is
 * kept nowhere, so that they can only be of that write.
 */
function lateEmailsOf(step: Step, steps: readonly Step[]): Email[] {
  if (step.kind !== 'refused assignment') return [];
  return steps
    .filter(({ earlier }) => earlier.includes(step))
    .flatMap((later) => later.incoming.emails)
    .filter((email) => showsMarker(email, step));
}
