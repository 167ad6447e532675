import type { JsonObject, TaskRecord } from '../../reference/records.ts';
import { bodyRules } from '../../reference/rules/body.ts';
import { changingTaskClauses } from '../clause-groups.ts';
import { type Fault, fault, isObject, someId, type Wire } from './fault.ts';

/** A write that changes another field of the task, always or when the task is in a state. */
const touching = (
  id: string,
  touch: (task: TaskRecord, earlier: TaskRecord) => Partial<TaskRecord>,
): Fault =>
  fault(id, ['update.keeps-the-other-fields'], {
    otherFieldsAfterWrite: (task, earlier) => ({ ...task, ...touch(task, earlier) }),
  });

/**
 * A write that makes something of custom_metadata that it cannot be. What it contains is nobody's business: a write
 * may change that.
 */
const misshaping = (id: string, misshape: (metadata: unknown) => unknown): Fault =>
  fault(
    id,
    { breaks: ['task.custom-metadata'], mayBreak: ['endpoints.task-stays-valid'] },
    (handle) => {
      const written = new Set<string>();
      return async (request) => {
        const answer = await handle(request);
        const path = request.target.replace('/update-assignment', '');
        const task = bodyRules.readBody(String(answer.body));
        if (answer.status !== 200 || !path.includes('/tasks/') || !isObject(task)) return answer;
        if (request.method === 'PUT') written.add(path);
        if (!written.has(path)) return answer;
        const custom_metadata = misshape(task.custom_metadata);
        return { ...answer, body: JSON.stringify({ ...task, custom_metadata }) };
      };
    },
  );

/** A write that changes another task. */
const touchingOthers = (
  id: string,
  touch: (other: TaskRecord, changed: TaskRecord) => Partial<TaskRecord>,
): Fault =>
  fault(
    id,
    { breaks: ['update.keeps-other-tasks'], mayBreak: changingTaskClauses },
    { otherTaskAfterWrite: (other, task) => ({ ...other, ...touch(other, task) }) },
  );

/** With each write, assessments get another outcome, and the template that it belongs to. */
const touchesAssessments: Wire = (handle) => {
  let writes = 0;
  return async (request) => {
    const answer = await handle(request);
    if (request.method === 'PUT' && answer.status === 200) writes += 1;
    if (answer.status !== 200 || !request.target.includes('/assessments/')) return answer;
    const assessment = JSON.parse(String(answer.body));
    const outcome = someId.slice(0, -6) + String(writes).padStart(6, '0');
    const changed = { ...assessment, outcome_id: outcome, template_id: outcome };
    return { ...answer, body: JSON.stringify(changed) };
  };
};

/** After some assignments of its task, an assessment shows other values, or is not found. */
const touchesAssessmentsAfter =
  (isMeant: (update: JsonObject) => boolean, shown: JsonObject | 'not found'): Wire =>
  (handle) => {
    const touched = new Set<unknown>();
    return async (request) => {
      const answer = await handle(request);
      if (answer.status !== 200 || typeof answer.body !== 'string') return answer;
      const record = bodyRules.readBody(answer.body);
      const sent = bodyRules.readBody(request.body);
      if (!isObject(record)) return answer;
      if (isObject(sent) && isObject(sent.update)) {
        if (isMeant(sent.update)) touched.add(record.assessment_id);
        else touched.delete(record.assessment_id);
      }
      if (!request.target.includes('/assessments/') || !touched.has(record.id)) return answer;
      return shown === 'not found'
        ? { ...answer, status: 404, body: '' }
        : { ...answer, body: JSON.stringify({ ...record, ...shown }) };
    };
  };

