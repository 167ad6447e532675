import { describe, expect, test } from 'vitest';
import type { Difference } from '../schemas/difference.ts';
import type { ClauseResult, ViolationResult } from '../schemas/results.ts';
import { findingsOf, headlineOf, isSameWrong, knownBy, otherWays } from './findings.ts';

const put = 'PUT /tasks/{id}/update-assignment';
const get = 'GET /audit-sentinel/events/export';
// As headlines name them.
const puts = 'PUT …/update-assignment';
const gets = 'GET …/export';

let exchanges = 0;

/** A violation that an exchange of its own shows. */
function violation(
  clause: string,
  difference: Difference,
  rest: Partial<ViolationResult> = {},
): ViolationResult {
  return {
    clause,
    scenario: 'a scenario',
    on: [{ exchange: ++exchanges, request: difference.kind === 'events' ? get : put }],
    intermittent: false,
    difference,
    ...rest,
  };
}

/** Each violated clause once, in the order of its first violation. */
function findings(...violations: readonly ViolationResult[]) {
  const ids = [...new Set(violations.map(({ clause }) => clause))];
  const clauses = ids.map((id) => ({ id, verdict: 'violated' }) as ClauseResult);
  return findingsOf({ clauses, violations: [...violations] }).map((finding) => ({
    headline: headlineOf(finding),
    also: otherWays(finding),
    clauses: finding.clauses.map(({ id }) => id),
  }));
}

const stored = (
  how: string,
  status: number,
  field = 'assignment.assignment_comment',
): Difference => ({
  kind: 'field',
  of: 'task',
  fields: [field],
  expected: '"before"',
  actual: '"sent"',
  write: { how, statuses: [status], isSent: true },
});

const status = (when: string, expected: string, actual: number): Difference => ({
  kind: 'status',
  when,
  expected,
  actual,
});

const events = (when: string, rest: Partial<Difference> = {}): Difference =>
  ({
    kind: 'events',
    when,
    fileType: 'csv',
    missing: 0,
    extra: 3,
    of: 12,
    ...rest,
  }) as Difference;

