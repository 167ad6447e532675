import { filters } from '../helpers/exports/query.ts';
import { withArticle } from '../helpers/with-article.ts';
import type {
  BoundDifference,
  DatesDifference,
  EventsDifference,
  FieldDifference,
  StatusDifference,
} from '../schemas/difference.ts';
import type { ViolationResult } from '../schemas/results.ts';
import { beginning, partsBeside } from './difference.ts';
import { type Finding, isRefused } from './findings.ts';
import { counted, duration, exchangesOf, inBrackets, listed, numeral, present } from './wording.ts';
import { type Texts, wrongTexts } from './wrongs.ts';

// A judge gives a difference as a value. Here it becomes words: a headline in terms of the service, the other ways in
// which a finding shows, and what was expected and what came.

/** How much a headline shows. */
const max = {
  /** Characters of a value that stands whole: ids and instants do. */
  value: 40,
  /** Characters of two values about the place where they differ, where one of them is longer. */
  part: 24,
  /** Parameters of a request, fields of an answer. */
  named: 6,
};

/** What is wrong with the service, in one line: “PUT …/update-assignment accepts an old If-Match: 200, not 409”. */
export function headlineOf({ violations }: Pick<Finding, 'violations'>): string {
  const [violation] = violations;
  return `${requestOf(violation)}${sentIn(violations)}${textsOf(violation).does}`;
}

/** A violation in one line: what is wrong, and the exchanges that show it. */
export function violationText(violation: ViolationResult): string {
  return `${headlineOf({ violations: [violation] })}${inBrackets(exchangesOf(violation))}`;
}

/** All else that a finding shows in: what was asked for otherwise, then the other requests. */
export function otherWays({ violations }: Pick<Finding, 'violations'>): string[] {
  const [first, ...others] = violations;
  const { difference, on } = first;
  // Another clause may be about the very same answer, which is no other way.
  const elsewhere = others.filter((one) => one.on[0]?.exchange !== on[0]?.exchange);
  const isSaidOfAll = difference.kind === 'status' && difference.isGeneral === true;
  const headline = headlineOf({ violations });
  const isSaid = (way: string): boolean =>
    way.split(' and ').every((part) => headline.includes(part));
  const waysBy = (wayOf: (violation: ViolationResult) => string): string[] =>
    [...new Set(elsewhere.map(wayOf))].filter((way) => !isSaid(way) && way !== wayOf(first));
  return [...(isSaidOfAll ? [] : waysBy(wayOf)), ...waysBy(requestOf)];
}

/** What a violation was found by, beside its request, as a phrase; empty where nothing else is to be said. */
function wayOf({ difference }: ViolationResult): string {
  switch (difference.kind) {
    case 'status':
      return requestText(difference);
    case 'field': {
      const { fields, wrong, write, when } = difference;
      if (wrong === 'missing') return `without ${listed(fields, max.named)}`;
      return write?.how ?? present(fields[0], when).join(' ');
    }
    case 'events': {
      const { shown = '' } = difference;
      // Among other ways, an id says less than the name of its parameter.
      const name = shown.length > max.part ? parameterOf(difference) : '';
      return `${name || askedOfEvents(difference)}${asFile(difference)}`;
    }
    case 'bound':
      return difference.bound;
    case 'dates':
      return `timezone=${difference.timezone}${asFile(difference)}`;
    case 'other':
      return difference.parameter ?? '';
  }
}

/** The texts of a violation: its part of the headline, what was expected, and what came. */
export function textsOf({ difference }: Pick<ViolationResult, 'difference'>): Texts {
  switch (difference.kind) {
    case 'status': {
      const { expected, actual } = difference;
      const right = expected === '2xx' ? 'success (2xx)' : expected;
      return { does: statusText(difference), expected: right, actual: `${actual}` };
    }
    case 'field': {
      const { fields, wrong, expected, actual } = difference;
      const more = wrong === 'missing' ? [] : fields.slice(1);
      const others = more.length === 0 ? '' : ` (and ${more.join(', ')} differ)`;
      return { does: fieldText(difference), expected, actual: `${actual}${others}` };
    }
    case 'events':
      return { does: eventsText(difference), ...countsOf(difference) };
    case 'bound':
      return boundTexts(difference);
    case 'dates': {
      const expected = `${difference.expected}, the local time there`;
      return { does: datesText(difference), expected, actual: difference.actual };
    }
    case 'other':
      return wrongTexts(difference);
  }
}

/**
 * “ (unassign)” or “ (update)” where all blamed writes sent that object, as the other may be handled rightly; else an
 * empty text. “ (update)” is said only of writes that changed a field or were to be refused: most others assign.
 */
