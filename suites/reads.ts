import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../helpers/http/answer.ts';
import { shortJson } from '../helpers/json.ts';
import {
  Inconclusive,
  NotConfigured,
  NotJudged,
  other,
  PartNotConfigured,
  Violation,
} from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { Observation } from '../schemas/observations.ts';
import {
  assessmentFields,
  errorFields,
  isUuidShaped,
  movingFields,
  sameId,
  taskFields,
  workflowStates,
} from '../schemas/resources.ts';
import {
  errorsIn,
  expectNoError,
  judgeBy,
  judgesBy,
  ofAssessment,
  ofRead,
  ofTask,
} from './answers.ts';
import { expectSameTask, fieldDifference } from './comparing-tasks.ts';
import { expectFullObject, judgeEach, requireAccepted, unlikeStatus } from './expectations.ts';
import { nearTo } from './refusals.ts';
import { furtherFields, headerNames, publicName, shapeOf } from './shapes.ts';

/* 2. Retrieve a task, 3. Retrieve an assessment, and the tables Task, Assignment and Assessment. */

/** More tasks than this show nothing new. */
const maxTasks = 20;

const nullableByDocument: readonly string[] = ['assignment', 'custom_metadata', 'name'];

function tasksIn(reads: readonly Answer[]): Readonly<Record<string, unknown>>[] {
  return reads.flatMap(({ succeeded, object }) => (succeeded && object ? [object] : []));
}

/** Of how many tasks the assessments are read: more show nothing new. */
const maxRelated = 3;

/** Fields that both a task and its assessment have: whether their values agree is observed. */
const sharedIds = ['entity_id', 'institution_id', 'workflow_instance_id'] as const;

/** The assessments that the first tasks name, each read once, with a task that names it. */
async function assessmentsOf(
  tasks: readonly Answer[],
  { assessment: readAssessment }: Pick<World, 'assessment'>,
) {
  const byAssessment = new Map(
    tasks.slice(0, maxRelated).flatMap((task) => {
      const id = task.succeeded ? task.object?.assessment_id : undefined;
      return typeof id === 'string' ? [[id, task] as const] : [];
    }),
  );
  return await Promise.all(
    [...byAssessment].map(async ([id, task]) => ({ task, assessment: await readAssessment(id) })),
  );
}

const taskAskedFor = 'get-task.answers-with-the-task-asked-for';

const everyTask = scenario({
  name: 'every configured task is read, and the assessments that some of them name',
  needs: ['task'],
  // A service that has one answer for all ids shows with a second id.
  shownBy: { 'two-tasks': [taskAskedFor] },
  async act(world) {
    const { api, taskIds } = world;
    const ids = taskIds.slice(0, maxTasks);
    const [near, ...reads] = await Promise.all([
      api.task(nearTo(ids[0] ?? '')),
      ...ids.map((id) => api.task(id)),
    ]);
    return { reads, near, related: await assessmentsOf(reads, world) };
  },
  judges: {
    'get-task.answers-with-the-full-task': ({ reads }) => {
      for (const answer of reads) expectFullObject(answer, 'task', taskFields);
    },
    [taskAskedFor]: ({ reads, near }) => judgeBy(ofRead[taskAskedFor], [...reads, near]),
    ...judgesBy(ofTask, ({ reads }: { readonly reads: readonly Answer[] }) => reads),
    'service.assessment-of-a-task-can-be-read': ({ related }) => {
      if (related.length === 0) throw new NotJudged('No task names an assessment.');
      judgeEach(related, ({ task, assessment }) => {
        // Another status, as for want of a permission, does not show that there is no such assessment.
        if (assessment.status !== 404) return requireAccepted(assessment);
        throw unlikeStatus(
          'the assessment whose id is the assessment_id of a task',
          '2xx',
          assessment,
          { on: [task] },
        );
      });
    },
  },
  observes: {
    'service.task-agrees-with-its-assessment': ({ related }) =>
      related
        .filter(({ assessment }) => assessment.succeeded && assessment.object !== undefined)
        .flatMap(({ task, assessment }) =>
          sharedIds
            .filter((field) => typeof task.object?.[field] === 'string')
            .map((field) => ({
              field,
              agrees: sameId(task.object?.[field], assessment.object?.[field]),
            })),
        ),

    'get-task.success-status': ({ reads }) =>
      reads.filter(({ succeeded }) => succeeded).map(({ status }) => status),
    'task.status-values': ({ reads }) =>
      tasksIn(reads).flatMap(({ status }) =>
        status === undefined ? [] : [status === null ? null : publicName(`${status}`)],
      ),
    'task.microfrontend-id-form': ({ reads }) =>
      tasksIn(reads).flatMap(({ microfrontend_id: id }) =>
        typeof id === 'string' ? [isUuidShaped(id) ? 'UUID-shaped' : 'another text'] : [],
      ),
    'task.nullable-fields': ({ reads }) => {
      const tasks = tasksIn(reads);
      const fields = taskFields.filter(
        (field) =>
          !nullableByDocument.includes(field) && tasks.some((task) => task[field] === null),
      );
      return fields.length === 0 && tasks.length > 0 ? [null] : fields;
    },
    'task.custom-metadata-contents': ({ reads }) =>
      tasksIn(reads)
        .filter((task) => 'custom_metadata' in task)
        .map((task) => shapeOf(task.custom_metadata)),
    'fields.further-fields': ({ reads }) =>
      tasksIn(reads).flatMap((task) => furtherFields('task', task, taskFields)),
    'interface.answer-headers': ({ reads }) =>
      headerNames(
        'task',
        reads.filter(({ succeeded }) => succeeded),
      ),
  },
});

