import { implied, open, section } from '../clause.ts';

export const auditEventClauses = section('Events', {
  'notification.assigned-user-gets-email': 'Assigning a task to a user sends that user an email.',
  'notification.assigned-team-gets-email':
    'Assigning a task to a team sends an email to the members of the team.',
  'notification.nobody-else-gets-email': implied(
    'The email of an assignment goes to the assigned user, or to the members of the assigned team, and to no other user.',
  ),
  'notification.refused-write-sends-no-email': implied(
    'An assignment that is refused with 401, 404 or 409 sends no email.',
  ),
  'notification.copy-to-the-assigner': open(
    'say whether the user who makes an assignment gets an email too',
  ),
  'notification.of-an-unassignment': open(
    'say whether removing an assignment sends an email to anybody',
  ),
  'notification.content': open(
    'say what the email contains: whether it shows the comment, and whether it names the task',
  ),
  'notification.messages-to-a-team': open(
    'say whether the members of a team get one message together or one each',
  ),
  'notification.delay': open('say how soon the email of an assignment arrives'),
  'audit.records-assignment-comments':
    'The comment of an assignment is recorded in the entity’s audit record and can be read through the export.',
  'audit.records-unassignment-comments':
    'The comment of an unassignment is recorded in the entity’s audit record and can be read through the export.',
  'audit.event-names-its-records': implied(
    'The recorded event is found by the entity and by the user who caused it; by the task too, where any event of a change names its task.',
  ),
  'audit.comment-is-kept-to-the-letter': implied(
    'The export shows the recorded comment verbatim, but for line ends and the Unicode form of letters: quotes, commas, line breaks and other scripts included.',
  ),
  'audit.refused-writes-leave-no-comment': implied(
    'The comment of a write that was refused (401, 404, 409, or for its body) is in no audit event.',
  ),
  'audit.events-are-classified':
    'Audit events are classified by event type, subtype and system source.',
  'audit.delay': open('say how soon an event can be read through the export'),
  'audit.event-fields': open('say which fields a stored audit event has'),
  'audit.classification-values': open('list all event types, subtypes and system sources'),
  'audit.outbound-delivery': open(
    'say whether events are delivered by webhook or otherwise',
    'None of the four operations subscribes to events.',
  ),
});
