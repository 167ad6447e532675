import { section } from '../clause.ts';

export const auditEventClauses = section('Events', {
  'notification.assigned-user-gets-email': {
    level: 'stated',
    text: 'Assigning a task to a user sends that user an email.',
  },
  'notification.assigned-team-gets-email': {
    level: 'stated',
    text: 'Assigning a task to a team sends the members of the team an email.',
  },
  'notification.nobody-else-gets-email': {
    level: 'implied',
    text: 'The email of an assignment goes to the assigned user, or to the members of the assigned team, and to no other user.',
  },
  'notification.refused-write-sends-no-email': {
    level: 'implied',
    text: 'An assignment that is refused with 401, 404 or 409 sends nobody an email.',
  },
  'notification.copy-to-the-assigner': {
    level: 'open',
    text: 'Whether the user who makes an assignment gets email of it too is not said.',
  },
  'notification.of-an-unassignment': {
    level: 'open',
    text: 'Whether taking an assignment away sends anybody an email is not said.',
  },
  'notification.content': {
    level: 'open',
    text: 'What the email says is not said: whether it shows the comment, and whether it names the task.',
  },
  'notification.messages-to-a-team': {
    level: 'open',
    text: 'Whether the members of a team get one message together or one each is not said.',
  },
  'notification.delay': {
    level: 'open',
    text: 'How soon the email of an assignment arrives is not said.',
  },
  'audit.records-assignment-comments': {
    level: 'stated',
    text: 'The comment of an assignment is recorded in the entity’s audit record and can be read through the export.',
  },
  'audit.records-unassignment-comments': {
    level: 'stated',
    text: 'The comment of an unassignment is recorded in the entity’s audit record and can be read through the export.',
  },
  'audit.event-names-its-records': {
    level: 'implied',
    text: 'The recorded event is found by the entity, by the task, and by the user who caused it.',
  },
  'audit.comment-is-kept-to-the-letter': {
    level: 'implied',
    text: 'The recorded comment reads in the export exactly as it was given: quotes, commas, line breaks and other scripts included.',
  },
  'audit.events-are-classified': {
    level: 'stated',
    text: 'Audit events are classified by event type, subtype and system source.',
  },
  'audit.delay': {
    level: 'open',
    text: 'How soon an event can be read through the export is not said.',
  },
  'audit.event-fields': {
    level: 'open',
    text: 'The fields of a stored audit event are not shown.',
  },
  'audit.classification-values': {
    level: 'open',
    text: 'Complete lists of event types, subtypes and system sources are not shown.',
  },
  'audit.outbound-delivery': {
    level: 'open',
    text: 'Delivery of events by webhook or otherwise is not shown.',
    untestable: 'None of the four operations subscribes to events.',
  },
});
