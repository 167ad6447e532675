import { changingTaskClauses } from '../clause-groups.ts';
import type { AssessmentRecord, TaskRecord } from '../records.ts';
import type { ServiceResponse } from '../request.ts';
import { type Fault, fault, someId, type Wire } from './fault.ts';

const changingTasks = (id: string, change: (task: TaskRecord) => Partial<TaskRecord>): Fault =>
  fault(id, ['get-task.changes-nothing'], {
    mayBreak: changingTaskClauses,
    rules: { taskAfterRead: (task) => ({ ...task, ...change(task) }) },
  });

const changingAssessments = (
  id: string,
  change: (assessment: AssessmentRecord) => Partial<AssessmentRecord>,
): Fault =>
  fault(id, ['get-assessment.changes-nothing'], {
    mayBreak: ['states.only-the-assignment-changes'],
    rules: { assessmentAfterRead: (assessment) => ({ ...assessment, ...change(assessment) }) },
  });

/** Answers the first read after a write with the task as it was read before. */
const stale: Wire = (handle) => {
  const kept = new Map<string, ServiceResponse>();
  const written = new Set<string>();
  return async (request) => {
    const { method, target } = request;
    const path = target.replace('/update-assignment', '');
    const answer = await handle(request);
    if (method === 'PUT') written.add(path);
    else if (written.delete(path)) return kept.get(path) ?? answer;
    else if (answer.status === 200) kept.set(path, answer);
    return answer;
  };
};

/** Reads that change what they read (2. Retrieve a task, 3. Retrieve an assessment). */
export const readFaults: readonly Fault[] = [
  changingTasks('reading-a-task-moves-updated-at', ({ updated_at }) => ({
    updated_at: updated_at + 1,
  })),
  changingTasks('reading-a-task-counts-data-version', ({ data_version }) => ({
    data_version: data_version + 1,
  })),
  changingTasks('reading-a-task-moves-locked-at', ({ locked_at }) => ({
    locked_at: locked_at + 1,
  })),
  changingTasks('reading-a-task-takes-the-comment-away', ({ assignment }) => ({
    assignment: assignment && { ...assignment, assignment_comment: null },
  })),
  changingTasks('reading-a-task-unassigns-it', () => ({ assignment: null })),
  changingTasks('reading-a-task-changes-its-status', ({ status }) => ({
    status: `${status}_SEEN`,
  })),
  fault('the-first-read-after-a-write-is-stale', ['update.answers-with-the-updated-task'], {
    mayBreak: [
      ...changingTaskClauses,
      'get-task.needs-the-apikey',
      'auth.empty-key-is-401',
      'auth.invalid-key-is-401',
    ],
    wire: stale,
  }),
  changingAssessments('reading-an-assessment-moves-created-at', ({ created_at }) => ({
    created_at: created_at + 1,
  })),
  changingAssessments('reading-an-assessment-changes-its-status', () => ({ status_id: someId })),
  changingAssessments('reading-an-assessment-takes-its-outcome-away', ({ entity_id }) => ({
    outcome_id: entity_id,
  })),
  changingAssessments('reading-an-assessment-takes-its-error-away', () => ({
    error_message: null,
    error_details: null,
  })),
];
