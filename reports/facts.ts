import { isObject } from '../helpers/json.ts';
import { groupBy } from '../helpers/maps.ts';
import type { OpenClause } from '../schemas/clauses.ts';
import { canonical, type Observation, observations } from '../schemas/observations.ts';
import { encodingExamples } from '../schemas/operations.ts';
import type { ClauseResult } from '../schemas/results.ts';
import { numeral } from './printable.ts';

/*
 * The words of facts. A fact is a value (`schemas/observations.ts`); here, and nowhere else, it becomes a phrase for
 * people. Most facts say what was done and what came of it: both stay apart until the last moment, so that situations
 * with the same outcome can be shown together.
 */

/** The words of a fact: a phrase, or a situation and its outcome, `['body is empty', 'refused with 400']`. */
type Words = string | readonly [situation: string, outcome: string];

/** The words of facts that have none of their own below: a value, or what was done or asked for and its outcome. */
function usualWords(fact: unknown): Words {
  if (!isObject(fact)) return plain(fact);
  const { when, parameter, value, outcome } = fact;
  return [`${when ?? `${parameter}=${value}`}`, plain(outcome)];
}

/** A fact of one field: the name of the field and its value, "title lines: 2". */
const aspect = (fact: object): Words =>
  Object.entries(fact)
    .map(([name, value]) => {
      const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      // Of a character that nobody sees, its name in JSON.
      const isCharacter = name === 'delimiter' || name === 'lineEnd';
      return `${words}: ${isCharacter ? JSON.stringify(value) : plain(value)}`;
    })
    .join(', ');

const onAWrite = (rule: string): Words => ['on a write', rule];

const words: { readonly [Id in OpenClause]?: (fact: Observation<Id>) => Words } = {
  'interface.answer-headers': ({ on, header }) => [on, plain(header)],
  'fields.further-fields': ({ on, field, shape }) => [
    on,
    plain(field) + (shape === undefined ? '' : ` (${shapeWords(shape)})`),
  ],

  'task.custom-metadata-contents': shapeWords,
  'task.data-version-rules': onAWrite,
  'task.locked-at-rules': onAWrite,
  'task.status-transitions': ({ when, becomes }) => [when, becomes ?? 'stays the same'],
  'assessment.state-transitions': ({ when, changes }) => [when, `${changes ?? 'nothing'} changes`],
  'assessment.error-fields-when-cancelled': (values) => `error fields are ${values}`,
  'service.task-agrees-with-its-assessment': ({ field, agrees }) => [
    field,
    agrees ? 'the same' : 'not the same',
  ],
  'assessment.error-field-types': ({ field, shape }) => [field, shapeWords(shape)],

  'task.read-delay': (delay) => ['reads show a write', delay],
  'update.refused-body-status': ({ part, is, status }) => [
    `${part} is ${is}`,
    status < 400 ? `accepted with ${status}` : plain({ refused: status }),
  ],
  'update.missing-if-match-status': ({ write, ifMatch, status }) => [
    `${write} with ${ifMatch === 'missing' ? 'no' : 'an empty'} If-Match`,
    plain({ refused: status }),
  ],
  'update.if-match-star': ({ outcome }) => plain(outcome),
  'update.other-content-types': ({ when, outcome }) => [
    when === 'none' ? 'no content type' : when,
    plain(outcome),
  ],
  'update.body-with-both-objects': ({ outcome }) => plain(outcome),
  'unassign.on-an-unassigned-task': ({ outcome }) => plain(outcome),
  'comment.when-empty': (outcome) => ['an empty comment', plain(outcome)],
  'comment.surrounding-white-space': ({ when, outcome }) => [
    when === 'nothing else' ? 'nothing but white space' : 'white space around a text',
    plain(outcome),
  ],
  'comment.normalization': (fact) => [
    `${fact.of} in the ${fact.in}`,
    fact.kept ? 'kept' : 'not kept',
  ],
  'comment.length-limit': ({ characters, outcome }) => [
    `${plain(characters)} characters`,
    plain(outcome),
  ],

  'auth.key-case': (rule) =>
    rule === 'no UUID' ? 'the key is no UUID' : `the key is a UUID, its ${rule}`,
  'errors.body-shape': ({ when, body, mediaType, shape }) => [
    when,
    body === 'none'
      ? 'no body'
      : `${mediaType ?? 'no content type'}, ${shape === undefined ? body : shapeWords(shape)}`,
  ],
  'errors.further-statuses': (fact) =>
    'when' in fact ? [fact.when, plain(fact.status)] : usualWords(fact),
  'errors.passing-failure-of-an-export': (failures) =>
    `${failures === 'none' ? 'no export' : 'an export'} fails with 500 and succeeds when sent again`,
  'limits.rate': ({ header, tooManyRequests }) => {
    if (tooManyRequests === undefined) {
      return header === null ? 'no header about a rate limit' : `header ${header}`;
    }
    return `${tooManyRequests ? 'some requests are' : 'no request is'} answered with 429`;
  },
  'limits.csv-size': ({ exportsMoreThan, refusesMoreWith }) =>
    exportsMoreThan === undefined
      ? `a larger export is ${plain({ refused: refusesMoreWith })}`
      : `more than ${plain(exportsMoreThan)} events are exported`,

  'export.array-encoding': ({ encoding, values }) => [
    encodingExamples[encoding],
    values === 'several' ? 'several values work' : 'a single value works',
  ],
  'export.case-of-filter-values': ({ filter, caseCounts }) => [
    filter,
    caseCounts ? 'upper and lower case are told apart' : 'upper and lower case are the same',
  ],
  'export.brackets-of-metadata': ({ brackets, honoured }) => [
    `${brackets} brackets`,
    honoured ? 'is honoured' : 'is not honoured',
  ],
  'export.supported-locales': ({ locale, status, reads }) => [
    locale,
    reads === undefined
      ? plain(status)
      : `reads ${reads === 'as without it' ? 'as without a locale' : reads}`,
  ],
  'export.csv-columns': ({ headings, columnsWithoutHeadings }) =>
    headings?.join(', ') ?? `${columnsWithoutHeadings} columns without headings`,
  'export.csv-form': aspect,
  'export.file-name': ({ of, contentDisposition }) => [
    of.toUpperCase(),
    contentDisposition ?? 'no Content-Disposition header',
  ],
  'export.date-style': (style) =>
    typeof style === 'string'
      ? style
      : `${style.order}, as ${style.pattern} (9 is a number, a is a word or letter)`,
  'export.order-of-events': ({ byTime, again }) =>
    byTime === undefined ? `${again} order each time` : `by time: ${byTime}`,
  'export.pdf-form': aspect,

  'notification.copy-to-the-assigner': (copy) => ['the assigner gets', copy],
  'notification.of-an-unassignment': (who) => `${who} gets an email`,
  'notification.content': ({ showsComment, namesTask }) =>
    `${showsComment ? 'shows' : 'does not show'} the comment, ${namesTask ? 'names' : 'does not name'} the task`,
  'notification.messages-to-a-team': (messages) => ['messages to the members', messages],
  'notification.delay': (delay) => [
    'an email arrives',
    delay === 'later' ? 'after more than 15 seconds' : delay,
  ],
  'audit.delay': (delay) => [
    'an event is exported',
    delay === 'later' ? 'after more than ten seconds' : delay,
  ],
  'audit.event-fields': (field) =>
    field === 'time' ? 'when it happened' : (field ?? 'none that can be filtered by'),
  'audit.classification-values': (fact) =>
    'parameter' in fact ? usualWords(fact) : [`${fact.filter} of ${fact.of}`, fact.value],
};

