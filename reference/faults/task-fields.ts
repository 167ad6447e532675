import type { JudgedClause } from '../../schemas/clauses.ts';
import type { ShownIn } from '../rules/retrieval.ts';
import type { Fault } from './fault.ts';
import { changed, without } from './replaced.ts';

/** The clause of each field, and a value of a type that the field does not have. */
const fields: Readonly<Record<string, readonly [clause: JudgedClause, otherType: unknown]>> = {
  id: ['task.id', 4711],
  assessment_id: ['task.assessment-id', 4711],
  assessment_template_id: ['task.assessment-template-id', { id: 4711 }],
  assignment: ['task.assignment', 'USER'],
  c_name: ['task.c-name', ['Document check']],
  name: ['task.name', { en: 'Document check' }],
  created_at: ['task.created-at', 1_767_225_600_000],
  updated_at: ['task.updated-at', 1_767_225_600_000],
  locked_at: ['task.locked-at', 1_767_225_600],
  custom_metadata: ['task.custom-metadata', '{}'],
  data_version: ['task.data-version', '3'],
  entity_id: ['task.entity-id', 4711],
  institution_id: ['task.institution-id', ['4711']],
  microfrontend_id: ['task.microfrontend-id', 4711],
  status: ['task.status', 0],
  step_name: ['task.step-name', false],
  workflow_instance_id: ['task.workflow-instance-id', { id: 4711 }],
};

const named = (field: string) => field.replaceAll('_', '-');

/** The clauses of all fields. */
export const taskFieldClauses = Object.values(fields).map(([clause]) => clause);

const missing = Object.entries(fields).map(
  ([field, [clause]]): Fault => ({
    id: `a-task-lacks-${named(field)}`,
    breaks: [clause, 'get-task.answers-with-the-full-task'],
    rules: { presentTask: (task) => without(task, field) },
  }),
);

const ofAnotherType = Object.entries(fields).map(
  ([field, [clause, value]]): Fault => ({
    id: `${named(field)}-of-a-task-is-of-another-type`,
    breaks: [clause],
    rules: { presentTask: (task) => ({ ...task, [field]: value }) },
  }),
);

/** A field that is wrong where a task is shown in one kind of answer only. */
const wrongIn = (
  shownIn: ShownIn,
  field: string,
  change: (value: unknown) => unknown,
  id: string,
  clause: JudgedClause,
): Fault => ({
  id,
  breaks: [clause, 'update.answers-with-the-updated-task'],
  rules: {
    presentTask: (task, where) => (where === shownIn ? changed(task, field, change) : task),
  },
});

const ofAnotherForm = (
  id: string,
  field: string,
  clauses: Fault['breaks'],
  change: (text: string) => unknown,
): Fault => ({
  id,
  breaks: clauses,
  rules: { presentTask: (task) => changed(task, field, (value) => change(String(value))) },
});

const hour = 60 * 60 * 1000;

const timestamps = ['fields.timestamps-are-iso-utc'] as const;
const identifiers = ['fields.identifiers-are-uuid-shaped'] as const;

/** Tasks whose fields are missing, of another type or of another form (Task). */
export const taskFieldFaults: readonly Fault[] = [
  ...missing,
  ...ofAnotherType,
  wrongIn('read', 'data_version', String, 'a-read-shows-data-version-as-text', 'task.data-version'),
  wrongIn(
    'write',
    'locked_at',
    () => 1_767_225_600,
    'a-write-shows-locked-at-as-a-number',
    'task.locked-at',
  ),
  wrongIn('write', 'status', () => 1, 'a-write-shows-status-as-a-number', 'task.status'),
  ofAnotherForm('data-version-has-a-fraction', 'data_version', ['task.data-version'], (text) =>
    Number(`${text}.5`),
  ),
  ofAnotherForm('custom-metadata-is-a-list', 'custom_metadata', ['task.custom-metadata'], () => []),
  {
    id: 'times-have-a-local-offset',
    breaks: timestamps,
    rules: {
      timestamp: (at) => new Date(at + 2 * hour).toISOString().replace('Z', '+02:00'),
    },
  },
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
    'a-microfrontend-id-is-a-name',
    'microfrontend_id',
    identifiers,
    () => 'review-form',
  ),
  ofAnotherForm(
    'a-workflow-instance-id-has-a-prefix',
    'workflow_instance_id',
    identifiers,
    (text) => `wfi_${text}`,
  ),
];
