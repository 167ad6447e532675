import { withArticle } from '../helpers/with-article.ts';
import type {
  DatesDifference,
  EventsDifference,
  FieldDifference,
  StatusDifference,
} from '../schemas/difference.ts';
import type { ViolationResult } from '../schemas/results.ts';
import { beginning, shownBeside } from './difference.ts';
import { type Finding, isRefused } from './findings.ts';
import { counted, listed, whatWasDone } from './wording.ts';

/*
 * What is wrong, in one line and in terms of the service. The values come from what the judges say of the difference.
 */

/** So much of a value stands in a headline. */
const maxValue = 60;

/** The most parameters, and ways of doing something, that a headline names. */
const maxNamed = 3;

/** What is wrong with the service, in one line. */
export function headlineOf({
  violation,
  violations,
}: Pick<Finding, 'violation' | 'violations'>): string {
  const { difference } = violation;
  switch (difference?.kind) {
    case undefined: {
      const { expected, actual } = shownBeside(violation.expected, violation.actual, maxValue);
      return `${whatWasDone(violation)}: expected ${expected}, got ${actual}`;
    }
    case 'status':
      return statusText(difference, { violation, violations });
    case 'field':
      return `${requestOf(violation, difference)}${sentIn({ violation, violations })}${fieldText(difference, { violation, violations })}`;
    case 'events':
      return `${requestOf(violation)}${eventsText(difference, violations)}`;
    case 'bound':
      return `${requestOf(violation)}: ${boundTexts[difference.found](difference.bound)}`;
    case 'dates':
      return `${requestOf(violation)}${datesText(difference)}`;
    case 'other':
      return `${requestOf(violation)}${sentIn({ violation, violations })} ${difference.wrong}${difference.parameter === undefined ? '' : ` of ${parametersOf(violations)}`}${elsewhere(violations)}`;
  }
}

/**
 * Which of the two objects all writes sent that are to blame: the other one may be handled rightly. That they assign is said
 * only of those that were to be refused: of the others most do.
 */
function sentIn({ violation, violations }: Pick<Finding, 'violation' | 'violations'>): string {
  const { difference } = violation;
  const isOfWrite = difference?.kind === 'field' && difference.write !== undefined;
  const isToBeRefused = difference?.kind === 'status' && difference.expected !== '2xx';
  const blamed = violations.flatMap(({ on }) => (isOfWrite ? on : on.slice(0, 1)));
  const writes = blamed.filter(({ request }) => request.startsWith('PUT '));
  if (!requestOf(violation, isOfWrite ? difference : undefined).startsWith('PUT ')) return '';
  const [sent, ...others] = distinct(writes.map(({ sends }) => sends));
  const isTold = sent === 'unassign' || (sent === 'update' && (isOfWrite || isToBeRefused));
  return isTold && others.length === 0 ? ` (${sent})` : '';
}

/** The request that is to blame; of fields that a write has changed, that write. */
function requestOf({ on }: Pick<ViolationResult, 'on'>, difference?: FieldDifference): string {
  const write = difference?.write && on.find(({ request }) => request.startsWith('PUT '));
  return (write ?? on[0])?.request ?? 'The service';
}

function statusText(
  { when, expected, actual }: StatusDifference,
  { violation, violations }: Pick<Finding, 'violation' | 'violations'>,
): string {
  // Another clause may say of the very answer what else it was.
  const isOfOther = ({ on }: ViolationResult): boolean =>
    on[0]?.exchange !== violation.on[0]?.exchange;
  const ways = distinct(
    violations
      .filter(isOfOther)
      .flatMap((one) => (one.difference?.kind === 'status' ? [one.difference.when] : [])),
  ).filter((way) => way !== when);
  const others = ways.length === 0 ? '' : `, and ${counted(ways.length, 'other way')}`;
  const right = expected === '2xx' ? 'a success' : expected;
  return `${requestOf(violation)}${sentIn({ violation, violations })} answers ${actual}, not ${right}: ${when}${others}${elsewhere(violations)}`;
}

/** In how many other operations the same is wrong. */
function elsewhere(violations: readonly ViolationResult[]): string {
  const others = distinct(violations.map((one) => requestOf(one))).length - 1;
  return others === 0 ? '' : `; the same in ${counted(others, 'other operation')}`;
}

