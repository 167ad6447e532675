import { implied, open, section } from '../clause.ts';

export const stateClauses = section('States and transitions', {
  'states.only-the-assignment-changes': implied(
    'Task assignment is the only state change: changing the assignment of a task leaves its assessment unchanged.',
  ),
  'assign.task-becomes-assigned':
    'An `update` object on an unassigned task, with the current version, assigns it to the given user or team.',
  'reassign.task-goes-to-the-new-assignee':
    'An `update` object on an assigned task, with the current version, assigns it to the newly given user or team.',
  'notification.new-assignee-gets-email':
    'Reassigning a task sends an email to the newly assigned user, or to the members of the newly assigned team.',
  'unassign.task-becomes-unassigned':
    'An `unassign` object on an assigned task, with the current version, leaves it unassigned.',
  'update.answers-with-the-new-assignment':
    'The response to an assignment or reassignment carries the new assignment.',
  'update.answers-with-a-new-version':
    'The response to a successful write carries a new updated_at.',
  'update.keeps-the-other-fields': implied(
    'A change of assignment leaves the other fields of the task unchanged, except for those whose rules the document does not give.',
  ),
  'update.keeps-other-tasks': implied(
    'A change of the assignment of one task leaves other tasks unchanged.',
  ),
  // The document says that the comment is visible to the assignee; that nothing of it is lost is the natural reading.
  'comment.is-on-the-assignment': implied(
    'The comment of an assignment is visible to the assignee: the assignment of the task carries it verbatim, but for line ends and the Unicode form of letters.',
  ),
  'comment.is-not-carried-over': implied(
    'An assignment made without a comment does not keep the comment of an earlier one.',
  ),
  'comment.when-empty': open(
    'say whether an empty comment stays empty, becomes null or is refused',
  ),
  'comment.surrounding-white-space': open('say whether white space around a comment is kept'),
  'comment.normalization': open(
    'say whether the line ends of a comment, and the Unicode form of its letters, are kept as they were sent',
  ),
  'comment.length-limit': open('say how long a comment may be'),
  'task.status-transitions': open(
    'say how the status of a task changes, nor whether an assignment changes it',
  ),
  'assessment.state-transitions': open(
    'say how the workflow_state of an assessment changes, and what changes with it',
  ),
  'unassign.on-an-unassigned-task': open(
    'say what `unassign` does on a task that has no assignment',
  ),
});
