import { jsonObject } from '../../helpers/json.ts';
import type { ServiceRequest } from '../../reference/request.ts';
import { type Broken, type Fault, fault, type Wire } from './fault.ts';

const lasting = 'errors.server-error-does-not-last';
const fullTask = 'get-task.answers-with-the-full-task';

/** Answers 500, or what a gateway says, where the request is one of these. */
const failing = (
  id: string,
  broken: Broken,
  isFailing: (request: ServiceRequest) => boolean,
  status = 500,
): Fault =>
  fault(
    id,
    broken,
    (handle) => async (request) =>
      isFailing(request) ? { status, headers: {}, body: '' } : handle(request),
  );

const isExport = ({ target }: ServiceRequest): boolean =>
  target.includes('/audit-sentinel/events/export');

const queryOf = ({ target }: ServiceRequest): URLSearchParams =>
  new URL(target, 'http://service').searchParams;

/** From its start to its end, in days; of an export that has both. */
const daysOf = (request: ServiceRequest): number => {
  const query = queryOf(request);
  const [start, end] = [query.get('range_start') ?? '', query.get('range_end') ?? ''];
  return (Date.parse(end) - Date.parse(start)) / (24 * 60 * 60 * 1000);
};

const isListed = ({ target }: ServiceRequest, names: readonly string[]): boolean =>
  names.every((name) => target.includes(name));

/** Exports that fail each time, though nothing is wrong with what is asked for (Errors). */
export const exportServerErrorFaults: readonly Fault[] = [
  failing(
    'export-fails-each-time-over-more-than-a-week',
    [lasting],
    (request) => isExport(request) && daysOf(request) > 7,
  ),
  ...[500, 413].map((status) =>
    failing(
      `export-answers-${status}-to-a-pdf-far-over-its-limit`,
      { breaks: ['limits.pdf-over-5000-events-is-400'], showsAmongMany: true },
      // 5,001 events lie in some hundred days.
      (request) =>
        isListed(request, ['file_type=pdf']) &&
        !(daysOf(request) < 120) &&
        [...queryOf(request).keys()].every((name) => /^(range_|file_type|timezone)/.test(name)),
      status,
    ),
  ),
  failing(
    'export-is-ended-by-a-gateway-each-time-it-is-a-pdf-of-a-task',
    [lasting],
    (request) => isListed(request, ['file_type=pdf', 'task_id']),
    504,
  ),
];

/** The second task that is read. */
const ofSecondTask: Wire = (handle) => {
  const seen = new Set<string>();
  return async (request) => {
    if (request.method !== 'GET' || !request.target.includes('/tasks/')) return handle(request);
    seen.add(request.target);
    const isSecond = [...seen][1] === request.target;
    return isSecond ? { status: 500, headers: {}, body: '' } : handle(request);
  };
};

/** Whatever is written to the second task that is read. */
const ofWritesToSecondTask: Wire = (handle) => {
  const seen = new Set<string>();
  return async (request) => {
    const { method, target } = request;
    if (method === 'PUT' && target.startsWith(`${[...seen][1]}/`))
      return { status: 500, headers: {}, body: '' };
    const response = await handle(request);
    if (method === 'GET' && target.includes('/tasks/') && response.status === 200) seen.add(target);
    return response;
  };
};

/** What is read while a team has the task. */
const ofTeams: Wire = (handle) => async (request) => {
  const response = await handle(request);
  const isOfTeam =
    request.method === 'GET' && String(response.body).includes('"assigned_to_type":"TEAM"');
  return isOfTeam ? { status: 500, headers: {}, body: '' } : response;
};

/** An assignment, with its fields. */
const fieldsOf = ({ method, body }: ServiceRequest) =>
  method === 'PUT' ? jsonObject(JSON.stringify(jsonObject(body)?.update)) : undefined;

/** Reads, and writes to one of several tasks or of one kind, that fail each time (Errors). */
export const taskServerErrorFaults: readonly Fault[] = [
  fault(
    'the-second-task-fails-each-time-it-is-written-to',
    { breaks: ['update.answers-with-the-updated-task'], mayBreak: [lasting] },
    ofWritesToSecondTask,
  ),
  failing(
    'assignments-with-long-comments-fail-each-time',
    [lasting],
    (request) => `${fieldsOf(request)?.assignment_comment ?? ''}`.length > 255,
  ),
  fault('the-second-task-fails-each-time-it-is-read', [fullTask], ofSecondTask),
  fault('a-task-fails-each-time-it-is-read-while-a-team-has-it', [fullTask], ofTeams),
];
