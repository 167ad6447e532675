import { implied, open, section, stated } from '../clause.ts';

export const taskAndAssessmentClauses = {
  ...section('Endpoints', {
    'endpoints.refused-write-changes-nothing': implied(
      'A write that is answered with an error (4xx or 5xx) has changed nothing.',
    ),
    'endpoints.task-stays-valid': implied(
      'Whatever a write is answered with, the task is still a valid Task afterwards.',
    ),
  }),
  ...section('1. Update a task assignment', {
    'update.needs-the-apikey':
      'Updating an assignment requires the apikey header: without it, the response is 401.',
    // The document says which fields of the body are required, their types, and the two types of assignees. That a write
    // without these is not carried out follows, but is not stated: these clauses are implied.
    'update.needs-if-match': implied(
      'If-Match is required: a write without it is not carried out.',
    ),
    'update.content-type-is-json': stated(
      'The request names the media type application/json.',
      'It is a requirement on the caller; what happens with other media types is observed.',
    ),
    'update.other-content-types': open(
      'say how a body of another media type, or of none, is answered',
    ),
    'update.body-is-a-json-object': implied(
      'The body is a JSON object: a write with any other body is not carried out.',
    ),
    'update.body-with-both-objects': open('say what a body with both `update` and `unassign` does'),
    'update.body-with-neither-object': open(
      'say what a body with neither `update` nor `unassign` does',
    ),
    'update.needs-assigned-by-id': implied(
      '`update.assigned_by_id` is required: an assignment without it is not carried out.',
    ),
    'update.needs-assigned-to-id': implied(
      '`update.assigned_to_id` is required: an assignment without it is not carried out.',
    ),
    'update.needs-assigned-to-type': implied(
      '`update.assigned_to_type` is required: an assignment without it is not carried out.',
    ),
    'update.assigned-to-type-values': implied(
      '`update.assigned_to_type` is USER or TEAM: an assignment with any other value is not carried out.',
    ),
    'update.comment-is-optional': '`update.assignment_comment` may be a string, null or missing.',
    'unassign.needs-assigned-by-id': implied(
      '`unassign.assigned_by_id` is required: an unassignment without it is not carried out.',
    ),
    'unassign.comment-is-optional':
      '`unassign.assignment_comment` may be a string, null or missing.',
    'update.field-types': implied(
      'The fields of the body are strings (the comment a string or null): a write with a field of another type is not carried out, unless a number was taken for the text that it reads as.',
    ),
    'update.answers-with-the-updated-task':
      'A successful write is answered with the updated Task object, the same that is read afterwards.',
    'unassign.answers-with-null-assignment':
      'After a successful unassign the assignment in the response is null.',
    'update.unknown-task-is-404': 'A write to a task_id that matches no task is answered with 404.',
    'update.success-status': open('say which status a successful write has'),
    'update.refused-body-status': open(
      'say which status an invalid or incomplete assignment body is answered with',
    ),
    'update.missing-if-match-status': open(
      'say which status a write without If-Match is answered with',
    ),
    'update.quoted-if-match': open(
      'say whether the version may be sent in quotes, as HTTP writes entity tags',
    ),
    'update.if-match-star': open('say what `If-Match: *` does'),
    'update.if-match-same-instant': open(
      'say whether the same instant, written differently, counts as the same version',
    ),
  }),
  ...section('2. Retrieve a task', {
    'get-task.needs-the-apikey':
      'Retrieving a task requires the apikey header: without it, the response is 401.',
    'get-task.answers-with-the-full-task':
      'A request for a task that exists is answered with success and the full Task object.',
    'get-task.answers-with-the-task-asked-for': implied(
      'The task in the response is the one whose id was requested.',
    ),
    'get-task.changes-nothing': implied('Reading a task does not change it.'),
    'get-task.unknown-task-is-404': 'A task_id that matches no task is answered with 404.',
    'get-task.success-status': open('say which status a successful read of a task has'),
    'task.read-delay': open('say whether a write shows in reads as soon as it is answered'),
  }),
  ...section('3. Retrieve an assessment', {
    'get-assessment.needs-the-apikey':
      'Retrieving an assessment requires the apikey header: without it, the response is 401.',
    'get-assessment.answers-with-the-full-assessment':
      'A request for an assessment that exists is answered with success and the full Assessment object.',
    'get-assessment.answers-with-the-assessment-asked-for': implied(
      'The assessment in the response is the one whose id was requested.',
    ),
    'get-assessment.changes-nothing': implied(
      'Reading an assessment changes neither it nor its tasks.',
    ),
    'get-assessment.unknown-assessment-is-404':
      'An assessment_id that matches no assessment is answered with 404.',
    'get-assessment.ids-are-found-elsewhere': stated(
      'Ids of assessments are found through a separate list operation.',
      'That operation is not one of the four that the document covers.',
    ),
    'get-assessment.success-status': open(
      'say which status a successful read of an assessment has',
    ),
  }),
};
