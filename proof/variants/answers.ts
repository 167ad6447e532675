import { createHash, randomUUID } from 'node:crypto';
import { faker } from '@faker-js/faker';
import type { JsonObject } from '../../reference/records.ts';
import type { Handle } from '../../reference/reference.ts';
import type { Refusal, ServiceResponse } from '../../reference/request.ts';
import { answerRules } from '../../reference/rules/answer.ts';
import type { OpenClause } from '../../schemas/clauses.ts';
import type { Operation } from '../../schemas/operations.ts';
import { type Variant, variant } from './variant.ts';

const succeedingWith = (
  id: string,
  opens: OpenClause,
  statuses: Partial<Record<Operation, number>>,
  follows: Variant['follows'] = [],
): Variant =>
  variant(id, opens, {
    follows,
    rules: {
      successStatus: (operation) => statuses[operation] ?? answerRules.successStatus(operation),
    },
  });

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
  variant('every-fifth-read-fails-once-with-500', lasting, {
    wire: failingOnce,
    unseen: 'It has passed when the request is sent again; its number is reported.',
  }),
  variant('the-service-restarts-during-the-run', lasting, {
    wire: restarting,
    unseen: 'It is waited for; how often is reported.',
  }),
];

/** A key that is a UUID, made of another. */
const asUuid = (key: string): string =>
  createHash('md5')
    .update(key)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const keys: readonly Variant[] = [
  variant('the-key-is-a-uuid', 'auth.key-case', { rules: { apiKey: asUuid } }),
  variant('the-key-is-a-uuid-in-any-case', 'auth.key-case', {
    rules: {
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
    rules: {
      refusalStatus: (cause) =>
        cause === 'unknown-path' || cause === 'other-method'
          ? 400
          : answerRules.refusalStatus(cause),
    },
  }),
  variant('the-first-read-after-a-write-lags', 'task.read-delay', { wire: lagging }),
  variant('every-tenth-request-is-asked-to-wait', 'limits.rate', {
    wire: (handle) => {
      let count = 0;
      return async (request) => {
        count += 1;
        return count % 10 === 0
          ? { status: 429, headers: { 'retry-after': '0' }, body: '' }
          : handle(request);
      };
    },
  }),
];

const json = 'application/json';

const errorBody = (
  id: string,
  contentType: string | undefined,
  write: (refusal: Refusal) => unknown,
): Variant =>
  variant(id, 'errors.body-shape', {
    rules: {
      errorBody(refusal) {
        const body = write(refusal);
        return { contentType, text: typeof body === 'string' ? body : JSON.stringify(body) };
      },
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
  errorBody('errors-are-a-message', json, ({ detail }) => ({ message: detail })),
  errorBody('errors-are-a-list', json, ({ status, title, detail }) => ({
    errors: [{ code: `E${status}`, title, detail }],
  })),
  errorBody('errors-are-nested', json, ({ status, title }) => ({
    error: { code: status, message: title, target: { field: null } },
  })),
  errorBody('errors-are-json-text', json, ({ title }) => JSON.stringify(title)),
  errorBody('errors-are-of-another-shape-each-time', json, ({ title }) =>
    faker.helpers.arrayElement([{ title }, [title], { error: { title } }, JSON.stringify(title)]),
  ),
];

/** Other statuses, and other bodies of errors (Endpoints, Errors). */
export const statusVariants: readonly Variant[] = [...statuses, ...errorBodies, ...keys];

const jsonCalled = (id: string, contentType: string): Variant =>
  variant(id, 'interface.json-says-so', {
    rules: { jsonBody: (value) => ({ contentType, text: JSON.stringify(value) }) },
  });

const jsonWritten = (id: string, write: (value: JsonObject) => string): Variant =>
  variant(id, 'interface.response-bodies-are-json', {
    rules: {
      jsonBody: (value, operation) => ({
        ...answerRules.jsonBody(value, operation),
        text: write(value),
      }),
    },
  });

const timesWritten = (id: string, timestamp: (at: number) => string): Variant =>
  variant(id, 'fields.timestamps-are-iso-utc', { rules: { timestamp } });

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
  variant('ids-are-in-upper-case', 'fields.identifiers-are-uuid-shaped', {
    rules: { identifier: (uuid) => uuid.toUpperCase() },
  }),
  variant('ids-are-shown-in-upper-case', 'fields.identifiers-are-uuid-shaped', {
    rules: {
      presentTask: (task) => withUpperCaseIds(task),
      presentAssessment: (assessment) => withUpperCaseIds(assessment),
      findTask: (id, { tasks }) => tasks.get(id.toLowerCase()),
      findAssessment: (id, { assessments }) => assessments.get(id.toLowerCase()),
    },
  }),
  variant(
    'an-assessment-shares-the-id-of-its-workflow-instance',
    'assessment.workflow-instance-id',
    {
      follows: ['service.task-agrees-with-its-assessment'],
      rules: {
        presentAssessment: (assessment) => ({ ...assessment, workflow_instance_id: assessment.id }),
      },
    },
  ),
  variant('answers-carry-an-etag-and-other-headers', 'interface.answer-headers', {
    rules: {
      answerHeaders: (status) => ({
        etag: '"5d41402abc4b2a76b9719d911017c592"',
        'x-request-id': randomUUID(),
        'strict-transport-security': 'max-age=31536000',
        'set-cookie': 'session=1; HttpOnly',
        ...(status === 401 && { 'www-authenticate': 'ApiKey' }),
      }),
    },
  }),
  variant('answers-carry-no-further-headers', 'interface.answer-headers', {
    rules: { answerHeaders: () => ({}) },
  }),
  variant('objects-carry-further-fields', 'fields.further-fields', {
    rules: {
      furtherFields: (resource) => ({
        kind: resource,
        labels: [{ text: '優先', weight: 1.5 }],
        archived_at: null,
      }),
    },
  }),
  variant('objects-carry-a-field-that-changes-at-every-read', 'fields.further-fields', {
    rules: { furtherFields: () => ({ served_by: randomUUID() }) },
  }),
  variant('tasks-carry-the-time-of-the-answer', 'fields.further-fields', {
    rules: {
      furtherFields: (resource) => (resource === 'task' ? { retrieved_at: Date.now() } : {}),
    },
  }),
];
