import { section } from '../clause.ts';

export const fieldClauses = section('Resources and their fields', {
  'fields.identifiers-are-uuid-shaped': {
    level: 'stated',
    text: 'Identifier fields are UUID-shaped strings.',
  },
  'fields.timestamps-are-iso-utc': {
    level: 'stated',
    text: 'Timestamps are ISO 8601 datetimes in UTC.',
  },
  'fields.further-fields': {
    level: 'open',
    text: 'Whether resources carry fields that the tables do not list is not said.',
  },
});

export const taskClauses = section('Task', {
  'task.id': { level: 'stated', text: 'A task carries `id`, a string.' },
  'task.assessment-id': { level: 'stated', text: 'A task carries `assessment_id`, a string.' },
  'task.assessment-template-id': {
    level: 'stated',
    text: 'A task carries `assessment_template_id`, a string.',
  },
  'task.assignment': {
    level: 'stated',
    text: 'A task carries `assignment`, an Assignment object or null.',
  },
  'task.assignment-null-when-unassigned': {
    level: 'stated',
    text: 'The assignment of an unassigned task is null.',
  },
  'task.c-name': { level: 'stated', text: 'A task carries `c_name`, a string.' },
  'task.name': { level: 'stated', text: 'A task carries `name`, a string or null.' },
  'task.created-at': { level: 'stated', text: 'A task carries `created_at`, a timestamp string.' },
  'task.updated-at': { level: 'stated', text: 'A task carries `updated_at`, a timestamp string.' },
  'task.updated-at-is-the-version': {
    level: 'stated',
    text: 'The updated_at that was read serves, as it was read, as the version value for If-Match.',
  },
  'task.updated-at-changes-with-the-task': {
    level: 'stated',
    text: 'updated_at changes when the task changes.',
  },
  'task.locked-at': { level: 'stated', text: 'A task carries `locked_at`, a timestamp string.' },
  'task.custom-metadata': {
    level: 'stated',
    text: 'A task carries `custom_metadata`, an object, an empty object or null.',
  },
  'task.data-version': {
    level: 'stated',
    text: 'A task carries `data_version`, an integer.',
  },
  'task.entity-id': { level: 'stated', text: 'A task carries `entity_id`, a string.' },
  'task.institution-id': { level: 'stated', text: 'A task carries `institution_id`, a string.' },
  'task.microfrontend-id': {
    level: 'stated',
    text: 'A task carries `microfrontend_id`, a string.',
  },
  'task.status': { level: 'stated', text: 'A task carries `status`, a string.' },
  'task.step-name': { level: 'stated', text: 'A task carries `step_name`, a string.' },
  'task.workflow-instance-id': {
    level: 'stated',
    text: 'A task carries `workflow_instance_id`, a string.',
  },
  'task.status-values': {
    level: 'open',
    text: 'Which values of status there are besides INCOMPLETE is not shown.',
  },
  'task.nullable-fields': {
    level: 'open',
    text: 'Which fields besides assignment, custom_metadata and name can be null is not shown.',
  },
  'task.custom-metadata-contents': {
    level: 'open',
    text: 'What custom_metadata contains is not shown.',
  },
  'task.data-version-rules': {
    level: 'open',
    text: 'What data_version means and when it changes is not shown.',
  },
  'task.locked-at-rules': {
    level: 'open',
    text: 'What locked_at means and when it changes is not shown.',
  },
});

export const assignmentClauses = section('Assignment (object inside a task)', {
  'assignment.assigned-by-id': {
    level: 'stated',
    text: 'An assignment carries `assigned_by_id`, a string: the user who made it.',
  },
  'assignment.assigned-to-id': {
    level: 'stated',
    text: 'An assignment carries `assigned_to_id`, a string: the user or team.',
  },
  'assignment.assigned-to-type': {
    level: 'stated',
    text: 'An assignment carries `assigned_to_type`, which is USER or TEAM.',
  },
  'assignment.assignment-comment': {
    level: 'stated',
    text: 'An assignment carries `assignment_comment`, a string or null.',
  },
});

export const assessmentClauses = section('Assessment', {
  'assessment.id': { level: 'stated', text: 'An assessment carries `id`, a string.' },
  'assessment.created-at': {
    level: 'stated',
    text: 'An assessment carries `created_at`, a timestamp string.',
  },
  'assessment.entity-id': { level: 'stated', text: 'An assessment carries `entity_id`, a string.' },
  'assessment.institution-id': {
    level: 'stated',
    text: 'An assessment carries `institution_id`, a string.',
  },
  'assessment.outcome-id': {
    level: 'stated',
    text: 'An assessment carries `outcome_id`, a string.',
  },
  'assessment.outcome-name-is-elsewhere': {
    level: 'stated',
    text: 'The name of an outcome is obtained through a separate operation.',
    untestable: 'That operation is not one of the four that the document covers.',
  },
  'assessment.status-id': { level: 'stated', text: 'An assessment carries `status_id`, a string.' },
  'assessment.template-id': {
    level: 'stated',
    text: 'An assessment carries `template_id`, a string.',
  },
  'assessment.workflow-instance-id': {
    level: 'stated',
    text: 'An assessment carries `workflow_instance_id`, a string.',
  },
  'assessment.workflow-state': {
    level: 'stated',
    text: 'An assessment carries `workflow_state`, which is Active, Cancelled or Error.',
  },
  'assessment.error-message': {
    level: 'stated',
    text: 'An assessment carries `error_message`, null or a value.',
  },
  'assessment.error-details': {
    level: 'stated',
    text: 'An assessment carries `error_details`, null or a value.',
  },
  'assessment.error-step': {
    level: 'stated',
    text: 'An assessment carries `error_step`, null or a value.',
  },
  'assessment.error-type': {
    level: 'stated',
    text: 'An assessment carries `error_type`, null or a value.',
  },
  'assessment.error-fields-null-without-error': {
    level: 'stated',
    text: 'The error fields are null when there is no error.',
  },
  'assessment.error-fields-set-on-error': {
    level: 'implied',
    text: 'In the state Error the error fields say something: at least one of them is set.',
  },
  'assessment.error-field-types': {
    level: 'open',
    text: 'The types of the error fields when they are set are not shown.',
  },
});
