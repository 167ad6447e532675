import { randomUUID } from 'node:crypto';
import { shownTask } from '../present.ts';
import type { TaskRecord } from '../records.ts';
import type { Refusal } from '../refusal.ts';
import type { Change } from '../rules/assignment.ts';
import type { ServiceRequest, ServiceResponse } from '../request.ts';
import { mismatch, whatIsAsked } from './asked.ts';
import { notify, send } from './notify.ts';
import { refusal, refuse, refusedAccess, type Service, succeed } from './service.ts';

const operation = 'update-assignment';

/** 1. Update a task assignment. */
export async function updateAssignment(
  request: ServiceRequest,
  id: string,
  service: Service,
): Promise<ServiceResponse> {
  const { rules, store, directory } = service;
  const task = rules.findTask(id, store);
  const denied = refusedAccess(request, operation, service);
  const body = rules.readBody(request.body);
  const refuseWrite = (refused: Refusal, current: TaskRecord | undefined) => {
    if (current) store.replaceTask(rules.taskAfterRefusal(current, refused, body));
    send(rules.emailsOfRefusal(refused, body, directory), service);
    return refuse(refused, rules);
  };
  if (!task) {
    const unknown = refusal('unknown-task', 'No task has this id.', rules);
    return refuseWrite((rules.keyIsCheckedFirst(operation) && denied) || unknown, undefined);
  }
  if (denied) return refuseWrite(denied, task);

  const asked = whatIsAsked(request.headers, body, task, service);
  if ('refused' in asked) return refuseWrite(asked.refused, task);
  if (!asked.change) return succeed(operation, shownTask(task, 'write', rules), rules);

  await rules.beforeWriting();
  const current = store.tasks.get(task.id) ?? task;
  if (!rules.isStillTheSame(task, current)) return refuseWrite(mismatch(rules), current);
  const updated = carryOut(asked.change, task, service);
  const shown = rules.taskInAnswer(updated, task);
  return succeed(operation, shownTask(shown, 'write', rules), rules);
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
    locked_at: rules.lockedAtAfterWrite(earlier.locked_at, now),
    data_version: rules.dataVersionAfterWrite(earlier.data_version),
    status: rules.statusAfterWrite(earlier.status, assignment),
  };
  const updated = rules.otherFieldsAfterWrite(changed, earlier);
  store.replaceTask(updated);
  for (const other of store.tasks.values()) {
    if (other.id !== updated.id) store.replaceTask(rules.otherTaskAfterWrite(other, updated));
  }
  record(change, updated, earlier, now, service);
  notify({ task: updated, earlier, change }, service);
  return updated;
}

function record(
  change: Change,
  task: TaskRecord,
  earlier: TaskRecord,
  at: number,
  { rules, store }: Service,
): void {
  const event = rules.auditEvent(change, task, earlier, at);
  if (!event) return;
  const append = () => store.events.push({ id: randomUUID(), ...event });
  const delay = rules.auditDelay();
  if (delay === 0) append();
  else setTimeout(append, delay).unref();
}
