import { dashed } from '../../schemas/clause.ts';
import { type ClauseId, clauseIds, clauseOf, clauses } from '../../schemas/clauses.ts';
import {
  type ListFilter,
  listFilters,
  metadataKeys,
  type Operation,
} from '../../schemas/operations.ts';
import {
  assessmentExample,
  csvExample,
  taskExample,
  unassignExample,
  updateExample,
  version,
} from './examples.ts';

// The four operations, described by the texts of their clauses.

/** GET /tasks/{task_id} (2. Retrieve a task). */
export const getTask = operation('get-task', 'tasks', 'Retrieve a task', ['2. Retrieve a task'], {
  responses: {
    ...success('Task', taskExample),
    ...unauthorized(),
    404: described('get-task.unknown-task-is-404'),
  },
});

/** GET /assessments/{assessment_id} (3. Retrieve an assessment). */
export const getAssessment = operation(
  'get-assessment',
  'assessments',
  'Retrieve an assessment',
  ['3. Retrieve an assessment'],
  {
    responses: {
      ...success('Assessment', assessmentExample),
      ...unauthorized(),
      404: described('get-assessment.unknown-assessment-is-404'),
    },
  },
);

/** PUT /tasks/{task_id}/update-assignment (1. Update a task assignment). */
export const updateAssignment = operation(
  'update-assignment',
  'tasks',
  'Update a task assignment',
  ['1. Update a task assignment', 'Errors: 409 Version mismatch'],
  {
    parameters: [
      {
        name: 'If-Match',
        in: 'header',
        required: true,
        description: clauses['update.needs-if-match'].text,
        schema: { type: 'string' },
        example: version,
      },
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/UpdateAssignment' },
          examples: {
            update: { summary: 'Assign or reassign', value: updateExample },
            unassign: { summary: 'Unassign', value: unassignExample },
          },
        },
      },
    },
    responses: {
      ...success('Task', taskExample),
      ...unauthorized(),
      404: described('update.unknown-task-is-404'),
      409: described('conflict.differing-version-is-409', 'conflict.changes-nothing'),
    },
  },
);

/** A query parameter of the export, described by its clauses. @param rest further fields of the parameter */
const inQuery = (name: string, schema: object, ids: readonly ClauseId[], rest: object = {}) => ({
  name,
  in: 'query',
  ...described(...ids),
  ...rest,
  schema,
});

const valuesOf: Readonly<Record<ListFilter, readonly string[]>> = {
  auditee_id: ['f2a7c7f0-7b0b-4b7c-9f57-6a3f4d8f1e33'],
  event_type: ['assessment'],
  sub_type: ['created', 'updated'],
  system_source: ['assessment_service', 'task_platform'],
};
const metadataSchema = {
  type: 'object',
  properties: Object.fromEntries(
    metadataKeys.map((key) => [
      key,
      { type: 'string', ...described(`export.filters-by-metadata-${dashed(key)}`) },
    ]),
  ),
};
const instant = { type: ['string', 'null'], format: 'date-time' };
const fileType = { type: 'string', enum: ['csv', 'pdf'], default: 'csv' };
const locale = { type: 'string', pattern: '^[a-z]{2}$', default: 'en' };

const parameters = [
  ...listFilters.map((name) => ({
    ...inQuery(name, { type: 'array', items: { type: 'string' } }, [
      `export.filters-by-${dashed(name)}`,
      'export.array-encoding',
    ]),
    examples: { values: { value: valuesOf[name] } },
  })),
  inQuery('metadata', metadataSchema, ['export.metadata-keys-combine'], {
    style: 'deepObject',
    explode: true,
  }),
  inQuery('range_start', instant, ['export.range-start-includes-its-instant']),
  inQuery('range_end', instant, ['export.range-end-includes-its-instant']),
  inQuery('file_type', fileType, ['export.file-type-defaults-to-csv']),
  inQuery('locale', locale, ['export.locale-defaults-to-en']),
  inQuery('timezone', { type: ['string', 'null'] }, ['export.timezone-formats-the-dates']),
];

/** GET /audit-sentinel/events/export (4. Export audit events). */
export const exportOperation = operation(
  'export',
  'audit events',
  'Export audit events',
  ['4. Export audit events', '4. Export audit events: query parameters', 'Limits'],
  {
    parameters,
    responses: {
      200: {
        description: 'The file. Its media type, and what a CSV looks like, are not shown.',
        content: {
          'text/csv': { schema: { type: 'string' }, example: csvExample },
          'application/pdf': { schema: {} },
        },
      },
      400: described('errors.reversed-range-is-400', 'limits.pdf-over-5000-events-is-400'),
      ...unauthorized(),
      500: described('errors.unexpected-error-is-500'),
    },
  },
);

function operation(
  operationId: Operation,
  tag: string,
  summary: string,
  headings: readonly string[],
  rest: object,
) {
  return { operationId, tags: [tag], summary, description: statementsOf(headings), ...rest };
}

/** The texts of clauses as a description. Refusals have no schema, as the document shows no shape of their bodies. */
function described(...ids: readonly ClauseId[]): { description: string } {
  return { description: ids.map((id) => clauseOf(id).text).join(' ') };
}

function unauthorized() {
  return { 401: described('auth.invalid-key-is-401', 'auth.blocked-address-is-401') };
}

/**
 * A success of one of the JSON operations. The document does not show which status it has: any 2xx is as good, but
 * few makers of mocks understand `2XX`.
 */
function success(schema: string, example: object) {
  return {
    200: {
      description: 'The full object. That the status is 200, and no other 2xx, is not shown.',
      content: {
        'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example },
      },
    },
  };
}

/** What the document says under these headings, as Markdown: what holds, then what it leaves open. */
function statementsOf(headings: readonly string[]): string {
  const said = clauseIds.map(clauseOf).filter(({ section }) => headings.includes(section));
  const bullets = (isOpen: boolean) =>
    said.filter(({ level }) => (level === 'open') === isOpen).map(({ text }) => `- ${text}`);
  return [...bullets(false), '', 'Left open:', '', ...bullets(true)].join('\n');
}
