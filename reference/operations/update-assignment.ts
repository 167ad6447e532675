import type { UpdateAssignment } from '../../schemas/resources.ts';
import type { TaskRecord } from '../records.ts';
import type { Refusal, ServiceRequest, ServiceResponse } from '../request.ts';
import type { Change } from '../rules/assignment.ts';
import type { Email, Notice } from '../rules/notification.ts';
import type { Rules } from '../rules.ts';
import {
  refusal,
  refuse,
  refusedAccess,
  type Service,
  shownTask,
  succeed,
  unknownId,
} from './service.ts';

/*
 * The way of a write: access, then media type, body and version are checked; what is still asked for is carried out,
 * unless the task has changed meanwhile; the change is recorded, and people get email. At each step rules decide.
 */

const operation = 'update-assignment';

/** 1. Update a task assignment. */
export async function updateAssignment(
  request: ServiceRequest,
  service: Service,
  id: string,
): Promise<ServiceResponse> {
  const { rules, store, directory } = service;
  const task = rules.findTask(id, store);
  const denied = refusedAccess(request, operation, service);
  const body = rules.readBody(request.body);
  const refuseWrite = (refused: Refusal, current: TaskRecord | undefined) => {
    if (current) store.replaceTask(rules.taskAfterRefusal(current, refused, body));
    const event = rules.eventOfRefusal(refused, body, current, service.clock());
    if (event) store.record(event);
    send(rules.emailsOfRefusal(refused, body, directory), service);
    return refuse(refused, rules);
  };
  if (!task) {
    const unknown = unknownId('unknown-task', id, rules);
    return refuseWrite(
      (rules.keyIsCheckedFirst(operation, 'lookup') && denied) || unknown,
      undefined,
    );
  }
  if (denied && rules.keyIsCheckedFirst(operation, 'request')) return refuseWrite(denied, task);

  const checked = check(request.headers, body, task, service);
  if ('refused' in checked) return refuseWrite(checked.refused, task);
  if (denied) return refuseWrite(denied, task);
  if (!checked.change) return succeed(operation, shownTask(task, 'write', rules), rules);

  await rules.beforeWriting();
  const current = store.tasks.get(task.id) ?? task;
  if (!rules.isStillTheSame(task, current, checked.change.kind)) {
    return refuseWrite(mismatch(rules), current);
  }
  const updated = carryOut(checked.change, task, service);
  const shown = rules.taskInAnswer(updated, task);
  return succeed(operation, shownTask(shown, 'write', rules), rules);
}

/** What is wrong with a write, or what it asks for; without a change there is nothing to do. */
type Checked = { readonly refused: Refusal } | { readonly change: Change | undefined };

function check(
  headers: ServiceRequest['headers'],
  body: unknown,
  task: TaskRecord,
  service: Service,
): Checked {
  const { rules } = service;
  const mediaTypeStatus = rules.mediaTypeProblem(headers['content-type']);
  if (mediaTypeStatus !== 'none') {
    const detail = 'The body is not of the media type application/json.';
    return { refused: refusal('other-media-type', detail, rules, mediaTypeStatus) };
  }
  const ofBody = checkBody(body, rules);
  const kind = 'change' in ofBody ? ofBody.change?.kind : undefined;
  const ofVersion = checkVersion(headers['if-match'], task, kind, service);
  if (ofVersion && (rules.isCheckedFirst() === 'version' || 'change' in ofBody)) {
    return { refused: ofVersion };
  }
  return kind === 'unassign' && !task.assignment ? checkUnassigned(ofBody, rules) : ofBody;
}

