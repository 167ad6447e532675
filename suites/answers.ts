import { isPdf } from '../helpers/exports/downloads.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { type Exchange, headerOf } from '../helpers/http/exchange.ts';
import { isObject, jsonObject, shortJson } from '../helpers/json.ts';
import { NothingSeen, other, Violation } from '../helpers/outcomes.ts';
import { problemsOf, type SchemaProblem } from '../helpers/validation.ts';
import { dashed } from '../schemas/clause.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import { listFilters, metadataKeys } from '../schemas/operations.ts';
import {
  assessmentFields,
  assignmentFields,
  errorFields,
  isTimestamp,
  sameId,
  taskFields,
} from '../schemas/resources.ts';
import { fieldDifference } from './comparing-tasks.ts';
import { formDifference, noJsonObject, unlikeStatus } from './expectations.ts';

/*
 * Rules that hold for every answer: the valid key is accepted (Authentication), paths are under /v5 (Versioning),
 * bodies are JSON (Introduction), the object in a body has the fields of the tables Task, Assignment and Assessment
 * (Resources and their fields), and an export is a file (4. Export audit events). Only a scenario knows which of its
 * requests must succeed: a size, a locale or a value may be refused. So each scenario spreads these rules into its
 * judges (`judgesBy`), where `--only` finds them by clause. every-answer.ts judges the answers to learning and set-up.
 */

/**
 * Judges one answer by one clause.
 * @returns whether the answer shows that the clause is kept; false where the answer shows nothing of it
 * @throws Violation where the answer breaks the clause
 */
type Rule = (answer: Answer) => boolean;

export type Rules = { readonly [Id in JudgedClause]?: Rule };

/** Judges answers by one rule. @throws Violation where one breaks it, NothingSeen where none shows anything of it */
export function judgeBy(rule: Rule, answers: readonly Answer[]): void {
  if (answers.filter(rule).length === 0) throw new NothingSeen();
}

/** One judge for each rule, by the id of its clause; `answersOf` picks the answers to judge from the evidence. */
export function judgesBy<Evidence, Chosen extends Rules>(
  rules: Chosen,
  answersOf: (evidence: Evidence) => readonly Answer[],
) {
  const judges = Object.entries<Rule>(rules).map(([id, rule]) => [
    id,
    (evidence: Evidence) => judgeBy(rule, answersOf(evidence)),
  ]);
  // Object.fromEntries forgets that the ids are those of the rules.
  return Object.fromEntries(judges) as {
    readonly [Id in keyof Chosen]: (evidence: Evidence) => void;
  };
}

/** What an answer carries if its request succeeds, by its operation. */
function kindOf({ exchange: { operation } }: Answer): 'task' | 'assessment' | 'export' {
  if (operation === 'export') return 'export';
  return operation === 'get-assessment' ? 'assessment' : 'task';
}

const isExport = (answer: Answer): boolean => kindOf(answer) === 'export';

const isJsonSuccess = (answer: Answer): boolean => !isExport(answer) && answer.succeeded;

export const keyIsAccepted: Rule = (answer) => {
  if (answer.status === 401) throw unlikeStatus('a request with the valid key', '2xx', answer);
  // Another failure may come before the service looks at the key.
  return answer.succeeded;
};

/** Rules for the answers of all operations. */
export const ofRequests = {
  'auth.valid-key-is-accepted': keyIsAccepted,
  'versioning.paths-are-under-v5': (answer) => {
    // With a filter, a status such as 404 may be about the value, not about the path.
    if (!hasNoFilter(queryOf(answer.exchange))) return false;
    if (!isNotServed(answer)) return answer.succeeded;
    const expected = isExport(answer) ? '200' : '2xx';
    throw unlikeStatus('the path under the base address', expected, answer);
  },
} satisfies Rules;

function isNotServed(answer: Answer): boolean {
  const { status } = answer;
  // 404 counts for an export alone: other paths name a record, which may be what is not found.
  const statuses = isExport(answer) ? [404, 405, 410, 501] : [405, 410, 501];
  return statuses.includes(status) || (status >= 300 && status <= 399);
}

/** Rules for the answers of the three JSON operations. */
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

/** A number, sent where a text is due: a service refuses it, or takes it for the text “42”. */
export const aNumber = 42;

/** The id "42" as JSON: an invalid write of the suite leaves it where a service reads the number 42 as a text. */
const numberAsText = shortJson(String(aNumber));

/** A rule about fields: a problem that `breaksRule` picks breaks it; any other success with a JSON object keeps it. */
function fieldRule(
  breaksRule: (problem: SchemaProblem) => boolean,
  isJudged: (answer: Answer) => boolean = () => true,
): Rule {
  return (answer) => {
    const kind = kindOf(answer);
    if (!isJudged(answer) || kind === 'export') return false;
    if (!answer.succeeded || answer.object === undefined) return false;
    const problem = problemsOf(kind, answer.object).find(
      (one) => breaksRule(one) && one.actual !== numberAsText,
    );
    if (problem !== undefined) throw new Violation(formDifference(kind, problem), [answer]);
    return true;
  };
}

