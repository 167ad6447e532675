import { clauses } from '../../schemas/clauses.ts';
import { statementsOf } from './clause-texts.ts';
import {
  assessmentExample,
  taskExample,
  unassignExample,
  updateExample,
  version,
} from './examples.ts';
import { refusal, success, unauthorized } from './responses.ts';

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
