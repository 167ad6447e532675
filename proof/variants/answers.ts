import { createHash, randomUUID } from 'node:crypto';
import { faker } from '@faker-js/faker';
import type { JsonObject } from '../../reference/records.ts';
import type { Handle } from '../../reference/reference.ts';
import type { Refusal, ServiceResponse } from '../../reference/request.ts';
import { answerRules } from '../../reference/rules/answer.ts';
import type { OpenClause } from '../../schemas/clauses.ts';
import type { Operation } from '../../schemas/operations.ts';
import { sameId } from '../../schemas/resources.ts';
import { table } from '../faults/fault.ts';
import { type Variant, variant } from './variant.ts';

const succeedingWith = (
  id: string,
  opens: OpenClause,
  statuses: Partial<Record<Operation, number>>,
  follows: Variant['follows'] = [],
): Variant =>
  variant(
    id,
    { opens, follows },
    { successStatus: (operation) => statuses[operation] ?? answerRules.successStatus(operation) },
  );

/** Answers the first read after a write with the task as it was read before. */
const lagging = (handle: Handle): Handle => {
  const kept = new Map<string, ServiceResponse>();
  const written = new Set<string>();
  return async (request) => {
    const { method, target } = request;
    const path = target.replace('/update-assignment', '');
    const answer = await handle(request);
    if (method === 'PUT') written.add(path);
    else if (answer.status !== 200) return answer;
    else if (written.delete(path)) return kept.get(path) ?? answer;
    else kept.set(path, answer);
    return answer;
  };
};

const lasting = 'errors.server-error-does-not-last';

/** Every fifth read fails with 500, each record once; sent again, it does not. */
const failingOnce = (handle: Handle): Handle => {
  const failed = new Set<string>();
  let count = 0;
  return async (request) => {
    const { method, target } = request;
    if (method !== 'GET' || target.includes('/audit-sentinel/')) return handle(request);
    count += 1;
    if (failed.has(target) || count % 5 > 0) return handle(request);
    failed.add(target);
    return { status: 500, headers: {}, body: '' };
  };
};

/** A gateway answers thirty requests while the service restarts. */
const restarting = (handle: Handle): Handle => {
  let count = 0;
  return async (request) => {
    count += 1;
    const isDown = count > 60 && count <= 90;
    return isDown ? { status: 503, headers: {}, body: '' } : handle(request);
  };
};

/** Server errors that pass (Errors). */
export const passingErrorVariants: readonly Variant[] = [
  variant(
    'every-fifth-read-fails-once-with-500',
    {
      opens: lasting,
      unseen: 'It has passed when the request is sent again; its number is reported.',
    },
    failingOnce,
  ),
  variant(
    'the-service-restarts-during-the-run',
    { opens: lasting, unseen: 'It is waited for; how often is reported.' },
    restarting,
  ),
];

/** A key that is a UUID, made of another. */
const asUuid = (key: string): string =>
  createHash('md5')
    .update(key)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const keys: readonly Variant[] = [
  ...table(variant, 'auth.key-case', {
    'the-key-is-a-uuid': { apiKey: asUuid },
    'the-key-is-a-uuid-in-any-case': {
      apiKey: asUuid,
      keyIsValid: (presented, key) => presented?.toLowerCase() === key.toLowerCase(),
    },
  }),
];

/** Statuses of success, and of refusals that the document does not name. */
const statuses: readonly Variant[] = [
  succeedingWith('writes-succeed-with-201', 'update.success-status', { 'update-assignment': 201 }),
  succeedingWith('writes-succeed-with-202', 'update.success-status', { 'update-assignment': 202 }),
  succeedingWith('tasks-are-read-with-203', 'get-task.success-status', { 'get-task': 203 }),
  succeedingWith('assessments-are-read-with-203', 'get-assessment.success-status', {
    'get-assessment': 203,
  }),
  succeedingWith(
    'every-operation-succeeds-with-another-status',
    'update.success-status',
    { 'update-assignment': 202, 'get-task': 203, 'get-assessment': 201 },
    ['get-task.success-status', 'get-assessment.success-status'],
  ),
  variant('unknown-paths-and-methods-are-400', 'errors.further-statuses', {
    refusalStatus: (cause) =>
      cause === 'unknown-path' || cause === 'other-method' ? 400 : answerRules.refusalStatus(cause),
  }),
  variant('the-first-read-after-a-write-lags', 'task.read-delay', lagging),
  variant('every-tenth-request-is-asked-to-wait', 'limits.rate', (handle) => {
    let count = 0;
    return async (request) => {
      count += 1;
      return count % 10 === 0
        ? { status: 429, headers: { 'retry-after': '0' }, body: '' }
        : handle(request);
    };
  }),
];

const json = 'application/json';

const errorBody = (
  id: string,
  contentType: string | undefined,
  write: (refusal: Refusal) => unknown,
): Variant =>
  variant(id, 'errors.body-shape', {
    errorBody(refusal) {
      const body = write(refusal);
      return { contentType, text: typeof body === 'string' ? body : JSON.stringify(body) };
    },
  });

