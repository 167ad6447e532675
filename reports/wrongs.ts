import { withArticle } from '../helpers/with-article.ts';
import { type OtherDifference, type Wrong, wrongs } from '../schemas/difference.ts';
import { counted } from './wording.ts';

/*
 * What a request does wrong, as a phrase that goes on from it: "GET /tasks/{id} answers with another task …".
 */

/** What is said of it beside its name. */
interface Said extends Omit<OtherDifference, 'kind' | 'wrong' | 'parameter'> {
  /** All that it was found of, in one text: "metadata[tag], metadata[cache_id]". */
  readonly parameters: string;
}

const texts: Readonly<Record<Wrong, (said: Said) => string>> = {
  'answers without a JSON object': () => 'answers without a JSON object',
  'answers with JSON of another media type': () =>
    'answers with JSON whose Content-Type is no JSON media type',
  'answers a refusal without JSON': () => 'answers a refusal with a body that is not JSON',
  'refuses with the record': () => 'answers 401, but with the record',
  'refuses with a PDF': ({ status }) => `answers ${status}, and sends a PDF all the same`,
  'refuses with events': ({ status }) => `answers ${status}, and sends events all the same`,
  'answers with another task': () => 'answers with another task than the one asked for',
  'answers with another assessment': () => 'answers with another assessment than the one asked for',
  'shows no error field': () => 'shows no error field of an assessment in the state Error',
  'names the former assignee': () => 'names the former assignee too after a reassignment',
  'accepts several simultaneous writes': () =>
    'accepts more than one of several simultaneous writes with the same version',
  'refuses all simultaneous writes': () =>
    'refuses all of several simultaneous writes with the current version',
  'refuses simultaneous writes otherwise': () =>
    'refuses simultaneous writes with the same version with another status than 409',
  'carries out an unassignment that lost': () =>
    'refuses an unassignment for a simultaneous write, and carries it out all the same',
  'sends no email to the user': ({ of }) => `sends no email of ${written(of)} to the user`,
  'sends no email to the team': ({ of }) =>
    `sends no email of ${written(of)} to the members of the team`,
  'sends email to somebody else': ({ of }) =>
    `sends email of ${written(of)} to somebody besides the assignee`,
  'sends email': ({ of }) => `sends email of ${written(of)} to somebody`,
  'takes for another parameter': ({ parameters, of }) =>
    `filters by ${of} where ${parameters} is asked for`,
  'matches a part': ({ parameters }) => `matches a part of the value of ${parameters}`,
  'matches a pattern': ({ parameters }) => `takes the value of ${parameters} for a pattern`,
  'matches other fields': ({ parameters }) =>
    `looks for the value of ${parameters} in other fields too`,
  'matches longer values': ({ parameters }) =>
    `matches longer values of ${parameters} than the one asked for, and not that one`,
  'matches one event by two values': ({ parameters }) =>
    `returns the same events for two different values of ${parameters}`,
  'matches fewer the second time': ({ parameters }) =>
    `returns far fewer events when it is asked a second time for a value of ${parameters}`,
  'returns events from outside the range': ({ parameters }) =>
    `returns events from outside the range where ${parameters || 'a filter'} is given too`,
  'returns events of no value beside a range': () =>
    'returns events for a value that no event has where a range is given too',
  'returns fewer events without parameters': () =>
    'returns fewer events without any parameter than with range_end alone',
  'reads a bound in another zone': ({ parameters, hours = 0 }) =>
    `reads ${parameters} as ${counted(Math.abs(hours), 'hour')} from the UTC that it says`,
  'shows dates in another zone': ({ of, hours = 0 }) =>
    `shows dates that are ${counted(Math.abs(hours), 'hour')} off with timezone=${of}`,
  'shows other times of day': ({ of }) =>
    `shows other times of day with timezone=${of} than are local there`,
  'shows dates of another year': ({ of }) =>
    `shows dates about a New Year with another year${of === 'PDF' ? ' in a PDF' : ''}`,
  'shows the same dates in a timezone': () =>
    'shows the same dates in a PDF of another locale with timezone as without it',
  'shows an event without a value': ({ parameters }) =>
    `shows the event of a write without a value of ${parameters}`,
  'loses a tag in a comment': () =>
    'answers with a PDF that lacks what stands between < and > in a comment',
  'sends another Content-Length': () => 'sends a Content-Length that is not the length of the file',
  'is no CSV by default': () => 'does not answer with CSV where no file_type is given',
  'is not one table': () => 'answers with a CSV that does not read as one table',
  'is no PDF that opens': ({ of }) =>
    of === 'not a PDF'
      ? 'answers with a file that is no PDF where one is asked for'
      : 'answers with a PDF that does not open',
  'is a PDF with events where there are none': () =>
    'answers with a PDF that is not empty where the CSV is',
  'refuses a PDF without events': () => 'refuses a PDF as too large where the CSV is empty',
  'writes otherwise without locale': () =>
    'writes something else without locale than with locale=en',
  'writes as in an earlier locale': () =>
    'writes dates or headings without locale as in the locale that was asked for before',
  'writes as in the timezone of another request': () =>
    'writes dates in the timezone that another request asks for',
};

/** @param parameters all that it was found of, in one text */
export function wrongText(
  { kind: _, wrong, parameter: __, ...values }: OtherDifference,
  parameters: string,
): string {
  if (isWrong(wrong)) return texts[wrong]({ ...values, parameters });
  // A file of an earlier suite has the phrase itself.
  return parameters === '' ? wrong : `${wrong} of ${parameters}`;
}

function isWrong(name: string): name is Wrong {
  return wrongs.some((wrong) => wrong === name);
}

function written(kind: string | undefined): string {
  return kind === undefined ? 'a write' : withArticle(kind);
}
