import { assessmentSchema } from '../../schemas/assessment.ts';
import { assignmentSchema } from '../../schemas/assignment.ts';
import { identifierPattern } from '../../schemas/identifier.ts';
import { taskSchema } from '../../schemas/task.ts';
import { timestampPattern } from '../../schemas/timestamp.ts';
import { updateAssignmentSchema } from '../../schemas/update-assignment.ts';
import {
  assessmentExample,
  assessmentId,
  assignmentExample,
  taskExample,
  taskId,
  updateExample,
} from './examples.ts';
import { exportOperation, getAssessment, getTask, updateAssignment } from './operations.ts';

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
