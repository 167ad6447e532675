import type { Answer } from '../helpers/http/answer.ts';
import { Inconclusive, NotJudged, other, Violation } from '../helpers/outcomes.ts';
import { problemsOf, type SchemaProblem, shortJson } from '../helpers/validation.ts';
import { withArticle } from '../helpers/with-article.ts';
import { assessmentFields } from '../schemas/assessment.ts';
import { assignmentFields } from '../schemas/assignment.ts';
import { dashed } from '../schemas/clause.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import { taskFields } from '../schemas/task.ts';
import { formDifference, noJsonObject, unlikeStatus } from './expectations.ts';
import { aNumber } from './invalid-writes.ts';

/*
 * What the document says of every successful answer of the three JSON operations: that its body is JSON (Introduction),
 * served under /v5 (Versioning), and that the object in it has the fields of the tables Task, Assignment and Assessment
 * (Resources and their fields). A scenario spreads these judges into its own, over the answers that it got.
 */

type Judges<Evidence> = { readonly [Id in JudgedClause]?: (evidence: Evidence) => void };
type AnswersOf<Evidence> = (evidence: Evidence) => readonly Answer[];

/** Judges of the answers themselves, whatever object they carry. */
export function jsonAnswerJudges<Evidence>(answers: AnswersOf<Evidence>) {
  return {
    'interface.response-bodies-are-json': (evidence) => {
      for (const answer of successes(answers(evidence))) {
        if (answer.json !== undefined) continue;
        throw new Violation(noJsonObject(answer), [answer]);
      }
    },
    'interface.json-says-so': (evidence) => {
      for (const answer of successes(answers(evidence))) {
        const type = answer.header('content-type');
        const isJson = /^[\w.+-]+\/(?:[\w.+-]*\+)?json\s*(?:;|$)/i.test(type ?? '');
        if (answer.json === undefined || isJson) continue;
        const values = type === undefined ? {} : { actual: type };
        throw new Violation(other('answers with JSON of another media type', values), [answer]);
      }
    },
    'auth.valid-key-is-accepted': (evidence) => {
      for (const answer of answers(evidence)) {
        if (answer.status !== 401) continue;
        throw unlikeStatus('a request with the valid key', '2xx', answer);
      }
      // What fails otherwise may fail before the key is looked at.
      successes(answers(evidence));
    },
    'versioning.paths-are-under-v5': (evidence) => {
      for (const answer of answers(evidence)) {
        const elsewhere = [405, 410, 501].includes(answer.status) || isRedirect(answer);
        if (!elsewhere) continue;
        throw unlikeStatus('the path under the base address', '2xx', answer);
      }
      successes(answers(evidence));
    },
  } satisfies Judges<Evidence>;
}

/**
 * Judges of refusals by the service itself: what has a body, has JSON. Of 5xx it is not known who answered, and a limit
 * that the request exceeds (408, 413, 414, 431) is a gateway's.
 */
export function jsonErrorJudges<Evidence>(answers: AnswersOf<Evidence>) {
  return {
    'interface.error-bodies-are-json': (evidence) => {
      const refusals = answers(evidence).filter(({ status }) => refusedByService(status));
      for (const answer of refusals) {
        if (answer.json !== undefined || answer.text.trim() === '') continue;
        const actual = shortJson(answer.text);
        throw new Violation(other('answers a refusal without JSON', { actual }), [answer]);
      }
      if (refusals.length === 0) {
        throw new NotJudged('Nothing was refused with 4xx.');
      }
    },
  } satisfies Judges<Evidence>;
}

function refusedByService(status: number): boolean {
  return status >= 400 && status <= 499 && ![408, 413, 414, 431].includes(status);
}

function isRedirect({ status }: Answer): boolean {
  return status >= 300 && status <= 399;
}

/** The answers that are successes. @throws Inconclusive where none is */
export function successes(answers: readonly Answer[]): Answer[] {
  const found = answers.filter(({ succeeded }) => succeeded);
  if (found.length === 0) {
    throw new Inconclusive('There was no successful answer to look at.', answers);
  }
  return found;
}

/** Judges of every row of the table Assignment, over the assigned tasks among the answers. */
export function assignmentFieldJudges<Evidence>(answers: AnswersOf<Evidence>): Judges<Evidence> {
  const assigned = (evidence: Evidence): Answer[] =>
    answers(evidence).filter(
      ({ object }) => typeof object?.assignment === 'object' && object.assignment !== null,
    );
  return rowJudges(
    'task',
    assignmentFields.map((field) => ({
      path: `assignment.${field}`,
      clause: `assignment.${dashed(field)}`,
    })),
    assigned,
  );
}

type Kind = 'task' | 'assessment';

/** A row of a table: where its field stands in the object, and the clause that it is. */
interface Row {
  readonly path: string;
  readonly clause: JudgedClause;
}

const rowsOf: Readonly<Record<Kind, readonly Row[]>> = {
  task: taskFields.map((field) => ({ path: field, clause: `task.${dashed(field)}` })),
  assessment: assessmentFields.map((field) => ({
    path: field,
    clause: `assessment.${dashed(field)}`,
  })),
};

/** Judges of every row of the table Task or Assessment, over all records of that kind that a scenario was answered with. */
export function fieldJudges<Evidence>(kind: Kind, answers: AnswersOf<Evidence>): Judges<Evidence> {
  const ofForm = (timestamps: boolean) => (problem: SchemaProblem) =>
    problem.kind === 'form' && problem.field.endsWith('_at') === timestamps;
  return {
    ...rowJudges(kind, rowsOf[kind], answers),
    'fields.identifiers-are-uuid-shaped': (evidence) =>
      judgeProblems(kind, answers(evidence), ofForm(false)),
    'fields.timestamps-are-iso-utc': (evidence) =>
      judgeProblems(kind, answers(evidence), ofForm(true)),
  };
}

/** A row is broken by a field that is missing, or of another type than the row says. */
function rowJudges<Evidence>(
  kind: Kind,
  rows: readonly Row[],
  answers: AnswersOf<Evidence>,
): Judges<Evidence> {
  const judges = rows.map(({ path, clause }) => {
    const isMeant = ({ field, kind: broken }: SchemaProblem): boolean =>
      field === path && broken !== 'form';
    return [clause, (evidence: Evidence) => judgeProblems(kind, answers(evidence), isMeant)];
  });
  return Object.fromEntries(judges);
}

/** An id that a write of the suite has left for a moment, where the service reads numbers as texts. */
const writtenNumber = shortJson(String(aNumber));

function judgeProblems(
  kind: Kind,
  answers: readonly Answer[],
  isMeant: (problem: SchemaProblem) => boolean,
): void {
  // What is no success, or no JSON object, is for the judges of the operation; it has no fields to look at.
  const objects = answers.filter((answer) => answer.succeeded && answer.object !== undefined);
  for (const answer of objects) {
    const problem = problemsOf(kind, answer.object).find(
      (one) => isMeant(one) && one.actual !== writtenNumber,
    );
    if (problem === undefined) continue;
    throw new Violation(formDifference(kind, problem), [answer]);
  }
  if (objects.length === 0) {
    throw new Inconclusive(`No answer carried ${withArticle(kind)} to look at.`, answers);
  }
}
