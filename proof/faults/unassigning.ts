import { setTimeout as pause } from 'node:timers/promises';
import type { RefusalCause, ServiceRequest, ServiceResponse } from '../../reference/request.ts';
import { bodyRules } from '../../reference/rules/body.ts';
import type { Rules } from '../../reference/rules.ts';
import { type Fault, fault, isObject, table, type Wire } from './fault.ts';

/** Long enough for requests sent together to be compared before the first of them is written, in milliseconds. */
const gap = 3;

const differing = 'conflict.differing-version-is-409';
const noVersion = 'conflict.text-that-is-no-version-is-409';

/** Whether a body asks to unassign, and nothing else. */
const unassigns = (body: unknown): boolean =>
  isObject(body) && isObject(body.unassign) && !('update' in body);

const isUnassignment = ({ method, body }: ServiceRequest): boolean =>
  method === 'PUT' && unassigns(bodyRules.readBody(body));

/** Unassignments that get this status get another answer. */
const answering =
  (status: number, other: (answer: ServiceResponse) => ServiceResponse): Wire =>
  (handle) =>
  async (request) => {
    const answer = await handle(request);
    return isUnassignment(request) && answer.status === status ? other(answer) : answer;
  };

/** Refuses an unassignment for this cause, and carries it out all the same. */
const carriedOutAfter = (cause: RefusalCause): Partial<Rules> => ({
  taskAfterRefusal: (task, refusal, body) =>
    refusal.cause === cause && unassigns(body)
      ? { ...task, assignment: null, updated_at: task.updated_at + 1 }
      : task,
});

/** The last valid key that was seen, in place of the one that an unassignment presents. */
const withoutAKey =
  (isMeant: (presented: string | undefined) => boolean): Wire =>
  (handle) => {
    let valid: string | undefined;
    return async (request) => {
      const { headers } = request;
      const isLetIn = valid !== undefined && isMeant(headers.apikey) && isUnassignment(request);
      if (isLetIn) return handle({ ...request, headers: { ...headers, apikey: valid ?? '' } });
      const answer = await handle(request);
      if (answer.status === 200) valid = headers.apikey;
      return answer;
    };
  };

/** What is right where a task is assigned, and wrong where it is unassigned: a handler of its own (1. Update a task assignment). */
export const unassigningFaults: readonly Fault[] = [
  fault(
    'an-unassign-without-a-key-is-carried-out',
    { breaks: ['update.needs-the-apikey'], mayBreak: ['auth.is-checked-before-the-lookup'] },
    withoutAKey((key) => key === undefined),
  ),
  fault(
    'an-unassign-with-any-key-is-carried-out',
    { breaks: ['auth.invalid-key-is-401'], mayBreak: ['auth.is-checked-before-the-lookup'] },
    withoutAKey((key) => key !== undefined && key !== ''),
  ),
  fault(
    'an-unassign-with-an-empty-key-is-carried-out',
    ['auth.empty-key-is-401'],
    withoutAKey((key) => key === ''),
  ),
  fault(
    'an-unassign-refused-with-401-is-carried-out',
    ['auth.refusal-changes-nothing'],
    carriedOutAfter('unauthorized'),
  ),
  ...table(fault, ['update.unknown-task-is-404'], {
    'an-unassign-of-an-unknown-task-is-answered-with-200': answering(404, (answer) => ({
      ...answer,
      status: 200,
    })),
    'an-unassign-of-an-unknown-task-is-409': answering(404, (answer) => ({
      ...answer,
      status: 409,
    })),
  }),
  ...table(
    fault,
    { breaks: [differing, noVersion], mayBreak: ['conflict.one-of-simultaneous-writes-wins'] },
    {
      'an-unassign-with-an-old-version-is-412': answering(409, (answer) => ({
        ...answer,
        status: 412,
      })),
      'an-unassign-with-an-old-version-is-answered-with-200': answering(409, (answer) => ({
        ...answer,
        status: 200,
      })),
    },
  ),
  fault(
    'an-unassign-refused-with-409-is-carried-out',
    {
      breaks: ['conflict.changes-nothing'],
      mayBreak: ['conflict.one-of-simultaneous-writes-wins', 'update.needs-if-match'],
    },
    carriedOutAfter('version-mismatch'),
  ),
  ...table(fault, [differing], {
    'an-unassign-with-a-version-two-steps-old-is-carried-out': {
      versionMatches: (given, { current, earlier }, change) =>
        given === current || (change === 'unassign' && given === earlier.at(-2)),
    },
    'an-unassign-with-a-version-a-millisecond-off-is-carried-out': {
      versionMatches: (given, { current }, change) =>
        given === current ||
        (change === 'unassign' && Math.abs(Date.parse(given) - Date.parse(current)) <= 1),
    },
  }),
  fault(
    'an-unassign-with-an-if-match-that-is-no-timestamp-is-carried-out',
    [noVersion, 'update.needs-if-match'],
    {
      versionMatches: (given, { current }, change) =>
        given === current || (change === 'unassign' && Number.isNaN(Date.parse(given))),
    },
  ),
  fault(
    'an-unassign-with-an-empty-if-match-is-carried-out',
    ['update.needs-if-match'],
    (handle) => {
      const versions = new Map<string, string>();
      return async (request) => {
        const { target, headers } = request;
        const path = target.replace('/update-assignment', '');
        const version = versions.get(path);
        const isMeant = isUnassignment(request) && headers['if-match'] === '';
        const right = isMeant && version !== undefined ? { 'if-match': version } : {};
        const answer = await handle({ ...request, headers: { ...headers, ...right } });
        const task = bodyRules.readBody(String(answer.body));
        if (isObject(task) && typeof task.updated_at === 'string') {
          versions.set(path, task.updated_at);
        }
        return answer;
      };
    },
  ),
  fault('an-unassign-wins-every-race', ['conflict.one-of-simultaneous-writes-wins'], {
    beforeWriting: () => pause(gap),
    isStillTheSame: (compared, current, change) => change === 'unassign' || compared === current,
  }),
  fault(
    'an-unassign-that-loses-a-race-is-answered-with-500',
    {
      breaks: ['conflict.one-of-simultaneous-writes-wins'],
      wire: (handle) => {
        const underWay = new Map<string, number>();
        return async (request) => {
          const { target } = request;
          const others = underWay.get(target) ?? 0;
          underWay.set(target, others + 1);
          const answer = await handle(request);
          underWay.set(target, (underWay.get(target) ?? 1) - 1);
          const loses = others > 0 && answer.status === 409 && isUnassignment(request);
          return loses ? { status: 500, headers: {}, body: '' } : answer;
        };
      },
    },
    { beforeWriting: () => pause(gap) },
  ),
];
