import { isDeepStrictEqual } from 'node:util';
import type { Fault } from './fault.ts';

/** A new updated_at that is not new, not the task's, or not accepted (Task; Versioning). */
export const newVersionFaults: readonly Fault[] = [
  {
    id: 'updated-at-never-changes',
    breaks: ['task.updated-at-changes-with-the-task', 'update.answers-with-a-new-version'],
    rules: { newVersion: (previous) => previous },
  },
  {
    id: 'updated-at-has-a-grain-of-a-second',
    breaks: ['task.updated-at-changes-with-the-task', 'update.answers-with-a-new-version'],
    rules: { newVersion: (_previous, now) => Math.floor(now / 1000) * 1000 },
  },
  {
    id: 'updated-at-stays-when-the-assignee-stays',
    breaks: ['task.updated-at-changes-with-the-task', 'update.answers-with-a-new-version'],
    rules: {
      otherFieldsAfterWrite(task, earlier) {
        const stays = task.assignment?.assigned_to_id === earlier.assignment?.assigned_to_id;
        return stays ? { ...task, updated_at: earlier.updated_at } : task;
      },
    },
  },
  {
    id: 'updated-at-stays-when-only-the-comment-changes',
    breaks: ['task.updated-at-changes-with-the-task', 'update.answers-with-a-new-version'],
    rules: {
      otherFieldsAfterWrite(task, earlier) {
        const uncommented = { ...task.assignment, assignment_comment: null };
        const before = { ...earlier.assignment, assignment_comment: null };
        const onlyComment = task.assignment !== null && isDeepStrictEqual(uncommented, before);
        return onlyComment ? { ...task, updated_at: earlier.updated_at } : task;
      },
    },
  },
  {
    id: 'updated-at-stays-on-unassign',
    breaks: ['task.updated-at-changes-with-the-task', 'update.answers-with-a-new-version'],
    rules: {
      otherFieldsAfterWrite: (task, earlier) =>
        task.assignment ? task : { ...task, updated_at: earlier.updated_at },
    },
  },
  {
    id: 'a-write-answers-with-the-old-version',
    breaks: ['update.answers-with-a-new-version', 'update.answers-with-the-updated-task'],
    rules: {
      taskInAnswer: (updated, earlier) => ({ ...updated, updated_at: earlier.updated_at }),
    },
  },
  {
    id: 'an-unassign-answers-with-the-old-version',
    breaks: ['update.answers-with-a-new-version', 'update.answers-with-the-updated-task'],
    rules: {
      taskInAnswer: (updated, earlier) =>
        updated.assignment ? updated : { ...updated, updated_at: earlier.updated_at },
    },
  },
  {
    id: 'a-write-answers-with-a-version-a-millisecond-late',
    breaks: ['update.answers-with-the-updated-task'],
    rules: { taskInAnswer: (updated) => ({ ...updated, updated_at: updated.updated_at + 1 }) },
  },
  {
    id: 'the-version-is-accepted-in-quotes-only',
    breaks: ['task.updated-at-is-the-version'],
    rules: { versionMatches: (given, { current }) => given === `"${current}"` },
  },
];