const twice = scenario({
  name: 'a task is read twice',
  needs: ['task'],
  act: ({ tasks }) => tasks.readTwice(),
  judges: {
    'get-task.changes-nothing': ({ first, second }) => {
      expectSameTask(taskOf(first), taskOf(second), { on: [second, first], when: 'read again' });
    },
  },
});

const otherMethod = scenario({
  name: 'a GET on the path that updates a task',
  needs: ['task'],
  act: ({ api, taskIds }) => api.readUnderUpdate(taskIds[0] ?? ''),
  judges: {},
  observes: {
    'errors.further-statuses': ({ status }) => [{ when: 'GET in place of PUT', status }],
  },
});

export const readingTasks = [everyTask, twice, otherMethod];

/** More assessments than this show nothing new. */
const maxAssessments = 20;

/** The fields that must be the same in two reads: for the others, the document does not show when they change. */
const fieldsWithRules = assessmentFields.filter(
  (field) => !movingFields.some((one) => one === field),
);

/**
 * @param when when it was read again, as a phrase: "after its task was assigned"
 * @throws Violation where an assessment that was read is not found again, or differs in a field of the document's table that
 * has rules
 * @throws Inconclusive where it was not read again for another reason
 */
export function expectSameAssessment(before: Answer, after: Answer, when: string): void {
  if (after.status === 404 || after.status === 410)
    throw unlikeStatus(`an assessment, ${when}`, '2xx', after, { on: [before] });
  requireAccepted(after);
  const field = fieldsWithRules.find(
    (name) => !isDeepStrictEqual(before.object?.[name], after.object?.[name]),
  );
  if (field === undefined) return;
  const [expected, actual] = [shortJson(before.object?.[field]), shortJson(after.object?.[field])];
  throw new Violation({ ...fieldDifference(field, expected, actual, 'assessment'), when }, [
    after,
    before,
  ]);
}

/** A read of an assessment: of the first of these ids under which there is one; undefined where there is none. */
export async function readableAssessment(
  { api }: World,
  ids: readonly (string | null | undefined)[],
): Promise<Answer | undefined> {
  for (const id of ids) {
    const answer = id ? await api.assessment(id) : undefined;
    if (answer?.succeeded && typeof answer.object?.id === 'string') return answer;
  }
  return undefined;
}

type Transition = Observation<'assessment.state-transitions'>;

/**
 * Facts: each field that may change and has changed between two reads; null in place of a field where none has. None where
 * one of the reads carries no assessment.
 */
export function transitions(
  when: Transition['when'],
  before: Answer | undefined,
  after: Answer | undefined,
): Transition[] {
  if (!carriesAssessment(before) || !carriesAssessment(after)) return [];
  const changed = movingFields.filter(
    (name) => !isDeepStrictEqual(before.object[name], after.object[name]),
  );
  return changed.length === 0
    ? [{ when, changes: null }]
    : changed.map((changes) => ({ when, changes }));
}

interface AssessmentRead {
  readonly first: Answer;
  readonly second: Answer;
}

type WorkflowState = (typeof workflowStates)[number];

type Shown = Answer & { readonly object: Readonly<Record<string, unknown>> };

function carriesAssessment(answer: Answer | undefined): answer is Shown {
  return answer?.succeeded === true && answer.object !== undefined;
}

