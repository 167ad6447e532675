import { filters } from '../helpers/exports/query.ts';
import { withArticle } from '../helpers/with-article.ts';
import type {
  BoundDifference,
  DatesDifference,
  Difference,
  EventsDifference,
  FieldDifference,
  StatusDifference,
} from '../schemas/difference.ts';
import type { ViolationResult } from '../schemas/results.ts';
import { beginning, differInWhiteSpace, isSeen, partsBeside } from './difference.ts';
import { type Finding, isRefused } from './findings.ts';
import { counted, duration, listed } from './wording.ts';
import { wrongTexts } from './wrongs.ts';

// A judge gives a difference as a value. Here it becomes words: a headline in terms of the service, and what was asked,
// what was expected and what came.

/** Values of up to this many characters stand whole in a headline: ids and instants do. */
const maxValue = 40;
/** How many characters of two values are shown, about the place where they differ, where one of them is longer. */
const maxPart = 24;
/** The most other exports, with the same fault, that a headline names. */
const maxAlike = 2;
/** The most parameters of one request that are named. */
const maxAsked = 6;
/** The most parameters, and ways of doing something, that a headline names. */
const maxNamed = 4;

/** What is wrong with the service, in one line: “PUT …/update-assignment accepts an old If-Match: 200, not 409”. */
export function headlineOf({ violations }: Pick<Finding, 'violations'>): string {
  const [violation] = violations;
  const { difference } = violation;
  switch (difference.kind) {
    case 'status':
      return statusText(difference, violations);
    case 'field':
      return `${requestOf(violation, difference)}${sentIn(violations)}${fieldText(difference, violations)}`;
    case 'events':
      return `${requestOf(violation)}${eventsText(difference, violations)}`;
    case 'bound':
      return `${requestOf(violation)}: ${boundText(difference, boundsOf(violations))}`;
    case 'dates':
      return `${requestOf(violation)}${datesText(difference, violations)}`;
    case 'other':
      return `${requestOf(violation)}${sentIn(violations)} ${wrongTexts(difference, parametersOf(violations)).does}${elsewhere(violations)}`;
  }
}

/**
 * “ (unassign)” or “ (update)” where all blamed writes sent that object, as the other may be handled rightly; else an
 * empty text. “ (update)” is said only of writes that changed a field or were to be refused: most others assign.
 */
function sentIn(violations: Finding['violations']): string {
  const [violation] = violations;
  const { difference } = violation;
  const isOfWrite = difference.kind === 'field' && difference.write !== undefined;
  const isToBeRefused = difference.kind === 'status' && difference.expected !== '2xx';
  const blamed = violations.flatMap(({ on }) => (isOfWrite ? on : on.slice(0, 1)));
  const writes = blamed.filter(({ request }) => request.startsWith('PUT '));
  if (!requestOf(violation, isOfWrite ? difference : undefined).startsWith('PUT ')) return '';
  const [sent, ...others] = distinct(writes.map(({ sends }) => sends));
  const isNamed = sent === 'unassign' || (sent === 'update' && (isOfWrite || isToBeRefused));
  return isNamed && others.length === 0 ? ` (${sent})` : '';
}

/** The request to blame, “PUT …/update-assignment”; where a write changed the field of the difference, that write. */
function requestOf({ on }: Pick<ViolationResult, 'on'>, difference?: FieldDifference): string {
  const write = difference?.write && on.find(({ request }) => request.startsWith('PUT '));
  const request = (write ?? on[0])?.request ?? 'The service';
  return request.replace(/ (?:\/[^/]+){2,}(?=\/[a-z-]+$)/, ' …');
}

/** A headline about a status: “GET /tasks/{id} answers 500, not 404, to an unknown id (and 2 other ways)”. */
function statusText(difference: StatusDifference, violations: Finding['violations']): string {
  const [violation] = violations;
  const { when, isGeneral } = difference;
  // Another clause may be about the very same answer, which is no other way.
  const isOfOther = ({ on }: ViolationResult): boolean =>
    on[0]?.exchange !== violation.on[0]?.exchange;
  const ways = distinct(
    violations
      .filter(isOfOther)
      .flatMap((one) => (one.difference.kind === 'status' ? [one.difference.when] : [])),
  ).filter((way) => way !== when);
  const others =
    ways.length === 0 || isGeneral ? '' : ` (and ${counted(ways.length, 'other way')})`;
  const request = `${requestOf(violation)}${sentIn(violations)}`;
  return `${request} ${answersText(`${when}${askedText(difference)}${others}`, difference)}${elsewhere(violations)}`;
}

