import { assignmentRules } from '../rules/assignment.ts';
import type { Fault } from './fault.ts';
import { someId } from './replaced.ts';

const { newAssignment } = assignmentRules;

const assigning = [
  'assign.task-becomes-assigned',
  'reassign.task-goes-to-the-new-assignee',
  'update.answers-with-the-new-assignment',
] as const;

const unassigning = [
  'unassign.task-becomes-unassigned',
  'unassign.answers-with-null-assignment',
] as const;

/** Assignments that end up elsewhere than where they were asked to be (States and transitions). */
export const transitionFaults: readonly Fault[] = [
  {
    id: 'an-unassigned-task-stays-unassigned',
    breaks: ['assign.task-becomes-assigned', 'update.answers-with-the-new-assignment'],
    rules: {
      newAssignment: (change, comment, earlier) =>
        earlier && newAssignment(change, comment, earlier),
    },
  },
  {
    id: 'an-assigned-task-stays-with-its-assignee',
    breaks: [
      'reassign.task-goes-to-the-new-assignee',
      'update.answers-with-the-new-assignment',
      'service.assignee-is-single',
    ],
    rules: {
      newAssignment(change, comment, earlier) {
        const asked = newAssignment(change, comment, earlier);
        if (!asked || !earlier) return asked;
        const { assigned_to_id, assigned_to_type } = earlier;
        return { ...asked, assigned_to_id, assigned_to_type };
      },
    },
  },
  {
    id: 'a-task-of-a-user-does-not-go-to-a-team',
    breaks: [
      'reassign.task-goes-to-the-new-assignee',
      'update.answers-with-the-new-assignment',
      'service.assignee-is-single',
    ],
    rules: {
      newAssignment(change, comment, earlier) {
        const asked = newAssignment(change, comment, earlier);
        const toTeam = asked?.assigned_to_type === 'TEAM' && earlier?.assigned_to_type === 'USER';
        return toTeam ? earlier : asked;
      },
    },
  },
  {
    id: 'a-task-that-nobody-has-does-not-go-to-a-team',
    breaks: ['assign.task-becomes-assigned', 'update.answers-with-the-new-assignment'],
    rules: {
      newAssignment(change, comment, earlier) {
        const asked = newAssignment(change, comment, earlier);
        return asked?.assigned_to_type === 'TEAM' ? earlier && asked : asked;
      },
    },
  },
  {
    id: 'a-reassignment-keeps-the-earlier-kind-of-assignee',
    breaks: ['reassign.task-goes-to-the-new-assignee', 'update.answers-with-the-new-assignment'],
    rules: {
      newAssignment(change, comment, earlier) {
        const asked = newAssignment(change, comment, earlier);
        return asked && { ...asked, assigned_to_type: (earlier ?? asked).assigned_to_type };
      },
    },
  },
  {
    id: 'a-task-of-a-team-is-assigned-to-a-user',
    breaks: assigning,
    rules: {
      newAssignment(change, comment, earlier) {
        const asked = newAssignment(change, comment, earlier);
        return asked && { ...asked, assigned_to_type: 'USER' };
      },
    },
  },
  {
    id: 'who-assigns-becomes-the-assignee',
    breaks: assigning,
    rules: {
      newAssignment(change, comment, earlier) {
        const asked = newAssignment(change, comment, earlier);
        return asked && { ...asked, assigned_to_id: asked.assigned_by_id };
      },
    },
  },
  {
    id: 'the-service-names-itself-as-who-assigned',
    breaks: ['update.answers-with-the-new-assignment'],
    rules: {
      newAssignment(change, comment, earlier) {
        const asked = newAssignment(change, comment, earlier);
        return asked && { ...asked, assigned_by_id: someId };
      },
    },
  },
  {
    id: 'a-reassignment-adds-an-assignee',
    breaks: [
      'service.assignee-is-single',
      'reassign.task-goes-to-the-new-assignee',
      'update.answers-with-the-new-assignment',
      'fields.identifiers-are-uuid-shaped',
    ],
    rules: {
      newAssignment(change, comment, earlier) {
        const asked = newAssignment(change, comment, earlier);
        if (!asked || !earlier || asked.assigned_to_id === earlier.assigned_to_id) return asked;
        return { ...asked, assigned_to_id: `${earlier.assigned_to_id},${asked.assigned_to_id}` };
      },
    },
  },
  {
    id: 'an-unassigned-task-goes-back-to-its-assignee',
    breaks: unassigning,
    rules: {
      newAssignment: (change, comment, earlier) =>
        newAssignment(change, comment, earlier) ?? earlier,
    },
  },
  {
    id: 'unassigning-takes-away-the-comment-only',
    breaks: unassigning,
    rules: {
      newAssignment: (change, comment, earlier) =>
        newAssignment(change, comment, earlier) ??
        (earlier && { ...earlier, assignment_comment: null }),
    },
  },
  {
    id: 'a-task-of-a-team-cannot-be-unassigned',
    breaks: unassigning,
    rules: {
      newAssignment: (change, comment, earlier) =>
        newAssignment(change, comment, earlier) ??
        (earlier?.assigned_to_type === 'TEAM' ? earlier : null),
    },
  },
  {
    id: 'unassigning-assigns-to-who-unassigns',
    breaks: unassigning,
    rules: {
      newAssignment: (change, comment, earlier) =>
        newAssignment(change, comment, earlier) ?? {
          assigned_by_id: change.by,
          assigned_to_id: change.by,
          assigned_to_type: 'USER',
          assignment_comment: comment,
        },
    },
  },
  {
    id: 'unassigning-an-unassigned-task-leaves-half-an-assignment',
    breaks: ['endpoints.task-stays-valid'],
    rules: {
      newAssignment: (change, comment, earlier) =>
        change.kind === 'unassign' && earlier === null
          ? {
              assigned_by_id: change.by,
              assigned_to_id: '',
              assigned_to_type: 'USER',
              assignment_comment: comment,
            }
          : newAssignment(change, comment, earlier),
    },
  },
];