describe('violations of several clauses are one finding', () => {
  test('where refused writes leave the same field changed', () => {
    expect(
      findings(
        violation('refused', stored('in quotes', 409)),
        violation('if-match', stored('without If-Match', 400)),
        violation('conflict', stored('with an If-Match one version old', 409)),
      ),
    ).toEqual([
      {
        headline: `${puts} in quotes answers 409, but stores the comment`,
        also: ['without If-Match', 'with an If-Match one version old'],
        clauses: ['refused', 'if-match', 'conflict'],
      },
    ]);
  });

  test('where the same request gets the same wrong status, or the same is done to several', () => {
    expect(
      findings(
        violation('a', status('a request without the apikey header', '401', 200)),
        violation('b', status('an empty apikey header', '401', 200), {
          on: [{ exchange: 3, request: put }],
        }),
        violation('c', status('an empty apikey header', '401', 200), {
          on: [{ exchange: 2, request: 'GET /tasks/{id}' }],
        }),
      ),
    ).toEqual([
      {
        headline: `${puts} accepts a request without the apikey header: 200, not 401`,
        also: ['an empty apikey header', 'GET /tasks/{id}'],
        clauses: ['a', 'b', 'c'],
      },
    ]);
  });

  test('where they differ in the parameter alone', () => {
    const lists = ['auditee_id', 'event_type', 'sub_type', 'system_source'];
    const told = (one: (parameter: string) => Difference) =>
      findings(
        ...lists.map((list, index) =>
          violation('a', one(list), { on: [{ exchange: index, request: get }] }),
        ),
      ).map(({ headline, also }) => [headline, ...also]);
    expect(
      told((parameter) =>
        events('with several values', { parameter, extra: 3, missing: 0, of: 5 }),
      ),
    ).toEqual([
      [
        `${gets}: auditee_id with several values: 3 events too many`,
        'event_type with several values',
        'sub_type with several values',
        'system_source with several values',
      ],
    ]);
    expect(
      told((parameter) => ({ kind: 'other', wrong: 'matches one event by two values', parameter })),
    ).toEqual([
      [
        `${gets} returns the same events for two different values of auditee_id`,
        'event_type',
        'sub_type',
        'system_source',
      ],
    ]);
  });

  test('where both bounds are wrong alike', () => {
    const excluded = (bound: 'range_start' | 'range_end') =>
      violation(bound, { kind: 'bound', bound, found: 'excluded' });
    expect(findings(excluded('range_start'), excluded('range_end'))).toEqual([
      {
        headline: `${puts}: range_start leaves out the event at its very instant`,
        also: ['range_end'],
        clauses: ['range_start', 'range_end'],
      },
    ]);
  });

  test('where a range reaches too far, and returns an event from beyond it', () => {
    const beyond = { isOneEvent: true as const, extra: 1, ignored: ['range_end'] };
    expect(
      findings(
        violation('a', events('the event of a write', beyond)),
        violation('b', { kind: 'bound', bound: 'range_end', found: 'twice' }),
        violation('c', { kind: 'bound', bound: 'range_start', found: 'excluded' }),
      ).map(({ clauses }) => clauses),
    ).toEqual([['c'], ['a', 'b']]);
  });

  test('where two ranges show that one of both bounds is wrong, and not which', () => {
    const twice = (bound: 'range_start' | 'range_end') =>
      violation(bound, { kind: 'bound', bound, found: 'twice' });
    expect(findings(twice('range_start'), twice('range_end'))).toEqual([
      {
        headline: `${puts}: of two ranges, one ending before the other begins, both hold the event at the range_start of one`,
        also: ['range_end'],
        clauses: ['range_start', 'range_end'],
      },
    ]);
  });

  test('where CSV and PDF show the same wrong date', () => {
    const shown = { timezone: 'Etc/GMT+5', expected: '14:25', actual: '19:25' };
    const dates = (fileType: 'csv' | 'pdf') =>
      violation(fileType, { kind: 'dates', fileType, ...shown });
    expect(findings(dates('csv'), dates('pdf')).map(({ clauses }) => clauses)).toEqual([
      ['csv', 'pdf'],
    ]);
    expect(findings(dates('csv'), dates('pdf'))[0]?.also).toEqual(['timezone=Etc/GMT+5 as PDF']);
    expect(findings(dates('pdf'))[0]?.headline).toMatch(/as PDF with timezone/);
  });

  test('where several zones show UTC, or times that are off by as much', () => {
    const dates = (timezone: string, by: object): ViolationResult =>
      violation(timezone, {
        kind: 'dates',
        timezone,
        fileType: 'csv',
        expected: `14:25 in ${timezone}`,
        actual: '19:25',
        ...by,
      });
    const [utc, hours] = [{ isUtc: true, lateBy: 300 } as const, { lateBy: -735 }];
    expect(
      findings(
        dates('Etc/GMT+5', utc),
        dates('Asia/Tokyo', { ...utc, lateBy: -540 }),
        dates('Asia/Kathmandu', hours),
        dates('America/New_York', hours),
        dates('Europe/Athens', { lateBy: 60 }),
      ),
    ).toEqual([
      {
        headline: `${puts} with timezone=Etc/GMT+5: dates are in UTC: 19:25, not 14:25 in Etc/GMT+5`,
        also: ['timezone=Asia/Tokyo'],
        clauses: ['Etc/GMT+5', 'Asia/Tokyo'],
      },
      {
        headline: `${puts} with timezone=Asia/Kathmandu: dates are 12 hours 15 minutes early: 19:25, not 14:25 in Asia/Kathmandu`,
        also: ['timezone=America/New_York'],
        clauses: ['Asia/Kathmandu', 'America/New_York'],
      },
      {
        headline: `${puts} with timezone=Europe/Athens: dates are 1 hour late: 19:25, not 14:25 in Europe/Athens`,
        also: [],
        clauses: ['Europe/Athens'],
      },
    ]);
  });

  test('where the same rows are too many, or the same parameter is ignored', () => {
    const ignored = ['auditee_id'];
    const wide = events('filters', { ignored, beside: ['event_type', 'sub_type'], rows: ['ab'] });
    const narrow = events('two filters', { ignored, beside: ['event_type'], rows: ['cd'] });
    const alike = events('a range', { rows: ['xy', 'cd'] });
    expect(findings(violation('a', wide), violation('b', narrow), violation('c', alike))).toEqual([
      {
        headline: `${gets}: auditee_id is ignored beside event_type`,
        also: ['filters', 'a range'],
        clauses: ['a', 'b', 'c'],
      },
    ]);
  });

  test('where what is lost has one thing in common, whatever was asked for', () => {
    const common = { heading: 'Tag', value: '' };
    const lost = (when: string, more: object = {}) =>
      events(when, { missing: 89, extra: 0, of: 120, rows: [when], ...more });
    expect(
      findings(
        violation('a', lost('a range')),
        violation('b', lost('locale=de', { common })),
        violation('c', lost('timezone=Etc/GMT+5', { common })),
        violation('d', lost('two filters', { common: { heading: 'Step', value: '' } })),
        violation('e', lost('what loses them, compared', { missing: 0, extra: 2, common })),
      ).map(({ headline, also, clauses }) => [headline, also, ...clauses]),
    ).toEqual([
      [`${gets}: a range: 89 of 120 events are missing`, [], 'a'],
      [
        `${gets}: locale=de: 89 of 120 events are missing, all those with nothing in the column “Tag”`,
        ['timezone=Etc/GMT+5', 'what loses them, compared'],
        'b',
        'c',
        'e',
      ],
      [
        `${gets}: two filters: 89 of 120 events are missing, all those with nothing in the column “Step”`,
        [],
        'd',
      ],
    ]);
  });

  test('also where only a later one shows that two before it have the same cause', () => {
    expect(
      findings(
        violation('a', events('one', { rows: ['ab'] })),
        violation('b', events('two', { rows: ['cd'] })),
        violation('c', events('three', { rows: ['ab', 'cd'] })),
      ).map(({ clauses }) => clauses),
    ).toEqual([['a', 'b', 'c']]);
  });

  test('where fields are missing from an answer, or the same one from several', () => {
    const without = (...fields: string[]): Difference => ({
      kind: 'field',
      of: 'task',
      fields,
      expected: 'the field',
      actual: 'no such field',
      wrong: 'missing',
    });
    expect(
      findings(
        violation('a', without('id')),
        violation('b', without('name', 'id')),
        violation('c', without('id'), { on: [{ exchange: 2, request: 'GET /tasks/{id}' }] }),
      ),
    ).toEqual([
      {
        headline: `${puts} answers with a task without id`,
        also: ['without name, id', 'GET /tasks/{id}'],
        clauses: ['a', 'b', 'c'],
      },
    ]);
  });
});

