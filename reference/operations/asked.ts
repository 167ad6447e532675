import type { UpdateAssignment } from '../../schemas/update-assignment.ts';
import type { TaskRecord } from '../records.ts';
import type { Refusal } from '../refusal.ts';
import type { Change } from '../rules/assignment.ts';
import type { Rules } from '../rules.ts';
import type { ServiceRequest } from '../service.ts';
import { refusal, type Service } from './service.ts';

/** What a write asks for once everything about it was looked at; without a change there is nothing to do. */
export type Asked = { readonly refused: Refusal } | { readonly change: Change | undefined };

type WriteBody = Partial<Pick<UpdateAssignment, 'update' | 'unassign'>>;

/** What a write to the task asks for: its media type, body and version are checked (1. Update a task assignment). */
export function whatIsAsked(
  headers: ServiceRequest['headers'],
  body: unknown,
  task: TaskRecord,
  service: Service,
): Asked {
  const { rules } = service;
  const otherMediaType = rules.mediaTypeProblem(headers['content-type']);
  if (otherMediaType !== 'none') {
    const detail = 'The body is not of the media type application/json.';
    return { refused: refusal('other-media-type', detail, rules, otherMediaType) };
  }
  const asked = changeInBody(body, rules);
  const kind = 'change' in asked ? asked.change?.kind : undefined;
  const outdated = versionRefusal(headers['if-match'], task, kind, service);
  if (outdated && (rules.isCheckedFirst() === 'version' || 'change' in asked)) {
    return { refused: outdated };
  }
  return kind === 'unassign' && !task.assignment ? unassignUnassigned(asked, rules) : asked;
}

/** The refusal of a version that is not the task's current one (Errors: 409). */
export function mismatch(rules: Rules): Refusal {
  const detail = 'If-Match differs from the updated_at of the task. Read the task again and retry.';
  return refusal('version-mismatch', detail, rules);
}

function versionRefusal(
  ifMatch: string | undefined,
  task: TaskRecord,
  kind: Change['kind'] | undefined,
  { rules, store }: Service,
): Refusal | undefined {
  const problem = rules.ifMatchProblem(ifMatch);
  if (problem !== 'none') {
    const detail = 'If-Match must hold the updated_at of the task.';
    return refusal('missing-version', detail, rules, problem);
  }
  if (ifMatch === undefined || (ifMatch === '*' && rules.starMatches())) return undefined;
  const versions = {
    current: rules.timestamp(task.updated_at),
    earlier: store.earlierVersions(task.id).map(rules.timestamp),
  };
  const matches = rules.versionMatches(rules.versionInIfMatch(ifMatch), versions, kind);
  return matches ? undefined : mismatch(rules);
}

function changeInBody(body: unknown, rules: Rules): Asked {
  const problem = rules.bodyProblem(body);
  if (problem) return invalid(problem, rules, rules.invalidBodyStatus(body));
  // bodyProblem has looked at everything that is read here.
  const { update, unassign } = body as WriteBody;
  const changes = {
    update: update && toAssign(update),
    unassign: unassign && toUnassign(unassign),
    leave: undefined,
  };
  const only = update ? 'update' : unassign ? 'unassign' : rules.bodyWithNeither();
  const chosen = update && unassign ? rules.bodyWithBoth() : only;
  if (typeof chosen === 'number') {
    return invalid('The body holds either `update` or `unassign`.', rules, chosen);
  }
  const change = changes[chosen];
  const badComment = typeof change?.comment === 'string' && rules.commentProblem(change.comment);
  return badComment ? invalid(badComment, rules, rules.invalidBodyStatus(body)) : { change };
}

const toAssign = (update: NonNullable<WriteBody['update']>): Change => ({
  kind: 'update',
  by: update.assigned_by_id,
  to: { assigned_to_id: update.assigned_to_id, assigned_to_type: update.assigned_to_type },
  comment: update.assignment_comment,
});

const toUnassign = (unassign: NonNullable<WriteBody['unassign']>): Change => ({
  kind: 'unassign',
  by: unassign.assigned_by_id,
  comment: unassign.assignment_comment,
});

function unassignUnassigned(asked: Asked, rules: Rules): Asked {
  const reaction = rules.unassignUnassigned();
  if (reaction === 'carry-out') return asked;
  if (reaction === 'leave') return { change: undefined };
  return invalid('The task has no assignment.', rules, reaction);
}

function invalid(detail: string, rules: Rules, status: number): Asked {
  return { refused: refusal('invalid-body', detail, rules, status) };
}
