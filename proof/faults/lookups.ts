import type { ServiceRequest } from '../../reference/request.ts';
import { bodyRules } from '../../reference/rules/body.ts';
import { identifierPattern } from '../../schemas/resources.ts';
import { changingTaskClauses } from '../clause-groups.ts';
import { type Fault, fault, isObject, refusedWith, someId, table, type Wire } from './fault.ts';

const unknownTask = ['get-task.unknown-task-is-404', 'update.unknown-task-is-404'] as const;
const isUuid = new RegExp(identifierPattern);
const unknownAssessment = ['get-assessment.unknown-assessment-is-404'] as const;

/** The first record whose id fits, besides the one whose id is the one asked for. */
function first<T extends { readonly id: string }>(
  records: ReadonlyMap<string, T>,
  id: string,
  fits: (recordId: string) => boolean,
): T | undefined {
  return records.get(id) ?? [...records.values()].find((record) => fits(record.id));
}

const findingTasks = (id: string, fits: (recordId: string, asked: string) => boolean): Fault =>
  fault(
    id,
    {
      breaks: unknownTask,
      // Writes meant for no task reach one that another scenario is about.
      mayBreak: changingTaskClauses,
    },
    { findTask: (asked, { tasks }) => first(tasks, asked, (recordId) => fits(recordId, asked)) },
  );

const findingAssessments = (
  id: string,
  fits: (recordId: string, asked: string) => boolean,
): Fault =>
  fault(id, unknownAssessment, {
    findAssessment: (asked, { assessments }) =>
      first(assessments, asked, (recordId) => fits(recordId, asked)),
  });

const another = <T extends { readonly id: string }>(
  records: ReadonlyMap<string, T>,
  id: string,
): T | undefined =>
  records.has(id) ? [...records.values()].find((record) => record.id !== id) : undefined;

const isPrefix = (recordId: string, asked: string) =>
  asked.length >= 8 && recordId.startsWith(asked);

/** Writes that reach a task that has been read, where their ids begin with the same characters. */
const reaching =
  (isMeant: (request: ServiceRequest) => boolean, characters: number): Wire =>
  (handle) => {
    const found: string[] = [];
    const beginning = (id: string): string => id.slice(0, characters);
    return async (request) => {
      const [, path = '', id = ''] = /^(.*\/tasks\/)([^/?]+)/.exec(request.target) ?? [];
      const isWrite = request.method === 'PUT';
      const like = found.find((one) => beginning(one) === beginning(id));
      const reached =
        isWrite && like !== undefined && !found.includes(id) && isMeant(request)
          ? { ...request, target: `${path}${like}/update-assignment` }
          : request;
      const answer = await handle(reached);
      if (!isWrite && id !== '' && answer.status === 200 && !found.includes(id)) found.push(id);
      return answer;
    };
  };

/** Reads that reach the task that was last read, or written to, where their ids begin with the same characters. */
const readingAlike =
  (remembered: 'GET' | 'PUT', characters: number): Wire =>
  (handle) => {
    let last = '';
    return async (request) => {
      const { method, target } = request;
      if (!target.includes('/tasks/')) return await handle(request);
      const isAlike = method === 'GET' && target.slice(0, characters) === last.slice(0, characters);
      const found = isAlike ? last : target;
      const answer = await handle({ ...request, target: found });
      if (method === remembered && answer.status === 200)
        last = found.replace('/update-assignment', '');
      return answer;
    };
  };