/** “ (timezone=…, locale=…)”: what an export asked for; empty where that is nothing. */
function askedText({ asked = [] }: StatusDifference): string {
  return asked.length === 0 ? '' : ` (${listed(asked, maxNamed)})`;
}

/** “accepts …”, “refuses …” or “answers …”: what the service does with a request, and what it should do. */
function answersText(when: string, { expected, actual, isEmpty }: StatusDifference): string {
  const right = expected === '2xx' ? 'a success' : expected;
  const isToBeServed = expected.startsWith('2');
  if (actual < 300 && !isToBeServed && !isEmpty) return `accepts ${when}: ${actual}, not ${right}`;
  // The service accepted the key, or looks at it too late.
  if (expected === '401' && pastTheKey.includes(actual)) {
    return `does not refuse ${when}: ${actual}, not 401`;
  }
  if (isToBeServed && refusals.includes(actual)) return `refuses ${when}: ${actual}, not ${right}`;
  return `answers ${actual}, not ${right}, to ${when}`;
}

/** Statuses that tell of a record or its version, which nobody may learn without a valid key. */
const pastTheKey = [404, 409, 412];

/** Statuses that say that a request is not carried out, and not only that something is not there. */
const refusals = [400, 401, 403, 409, 412, 415, 422, 428];

/** “; the same in 2 other operations”; empty where only one operation shows it. */
function elsewhere(violations: readonly ViolationResult[]): string {
  const others = distinct(violations.map((one) => requestOf(one))).length - 1;
  return others === 0 ? '' : `; the same in ${counted(others, 'other operation')}`;
}

/** “ as PDF with timezone=…: 3 of 4 dates are 2 hours late: …, not …”. */
function datesText(
  { timezone, expected, actual, isUtc, lateBy, wrong, of, isAboutChange }: DatesDifference,
  violations: readonly ViolationResult[],
): string {
  const all = violations.flatMap(({ difference }) =>
    difference.kind === 'dates' ? [difference] : [],
  );
  const [fileType, ...otherTypes] = distinct(all.map((one) => one.fileType));
  const as = otherTypes.length > 0 ? ' as CSV and as PDF' : fileType === 'pdf' ? ' as PDF' : '';
  const zones = distinct(all.map((one) => one.timezone)).length;
  const others = zones > 1 ? `; the same in ${counted(zones - 1, 'other timezone')}` : '';
  const dates =
    wrong === undefined || of === undefined ? 'dates' : `${wrong} of ${counted(of, 'date')}`;
  const where = isAboutChange ? ', about a clock change,' : '';
  const how = isUtc ? 'in UTC' : lateBy === undefined ? 'not the local time' : awayText(lateBy);
  return `${as} with timezone=${timezone}: ${dates}${where} are ${how}: ${actual}, not ${expected}${others}`;
}

/** “12 hours early”, “5 hours 30 minutes late”. @param lateBy minutes; negative where the dates are early */
function awayText(lateBy: number): string {
  const hours = Math.floor(Math.abs(lateBy) / 60);
  const minutes = Math.abs(lateBy) % 60;
  const parts = [
    hours > 0 && counted(hours, 'hour'),
    minutes > 0 && counted(minutes, 'minute'),
  ].filter((part) => part !== false);
  return `${parts.join(' ')} ${lateBy > 0 ? 'late' : 'early'}`;
}

