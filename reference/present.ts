import type { AssessmentRecord, JsonObject, TaskRecord } from './records.ts';
import type { ShownIn } from './rules/retrieval.ts';
import type { Rules } from './rules.ts';

/** The Task object of an answer. */
export function shownTask(task: TaskRecord, shownIn: ShownIn, rules: Rules): JsonObject {
  const assignment = task.assignment && {
    ...task.assignment,
    ...rules.furtherFields('assignment'),
  };
  return rules.presentTask(
    {
      ...task,
      assignment: rules.presentAssignment(assignment, shownIn),
      created_at: rules.timestamp(task.created_at),
      updated_at: rules.timestamp(task.updated_at),
      locked_at: rules.timestamp(task.locked_at),
      ...rules.furtherFields('task'),
    },
    shownIn,
  );
}

/** The Assessment object of an answer. */
export function shownAssessment(assessment: AssessmentRecord, rules: Rules): JsonObject {
  return rules.presentAssessment({
    ...assessment,
    created_at: rules.timestamp(assessment.created_at),
    ...rules.furtherFields('assessment'),
  });
}
