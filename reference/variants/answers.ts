import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../records.ts';
import { answerRules } from '../rules/answer.ts';
import type { Variant } from './variant.ts';

const jsonCalled = (id: string, contentType: string): Variant => ({
  id,
  opens: 'interface.json-says-so',
  rules: { jsonBody: (value) => ({ contentType, text: JSON.stringify(value) }) },
});

const jsonWritten = (id: string, write: (value: JsonObject) => string): Variant => ({
  id,
  opens: 'interface.response-bodies-are-json',
  rules: {
    jsonBody: (value, operation) => ({
      ...answerRules.jsonBody(value, operation),
      text: write(value),
    }),
  },
});

const timesWritten = (id: string, timestamp: (at: number) => string): Variant => ({
  id,
  opens: 'fields.timestamps-are-iso-utc',
  rules: { timestamp },
});

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
  {
    id: 'ids-are-in-upper-case',
    opens: 'fields.identifiers-are-uuid-shaped',
    rules: { identifier: (uuid) => uuid.toUpperCase() },
  },
  {
    id: 'ids-are-shown-in-upper-case',
    opens: 'fields.identifiers-are-uuid-shaped',
    rules: {
      presentTask: (task) => withUpperCaseIds(task),
      presentAssessment: (assessment) => withUpperCaseIds(assessment),
      findTask: (id, { tasks }) => tasks.get(id.toLowerCase()),
      findAssessment: (id, { assessments }) => assessments.get(id.toLowerCase()),
    },
  },
  {
    id: 'an-assessment-shares-the-id-of-its-workflow-instance',
    opens: 'assessment.workflow-instance-id',
    rules: {
      presentAssessment: (assessment) => ({ ...assessment, workflow_instance_id: assessment.id }),
    },
  },
  {
    id: 'answers-carry-an-etag-and-other-headers',
    opens: 'interface.answer-headers',
    rules: {
      answerHeaders: (status) => ({
        etag: '"5d41402abc4b2a76b9719d911017c592"',
        'x-request-id': randomUUID(),
        'strict-transport-security': 'max-age=31536000',
        'set-cookie': 'session=1; HttpOnly',
        ...(status === 401 && { 'www-authenticate': 'ApiKey' }),
      }),
    },
  },
  {
    id: 'answers-carry-no-further-headers',
    opens: 'interface.answer-headers',
    rules: { answerHeaders: () => ({}) },
  },
  {
    id: 'objects-carry-further-fields',
    opens: 'fields.further-fields',
    rules: {
      furtherFields: (resource) => ({
        kind: resource,
        labels: [{ text: '優先', weight: 1.5 }],
        archived_at: null,
      }),
    },
  },
  {
    id: 'objects-carry-a-field-that-changes-at-every-read',
    opens: 'fields.further-fields',
    rules: { furtherFields: () => ({ served_by: randomUUID() }) },
  },
  {
    id: 'tasks-carry-the-time-of-the-answer',
    opens: 'fields.further-fields',
    rules: {
      furtherFields: (resource) => (resource === 'task' ? { retrieved_at: Date.now() } : {}),
    },
  },
];
