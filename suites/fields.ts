import type { Answer } from '../helpers/http/answer.ts';
import { Inconclusive, Violation } from '../helpers/outcomes.ts';
import { problemsOf, type SchemaProblem } from '../helpers/validation.ts';
import type { JudgedClause } from '../schemas/clauses.ts';

type Judges<Evidence> = { readonly [Id in JudgedClause]?: (evidence: Evidence) => void };
type Kind = 'task' | 'assessment';

/** Judges of every row of the tables Task and Assignment, over all tasks that a scenario was answered with. */
export function taskFieldJudges<Evidence>(
  answers: (evidence: Evidence) => readonly Answer[],
): Judges<Evidence> {
  const field = (path: string, ids: JudgedClause) => rowJudge('task', path, ids, answers);
  return {
    ...field('id', 'task.id'),
    ...field('assessment_id', 'task.assessment-id'),
    ...field('assessment_template_id', 'task.assessment-template-id'),
    ...field('assignment', 'task.assignment'),
    ...field('c_name', 'task.c-name'),
    ...field('name', 'task.name'),
    ...field('created_at', 'task.created-at'),
    ...field('updated_at', 'task.updated-at'),
    ...field('locked_at', 'task.locked-at'),
    ...field('custom_metadata', 'task.custom-metadata'),
    ...field('data_version', 'task.data-version'),
    ...field('entity_id', 'task.entity-id'),
    ...field('institution_id', 'task.institution-id'),
    ...field('microfrontend_id', 'task.microfrontend-id'),
    ...field('status', 'task.status'),
    ...field('step_name', 'task.step-name'),
    ...field('workflow_instance_id', 'task.workflow-instance-id'),
    ...formJudges('task', answers),
  };
}

/** Judges of every row of the table Assignment, over the assigned tasks among the answers. */
export function assignmentFieldJudges<Evidence>(
  answers: (evidence: Evidence) => readonly Answer[],
): Judges<Evidence> {
  const assigned = (evidence: Evidence): Answer[] =>
    answers(evidence).filter(
      ({ object }) => typeof object?.assignment === 'object' && object.assignment !== null,
    );
  const field = (name: string, ids: JudgedClause) =>
    rowJudge('task', `assignment.${name}`, ids, assigned);
  return {
    ...field('assigned_by_id', 'assignment.assigned-by-id'),
    ...field('assigned_to_id', 'assignment.assigned-to-id'),
    ...field('assigned_to_type', 'assignment.assigned-to-type'),
    ...field('assignment_comment', 'assignment.assignment-comment'),
  };
}

/** Judges of every row of the table Assessment, over all assessments that a scenario was answered with. */
export function assessmentFieldJudges<Evidence>(
  answers: (evidence: Evidence) => readonly Answer[],
): Judges<Evidence> {
  const field = (path: string, ids: JudgedClause) => rowJudge('assessment', path, ids, answers);
  return {
    ...field('id', 'assessment.id'),
    ...field('created_at', 'assessment.created-at'),
    ...field('entity_id', 'assessment.entity-id'),
    ...field('institution_id', 'assessment.institution-id'),
    ...field('outcome_id', 'assessment.outcome-id'),
    ...field('status_id', 'assessment.status-id'),
    ...field('template_id', 'assessment.template-id'),
    ...field('workflow_instance_id', 'assessment.workflow-instance-id'),
    ...field('workflow_state', 'assessment.workflow-state'),
    ...field('error_message', 'assessment.error-message'),
    ...field('error_details', 'assessment.error-details'),
    ...field('error_step', 'assessment.error-step'),
    ...field('error_type', 'assessment.error-type'),
    ...formJudges('assessment', answers),
  };
}

/** A row of a table is broken by a field that is missing, or of another type than the row says. */
function rowJudge<Evidence>(
  kind: Kind,
  path: string,
  id: JudgedClause,
  answers: (evidence: Evidence) => readonly Answer[],
): Judges<Evidence> {
  return {
    [id]: (evidence: Evidence) =>
      judgeProblems(
        kind,
        answers(evidence),
        (problem) => problem.field === path && problem.kind !== 'form',
      ),
  };
}

function formJudges<Evidence>(
  kind: Kind,
  answers: (evidence: Evidence) => readonly Answer[],
): Judges<Evidence> {
  const ofForm = (timestamps: boolean) => (problem: SchemaProblem) =>
    problem.kind === 'form' && problem.field.endsWith('_at') === timestamps;
  return {
    'fields.identifiers-are-uuid-shaped': (evidence) =>
      judgeProblems(kind, answers(evidence), ofForm(false)),
    'fields.timestamps-are-iso-utc': (evidence) =>
      judgeProblems(kind, answers(evidence), ofForm(true)),
  };
}

function judgeProblems(
  kind: Kind,
  answers: readonly Answer[],
  isMeant: (problem: SchemaProblem) => boolean,
): void {
  // What is no success, or no JSON object, is for the judges of the operation; it has no fields to look at.
  const objects = answers.filter((answer) => answer.succeeded && answer.object !== undefined);
  for (const answer of objects) {
    const problem = problemsOf(kind, answer.object).find(isMeant);
    if (problem === undefined) continue;
    const { field, expected, actual } = problem;
    throw new Violation(`the field ${field} of the ${kind}`, { expected, actual, on: [answer] });
  }
  if (objects.length === 0) throw new Inconclusive(`No ${kind} was answered to look at.`);
}