function sentIn(violations: Finding['violations']): string {
  const [violation] = violations;
  const { difference } = violation;
  if (!requestOf(violation).startsWith('PUT ')) return '';
  const isOfWrite = difference.kind === 'field' && difference.write !== undefined;
  // What is said in general is said of both.
  if (difference.kind === 'status' && difference.isGeneral) return '';
  const isToBeRefused = difference.kind === 'status' && difference.expected !== '2xx';
  const blamed = violations.flatMap(({ on }) => (isOfWrite ? on : on.slice(0, 1)));
  const writes = blamed.filter(({ request }) => request.startsWith('PUT '));
  const [sent, ...others] = new Set(writes.map(({ sends }) => sends));
  const isNamed = sent === 'unassign' || (sent === 'update' && (isOfWrite || isToBeRefused));
  return isNamed && others.length === 0 ? ` (${sent})` : '';
}

/** The request to blame, “PUT …/update-assignment”; where a write changed the field of the difference, that write. */
function requestOf({ on, difference }: Pick<ViolationResult, 'on' | 'difference'>): string {
  const isOfWrite = difference.kind === 'field' && difference.write !== undefined;
  const write = isOfWrite ? on.find(({ request }) => request.startsWith('PUT ')) : undefined;
  const request = (write ?? on[0])?.request ?? 'The service';
  return request.replace(/ (?:\/[^/]+){2,}(?=\/[a-z-]+$)/, ' …');
}

/** “an export with a range (timezone=…, locale=…)”: a request, and which parameters an export asked for. */
function requestText({ when, asked = [] }: StatusDifference): string {
  return asked.length === 0 ? when : `${when} (${listed(asked, max.named)})`;
}

/** “ accepts …”, “ refuses …” or “ answers …”: what the service does with a request, and what it should do. */
function statusText(difference: StatusDifference): string {
  const { expected, actual, isEmpty } = difference;
  const when = requestText(difference);
  const right = expected === '2xx' ? 'a success' : expected;
  const isToBeServed = expected.startsWith('2');
  if (actual < 300 && !isToBeServed && !isEmpty) return ` accepts ${when}: ${actual}, not ${right}`;
  // The service accepted the key, or looks at it too late.
  if (expected === '401' && pastTheKey.includes(actual)) {
    return ` does not refuse ${when}: ${actual}, not 401`;
  }
  if (isToBeServed && refusals.includes(actual)) return ` refuses ${when}: ${actual}, not ${right}`;
  return ` answers ${actual}, not ${right}, to ${when}`;
}

/** Statuses that tell of a record or its version, which nobody may learn without a valid key. */
const pastTheKey = [404, 409, 412];

/** Statuses that say that a request is not carried out, and not only that something is not there. */
const refusals = [400, 401, 403, 409, 412, 415, 422, 428];

/** “ as PDF with timezone=…: 3 of 4 dates are 2 hours late: …, not …”. */
function datesText(difference: DatesDifference): string {
  const { timezone, expected, actual, isUtc, lateBy, wrong, of, isAboutChange } = difference;
  const dates =
    wrong === undefined || of === undefined
      ? 'dates'
      : `${numeral(wrong)} of ${counted(of, 'date')}`;
  const where = isAboutChange ? ', about a clock change,' : '';
  const how = isUtc ? 'in UTC' : lateBy === undefined ? 'not the local time' : awayText(lateBy);
  return `${asFile(difference)} with timezone=${timezone}: ${dates}${where} are ${how}: ${actual}, not ${expected}`;
}

/** “ as PDF”; nothing is said of CSV, which is usual. */
function asFile({ fileType }: DatesDifference | EventsDifference): string {
  return fileType === 'pdf' ? ' as PDF' : '';
}

/** “12 hours early”, “5 hours 30 minutes late”. @param lateBy minutes; negative where the dates are early */
function awayText(lateBy: number): string {
  const [hours, minutes] = [Math.floor(Math.abs(lateBy) / 60), Math.abs(lateBy) % 60];
  const parts = present(
    hours > 0 && counted(hours, 'hour'),
    minutes > 0 && counted(minutes, 'minute'),
  );
  return `${parts.join(' ')} ${lateBy > 0 ? 'late' : 'early'}`;
}

