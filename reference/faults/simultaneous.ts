import { setTimeout as pause } from 'node:timers/promises';
import type { Handle } from '../reference.ts';
import { bodyRules } from '../rules/body.ts';
import type { ServiceRequest, ServiceResponse } from '../service.ts';
import type { Fault } from './fault.ts';
import { isObject } from './replaced.ts';

/** Long enough for requests sent together to be compared before the first of them is written, in milliseconds. */
const gap = 3;

const conflict: ServiceResponse = { status: 409, headers: {}, body: '' };
const failure: ServiceResponse = { status: 500, headers: {}, body: '' };

/** Simultaneous writes and retries served wrongly (Errors: 409). */
export const simultaneousFaults: readonly Fault[] = [
  {
    id: 'simultaneous-writes-all-win',
    breaks: ['conflict.one-of-simultaneous-writes-wins'],
    rules: { beforeWriting: () => pause(gap), isStillTheSame: () => true },
  },
  {
    id: 'simultaneous-writes-all-lose',
    breaks: ['conflict.one-of-simultaneous-writes-wins'],
    wire: whenCrowded(async () => conflict),
  },
  {
    id: 'simultaneous-writes-are-all-told-that-they-lose',
    breaks: ['conflict.one-of-simultaneous-writes-wins'],
    wire: whenCrowded(async (request, handle) => {
      await handle(request);
      return conflict;
    }),
  },
  {
    id: 'simultaneous-writes-that-lose-are-answered-with-500',
    breaks: ['conflict.one-of-simultaneous-writes-wins'],
    wire: whenCrowded(async (request, handle) => {
      const answer = await handle(request);
      return answer.status === 409 ? failure : answer;
    }),
  },
  {
    id: 'simultaneous-writes-that-lose-are-answered-as-if-they-had-won',
    breaks: ['conflict.one-of-simultaneous-writes-wins'],
    wire: whenCrowded(async (request, handle) => {
      const answer = await handle(request);
      return answer.status === 409 ? readInstead(request, handle) : answer;
    }),
  },
  {
    id: 'a-retry-after-a-mismatch-is-refused',
    breaks: ['conflict.retry-with-the-latest-version'],
    wire: (handle) => {
      const mismatched = new Set<string>();
      return async (request) => {
        const { method, target, headers } = request;
        if (method === 'PUT' && mismatched.has(target)) {
          const task = bodyRules.readBody(String((await readInstead(request, handle)).body));
          const isRight = isObject(task) && task.updated_at === headers['if-match'];
          if (isRight && mismatched.delete(target)) return conflict;
        }
        const answer = await handle(request);
        if (answer.status === 409) mismatched.add(target);
        return answer;
      };
    },
  },
];

/** The answer to reading the task that the request is to write. */
function readInstead(request: ServiceRequest, handle: Handle): Promise<ServiceResponse> {
  const target = request.target.replace('/update-assignment', '');
  return handle({ ...request, method: 'GET', target, body: '' });
}

/** Serves otherwise a write of a task that is being written by another request at the same time. */
function whenCrowded(
  serve: (request: ServiceRequest, handle: Handle) => Promise<ServiceResponse>,
): NonNullable<Fault['wire']> {
  return (handle) => {
    const crowds = new Map<string, { came: number; left: number }>();
    return async (request) => {
      const { method, target, headers } = request;
      if (method !== 'PUT') return handle(request);
      // Who is not let in does not stand in the way of others.
      const place = `${target} ${headers.apikey}`;
      const crowd = crowds.get(place) ?? { came: 0, left: 0 };
      crowds.set(place, crowd);
      crowd.came += 1;
      await pause(gap);
      const answer = await (crowd.came > 1 ? serve(request, handle) : handle(request));
      crowd.left += 1;
      if (crowd.left === crowd.came) crowds.delete(place);
      return answer;
    };
  };
}