/** The rules of the rows of a table: a field that is missing, or of another type than its row says, breaks one. */
function rowRules(table: 'task' | 'assignment' | 'assessment', fields: readonly string[]): Rules {
  const isOfTask = table === 'assignment';
  const isJudged = (answer: Answer): boolean =>
    isOfTask
      ? kindOf(answer) === 'task' && isObject(answer.object?.assignment)
      : kindOf(answer) === table;
  const rules = fields.map((name) => {
    const path = isOfTask ? `assignment.${name}` : name;
    const breaksRow = ({ field, kind }: SchemaProblem) => field === path && kind !== 'form';
    return [`${table}.${dashed(name)}`, fieldRule(breaksRow, isJudged)];
  });
  return Object.fromEntries(rules);
}

/** Rules for answers to reads and writes of tasks. */
export const ofTask: Rules = { ...ofJson, ...rowRules('task', taskFields) };

/** Rules for answers that carry an assigned task. */
export const ofAssigned = rowRules('assignment', assignmentFields);

/** The error fields of an assessment that are set. */
export const errorsIn = ({ object }: Pick<Answer, 'object'>) =>
  errorFields.filter((name) => object?.[name] !== null && object?.[name] !== undefined);

/** @throws Violation where an assessment shows an error, which it must not in its state */
export function expectNoError(answer: Answer): void {
  const [field] = errorsIn(answer);
  if (field === undefined) return;
  const expected = `null in the state ${answer.object?.workflow_state}`;
  const actual = shortJson(answer.object?.[field]);
  throw new Violation(fieldDifference(field, expected, actual, 'assessment'), [answer]);
}

/** Rules for answers to reads of assessments. */
export const ofAssessment: Rules = {
  ...ofJson,
  'assessment.error-fields-null-without-error': (answer) => {
    if (kindOf(answer) !== 'assessment' || answer.object?.workflow_state !== 'Active') return false;
    expectNoError(answer);
    return true;
  },
  ...rowRules('assessment', assessmentFields),
};

/** The id in the path of a read. */
export const idAskedFor = ({ exchange: { request } }: Answer): string =>
  decodeURIComponent(request.url.split('/').at(-1) ?? '');

/** A rule that a read answers with the record whose id is in its path; whether the case of ids is kept is open. */
const recordAskedFor =
  (record: 'task' | 'assessment'): Rule =>
  (answer) => {
    if (answer.exchange.operation !== `get-${record}` || !answer.succeeded) return false;
    const shownId = answer.object?.id;
    if (typeof shownId !== 'string') return false;
    const askedId = idAskedFor(answer);
    if (sameId(shownId, askedId)) return true;
    const values = { expected: shortJson(askedId), actual: shortJson(shownId) };
    throw new Violation(other(`answers with another ${record}`, values), [answer]);
  };

/** Rules for answers to reads by id. */
export const ofRead = {
  'get-task.answers-with-the-task-asked-for': recordAskedFor('task'),
  'get-assessment.answers-with-the-assessment-asked-for': recordAskedFor('assessment'),
} satisfies Rules;

/**
 * Rules for refusals by the service itself: their bodies are JSON, which is open for exports. A 5xx may come
 * from a gateway, and so may a refusal for the length of a request, or its time (408, 411, 413, 414, 431).
 */
export const ofRefusal = {
  'interface.error-bodies-are-json': (answer) => {
    if (isExport(answer) || answer.status < 400 || answer.status > 499) return false;
    if ([408, 411, 413, 414, 431].includes(answer.status)) return false;
    if (answer.json !== undefined || answer.text.trim() === '') return true;
    const actual = shortJson(answer.text);
    throw new Violation(other('answers a refusal without JSON', { actual }), [answer]);
  },
} satisfies Rules;

/** A rule that an export answers 200. @param what the request, as a noun, where more can be said than the default */
export const answers200 =
  (what = 'a valid request'): Rule =>
  (answer) => {
    // Whether the key is accepted is a clause of its own.
    if (!isExport(answer) || answer.status === 401) return false;
    if (answer.status === 200) return true;
    throw unlikeStatus(what, '200', answer, { asked: parametersOf(answer.exchange) });
  };

/** Several judges find one fault in such PDFs: said in the same words, what they find is one finding. */
export const narrowedPdf = 'a PDF of the few events that filters leave of more than 5,000';

/** Rules for answers to exports that must succeed. Those of all operations show in the one without parameters, and in learning. */
export const ofExport = { 'export.answers-200': answers200() } satisfies Rules;

