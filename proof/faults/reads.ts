import type { AssessmentRecord, TaskRecord } from '../../reference/records.ts';
import type { ServiceRequest, ServiceResponse } from '../../reference/request.ts';
import { changingTaskClauses } from '../clause-groups.ts';
import { type Fault, fault, someId, type Wire } from './fault.ts';

const changingTasks = (id: string, change: (task: TaskRecord) => Partial<TaskRecord>): Fault =>
  fault(
    id,
    { breaks: ['get-task.changes-nothing'], mayBreak: changingTaskClauses },
    { taskAfterRead: (task) => ({ ...task, ...change(task) }) },
  );

const changingAssessments = (
  id: string,
  change: (assessment: AssessmentRecord) => Partial<AssessmentRecord>,
): Fault =>
  fault(
    id,
    {
      breaks: ['get-assessment.changes-nothing'],
      mayBreak: ['states.only-the-assignment-changes'],
    },
    { assessmentAfterRead: (assessment) => ({ ...assessment, ...change(assessment) }) },
  );

const acceptsJson = ({ headers }: ServiceRequest): boolean => headers.accept === 'application/json';

/** Answers such reads after a write, until the next, with the task as it was before that write. */
const stale =
  (isMeant: (request: ServiceRequest) => boolean = () => true): Wire =>
  (handle) => {
    const kept = new Map<string, ServiceResponse>();
    return async (request) => {
      const { method, target } = request;
      const path = target.replace('/update-assignment', '');
      const before =
        method === 'PUT' ? await handle({ ...request, method: 'GET', target: path }) : undefined;
      const answer = await handle(request);
      if (before !== undefined && answer.status === 200) kept.set(path, before);
      const isRead = method === 'GET' && answer.status === 200 && isMeant(request);
      return isRead ? (kept.get(path) ?? answer) : answer;
    };
  };

/** Answers a request as another one that is made of it and of the last request, where that was a valid read. */
const asAfterARead =
  (likewise: (request: ServiceRequest, last: ServiceRequest) => Partial<ServiceRequest>): Wire =>
  (handle) => {
    let last: ServiceRequest | undefined;
    return async (request) => {
      const answer = await handle({ ...request, ...(last && likewise(request, last)) });
      last = request.method === 'GET' && answer.status === 200 ? request : undefined;
      return answer;
    };
  };

const idIn = ({ target }: ServiceRequest): string | undefined => target.split('/').at(-1);

const noError = { error_message: null, error_details: null, error_step: null, error_type: null };

/** Reads that change what they read (2. Retrieve a task, 3. Retrieve an assessment). */
export const readFaults: readonly Fault[] = [
  changingTasks('reading-a-task-moves-updated-at', ({ updated_at }) => ({
    updated_at: updated_at + 1,
  })),
  // These with updated_at: data_version, locked_at and status alone may change by themselves.
  changingTasks('reading-a-task-counts-data-version', ({ data_version, updated_at }) => ({
    data_version: data_version + 1,
    updated_at: updated_at + 1,
  })),
  changingTasks('reading-a-task-moves-locked-at', ({ locked_at, updated_at }) => ({
    locked_at: locked_at + 1,
    updated_at: updated_at + 1,
  })),
  changingTasks('reading-a-task-changes-its-status', ({ status, updated_at }) => ({
    status: `${status}_SEEN`,
    updated_at: updated_at + 1,
  })),
  changingTasks('reading-a-task-takes-the-comment-away', ({ assignment }) => ({
    assignment: assignment && { ...assignment, assignment_comment: null },
  })),
  changingTasks('reading-a-task-unassigns-it', () => ({ assignment: null })),
  fault(
    'the-first-read-after-a-write-is-stale',
    {
      breaks: ['update.answers-with-the-updated-task'],
      mayBreak: [
        ...changingTaskClauses,
        'get-task.needs-the-apikey',
        'auth.empty-key-is-401',
        'auth.invalid-key-is-401',
      ],
    },
    stale(),
  ),
  fault(
    'a-read-after-a-write-is-stale-where-it-accepts-json',
    { breaks: ['update.answers-with-the-updated-task'], mayBreak: changingTaskClauses },
    stale(acceptsJson),
  ),
  fault(
    'an-assessment-accepted-as-json-has-no-outcome-id',
    ['assessment.outcome-id'],
    (handle) => async (request) => {
      const answer = await handle(request);
      const isMeant = request.target.includes('/assessments/') && acceptsJson(request);
      if (!isMeant || answer.status !== 200) return answer;
      const { outcome_id: _, ...others } = JSON.parse(`${answer.body}`);
      return { ...answer, body: JSON.stringify(others) };
    },
  ),
  fault(
    'reading-an-assessment-moves-updated-at-of-its-tasks',
    { breaks: ['get-assessment.changes-nothing'], mayBreak: changingTaskClauses },
    {
      findAssessment(id, { tasks, assessments }) {
        for (const task of tasks.values())
          if (task.assessment_id === id)
            tasks.set(task.id, { ...task, updated_at: task.updated_at + 1 });
        return assessments.get(id);
      },
    },
  ),
  changingAssessments('reading-an-assessment-moves-created-at', ({ created_at }) => ({
    created_at: created_at + 1,
  })),
  // These two with a field that does not change by itself, as status and outcome may.
  changingAssessments('reading-an-assessment-changes-its-status', () => ({
    status_id: someId,
    template_id: someId,
  })),
  changingAssessments(
    'reading-an-assessment-takes-its-outcome-away',
    ({ entity_id, outcome_id }) => ({ outcome_id: entity_id, entity_id: outcome_id }),
  ),
  fault('reading-an-assessment-takes-its-error-away', ['assessment.error-fields-set-on-error'], {
    assessmentAfterRead: (assessment) => ({ ...assessment, ...noError }),
  }),
  fault(
    'a-record-that-was-just-read-is-found-as-one-of-another-kind',
    ['get-task.unknown-task-is-404', 'get-assessment.unknown-assessment-is-404'],
    asAfterARead((request, last) => (idIn(request) === idIn(last) ? { target: last.target } : {})),
  ),
  fault(
    'a-record-that-was-just-read-is-read-again-with-any-key',
    ['auth.invalid-key-is-401'],
    asAfterARead((request, last) =>
      request.target === last.target && request.headers.apikey ? { headers: last.headers } : {},
    ),
  ),
];
