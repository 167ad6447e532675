import { identifierPattern } from '../../schemas/identifier.ts';
import { assessmentId, taskId } from './examples.ts';
import { exportOperation } from './export-operation.ts';
import { getAssessment, getTask, updateAssignment } from './json-operations.ts';
import { componentSchemas } from './schemas.ts';

const idInPath = (name: string, example: string) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', format: 'uuid', pattern: identifierPattern },
  example,
});

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
      url: 'https://{region}.example/v5',
      description: 'The regional domain of the service.',
      variables: { region: { default: 'region' } },
    },
  ],
  security: [{ apikey: [] }],
  tags: [{ name: 'tasks' }, { name: 'assessments' }, { name: 'audit events' }],
  paths: {
    '/tasks/{task_id}/update-assignment': {
      parameters: [idInPath('task_id', taskId)],
      put: updateAssignment,
    },
    '/tasks/{task_id}': { parameters: [idInPath('task_id', taskId)], get: getTask },
    '/assessments/{assessment_id}': {
      parameters: [idInPath('assessment_id', assessmentId)],
      get: getAssessment,
    },
    '/audit-sentinel/events/export': { get: exportOperation },
  },
  components: {
    schemas: componentSchemas,
    securitySchemes: { apikey: { type: 'apiKey', in: 'header', name: 'apikey' } },
  },
};

/** The content of openapi.json. Ends with a line feed. */
export function renderDescription(): string {
  return `${JSON.stringify(description, null, 2)}\n`;
}
