import type { AssignmentRecord } from '../../reference/records.ts';
import { assignmentRules, type Change } from '../../reference/rules/assignment.ts';
import { type Fault, fault, someId, table } from './fault.ts';

type Earlier = AssignmentRecord | null;

/** An assignment is stored as something else than what was asked for. */
const assigning = (
  id: string,
  breaks: Fault['breaks'],
  wrongly: (asked: AssignmentRecord, earlier: Earlier) => AssignmentRecord | null,
): Fault =>
  fault(id, breaks, {
    newAssignment(change, comment, earlier) {
      const asked = assignmentRules.newAssignment(change, comment, earlier);
      return asked && wrongly(asked, earlier);
    },
  });

/** Something is left where a task should be unassigned. */
const unassigning = (
  id: string,
  breaks: Fault['breaks'],
  left: (earlier: Earlier, change: Change, comment: string | null) => AssignmentRecord | null,
): Fault =>
  fault(id, breaks, {
    newAssignment: (change, comment, earlier) =>
      assignmentRules.newAssignment(change, comment, earlier) ?? left(earlier, change, comment),
  });

const assign = 'assign.task-becomes-assigned';
const reassign = 'reassign.task-goes-to-the-new-assignee';
const answer = 'update.answers-with-the-new-assignment';
const isSingle = 'service.assignee-is-single';
const unassign = [
  'unassign.task-becomes-unassigned',
  'unassign.answers-with-null-assignment',
] as const;

/** Assignments that end up elsewhere than where they were asked to be (States and transitions). */
export const transitionFaults: readonly Fault[] = [
  assigning(
    'an-unassigned-task-stays-unassigned',
    [assign, answer],
    (asked, earlier) => earlier && asked,
  ),
  ...table(assigning, [reassign, answer, isSingle], {
    'an-assigned-task-stays-with-its-assignee': (asked, earlier) => {
      if (!earlier) return asked;
      const { assigned_to_id, assigned_to_type } = earlier;
      return { ...asked, assigned_to_id, assigned_to_type };
    },
    'a-task-of-a-user-does-not-go-to-a-team': (asked, earlier) => {
      const toTeam = asked.assigned_to_type === 'TEAM' && earlier?.assigned_to_type === 'USER';
      return toTeam ? earlier : asked;
    },
  }),
  assigning('a-task-that-nobody-has-does-not-go-to-a-team', [assign, answer], (asked, earlier) =>
    asked.assigned_to_type === 'TEAM' ? earlier && asked : asked,
  ),
  assigning(
    'a-reassignment-keeps-the-earlier-kind-of-assignee',
    [reassign, answer],
    (asked, earlier) => ({ ...asked, assigned_to_type: (earlier ?? asked).assigned_to_type }),
  ),
  ...table(assigning, [assign, reassign, answer], {
    'a-task-of-a-team-is-assigned-to-a-user': (asked) => ({
      ...asked,
      assigned_to_type: 'USER',
    }),
    'who-assigns-becomes-the-assignee': (asked) => ({
      ...asked,
      assigned_to_id: asked.assigned_by_id,
    }),
  }),
  {
    ...assigning(
      'an-assignment-to-oneself-keeps-who-assigned-before',
      [answer],
      (asked, earlier) =>
        earlier && asked.assigned_by_id === asked.assigned_to_id
          ? { ...asked, assigned_by_id: earlier.assigned_by_id }
          : asked,
    ),
  },
  ...table(assigning, [answer], {
    'the-service-names-itself-as-who-assigned': (asked) => ({
      ...asked,
      assigned_by_id: someId,
    }),
    'a-reassignment-keeps-who-assigned-before': (asked, earlier) => ({
      ...asked,
      assigned_by_id: (earlier ?? asked).assigned_by_id,
    }),
    'a-reassignment-to-the-same-assignee-keeps-who-assigned-before': (asked, earlier) =>
      earlier?.assigned_to_id === asked.assigned_to_id
        ? { ...asked, assigned_by_id: earlier.assigned_by_id }
        : asked,
    'an-assignment-to-a-team-keeps-who-assigned-before-with-white-space-around-its-comment': (
      asked,
      earlier,
    ) =>
      earlier &&
      asked.assigned_to_type === 'TEAM' &&
      asked.assignment_comment?.trim() !== asked.assignment_comment
        ? { ...asked, assigned_by_id: earlier.assigned_by_id }
        : asked,
  }),
  assigning(
    'a-reassignment-adds-an-assignee',
    [isSingle, reassign, answer, 'fields.identifiers-are-uuid-shaped'],
    (asked, earlier) =>
      earlier && asked.assigned_to_id !== earlier.assigned_to_id
        ? { ...asked, assigned_to_id: `${earlier.assigned_to_id},${asked.assigned_to_id}` }
        : asked,
  ),
  ...table(unassigning, unassign, {
    'an-unassigned-task-goes-back-to-its-assignee': (earlier) => earlier,
    'unassigning-takes-away-the-comment-only': (earlier) =>
      earlier && { ...earlier, assignment_comment: null },
    'a-task-of-a-team-cannot-be-unassigned': (earlier) =>
      earlier?.assigned_to_type === 'TEAM' ? earlier : null,
    'unassigning-assigns-to-who-unassigns': (_earlier, { by }, comment) => ({
      assigned_by_id: by,
      assigned_to_id: by,
      assigned_to_type: 'USER',
      assignment_comment: comment,
    }),
  }),
  unassigning(
    'unassigning-an-unassigned-task-leaves-half-an-assignment',
    ['endpoints.task-stays-valid'],
    (earlier, { by }, comment) =>
      earlier === null
        ? {
            assigned_by_id: by,
            assigned_to_id: '',
            assigned_to_type: 'USER',
            assignment_comment: comment,
          }
        : null,
  ),
];
