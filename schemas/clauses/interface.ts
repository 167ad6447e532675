import { implied, open, section, stated } from '../clause.ts';

const recordsAreNotShown =
  'The four operations do not show whether those records exist. That their ids are present is judged field by field.';

export const interfaceClauses = {
  ...section('Introduction', {
    'interface.is-the-only-document': stated(
      'This is the only document on the four operations; everything else about the service is out of its scope.',
      'It is a statement about documents, not about the service.',
    ),
    'interface.request-bodies-are-json': stated(
      'Request bodies are JSON.',
      'It is a requirement on the caller: every body that the suite wants accepted is JSON.',
    ),
    'interface.response-bodies-are-json':
      'The bodies of successful responses are JSON, except for the audit export.',
    // The sentence is about all response bodies: those of errors too, although their shape is not shown.
    'interface.error-bodies-are-json':
      'A refusal (4xx) of one of the three JSON operations that has a body has a JSON body, of whatever shape.',
    'interface.json-says-so': implied(
      'A response that carries a JSON object names a JSON media type in Content-Type.',
    ),
    'interface.answer-headers': open('say which headers responses have'),
  }),
  ...section('What the service does', {
    'service.task-belongs-to-records': stated(
      'A task belongs to a workflow instance, an entity, an assessment and an institution.',
      recordsAreNotShown,
    ),
    'service.assessment-is-tied-to-records': stated(
      'An assessment is tied to an entity and a workflow instance.',
      recordsAreNotShown,
    ),
    'service.assessment-of-a-task-can-be-read': implied(
      'The assessment_id of a task is the id of an assessment: retrieving it does not answer 404.',
    ),
    'service.task-agrees-with-its-assessment': open(
      'say whether a task and its assessment name the same entity, institution and workflow instance',
    ),
    'service.assignee-is-single':
      'A task is assigned to a single user or to a team: a new assignment replaces the old one.',
    'service.records-system-actions': stated(
      'The service records audit events: histories of system actions and changes.',
      'The document does not say which actions are recorded, except for assignment comments, which have clauses of their own.',
    ),
    'service.export-purpose': stated(
      'Exports serve offline analysis, reporting and archiving.',
      'It says what exports are for, not what they do.',
    ),
  }),
};
