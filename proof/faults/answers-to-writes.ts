import type { ServiceResponse } from '../../reference/request.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import { changingTaskClauses } from '../clause-groups.ts';
import { changed, type Fault, fault, table, type Wire, without } from './fault.ts';
import { taskFieldClauses } from './task-fields.ts';

const fieldsBut = (...shown: readonly JudgedClause[]) =>
  taskFieldClauses.filter((clause) => !shown.includes(clause));

/** Changes the answers to successful writes on their way out. */
const changedAnswer =
  (change: (text: string) => { status?: number; body: string }): Wire =>
  (handle) =>
  async (request) => {
    const answer = await handle(request);
    const isWritten = request.method === 'PUT' && answer.status === 200;
    return isWritten && typeof answer.body === 'string'
      ? { ...answer, ...change(answer.body) }
      : answer;
  };

/** Answers to writes that accept JSON are kept by the assignee. */
const keptByAssignee: Wire = (handle) => {
  const kept = new Map<string, ServiceResponse>();
  return async (request) => {
    const answer = await handle(request);
    const [, id] = /"assigned_to_id":"(.*?)"/.exec(request.body) ?? [];
    const isMeant = id && answer.status === 200 && request.headers.accept === 'application/json';
    const before = isMeant ? kept.get(id) : undefined;
    if (isMeant && !before) kept.set(id, answer);
    return before ?? answer;
  };
};

/** Whoever has the task already has been assigned to it: where the assignee comes first, nothing else is looked at. */
const knownAssignee: Wire = (handle) => async (request) => {
  const [, id] = /^\{"update":\{"assigned_to_id":"(.*?)"/.exec(request.body) ?? [];
  if (id === undefined) return handle(request);
  const target = request.target.replace('/update-assignment', '');
  const read = await handle({ ...request, method: 'GET', target, body: '' });
  const { assignment, updated_at: version } = JSON.parse(`${read.body || '{}'}`);
  const isKnown = assignment?.assigned_to_id === id && request.headers['if-match'] === version;
  return isKnown ? read : handle(request);
};

const newAssignment = 'update.answers-with-the-new-assignment';
const newVersion = 'update.answers-with-a-new-version';
const updatedTask = 'update.answers-with-the-updated-task';
const nullAssignment = 'unassign.answers-with-null-assignment';

/** Writes that are carried out, and answered with something else (1. Update a task assignment). */
export const answerToWriteFaults: readonly Fault[] = [
  fault(
    'a-write-answers-with-the-task-as-it-was',
    [newAssignment, newVersion, updatedTask, nullAssignment],
    { taskInAnswer: (_updated, earlier) => earlier },
  ),
  fault(
    'a-write-answers-with-the-earlier-assignment',
    [newAssignment, updatedTask, nullAssignment],
    { taskInAnswer: (updated, { assignment }) => ({ ...updated, assignment }) },
  ),
  fault('an-unassign-answers-with-the-earlier-assignment', [nullAssignment, updatedTask], {
    taskInAnswer: (updated, earlier) => ({
      ...updated,
      assignment: updated.assignment ?? earlier.assignment,
    }),
  }),
  fault('a-write-answers-without-the-comment', [newAssignment, updatedTask], {
    taskInAnswer: (updated) => ({
      ...updated,
      assignment: updated.assignment && { ...updated.assignment, assignment_comment: null },
    }),
  }),
  fault(
    'an-answer-to-a-write-that-accepts-json-is-kept-for-the-assignee',
    { breaks: [updatedTask], mayBreak: [newAssignment, newVersion, 'comment.is-not-carried-over'] },
    keptByAssignee,
  ),
  fault(
    'an-assignment-to-who-has-the-task-is-left-out-where-the-assignee-comes-first',
    { breaks: [newAssignment, newVersion], mayBreak: changingTaskClauses },
    knownAssignee,
  ),
  fault(
    // And another updated_at: data_version alone may change by itself.
    'a-write-answers-with-another-data-version-than-is-read',
    [updatedTask, newVersion],
    {
      taskInAnswer: (updated, { data_version, updated_at }) => ({
        ...updated,
        data_version,
        updated_at,
      }),
    },
  ),
  fault('a-write-answers-with-an-empty-name-where-null-is-read', [updatedTask], {
    taskInAnswer: (updated) => ({ ...updated, name: updated.name ?? '' }),
  }),
  fault('a-write-answers-without-custom-metadata', ['task.custom-metadata'], {
    presentTask: (task, shownIn) => (shownIn === 'write' ? without(task, 'custom_metadata') : task),
  }),
  fault(
    'a-write-answers-with-the-assignment-only',
    [updatedTask, newVersion, ...fieldsBut('task.assignment')],
    {
      presentTask: (task, shownIn) =>
        shownIn === 'write' ? { assignment: task.assignment } : task,
    },
  ),
  fault(
    'a-write-answers-with-the-id-and-the-version-only',
    [updatedTask, nullAssignment, ...fieldsBut('task.id', 'task.updated-at')],
    {
      presentTask: (task, shownIn) =>
        shownIn === 'write' ? { id: task.id, updated_at: task.updated_at } : task,
    },
  ),
  fault(
    'a-write-answers-with-the-task-in-an-envelope',
    [updatedTask, newVersion, nullAssignment, ...taskFieldClauses],
    { presentTask: (task, shownIn) => (shownIn === 'write' ? { data: task } : task) },
  ),
  fault('a-write-answers-with-data-version-as-text', ['task.data-version'], {
    presentTask: (task, shownIn) =>
      shownIn === 'write' ? changed(task, 'data_version', String) : task,
  }),
  fault('a-write-answers-with-more-digits-of-the-version-than-are-kept', [updatedTask], {
    presentTask: (task, shownIn) =>
      shownIn === 'write'
        ? changed(task, 'updated_at', (at) => String(at).replace('Z', '437Z'))
        : task,
  }),
  fault(
    'a-write-is-answered-without-a-body',
    ['interface.response-bodies-are-json', updatedTask],
    changedAnswer(() => ({ status: 204, body: '' })),
  ),
  ...table(fault, [updatedTask, 'endpoints.refused-write-changes-nothing'], {
    'a-write-that-is-carried-out-is-answered-with-500': changedAnswer(() => ({
      status: 500,
      body: '',
    })),
    'an-unassign-that-is-carried-out-is-answered-with-500': changedAnswer((body) =>
      body.includes('"assignment":null') ? { status: 500, body: '' } : { body },
    ),
  }),
  fault(
    'a-write-is-answered-with-an-empty-object',
    [updatedTask, newVersion, nullAssignment, ...taskFieldClauses],
    changedAnswer(() => ({ body: '{}' })),
  ),
];
