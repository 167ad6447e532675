import type { ShownIn } from '../../reference/rules/retrieval.ts';
import { dashed } from '../../schemas/clause.ts';
import { taskFields } from '../../schemas/resources.ts';
import { changed, type Fault, fault, without } from './fault.ts';

type TaskField = (typeof taskFields)[number];

const clauseOf = (field: TaskField) => `task.${dashed(field)}` as const;

/** The clauses of all fields. */
export const taskFieldClauses = taskFields.map(clauseOf);

/** A value of a type that the field does not have. */
const otherTypes: Readonly<Record<TaskField, unknown>> = {
  id: 4711,
  assessment_id: 4711,
  assessment_template_id: { id: 4711 },
  assignment: 'USER',
  c_name: ['Document check'],
  name: { en: 'Document check' },
  created_at: 1_767_225_600_000,
  updated_at: 1_767_225_600_000,
  locked_at: 1_767_225_600,
  custom_metadata: '{}',
  data_version: '3',
  entity_id: 4711,
  institution_id: ['4711'],
  microfrontend_id: 4711,
  status: 0,
  step_name: false,
  workflow_instance_id: { id: 4711 },
};

const missing = taskFields.map((field) =>
  fault(`a-task-lacks-${dashed(field)}`, [clauseOf(field), 'get-task.answers-with-the-full-task'], {
    presentTask: (task) => without(task, field),
  }),
);

const ofAnotherType = taskFields.map((field) =>
  fault(`${dashed(field)}-of-a-task-is-of-another-type`, [clauseOf(field)], {
    presentTask: (task) => ({ ...task, [field]: otherTypes[field] }),
  }),
);

/** A field that is wrong where a task is shown in one kind of answer only. */
const wrongIn = (
  shownIn: ShownIn,
  id: string,
  field: TaskField,
  change: (value: unknown) => unknown,
): Fault =>
  fault(id, [clauseOf(field)], {
    presentTask: (task, where) => (where === shownIn ? changed(task, field, change) : task),
  });

const ofAnotherForm = (
  id: string,
  field: TaskField,
  clauses: Fault['breaks'],
  change: (text: string) => unknown,
): Fault =>
  fault(id, clauses, {
    presentTask: (task) => changed(task, field, (value) => change(String(value))),
  });

const hour = 60 * 60 * 1000;

const timestamps = ['fields.timestamps-are-iso-utc'] as const;
const identifiers = ['fields.identifiers-are-uuid-shaped'] as const;

/** Tasks whose fields are missing, of another type or of another form (Task). */
export const taskFieldFaults: readonly Fault[] = [
  ...missing,
  ...ofAnotherType,
  wrongIn('read', 'a-read-shows-data-version-as-text', 'data_version', String),
  wrongIn('write', 'a-write-shows-locked-at-as-a-number', 'locked_at', () => 1_767_225_600),
  wrongIn('write', 'a-write-shows-status-as-a-number', 'status', () => 1),
  ofAnotherForm('data-version-has-a-fraction', 'data_version', ['task.data-version'], (text) =>
    Number(`${text}.5`),
  ),
  ofAnotherForm('custom-metadata-is-a-list', 'custom_metadata', ['task.custom-metadata'], () => []),
  fault('times-have-a-local-offset', timestamps, {
    timestamp: (at) => new Date(at + 2 * hour).toISOString().replace('Z', '+02:00'),
  }),
  ofAnotherForm('created-at-has-a-space-for-the-t', 'created_at', timestamps, (text) =>
    text.replace('T', ' '),
  ),
  ofAnotherForm('created-at-is-a-day', 'created_at', timestamps, (text) => text.slice(0, 10)),
  ofAnotherForm('locked-at-names-no-zone', 'locked_at', timestamps, (text) =>
    text.replace('Z', ''),
  ),
  ofAnotherForm('locked-at-is-a-day-that-does-not-exist', 'locked_at', timestamps, (text) =>
    text.replace(/-\d\d-\d\dT/, '-02-30T'),
  ),
  ofAnotherForm('locked-at-is-empty-text', 'locked_at', timestamps, () => ''),
  ofAnotherForm(
    'a-task-id-has-no-hyphens',
    'id',
    [...identifiers, 'get-task.answers-with-the-task-asked-for'],
    (text) => text.replaceAll('-', ''),
  ),
  ofAnotherForm('an-entity-id-is-in-braces', 'entity_id', identifiers, (text) => `{${text}}`),
  ofAnotherForm(
    'an-institution-id-is-a-number-in-text',
    'institution_id',
    identifiers,
    () => '4711',
  ),
  ofAnotherForm(
    'a-workflow-instance-id-has-a-prefix',
    'workflow_instance_id',
    identifiers,
    (text) => `wfi_${text}`,
  ),
];
