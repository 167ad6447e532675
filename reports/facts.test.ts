import { describe, expect, test } from 'vitest';
import type { OpenClause } from '../schemas/clauses.ts';
import type { Observation } from '../schemas/observations.ts';
import { factsOf, groupedFactsOf } from './facts.ts';

const shape = { code: 'string', errors: [{ message: 'string' }, 'null'] } as const;
const refused = { refused: 409 } as const;
const ignored = { status: 200, gives: 'the same events' } as const;

/** Facts of each form that there is. */
const examples: { readonly [Id in OpenClause]: readonly Observation<Id>[] } = {
  'interface.answer-headers': [
    { on: 'task', header: 'etag' },
    { on: 'csv', header: null },
    { on: 'pdf', header: 'content-length' },
  ],
  'fields.further-fields': [
    { on: 'task', field: null },
    { on: 'assignment', field: 'note', shape },
    { on: 'assessment', field: 'score' },
  ],
  'task.microfrontend-id-form': ['UUID-shaped', 'another text'],
  'task.status-values': ['INCOMPLETE', null],
  'task.nullable-fields': ['step_name', null],
  'task.custom-metadata-contents': ['null', {}, shape],
  'task.data-version-rules': ['stays', 'one more', 'changes', 'no number'],
  'task.read-delay': ['at once', 'later'],
  'task.locked-at-rules': ['stays', 'becomes null', 'becomes updated_at', 'changes'],
  'task.status-transitions': [
    { when: 'assigned', becomes: null },
    { when: 'unassigned', becomes: 'OPEN' },
  ],
  'assessment.state-transitions': [
    { when: 'read again', changes: null },
    { when: 'after an assignment of its task', changes: 'workflow_state' },
  ],
  'assessment.error-fields-when-cancelled': ['null', 'set'],
  'service.task-agrees-with-its-assessment': [
    { field: 'entity_id', agrees: true },
    { field: 'workflow_instance_id', agrees: false },
  ],
  'assessment.error-field-types': [{ field: 'error_step', shape: ['number', 'string'] }],
  'update.success-status': [201],
  'get-task.success-status': [200],
  'get-assessment.success-status': [200],
  'update.refused-body-status': [
    { part: 'body', is: 'broken JSON', status: 400 },
    { part: 'update.assigned_by_id', is: 'missing, with an old version', status: 400 },
    { part: 'update.assigned_to_type', is: 'in lower case', status: 422 },
    { part: 'update.assignment_comment', is: 'a number', status: 200 },
  ],
  'update.missing-if-match-status': [
    { write: 'update', ifMatch: 'missing', status: 428 },
    { write: 'unassign', ifMatch: 'empty', status: 409 },
  ],
  'update.quoted-if-match': [
    { when: 'in quotes', outcome: refused },
    { when: 'as a weak tag', outcome: { accepted: 'assigned' } },
  ],
  'update.if-match-star': [{ when: '*', outcome: { accepted: 'unassigned' } }],
  'update.if-match-same-instant': [{ when: 'another mark for UTC', outcome: refused }],
  'update.other-content-types': [
    { when: 'none', outcome: { accepted: 'new version' } },
    { when: 'text/plain', outcome: { accepted: 'nothing changed' } },
  ],
  'update.body-with-both-objects': [{ when: 'both', outcome: refused }],
  'update.body-with-neither-object': [{ when: 'an empty object', outcome: refused }],
  'unassign.on-an-unassigned-task': [{ when: 'unassign', outcome: refused }],
  'comment.when-empty': [refused, 'kept', 'null', 'missing', 'empty'],
  'comment.surrounding-white-space': [
    { when: 'around a text', outcome: 'trimmed at the end' },
    { when: 'nothing else', outcome: 'null' },
  ],
  'comment.normalization': [
    { in: 'task', of: 'line ends', kept: false },
    { in: 'audit record', of: 'Unicode form', kept: true },
  ],
  'comment.length-limit': [
    { characters: 4000, outcome: 'accepted' },
    { characters: 4000, outcome: refused },
  ],
  'auth.key-case': ['no UUID', 'case counts', 'case does not count'],
  'errors.body-shape': [
    { when: 'unknown task', body: 'none', mediaType: null },
    { when: 'old version', body: 'JSON', mediaType: 'application/json', shape },
    { when: 'reversed range', body: 'not JSON', mediaType: null },
  ],
  'errors.further-statuses': [
    { when: 'GET in place of PUT', status: 405 },
    { when: 'an id of a task that is not UUID-shaped', status: 422 },
    { parameter: 'no_such_parameter', value: 'x', outcome: ignored },
  ],
  'errors.passing-failure-of-an-export': ['none', 'some'],
  'limits.rate': [
    { header: null },
    { header: 'ratelimit-limit' },
    { tooManyRequests: true },
    { tooManyRequests: false },
  ],
  'limits.csv-size': [{ exportsMoreThan: 5000 }, { refusesMoreWith: 413 }],
  'export.array-encoding': [
    { encoding: 'repeat', values: 'several' },
    { encoding: 'brackets', values: 'one' },
    { encoding: 'indices', values: 'one' },
    { encoding: 'comma', values: 'several' },
    { encoding: 'bare-comma', values: 'several' },
    { encoding: 'pipe', values: 'several' },
    { encoding: 'semicolon', values: 'several' },
    { encoding: 'json', values: 'one' },
  ],
  'export.case-of-filter-values': [
    { filter: 'event_type', caseCounts: true },
    { filter: 'metadata[tag]', caseCounts: false },
  ],
  'export.brackets-of-metadata': [
    { brackets: 'percent-encoded', honoured: true },
    { brackets: 'plain', honoured: false },
  ],
  'export.unknown-metadata-key': [
    { parameter: 'metadata[no_such_key]', value: 'x', outcome: { status: 400 } },
  ],
  'export.unknown-file-type': [
    { parameter: 'file_type', value: 'PDF', outcome: { status: 200, gives: 'a PDF' } },
  ],
  'export.unknown-locale': [{ parameter: 'locale', value: 'xx', outcome: ignored }],
  'export.unknown-timezone': [{ parameter: 'timezone', value: 'Nowhere', outcome: ignored }],
  'export.null-range': [
    { parameter: 'range_start', value: '', outcome: { status: 200, gives: 'as without it' } },
  ],
  'export.malformed-range': [
    {
      parameter: 'range_start',
      value: 'a day',
      outcome: { status: 200, gives: 'from that day on' },
    },
  ],
  'export.range-with-offset': [{ when: '+02:00', outcome: { status: 200, gives: 'no events' } }],
  'export.supported-locales': [
    { locale: 'de', status: 200, reads: 'differently' },
    { locale: 'fr', status: 200, reads: 'as without it' },
    { locale: 'ja', status: 400 },
  ],
  'export.csv-columns': [{ headings: ['Id', 'Time'] }, { columnsWithoutHeadings: 19 }],
  'export.csv-form': [
    { delimiter: ';' },
    { lineEnd: '\r\n' },
    { endsLastLine: true },
    { endsLastLine: false },
    { byteOrderMark: true },
    { byteOrderMark: false },
    { quotes: 'around every cell' },
    { headings: true },
    { headings: false },
    { titleLines: 0 },
    { titleLines: 1 },
    { titleLines: 2 },
    { footerLines: 0 },
    { footerLines: 1 },
    { separatorLine: true },
    { separatorLine: false },
    { encoding: 'windows-1252' },
    { formulaGuard: 'an apostrophe' },
    { formulaGuard: 'none' },
    { emptyWithoutEvents: true },
    { emptyWithoutEvents: false },
  ],
  'export.csv-content-type': ['text/csv; charset=utf-8', null],
  'export.pdf-content-type': ['application/pdf', null],
  'export.file-name': [
    { of: 'csv', contentDisposition: 'attachment' },
    { of: 'pdf', contentDisposition: null },
  ],
  'export.date-style': [
    'not readable',
    { order: 'year first', pattern: '9999-9-9' },
    { order: 'year first', pattern: '9999-9-9a9:9:9.999a' },
    { order: 'year first', pattern: '9999-9-9 9:9:9 +9:9' },
    { order: 'month first', pattern: '9/9/9999, 9:9 a' },
    { order: 'day first', pattern: '9.9.9999 9:9' },
    { order: 'month by name', pattern: 'a, 9 a 9999 9:9:9 +9999' },
    { order: 'month by name', pattern: 'a 9, 9999' },
    { order: 'epoch milliseconds', pattern: '9999999999999' },
  ],
  'export.order-of-events': [
    { byTime: 'newest first' },
    { byTime: 'neither' },
    { byTime: 'not known' },
    { again: 'the same' },
    { again: 'another' },
  ],
  'export.pdf-form': [
    { pages: 0 },
    { pages: 1 },
    { pages: 2 },
    { width: 842 },
    { height: 595 },
    { leftEdges: 5 },
    { runningTitle: 'none' },
    { runningTitle: 'with numbers' },
    { pageNumbers: true },
    { pageNumbers: false },
    { printsEveryColumn: true },
    { printsEveryColumn: false },
    { leavesOut: 'Cache' },
    { cutsOff: 'Comment' },
    { ellipses: true },
    { ellipses: false },
  ],
  'notification.copy-to-the-assigner': ['a copy', 'none'],
  'notification.of-an-unassignment': ['somebody', 'nobody'],
  'notification.content': [
    { showsComment: true, namesTask: false },
    { showsComment: false, namesTask: true },
  ],
  'notification.messages-to-a-team': ['one each', 'one for several'],
  'notification.delay': ['within 15 seconds', 'later'],
  'audit.delay': ['at once', 'within ten seconds', 'later'],
  'audit.event-fields': ['time', 'metadata[tag]', null],
  'audit.classification-values': [
    { of: 'any event', filter: 'event_type', value: 'task' },
    { of: 'an unassignment', filter: 'sub_type', value: 'unassigned' },
    { parameter: 'event_type', value: 'no_such_type', outcome: { status: 400 } },
  ],
};

