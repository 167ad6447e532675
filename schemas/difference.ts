import type { FromSchema } from 'json-schema-to-ts';
import { count, described, listOf, maybe, object, oneOf, text } from './forms.ts';

/*
 * What differs where a clause is violated, as values: `reports/` makes all texts about it of these. Violations of
 * several clauses with the same difference have one cause.
 */

const parameter = maybe(
  text,
  'The parameter that it is said of: violations that differ in nothing else are one finding.',
);
const asked = maybe(
  listOf(
    text,
    'The parameters of the request, where `when` does not say them: "locale=de", "several values of event_type".',
  ),
);
const bound = oneOf(['range_start', 'range_end']);
const waitedMs = maybe(count, 'How long it was waited for in vain.');
const fileType = oneOf(['csv', 'pdf']);
/** A field that is `true` where it is there. */
const yes = (description: string) => maybe({ const: true }, description);

const statusSchema = object(
  {
    kind: { const: 'status' },
    when: described(
      text,
      'What was asked for, as a noun without the values that it was done with: "a request without the apikey header".',
    ),
    expected: {
      ...described(text, 'A status, "2xx", or "200 or 4xx".'),
      pattern: '^[0-9x]{3}( or [0-9x]{3})*$',
    },
    actual: { type: 'integer' },
    isGeneral: yes(
      'Every request tried of this kind got this answer. `when` says what they have in common; details that single violations name beyond that are not the cause.',
    ),
    isEmpty: yes(
      'A success that gives nothing: no record, no file, nothing that the write said is carried out.',
    ),
    asked,
  },
  'A request is answered with another status.',
);

const fieldSchema = object(
  {
    kind: { const: 'field' },
    of: described(oneOf(['task', 'assessment', 'recorded event']), 'What has the fields.'),
    fields: { ...listOf(text, 'The first is the one of the values.'), minItems: 1 },
    expected: described(text, 'As JSON, or the form that it should have.'),
    actual: described(text, 'As JSON.'),
    when: maybe(text, 'After what, as a phrase; missing where any reading shows it.'),
    wrong: maybe(
      oneOf(['form', 'missing', 'stays']),
      'Where it is not just another value: one of another form, none, or that from before in place of a new one.',
    ),
    write: maybe(
      object(
        {
          how: described(text, 'How they were made: "with an If-Match one version old".'),
          statuses: { ...listOf({ type: 'integer' }), minItems: 1 },
          isSent: described({ type: 'boolean' }, 'The new value is the one that they sent.'),
        },
        'The writes that were to change nothing.',
      ),
    ),
  },
  'Fields have other values than they should, or values of another form.',
);

const eventsSchema = object(
  {
    kind: { const: 'events' },
    when: described(text, 'What was asked for, as a phrase without values.'),
    fileType,
    parameter,
    asked,
    isOneEvent: yes('A certain event is looked for, the one that `when` names.'),
    missing: count,
    oneFor: maybe(
      oneOf(['page', 'page break']),
      'Of what in a PDF there is one for each that is missing.',
    ),
    extra: count,
    isRepeated: yes('What is too many are events that it holds more than once.'),
    beyond: maybe(bound, 'The bound of the range beyond which most of these events lie.'),
    of: maybe(count, 'How many events it should keep.'),
    alike: maybe(count, 'For how many other values of the parameter events are missing too.'),
    waitedMs,
    rows: maybe(
      listOf(text, 'What the first of the missing and of the extra rows are known again by.'),
    ),
    first: maybe(
      object(
        { missing: maybe(text), extra: maybe(text) },
        'The beginning of the first row that is missing, and of the first too many.',
      ),
    ),
    mark: maybe(text, 'A text that only the first missing event holds.'),
    common: maybe(
      object(
        { heading: text, value: text },
        'What all events that are missing, or too many, show in a column, and none of the others.',
      ),
    ),
    shown: maybe(text, 'A value that missing events show in an export of all.'),
    ignored: maybe(listOf(text, 'The parameters without which the same events would be kept.')),
    beside: maybe(listOf(text, 'The other parameters of that request.')),
    lostValues: maybe(
      object(
        {
          of: text,
          places: { ...listOf({ type: 'integer', minimum: 1 }), minItems: 1 },
          count: described(count, 'How many different values were asked for.'),
        },
        'Of several values of a parameter, those of which no event is kept.',
      ),
    ),
    isAnyOf: yes('The events of any of the filters are kept, not of all.'),
    together: maybe(
      oneOf(['all', 'at least']),
      'How it goes by the exports that it was compared with, where it should not hold just the events of any: those that all of them hold, or more than these.',
    ),
  },
  'An export keeps other events than it should.',
);

const boundSchema = object(
  {
    kind: { const: 'bound' },
    bound,
    found: oneOf(['excluded', 'lost', 'twice']),
    readTo: maybe(
      oneOf(['second', 'minute', 'hour', 'day']),
      'The unit of time to which bounds are rounded, or cut.',
    ),
  },
  'A bound of a range does not include its very instant, or more than that.',
);

const datesSchema = object(
  {
    kind: { const: 'dates' },
    timezone: text,
    fileType,
    expected: described(text, 'The local time of an event.'),
    actual: described(text, 'What is shown in its place.'),
    wrong: maybe(count, 'How many dates are other ones.'),
    of: maybe(count, 'Of how many.'),
    isUtc: yes('What is shown is the time in UTC.'),
    lateBy: maybe(
      { type: 'integer' },
      'By how many minutes what is shown is later than the local time.',
    ),
    isAboutChange: yes('Clocks are changed between the events.'),
    mark: maybe(text, 'A text that only the line of that event holds.'),
  },
  'An export in a timezone shows other dates than the local ones.',
);

/** What the target does wrong, as a name, where none of the other kinds of difference fits. */
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
  'matches one event by two values',
  'matches fewer the second time',
  'returns events of no value beside a range',
  'returns fewer events without parameters',
  'reads a bound in another zone',
  'shows dates in another zone',
  'shows other times of day',
  'shows dates of another year',
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

const otherSchema = object(
  {
    kind: { const: 'other' },
    wrong: oneOf(wrongs),
    parameter,
    of: maybe(
      text,
      'What it is about beside the parameter: another parameter, a timezone, the kind of a write, what was asked for.',
    ),
    hours: maybe({ type: 'number' }, 'By how many hours times are off.'),
    status: maybe({ type: 'integer' }, 'The status of the refusal.'),
    expected: maybe(text, 'A value that it should have shown, as it is written.'),
    actual: maybe(text, 'What came in its place.'),
    count: maybe(count, 'Of how many events, or words, it is said.'),
    waitedMs,
  },
  'None of the above.',
);

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
