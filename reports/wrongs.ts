import { withArticle } from '../helpers/texts.ts';
import type { OtherDifference, Wrong } from '../schemas/difference.ts';
import { numeral } from './printable.ts';
import { counted, duration } from './wording.ts';

// What a request does wrong where no other kind of difference fits: a phrase that goes on from the request (“GET
// /tasks/{id} answers with another task …”), what was expected, and what came.

/** What a request does, as the rest of a headline that begins with it; what was expected; and what came. */
export type Texts = Readonly<Record<'does' | 'expected' | 'actual', string>>;

/** The texts of a difference. */
export function wrongTexts(difference: OtherDifference): Texts {
  const { wrong, parameter, of, status, expected, actual } = difference;
  const { count = 0, hours = 0, waitedMs = 0 } = difference;
  const due = expected ?? 'something else';
  const events = counted(count, 'event');
  const off = counted(Math.abs(hours), 'hour');
  const ids = [`id ${expected}`, `id ${actual}`] as const;
  const aWrite = withArticle(of ?? 'write');
  const emails = [
    `an email to ${due}`,
    `none to ${actual} within ${duration(waitedMs)} (MAIL_TIMEOUT_MS)`,
  ] as const;
  const oneSuccess = 'one success, and 409 for the others';
  /** What came is left out where it is the value that did. */
  const rows: Readonly<Record<Wrong, readonly [does: string, expected: string, came?: string]>> = {
    'answers without a JSON object': ['answers without a JSON object', 'a JSON object'],
    'answers with JSON of another media type': [
      actual === undefined
        ? 'answers with JSON without a Content-Type'
        : 'answers with JSON whose Content-Type is no JSON media type',
      'a JSON media type',
      actual ?? 'no Content-Type',
    ],
    'answers a refusal without JSON': [
      'answers a refusal with a body that is not JSON',
      'JSON, or no body',
    ],
    'refuses with the record': [
      'answers 401, but with the record',
      'a 401 that shows nothing of the record',
      `a 401 with its ${actual}`,
    ],
    'refuses with a PDF': [`answers ${status}, and sends a PDF all the same`, 'no file', 'a PDF'],
    'refuses with events': [
      `answers ${status}, and sends events all the same`,
      'no events',
      `the cells of ${events}`,
    ],
    'answers with another task': ['answers with another task than the one asked for', ...ids],
    'answers with another assessment': [
      'answers with another assessment than the one asked for',
      ...ids,
    ],
    'shows no error field': [
      'shows no error field of an assessment in the state Error',
      `one of ${expected} set`,
      'all of them null',
    ],
    'names the former assignee': [
      'names the former assignee too after a reassignment',
      `only the new one, ${expected}`,
    ],
    'accepts several simultaneous writes': [
      'accepts more than one of several simultaneous writes with the same version',
      oneSuccess,
    ],
    'refuses all simultaneous writes': [
      'refuses all of several simultaneous writes with the current version',
      oneSuccess,
    ],
    'refuses simultaneous writes otherwise': [
      'refuses simultaneous writes with the same version, but not with 409',
      oneSuccess,
    ],
    'carries out an unassignment that lost': [
      'refuses an unassignment for a simultaneous write, and carries it out all the same',
      'what the write that succeeded says',
      'nobody is assigned',
    ],
    'sends no email to the user': [`sends no email of ${aWrite} to the user`, ...emails],
    'sends no email to the team': [
      `sends no email of ${aWrite} to the members of the team`,
      ...emails,
    ],
    'sends email to somebody else': [
      `sends email of ${aWrite} to somebody besides the assignee`,
      'an email to nobody but the assignee',
    ],
    'sends email': [`sends email of ${aWrite} to somebody`, 'an email to nobody'],
    'takes for another parameter': [
      `filters by ${of} where ${parameter} is asked for`,
      'the events that show the value',
      `none, and with a value of ${of} the events of that one`,
    ],
    'matches one event by two values': [
      `returns the same events for two different values of ${parameter}`,
      'no event that both keep',
      `${numeral(count)} of them`,
    ],
    'matches fewer the second time': [
      `returns far fewer events when it is asked a second time for a value of ${parameter}`,
      `${expected} events, as the first time`,
    ],
    'returns events of no value beside a range': [
      'returns events for a value that no event has where a range is given too',
      'no events, as without the range',
      events,
    ],
    'returns fewer events without parameters': [
      'returns fewer events without any parameter than with range_end alone',
      `${expected} events at least, those with range_end alone`,
    ],
    'reads a bound in another zone': [
      `reads ${parameter} as ${off} from the UTC that it says`,
      'the instant that is asked for',
      `one ${hours} hours later`,
    ],
    'shows dates in another zone': [
      `shows dates that are ${off} off with timezone=${of}`,
      'those of the range that keeps them',
      `dates ${hours} hours later`,
    ],
    'shows other times of day': [
      `shows other times of day with timezone=${of} than are local there`,
      'those of UTC, moved by the offset of the zone',
      'others',
    ],
    'shows dates of another year': [
      `shows dates about a New Year with another year${of === 'PDF' ? ' in a PDF' : ''}`,
      due,
    ],
    'shows an event without a value': [
      `shows the event of a write without a value of ${parameter}`,
      `a value of ${parameter}`,
      'none',
    ],
    'loses a tag in a comment': [
      'answers with a PDF that lacks what stands between < and > in a comment',
      `…${expected}…, as it was sent`,
      'its beginning and its end, and no < between them',
    ],
    'sends another Content-Length': [
      'sends a Content-Length that is not the length of the file',
      `${expected} bytes`,
    ],
    'is no CSV by default': ['does not answer with CSV where no file_type is given', 'CSV'],
    'is not one table': ['answers with a CSV that does not read as one table', 'one table'],
    'is no PDF that opens': [
      of === 'not a PDF'
        ? 'answers with a file that is no PDF where one is asked for'
        : 'answers with a PDF that does not open',
      'a PDF that opens',
      `${of}: ${actual}`,
    ],
    'is a PDF with events where there are none': [
      'answers with a PDF that is not empty where the CSV is',
      'no events',
      'a text of many lines',
    ],
    'refuses a PDF without events': [
      'refuses a PDF as too large where the CSV is empty',
      'no events',
      '400, as for too many',
    ],
    'writes otherwise without locale': [
      'writes something else without locale than with locale=en',
      `as with locale=en: ${due}`,
    ],
    'writes as in an earlier locale': [
      'writes dates or headings without locale as in the locale that was asked for before',
      due,
      `as in the locale ${actual}, which another request asked for`,
    ],
    'writes as in the timezone of another request': [
      'writes dates in the timezone that another request asks for',
      'dates in the same zone each time',
      `those in the timezone ${actual}, which another request asked for, and others later or before`,
    ],
  };
  const [does, right, came = actual ?? 'something else'] = rows[wrong];
  return { does: ` ${does}`, expected: right, actual: came };
}