describe('a fact in words', () => {
  test('reads as kept, for each form that there is', async () => {
    const lines = Object.entries(examples).flatMap(([id, facts]) => [
      id,
      ...factsOf({ id, observed: [...facts] }).map((words) => `  ${words}`),
    ]);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/facts.txt');
  });

  test('is JSON where the clause is one of another suite', () => {
    const observed = [{ b: 1, a: null }];
    expect(factsOf({ id: 'task.not-yet-known', observed })).toEqual(['{"a":null,"b":1}']);
  });
});

test('situations with the same outcome are shown together, if there are several', () => {
  const facts = ['body', 'update', 'update.assigned_by_id'].map((part) => ({
    part,
    is: 'null',
    status: 400,
  }));
  const id = 'update.refused-body-status';
  const other = { part: 'body', is: 'empty', status: 422 };
  expect(groupedFactsOf(id, facts.slice(1))).toEqual([
    'update is null: refused with 400',
    'update.assigned_by_id is null: refused with 400',
  ]);
  expect(groupedFactsOf(id, [...facts, other])).toEqual([
    'refused with 400: body is null; update is null; update.assigned_by_id is null',
    'body is empty: refused with 422',
  ]);
  expect(groupedFactsOf('update.success-status', [200, 201, 202])).toEqual(['200', '201', '202']);
});
