import type { ValidateFunction } from 'ajv/dist/2020.js';
import { ajv } from '../helpers/ajv.ts';
import { groupBy } from '../helpers/group-by.ts';
import type { OpenClause } from '../schemas/clauses.ts';
import {
  type CommentOutcome,
  canonical,
  type ExportOutcome,
  type Observation,
  observations,
  type Shape,
  type WriteOutcome,
} from '../schemas/observations.ts';
import type { ClauseResult } from '../schemas/results.ts';
import { counted } from './wording.ts';

/*
 * The words of facts. A fact is a value (`schemas/observations.ts`); here, and nowhere else, it becomes a phrase for
 * people. Most facts say what was done and what came of it: those two stay apart until the last moment, so that
 * situations with the same outcome can be shown together.
 */

/** A phrase, or a situation and its outcome. */
type Words = string | readonly [situation: string, outcome: string];

const number = (value: number): string => value.toLocaleString('en-US');
const orNone = (value: string | null): string => value ?? 'none';

const words: { readonly [Id in OpenClause]: (fact: Observation<Id>) => Words } = {
  'interface.answer-headers': ({ on, header }) => [kindOfAnswer[on], orNone(header)],
  'fields.further-fields': ({ on, field, shape }) => [
    on,
    orNone(field) + (shape === undefined ? '' : ` (${shapeWords(shape)})`),
  ],

  'task.microfrontend-id-form': String,
  'task.status-values': orNone,
  'task.nullable-fields': orNone,
  'task.custom-metadata-contents': shapeWords,
  'task.data-version-rules': (rule) => dataVersionRules[rule],
  'task.locked-at-rules': (rule) => lockedAtRules[rule],
  'task.status-transitions': ({ when, becomes }) => [
    when,
    becomes === null ? 'stays the same' : `becomes ${becomes}`,
  ],
  'assessment.state-transitions': ({ when, changes }) => [
    when,
    changes === null ? 'nothing changes' : `${changes} changes`,
  ],
  'assessment.error-fields-when-cancelled': (fields) => `error fields are ${fields}`,
  'service.task-agrees-with-its-assessment': ({ field, agrees }) => [
    field,
    agrees ? 'the same' : 'not the same',
  ],
  'assessment.error-field-types': ({ field, shape }) => [field, shapeWords(shape)],

  'update.success-status': String,
  'get-task.success-status': String,
  'task.read-delay': (delay) =>
    `reads show a write ${delay === 'later' ? 'a little later' : delay}`,
  'get-assessment.success-status': String,
  'update.refused-body-status': ({ part, is, status }) => [
    `${part} is ${is}`,
    status < 400 ? `accepted with ${status}` : refusal(status),
  ],
  'update.missing-if-match-status': ({ write, ifMatch, status }) => [
    `${write} with ${ifMatch === 'missing' ? 'no' : 'an empty'} If-Match`,
    refusal(status),
  ],
  'update.quoted-if-match': ({ when, outcome }) => [when, writeWords(outcome)],
  'update.if-match-star': ({ outcome }) => writeWords(outcome),
  'update.if-match-same-instant': ({ when, outcome }) => [when, writeWords(outcome)],
  'update.other-content-types': ({ when, outcome }) => [
    when === 'none' ? 'no content type' : when,
    writeWords(outcome),
  ],
  'update.body-with-both-objects': ({ outcome }) => writeWords(outcome),
  'update.body-with-neither-object': ({ when, outcome }) => [when, writeWords(outcome)],
  'unassign.on-an-unassigned-task': ({ outcome }) => writeWords(outcome),
  'comment.when-empty': commentWords,
  'comment.surrounding-white-space': ({ when, outcome }) => [
    when === 'nothing else' ? 'nothing but white space' : 'white space around a text',
    commentWords(outcome),
  ],
  'comment.normalization': (fact) => [
    `${fact.of} in the ${fact.in}`,
    fact.kept ? 'kept' : 'not kept',
  ],
  'comment.length-limit': ({ characters, outcome }) => [
    `${number(characters)} characters`,
    outcome === 'accepted' ? outcome : refusal(outcome.refused),
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
    'when' in fact ? [fact.when, String(fact.status)] : parameterWords(fact),
  'errors.passing-failure-of-an-export': (failures) =>
    failures === 'none'
      ? 'no export fails with 500 and then succeeds'
      : 'some exports fail with 500, and succeed when requested again',
  'limits.rate': ({ header, tooManyRequests }) => {
    if (tooManyRequests === undefined) {
      return header === null ? 'no header about a rate limit' : `header ${header}`;
    }
    return `${tooManyRequests ? 'some requests are' : 'no request is'} answered with 429`;
  },
  'limits.csv-size': ({ exportsMoreThan, refusesMoreWith }) =>
    exportsMoreThan === undefined
      ? `a larger export is ${refusal(refusesMoreWith ?? 0)}`
      : `more than ${number(exportsMoreThan)} events are exported`,

  'export.array-encoding': ({ encoding, values }) => [
    encodings[encoding],
    values === 'several' ? 'several values work' : 'a single value works',
  ],
  'export.case-of-filter-values': ({ filter, caseCounts }) => [
    filter,
    caseCounts ? 'upper and lower case are told apart' : 'upper and lower case are the same',
  ],
  'export.brackets-of-metadata': ({ brackets, honoured }) => [
    brackets === 'plain' ? 'brackets as they are' : 'percent-encoded brackets',
    honoured ? 'is honoured' : 'is not honoured',
  ],
  'export.unknown-metadata-key': parameterWords,
  'export.unknown-file-type': parameterWords,
  'export.unknown-locale': parameterWords,
  'export.unknown-timezone': parameterWords,
  'export.null-range': parameterWords,
  'export.malformed-range': parameterWords,
  'export.range-with-offset': ({ when, outcome }) => [when, exportWords(outcome)],
  'export.supported-locales': ({ locale, status, reads }) => [
    locale,
    reads === undefined
      ? String(status)
      : `reads ${reads === 'as without it' ? 'as without a locale' : reads}`,
  ],
  'export.csv-columns': ({ headings, columnsWithoutHeadings }) =>
    headings?.join(', ') ?? `${columnsWithoutHeadings} columns without headings`,
  'export.csv-form': csvFormWords,
  'export.csv-content-type': orNone,
  'export.pdf-content-type': orNone,
  'export.file-name': ({ of, contentDisposition }) => [
    of.toUpperCase(),
    contentDisposition ?? 'no Content-Disposition header',
  ],
  'export.date-style': (style) =>
    typeof style === 'string'
      ? style
      : `${style.order}, for example ${exampleDate(style.order, style.pattern)}`,
  'export.order-of-events': ({ byTime, again }) =>
    byTime === undefined ? `${again ?? 'another'} order each time` : ordersByTime[byTime],
  'export.pdf-form': pdfFormWords,

  'notification.copy-to-the-assigner': (copy) =>
    `the assigner gets ${copy === 'none' ? 'no email' : copy}`,
  'notification.of-an-unassignment': (who) => `${who} gets an email`,
  'notification.content': ({ showsComment, namesTask }) =>
    `${showsComment ? 'shows' : 'does not show'} the comment, ${namesTask ? 'names' : 'does not name'} the task`,
  'notification.messages-to-a-team': (messages) =>
    messages === 'one each' ? 'one message for each member' : 'one message for several members',
  'notification.delay': (delay) => (delay === 'later' ? 'after more than 15 seconds' : delay),
  'audit.delay': (delay) =>
    `an event is exported ${delay === 'later' ? 'only after more than ten seconds' : delay}`,
  'audit.event-fields': (field) => {
    if (field === null) return 'none that can be filtered by';
    return field === 'time' ? 'when it happened' : field;
  },
  'audit.classification-values': (fact) => {
    if ('parameter' in fact) return parameterWords(fact);
    const { of, filter, value } = fact;
    return [of === 'any event' ? filter : `${filter} of ${of}`, value];
  },
};

const kindOfAnswer = { task: 'task', csv: 'CSV export', pdf: 'PDF export' } as const;

const dataVersionRules = {
  stays: 'stays the same on a write',
  'one more': 'goes up by one on a write',
  changes: 'changes otherwise on a write',
  'no number': 'is not a number',
} as const;

const lockedAtRules = {
  stays: 'stays the same on a write',
  'becomes null': 'becomes null on a write',
  'becomes updated_at': 'becomes updated_at on a write',
  changes: 'changes otherwise on a write',
} as const;

const encodings = {
  repeat: 'a=1&a=2',
  brackets: 'a[]=1&a[]=2',
  indices: 'a[0]=1&a[1]=2',
  comma: 'a=1%2C2',
  'bare-comma': 'a=1,2',
  pipe: 'a=1|2',
  semicolon: 'a=1;2',
  json: 'a=["1","2"]',
} as const;

const ordersByTime = {
  'oldest first': 'oldest first',
  'newest first': 'newest first',
  neither: 'neither oldest nor newest first',
  'not known': 'the order by time could not be read',
} as const;

function refusal(status: number): string {
  return `refused with ${status}`;
}

function writeWords(outcome: WriteOutcome): string {
  if ('refused' in outcome) return refusal(outcome.refused);
  switch (outcome.accepted) {
    case 'assigned':
    case 'unassigned':
      return `accepted, the task is ${outcome.accepted}`;
    case 'new version':
      return 'accepted, the task gets a new version';
    case 'nothing changed':
      return 'accepted, nothing changes';
  }
}

function commentWords(outcome: CommentOutcome): string {
  if (typeof outcome === 'object') return refusal(outcome.refused);
  return outcome === 'null' || outcome === 'empty' ? `becomes ${outcome}` : outcome;
}

function exportWords({ status, gives }: ExportOutcome): string {
  if (gives === undefined) return String(status);
  return `${status}, ${gives === 'as without it' ? 'the same as without the parameter' : gives}`;
}

function parameterWords(fact: Observation<'export.unknown-locale'>): Words {
  return [`${fact.parameter}=${fact.value}`, exportWords(fact.outcome)];
}

/** The numbers of an example, 20 November 2026, in the order in which they were found to be written. */
const exampleNumbers: Readonly<Record<string, readonly string[]>> = {
  'year first': ['2026', '11', '20'],
  'month first': ['11', '20', '2026'],
  'day first': ['20', '11', '2026'],
  'month by name': ['20', '2026'],
  'epoch seconds': ['1795183533'],
  'epoch milliseconds': ['1795183533123'],
};

/** A date as a pattern has it, in which 9 stands for a number and a for letters: `9999-9-9a9:9:9a` is 2026-11-20T14:05:33Z. */
function exampleDate(order: string, pattern: string): string {
  const hour = pattern.endsWith(' a') ? '02' : '14';
  const numbers = [...(exampleNumbers[order] ?? []), hour, '05', '33'];
  const hasDayOfWeek = /^a\W+(9\W+)?a/.test(pattern);
  const names = order === 'month by name' ? [...(hasDayOfWeek ? ['Fri'] : []), 'Nov'] : [];
  return pattern.replace(/9+|a/g, (token, at: number) => {
    if (token !== 'a') {
      const isOffset = /[+-]/.test(pattern.charAt(at - 1)) && token.length === 4;
      const further = isOffset ? '0100' : '123456789'.slice(0, token.length);
      return numbers.shift() ?? (token.length > 2 ? further : '00');
    }
    const isAfterNumber = pattern.charAt(at - 1) === '9';
    const sign = isAfterNumber ? (pattern.charAt(at + 1) === '9' ? 'T' : 'Z') : 'PM';
    return names.shift() ?? sign;
  });
}

/** The structure of a JSON value as one line: `{code: string, errors: [{message: string}]}`. */
function shapeWords(shape: Shape): string {
  if (typeof shape === 'string') return shape;
  if (Array.isArray(shape)) return `[${shape.map(shapeWords).join(' | ')}]`;
  const fields = Object.entries(shape).map(([name, field]) => `${name}: ${shapeWords(field)}`);
  return `{${fields.join(', ')}}`;
}

function csvFormWords(form: Observation<'export.csv-form'>): string {
  const { delimiter, lineEnd, quotes, titleLines, footerLines, encoding, formulaGuard } = form;
  if (delimiter !== undefined) return `delimiter ${JSON.stringify(delimiter)}`;
  if (lineEnd !== undefined) return `line end ${JSON.stringify(lineEnd)}`;
  if (quotes !== undefined) return `quotes ${quotes}`;
  if (titleLines !== undefined) {
    return titleLines === 0 ? 'no title lines' : counted(titleLines, 'title line');
  }
  if (footerLines !== undefined) {
    return footerLines === 0 ? 'no footer' : counted(footerLines, 'footer line');
  }
  if (encoding !== undefined) return `encoding ${encoding}`;
  if (formulaGuard !== undefined) return `before formulas ${formulaGuard}`;
  if (form.separatorLine !== undefined) return `${form.separatorLine ? 'a' : 'no'} line sep=`;
  if (form.endsLastLine !== undefined) {
    return `${form.endsLastLine ? 'a' : 'no'} line end after the last line`;
  }
  if (form.byteOrderMark !== undefined) return `${form.byteOrderMark ? 'a' : 'no'} byte order mark`;
  if (form.headings !== undefined) return form.headings ? 'a line of headings' : 'no headings';
  return form.emptyWithoutEvents ? 'empty without events' : 'not empty without events';
}

function pdfFormWords(form: Observation<'export.pdf-form'>): string {
  const { pages, width, height, leftEdges, runningTitle, leavesOut, cutsOff } = form;
  if (pages !== undefined) return pages === 0 ? 'no pages' : counted(pages, 'page');
  if (width !== undefined) return `pages ${width} points wide`;
  if (height !== undefined) return `pages ${height} points high`;
  if (leftEdges !== undefined) return `text begins at ${counted(leftEdges, 'left edge')}`;
  if (leavesOut !== undefined) return `leaves out ${leavesOut}`;
  if (cutsOff !== undefined) return `cuts off ${cutsOff}`;
  if (runningTitle === 'none') return 'no title on every page';
  if (runningTitle !== undefined) return `a title on every page, ${runningTitle}`;
  if (form.pageNumbers !== undefined) return form.pageNumbers ? 'page numbers' : 'no page numbers';
  if (form.printsEveryColumn !== undefined) {
    return form.printsEveryColumn ? 'every column of the CSV' : 'not every column of the CSV';
  }
  return form.ellipses ? 'an ellipsis where text is cut off' : 'no ellipsis where text is cut off';
}

const validators = new Map<string, ValidateFunction>();

function isFactOf<Id extends OpenClause>(id: Id, fact: unknown): fact is Observation<Id> {
  const validate = validators.get(id) ?? ajv.compile(observations[id].schema);
  validators.set(id, validate);
  return validate(fact) === true;
}

/** Another version of the suite may know other clauses, and other facts of these: they are shown as JSON. */
function wordsOf(id: string, fact: unknown): Words {
  return isOpen(id) ? wordsOfKnown(id, fact) : canonical(fact);
}

function wordsOfKnown<Id extends OpenClause>(id: Id, fact: unknown): Words {
  return isFactOf(id, fact) ? words[id](fact) : canonical(fact);
}

function isOpen(id: string): id is OpenClause {
  return Object.hasOwn(observations, id);
}

/** What was observed of a clause, a phrase for each fact. */
export function factsOf({ id, observed }: Pick<ClauseResult, 'id' | 'observed'>): string[] {
  return observed.map((fact) => joined(wordsOf(id, fact)));
}

function joined(phrase: Words): string {
  return typeof phrase === 'string' ? phrase : phrase.join(': ');
}

/** So many situations with the same outcome are shown together. */
const groupedFrom = 3;

/**
 * The same, shorter: where the same came of several situations, that is said once: `refused with 400: body is empty;
 * update is null; update is a list`.
 */
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