/** The reads, first and second, that carry an assessment; where a state is given, one in this state. */
function shownIn(reads: readonly AssessmentRead[], state?: WorkflowState): Shown[] {
  return bothOf(reads)
    .filter(carriesAssessment)
    .filter(({ object }) => state === undefined || object.workflow_state === state);
}

/** What ASSESSMENT_IDS lacks where no assessment is in these states, as a phrase. */
const lackingStates = (states: readonly WorkflowState[]): string =>
  states.map((state) => `an assessment in the state ${state}`).join(' and ');

/** The reads of assessments in this state. @throws NotConfigured where there is none */
function requireState(reads: readonly AssessmentRead[], state: 'Active' | 'Error'): Shown[] {
  const shown = shownIn(reads, state);
  if (shown.length > 0) return shown;
  throw new NotConfigured('ASSESSMENT_IDS', lackingStates([state]));
}

const firstOf = (reads: readonly AssessmentRead[]): Answer[] => reads.map(({ first }) => first);

const bothOf = (reads: readonly AssessmentRead[]): Answer[] =>
  reads.flatMap(({ first, second }) => [first, second]);

const judgesOfAnswers = judgesBy(ofAssessment, bothOf);

const assessmentAskedFor = 'get-assessment.answers-with-the-assessment-asked-for';

/** Null, and what says no more, as JSON. */
const nothings = ['null', '""', '{}', '[]'];

const everyAssessment = scenario({
  name: 'every configured assessment is read twice',
  needs: ['assessment'],
  // A service that has one answer for all ids shows with a second id.
  shownBy: { 'two-assessments': [assessmentAskedFor] },
  async act({ api, assessmentIds, assessment }) {
    const ids = assessmentIds.slice(0, maxAssessments);
    return await Promise.all(
      ids.map(async (id) => {
        const first = await assessment(id);
        return { first, second: await api.assessment(id) };
      }),
    );
  },
  judges: {
    'get-assessment.answers-with-the-full-assessment': (reads) => {
      for (const { first } of reads) expectFullObject(first, 'assessment', assessmentFields);
    },
    [assessmentAskedFor]: (reads) => judgeBy(ofRead[assessmentAskedFor], firstOf(reads)),
    'get-assessment.changes-nothing': (reads) => {
      for (const { first, second } of reads) {
        if (first.succeeded) expectSameAssessment(first, second, 'read again');
      }
      if (shownIn(reads).length === 0) {
        throw new Inconclusive('No answer carried an assessment to look at.', firstOf(reads));
      }
    },
    'assessment.error-fields-set-on-error': (reads) => {
      for (const answer of requireState(reads, 'Error')) {
        if (errorsIn(answer).length > 0) continue;
        const expected = errorFields.join(', ');
        throw new Violation(other('shows no error field', { expected }), [answer]);
      }
    },
    ...judgesOfAnswers,
    'assessment.error-fields-null-without-error': (reads) => {
      requireState(reads, 'Active');
      judgesOfAnswers['assessment.error-fields-null-without-error']?.(reads);
      const cancelled = shownIn(reads, 'Cancelled');
      // A cancelled assessment may keep an error from before. What is empty is none: it should be null.
      const withoutError = cancelled.filter(({ object }) =>
        errorFields.every((field) => nothings.includes(shortJson(object[field] ?? null))),
      );
      for (const answer of withoutError) expectNoError(answer);
      if (cancelled.length === 0)
        throw new PartNotConfigured('ASSESSMENT_IDS', lackingStates(['Cancelled']));
    },
    'assessment.workflow-state': (reads) => {
      judgesOfAnswers['assessment.workflow-state']?.(reads);
      const missing = workflowStates.filter((state) => shownIn(reads, state).length === 0);
      if (missing.length > 0) throw new PartNotConfigured('ASSESSMENT_IDS', lackingStates(missing));
    },
  },
  observes: {
    'assessment.error-fields-when-cancelled': (reads) =>
      shownIn(reads, 'Cancelled').map((one) => (errorsIn(one).length === 0 ? 'null' : 'set')),
    'assessment.state-transitions': (reads) =>
      reads.flatMap(({ first, second }) => transitions('read again', first, second)),
    'get-assessment.success-status': (reads) =>
      reads.filter(({ first }) => first.succeeded).map(({ first }) => first.status),
    'assessment.error-field-types': (reads) =>
      shownIn(reads).flatMap((one) =>
        errorsIn(one).map((field) => ({ field, shape: shapeOf(one.object[field]) })),
      ),
    'fields.further-fields': (reads) =>
      shownIn(reads).flatMap(({ object }) => furtherFields('assessment', object, assessmentFields)),
  },
});

export const readingAssessments = [everyAssessment];
