import type { Answer } from '../helpers/http/answer.ts';
import { NotJudged } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import { isUuidShaped, sameId, taskFields } from '../schemas/resources.ts';
import { judgeBy, judgesBy, ofRead, ofTask } from './answers.ts';
import { expectSameTask, readAgain } from './comparing-tasks.ts';
import { expectFullObject, judgeEach, requireAccepted, unlikeStatus } from './expectations.ts';
import { nearTo } from './refusals.ts';
import { furtherFields, headerNames, publicName, shapeOf } from './shapes.ts';

/* 2. Retrieve a task, and the tables Task and Assignment. */

/** More tasks than this show nothing new. */
const maxTasks = 20;

const nullableByDocument: readonly string[] = ['assignment', 'custom_metadata', 'name'];

interface TasksRead {
  readonly reads: readonly Answer[];
  /** Of an id near the first one. */
  readonly near: Answer;
  readonly related: readonly Related[];
}

function tasksIn(reads: readonly Answer[]): Readonly<Record<string, unknown>>[] {
  return reads.flatMap(({ succeeded, object }) => (succeeded && object ? [object] : []));
}

/** Of how many tasks the assessments are read: more show nothing new. */
const maxRelated = 3;

/** Fields that both a task and its assessment have: whether their values agree is observed. */
const sharedIds = ['entity_id', 'institution_id', 'workflow_instance_id'] as const;

interface Related {
  readonly task: Answer;
  readonly assessment: Answer;
}

/** The assessments that the first tasks name, each read once, with a task that names it. */
async function assessmentsOf(
  tasks: readonly Answer[],
  { assessment: readAssessment }: Pick<World, 'assessment'>,
): Promise<Related[]> {
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

const answersWithAskedId = 'get-task.answers-with-the-task-asked-for';

const everyTask = scenario({
  name: 'every configured task is read, and the assessments that some of them name',
  needs: ['task'],
  // A service that has one answer for all ids shows with a second id.
  shownBy: { 'two-tasks': [answersWithAskedId] },
  async act(world): Promise<TasksRead> {
    const { api, taskIds } = world;
    const ids = taskIds.slice(0, maxTasks);
    const nearby = api.task(nearTo(ids[0] ?? ''));
    const reads = await Promise.all(ids.map((id) => api.task(id)));
    return { reads, near: await nearby, related: await assessmentsOf(reads, world) };
  },
  judges: {
    'get-task.answers-with-the-full-task': ({ reads }) => {
      for (const answer of reads) expectFullObject(answer, 'task', taskFields);
    },
    [answersWithAskedId]: ({ reads, near }) =>
      judgeBy(ofRead[answersWithAskedId], [...reads, near]),
    ...judgesBy(ofTask, ({ reads }: TasksRead) => reads),
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
      expectSameTask(taskOf(first), taskOf(second), { on: [second, first], when: readAgain });
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