/** Of a field that is read with another value: “: name of the task is cut to 255 of 4,000 characters”. */
function fieldText(difference: FieldDifference): string {
  const { of, fields, wrong, when, write } = difference;
  if (write !== undefined) return changedFieldText(difference, write);
  const [field = ''] = fields;
  const kept = beginning(difference.expected, difference.actual);
  if (kept !== undefined) return `: ${field} of the ${of} is cut to ${kept}`;
  if (wrong === 'missing') {
    return ` answers with ${withArticle(of)} without ${listed(fields, max.named)}`;
  }
  const what = /^assignment\.(.+)/.exec(field)?.[1] ?? `${field} of the ${of}`;
  const { expected, actual, place } = valuesInHeadline(difference);
  if (wrong === 'stays') {
    const moment = when ?? 'after a write';
    return difference.expected.startsWith('"')
      ? `: ${what} stays ${actual} ${moment}, not ${expected}`
      : `: ${what} does not change ${moment}`;
  }
  return `: ${what}${when === undefined ? '' : ` ${when}`} is ${actual}, not ${expected}${place}`;
}

/** The values of a field as a headline shows them; `place` says where they differ if nobody sees it: “ (differs …)”. */
function valuesInHeadline({ expected, actual }: FieldDifference) {
  const isShort = Math.max(expected.length, actual.length) <= max.value;
  const { where, ...parts } = partsBeside(expected, actual, isShort ? max.value : max.part);
  // A text that was cut lacks its closing quote.
  const closed = (value: string): string =>
    value.startsWith('"') && !value.endsWith('"') ? `${value}"` : value;
  return {
    expected: closed(parts.expected),
    actual: closed(parts.actual),
    place: where?.isHidden ? ` (${where.text})` : '',
  };
}

/** Of a write that was refused, or should have been, and yet changed a field: “ answers 409, but changes name”. */
function changedFieldText(
  { of, fields }: FieldDifference,
  { how, statuses, isSent }: NonNullable<FieldDifference['write']>,
): string {
  const answer = [...new Set(statuses)].join(' or ');
  if (of === 'recorded event') return ` answers ${answer}, but its comment is recorded: ${how}`;
  const name = fields[0]?.split('.').at(-1);
  const sent = name === 'assignment_comment' ? 'the comment' : `the ${name} of its body`;
  const does =
    isSent && fields.length === 1 ? `stores ${sent}` : `changes ${listed(fields, max.named)}`;
  return isRefused(statuses)
    ? ` ${how} answers ${answer}, but ${does}`
    : ` accepts a write ${how}: answers ${answer}, and ${does}`;
}

/** Of an export with other events: “ as PDF: event_type is ignored”, “: event_type=a: 2 of 9 events are missing”. */
function eventsText(difference: EventsDifference): string {
  const { ignored = [], lostValues, isAnyOf, isOneEvent, beside = [], missing, when } = difference;
  const file = asFile(difference);
  const [name] = ignored;
  if (name !== undefined) {
    // As a request names filters: lists first, then the keys of metadata.
    const order: readonly string[] = filters;
    const inOrder = beside.toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
    const others = beside.length === 0 ? '' : ` beside ${together(inOrder)}`;
    const are = ignored.length === 1 ? 'is' : 'are';
    if (!isOneEvent) return `${file}: ${together(ignored)} ${are} ignored${others}`;
    if (name === 'range_start') return `${file} returns an event from before range_start${others}`;
    if (name === 'range_end') return `${file} returns an event from after range_end${others}`;
    return `${file} returns a new event whatever ${name} says${others}`;
  }
  if (lostValues !== undefined) return `${file}: ${lostValuesText(lostValues)}`;
  if (isAnyOf) {
    const which = beside.length === 2 ? 'either, not of both' : 'any of them, not of all';
    return `${file}: ${together(beside)} together return the events of ${which}`;
  }
  if (!isOneEvent) return `: ${manyEventsText(difference)}`;
  return missing > 0
    ? `${file} lacks ${when}`
    : `${file} returns ${when}, where it does not belong`;
}

/** “event_type and tag”, as far as so many are named. */
function together(names: readonly string[]): string {
  return names.length > max.named ? listed(names, max.named) : inWords.format(names);
}

const inWords = new Intl.ListFormat('en-GB');

/** “of 3 different values of event_type, no. 2 keeps no event”. */
function lostValuesText({ of, places, count }: NonNullable<EventsDifference['lostValues']>) {
  const values = `of ${count} different values of ${of}`;
  if (places.length === count - 1) return `${values} only one counts`;
  const numbers = places.map((place) => `no. ${place}`);
  return `${values}, ${listed(numbers, max.named)} ${places.length === 1 ? 'keeps' : 'keep'} no event`;
}

