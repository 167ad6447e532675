import { isPdf } from '../helpers/exports/downloads.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { NothingSeen, other, Violation } from '../helpers/outcomes.ts';
import { isObject, problemsOf, type SchemaProblem, shortJson } from '../helpers/validation.ts';
import { assessmentFields } from '../schemas/assessment.ts';
import { assignmentFields } from '../schemas/assignment.ts';
import { dashed } from '../schemas/clause.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import { sameId } from '../schemas/identifier.ts';
import { taskFields } from '../schemas/task.ts';
import { formDifference, noJsonObject, unlikeStatus } from './expectations.ts';
import { aNumber } from './invalid-writes.ts';
import { hasNoFilter, parametersOf, queryOf } from './valid-requests.ts';

/*
 * What the document says of every answer, by the clause: that the key is accepted (Authentication), under /v5 (Versioning);
 * that bodies are JSON (Introduction), and that the object in it has the fields of the tables Task, Assignment and
 * Assessment (Resources and their fields); that an export is a file (4. Export audit events). Which of its requests must be
 * served a scenario alone knows (a size, a locale or a value may be refused), and `--only` finds it by its clauses: so it
 * spreads these rules into its judges, over the answers that it got. Those of learning and of set-up are judged by
 * every-answer.ts.
 */

/**
 * What a clause says of one answer by itself.
 * @returns whether the answer shows that it is kept
 * @throws Violation where it is broken
 */
type Rule = (answer: Answer) => boolean;

type Rules = { readonly [Id in JudgedClause]?: Rule };

/** @throws NothingSeen where no answer shows anything of a rule */
export function judgeBy(rule: Rule, answers: readonly Answer[]): void {
  if (answers.filter(rule).length === 0) throw new NothingSeen();
}

/** Judges of these rules, over the answers that a scenario got. */
export function judgesBy<Evidence, Some extends Rules>(
  rules: Some,
  answersOf: (evidence: Evidence) => readonly Answer[],
) {
  const judges = Object.entries<Rule>(rules).map(([id, rule]) => [
    id,
    (evidence: Evidence) => judgeBy(rule, answersOf(evidence)),
  ]);
  // Object.fromEntries forgets that the ids are those of the rules.
  return Object.fromEntries(judges) as {
    readonly [Id in keyof Some]: (evidence: Evidence) => void;
  };
}

type Kind = 'task' | 'assessment';

/** What the object in an answer is; undefined of an export. */
function kindOf({ exchange: { operation } }: Answer): Kind | undefined {
  if (operation === 'export') return undefined;
  return operation === 'get-assessment' ? 'assessment' : 'task';
}

const isExport = (answer: Answer): boolean => kindOf(answer) === undefined;

const isJsonSuccess = (answer: Answer): boolean => !isExport(answer) && answer.succeeded;

export const keyIsAccepted: Rule = (answer) => {
  if (answer.status === 401) throw unlikeStatus('a request with the valid key', '2xx', answer);
  // What fails otherwise may fail before the key is looked at.
  return answer.succeeded;
};

/** Of all operations. */
const ofRequests = {
  'auth.valid-key-is-accepted': keyIsAccepted,
  'versioning.paths-are-under-v5': (answer) => {
    // Where the path is served, a filter may be what gets such a status.
    if (!hasNoFilter(queryOf(answer.exchange))) return false;
    if (!isElsewhere(answer)) return answer.succeeded;
    const expected = isExport(answer) ? '200' : '2xx';
    throw unlikeStatus('the path under the base address', expected, answer);
  },
} satisfies Rules;

/** Whether the status says that nothing is served under the path. */
function isElsewhere(answer: Answer): boolean {
  const { status } = answer;
  // The path of an export names no record that might not be found.
  const statuses = isExport(answer) ? [404, 405, 410, 501] : [405, 410, 501];
  return statuses.includes(status) || (status >= 300 && status <= 399);
}

const ofJson = {
  ...ofRequests,
  'interface.response-bodies-are-json': (answer) => {
    if (!isJsonSuccess(answer)) return false;
    if (answer.json === undefined) throw new Violation(noJsonObject(answer), [answer]);
    return true;
  },
  'interface.json-says-so': (answer) => {
    if (!isJsonSuccess(answer) || answer.json === undefined) return false;
    const type = answer.header('content-type');
    if (/^[\w.+-]+\/(?:[\w.+-]*\+)?json\s*(?:;|$)/i.test(type ?? '')) return true;
    const values = type === undefined ? {} : { actual: type };
    throw new Violation(other('answers with JSON of another media type', values), [answer]);
  },
  'fields.identifiers-are-uuid-shaped': fieldRule(
    ({ kind, field }) => kind === 'form' && !field.endsWith('_at'),
  ),
  'fields.timestamps-are-iso-utc': fieldRule(
    ({ kind, field }) => kind === 'form' && field.endsWith('_at'),
  ),
} satisfies Rules;