/** Bodies of errors: JSON of any shape, or none. */
const errorBodies: readonly Variant[] = [
  errorBody('errors-have-no-body', undefined, () => ''),
  errorBody('errors-are-an-empty-json-object', json, () => ({})),
  errorBody('errors-are-null', json, () => null),
  errorBody('errors-are-problem-json', 'application/problem+json', ({ status, title, detail }) => ({
    type: 'about:blank',
    status,
    title,
    detail,
  })),
  ...table(errorBody, json, {
    'errors-are-a-message': ({ detail }) => ({ message: detail }),
    'errors-are-a-list': ({ status, title, detail }) => ({
      errors: [{ code: `E${status}`, title, detail }],
    }),
    'errors-are-nested': ({ status, title }) => ({
      error: { code: status, message: title, target: { field: null } },
    }),
    'errors-are-json-text': ({ title }) => JSON.stringify(title),
    'errors-are-of-another-shape-each-time': ({ title }) =>
      faker.helpers.arrayElement([{ title }, [title], { error: { title } }, JSON.stringify(title)]),
  }),
];

/** Other statuses, and other bodies of errors (Endpoints, Errors). */
export const statusVariants: readonly Variant[] = [...statuses, ...errorBodies, ...keys];

const jsonCalled = (id: string, contentType: string): Variant =>
  variant(id, 'interface.json-says-so', {
    jsonBody: (value) => ({ contentType, text: JSON.stringify(value) }),
  });

const jsonWritten = (id: string, write: (value: JsonObject) => string): Variant =>
  variant(id, 'interface.response-bodies-are-json', {
    jsonBody: (value, operation) => ({
      ...answerRules.jsonBody(value, operation),
      text: write(value),
    }),
  });

const timesWritten = (id: string, timestamp: (at: number) => string): Variant =>
  variant(id, 'fields.timestamps-are-iso-utc', { timestamp });

const iso = (at: number) => new Date(at).toISOString();

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, reversed(inner)]);
  return Object.fromEntries(entries.reverse());
};

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const withUpperCaseIds = (object: JsonObject): JsonObject =>
  JSON.parse(JSON.stringify(object), (_key, value) =>
    typeof value === 'string' && isId.test(value) ? value.toUpperCase() : value,
  );

/** How answers are written: nothing that a caller may rely on (Resources and their fields, Endpoints). */
export const answerVariants: readonly Variant[] = [
  jsonCalled('json-names-no-charset', 'application/json'),
  jsonCalled('json-is-called-in-upper-case', 'Application/JSON; Charset="UTF-8"'),
  jsonCalled('json-is-called-a-text', 'text/json'),
  jsonCalled('json-names-a-vendor-type', 'application/vnd.workflow.v5+json'),
  jsonWritten('json-is-written-over-several-lines', (value) => JSON.stringify(value, null, 2)),
  jsonWritten('json-escapes-everything-but-ascii', (value) =>
    JSON.stringify(value).replace(
      /[\u{80}-\u{FFFF}]/gu,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  ),
  jsonWritten('json-keys-are-in-another-order', (value) => JSON.stringify(reversed(value))),
  timesWritten('times-are-written-without-fraction', (at) => iso(at).replace(/\.\d+/, '')),
  timesWritten('times-are-written-with-6-digits', (at) => iso(at).replace('Z', '000Z')),
  timesWritten('times-are-written-with-9-digits', (at) => iso(at).replace('Z', '000000Z')),
  timesWritten('times-are-written-with-an-offset', (at) => iso(at).replace('Z', '+00:00')),
  timesWritten('times-are-written-without-trailing-zeros', (at) => iso(at).replace(/\.?0*Z$/, 'Z')),
  ...table(variant, 'fields.identifiers-are-uuid-shaped', {
    'ids-are-in-upper-case': { identifier: (uuid) => uuid.toUpperCase() },
    'ids-are-shown-in-upper-case': {
      presentTask: (task) => withUpperCaseIds(task),
      presentAssessment: (assessment) => withUpperCaseIds(assessment),
      findTask: (id, { tasks }) => tasks.get(id.toLowerCase()),
      findAssessment: (id, { assessments }) => assessments.get(id.toLowerCase()),
      // What it shows finds its events.
      matchesList: (value, wanted) => wanted.some((one) => sameId(one, value)),
      matchesMetadata: (value = '', wanted) => sameId(wanted, value),
    },
  }),
  variant(
    'an-assessment-shares-the-id-of-its-workflow-instance',
    {
      opens: 'assessment.workflow-instance-id',
      follows: ['service.task-agrees-with-its-assessment'],
    },
    { presentAssessment: (assessment) => ({ ...assessment, workflow_instance_id: assessment.id }) },
  ),
  ...table(variant, 'interface.answer-headers', {
    'answers-carry-an-etag-and-other-headers': {
      answerHeaders: (status) => ({
        etag: '"5d41402abc4b2a76b9719d911017c592"',
        'x-request-id': randomUUID(),
        'strict-transport-security': 'max-age=31536000',
        'set-cookie': 'session=1; HttpOnly',
        ...(status === 401 && { 'www-authenticate': 'ApiKey' }),
      }),
    },
    'answers-carry-no-further-headers': { answerHeaders: () => ({}) },
  }),
  ...table(variant, 'fields.further-fields', {
    'objects-carry-further-fields': {
      furtherFields: (resource) => ({
        kind: resource,
        labels: [{ text: '優先', weight: 1.5 }],
        archived_at: null,
      }),
    },
    'objects-carry-a-field-that-changes-at-every-read': {
      furtherFields: () => ({ served_by: randomUUID() }),
    },
    'tasks-carry-the-time-of-the-answer': {
      furtherFields: (resource) => (resource === 'task' ? { retrieved_at: Date.now() } : {}),
    },
  }),
];