/** “event_type=a: 2 of 9 events are missing, 3 too many; the same with 2 other values”. */
function manyEventsText(difference: EventsDifference): string {
  const { missing, extra, of, isRepeated, alike = 0, common, oneFor } = difference;
  const all = of === undefined || of === 0 ? '' : ` of ${numeral(of)}`;
  const events = `${(of ?? missing) === 1 ? 'event' : 'events'} ${missing === 1 ? 'is' : 'are'}`;
  const pages = oneFor === undefined ? '' : `, one at each ${oneFor}`;
  const lost = `${numeral(missing)}${all} ${events} missing${pages}${commonText(common)}`;
  const more =
    missing > 0
      ? `${numeral(extra)} too many`
      : `${counted(extra, 'event')} ${isRepeated ? 'stand there twice' : 'too many'}${commonText(common)}`;
  const parts = present(missing > 0 && lost, extra > 0 && more);
  const others = alike > 0 ? `; the same with ${counted(alike, 'other value')}` : '';
  return `${askedOfEvents(difference)}: ${parts.join(', ')}${others}`;
}

/** The one parameter whose values are at issue; empty where there are several or none. */
function parameterOf({ parameter, asked = [] }: EventsDifference): string {
  const [only = ''] = asked.length === 1 ? asked : [];
  return parameter ?? only;
}

/** What an export asked for: “tag=urgent”, or in words. */
function askedOfEvents(difference: EventsDifference): string {
  const { when, fileType, asked = [], shown = '', parameter } = difference;
  // Of an export as PDF, or with a locale or timezone, even a single parameter is named: words do not tell it.
  const isForm = fileType === 'pdf' || asked.some((one) => one.includes('='));
  const unsaid = asked.filter((one) => !when.includes(one));
  const named = unsaid.length > (isForm ? 0 : 1) ? ` (${listed(unsaid, max.named)})` : '';
  const of = parameterOf(difference);
  const isValueShown = shown !== '' && shown.length <= max.value && of !== '';
  return isValueShown ? `${of}=${shown}` : `${present(parameter, when).join(' ')}${named}`;
}

/** “, all those with “a” in the column “type””; empty where the events have nothing in common. */
function commonText(common: EventsDifference['common']): string {
  if (common === undefined) return '';
  const { heading, value } = common;
  const short = value.length > max.value ? `${value.slice(0, max.value)}…` : value;
  return `, all those with ${value === '' ? 'nothing' : `“${short}”`} in the column “${heading}”`;
}

/** What a bound does, what was expected, and what came. */
function boundTexts({ bound, found, readTo }: BoundDifference): Texts {
  if (readTo !== undefined) {
    return {
      does: `: ${bound} is read to whole ${readTo}s only`,
      expected: 'each event from its own millisecond on, or up to it',
      actual: `all events that were tried, from or up to the same part of a ${readTo}`,
    };
  }
  const texts: Readonly<Record<typeof found, Texts>> = {
    excluded: {
      does: `: ${bound} leaves out the event at its very instant`,
      expected: 'the event at its very instant',
      actual: 'the event is left out, and kept by a bound a millisecond further',
    },
    lost: {
      does: `: of two ranges that meet at an instant, neither holds the event there, though it is the ${bound} of one`,
      expected: 'every event from it or up to it',
      actual: 'one that neither bound includes',
    },
    twice: {
      does: `: of two ranges, one ending before the other begins, both hold the event at the ${bound} of one`,
      expected: 'no event that the other bound has, a millisecond apart',
      actual: 'one that both include',
    },
  };
  return texts[found];
}

/** How many events should have come, and how many of them came. */
function countsOf(difference: EventsDifference): { expected: string; actual: string } {
  const { isOneEvent, isRepeated, missing, extra, of, first, together, waitedMs } = difference;
  if (isOneEvent && missing === 0) return { expected: 'not that event', actual: 'that event too' };
  if (isOneEvent) {
    const waited =
      waitedMs === undefined
        ? ''
        : `, looked for until ${duration(waitedMs)} after the write (AUDIT_TIMEOUT_MS)`;
    return { expected: 'that event', actual: `no such event${waited}` };
  }
  const example = (row?: string): string => (row === undefined ? '' : `, first [${row}]`);
  if (of === 0) {
    return { expected: 'no events', actual: `${counted(extra, 'event')}${example(first?.extra)}` };
  }
  const isLeast = together === 'at least';
  const added = `${numeral(extra)} ${isRepeated ? 'more than once' : 'too many'}`;
  const came = present(
    of !== undefined && !isLeast && counted(Math.max(0, of - missing + extra), 'event'),
    missing > 0 && `${numeral(missing)} missing${example(first?.missing)}`,
    extra > 0 && `${added}${example(first?.extra)}`,
  );
  const unknown = missing > 0 ? 'every one of these events' : 'none of these events';
  return {
    expected: of === undefined ? unknown : `${counted(of, 'event')}${isLeast ? ' at least' : ''}`,
    actual: came.join('; '),
  };
}
