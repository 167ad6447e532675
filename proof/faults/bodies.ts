import type { JsonObject } from '../../reference/records.ts';
import { bodyRules } from '../../reference/rules/body.ts';
import { type Fault, fault, isObject, someId, table, type Wire } from './fault.ts';

/** A body that should be refused is corrected before anything checks it, and so carried out. */
const correcting =
  (name: 'update' | 'unassign') =>
  (id: string, breaks: Fault['breaks'], correct: (object: JsonObject) => JsonObject): Fault =>
    fault(id, breaks, {
      readBody(text) {
        const body = bodyRules.readBody(text);
        const object = isObject(body) ? body[name] : undefined;
        return isObject(body) && isObject(object) ? { ...body, [name]: correct(object) } : body;
      },
    });

const assigning = correcting('update');
const unassigning = correcting('unassign');

/** Bodies that are carried out although the document excludes them (1. Update a task assignment). */
export const bodyFaults: readonly Fault[] = [
  assigning(
    'an-assignment-without-assigned-by-id-is-carried-out',
    ['update.needs-assigned-by-id'],
    (update) => ('assigned_by_id' in update ? update : { ...update, assigned_by_id: someId }),
  ),
  assigning(
    'an-assignment-without-assigned-to-id-goes-to-who-assigns',
    ['update.needs-assigned-to-id'],
    (update) => ({ assigned_to_id: update.assigned_by_id, ...update }),
  ),
  assigning(
    'an-assignment-without-assigned-to-type-goes-to-a-user',
    ['update.needs-assigned-to-type'],
    (update) => ({ assigned_to_type: 'USER', ...update }),
  ),
  ...table(assigning, ['update.assigned-to-type-values'], {
    'an-assigned-to-type-in-lower-case-is-carried-out': ({
      assigned_to_type: type,
      ...others
    }) => ({
      ...others,
      ...(type !== undefined && {
        assigned_to_type: typeof type === 'string' ? type.toUpperCase() : type,
      }),
    }),
    'an-unknown-assigned-to-type-goes-to-a-user': (update) =>
      typeof update.assigned_to_type === 'string' && update.assigned_to_type !== 'TEAM'
        ? { ...update, assigned_to_type: 'USER' }
        : update,
  }),
  unassigning(
    'an-unassign-without-assigned-by-id-is-carried-out',
    ['unassign.needs-assigned-by-id'],
    (unassign) => ({ assigned_by_id: someId, ...unassign }),
  ),
  ...table(assigning, ['update.field-types'], {
    'a-number-for-who-assigns-is-carried-out': (update) =>
      typeof update.assigned_by_id === 'number' ? { ...update, assigned_by_id: someId } : update,
    'a-number-for-the-assignee-is-carried-out': (update) =>
      typeof update.assigned_to_id === 'number' ? { ...update, assigned_to_id: someId } : update,
    'a-null-for-who-assigns-is-carried-out': (update) =>
      update.assigned_by_id === null ? { ...update, assigned_by_id: someId } : update,
    'a-null-for-the-kind-of-assignee-goes-to-a-user': (update) =>
      update.assigned_to_type === null ? { ...update, assigned_to_type: 'USER' } : update,
    'a-comment-that-is-a-number-is-left-out': ({ assignment_comment: comment, ...others }) => ({
      ...others,
      assignment_comment: typeof comment === 'number' ? null : comment,
    }),
    'a-number-for-the-kind-of-assignee-is-its-place-in-the-list': (update) => ({
      ...update,
      ...(typeof update.assigned_to_type === 'number' && {
        assigned_to_type: ['USER', 'TEAM'][update.assigned_to_type],
      }),
    }),
    'a-comment-that-is-a-list-or-an-object-is-written-as-text': ({
      assignment_comment: comment,
      ...others
    }) => ({
      ...others,
      assignment_comment:
        typeof comment === 'object' && comment !== null ? JSON.stringify(comment) : comment,
    }),
  }),
  ...table(unassigning, ['update.field-types'], {
    'an-unassign-with-an-object-for-who-unassigns-is-carried-out': (unassign) =>
      typeof unassign.assigned_by_id === 'object'
        ? { ...unassign, assigned_by_id: someId }
        : unassign,
    'an-unassign-with-a-comment-of-another-type-is-carried-out': ({
      assignment_comment: comment,
      ...others
    }) => ({
      ...others,
      assignment_comment: typeof comment === 'string' ? comment : null,
    }),
  }),
  fault(
    'an-unknown-assigned-to-type-is-stored',
    { breaks: ['update.assigned-to-type-values'], mayBreak: ['endpoints.task-stays-valid'] },
    {
      bodyProblem(body) {
        const update = isObject(body) && isObject(body.update) ? body.update : {};
        const isText = typeof update.assigned_to_type === 'string';
        const looked = isText ? { update: { ...update, assigned_to_type: 'USER' } } : body;
        return bodyRules.bodyProblem(looked);
      },
    },
  ),
  ...table(fault, ['update.body-is-a-json-object'], {
    'a-list-that-holds-the-body-is-carried-out': {
      readBody(text) {
        const body = bodyRules.readBody(text);
        return Array.isArray(body) ? body[0] : body;
      },
    },
    'a-text-that-holds-the-body-is-carried-out': {
      readBody(text) {
        const body = bodyRules.readBody(text);
        return typeof body === 'string' ? bodyRules.readBody(body) : body;
      },
    },
    'a-body-that-is-no-json-object-unassigns-the-task': {
      readBody(text) {
        const body = bodyRules.readBody(text);
        return isObject(body) ? body : { unassign: { assigned_by_id: someId } };
      },
    },
    'a-body-that-is-cut-short-is-carried-out': {
      readBody: (text) => bodyRules.readBody(text) ?? bodyRules.readBody(`${text}}`),
    },
  }),
  ...table(fault, ['update.needs-if-match'], {
    'a-write-without-if-match-is-carried-out': { ifMatchProblem: () => 'none' },
    'a-write-without-if-match-is-carried-out-on-an-unassigned-task': withoutIfMatch(
      ({ assignment }) => assignment === null,
    ),
    'an-unassign-without-if-match-is-carried-out': withoutIfMatch(
      (_task, body) => 'unassign' in body,
    ),
  }),
];

/** Completes a write without If-Match where it is one of these. */
function withoutIfMatch(isMeant: (task: JsonObject, body: JsonObject) => boolean): Wire {
  return (handle) => async (request) => {
    if (request.method !== 'PUT' || 'if-match' in request.headers) return handle(request);
    const target = request.target.replace('/update-assignment', '');
    const read = await handle({ ...request, method: 'GET', target, body: '' });
    const [task, body] = [String(read.body), request.body].map(bodyRules.readBody);
    const completed = isObject(task) && isObject(body) && isMeant(task, body);
    const version = completed ? { 'if-match': String(task.updated_at) } : {};
    return handle({ ...request, headers: { ...request.headers, ...version } });
  };
}
