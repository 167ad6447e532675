import { dashed } from '../../schemas/clause.ts';
import { type ClauseId, clauseIds, clauseOf, clauses } from '../../schemas/clauses.ts';
import {
  type ListFilter,
  listFilters,
  metadataKeys,
  type Operation,
} from '../../schemas/operations.ts';
import {
  assessmentSchema,
  assignmentSchema,
  identifierPattern,
  taskSchema,
  timestampPattern,
  updateAssignmentSchema,
} from '../../schemas/resources.ts';
import {
  assessmentExample,
  assessmentId,
  assignmentExample,
  csvExample,
  taskExample,
  taskId,
  unassignExample,
  updateExample,
  version,
} from './examples.ts';

// The four operations, described by the texts of their clauses.

/** GET /tasks/{task_id} (2. Retrieve a task). */
const getTask = operation('get-task', 'tasks', 'Retrieve a task', ['2. Retrieve a task'], {
  ...success('Task', taskExample),
  404: saidBy('get-task.unknown-task-is-404'),
});

/** GET /assessments/{assessment_id} (3. Retrieve an assessment). */
const getAssessment = operation(
  'get-assessment',
  'assessments',
  'Retrieve an assessment',
  ['3. Retrieve an assessment'],
  {
    ...success('Assessment', assessmentExample),
    404: saidBy('get-assessment.unknown-assessment-is-404'),
  },
);

/** PUT /tasks/{task_id}/update-assignment (1. Update a task assignment). */
const updateAssignment = operation(
  'update-assignment',
  'tasks',
  'Update a task assignment',
  ['1. Update a task assignment', 'Errors: 409 Version mismatch'],
  {
    ...success('Task', taskExample),
    404: saidBy('update.unknown-task-is-404'),
    409: saidBy('conflict.differing-version-is-409', 'conflict.changes-nothing'),
  },
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
  },
);

/** A query parameter of the export, described by its clauses. @param rest further fields of the parameter */
const inQuery = (name: string, schema: object, ids: readonly ClauseId[], rest: object = {}) => ({
  name,
  in: 'query',
  ...saidBy(...ids),
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
      { type: 'string', ...saidBy(`export.filters-by-metadata-${dashed(key)}`) },
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
const exportOperation = operation(
  'export',
  'audit events',
  'Export audit events',
  ['4. Export audit events', '4. Export audit events: query parameters', 'Limits'],
  {
    200: {
      description: 'The file. Its media type, and what a CSV looks like, are not shown.',
      content: {
        'text/csv': { schema: { type: 'string' }, example: csvExample },
        'application/pdf': { schema: {} },
      },
    },
    400: saidBy('errors.reversed-range-is-400', 'limits.pdf-over-5000-events-is-400'),
    500: saidBy('errors.unexpected-error-is-500'),
  },
  { parameters },
);

/**
 * The four operations of the document as an OpenAPI 3.1 description, made from our schemas and the texts of the
 * clauses. It says less than the clauses do: what one request does to the next has no place in OpenAPI.
 */
export const description = {
  openapi: '3.1.1',
  info: {
    title: 'Task Assignment, Task and Assessment Retrieval, and Audit Export',
    version: '5',
    description:
      'What cannot be said in OpenAPI (versions, conflicts, filters, files) stands in the descriptions of the operations.',
  },
  servers: [
    {
      url: 'https://{region}.example',
      description: 'The regional domain of the service.',
      variables: { region: { default: 'region' } },
    },
  ],
  security: [{ apikey: [] }],
  tags: [{ name: 'tasks' }, { name: 'assessments' }, { name: 'audit events' }],
  // With /v5 in the paths and not in the address of the server: Prism serves the paths alone.
  paths: {
    '/v5/tasks/{task_id}/update-assignment': {
      parameters: [idInPath('task_id', taskId)],
      put: updateAssignment,
    },
    '/v5/tasks/{task_id}': { parameters: [idInPath('task_id', taskId)], get: getTask },
    '/v5/assessments/{assessment_id}': {
      parameters: [idInPath('assessment_id', assessmentId)],
      get: getAssessment,
    },
    '/v5/audit-sentinel/events/export': { get: exportOperation },
  },
  components: {
    schemas: {
      Task: described(taskSchema, taskExample),
      Assignment: described(assignmentSchema, assignmentExample),
      Assessment: described(assessmentSchema, assessmentExample),
      UpdateAssignment: described(updateAssignmentSchema, updateExample),
    },
    securitySchemes: { apikey: { type: 'apiKey', in: 'header', name: 'apikey' } },
  },
};

/** The content of openapi.json. Ends with a line feed. */
export function renderDescription(): string {
  return `${JSON.stringify(description, null, 2)}\n`;
}

function idInPath(name: string, example: string): object {
  return {
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', format: 'uuid', pattern: identifierPattern },
    example,
  };
}

/** A schema for OpenAPI: without its address, with an example, and with formats that every OpenAPI tool knows. */
function described(
  { $schema: _dialect, $id: _address, ...schema }: { $schema: string; $id: string },
  example: object,
): object {
  const known: object = JSON.parse(
    JSON.stringify(schema, (_, value: unknown) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      return Object.fromEntries(
        Object.entries(value).flatMap((entry) => Object.entries(inOpenApi(...entry))),
      );
    }),
  );
  return { ...known, examples: [example] };
}

/** A keyword of our schemas as OpenAPI has it: `iso-utc` as `date-time`, references as those of components. */
function inOpenApi(key: string, value: unknown): object {
  if (value === 'iso-utc') return { format: 'date-time', pattern: timestampPattern };
  // Generated mocks make an id of the format, and not of a pattern.
  if (value === identifierPattern) return { format: 'uuid', pattern: identifierPattern };
  return {
    [key]: value === 'assignment' && key === '$ref' ? '#/components/schemas/Assignment' : value,
  };
}

/** An operation, described by its clauses. Each may refuse the key. @param rest its parameters and its body */
function operation(
  operationId: Operation,
  tag: string,
  summary: string,
  headings: readonly string[],
  responses: object,
  rest: object = {},
) {
  const unauthorized = saidBy('auth.invalid-key-is-401', 'auth.blocked-address-is-401');
  return {
    ...{ operationId, tags: [tag], summary, description: statementsOf(headings), ...rest },
    responses: { ...responses, 401: unauthorized },
  };
}

/** The texts of clauses as a description. Refusals have no schema, as the document shows no shape of their bodies. */
function saidBy(...ids: readonly ClauseId[]): { description: string } {
  return { description: ids.map((id) => clauseOf(id).text).join(' ') };
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
