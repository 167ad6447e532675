import { section } from '../clause.ts';

export const interfaceClauses = section('Introduction', {
  'interface.is-the-only-document': {
    level: 'stated',
    text: 'The four operations have one document; everything else about the service lies outside it.',
    untestable: 'It is a statement about documents, not about the service.',
  },
  'interface.request-bodies-are-json': {
    level: 'stated',
    text: 'Request bodies are JSON.',
    untestable: 'It binds the caller: every body that the suite means to be accepted is JSON.',
  },
  'interface.response-bodies-are-json': {
    level: 'stated',
    text: 'Bodies of successful answers are JSON, except the audit export.',
  },
  'interface.json-says-so': {
    level: 'implied',
    text: 'An answer that carries a JSON object names a JSON media type in Content-Type.',
  },
  'interface.answer-headers': {
    level: 'open',
    text: 'Which headers answers carry is not said.',
  },
});

export const serviceClauses = section('What the service does', {
  'service.task-belongs-to-records': {
    level: 'stated',
    text: 'A task belongs to a workflow instance, an entity, an assessment and an institution.',
    untestable:
      'The four operations do not show whether those records exist. That their ids are there is judged field by field.',
  },
  'service.assessment-is-tied-to-records': {
    level: 'stated',
    text: 'An assessment is tied to an entity and a workflow instance.',
    untestable:
      'The four operations do not show whether those records exist. That their ids are there is judged field by field.',
  },
  'service.assignee-is-single': {
    level: 'stated',
    text: 'A task is assigned to a single user or to a team: a new assignment takes the place of the old one.',
  },
  'service.records-system-actions': {
    level: 'stated',
    text: 'The service records audit events: histories of system actions and changes.',
    untestable:
      'Which actions are recorded is not said, but for assignment comments, which have clauses of their own.',
  },
  'service.export-purpose': {
    level: 'stated',
    text: 'Exports serve offline analysis, reporting and archiving.',
    untestable: 'It says what exports are for, not what they do.',
  },
});