function checkBody(body: unknown, rules: Rules): Checked {
  const problem = rules.bodyProblem(body);
  if (problem) return invalid(problem, rules.invalidBodyStatus(body), rules);
  // bodyProblem has looked at everything that is read here.
  const { update, unassign } = body as Partial<Pick<UpdateAssignment, 'update' | 'unassign'>>;
  const changes: Readonly<Record<'update' | 'unassign' | 'leave', Change | undefined>> = {
    update: update && {
      kind: 'update',
      by: update.assigned_by_id,
      to: { assigned_to_id: update.assigned_to_id, assigned_to_type: update.assigned_to_type },
      comment: update.assignment_comment,
    },
    unassign: unassign && {
      kind: 'unassign',
      by: unassign.assigned_by_id,
      comment: unassign.assignment_comment,
    },
    leave: undefined,
  };
  const only = update ? 'update' : unassign ? 'unassign' : rules.bodyWithNeither();
  const chosen = update && unassign ? rules.bodyWithBoth() : only;
  if (typeof chosen === 'number') {
    return invalid('The body holds either `update` or `unassign`.', chosen, rules);
  }
  return { change: changes[chosen] };
}

function checkUnassigned(unassigning: Checked, rules: Rules): Checked {
  const reaction = rules.unassignUnassigned();
  if (reaction === 'carry-out') return unassigning;
  if (reaction === 'leave') return { change: undefined };
  return invalid('The task has no assignment.', reaction, rules);
}

function invalid(detail: string, status: number, rules: Rules): Checked {
  return { refused: refusal('invalid-body', detail, rules, status) };
}

function checkVersion(
  ifMatch: string | undefined,
  task: TaskRecord,
  kind: Change['kind'] | undefined,
  { rules, store }: Service,
): Refusal | undefined {
  const status = rules.ifMatchProblem(ifMatch);
  if (status !== 'none') {
    const detail = 'If-Match must hold the updated_at of the task.';
    return refusal('missing-version', detail, rules, status);
  }
  if (ifMatch === undefined || (ifMatch === '*' && rules.starMatches())) return undefined;
  const versions = {
    current: rules.timestamp(task.updated_at),
    earlier: store.earlierVersions(task.id).map(rules.timestamp),
  };
  const matches = rules.versionMatches(rules.versionInIfMatch(ifMatch), versions, kind);
  return matches ? undefined : mismatch(rules);
}

/** The refusal of a version that is not the task's current one (Errors: 409). */
function mismatch(rules: Rules): Refusal {
  const detail = 'If-Match differs from the updated_at of the task. Read the task again and retry.';
  return refusal('version-mismatch', detail, rules);
}

function carryOut(change: Change, earlier: TaskRecord, service: Service): TaskRecord {
  const { rules, store, clock } = service;
  const now = clock();
  const comment = rules.commentToStore(change.comment, earlier.assignment);
  const assignment = rules.newAssignment(change, comment, earlier.assignment);
  const changed: TaskRecord = {
    ...earlier,
    assignment,
    updated_at: rules.newVersion(earlier.updated_at, now, rules.timestamp),
    data_version: earlier.data_version + 1,
  };
  const updated = rules.otherFieldsAfterWrite(changed, earlier);
  store.replaceTask(updated);
  for (const other of store.tasks.values()) {
    if (other.id !== updated.id) store.replaceTask(rules.otherTaskAfterWrite(other, updated));
  }
  const event = rules.auditEvent(change, updated, earlier, now);
  if (event) after(rules.auditDelay(), () => store.record(event));
  notify({ task: updated, earlier, change }, service);
  return updated;
}

/** Sends the email of a write that was carried out (Events). */
function notify(notice: Notice, service: Service): void {
  const { rules, directory } = service;
  const people = rules.peopleToNotify(notice, directory);
  const emails = rules.addressed(people).map((heads) => ({ ...heads, ...rules.wording(notice) }));
  send([...emails, ...rules.furtherEmails(notice, directory)], service);
}

/** Sends emails, each after its delay. */
function send(emails: readonly Email[], { rules, post }: Service): void {
  for (const [index, email] of emails.entries()) after(rules.mailDelay(index), () => post(email));
}

/** Does something so many milliseconds later; with 0, now. */
function after(delay: number, act: () => void): void {
  if (delay === 0) act();
  else setTimeout(act, delay).unref();
}