/** What follows the request in a headline about a field: “: name of the task is cut to 255 of 4,000 characters”. */
function fieldText(difference: FieldDifference, violations: Finding['violations']): string {
  const { of, fields, wrong, write, when } = difference;
  const isShort = Math.max(difference.expected.length, difference.actual.length) <= maxValue;
  const max = isShort ? maxValue : maxPart;
  const { where, ...parts } = partsBeside(difference.expected, difference.actual, max);
  const [expected, actual] = [closed(parts.expected), closed(parts.actual)];
  const isPlaceTold = where !== undefined && !isSeen(difference.expected, difference.actual);
  const [field = ''] = fields;
  if (write === undefined) {
    const kept = beginning(difference.expected, difference.actual);
    if (kept !== undefined) return `: ${field} of the ${of} is cut to ${kept}`;
    if (wrong === 'missing') {
      const same = violations.filter((one) => requestOf(one) === requestOf(violations[0]));
      const allFields = distinct(
        same.flatMap((one) => (one.difference.kind === 'field' ? one.difference.fields : [])),
      );
      return ` answers with ${withArticle(of)} without ${listed(allFields, maxNamed)}${elsewhere(violations)}`;
    }
    const ofAssignment = /^assignment\.(.+)/.exec(field)?.[1];
    const what = ofAssignment ?? `${field} of the ${of}`;
    if (wrong === 'stays' && /^"/.test(difference.expected)) {
      return `: ${what} stays ${actual} ${when ?? 'after a write'}, not ${expected}`;
    }
    if (wrong === 'stays') return `: ${what} does not change ${when ?? 'after a write'}`;
    if (differInWhiteSpace(difference.expected, difference.actual)) {
      return `: white space of ${what} is not kept: ${actual}, not ${expected}${isPlaceTold ? ` (${where})` : ''}`;
    }
    const moment = when === undefined ? '' : ` ${when}`;
    return `: ${what}${moment} is ${actual}, not ${expected}${isPlaceTold ? ` (${where})` : ''}`;
  }
  // From here on: a write was refused, or should have been, and yet it changed the field.
  const writes = violations.flatMap(({ difference: one }) =>
    one.kind === 'field' && one.write ? [one.write] : [],
  );
  const ways = distinct(writes.map(({ how }) => how));
  const how =
    ways.length === 1 ? ` ${ways[0]}` : of === 'recorded event' ? ` ${listed(ways, 2)}` : '';
  const statuses = distinct(writes.flatMap((one) => one.statuses)).join(' or ');
  const does =
    write.isSent && fields.length === 1 ? `stores ${nameOf(field)}` : changesText(fields);
  if (of === 'recorded event') return ` answers ${statuses}, but its comment is recorded:${how}`;
  return isRefused(write.statuses)
    ? `${how} answers ${statuses}, but ${does}`
    : ` accepts a write${how}: answers ${statuses}, and ${does}`;
}

/** A value that was cut, with its closing quote added: `"abc` becomes `"abc"`. */
function closed(value: string): string {
  return /^"/.test(value) && !/"$/.test(value) ? `${value}"` : value;
}

/** What a write was sent: "the comment". */
function nameOf(field: string): string {
  const name = field.split('.').at(-1) ?? field;
  return name === 'assignment_comment' ? 'the comment' : `the ${name} of its body`;
}

function changesText(fields: readonly string[]): string {
  return `changes ${listed(fields, maxNamed)}`;
}

/** “tag, cache_id”: the parameters that the violations of a finding are about; empty where there are none. */
function parametersOf(violations: readonly ViolationResult[]): string {
  const parameters = violations.flatMap(({ difference }) =>
    difference.kind === 'events' || difference.kind === 'other' ? (difference.parameter ?? []) : [],
  );
  return listed(distinct(parameters), maxNamed);
}