function plain(value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return numeral(value);
  if (!isObject(value)) return `${value}`;
  const { refused, accepted, status, gives } = value;
  if (refused !== undefined) return `refused with ${refused}`;
  if (accepted !== undefined) return `accepted, ${accepted}`;
  if (gives === 'as without it') return `${status}, no fewer events`;
  return status === undefined ? canonical(value) : Object.values(value).join(', ');
}

/** The structure of a JSON value as one line: `{code: string, errors: [{message: string}]}`. */
function shapeWords(shape: unknown): string {
  if (Array.isArray(shape)) return `[${shape.map(shapeWords).join(' | ')}]`;
  if (!isObject(shape)) return `${shape}`;
  const members = Object.entries(shape).map(([name, member]) => `${name}: ${shapeWords(member)}`);
  return `{${members.join(', ')}}`;
}

function wordsOf(id: string, fact: unknown): Words {
  // Another version of the suite may know other clauses.
  if (!Object.hasOwn(observations, id)) return canonical(fact);
  const own: Readonly<Record<string, ((fact: never) => Words) | undefined>> = words;
  // The compiler does not know which clause the id is. Where files are read, facts are checked for the form of theirs.
  return own[id]?.(fact as never) ?? usualWords(fact);
}

/** What was observed of a clause, a phrase for each fact. */
export function factsOf({ id, observed }: Pick<ClauseResult, 'id' | 'observed'>): string[] {
  return observed.map((fact) => joined(wordsOf(id, fact)));
}

function joined(phrase: Words): string {
  return typeof phrase === 'string' ? phrase : phrase.join(': ');
}

/** From this many situations on, the outcome that they share is said once. */
const groupedFrom = 3;

/** As `factsOf`, but what several situations share is said once: `refused with 400: body is empty; update is null`. */
export function groupedFactsOf(id: string, facts: readonly unknown[]): string[] {
  const byOutcome = groupBy(
    facts.map((fact) => wordsOf(id, fact)),
    (phrase) => (typeof phrase === 'string' ? phrase : phrase[1]),
  );
  return [...byOutcome].flatMap(([outcome, phrases]) => {
    const situations = phrases.flatMap((one) => (typeof one === 'string' ? [] : [one[0]]));
    if (situations.length < groupedFrom) return phrases.map(joined);
    return [`${outcome}: ${situations.join('; ')}`];
  });
}
