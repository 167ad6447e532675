import { setTimeout as pause } from 'node:timers/promises';
import type { Handle } from '../reference.ts';
import type { ServiceRequest, ServiceResponse } from '../service.ts';
import type { Fault } from './fault.ts';

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
    id: 'simultaneous-writes-that-lose-are-answered-with-500',
    breaks: ['conflict.one-of-simultaneous-writes-wins'],
    wire: whenCrowded(async (answer) => (answer.status === 409 ? failure : answer)),
  },
  {
    id: 'simultaneous-writes-that-lose-are-answered-as-if-they-had-won',
    breaks: ['conflict.one-of-simultaneous-writes-wins'],
    wire: whenCrowded(async (answer, request, handle) => {
      if (answer.status !== 409) return answer;
      const target = request.target.replace('/update-assignment', '');
      return handle({ ...request, method: 'GET', target });
    }),
  },
  {
    id: 'a-retry-after-a-mismatch-is-refused',
    breaks: ['conflict.retry-with-the-latest-version'],
    wire: (handle) => {
      const mismatched = new Set<string>();
      return async (request) => {
        if (mismatched.delete(request.target) && request.method === 'PUT') return conflict;
        const answer = await handle(request);
        if (answer.status === 409) mismatched.add(request.target);
        return answer;
      };
    },
  },
];

/** Changes the answers to writes of a task that is being written by another request at the same time. */
function whenCrowded(
  spoil: (
    answer: ServiceResponse,
    request: ServiceRequest,
    handle: Handle,
  ) => Promise<ServiceResponse>,
): NonNullable<Fault['wire']> {
  return (handle) => {
    const crowds = new Map<string, { came: number; left: number }>();
    return async (request) => {
      const { method, target } = request;
      if (method !== 'PUT') return handle(request);
      const crowd = crowds.get(target) ?? { came: 0, left: 0 };
      crowds.set(target, crowd);
      crowd.came += 1;
      await pause(gap);
      const crowded = crowd.came > 1;
      const answer = await handle(request);
      crowd.left += 1;
      if (crowd.left === crowd.came) crowds.delete(target);
      const wasCompared = answer.status === 200 || answer.status === 409;
      return crowded && wasCompared ? spoil(answer, request, handle) : answer;
    };
  };
}
