import type { JudgedClause } from '../../schemas/clauses.ts';
import type { Fault } from './fault.ts';
import { changed, without } from './replaced.ts';
import { taskFieldClauses } from './task-fields.ts';

const fieldsBut = (...shown: readonly JudgedClause[]) =>
  taskFieldClauses.filter((clause) => !shown.includes(clause));

/** Spoils the answers to successful writes on their way out. */
const spoiltAnswer =
  (spoil: (text: string) => { status?: number; body: string }): NonNullable<Fault['wire']> =>
  (handle) =>
  async (request) => {
    const answer = await handle(request);
    const isWritten = request.method === 'PUT' && answer.status === 200;
    return isWritten && typeof answer.body === 'string'
      ? { ...answer, ...spoil(answer.body) }
      : answer;
  };

/** Writes that are carried out, and answered with something else (1. Update a task assignment). */
export const answerToWriteFaults: readonly Fault[] = [
  {
    id: 'a-write-answers-with-the-task-as-it-was',
    breaks: [
      'update.answers-with-the-new-assignment',
      'update.answers-with-a-new-version',
      'update.answers-with-the-updated-task',
      'unassign.answers-with-null-assignment',
    ],
    rules: { taskInAnswer: (_updated, earlier) => earlier },
  },
  {
    id: 'a-write-answers-with-the-earlier-assignment',
    breaks: [
      'update.answers-with-the-new-assignment',
      'update.answers-with-the-updated-task',
      'unassign.answers-with-null-assignment',
    ],
    rules: {
      taskInAnswer: (updated, { assignment }) => ({ ...updated, assignment }),
    },
  },
  {
    id: 'an-unassign-answers-with-the-earlier-assignment',
    breaks: ['unassign.answers-with-null-assignment', 'update.answers-with-the-updated-task'],
    rules: {
      taskInAnswer: (updated, earlier) => ({
        ...updated,
        assignment: updated.assignment ?? earlier.assignment,
      }),
    },
  },
  {
    id: 'a-write-answers-without-the-comment',
    breaks: ['update.answers-with-the-new-assignment', 'update.answers-with-the-updated-task'],
    rules: {
      taskInAnswer: (updated) => ({
        ...updated,
        assignment: updated.assignment && { ...updated.assignment, assignment_comment: null },
      }),
    },
  },
  {
    id: 'a-write-answers-with-another-data-version-than-is-read',
    breaks: ['update.answers-with-the-updated-task'],
    rules: {
      taskInAnswer: (updated, { data_version }) => ({ ...updated, data_version }),
    },
  },
  {
    id: 'a-write-answers-with-an-empty-name-where-null-is-read',
    breaks: ['update.answers-with-the-updated-task'],
    rules: { taskInAnswer: (updated) => ({ ...updated, name: updated.name ?? '' }) },
  },
  {
    id: 'a-write-answers-without-custom-metadata',
    breaks: ['update.answers-with-the-updated-task', 'task.custom-metadata'],
    rules: {
      presentTask: (task, shownIn) =>
        shownIn === 'write' ? without(task, 'custom_metadata') : task,
    },
  },
  {
    id: 'a-write-answers-with-the-assignment-only',
    breaks: [
      'update.answers-with-the-updated-task',
      'update.answers-with-a-new-version',
      ...fieldsBut('task.assignment'),
    ],
    rules: {
      presentTask: (task, shownIn) =>
        shownIn === 'write' ? { assignment: task.assignment } : task,
    },
  },
  {
    id: 'a-write-answers-with-the-id-and-the-version-only',
    breaks: [
      'update.answers-with-the-updated-task',
      'unassign.answers-with-null-assignment',
      ...fieldsBut('task.id', 'task.updated-at'),
    ],
    rules: {
      presentTask: (task, shownIn) =>
        shownIn === 'write' ? { id: task.id, updated_at: task.updated_at } : task,
    },
  },
  {
    id: 'a-write-answers-with-the-task-in-an-envelope',
    breaks: [
      'update.answers-with-the-updated-task',
      'update.answers-with-a-new-version',
      'unassign.answers-with-null-assignment',
      ...taskFieldClauses,
    ],
    rules: { presentTask: (task, shownIn) => (shownIn === 'write' ? { data: task } : task) },
  },
  {
    id: 'a-write-answers-with-data-version-as-text',
    breaks: ['task.data-version', 'update.answers-with-the-updated-task'],
    rules: {
      presentTask: (task, shownIn) =>
        shownIn === 'write' ? changed(task, 'data_version', String) : task,
    },
  },
  {
    id: 'a-write-is-answered-without-a-body',
    breaks: ['interface.response-bodies-are-json', 'update.answers-with-the-updated-task'],
    wire: spoiltAnswer(() => ({ status: 204, body: '' })),
  },
  {
    id: 'a-write-that-is-carried-out-is-answered-with-500',
    breaks: ['update.answers-with-the-updated-task', 'endpoints.refused-write-changes-nothing'],
    wire: spoiltAnswer(() => ({ status: 500, body: '' })),
  },
  {
    id: 'an-unassign-that-is-carried-out-is-answered-with-500',
    breaks: ['update.answers-with-the-updated-task', 'endpoints.refused-write-changes-nothing'],
    wire: spoiltAnswer((body) =>
      body.includes('"assignment":null') ? { status: 500, body: '' } : { body },
    ),
  },
  {
    id: 'a-write-is-answered-with-an-empty-object',
    breaks: [
      'update.answers-with-the-updated-task',
      'update.answers-with-a-new-version',
      'unassign.answers-with-null-assignment',
      ...taskFieldClauses,
    ],
    wire: spoiltAnswer(() => ({ body: '{}' })),
  },
];
