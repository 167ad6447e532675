import { dashed } from '../../schemas/clause.ts';
import { clauses } from '../../schemas/clauses.ts';
import { listFilters, metadataKeys } from '../../schemas/operations.ts';
import { statementsOf } from './clause-texts.ts';
import { csvExample } from './examples.ts';
import { refusal, unauthorized } from './responses.ts';

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
