import { setTimeout as pause } from 'node:timers/promises';
import type { Handle } from '../../reference/reference.ts';
import type { ServiceRequest, ServiceResponse } from '../../reference/request.ts';
import { bodyRules } from '../../reference/rules/body.ts';
import { changingTaskClauses } from '../clause-groups.ts';
import { type Fault, fault, isObject, table, type Wire } from './fault.ts';

/** Long enough for requests sent together to be compared before the first of them is written, in milliseconds. */
const gap = 3;

const conflict: ServiceResponse = { status: 409, headers: {}, body: '' };
const failure: ServiceResponse = { status: 500, headers: {}, body: '' };

/** Simultaneous writes and retries served wrongly (Errors: 409). */
export const simultaneousFaults: readonly Fault[] = [
  ...table(fault, ['conflict.one-of-simultaneous-writes-wins'], {
    'simultaneous-writes-all-win': { beforeWriting: () => pause(gap), isStillTheSame: () => true },
    'simultaneous-writes-with-long-comments-all-win': {
      beforeWriting: () => pause(gap),
      isStillTheSame: (compared, current) =>
        compared === current || (current.assignment?.assignment_comment?.length ?? 0) > 512,
    },
    'simultaneous-writes-without-a-comment-all-win': {
      beforeWriting: () => pause(gap),
      isStillTheSame: (compared, current) =>
        compared === current || current.assignment?.assignment_comment === null,
    },
    'simultaneous-writes-with-an-empty-comment-all-win': {
      beforeWriting: () => pause(gap),
      isStillTheSame: (compared, current) =>
        compared === current || current.assignment?.assignment_comment === '',
    },
    'simultaneous-writes-all-lose': whenSimultaneous(async () => conflict),
    'simultaneous-writes-are-all-told-that-they-lose': whenSimultaneous(async (request, handle) => {
      await handle(request);
      return conflict;
    }),
  }),
  fault(
    'an-unassign-that-loses-a-race-is-carried-out-all-the-same',
    {
      breaks: ['conflict.one-of-simultaneous-writes-wins'],
      mayBreak: ['conflict.changes-nothing'],
    },
    carryingOutUnassignmentsThatLose,
  ),
  ...table(fault, ['conflict.one-of-simultaneous-writes-wins'], {
    'simultaneous-writes-that-lose-are-answered-with-500': whenSimultaneous(
      async (request, handle) => {
        const answer = await handle(request);
        return answer.status === 409 ? failure : answer;
      },
    ),
    'simultaneous-writes-that-lose-are-answered-as-if-they-had-won': whenSimultaneous(
      async (request, handle) => {
        const answer = await handle(request);
        return answer.status === 409 ? readInstead(request, handle) : answer;
      },
    ),
  }),
  fault(
    'simultaneous-reads-get-the-task-of-the-last-of-them',
    {
      breaks: ['get-task.answers-with-the-task-asked-for'],
      mayBreak: [
        ...changingTaskClauses,
        'get-task.unknown-task-is-404',
        'update.unknown-task-is-404',
      ],
    },
    (handle) => {
      let last = '';
      return async (request) => {
        if (request.method !== 'GET' || !/^\/v5\/tasks\/[^/]+$/.test(request.target)) {
          return handle(request);
        }
        last = request.target;
        await pause(gap);
        return handle({ ...request, target: last });
      };
    },
  ),
  fault(
    'a-retry-after-a-mismatch-is-refused',
    ['conflict.retry-with-the-latest-version'],
    (handle) => {
      const mismatched = new Set<string>();
      return async (request) => {
        const { method, target, headers } = request;
        const version = headers['if-match'];
        if (method === 'PUT' && version !== undefined && mismatched.has(target)) {
          const task = bodyRules.readBody(String((await readInstead(request, handle)).body));
          const isRight = isObject(task) && task.updated_at === version;
          if (isRight && mismatched.delete(target)) return conflict;
        }
        const answer = await handle(request);
        if (answer.status === 409) mismatched.add(target);
        return answer;
      };
    },
  ),
];

/** The answer to reading the task that the request is to write. */
function readInstead(request: ServiceRequest, handle: Handle): Promise<ServiceResponse> {
  const target = request.target.replace('/update-assignment', '');
  return handle({ ...request, method: 'GET', target, body: '' });
}

/** Serves a write differently while another request writes to the same task. */
function whenSimultaneous(
  serve: (request: ServiceRequest, handle: Handle) => Promise<ServiceResponse>,
): Wire {
  return (handle) => {
    const groups = new Map<string, { arrived: number; answered: number }>();
    return async (request) => {
      const { method, target, headers } = request;
      if (method !== 'PUT') return handle(request);
      // A request with another key is refused, and does not count.
      const place = `${target} ${headers.apikey}`;
      const group = groups.get(place) ?? { arrived: 0, answered: 0 };
      groups.set(place, group);
      group.arrived += 1;
      await pause(gap);
      const answer = await (group.arrived > 1 ? serve(request, handle) : handle(request));
      group.answered += 1;
      if (group.answered === group.arrived) groups.delete(place);
      return answer;
    };
  };
}

/** Tells an unassignment that another write was faster, and carries it out. */
function carryingOutUnassignmentsThatLose(handle: Handle): Handle {
  const versionAt = async (request: ServiceRequest) => {
    const task = bodyRules.readBody(String((await readInstead(request, handle)).body));
    return isObject(task) ? String(task.updated_at) : '';
  };
  return async (request) => {
    const isUnassign = request.method === 'PUT' && request.body.includes('"unassign"');
    const isCurrent = isUnassign && (await versionAt(request)) === request.headers['if-match'];
    const answer = await handle(request);
    if (!isCurrent || answer.status !== 409) return answer;
    await handle({
      ...request,
      headers: { ...request.headers, 'if-match': await versionAt(request) },
    });
    return answer;
  };
}
