import { section } from '../clause.ts';

export const stateClauses = section('States and transitions', {
  'states.only-the-assignment-changes': {
    level: 'implied',
    text: 'Assignment is the only state change given: a write to a task’s assignment leaves its assessment as it was.',
  },
  'assign.task-becomes-assigned': {
    level: 'stated',
    text: 'An `update` object on an unassigned task, with the current version, assigns it to the given user or team.',
  },
  'reassign.task-goes-to-the-new-assignee': {
    level: 'stated',
    text: 'An `update` object on an assigned task, with the current version, assigns it to the newly given user or team.',
  },
  'notification.new-assignee-gets-email': {
    level: 'stated',
    text: 'Reassigning a task sends the newly assigned user, or the members of the newly assigned team, an email.',
  },
  'unassign.task-becomes-unassigned': {
    level: 'stated',
    text: 'An `unassign` object on an assigned task, with the current version, leaves it unassigned.',
  },
  'update.answers-with-the-new-assignment': {
    level: 'stated',
    text: 'The answer to an assignment or reassignment carries the new assignment.',
  },
  'update.answers-with-a-new-version': {
    level: 'stated',
    text: 'The answer to a carried-out write carries a new updated_at.',
  },
  'update.keeps-the-other-fields': {
    level: 'implied',
    text: 'A change of assignment leaves the other fields of the task as they were, except those whose rules are not shown.',
  },
  'update.keeps-other-tasks': {
    level: 'implied',
    text: 'A change of one task’s assignment leaves other tasks as they were.',
  },
  'comment.is-on-the-assignment': {
    level: 'stated',
    text: 'The comment of an assignment is visible to the assignee: the task’s assignment carries it to the letter.',
  },
  'comment.is-not-carried-over': {
    level: 'implied',
    text: 'An assignment made without a comment does not keep the comment of an earlier one.',
  },
  'comment.when-empty': {
    level: 'open',
    text: 'Whether an empty comment stays empty, becomes null or is refused is not said.',
  },
  'comment.surrounding-white-space': {
    level: 'open',
    text: 'Whether white space around a comment is kept is not said.',
  },
  'comment.length-limit': {
    level: 'open',
    text: 'How long a comment may be is not said.',
  },
  'task.status-transitions': {
    level: 'open',
    text: 'Transitions of task status are not shown; whether assigning changes it is not said.',
  },
  'assessment.state-transitions': {
    level: 'open',
    text: 'Transitions of an assessment’s workflow_state are not shown.',
    untestable: 'None of the four operations changes an assessment.',
  },
  'unassign.on-an-unassigned-task': {
    level: 'open',
    text: 'What `unassign` does on a task that has no assignment is not shown.',
  },
});
