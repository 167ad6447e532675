import { section } from '../clause.ts';

export const updateClauses = section('1. Update a task assignment', {
  'update.needs-the-apikey': {
    level: 'stated',
    text: 'Updating an assignment requires the apikey header: without it, 401.',
  },
  'update.needs-if-match': {
    level: 'stated',
    text: 'If-Match is required: a write without it is not carried out.',
  },
  'update.content-type-is-json': {
    level: 'stated',
    text: 'The request names the media type application/json.',
    untestable: 'It binds the caller; what other media types get is observed.',
  },
  'update.other-content-types': {
    level: 'open',
    text: 'What a body of another media type, or of none, gets is not said.',
  },
  'update.body-is-a-json-object': {
    level: 'stated',
    text: 'The body is a JSON object: one that is not is not carried out.',
  },
  'update.body-with-both-objects': {
    level: 'open',
    text: 'What a body with both `update` and `unassign` does is not shown.',
  },
  'update.body-with-neither-object': {
    level: 'open',
    text: 'What a body with neither `update` nor `unassign` does is not shown.',
  },
  'update.needs-assigned-by-id': {
    level: 'stated',
    text: '`update.assigned_by_id` is required: an assignment without it is not carried out.',
  },
  'update.needs-assigned-to-id': {
    level: 'stated',
    text: '`update.assigned_to_id` is required: an assignment without it is not carried out.',
  },
  'update.needs-assigned-to-type': {
    level: 'stated',
    text: '`update.assigned_to_type` is required: an assignment without it is not carried out.',
  },
  'update.assigned-to-type-values': {
    level: 'stated',
    text: '`update.assigned_to_type` is USER or TEAM: an assignment with another value is not carried out.',
  },
  'update.comment-is-optional': {
    level: 'stated',
    text: '`update.assignment_comment` may be a string, null or left out.',
  },
  'unassign.needs-assigned-by-id': {
    level: 'stated',
    text: '`unassign.assigned_by_id` is required: an unassignment without it is not carried out.',
  },
  'unassign.comment-is-optional': {
    level: 'stated',
    text: '`unassign.assignment_comment` may be a string, null or left out.',
  },
  'update.field-types': {
    level: 'stated',
    text: 'The fields of the body are strings (the comment a string or null): a write with another type is not carried out.',
  },
  'update.answers-with-the-updated-task': {
    level: 'stated',
    text: 'A carried-out write is answered with the updated Task object, the same that is read afterwards.',
  },
  'unassign.answers-with-null-assignment': {
    level: 'stated',
    text: 'After a successful unassign the assignment in the answer is null.',
  },
  'update.unknown-task-is-404': {
    level: 'stated',
    text: 'A write to a task_id that matches no task is answered with 404.',
  },
  'update.success-status': {
    level: 'open',
    text: 'The status of a successful write is not shown.',
  },
  'update.refused-body-status': {
    level: 'open',
    text: 'The status of an invalid or incomplete assignment body is not shown.',
  },
  'update.missing-if-match-status': {
    level: 'open',
    text: 'What a write without If-Match gets is not said.',
  },
  'update.quoted-if-match': {
    level: 'open',
    text: 'Whether the version may be sent in quotes, as HTTP writes entity tags, is not said.',
  },
  'update.if-match-star': {
    level: 'open',
    text: 'What `If-Match: *` does is not said.',
  },
  'update.if-match-same-instant': {
    level: 'open',
    text: 'Whether the same instant, written differently, counts as the same version is not said.',
  },
});

export const conflictClauses = section('Errors: 409 Version mismatch', {
  'conflict.differing-version-is-409': {
    level: 'stated',
    text: 'A write whose If-Match differs from the task’s current updated_at is answered with 409.',
  },
  'conflict.text-that-is-no-version-is-409': {
    level: 'implied',
    text: 'An If-Match that is not a timestamp at all differs from the current updated_at too: 409.',
  },
  'conflict.changes-nothing': {
    level: 'implied',
    text: 'A write refused with a version mismatch leaves the task as it was.',
  },
  'conflict.retry-with-the-latest-version': {
    level: 'stated',
    text: 'After a 409 the caller re-reads the task and retries with the latest updated_at, which succeeds.',
  },
  'conflict.one-of-simultaneous-writes-wins': {
    level: 'implied',
    text: 'Of several simultaneous writes with the same right version exactly one is carried out; the others get 409.',
  },
});