test('findings are told by what they do to users, the worst first', () => {
  const all = findings(
    violation('another status', status('a write', '409', 500)),
    violation('another form', {
      kind: 'field',
      of: 'task',
      fields: ['updated_at'],
      expected: 'a timestamp',
      actual: '"now"',
      wrong: 'form',
    }),
    violation('too many events', events('a filter')),
    violation('a write', stored('without If-Match', 400)),
    violation('an old version', status('an old version', '409', 200)),
    violation('lost events', events('a range', { missing: 1, extra: 0 })),
    violation('no key', status('a request without the apikey header', '401', 200)),
  );
  expect(all.flatMap(({ clauses }) => clauses)).toEqual([
    'lost events',
    'no key',
    'a write',
    'an old version',
    'too many events',
    'another status',
    'another form',
  ]);
});

describe('violations are several findings', () => {
  test.for([
    ['other fields', stored('a', 409), stored('a', 409, 'assignment.assigned_to_id')],
    [
      'rows that are missing, and rows that are too many',
      events('a', { rows: ['ab'] }),
      events('b', { rows: ['ab'], extra: 0, missing: 1 }),
    ],
    ['CSV and PDF', events('a', { rows: ['ab'] }), events('a', { rows: ['ab'], fileType: 'pdf' })],
    ['other statuses', status('a', '409', 200), status('a', '409', 500)],
  ] as const)('%s', ([, one, other]) => {
    const all = findings(violation('a', one), violation('b', other));
    expect(all.map(({ clauses }) => clauses).sort()).toEqual([['a'], ['b']]);
  });

  test('exports that are refused alike, for other reasons', () => {
    const refused = (when: string, exchange: number) =>
      violation(when, status(when, '200', 400), { on: [{ exchange, request: get }] });
    const large = 'a PDF of exactly 5,000 events';
    expect(findings(refused('locale en', 1), refused(large, 2))).toHaveLength(2);
    expect(findings(refused('locale en', 1), refused(large, 1))).toHaveLength(1);
  });
});

