import { implied, open, section, stated } from '../clause.ts';

export const updateClauses = section('1. Update a task assignment', {
  'update.needs-the-apikey':
    'Updating an assignment requires the apikey header: without it, the response is 401.',
  // The document says which fields of the body are required, their types, and the two types of assignees. That a write
  // without these is not carried out follows, but is not stated: these clauses are implied.
  'update.needs-if-match': implied('If-Match is required: a write without it is not carried out.'),
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
  'unassign.comment-is-optional': '`unassign.assignment_comment` may be a string, null or missing.',
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
});

export const conflictClauses = section('Errors: 409 Version mismatch', {
  'conflict.differing-version-is-409':
    'A write whose If-Match differs from the current updated_at of the task is answered with 409.',
  'conflict.text-that-is-no-version-is-409': implied(
    'An If-Match that is not a timestamp at all differs from the current updated_at too: 409, or 400 or 422 from a service that looks at its form first.',
  ),
  'conflict.changes-nothing': implied(
    'A write refused with a version mismatch leaves the task unchanged.',
  ),
  'conflict.retry-with-the-latest-version':
    'After a 409 the caller re-reads the task and retries with the latest updated_at, which succeeds.',
  'conflict.one-of-simultaneous-writes-wins': implied(
    'Of several simultaneous writes with the same current version exactly one is carried out; the others get 409.',
  ),
});
