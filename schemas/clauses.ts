import { type Clause, implied, type Level, open, section, stated, statedOfEach } from './clause.ts';
import { type ListFilter, listFilters, metadataKeys } from './operations.ts';
import { assessmentFields, assignmentFields, taskFields } from './resources.ts';

const recordsAreNotShown =
  'The four operations do not show whether those records exist. That their ids are present is judged field by field.';

/** A clause for each field of a resource. @param types of the fields that are not simply strings */
function fieldsOf<const Resource extends string, const Field extends string>(
  resource: Resource,
  fields: readonly Field[],
  types: { readonly [Name in Field]?: string },
) {
  const one = `${resource.startsWith('a') ? 'An' : 'A'} ${resource}`;
  return statedOfEach(
    `${resource}.`,
    fields,
    (field) => `${one} has the field \`${field}\`, ${types[field] ?? 'a string'}.`,
  );
}

const exporting = '4. Export audit events';

const keptBy: Readonly<Record<ListFilter, string>> = {
  auditee_id: 'caused by the given users',
  event_type: 'of the given types',
  sub_type: 'of the given subtypes',
  system_source: 'from the given sources',
};

/**
 * Every statement of the document, in the document's order. A statement that the document makes twice stands
 * here once, under the heading where it is said most fully.
 */