/** Writes that change what they were not asked to (States and transitions). */
export const sideEffectFaults: readonly Fault[] = [
  touching('a-write-takes-away-the-name', () => ({ name: null })),
  touching('a-write-names-a-nameless-task', ({ name }) => ({ name: name ?? '' })),
  touching('a-write-puts-c-name-in-upper-case', ({ c_name }) => ({
    c_name: c_name.toUpperCase(),
  })),
  misshaping('a-write-empties-custom-metadata', (metadata) => (metadata ? [] : metadata)),
  misshaping('a-write-makes-empty-custom-metadata-null', (metadata) =>
    isObject(metadata) && Object.keys(metadata).length === 0 ? 'null' : metadata,
  ),
  touching('a-write-moves-created-at', ({ updated_at }) => ({ created_at: updated_at })),
  touching('a-write-changes-the-step', ({ step_name }) => ({ step_name: `${step_name} (open)` })),
  touching('a-write-changes-the-entity', () => ({ entity_id: someId })),
  touching('a-write-changes-the-institution', () => ({ institution_id: someId })),
  touching('a-write-changes-the-assessment', () => ({ assessment_id: someId })),
  touching('a-write-changes-the-assessment-template', () => ({ assessment_template_id: someId })),
  touching('a-write-changes-the-microfrontend', () => ({ microfrontend_id: someId })),
  touching('a-write-changes-the-workflow-instance', () => ({ workflow_instance_id: someId })),
  touching('an-unassign-changes-the-step', ({ assignment, step_name }) => ({
    step_name: assignment ? step_name : 'Unassigned',
  })),
  touchingOthers('a-write-moves-updated-at-of-every-task', ({ updated_at }) => ({
    updated_at: updated_at + 1,
  })),
  // With updated_at: data_version alone may change by itself.
  touchingOthers('a-write-counts-data-version-of-every-task', ({ data_version, updated_at }) => ({
    data_version: data_version + 1,
    updated_at: updated_at + 1,
  })),
  touchingOthers('a-write-assigns-every-task', (_other, { assignment }) => ({ assignment })),
  touchingOthers('a-write-puts-its-comment-on-tasks-of-the-same-assignee', (other, task) => ({
    assignment:
      other.assignment && other.assignment.assigned_to_id === task.assignment?.assigned_to_id
        ? { ...other.assignment, assignment_comment: task.assignment.assignment_comment }
        : other.assignment,
  })),
  touchingOthers('a-write-takes-tasks-of-the-same-entity-from-the-assignee', (other, task) => ({
    assignment:
      other.entity_id === task.entity_id &&
      other.assignment?.assigned_to_id === task.assignment?.assigned_to_id
        ? null
        : other.assignment,
  })),
  touchingOthers('an-assignment-to-a-user-is-that-of-all-tasks-of-the-entity', (other, task) =>
    other.entity_id === task.entity_id && task.assignment?.assigned_to_type === 'USER'
      ? { assignment: task.assignment, updated_at: task.updated_at }
      : {},
  ),
  touchingOthers('a-write-moves-updated-at-of-tasks-of-the-same-entity', (other, task) => ({
    updated_at: other.updated_at + (other.entity_id === task.entity_id ? 1 : 0),
  })),
  fault(
    'a-write-changes-the-assessment-of-the-task',
    {
      breaks: ['states.only-the-assignment-changes'],
      mayBreak: ['get-assessment.changes-nothing'],
    },
    touchesAssessments,
  ),
  fault(
    'an-assignment-without-a-comment-changes-the-template-of-the-assessment',
    {
      breaks: ['states.only-the-assignment-changes'],
      mayBreak: ['get-assessment.changes-nothing'],
    },
    touchesAssessmentsAfter(({ assignment_comment: comment }) => typeof comment !== 'string', {
      template_id: someId,
    }),
  ),
  {
    ...fault(
      'the-assessment-of-a-task-assigned-to-oneself-is-not-found',
      {
        breaks: ['states.only-the-assignment-changes'],
        mayBreak: ['get-assessment.changes-nothing'],
      },
      touchesAssessmentsAfter(
        (update) => update.assigned_by_id === update.assigned_to_id,
        'not found',
      ),
    ),
  },
  fault(
    'a-comment-of-several-lines-is-an-error-of-the-assessment',
    ['assessment.error-fields-null-without-error'],
    touchesAssessmentsAfter(({ assignment_comment: comment }) => String(comment).includes('\n'), {
      error_message: 'Lines',
    }),
  ),
];