function datesText({ timezone, fileType, expected, actual }: DatesDifference): string {
  const as = fileType === 'pdf' ? ' as PDF' : '';
  return `${as} in the timezone ${timezone} shows ${actual}, not ${expected}, the local time there`;
}

function fieldText(
  difference: FieldDifference,
  { violation, violations }: Pick<Finding, 'violation' | 'violations'>,
): string {
  const { of, fields, isMissing, write, when } = difference;
  const { expected, actual } = shownBeside(difference.expected, difference.actual, maxValue);
  const [field = ''] = fields;
  if (write === undefined) {
    const kept = beginning(difference.expected, difference.actual);
    if (kept !== undefined) return `: ${field} of the ${of} is cut to ${kept}`;
    if (isMissing) {
      const same = violations.filter((one) => requestOf(one) === requestOf(violation));
      const all = distinct(
        same.flatMap((one) => (one.difference?.kind === 'field' ? one.difference.fields : [])),
      );
      return ` answers with ${withArticle(of)} without ${listed(all, maxNamed)}${elsewhere(violations)}`;
    }
    const moment = when === undefined ? '' : ` ${when}`;
    return `: ${field} of the ${of}${moment} is ${actual}, not ${expected}`;
  }
  const writes = violations.flatMap(({ difference: one }) =>
    one?.kind === 'field' && one.write ? [one.write] : [],
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
    : `${how} answers ${statuses} and is carried out: it ${does}`;
}

/** What a write was sent: "the comment". */
function nameOf(field: string): string {
  const name = field.split('.').at(-1) ?? field;
  return name === 'assignment_comment' ? 'the comment' : `the ${name} of its body`;
}

function changesText(fields: readonly string[]): string {
  return `changes ${listed(fields, maxNamed)}`;
}

/** The parameters that violations which differ in nothing else are about; empty where they are about none. */
function parametersOf(violations: readonly ViolationResult[]): string {
  const parameters = violations.flatMap(({ difference }) =>
    difference?.kind === 'events' || difference?.kind === 'other'
      ? (difference.parameter ?? [])
      : [],
  );
  return listed(distinct(parameters), maxNamed);
}

function eventsText(difference: EventsDifference, violations: readonly ViolationResult[]): string {
  const { when, fileType, missing, extra, of, lostValues, isAnyOf } = difference;
  const { ignored = [], beside = [] } = difference;
  const as = fileType === 'pdf' ? ' as PDF' : '';
  if (ignored.length > 0) {
    const names = listed(ignored, maxNamed);
    const others = beside.length === 0 ? '' : ` beside ${listed(beside, maxNamed)}`;
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
      : `${as}: of ${count} different values of ${parameter}, ${values} ${places.length === 1 ? 'is' : 'are'} ignored`;
  }
  if (isAnyOf) {
    const which = beside.length === 2 ? 'either, not of both' : 'any of them, not of all';
    return `${as}: ${listed(beside, maxNamed)} together keep the events of ${which}`;
  }
  if (of === undefined && missing + extra === 1) {
    return `${as}: ${when}: ${missing === 1 ? 'it is missing' : 'one event too many'}`;
  }
  const all = of === undefined || of === 0 ? '' : ` of ${of.toLocaleString('en-US')}`;
  const parts = [
    ...(missing > 0
      ? [`${missing.toLocaleString('en-US')}${all} ${are(missing, of)} missing`]
      : []),
    ...(extra > 0 ? [`${counted(extra, 'event')} too many`] : []),
  ];
  const parameters = parametersOf(violations);
  return `: ${parameters === '' ? '' : `${parameters}: `}${when}: ${parts.join(', ')}`;
}

/** "event is", "events are": "1 of 3 events is". */
function are(count: number, of = count): string {
  return `${of === 1 ? 'event' : 'events'} ${count === 1 ? 'is' : 'are'}`;
}

const boundTexts = {
  excluded: (bound: string) => `${bound} leaves out the event at its very instant`,
  lost: (bound: string) => `${bound} and the other bound both leave out an event between them`,
  twice: (bound: string) => `${bound} reaches beyond its instant, to events of the other side`,
} as const;

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