/** Rules for answers to exports of CSVs: a query without file_type shows the default. */
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

// Which requests of a run are as the document describes them, whoever sent them: then their answers must be so too.

/** Whether an exchange reads what the document describes, as it describes it, with the configured key. */
export function isValidRead({ operation, request }: Exchange, baseUrl: string): boolean {
  const { method, url } = request;
  if (method !== 'GET' || !isPlain(request, baseUrl, ['apikey'])) return false;
  const { pathname, searchParams } = new URL(url);
  return operation === 'export'
    ? isValidQuery(searchParams)
    : /\/(?:tasks|assessments)\/[^/]+$/.test(pathname) && searchParams.size === 0;
}

const formParameters = ['file_type', 'locale', 'timezone'];
const filterNames: readonly string[] = [
  ...listFilters,
  ...metadataKeys.map((key) => `metadata[${key}]`),
];

export function queryOf({ request: { url } }: Exchange): URLSearchParams {
  return new URL(url).searchParams;
}

/** Whether a query names no filter, however its lists are encoded. */
export function hasNoFilter(query: URLSearchParams): boolean {
  const filters: readonly string[] = [...listFilters, 'metadata'];
  return [...query.keys()].every((name) => !filters.includes(name.replace(/\[.*/, '')));
}

/** The parameters of an export, the most telling first: "file_type=pdf", "sub_type", "range_end"; UTC is left out. */
export function parametersOf(exchange: Exchange): string[] {
  const form: string[] = [];
  const filters: string[] = [];
  const range: string[] = [];
  for (const [name, value] of queryOf(exchange)) {
    if (name.startsWith('range_')) range.push(name);
    else if (!formParameters.includes(name)) filters.push(name);
    else if (value !== 'UTC') form.push(`${name}=${value}`);
  }
  return [...new Set([...form, ...filters, ...range])];
}

/** Whether the query of an export is valid. As the encoding of lists is not shown, each filter has one value. */
function isValidQuery(query: URLSearchParams): boolean {
  const [start, end] = [query.get('range_start'), query.get('range_end')];
  const isInOrder = start === null || end === null || Date.parse(start) <= Date.parse(end);
  return (
    isInOrder &&
    [...query].every(([name, value]) =>
      name.startsWith('range_')
        ? isTimestamp(value)
        : formParameters.includes(name) ||
          (filterNames.includes(name) && query.getAll(name).length === 1 && !mayBeList.test(value)),
    )
  );
}

/** Matches a value that may be several values in one text, as “A,B”. */
const mayBeList = /[,;|[]/;

/** Matches the names of headers that some clients send, and others do not: what is asked for is the same. */
const ofClients = /^(?:Accept|Transfer-Encoding)/;

/** Whether a request goes to the service itself, with the configured key and exactly these headers, or what clients add to them. */
function isPlain(
  { url, headers, key, route }: Exchange['request'],
  baseUrl: string,
  headerNames: readonly string[],
): boolean {
  const sent = headers.filter(([name, value]) => value === '' || !ofClients.test(name));
  return (
    key === undefined &&
    route === undefined &&
    url.startsWith(`${baseUrl}/`) &&
    sent.length === headerNames.length &&
    headerNames.every((name) => sent.some(([one]) => one === name))
  );
}

/** Whether an exchange is an assignment with all required fields. Unassignments are not: the task may be unassigned. */
export function isValidAssignment(exchange: Exchange, baseUrl: string): boolean {
  return validWriteIn(exchange, baseUrl)?.kind === 'update';
}

/** Whether a comment is longer than many services store: how long one may be is open. */
export const isLong = (comment: unknown): boolean => `${comment ?? ''}`.length > 255;

const requiredFields = {
  update: ['assigned_by_id', 'assigned_to_id', 'assigned_to_type'],
  unassign: ['assigned_by_id'],
} as const;

/** What a write of one object with all required fields sends; undefined where an exchange is none. */
export function validWriteIn({ request }: Exchange, baseUrl: string) {
  const headerNames = ['apikey', 'If-Match', 'Content-Type'];
  const isSent =
    request.method === 'PUT' &&
    isPlain(request, baseUrl, headerNames) &&
    /^application\/json(?:;|$)/.test(headerOf(request, 'content-type') ?? '') &&
    isTimestamp(headerOf(request, 'if-match') ?? '');
  const [one, ...others] = isSent ? Object.entries(jsonObject(request.body) ?? {}) : [];
  const [name, fields] = one ?? [];
  if (others.length > 0 || !isObject(fields)) return undefined;
  if (name !== 'update' && name !== 'unassign') return undefined;
  const isWhole = requiredFields[name].every((field) => typeof fields[field] === 'string');
  return isWhole ? { kind: name, fields } : undefined;
}
