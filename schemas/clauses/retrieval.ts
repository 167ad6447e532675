import { section } from '../clause.ts';

export const endpointClauses = section('Endpoints', {
  'endpoints.refused-write-changes-nothing': {
    level: 'implied',
    text: 'A write that is answered with an error (4xx or 5xx) has changed nothing.',
  },
  'endpoints.task-stays-valid': {
    level: 'implied',
    text: 'Whatever a write is answered with, the task afterwards is still a valid Task.',
  },
});

export const getTaskClauses = section('2. Retrieve a task', {
  'get-task.needs-the-apikey': {
    level: 'stated',
    text: 'Retrieving a task requires the apikey header: without it, 401.',
  },
  'get-task.answers-with-the-full-task': {
    level: 'stated',
    text: 'A task that exists is answered with success and the full Task object.',
  },
  'get-task.answers-with-the-task-asked-for': {
    level: 'implied',
    text: 'The task in the answer is the one whose id was asked for.',
  },
  'get-task.changes-nothing': {
    level: 'implied',
    text: 'Reading a task changes nothing: read again, it is the same.',
  },
  'get-task.unknown-task-is-404': {
    level: 'stated',
    text: 'A task_id that matches no task is answered with 404.',
  },
  'get-task.success-status': {
    level: 'open',
    text: 'The status of a successful read of a task is not shown.',
  },
});

export const getAssessmentClauses = section('3. Retrieve an assessment', {
  'get-assessment.needs-the-apikey': {
    level: 'stated',
    text: 'Retrieving an assessment requires the apikey header: without it, 401.',
  },
  'get-assessment.answers-with-the-full-assessment': {
    level: 'stated',
    text: 'An assessment that exists is answered with success and the full Assessment object.',
  },
  'get-assessment.answers-with-the-assessment-asked-for': {
    level: 'implied',
    text: 'The assessment in the answer is the one whose id was asked for.',
  },
  'get-assessment.changes-nothing': {
    level: 'implied',
    text: 'Reading an assessment changes nothing: read again, it is the same.',
  },
  'get-assessment.unknown-assessment-is-404': {
    level: 'stated',
    text: 'An assessment_id that matches no assessment is answered with 404.',
  },
  'get-assessment.ids-are-found-elsewhere': {
    level: 'stated',
    text: 'Ids of assessments are found through a separate list operation.',
    untestable: 'That operation is not one of the four that the document covers.',
  },
  'get-assessment.success-status': {
    level: 'open',
    text: 'The status of a successful read of an assessment is not shown.',
  },
});
