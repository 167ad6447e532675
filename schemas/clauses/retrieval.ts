import { implied, open, section, stated } from '../clause.ts';

export const endpointClauses = section('Endpoints', {
  'endpoints.refused-write-changes-nothing': implied(
    'A write that is answered with an error (4xx or 5xx) has changed nothing.',
  ),
  'endpoints.task-stays-valid': implied(
    'Whatever a write is answered with, the task is still a valid Task afterwards.',
  ),
});

export const getTaskClauses = section('2. Retrieve a task', {
  'get-task.needs-the-apikey':
    'Retrieving a task requires the apikey header: without it, the response is 401.',
  'get-task.answers-with-the-full-task':
    'A request for a task that exists is answered with success and the full Task object.',
  'get-task.answers-with-the-task-asked-for': implied(
    'The task in the response is the one whose id was requested.',
  ),
  'get-task.changes-nothing': implied('Reading a task does not change it.'),
  'get-task.unknown-task-is-404': 'A task_id that matches no task is answered with 404.',
  'get-task.success-status': open('say which status a successful read of a task has'),
  'task.read-delay': open('say whether a write shows in reads as soon as it is answered'),
});

export const getAssessmentClauses = section('3. Retrieve an assessment', {
  'get-assessment.needs-the-apikey':
    'Retrieving an assessment requires the apikey header: without it, the response is 401.',
  'get-assessment.answers-with-the-full-assessment':
    'A request for an assessment that exists is answered with success and the full Assessment object.',
  'get-assessment.answers-with-the-assessment-asked-for': implied(
    'The assessment in the response is the one whose id was requested.',
  ),
  'get-assessment.changes-nothing': implied(
    'Reading an assessment changes neither it nor its tasks.',
  ),
  'get-assessment.unknown-assessment-is-404':
    'An assessment_id that matches no assessment is answered with 404.',
  'get-assessment.ids-are-found-elsewhere': stated(
    'Ids of assessments are found through a separate list operation.',
    'That operation is not one of the four that the document covers.',
  ),
  'get-assessment.success-status': open('say which status a successful read of an assessment has'),
});