/** An id that a write of the suite has left for a moment, where the service reads numbers as texts. */
const writtenNumber = shortJson(String(aNumber));

/** A rule of the tables of fields. What is no success, or no JSON object, has none to look at. */
function fieldRule(
  isMeant: (problem: SchemaProblem) => boolean,
  of: (answer: Answer) => boolean = () => true,
): Rule {
  return (answer) => {
    if (!of(answer) || !isJsonSuccess(answer) || answer.object === undefined) return false;
    const kind = kindOf(answer) ?? 'task';
    const problem = problemsOf(kind, answer.object).find(
      (one) => isMeant(one) && one.actual !== writtenNumber,
    );
    if (problem !== undefined) throw new Violation(formDifference(kind, problem), [answer]);
    return true;
  };
}

/** A row of a table is broken by a field that is missing, or of another type than the row says. */
const rowRule = (path: string, of: (answer: Answer) => boolean): Rule =>
  fieldRule(({ field, kind }) => field === path && kind !== 'form', of);

const isTask = (answer: Answer): boolean => kindOf(answer) === 'task';

/** Of a task that is read or written. */
export const ofTask: Rules = {
  ...ofJson,
  ...Object.fromEntries(
    taskFields.map((field) => [`task.${dashed(field)}`, rowRule(field, isTask)]),
  ),
};

/** Of a task that is assigned. */
export const ofAssigned: Rules = Object.fromEntries(
  assignmentFields.map((field) => [
    `assignment.${dashed(field)}`,
    rowRule(
      `assignment.${field}`,
      (answer) => isTask(answer) && isObject(answer.object?.assignment),
    ),
  ]),
);

/** Of an assessment. */
export const ofAssessment: Rules = {
  ...ofJson,
  ...Object.fromEntries(
    assessmentFields.map((field) => [
      `assessment.${dashed(field)}`,
      rowRule(field, (answer) => kindOf(answer) === 'assessment'),
    ]),
  ),
};

/** In which case ids are written is open. */
const recordAskedFor =
  (record: Kind): Rule =>
  (answer) => {
    if (answer.exchange.operation !== `get-${record}` || !answer.succeeded) return false;
    const given = answer.object?.id;
    if (typeof given !== 'string') return false;
    const id = decodeURIComponent(answer.exchange.request.url.split('/').at(-1) ?? '');
    if (sameId(given, id)) return true;
    const values = { expected: shortJson(id), actual: shortJson(given) };
    throw new Violation(other(`answers with another ${record}`, values), [answer]);
  };

/** Of a record that is read by its id. */
export const ofRead = {
  'get-task.answers-with-the-task-asked-for': recordAskedFor('task'),
  'get-assessment.answers-with-the-assessment-asked-for': recordAskedFor('assessment'),
} satisfies Rules;

/**
 * Of refusals by the service itself: what has a body, has JSON; of an export the document leaves it open. Of 5xx it is not
 * known who answered, and a limit that the request exceeds (408, 413, 414, 431) is a gateway's.
 */
export const ofRefusal = {
  'interface.error-bodies-are-json': (answer) => {
    if (isExport(answer) || answer.status < 400 || answer.status > 499) return false;
    if ([408, 413, 414, 431].includes(answer.status)) return false;
    if (answer.json !== undefined || answer.text.trim() === '') return true;
    const actual = shortJson(answer.text);
    throw new Violation(other('answers a refusal without JSON', { actual }), [answer]);
  },
} satisfies Rules;

/** @param what the request is, where more can be said of it than that it is valid */
export const answers200 =
  (what = 'a valid request'): Rule =>
  (answer) => {
    // Whether the key is accepted is a clause of its own.
    if (!isExport(answer) || answer.status === 401) return false;
    if (answer.status === 200) return true;
    throw unlikeStatus(what, '200', answer, { asked: parametersOf(answer.exchange) });
  };

/** Of a file that is exported. */
export const ofExport = { ...ofRequests, 'export.answers-200': answers200() } satisfies Rules;

/** Of a CSV: some requests for it do not say so. */
export const ofCsv = {
  ...ofExport,
  'export.file-type-defaults-to-csv': (answer) => {
    if (!isExport(answer) || answer.status !== 200) return false;
    if (/[?&]file_type=/.test(answer.exchange.request.url)) return false;
    expectNoPdf(answer);
    return true;
  },
} satisfies Rules;

/** @throws Violation where an export that asks for no file type is a PDF */
export function expectNoPdf(answer: Answer): void {
  if (!isPdf(answer)) return;
  throw new Violation({ kind: 'other', wrong: 'is no CSV by default', actual: 'a PDF' }, [answer]);
}
