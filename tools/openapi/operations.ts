import { type Clause, dashed } from '../../schemas/clause.ts';
import { type ClauseId, clauseIds, clauseOf, clauses } from '../../schemas/clauses.ts';
import { listFilters, metadataKeys } from '../../schemas/operations.ts';
import {
  assessmentExample,
  csvExample,
  taskExample,
  unassignExample,
  updateExample,
  version,
} from './examples.ts';

// The four operations. What the document says of each is said in the texts of its clauses.

const unauthorized = refusal('auth.invalid-key-is-401', 'auth.blocked-address-is-401');

/** GET /tasks/{task_id} (2. Retrieve a task). */
export const getTask = {
  operationId: 'get-task',
  tags: ['tasks'],
  summary: 'Retrieve a task',
  description: statementsOf(['2. Retrieve a task']),
  responses: {
    ...success('Task', taskExample),
    401: unauthorized,
    404: refusal('get-task.unknown-task-is-404'),
  },
};

/** GET /assessments/{assessment_id} (3. Retrieve an assessment). */
export const getAssessment = {
  operationId: 'get-assessment',
  tags: ['assessments'],
  summary: 'Retrieve an assessment',
  description: statementsOf(['3. Retrieve an assessment']),
  responses: {
    ...success('Assessment', assessmentExample),
    401: unauthorized,
    404: refusal('get-assessment.unknown-assessment-is-404'),
  },
};

/** PUT /tasks/{task_id}/update-assignment (1. Update a task assignment). */
export const updateAssignment = {
  operationId: 'update-assignment',
  tags: ['tasks'],
  summary: 'Update a task assignment',
  description: statementsOf(['1. Update a task assignment', 'Errors: 409 Version mismatch']),
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
    401: unauthorized,
    404: refusal('update.unknown-task-is-404'),
    409: refusal('conflict.differing-version-is-409', 'conflict.changes-nothing'),
  },
};

const examples = {
  auditee_id: ['f2a7c7f0-7b0b-4b7c-9f57-6a3f4d8f1e33'],
  event_type: ['assessment'],
  sub_type: ['created', 'updated'],
  system_source: ['assessment_service', 'task_platform'],
} as const;

const filters = listFilters.map((name) => ({
  name,
  in: 'query',
  description: `${clauses[`export.filters-by-${dashed(name)}`].text} ${clauses['export.array-encoding'].text}`,
  schema: { type: 'array', items: { type: 'string' } },
  examples: { values: { value: examples[name] } },
}));

const instant = { type: ['string', 'null'], format: 'date-time' };

const parameters = [
  ...filters,
  {
    name: 'metadata',
    in: 'query',
    description: clauses['export.metadata-keys-combine'].text,
    style: 'deepObject',
    explode: true,
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        metadataKeys.map((key) => [
          key,
          {
            type: 'string',
            description: clauses[`export.filters-by-metadata-${dashed(key)}`].text,
          },
        ]),
      ),
    },
  },
  {
    name: 'range_start',
    in: 'query',
    description: clauses['export.range-start-includes-its-instant'].text,
    schema: instant,
  },
  {
    name: 'range_end',
    in: 'query',
    description: clauses['export.range-end-includes-its-instant'].text,
    schema: instant,
  },
  {
    name: 'file_type',
    in: 'query',
    description: clauses['export.file-type-defaults-to-csv'].text,
    schema: { type: 'string', enum: ['csv', 'pdf'], default: 'csv' },
  },
  {
    name: 'locale',
    in: 'query',
    description: clauses['export.locale-defaults-to-en'].text,
    schema: { type: 'string', pattern: '^[a-z]{2}$', default: 'en' },
  },
  {
    name: 'timezone',
    in: 'query',
    description: clauses['export.timezone-formats-the-dates'].text,
    schema: { type: ['string', 'null'] },
  },
];

/** GET /audit-sentinel/events/export (4. Export audit events). */
export const exportOperation = {
  operationId: 'export',
  tags: ['audit events'],
  summary: 'Export audit events',
  description: statementsOf([
    '4. Export audit events',
    '4. Export audit events: query parameters',
    'Limits',
  ]),
  parameters,
  responses: {
    200: {
      description: 'The file. Its media type, and what a CSV looks like, are not shown.',
      content: {
        'text/csv': { schema: { type: 'string' }, example: csvExample },
        'application/pdf': { schema: {} },
      },
    },
    400: refusal('errors.reversed-range-is-400', 'limits.pdf-over-5000-events-is-400'),
    401: unauthorized,
    500: refusal('errors.unexpected-error-is-500'),
  },
};

/** A refusal, with what the document says of it. The shape of its body is not shown, so none is described. */
function refusal(...ids: readonly ClauseId[]): { description: string } {
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
        'application/json': {
          schema: { $ref: `#/components/schemas/${schema}` },
          example,
        },
      },
    },
  };
}

/** What the document says under these headings, as Markdown: what holds, then what it leaves open. */
function statementsOf(headings: readonly string[]): string {
  const said = clauseIds.map(clauseOf).filter(({ section }) => headings.includes(section));
  const isOpen = ({ level }: Clause): boolean => level === 'open';
  return [
    ...bullets(said.filter((clause) => !isOpen(clause))),
    '',
    'Left open:',
    '',
    ...bullets(said.filter(isOpen)),
  ].join('\n');
}

function bullets(some: readonly Clause[]): string[] {
  return some.map(({ text }) => `- ${text}`);
}