test.for([
  [
    stored('without If-Match', 200),
    `${puts} accepts a write without If-Match: answers 200, and stores the comment`,
  ],
  [
    {
      kind: 'field',
      of: 'task',
      fields: ['updated_at'],
      expected: 'an ISO 8601 UTC timestamp',
      actual: '"now"',
      wrong: 'form',
    },
    `${puts}: updated_at of the task is "now", not an ISO 8601 UTC timestamp`,
  ],
  [
    {
      kind: 'field',
      of: 'task',
      fields: ['name', 'step_name'],
      expected: 'null',
      actual: '"x"',
      write: { how: 'in quotes', statuses: [409], isSent: false },
    },
    `${puts} in quotes answers 409, but changes name, step_name`,
  ],
  [status('the retry', '2xx', 409), `${puts} refuses the retry: 409, not a success`],
  [
    events('x', { isAnyOf: true, beside: ['event_type', 'metadata[tag]'] }),
    `${gets}: event_type and metadata[tag] together return the events of either, not of both`,
  ],
  [
    events('several values of event_type', {
      lostValues: { of: 'event_type', places: [2], count: 3 },
    }),
    `${gets}: of 3 different values of event_type, no. 2 keeps no event`,
  ],
  [
    events('the PDF', { fileType: 'pdf', missing: 8, extra: 0, of: 120 }),
    `${gets}: the PDF: 8 of 120 events are missing`,
  ],
  [
    events('the PDF', { fileType: 'pdf', missing: 8, extra: 0, of: 120, oneFor: 'page break' }),
    `${gets}: the PDF: 8 of 120 events are missing, one at each page break`,
  ],
  [
    events('a tag', { fileType: 'pdf', ignored: ['metadata[tag]', 'sub_type'] }),
    `${gets} as PDF: metadata[tag] and sub_type are ignored`,
  ],
  [
    { kind: 'bound', bound: 'range_end', found: 'excluded' },
    `${puts}: range_end leaves out the event at its very instant`,
  ],
  [
    { kind: 'bound', bound: 'range_end', found: 'excluded', readTo: 'second' },
    `${puts}: range_end is read to whole seconds only`,
  ],
  [
    events('a range', { missing: 1, extra: 1, of: 1 }),
    `${gets}: a range: 1 of 1 event is missing, 1 too many`,
  ],
  [
    {
      kind: 'dates',
      timezone: 'Etc/GMT+5',
      fileType: 'csv',
      expected: '2025-11-27 14:25',
      actual: '2025-11-27 19:25',
    },
    `${puts} with timezone=Etc/GMT+5: dates are not the local time: 2025-11-27 19:25, not 2025-11-27 14:25`,
  ],
  [
    {
      kind: 'dates',
      timezone: 'America/New_York',
      fileType: 'csv',
      expected: '2026-11-01 01:17',
      actual: '2026-11-01 02:17',
      wrong: 37,
      of: 81,
      isAboutChange: true,
    },
    `${puts} with timezone=America/New_York: 37 of 81 dates, about a clock change, are not the local time: 2026-11-01 02:17, not 2026-11-01 01:17`,
  ],
  [status('a write', '409', 412), `${puts} answers 412, not 409, to a write`],
  [status('a known id', '2xx', 404), `${puts} answers 404, not a success, to a known id`],
  [
    events('several filters together', { asked: ['event_type', 'metadata[tag]'] }),
    `${gets}: several filters together (event_type, metadata[tag]): 3 events too many`,
  ],
  [
    events('the event with the comment', { isOneEvent: true, missing: 1, extra: 0 }),
    `${gets} lacks the event with the comment`,
  ],
  [
    events('the event of a write', { isOneEvent: true, missing: 0, extra: 1 }),
    `${gets} returns the event of a write, where it does not belong`,
  ],
  [
    events('the event of a write', { isOneEvent: true, extra: 1, ignored: ['metadata[tag]'] }),
    `${gets} returns a new event that does not match metadata[tag]`,
  ],
  [
    events('the event of a write', {
      isOneEvent: true,
      extra: 1,
      ignored: ['range_end'],
      beside: ['metadata[task_id]'],
    }),
    `${gets} returns an event from after range_end beside metadata[task_id]`,
  ],
  [
    events('a value that no event has', { common: { heading: 'Step', value: 'review' } }),
    `${gets}: a value that no event has: 3 events too many, all those with “review” in the column “Step”`,
  ],
  [
    events('the PDF, beside its CSV', {
      fileType: 'pdf',
      asked: ['locale=de', 'sub_type'],
    }),
    `${gets}: the PDF, beside its CSV (locale=de, sub_type): 3 events too many`,
  ],
  [
    events('the PDF, beside its CSV', { fileType: 'pdf', isRepeated: true }),
    `${gets}: the PDF, beside its CSV: 3 events stand there twice`,
  ],
  [
    events('a filter', { missing: 4, extra: 0, asked: ['sub_type'], shown: 'new', alike: 2 }),
    `${gets}: sub_type=new: 4 of 12 events are missing; the same with 2 other values`,
  ],
  [
    {
      kind: 'field',
      of: 'task',
      fields: ['assignment.assigned_to_type'],
      expected: '"USER"',
      actual: '"TEAM"',
      wrong: 'stays',
      when: 'after a reassignment',
    },
    `${puts}: assigned_to_type stays "TEAM" after a reassignment, not "USER"`,
  ],
  [
    {
      kind: 'field',
      of: 'task',
      fields: ['updated_at'],
      expected: 'a new value',
      actual: '"now"',
      wrong: 'stays',
    },
    `${puts}: updated_at of the task does not change after a write`,
  ],
  [
    {
      kind: 'field',
      of: 'task',
      fields: ['updated_at'],
      expected: 'a new value',
      actual: '"now"',
      wrong: 'stays',
      when: 'after an unassignment',
    },
    `${puts}: updated_at of the task does not change after an unassignment`,
  ],
  [
    {
      kind: 'field',
      of: 'assessment',
      fields: ['template_id'],
      expected: '"a"',
      actual: '"b"',
      when: 'read again',
    },
    `${puts}: template_id of the assessment read again is "b", not "a"`,
  ],
  [
    { kind: 'other', wrong: 'refuses with events', status: 400 },
    `${puts} answers 400, and sends events all the same`,
  ],
  [
    {
      kind: 'other',
      wrong: 'takes for another parameter',
      parameter: 'sub_type',
      of: 'event_type',
    },
    `${puts} filters by event_type where sub_type is asked for`,
  ],
  [
    { kind: 'other', wrong: 'answers without a JSON object' },
    `${puts} answers without a JSON object`,
  ],
] as const)('a headline says what is wrong: %o', ([difference, expected]) => {
  const [finding] = findings(violation('a', difference as Difference));
  expect(finding?.headline).toBe(expected);
});

