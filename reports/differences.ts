import { filters } from '../helpers/exports/query.ts';
import { withArticle } from '../helpers/texts.ts';
import type {
  Difference,
  EventsDifference,
  FieldDifference,
  StatusDifference,
  Wrong,
} from '../schemas/difference.ts';
import type { ViolationResult } from '../schemas/results.ts';
import { beginning, numeral, partsBeside } from './printable.ts';
import { counted, duration, listed, present } from './wording.ts';
import { type Texts, wrongTexts } from './wrongs.ts';

// A judge gives a difference as a value. All that is made of it stands here, by its kind: its words, how much harm it
// does, and what it is known by in its own run and in others.

interface Kind<D> {
  /** Its part of a headline, which goes on from the request, what was expected, and what came. */
  texts(difference: D): Texts;
  /** What it was found by, beside the request; empty where nothing else is to be said. */
  way(difference: D): string;
  /** What it does to users. @param isWrite whether a write is among the requests that show it */
  harm(difference: D, isWrite: boolean): number;
  /** What its violation shares with others of one run that have the same cause, each as the parts of a key. */
  signs(difference: D, violation: ViolationResult): (readonly unknown[])[];
  /** What is wrong, and of what, whichever request of a run shows it; what is no text says nothing. */
  known(difference: D): {
    readonly wrong: readonly (string | false | undefined)[];
    readonly of?: readonly string[];
  };
  /** How much it says of the cause: which parameters, what was lost, or when; 0 where nothing. */
  weight?(difference: D): readonly [parameters: number, lost: number, when: number];
  /**
   * Which lines of an answer show it: those of a `field` of JSON; of a file those with a `text`, or those that it does
   * not share with `any`, or `all`, of the files that it was compared with.
   */
  telling?(difference: D): {
    readonly field?: string | undefined;
    readonly text?: string | undefined;
    readonly notIn?: 'any' | 'all';
  };
}

/** All that is said of a difference. */
export function kindOf({ kind }: Difference): Kind<Difference> {
  return kinds[kind];
}

/** Marks that all that was tried of a kind is answered so: a violation in some of it is a part of that. */
export const inGeneral = 'whatever is tried';

/** How much a headline shows. */
const max = {
  /** Characters of a value that stands whole: ids and instants do. */
  value: 40,
  /** Characters of two values about the place where they differ, where one of them is longer. */
  part: 24,
  /** Parameters of a request, fields of an answer. */
  named: 6,
};

/** What a fault does to users, by its rank: the worst first. */
const harm = { disclosedOrLost: 0, written: 1, otherDataShown: 2, anotherForm: 3 };

/** The harm of what no other kind of difference fits; where nothing stands here, an answer of another form. */
const harmsOfOthers: Readonly<Partial<Record<Wrong, number>>> = {
  'refuses with the record': harm.disclosedOrLost,
  'refuses with a PDF': harm.disclosedOrLost,
  'refuses with events': harm.disclosedOrLost,
  'answers with another task': harm.disclosedOrLost,
  'answers with another assessment': harm.disclosedOrLost,
  'sends email to somebody else': harm.disclosedOrLost,
  'loses a tag in a comment': harm.disclosedOrLost,
  'accepts several simultaneous writes': harm.written,
  'carries out an unassignment that lost': harm.written,
  'names the former assignee': harm.written,
  'sends email': harm.written,
};

/** Statuses that tell of a record or its version, which nobody may learn without a valid key. */
const pastTheKey = [404, 409, 412];

/** Statuses that say that a request is not carried out, and not only that something is not there. */
const refusals = [400, 401, 403, 409, 412, 415, 422, 428];

