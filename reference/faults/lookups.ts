import type { Fault } from './fault.ts';
import { refusedWith } from './replaced.ts';
import { unsettledTask } from './unsettled.ts';

const unknownTask = ['get-task.unknown-task-is-404', 'update.unknown-task-is-404'] as const;
const unknownAssessment = ['get-assessment.unknown-assessment-is-404'] as const;

/** The first record whose id fits, besides the one whose id is the one asked for. */
function first<T extends { readonly id: string }>(
  records: ReadonlyMap<string, T>,
  id: string,
  fits: (recordId: string) => boolean,
): T | undefined {
  return records.get(id) ?? [...records.values()].find((record) => fits(record.id));
}

const findingTasks = (id: string, fits: (recordId: string, asked: string) => boolean): Fault => ({
  id,
  breaks: unknownTask,
  // Writes meant for no task reach one that another story is about.
  mayBreak: unsettledTask,
  rules: {
    findTask: (asked, { tasks }) => first(tasks, asked, (recordId) => fits(recordId, asked)),
  },
});

const findingAssessments = (
  id: string,
  fits: (recordId: string, asked: string) => boolean,
): Fault => ({
  id,
  breaks: unknownAssessment,
  rules: {
    findAssessment: (asked, { assessments }) =>
      first(assessments, asked, (recordId) => fits(recordId, asked)),
  },
});

const another = <T extends { readonly id: string }>(
  records: ReadonlyMap<string, T>,
  id: string,
): T | undefined =>
  records.has(id) ? [...records.values()].find((record) => record.id !== id) : undefined;

const isPrefix = (recordId: string, asked: string) =>
  asked.length >= 8 && recordId.startsWith(asked);

/** Ids that find what they should not, or find nothing (Errors: 404). */
export const lookupFaults: readonly Fault[] = [
  findingTasks('an-unknown-task-id-finds-some-other-task', () => true),
  findingTasks('a-cut-task-id-finds-the-task', isPrefix),
  findingTasks('a-lengthened-task-id-finds-the-task', (recordId, asked) =>
    asked.startsWith(recordId),
  ),
  findingTasks('a-task-id-is-found-anywhere-in-a-text', (recordId, asked) =>
    asked.includes(recordId),
  ),
  {
    id: 'the-id-of-an-assessment-finds-its-task',
    breaks: unknownTask,
    mayBreak: unsettledTask,
    rules: {
      findTask: (id, { tasks }) =>
        tasks.get(id) ?? [...tasks.values()].find((task) => task.assessment_id === id),
    },
  },
  {
    id: 'the-id-of-an-entity-finds-its-task',
    breaks: unknownTask,
    mayBreak: unsettledTask,
    rules: {
      findTask: (id, { tasks }) =>
        tasks.get(id) ?? [...tasks.values()].find(({ entity_id }) => entity_id === id),
    },
  },
  {
    id: 'the-id-of-a-workflow-instance-finds-its-assessment',
    breaks: unknownAssessment,
    rules: {
      findAssessment: (id, { assessments }) =>
        assessments.get(id) ??
        [...assessments.values()].find((one) => one.workflow_instance_id === id),
    },
  },
  {
    id: 'the-id-of-a-task-finds-its-assessment',
    breaks: unknownAssessment,
    rules: {
      findAssessment: (id, { assessments, tasks }) =>
        assessments.get(tasks.get(id)?.assessment_id ?? id),
    },
  },
  {
    id: 'the-id-of-an-entity-finds-its-assessment',
    breaks: unknownAssessment,
    rules: {
      findAssessment: (id, { assessments }) =>
        assessments.get(id) ?? [...assessments.values()].find(({ entity_id }) => entity_id === id),
    },
  },
  findingAssessments('an-unknown-assessment-id-finds-some-other-assessment', () => true),
  findingAssessments('a-cut-assessment-id-finds-the-assessment', isPrefix),
  findingAssessments('a-lengthened-assessment-id-finds-the-assessment', (recordId, asked) =>
    asked.startsWith(recordId),
  ),
  { id: 'an-unknown-task-is-400', breaks: unknownTask, rules: refusedWith('unknown-task', 400) },
  { id: 'an-unknown-task-is-403', breaks: unknownTask, rules: refusedWith('unknown-task', 403) },
  { id: 'an-unknown-task-is-410', breaks: unknownTask, rules: refusedWith('unknown-task', 410) },
  {
    id: 'an-unknown-task-is-answered-with-200',
    breaks: unknownTask,
    rules: refusedWith('unknown-task', 200),
  },
  {
    id: 'an-unknown-assessment-is-400',
    breaks: unknownAssessment,
    rules: refusedWith('unknown-assessment', 400),
  },
  {
    id: 'an-unknown-assessment-is-answered-with-200',
    breaks: unknownAssessment,
    rules: refusedWith('unknown-assessment', 200),
  },
  {
    id: 'a-write-to-an-unknown-task-is-409',
    breaks: ['update.unknown-task-is-404'],
    wire: (handle) => async (request) => {
      const answer = await handle(request);
      const isUnknown = request.method === 'PUT' && answer.status === 404;
      return isUnknown ? { ...answer, status: 409 } : answer;
    },
  },
  {
    id: 'a-read-of-an-id-that-is-not-uuid-shaped-is-400',
    breaks: ['get-task.unknown-task-is-404', 'get-assessment.unknown-assessment-is-404'],
    wire: (handle) => async (request) => {
      const answer = await handle(request);
      const isShaped = /\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(request.target);
      const isRead = request.method === 'GET' && answer.status === 404;
      return isRead && !isShaped ? { ...answer, status: 400 } : answer;
    },
  },
  {
    id: 'a-read-answers-with-another-task',
    breaks: ['get-task.answers-with-the-task-asked-for'],
    mayBreak: unsettledTask,
    rules: { findTask: (id, { tasks }) => another(tasks, id) },
  },
  {
    id: 'a-read-answers-with-another-assessment',
    breaks: ['get-assessment.answers-with-the-assessment-asked-for'],
    rules: { findAssessment: (id, { assessments }) => another(assessments, id) },
  },
  {
    id: 'assessments-have-moved-to-another-version',
    breaks: [
      'versioning.paths-are-under-v5',
      'get-assessment.answers-with-the-full-assessment',
      'auth.wrong-region-is-401',
      'auth.blocked-address-is-401',
      'auth.is-checked-before-the-lookup',
    ],
    wire: (handle) => async (request) =>
      request.target.startsWith('/v5/assessments/')
        ? { status: 308, headers: { location: request.target.replace('v5', 'v6') }, body: '' }
        : handle(request),
  },
  {
    id: 'writes-of-v5-are-gone',
    breaks: [
      'versioning.paths-are-under-v5',
      'auth.wrong-region-is-401',
      'auth.blocked-address-is-401',
      'auth.is-checked-before-the-lookup',
    ],
    mayBreak: unsettledTask,
    wire: (handle) => async (request) =>
      request.method === 'PUT' ? { status: 410, headers: {}, body: '' } : handle(request),
  },
];
