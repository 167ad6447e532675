import { changingTaskClauses } from '../clause-groups.ts';
import type { TaskRecord } from '../records.ts';
import { type Fault, fault, someId, type Wire } from './fault.ts';

/** A write that changes another field of the task, always or when the task is in a state. */
const touching = (
  id: string,
  touch: (task: TaskRecord, earlier: TaskRecord) => Partial<TaskRecord>,
): Fault =>
  fault(id, ['update.keeps-the-other-fields'], {
    rules: { otherFieldsAfterWrite: (task, earlier) => ({ ...task, ...touch(task, earlier) }) },
  });

/** A write that changes another task. */
const touchingOthers = (
  id: string,
  touch: (other: TaskRecord, changed: TaskRecord) => Partial<TaskRecord>,
): Fault =>
  fault(id, ['update.keeps-other-tasks'], {
    mayBreak: changingTaskClauses,
    rules: { otherTaskAfterWrite: (other, task) => ({ ...other, ...touch(other, task) }) },
  });

/** With each write, assessments get another outcome. */
const touchesAssessments: Wire = (handle) => {
  let writes = 0;
  return async (request) => {
    const answer = await handle(request);
    if (request.method === 'PUT' && answer.status === 200) writes += 1;
    if (answer.status !== 200 || !request.target.includes('/assessments/')) return answer;
    const assessment = JSON.parse(String(answer.body));
    const outcome = someId.slice(0, -6) + String(writes).padStart(6, '0');
    return { ...answer, body: JSON.stringify({ ...assessment, outcome_id: outcome }) };
  };
};

/** Writes that change what they were not asked to (States and transitions). */
export const sideEffectFaults: readonly Fault[] = [
  touching('a-write-takes-away-the-name', () => ({ name: null })),
  touching('a-write-names-a-nameless-task', ({ name }) => ({ name: name ?? '' })),
  touching('a-write-puts-c-name-in-upper-case', ({ c_name }) => ({
    c_name: c_name.toUpperCase(),
  })),
  touching('a-write-empties-custom-metadata', ({ custom_metadata }) => ({
    custom_metadata: custom_metadata && {},
  })),
  touching('a-write-makes-empty-custom-metadata-null', ({ custom_metadata }) => ({
    custom_metadata:
      custom_metadata && Object.keys(custom_metadata).length > 0 ? custom_metadata : null,
  })),
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
  touchingOthers('a-write-counts-data-version-of-every-task', ({ data_version }) => ({
    data_version: data_version + 1,
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
  touchingOthers('a-write-moves-updated-at-of-tasks-of-the-same-entity', (other, task) => ({
    updated_at: other.updated_at + (other.entity_id === task.entity_id ? 1 : 0),
  })),
  fault('a-write-changes-the-assessment-of-the-task', ['states.only-the-assignment-changes'], {
    mayBreak: ['get-assessment.changes-nothing'],
    wire: touchesAssessments,
  }),
];