/** What follows the request in a headline about events: “: event_type=a: 2 of 9 events are missing”. */
function eventsText(difference: EventsDifference, violations: readonly ViolationResult[]): string {
  const { when, fileType, missing, extra, of, lostValues, isAnyOf, isOneEvent } = difference;
  const { isRepeated, alike = 0 } = difference;
  const { ignored = [], beside = [], common, oneFor } = difference;
  const pages = oneFor === undefined ? '' : `, one at each ${oneFor}`;
  const as = fileType === 'pdf' ? ' as PDF' : '';
  if (ignored.length > 0) {
    const names = listed(ignored, maxNamed);
    const others = beside.length === 0 ? '' : ` beside ${listed(inOrder(beside), maxNamed)}`;
    if (isOneEvent) {
      const [name = ''] = ignored;
      const from = { range_start: 'from before range_start', range_end: 'from after range_end' }[
        name
      ];
      return from === undefined
        ? `${as} returns a new event whatever ${name} says${others}`
        : `${as} returns an event ${from}${others}`;
    }
    return `${as}: ${names} ${ignored.length === 1 ? 'is' : 'are'} ignored${others}`;
  }
  if (lostValues !== undefined) {
    const { of: parameter, places, count } = lostValues;
    const values = listed(
      places.map((place) => `no. ${place}`),
      maxNamed,
    );
    return places.length === count - 1
      ? `${as}: of ${count} different values of ${parameter} only one counts`
      : `${as}: of ${count} different values of ${parameter}, ${values} ${places.length === 1 ? 'keeps' : 'keep'} no event`;
  }
  if (isAnyOf) {
    const which = beside.length === 2 ? 'either, not of both' : 'any of them, not of all';
    return `${as}: ${listed(beside, maxNamed)} together return the events of ${which}`;
  }
  if (isOneEvent) {
    return missing > 0 ? `${as} lacks ${when}` : `${as} returns ${when}, where it does not belong`;
  }
  const all = of === undefined || of === 0 ? '' : ` of ${of.toLocaleString('en-US')}`;
  const parts = [
    ...(missing > 0
      ? [
          `${missing.toLocaleString('en-US')}${all} ${are(missing, of)} missing${pages}${commonText(common)}`,
        ]
      : []),
    ...(extra > 0
      ? [
          missing > 0
            ? `${extra.toLocaleString('en-US')} too many`
            : `${counted(extra, 'event')} ${isRepeated ? 'stand there twice' : 'too many'}${commonText(common)}`,
        ]
      : []),
  ];
  const what = askedOfEvents(difference, parametersOf(violations));
  const sameLosses = violations.flatMap(({ difference: one }) =>
    common !== undefined && one.kind === 'events' && one.common && one.missing > 0 === missing > 0
      ? [one.when]
      : [],
  );
  const others = [
    ...(alike > 0 ? [counted(alike, 'other value')] : []),
    ...distinct(sameLosses).filter((one) => one !== when),
  ];
  const more = others.length > 0 ? `; the same with ${listed(others, maxAlike)}` : '';
  return `: ${what}: ${parts.join(', ')}${more}`;
}

/** What an export asked for: “tag=urgent”, or in words. @param parameters all parameters of the finding, as one text */
function askedOfEvents(
  { when, fileType, asked = [], shown = '', parameter = '' }: EventsDifference,
  parameters: string,
): string {
  // Of an export as PDF, or with a locale or timezone, even a single parameter is named: words do not tell it.
  const isForm = fileType === 'pdf' || asked.some((one) => one.includes('='));
  const named = asked.length > (isForm ? 0 : 1) ? ` (${listed(asked, maxAsked)})` : '';
  const [only = ''] = asked.length === 1 ? asked : [];
  const of = parameter === '' ? only : parameter;
  const isValueShown =
    shown !== '' && shown.length <= maxValue && of !== '' && parameters === parameter;
  return isValueShown
    ? `${of}=${shown}`
    : `${parameters === '' ? '' : `${parameters} `}${when}${named}`;
}

/** Filters as a request names them: lists first, then the keys of metadata. */
function inOrder(names: readonly string[]): string[] {
  const places: readonly string[] = filters;
  return names.toSorted((a, b) => places.indexOf(a) - places.indexOf(b));
}

/** “, all those with “a” in the column “type””; empty where the events have nothing in common. */
function commonText(common: EventsDifference['common']): string {
  if (common === undefined) return '';
  const { heading, value } = common;
  const short = value.length > maxValue ? `${value.slice(0, maxValue)}…` : value;
  return value === ''
    ? `, all those with nothing in the column “${heading}”`
    : `, all those with “${short}” in the column “${heading}”`;
}

/** “event is”, “events are”: “1 of 3 events is”. */
function are(count: number, of = count): string {
  return `${of === 1 ? 'event' : 'events'} ${count === 1 ? 'is' : 'are'}`;
}

function boundText({ found, readTo }: BoundDifference, bounds: readonly string[]): string {
  return readTo === undefined
    ? boundTexts[found](bounds)
    : `${bounds.join(' and ')} ${bounds.length > 1 ? 'are' : 'is'} read to whole ${readTo}s only`;
}

const boundTexts = {
  excluded: (bounds: readonly string[]) =>
    bounds.length > 1
      ? `${bounds.join(' and ')} do not go by the very instant of an event`
      : `${bounds[0]} leaves out the event at its very instant`,
  lost: (bounds: readonly string[]) =>
    `of two ranges that meet at an instant, neither holds the event there: ${bounds.join(' or ')} leaves it out`,
  twice: (bounds: readonly string[]) =>
    `of two ranges, one ending before the other begins, both hold the same event: ${bounds.join(' or ')} reaches too far`,
} as const;

