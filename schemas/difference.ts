import type { FromSchema } from 'json-schema-to-ts';

/*
 * What differs where a clause is violated, as values. All that people read of it is made of these in `reports/`, and
 * violations of several clauses that differ in the same way have one cause.
 */

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const count = { type: 'integer', minimum: 0 } as const;
const parameter = {
  ...text,
  description:
    'The parameter that it is said of: violations that differ in nothing else are one finding.',
} as const;
const asked = {
  ...texts,
  description:
    'The parameters of the request, where `when` does not say them: "locale=de", "several values of event_type".',
} as const;

const waitedMs = { ...count, description: 'How long it was waited for in vain.' } as const;

const statusSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['kind', 'when', 'expected', 'actual'],
  description: 'A request is answered with another status.',
  properties: {
    kind: { const: 'status' },
    when: {
      ...text,
      description:
        'What was asked for, as a noun without the values that it was done with: "a request without the apikey header".',
    },
    expected: {
      ...text,
      pattern: '^[0-9x]{3}( or [0-9x]{3})*$',
      description: 'A status, "2xx", or "200 or 4xx".',
    },
    actual: { type: 'integer' },
    isGeneral: {
      const: true,
      description:
        'Every request tried of this kind got this answer. `when` says what they have in common; details that single violations name beyond that are not the cause.',
    },
    isEmpty: {
      const: true,
      description:
        'A success that gives nothing: no record, no file, nothing that the write said is carried out.',
    },
    asked,
  },
} as const;

const fieldSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['kind', 'of', 'fields', 'expected', 'actual'],
  description: 'Fields have other values than they should, or values of another form.',
  properties: {
    kind: { const: 'field' },
    of: {
      type: 'string',
      enum: ['task', 'assessment', 'recorded event'],
      description: 'What has the fields.',
    },
    fields: { ...texts, minItems: 1, description: 'The first is the one of the values.' },
    expected: { ...text, description: 'As JSON, or the form that it should have.' },
    actual: { ...text, description: 'As JSON.' },
    when: { ...text, description: 'After what, as a phrase; missing where any reading shows it.' },
    wrong: {
      type: 'string',
      enum: ['form', 'missing', 'stays'],
      description:
        'Where it is not just another value: one of another form, none, or that from before in place of a new one.',
    },
    write: {
      type: 'object',
      additionalProperties: false,
      required: ['how', 'statuses', 'isSent'],
      description: 'The writes that were to change nothing.',
      properties: {
        how: { ...text, description: 'How they were made: "with an If-Match one version old".' },
        statuses: { type: 'array', items: { type: 'integer' }, minItems: 1 },
        isSent: { type: 'boolean', description: 'The new value is the one that they sent.' },
      },
    },
  },
} as const;

const eventsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['kind', 'when', 'fileType', 'missing', 'extra'],
  description: 'An export keeps other events than it should.',
  properties: {
    kind: { const: 'events' },
    when: { ...text, description: 'What was asked for, as a phrase without values.' },
    fileType: { type: 'string', enum: ['csv', 'pdf'] },
    parameter,
    asked,
    isOneEvent: {
      const: true,
      description: 'A certain event is looked for, the one that `when` names.',
    },
    missing: count,
    oneFor: {
      type: 'string',
      enum: ['page', 'page break'],
      description: 'Of what in a PDF there is one for each that is missing.',
    },
    extra: count,
    isRepeated: {
      const: true,
      description: 'What is too many are events that it holds more than once.',
    },
    of: { ...count, description: 'How many events it should keep.' },
    alike: {
      ...count,
      description: 'For how many other values of the parameter events are missing too.',
    },
    waitedMs,
    rows: {
      ...texts,
      description: 'What the first of the missing and of the extra rows are known again by.',
    },
    first: {
      type: 'object',
      additionalProperties: false,
      description: 'The beginning of the first row that is missing, and of the first too many.',
      properties: { missing: text, extra: text },
    },
    mark: { ...text, description: 'A text that only the first missing event holds.' },
    common: {
      type: 'object',
      additionalProperties: false,
      required: ['heading', 'value'],
      description:
        'What all events that are missing, or too many, show in a column, and none of the others.',
      properties: { heading: text, value: text },
    },
    shown: { ...text, description: 'A value that missing events show in an export of all.' },
    ignored: {
      ...texts,
      description: 'The parameters without which the same events would be kept.',
    },
    beside: { ...texts, description: 'The other parameters of that request.' },
    lostValues: {
      type: 'object',
      additionalProperties: false,
      required: ['of', 'places', 'count'],
      description: 'Of several values of a parameter, those of which no event is kept.',
      properties: {
        of: text,
        places: { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 1 },
        count: { ...count, description: 'How many different values were asked for.' },
      },
    },
    isAnyOf: { const: true, description: 'The events of any of the filters are kept, not of all.' },
    together: {
      type: 'string',
      enum: ['all', 'at least'],
      description:
        'How it goes by the exports that it was compared with, where it should not hold just the events of any: those that all of them hold, or more than these.',
    },
  },
} as const;

const boundSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['kind', 'bound', 'found'],
  description: 'A bound of a range does not include its very instant, or more than that.',
  properties: {
    kind: { const: 'bound' },
    bound: { type: 'string', enum: ['range_start', 'range_end'] },
    found: { type: 'string', enum: ['excluded', 'lost', 'twice'] },
    readTo: {
      type: 'string',
      enum: ['second', 'minute', 'hour', 'day'],
      description: 'The unit of time to which bounds are rounded, or cut.',
    },
  },
} as const;

const datesSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['kind', 'timezone', 'fileType', 'expected', 'actual'],
  description: 'An export in a timezone shows other dates than the local ones.',
  properties: {
    kind: { const: 'dates' },
    timezone: text,
    fileType: { type: 'string', enum: ['csv', 'pdf'] },
    expected: { ...text, description: 'The local time of an event.' },
    actual: { ...text, description: 'What is shown in its place.' },
    wrong: { ...count, description: 'How many dates are other ones.' },
    of: { ...count, description: 'Of how many.' },
    isUtc: { const: true, description: 'What is shown is the time in UTC.' },
    lateBy: {
      type: 'integer',
      description: 'By how many minutes what is shown is later than the local time.',
    },
    isAboutChange: { const: true, description: 'Clocks are changed between the events.' },
    mark: { ...text, description: 'A text that only the line of that event holds.' },
  },
} as const;

/** What a request does wrong where none of the other kinds fits. */
export const wrongs = [
  'answers without a JSON object',
  'answers with JSON of another media type',
  'answers a refusal without JSON',
  'refuses with the record',
  'refuses with a PDF',
  'refuses with events',
  'answers with another task',
  'answers with another assessment',
  'shows no error field',
  'names the former assignee',
  'accepts several simultaneous writes',
  'refuses all simultaneous writes',
  'refuses simultaneous writes otherwise',
  'carries out an unassignment that lost',
  'sends no email to the user',
  'sends no email to the team',
  'sends email to somebody else',
  'sends email',
  'takes for another parameter',
  'matches a part',
  'matches a pattern',
  'matches other fields',
  'matches longer values',
  'matches one event by two values',
  'matches fewer the second time',
  'returns events from outside the range',
  'returns events of no value beside a range',
  'returns fewer events without parameters',
  'reads a bound in another zone',
  'shows dates in another zone',
  'shows other times of day',
  'shows dates of another year',
  'shows the same dates in a timezone',
  'shows an event without a value',
  'loses a tag in a comment',
  'sends another Content-Length',
  'is no CSV by default',
  'is not one table',
  'is no PDF that opens',
  'is a PDF with events where there are none',
  'refuses a PDF without events',
  'writes otherwise without locale',
  'writes as in an earlier locale',
  'writes as in the timezone of another request',
] as const;
export type Wrong = (typeof wrongs)[number];

const otherSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['kind', 'wrong'],
  description: 'None of the above.',
  properties: {
    kind: { const: 'other' },
    wrong: { type: 'string', enum: wrongs },
    parameter,
    of: {
      ...text,
      description:
        'What it is about beside the parameter: another parameter, a timezone, the kind of a write, what was asked for.',
    },
    hours: { type: 'number', description: 'By how many hours times are off.' },
    status: { type: 'integer', description: 'The status of the refusal.' },
    expected: { ...text, description: 'A value that it should have shown, as it is written.' },
    actual: { ...text, description: 'What came in its place.' },
    count: { ...count, description: 'Of how many events, or words, it is said.' },
    waitedMs,
  },
} as const;

export const differenceSchema = {
  description: 'What differs, as values.',
  anyOf: [statusSchema, fieldSchema, eventsSchema, boundSchema, datesSchema, otherSchema],
} as const;

export type Difference = FromSchema<typeof differenceSchema>;
export type OtherDifference = FromSchema<typeof otherSchema>;
export type StatusDifference = FromSchema<typeof statusSchema>;
export type FieldDifference = FromSchema<typeof fieldSchema>;
export type EventsDifference = FromSchema<typeof eventsSchema>;
export type BoundDifference = FromSchema<typeof boundSchema>;
export type DatesDifference = FromSchema<typeof datesSchema>;
