import { assessmentFields } from '../assessment.ts';
import { assignmentFields } from '../assignment.ts';
import { implied, open, section, stated, statedOfEach } from '../clause.ts';
import { taskFields } from '../task.ts';

/** The type of each field that is not simply a string, as clauses say it. */
const taskFieldTypes: { readonly [Field in (typeof taskFields)[number]]?: string } = {
  assignment: 'an Assignment object or null',
  name: 'a string or null',
  created_at: 'a timestamp string',
  updated_at: 'a timestamp string',
  locked_at: 'a timestamp string',
  custom_metadata: 'an object, an empty object or null',
  data_version: 'an integer',
};

const assignmentFieldTypes: Readonly<Record<(typeof assignmentFields)[number], string>> = {
  assigned_by_id: 'a string: the user who made it',
  assigned_to_id: 'a string: the user or team',
  assigned_to_type: 'which is USER or TEAM',
  assignment_comment: 'a string or null',
};

const assessmentFieldTypes: { readonly [Field in (typeof assessmentFields)[number]]?: string } = {
  created_at: 'a timestamp string',
  workflow_state: 'which is Active, Cancelled or Error',
  error_message: 'null or a value',
  error_details: 'null or a value',
  error_step: 'null or a value',
  error_type: 'null or a value',
};

export const fieldClauses = {
  ...section('Resources and their fields', {
    'fields.identifiers-are-uuid-shaped': 'Identifier fields are UUID-shaped strings.',
    'fields.timestamps-are-iso-utc': 'Timestamps are ISO 8601 datetimes in UTC.',
    'fields.further-fields': open('say whether resources have fields that the tables do not list'),
  }),
  ...section('Task', {
    ...statedOfEach(
      'task.',
      taskFields,
      (field) => `A task has the field \`${field}\`, ${taskFieldTypes[field] ?? 'a string'}.`,
    ),
    'task.assignment-null-when-unassigned': 'The assignment of an unassigned task is null.',
    'task.updated-at-is-the-version':
      'The updated_at of a task, exactly as it was read, is the version value for If-Match.',
    'task.updated-at-changes-with-the-task': 'updated_at changes when the task changes.',
    'task.microfrontend-id-form': {
      level: 'open',
      text: 'Identifiers are UUID-shaped; whether that of an interface component is one of them, or its name, the document does not say.',
    },
    'task.status-values': open('say which values status can have besides INCOMPLETE'),
    'task.nullable-fields': open(
      'say which fields can be null besides assignment, custom_metadata and name',
    ),
    'task.custom-metadata-contents': open('say what custom_metadata contains'),
    'task.data-version-rules': open('say what data_version means and when it changes'),
    'task.locked-at-rules': open('say what locked_at means and when it changes'),
  }),
  ...section(
    'Assignment (object inside a task)',
    statedOfEach(
      'assignment.',
      assignmentFields,
      (field) => `An assignment has the field \`${field}\`, ${assignmentFieldTypes[field]}.`,
    ),
  ),
  ...section('Assessment', {
    ...statedOfEach(
      'assessment.',
      assessmentFields,
      (field) =>
        `An assessment has the field \`${field}\`, ${assessmentFieldTypes[field] ?? 'a string'}.`,
    ),
    'assessment.outcome-name-is-elsewhere': stated(
      'The name of an outcome is obtained through a separate operation.',
      'That operation is not one of the four that the document covers.',
    ),
    'assessment.error-fields-null-without-error':
      'The error fields are null when there is no error: in the state Active, and where one that was cancelled shows none.',
    'assessment.error-fields-set-on-error': implied(
      'In the state Error, at least one of the error fields is set.',
    ),
    'assessment.error-field-types': open('say which types the error fields have when they are set'),
    'assessment.error-fields-when-cancelled': open(
      'say whether an assessment that was cancelled keeps the error information of an earlier error',
    ),
  }),
};