/** Ids that find what they should not, or find nothing (Errors: 404). */
export const lookupFaults: readonly Fault[] = [
  findingTasks('an-unknown-task-id-finds-some-other-task', () => true),
  findingTasks('a-cut-task-id-finds-the-task', isPrefix),
  findingTasks('a-lengthened-task-id-finds-the-task', (recordId, asked) =>
    asked.startsWith(recordId),
  ),
  fault(
    'the-id-of-an-assessment-finds-its-task-where-a-user-has-it',
    { breaks: ['get-task.unknown-task-is-404'], mayBreak: unknownTask },
    {
      findTask: (asked, { tasks }) =>
        tasks.get(asked) ??
        [...tasks.values()].find(
          (task) => task.assessment_id === asked && task.assignment?.assigned_to_type === 'USER',
        ),
    },
  ),
  findingTasks('a-task-id-is-found-anywhere-in-a-text', (recordId, asked) =>
    asked.includes(recordId),
  ),
  fault(
    'an-id-near-a-known-one-finds-the-task',
    {
      breaks: ['get-task.answers-with-the-task-asked-for'],
      mayBreak: [...unknownTask, ...changingTaskClauses],
    },
    {
      findTask: (asked, { tasks }) =>
        first(tasks, asked, (recordId) => recordId.slice(0, -1) === asked.slice(0, -1)),
    },
  ),
  fault(
    'an-id-that-differs-from-that-of-a-task-just-read-in-its-last-group-finds-it',
    { breaks: ['get-task.unknown-task-is-404'], mayBreak: unknownTask },
    readingAlike('GET', -12),
  ),
  fault(
    'an-id-near-that-of-a-task-just-changed-finds-it',
    { breaks: ['get-task.unknown-task-is-404'], mayBreak: unknownTask },
    readingAlike('PUT', -1),
  ),
  fault(
    'a-write-that-is-refused-as-unknown-makes-its-task-known',
    { breaks: ['get-task.unknown-task-is-404'], mayBreak: unknownTask },
    (handle) => {
      const made = new Set<string>();
      return async (request) => {
        const { method, target } = request;
        const answer = await handle(request);
        if (answer.status !== 404) return answer;
        if (method === 'PUT') made.add(target.replace('/update-assignment', ''));
        return method === 'GET' && made.has(target) ? { ...answer, status: 200 } : answer;
      };
    },
  ),
  fault(
    'a-second-write-to-the-same-unknown-id-is-409',
    ['update.unknown-task-is-404'],
    (handle) => {
      const unknown = new Set<string>();
      return async (request) => {
        const answer = await handle(request);
        if (request.method !== 'PUT' || answer.status !== 404) return answer;
        if (unknown.has(request.target)) return { ...answer, status: 409 };
        unknown.add(request.target);
        return answer;
      };
    },
  ),
  fault(
    'an-unassign-reaches-the-task-whose-id-begins-alike',
    { breaks: ['update.unknown-task-is-404'], mayBreak: changingTaskClauses },
    reaching((request) => request.body.startsWith('{"unassign"'), 8),
  ),
  fault(
    'writes-to-an-id-near-a-known-one-reach-the-task',
    {
      breaks: ['update.unknown-task-is-404'],
      mayBreak: changingTaskClauses,
    },
    reaching(() => true, -1),
  ),
  fault(
    'an-unknown-task-is-404-with-a-key-that-begins-with-the-valid-one',
    ['auth.is-checked-before-the-lookup'],
    (handle) => {
      let valid: string | undefined;
      return async (request) => {
        const { method, target, headers } = request;
        const answer = await handle(request);
        if (answer.status === 200) valid ??= headers.apikey;
        const isMeant = method === 'GET' && target.includes('/tasks/') && answer.status === 401;
        if (!isMeant || !valid || !headers.apikey?.startsWith(valid)) return answer;
        const found = await handle({ ...request, headers: { ...headers, apikey: valid } });
        return found.status === 404 ? found : answer;
      };
    },
  ),
  fault(
    'a-write-to-an-id-near-a-known-one-is-409-with-an-old-version',
    ['update.unknown-task-is-404'],
    (handle) => {
      const versions = new Map<string, unknown>();
      return async (request) => {
        const answer = await handle(request);
        const near = request.target.replace('/update-assignment', '').slice(0, -1);
        const task = bodyRules.readBody(String(answer.body));
        if (answer.status === 200 && isObject(task)) versions.set(near, task.updated_at);
        const version = versions.get(near) ?? request.headers['if-match'];
        const isOld = request.method === 'PUT' && version !== request.headers['if-match'];
        return isOld && answer.status === 404 ? { ...answer, status: 409 } : answer;
      };
    },
  ),
  ...table(
    fault,
    { breaks: unknownTask, mayBreak: changingTaskClauses },
    {
      'the-id-of-an-assessment-finds-its-task': {
        findTask: (id, { tasks }) =>
          tasks.get(id) ?? [...tasks.values()].find((task) => task.assessment_id === id),
      },
      'the-id-of-an-entity-finds-its-task': {
        findTask: (id, { tasks }) =>
          tasks.get(id) ?? [...tasks.values()].find(({ entity_id }) => entity_id === id),
      },
    },
  ),
  ...table(fault, unknownAssessment, {
    'the-id-of-a-workflow-instance-finds-its-assessment': {
      findAssessment: (id, { assessments }) =>
        assessments.get(id) ??
        [...assessments.values()].find((one) => one.workflow_instance_id === id),
    },
    'the-id-of-a-task-finds-its-assessment': {
      findAssessment: (id, { assessments, tasks }) =>
        assessments.get(tasks.get(id)?.assessment_id ?? id),
    },
    'the-id-of-an-entity-finds-its-assessment': {
      findAssessment: (id, { assessments }) =>
        assessments.get(id) ?? [...assessments.values()].find(({ entity_id }) => entity_id === id),
    },
  }),
  findingAssessments('an-unknown-assessment-id-finds-some-other-assessment', () => true),
  findingAssessments('a-cut-assessment-id-finds-the-assessment', isPrefix),
  findingAssessments('a-lengthened-assessment-id-finds-the-assessment', (recordId, asked) =>
    asked.startsWith(recordId),
  ),
  fault(
    'an-unknown-assessment-is-answered-with-200-the-second-time',
    unknownAssessment,
    (handle) => {
      const asked = new Set<string>();
      return async (request) => {
        const { target } = request;
        const answer = await handle(request);
        const isMissing = target.includes('/assessments/') && answer.status === 404;
        const isAgain = isMissing && asked.has(target);
        if (isMissing) asked.add(target);
        return isAgain ? { ...answer, status: 200, body: 'null' } : answer;
      };
    },
  ),
  fault('an-unknown-task-is-400', unknownTask, refusedWith('unknown-task', 400)),
  fault('an-unknown-task-is-403', unknownTask, refusedWith('unknown-task', 403)),
  fault('an-unknown-task-is-410', unknownTask, refusedWith('unknown-task', 410)),
  fault('an-unknown-task-is-answered-with-200', unknownTask, refusedWith('unknown-task', 200)),
  ...table(fault, unknownAssessment, {
    'an-unknown-assessment-is-400': refusedWith('unknown-assessment', 400),
    'an-unknown-assessment-is-answered-with-200': refusedWith('unknown-assessment', 200),
  }),
  fault(
    'a-task-names-an-assessment-that-does-not-exist',
    ['service.assessment-of-a-task-can-be-read'],
    { presentTask: (task) => ({ ...task, assessment_id: someId }) },
  ),
  fault(
    'a-write-to-an-unknown-task-is-409',
    ['update.unknown-task-is-404'],
    (handle) => async (request) => {
      const answer = await handle(request);
      const isUnknown = request.method === 'PUT' && answer.status === 404;
      return isUnknown ? { ...answer, status: 409 } : answer;
    },
  ),
  ...[403, 500].map((status) =>
    fault(`an-id-that-is-not-uuid-shaped-is-${status}`, [...unknownTask, ...unknownAssessment], {
      idProblem: (asked) => (isUuid.test(asked) ? 'none' : status),
    }),
  ),
  fault(
    'a-read-answers-with-another-task',
    { breaks: ['get-task.answers-with-the-task-asked-for'], mayBreak: changingTaskClauses },
    { findTask: (id, { tasks }) => another(tasks, id) },
  ),
  fault(
    'a-read-answers-with-another-assessment',
    ['get-assessment.answers-with-the-assessment-asked-for'],
    { findAssessment: (id, { assessments }) => another(assessments, id) },
  ),
  fault(
    'assessments-have-moved-to-another-version',
    [
      'versioning.paths-are-under-v5',
      'get-assessment.answers-with-the-full-assessment',
      'auth.wrong-region-is-401',
      'auth.blocked-address-is-401',
      'auth.is-checked-before-the-lookup',
    ],
    (handle) => async (request) =>
      request.target.startsWith('/v5/assessments/')
        ? { status: 308, headers: { location: request.target.replace('v5', 'v6') }, body: '' }
        : handle(request),
  ),
  fault(
    'writes-of-v5-are-gone',
    {
      breaks: [
        'versioning.paths-are-under-v5',
        'auth.is-checked-before-the-request',
        'auth.wrong-region-is-401',
        'auth.blocked-address-is-401',
        'auth.is-checked-before-the-lookup',
      ],
      mayBreak: changingTaskClauses,
    },
    (handle) => async (request) =>
      request.method === 'PUT' ? { status: 410, headers: {}, body: '' } : handle(request),
  ),
  fault(
    'an-unknown-task-is-a-mismatch-right-after-a-reassignment',
    ['update.unknown-task-is-404'],
    (handle) => {
      const assigned = new Set<string>();
      let isRightAfter = false;
      return async (request) => {
        if (request.method !== 'PUT') return handle(request);
        const answer = await handle(request);
        if (answer.status === 404 && isRightAfter) return { ...answer, status: 409 };
        const { target, body } = request;
        isRightAfter = answer.status === 200 && body.includes('"update"') && assigned.has(target);
        if (answer.status === 200) assigned[body.includes('"update"') ? 'add' : 'delete'](target);
        return answer;
      };
    },
  ),
];