/** The bounds that the violations blame: `range_start`, `range_end`, or both. */
function boundsOf(violations: readonly ViolationResult[]): string[] {
  const bounds = violations.flatMap(({ difference }) =>
    difference.kind === 'bound' ? [difference.bound] : [],
  );
  return distinct(bounds);
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

/** A difference in words: what was asked, as a noun; what was expected; and what came. */
export function textsOfDifference(difference: Difference): {
  readonly asked: string;
  readonly expected: string;
  readonly actual: string;
} {
  switch (difference.kind) {
    case 'status': {
      const { when, expected, actual } = difference;
      return {
        asked: `${when}${askedText(difference)}`,
        expected: expected === '2xx' ? 'success (2xx)' : expected,
        actual: `${actual}`,
      };
    }
    case 'field': {
      const { of, fields, wrong, when, write, expected, actual } = difference;
      const [field = '', ...more] = fields;
      const moment = write === undefined ? when : `after a write ${write.how}`;
      const others =
        more.length === 0 || wrong === 'missing' ? '' : ` (and ${more.join(', ')} differ)`;
      return {
        asked: `${wrong === 'missing' ? fields.join(', ') : field} of the ${of}${moment === undefined ? '' : ` ${moment}`}`,
        expected,
        actual: `${actual}${others}`,
      };
    }
    case 'events':
      return {
        asked: askedOfEvents(difference, difference.parameter ?? ''),
        ...countsOf(difference),
      };
    case 'bound': {
      const { bound, found, readTo } = difference;
      const [expected, actual] =
        readTo === undefined
          ? atTheInstant[found]
          : [
              'each event from its own millisecond on, or up to it',
              `all events that were tried, from or up to the same part of a ${readTo}`,
            ];
      return { asked: `${bound}, compared with the other bound`, expected, actual };
    }
    case 'dates': {
      const { timezone, fileType, expected, actual } = difference;
      const dates = fileType === 'pdf' ? 'the dates of a PDF' : 'the dates';
      return {
        asked: `${dates} in the timezone ${timezone}`,
        expected: `${expected}, the local time there`,
        actual,
      };
    }
    case 'other': {
      const { does, ...texts } = wrongTexts(difference);
      return { asked: does, ...texts };
    }
  }
}

/** How many events should have come, and how many of them came. */
function countsOf(difference: EventsDifference): { expected: string; actual: string } {
  const { isOneEvent, isRepeated, missing, extra, of, first, together, waitedMs } = difference;
  if (isOneEvent) {
    const waited =
      waitedMs === undefined
        ? ''
        : `, looked for until ${duration(waitedMs)} after the write (AUDIT_TIMEOUT_MS)`;
    return missing > 0
      ? { expected: 'that event', actual: `no such event${waited}` }
      : { expected: 'not that event', actual: 'that event too' };
  }
  const isLeast = together === 'at least';
  const example = (row?: string): string => (row === undefined ? '' : `, first [${row}]`);
  if (of === 0)
    return { expected: 'no events', actual: `${counted(extra, 'event')}${example(first?.extra)}` };
  const inAll =
    of === undefined || isLeast ? [] : [counted(Math.max(0, of - missing + extra), 'event')];
  const lost =
    missing > 0 ? [`${missing.toLocaleString('en-US')} missing${example(first?.missing)}`] : [];
  const added = `${extra.toLocaleString('en-US')} ${isRepeated ? 'more than once' : 'too many'}`;
  const more = extra > 0 ? [`${added}${example(first?.extra)}`] : [];
  return {
    expected:
      of !== undefined
        ? `${counted(of, 'event')}${isLeast ? ' at least' : ''}`
        : missing > 0
          ? 'every one of these events'
          : 'none of these events',
    actual: [...inAll, ...lost, ...more].join('; '),
  };
}

/** For each fault of a bound at the instant of an event: what was expected, and what came. */
const atTheInstant = {
  excluded: [
    'the event at its very instant',
    'the event is left out, and kept by a bound a millisecond further',
  ],
  lost: ['every event from it or up to it', 'one that neither bound includes'],
  twice: ['no event that the other bound has, a millisecond apart', 'one that both include'],
} as const;