test.for([
  ['unassign', status('no key', '401', 200), `${puts} (unassign) accepts no key`],
  ['unassign', status('a write', '2xx', 400), `${puts} (unassign) refuses a write`],
  [
    'unassign',
    stored('of an old version', 409),
    `${puts} (unassign) of an old version answers 409`,
  ],
  ['update', status('no key', '401', 200), `${puts} (update) accepts no key`],
  // Most writes that are to be carried out assign.
  ['update', status('a write', '2xx', 400), `${puts} refuses a write`],
] as const)(
  'a headline says which object the writes sent, where they all sent the same: %s',
  ([sends, difference, expected]) => {
    const on = (one: typeof sends | undefined) => ({
      on: [{ exchange: 1, request: put, ...(one && { sends: one }) }],
    });
    const other = sends === 'update' ? 'unassign' : 'update';
    const [same] = findings(violation('a', difference, on(sends)));
    expect(same?.headline.startsWith(expected)).toBe(true);
    const [mixed] = findings(
      violation('a', difference, on(sends)),
      violation('a', difference, on(other)),
    );
    expect(mixed?.headline).not.toContain('(');
    const [unknown] = findings(violation('a', difference, on(undefined)));
    expect(unknown?.headline).not.toContain('(');
  },
);

test('what is wrong in general is more than what is known of a part of it, and not the reverse', () => {
  const part = violation('a', status('a request with the key and more behind it', '401', 200));
  const { difference } = violation('a', status('a request with another key', '401', 200));
  const general = violation('a', { ...difference, isGeneral: true } as Difference);
  expect(isSameWrong(knownBy(part), knownBy(general))).toBe(false);
  expect(isSameWrong(knownBy(general), knownBy(part))).toBe(true);
  expect(isSameWrong(knownBy(general), knownBy(general))).toBe(true);
});