export const clauses = {
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
  ...section('Resources and their fields', {
    'fields.identifiers-are-uuid-shaped': 'Identifier fields are UUID-shaped strings.',
    'fields.timestamps-are-iso-utc': 'Timestamps are ISO 8601 datetimes in UTC.',
    'fields.further-fields': open('say whether resources have fields that the tables do not list'),
  }),
  ...section('Task', {
    ...fieldsOf('task', taskFields, {
      assignment: 'an Assignment object or null',
      name: 'a string or null',
      created_at: 'a timestamp string',
      updated_at: 'a timestamp string',
      locked_at: 'a timestamp string',
      custom_metadata: 'an object, an empty object or null',
      data_version: 'an integer',
    }),
    'task.assignment-null-when-unassigned': 'The assignment of an unassigned task is null.',
    'task.updated-at-is-the-version':
      'The updated_at of a task, exactly as it was read, is the version value for If-Match.',
    'task.updated-at-changes-with-the-task': 'updated_at changes when the task changes.',
    'task.microfrontend-id-form': {
      level: 'open',
      text: 'Identifiers are UUID-shaped; whether that of an interface component is one of them, or its name, the document does not say.',
    },
    'task.status-values': open('say which values status can have besides INCOMPLETE'),
    'task.nullable-fields': open(
      'say which fields can be null besides assignment, custom_metadata and name',
    ),
    'task.custom-metadata-contents': open('say what custom_metadata contains'),
    'task.data-version-rules': open('say what data_version means and when it changes'),
    'task.locked-at-rules': open('say what locked_at means and when it changes'),
  }),
  ...section(
    'Assignment (object inside a task)',
    fieldsOf('assignment', assignmentFields, {
      assigned_by_id: 'a string: the user who made it',
      assigned_to_id: 'a string: the user or team',
      assigned_to_type: 'which is USER or TEAM',
      assignment_comment: 'a string or null',
    }),
  ),
  ...section('Assessment', {
    ...fieldsOf('assessment', assessmentFields, {
      created_at: 'a timestamp string',
      workflow_state: 'which is Active, Cancelled or Error',
      error_message: 'null or a value',
      error_details: 'null or a value',
      error_step: 'null or a value',
      error_type: 'null or a value',
    }),
    'assessment.outcome-name-is-elsewhere': stated(
      'The name of an outcome is obtained through a separate operation.',
      'That operation is not one of the four that the document covers.',
    ),
    'assessment.error-fields-null-without-error':
      'The error fields are null when there is no error: in the state Active, and where one that was cancelled shows none.',
    'assessment.error-fields-set-on-error': implied(
      'In the state Error, at least one of the error fields is set.',
    ),
    'assessment.error-field-types': open('say which types the error fields have when they are set'),
    'assessment.error-fields-when-cancelled': open(
      'say whether an assessment that was cancelled keeps the error information of an earlier error',
    ),
  }),
  ...section('States and transitions', {
    'states.only-the-assignment-changes': implied(
      'Task assignment is the only state change: changing the assignment of a task leaves its assessment unchanged.',
    ),
    'assign.task-becomes-assigned':
      'An `update` object on an unassigned task, with the current version, assigns it to the given user or team.',
    'reassign.task-goes-to-the-new-assignee':
      'An `update` object on an assigned task, with the current version, assigns it to the newly given user or team.',
    'notification.new-assignee-gets-email':
      'Reassigning a task sends an email to the newly assigned user, or to the members of the newly assigned team.',
    'unassign.task-becomes-unassigned':
      'An `unassign` object on an assigned task, with the current version, leaves it unassigned.',
    'update.answers-with-the-new-assignment':
      'The response to an assignment or reassignment carries the new assignment.',
    'update.answers-with-a-new-version':
      'The response to a successful write carries a new updated_at.',
    'update.keeps-the-other-fields': implied(
      'A change of assignment leaves the other fields of the task unchanged, except for those whose rules the document does not give.',
    ),
    'update.keeps-other-tasks': implied(
      'A change of the assignment of one task leaves other tasks unchanged.',
    ),
    // The document says that the comment is visible to the assignee; that nothing of it is lost is the natural reading.
    'comment.is-on-the-assignment': implied(
      'The comment of an assignment is visible to the assignee: the assignment of the task carries it verbatim, but for line ends and the Unicode form of letters.',
    ),
    'comment.is-not-carried-over': implied(
      'An assignment made without a comment does not keep the comment of an earlier one.',
    ),
    'comment.when-empty': open(
      'say whether an empty comment stays empty, becomes null or is refused',
    ),
    'comment.surrounding-white-space': open('say whether white space around a comment is kept'),
    'comment.normalization': open(
      'say whether the line ends of a comment, and the Unicode form of its letters, are kept as they were sent',
    ),
    'comment.length-limit': open('say how long a comment may be'),
    'task.status-transitions': open(
      'say how the status of a task changes, nor whether an assignment changes it',
    ),
    'assessment.state-transitions': open(
      'say how the workflow_state of an assessment changes, and what changes with it',
    ),
    'unassign.on-an-unassigned-task': open(
      'say what `unassign` does on a task that has no assignment',
    ),
  }),
  ...section('Endpoints', {
    'endpoints.refused-write-changes-nothing': implied(
      'A write that is answered with an error (4xx or 5xx) has changed nothing.',
    ),
    'endpoints.task-stays-valid': implied(
      'Whatever a write is answered with, the task is still a valid Task afterwards.',
    ),
  }),
  ...section('1. Update a task assignment', {
    'update.needs-the-apikey':
      'Updating an assignment requires the apikey header: without it, the response is 401.',
    // The document says which fields of the body are required, their types, and the two types of assignees. That a write
    // without these is not carried out follows, but is not stated: these clauses are implied.
    'update.needs-if-match': implied(
      'If-Match is required: a write without it is not carried out.',
    ),
    'update.content-type-is-json': stated(
      'The request names the media type application/json.',
      'It is a requirement on the caller; what happens with other media types is observed.',
    ),
    'update.other-content-types': open(
      'say how a body of another media type, or of none, is answered',
    ),
    'update.body-is-a-json-object': implied(
      'The body is a JSON object: a write with any other body is not carried out.',
    ),
    'update.body-with-both-objects': open('say what a body with both `update` and `unassign` does'),
    'update.body-with-neither-object': open(
      'say what a body with neither `update` nor `unassign` does',
    ),
    'update.needs-assigned-by-id': implied(
      '`update.assigned_by_id` is required: an assignment without it is not carried out.',
    ),
    'update.needs-assigned-to-id': implied(
      '`update.assigned_to_id` is required: an assignment without it is not carried out.',
    ),
    'update.needs-assigned-to-type': implied(
      '`update.assigned_to_type` is required: an assignment without it is not carried out.',
    ),
    'update.assigned-to-type-values': implied(
      '`update.assigned_to_type` is USER or TEAM: an assignment with any other value is not carried out.',
    ),
    'update.comment-is-optional': '`update.assignment_comment` may be a string, null or missing.',
    'unassign.needs-assigned-by-id': implied(
      '`unassign.assigned_by_id` is required: an unassignment without it is not carried out.',
    ),
    'unassign.comment-is-optional':
      '`unassign.assignment_comment` may be a string, null or missing.',
    'update.field-types': implied(
      'The fields of the body are strings (the comment a string or null): a write with a field of another type is not carried out, unless a number was taken for the text that it reads as.',
    ),
    'update.answers-with-the-updated-task':
      'A successful write is answered with the updated Task object, the same that is read afterwards.',
    'unassign.answers-with-null-assignment':
      'After a successful unassign the assignment in the response is null.',
    'update.unknown-task-is-404': 'A write to a task_id that matches no task is answered with 404.',
    'update.success-status': open('say which status a successful write has'),
    'update.refused-body-status': open(
      'say which status an invalid or incomplete assignment body is answered with',
    ),
    'update.missing-if-match-status': open(
      'say which status a write without If-Match is answered with',
    ),
    'update.quoted-if-match': open(
      'say whether the version may be sent in quotes, as HTTP writes entity tags',
    ),
    'update.if-match-star': open('say what `If-Match: *` does'),
    'update.if-match-same-instant': open(
      'say whether the same instant, written differently, counts as the same version',
    ),
  }),
  ...section('2. Retrieve a task', {
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
  }),
  ...section('3. Retrieve an assessment', {
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
    'get-assessment.success-status': open(
      'say which status a successful read of an assessment has',
    ),
  }),
  ...section(exporting, {
    'export.needs-the-apikey':
      'Exporting requires the apikey header: without it, the response is 401.',
    'export.answers-200': 'A valid export request is answered with status 200.',
    'export.parameters-are-optional':
      'Every query parameter may be omitted, each one alone and all together.',
    'export.is-repeatable': implied(
      'The same export of a closed window in the past, requested twice, holds the same events.',
    ),
    'export.refusal-carries-no-events': implied(
      'A refused export (400 or 401) carries no file and no events.',
    ),
    'export.no-response-body': stated(
      'Besides the file there is no response body.',
      'The file is the body: the document does not say what else there could be.',
    ),
  }),
  ...section('4. Export audit events: query parameters', {
    ...statedOfEach(
      'export.filters-by-',
      listFilters,
      (name) => `${name} keeps the events ${keptBy[name]}, and only those.`,
    ),
    'export.lists-are-any-of': implied(
      'Several values of a list parameter keep the events that match any of them.',
    ),
    'export.array-encoding': open(
      'say how several values of a list parameter are encoded in the query',
    ),
    'export.case-of-filter-values': open(
      'say whether upper and lower case are told apart in the values of filters',
    ),
    ...statedOfEach(
      'export.filters-by-metadata-',
      metadataKeys,
      (key) => `metadata[${key}] keeps the events with that value, and only those.`,
    ),
    // The document says that keys may be combined; that all of them must match is the natural reading.
    'export.metadata-keys-combine': implied(
      'Several metadata keys may be combined in one request: events that match all of them are kept.',
    ),
    'export.brackets-of-metadata': open(
      'say whether the brackets of metadata[<key>] are sent percent-encoded or as they are',
    ),
    'export.unknown-metadata-key': open('say how a metadata key that is not allowed is answered'),
    'export.filters-combine': implied(
      'Different filters in one request keep the events that match all of them.',
    ),

    'export.range-start-includes-its-instant':
      'range_start keeps the events from that time on, one at exactly that time included, and none before.',
    'export.range-end-includes-its-instant':
      'range_end keeps the events up to and including that time, and none after.',
    'export.ranges-split-without-loss': implied(
      'A range split in two at an instant holds the same events as both halves together.',
    ),
    'export.range-combines-with-filters': implied(
      'A range and a filter in one request keep the events that match both.',
    ),
    'export.range-bounds-are-independent': implied(
      'range_start and range_end may be left out, either or both: that side is then unbounded.',
    ),
    'export.range-bounds-are-instants': implied(
      'A bound is an instant: written with or without fractional digits, it selects the same events.',
    ),
    'export.range-start-equal-to-end': implied(
      'A range_start equal to range_end is a valid range.',
    ),
    'export.range-with-offset': open(
      'say whether a bound may be written with the offset +00:00 in place of Z',
    ),
    'export.null-range': open(
      'say how a null bound or time zone is written in a query, nor what an empty one does',
    ),
    'export.malformed-range': open(
      'say whether a bound may be a day without a time or a time without seconds, nor what the refusal of a bound that is no datetime looks like',
    ),
  }),
  ...section(exporting, {
    'export.csv-is-one-table': 'file_type csv gives a file that reads as one CSV table.',
    'export.pdf-opens': 'file_type pdf gives a file that opens as a PDF.',
    'export.file-type-defaults-to-csv': 'Without file_type the export is a CSV file.',
    'export.content-length-is-true': implied(
      'The file arrives complete: if Content-Length is sent, it is the length of the file.',
    ),
    'export.pdf-holds-the-events-of-the-csv': implied(
      'The PDF of a query holds every event that the CSV of the same query holds, and no other.',
    ),
    'export.csv-has-no-limit-of-5000': implied(
      'The limit of 5,000 events applies to PDF only: a CSV may hold more.',
    ),
    'export.locale-keeps-the-events': implied(
      'The locale changes how an export reads, not which events it holds.',
    ),
    'export.locale-defaults-to-en': 'Without locale the export is that of locale en.',
    'export.timezone-formats-the-dates':
      'Dates are written in the given timezone, an IANA identifier, with daylight saving time observed.',
    'export.timezone-keeps-the-events': implied(
      'The timezone changes how dates read, not which events are exported.',
    ),
    'export.csv-columns': open('say which columns a CSV export has'),
    'export.csv-form': open(
      'say which delimiter, byte order mark, line ends, quoting and headings a CSV export has',
    ),
    'export.date-style': open('say how dates are written in an export'),
    'export.order-of-events': open('say in which order events stand in an export'),
    'export.pdf-form': open('say which page size and layout a PDF export has'),
    'export.csv-content-type': open('say which content type an exported CSV has'),
    'export.pdf-content-type': open('say which content type an exported PDF has'),
    'export.file-name': open(
      'say which name an exported file has, nor how it is offered as a download (Content-Disposition)',
    ),
    'export.supported-locales': open('list the supported locales'),
    'export.unknown-locale': open('say how a locale that is not supported is answered'),
    'export.unknown-timezone': open('say how a time zone that does not exist is answered'),
    'export.unknown-file-type': open(
      'say whether csv and pdf may be written in capitals, nor what the refusal of another file_type looks like',
    ),
  }),
  ...section('Authentication', {
    'auth.valid-key-is-accepted':
      'A request with a valid API key in the header `apikey` is not answered with 401.',
    'auth.invalid-key-is-401': 'Every operation answers an invalid key with 401.',
    'auth.empty-key-is-401': implied(
      'An empty apikey header is not a valid key: every operation answers it with 401.',
    ),
    // Every operation requires the header: a key in the query, or among other text in the header, is no such header.
    'auth.key-elsewhere-is-401': implied(
      'A valid key in the query, in a cookie, as a bearer token or in another header is not in the header apikey: 401.',
    ),
    'auth.key-among-other-text-is-401': implied(
      'A header apikey that holds a part of the valid key, or more than the key, holds no valid key: 401.',
    ),
    'auth.is-checked-before-the-request': implied(
      'The key is checked first: a write or an export that would be refused for itself is answered with 401 without a valid key.',
    ),
    'auth.refusal-changes-nothing': implied('A write refused with 401 leaves the task unchanged.'),
    'auth.is-checked-before-the-lookup': implied(
      'The key is checked first: a request for an unknown id without a valid key is answered with 401, not 404.',
    ),
    'auth.requests-go-to-the-own-region': stated(
      'Requests must go to the base address of the caller’s own region.',
      'It is a requirement on the caller; how another region answers is a clause of its own.',
    ),
    // Authentication says "can cause 401" and "401 can result"; the table of errors has both under 401 without a "can".
    'auth.wrong-region-is-401': implied(
      'The regional address of another region answers the key with 401.',
    ),
    'auth.blocked-address-is-401': implied(
      'With IP allow listing enabled, a request from an address that is not allowed is answered with 401.',
    ),
    'auth.claimed-address-is-not-trusted': implied(
      'An allowed address that a request only claims to come from (X-Forwarded-For, Forwarded, X-Real-IP) does not let it in: 401.',
    ),
    'auth.key-case': open(
      'say what a key looks like, nor whether one that is a UUID may be written in another case',
    ),
    'auth.key-management': {
      ...open('say how API keys are created and managed'),
      untestable: 'None of the four operations manages keys.',
    },
    'auth.permissions': {
      ...open('say which permissions or scopes a key has'),
      untestable: 'One configured key shows nothing about what other keys may do.',
    },
  }),
  ...section('Events', {
    'notification.assigned-user-gets-email': 'Assigning a task to a user sends that user an email.',
    'notification.assigned-team-gets-email':
      'Assigning a task to a team sends an email to the members of the team.',
    'notification.nobody-else-gets-email': implied(
      'The email of an assignment goes to the assigned user, or to the members of the assigned team, and to no other user.',
    ),
    'notification.refused-write-sends-no-email': implied(
      'An assignment that is refused with 401, 404 or 409 sends no email.',
    ),
    'notification.copy-to-the-assigner': open(
      'say whether the user who makes an assignment gets an email too',
    ),
    'notification.of-an-unassignment': open(
      'say whether removing an assignment sends an email to anybody',
    ),
    'notification.content': open(
      'say what the email contains: whether it shows the comment, and whether it names the task',
    ),
    'notification.messages-to-a-team': open(
      'say whether the members of a team get one message together or one each',
    ),
    'notification.delay': open('say how soon the email of an assignment arrives'),
    'audit.records-assignment-comments':
      'The comment of an assignment is recorded in the entity’s audit record and can be read through the export.',
    'audit.records-unassignment-comments':
      'The comment of an unassignment is recorded in the entity’s audit record and can be read through the export.',
    'audit.event-names-its-records': implied(
      'The recorded event is found by the entity and by the user who caused it; by the task too, where any event of a change names its task.',
    ),
    'audit.comment-is-kept-to-the-letter': implied(
      'The export shows the recorded comment verbatim, but for line ends and the Unicode form of letters: quotes, commas, line breaks and other scripts included.',
    ),
    'audit.refused-writes-leave-no-comment': implied(
      'The comment of a write that was refused (401, 404, 409, or for its body) is in no audit event.',
    ),
    'audit.events-are-classified':
      'Audit events are classified by event type, subtype and system source.',
    'audit.delay': open('say how soon an event can be read through the export'),
    'audit.event-fields': open('say which fields a stored audit event has'),
    'audit.classification-values': open('list all event types, subtypes and system sources'),
    'audit.outbound-delivery': {
      ...open('say whether events are delivered by webhook or otherwise'),
      untestable: 'None of the four operations subscribes to events.',
    },
  }),
  ...section('Errors', {
    'errors.reversed-range-is-400':
      'An export whose range_start is later than its range_end is answered with 400.',
    // The document says "the request is invalid, for example …". A bound that is no datetime and a file type
    // other than csv and pdf contradict the table of parameters. Values that the table does not list (zones, locales),
    // and keys and parameters that may be ignored are left open, but may not lead to an unexpected error.
    'errors.invalid-export-is-400': implied(
      'An export with a bound that is no datetime, or with a file_type that is neither csv nor pdf, is an invalid request: 400.',
    ),
    'errors.odd-value-is-no-server-error': implied(
      'A value of an export parameter that is unknown or invalid (a bound, a file type, a locale, a time zone, a metadata key) is ignored or refused, but not answered with 5xx.',
    ),
    'errors.unexpected-error-is-500': stated(
      'An unexpected error of the export is answered with 500.',
      'No valid request makes a service fail on purpose.',
    ),
    // The document has an unexpected 500 of the export, and no 5xx of the other operations. An unexpected error does not
    // come each time, and a restart is over after some seconds.
    'errors.server-error-does-not-last': implied(
      'A request that the document describes is not answered with 5xx again and again: a server error is unexpected, and has passed when the request is sent once more at the end of the run.',
    ),
    'errors.body-shape': open('say what the body of an error looks like'),
    'errors.further-statuses': open('list all error codes'),
    'errors.passing-failure-of-an-export': open(
      'say whether an export that fails with 500 succeeds when it is requested again',
    ),
  }),
  ...section('Errors: 409 Version mismatch', {
    'conflict.differing-version-is-409':
      'A write whose If-Match differs from the current updated_at of the task is answered with 409.',
    'conflict.text-that-is-no-version-is-409': implied(
      'An If-Match that is not a timestamp at all differs from the current updated_at too: 409, or 400 or 422 from a service that looks at its form first.',
    ),
    'conflict.changes-nothing': implied(
      'A write refused with a version mismatch leaves the task unchanged.',
    ),
    'conflict.retry-with-the-latest-version':
      'After a 409 the caller re-reads the task and retries with the latest updated_at, which succeeds.',
    'conflict.one-of-simultaneous-writes-wins': implied(
      'Of several simultaneous writes with the same current version exactly one is carried out; the others get 409.',
    ),
  }),
  ...section('Limits', {
    'limits.pdf-of-5000-events-is-allowed': 'A PDF export of 5,000 events is within the limit.',
    'limits.pdf-over-5000-events-is-400':
      'A PDF export that would hold more than 5,000 events is answered with 400.',
    'limits.pdf-limit-counts-what-filters-leave': implied(
      'The limit counts the events that the request would export: narrower filters make the PDF possible.',
    ),
    'limits.rate': open('say whether the rate of requests is limited'),
    'limits.csv-size': open('say how large a CSV export may be'),
  }),
  ...section('Versioning', {
    'versioning.paths-are-under-v5':
      'Every path of the four operations is served under /v5 of the regional base address.',
    'versioning.deprecation': {
      ...open('say which other versions there are and how versions are deprecated'),
      untestable: 'They lie outside the one base address that the document gives.',
    },
  }),
};

type Catalogue = typeof clauses;

export type ClauseId = keyof Catalogue;

/** Clauses of some levels that requests can show: those that are not marked untestable. */
type Testable<L extends Level> = {
  [Id in ClauseId]: Catalogue[Id] extends { untestable: string }
    ? never
    : Catalogue[Id]['level'] extends L
      ? Id
      : never;
}[ClauseId];

/** Clauses that requests can decide. Only these have judges. */
export type JudgedClause = Testable<'stated' | 'implied'>;

/** Clauses that the document leaves open and that requests can show. Only these have observations. */
export type OpenClause = Testable<'open'>;

// Object.keys forgets that it lists exactly the catalogue's keys.
export const clauseIds = Object.keys(clauses) as ClauseId[];

/** The clause with this id, as plain data. */
export function clauseOf(id: ClauseId): Clause {
  return clauses[id];
}

const testable = clauseIds.filter((id) => clauseOf(id).untestable === undefined);

export const judgedClauses = testable.filter(
  (id): id is JudgedClause => clauseOf(id).level !== 'open',
);
export const openClauses = testable.filter((id): id is OpenClause => clauseOf(id).level === 'open');