const kinds: { readonly [D in Difference as D['kind']]: Kind<D> } = {
  status: {
    texts: (difference) => ({
      does: statusText(difference),
      expected: difference.expected === '2xx' ? 'success (2xx)' : difference.expected,
      actual: `${difference.actual}`,
    }),
    way: requestText,
    harm(difference, isWrite) {
      const { expected } = difference;
      if (!isAccepted(difference)) return harm.anotherForm;
      if (expected === '401' || expected === '404') return harm.disclosedOrLost;
      return isWrite ? harm.written : harm.anotherForm;
    },
    signs({ when, expected, actual }, { on: [blamed] }) {
      const request = blamed?.request ?? '';
      const same = ['status', when, expected, actual];
      // Wrong answers to one request without a valid key have one cause, whatever else was asked.
      if (expected === '401') return [same, ['key', request]];
      // Exports are refused for many reasons; the other operations have one for each status.
      const refused = request.includes('/audit-sentinel/') ? blamed?.exchange : request;
      return [same, ['status of', refused, expected, actual]];
    },
    known({ expected, actual, isGeneral, asked = [] }) {
      // Nearly every export has a range, and which timezone is asked for makes no difference.
      const of = asked.filter((one) => !one.startsWith('range_'));
      return {
        wrong: [expected, `${Math.floor(actual / 100)}xx`, isGeneral && inGeneral],
        of: (of.length > 0 ? of : asked).map((one) => one.replace(/^timezone=.*/, 'timezone')),
      };
    },
    // A status that answers everything tried sends nobody to look for a cause in one request.
    weight: ({ isGeneral }) => [0, 0, Number(isGeneral === true)],
  },
  field: {
    texts(difference) {
      const { fields, wrong, expected, actual } = difference;
      const more = wrong === 'missing' ? [] : fields.slice(1);
      const others = more.length === 0 ? '' : ` (and ${more.join(', ')} differ)`;
      return { does: fieldText(difference), expected, actual: `${actual}${others}` };
    },
    way({ fields, wrong, write, when }) {
      if (wrong === 'missing') return `without ${listed(fields, max.named)}`;
      return write?.how ?? present(fields[0], when).join(' ');
    },
    harm({ wrong, write }, isWrite) {
      if (write !== undefined) return harm.written;
      if (wrong === 'form' || wrong === 'missing') return harm.anotherForm;
      return isWrite && wrong !== 'stays' ? harm.written : harm.otherDataShown;
    },
    signs({ of, fields, wrong, write, actual }, { clause, on: [blamed] }) {
      const ofEach = (what: string) => fields.map((field) => [what, of, field]);
      if (wrong === 'missing')
        return [['missing', of, blamed?.request ?? ''], ...ofEach('missing')];
      if (write !== undefined) {
        return isRefused(write.statuses) ? ofEach('refused') : [['carried out', clause]];
      }
      // A value of a wrong form may be a wrong value too: what is shown makes both one finding.
      const shows = ['shows', fields[0]?.split('.').at(-1), actual];
      return [...ofEach(wrong === 'form' ? 'form' : 'value'), shows];
    },
    known({ of, fields, wrong = 'value', write }) {
      if (write === undefined) return { wrong: [of, wrong], of: fields };
      return isRefused(write.statuses)
        ? { wrong: [of, 'refused'], of: fields.slice(0, 1) }
        : { wrong: [of, 'carried out'], of: [write.how] };
    },
    weight: ({ when }) => [0, 0, Number(when !== undefined)],
    telling: ({ fields }) => ({ field: fields[0]?.split('.').at(-1) }),
  },
  events: {
    texts: (difference) => ({ does: eventsText(difference), ...countsOf(difference) }),
    way(difference) {
      const { shown = '' } = difference;
      // Among other ways, an id says less than the name of its parameter.
      const name = shown.length > max.part ? parameterOf(difference) : '';
      return `${name || askedOfEvents(difference)}${asFile(difference)}`;
    },
    harm: ({ missing }) => (missing > 0 ? harm.disclosedOrLost : harm.otherDataShown),
    signs(difference) {
      const { fileType, missing, extra, rows = [], when } = difference;
      const { ignored = [], isAnyOf, isOneEvent, beside = [], common } = difference;
      const direction = [fileType, missing > 0, extra > 0];
      return [
        ['events', when, ...direction],
        // Where one of two filters is enough, a single request looks as if the other were ignored.
        ...[...ignored, ...(isAnyOf ? beside : [])].map((name) => ['ignored', name]),
        ...(isOneEvent ? ignored.map((name) => ['reaches too far', name]) : []),
        // Lost events that have something in common have one cause, whatever was asked for.
        ...(common === undefined ? [] : [['lost', fileType, common.heading, common.value]]),
        ...rows.map((row) => ['row', row, ...direction]),
      ];
    },
    known({ fileType, missing, extra, isRepeated, isAnyOf, lostValues, parameter, ...more }) {
      const { ignored = [], beside = [] } = more;
      // Nothing shows which parameter of a request is handled wrongly. Runs ask for different keys of metadata.
      const together = [...ignored, ...beside.map((one) => `beside ${one}`)];
      const of = together.length > 0 ? together : present(parameter ?? lostValues?.of);
      return {
        wrong: [
          fileType,
          missing > 0 && 'missing',
          extra > 0 && (isRepeated ? 'twice' : 'too many'),
          isAnyOf && 'any of them',
        ],
        of: of.map((one) => one.replace(/\[.*/, '')),
      };
    },
    weight({ ignored, isAnyOf, isOneEvent, beside = [], common, missing }) {
      // A violation about one event shows only that this event came in spite of the parameter.
      const namesParameters = (ignored !== undefined && !isOneEvent) || isAnyOf === true;
      if (namesParameters) return [10 - Math.min(beside.length, 9), 0, 0];
      // Events that share an empty cell explain a loss only: where they are too many, the compared export has lost them.
      return [0, Number(common !== undefined && (common.value !== '' || missing > 0)), 0];
    },
    telling: ({ mark, shown, together }) => ({
      text: mark ?? shown,
      notIn: together === 'all' ? 'all' : 'any',
    }),
  },
  bound: {
    texts({ bound, found, readTo }) {
      if (readTo !== undefined) {
        return {
          does: `: ${bound} is read to whole ${readTo}s only`,
          expected: 'each event from its own millisecond on, or up to it',
          actual: `all events that were tried, from or up to the same part of a ${readTo}`,
        };
      }
      return {
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
      }[found];
    },
    way: ({ bound }) => bound,
    harm: ({ found }) => (found === 'twice' ? harm.otherDataShown : harm.disclosedOrLost),
    // A fault of one bound is mostly one of the other too: both are rounded, for example.
    signs: ({ bound, found }) =>
      present(['bounds', found], found === 'twice' && ['reaches too far', bound]),
    known: ({ bound, found }) => ({ wrong: [found], of: [bound] }),
    telling: () => ({ notIn: 'any' }),
  },
  dates: {
    texts(difference) {
      const { timezone, expected, actual, isUtc, lateBy, wrong, of, isAboutChange } = difference;
      const dates =
        wrong === undefined || of === undefined
          ? 'dates'
          : `${numeral(wrong)} of ${counted(of, 'date')}`;
      const where = isAboutChange ? ', about a clock change,' : '';
      const how = isUtc ? 'in UTC' : lateBy === undefined ? 'not the local time' : awayText(lateBy);
      return {
        does: `${asFile(difference)} with timezone=${timezone}: ${dates}${where} are ${how}: ${actual}, not ${expected}`,
        expected: `${expected}, the local time there`,
        actual,
      };
    },
    way: (difference) => `timezone=${difference.timezone}${asFile(difference)}`,
    harm: () => harm.otherDataShown,
    signs: ({ timezone, fileType, isUtc, lateBy, expected, actual }) =>
      present(
        ['dates', timezone, fileType],
        ['date', timezone, expected, actual],
        isUtc && ['dates in UTC'],
        !isUtc && lateBy !== undefined && ['dates late', fileType, lateBy],
      ),
    known: ({ fileType, isUtc }) => ({ wrong: [fileType, isUtc && 'in UTC'] }),
    telling: ({ mark }) => ({ text: mark }),
  },
  other: {
    texts: wrongTexts,
    way: ({ parameter = '' }) => parameter,
    harm: ({ wrong }) => harmsOfOthers[wrong] ?? harm.anotherForm,
    signs: ({ wrong, of, hours, status }) => [['other', wrong, of, hours, status]],
    known: ({ wrong, of, parameter }) => ({ wrong: [wrong, of], of: present(parameter) }),
  },
};

function isRefused(statuses: readonly number[]): boolean {
  return statuses.every((status) => status >= 400);
}

/** Whether a request that was to be refused is carried out, or gives something. */
function isAccepted({ expected, actual, isEmpty }: StatusDifference): boolean {
  return actual < 300 && !expected.startsWith('2') && !isEmpty;
}

/** “an export with a range (timezone=…, locale=…)”: a request, and which parameters an export asked for. */
function requestText({ when, asked = [] }: StatusDifference): string {
  return asked.length === 0 ? when : `${when} (${listed(asked, max.named)})`;
}

/** “ accepts …”, “ refuses …” or “ answers …”: what the service does with a request, and what it should do. */
function statusText(difference: StatusDifference): string {
  const { expected, actual } = difference;
  const when = requestText(difference);
  const right = expected === '2xx' ? 'a success' : expected;
  if (isAccepted(difference)) return ` accepts ${when}: ${actual}, not ${right}`;
  // The service accepted the key, or looks at it too late.
  if (expected === '401' && pastTheKey.includes(actual)) {
    return ` does not refuse ${when}: ${actual}, not 401`;
  }
  if (expected.startsWith('2') && refusals.includes(actual)) {
    return ` refuses ${when}: ${actual}, not ${right}`;
  }
  return ` answers ${actual}, not ${right}, to ${when}`;
}

/** “ as PDF”; nothing is said of CSV, which is usual. */
function asFile({ fileType }: Pick<EventsDifference, 'fileType'>): string {
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
    return `${file} returns a new event that does not match ${name}${others}`;
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
  const { missing, extra, of, isRepeated, alike = 0, common, oneFor, beyond } = difference;
  const all = of === undefined || of === 0 ? '' : ` of ${numeral(of)}`;
  const events = `${(of ?? missing) === 1 ? 'event' : 'events'} ${missing === 1 ? 'is' : 'are'}`;
  const pages = oneFor === undefined ? '' : `, one at each ${oneFor}`;
  const lost = `${numeral(missing)}${all} ${events} missing${pages}${commonText(common)}`;
  const more =
    missing > 0
      ? `${numeral(extra)} too many`
      : `${counted(extra, 'event')} ${isRepeated ? 'stand there twice' : 'too many'}${commonText(common)}`;
  const parts = present(
    missing > 0 && lost,
    extra > 0 && `${more}${beyond ? `, beyond ${beyond}` : ''}`,
  );
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
