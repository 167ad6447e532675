import type { Answer } from '../helpers/http/answer.ts';
import { NotJudged, PartNotConfigured } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import { isUuidShaped, sameId } from '../schemas/identifier.ts';
import { taskFields } from '../schemas/task.ts';
import { expectSameTask, readAgain } from './comparing-tasks.ts';
import {
  expectAskedFor,
  expectFullObject,
  judgeEach,
  requireAccepted,
  unlikeStatus,
} from './expectations.ts';
import { fieldJudges, jsonAnswerJudges, successes } from './json-answers.ts';
import { furtherFields, headerNames, nameOf, shapeOf } from './shapes.ts';

/*
 * 2. Retrieve a task, and the tables Task and Assignment.
 */

/** More tasks than this show nothing new. */
const maxTasks = 20;

const nullableByDocument: readonly string[] = ['assignment', 'custom_metadata', 'name'];

interface TaskRead {
  readonly id: string;
  readonly answer: Answer;
}

interface TasksRead {
  readonly reads: readonly TaskRead[];
  readonly related: readonly Related[];
}

function tasksIn(reads: readonly TaskRead[]): Readonly<Record<string, unknown>>[] {
  return reads.flatMap(({ answer }) => (answer.succeeded && answer.object ? [answer.object] : []));
}

/** Of so many tasks the assessments are read: more show nothing new. */
const maxRelated = 3;

/** Ids that stand both in a task and in its assessment: whether they agree is observed. */
const sharedIds = ['entity_id', 'institution_id', 'workflow_instance_id'] as const;

interface Related {
  readonly task: Answer;
  readonly assessment: Answer;
}

/** The assessments that some of the tasks name, each read once. */
async function assessmentsOf(
  tasks: readonly Answer[],
  { assessment: read }: Pick<World, 'assessment'>,
): Promise<Related[]> {
  const named = new Map(
    tasks.slice(0, maxRelated).flatMap((task) => {
      const id = task.succeeded ? task.object?.assessment_id : undefined;
      return typeof id === 'string' ? [[id, task] as const] : [];
    }),
  );
  return await Promise.all(
    [...named].map(async ([id, task]) => ({ task, assessment: await read(id) })),
  );
}

const everyTask = scenario({
  name: 'every configured task is read, and the assessments that some of them name',
  needs: ['task'],
  async act(world) {
    const { api, taskIds } = world;
    const ids = taskIds.slice(0, maxTasks);
    const reads = await Promise.all(ids.map(async (id) => ({ id, answer: await api.task(id) })));
    const related = await assessmentsOf(
      reads.map(({ answer }) => answer),
      world,
    );
    return { reads, related };
  },
  judges: {
    'get-task.answers-with-the-full-task': ({ reads }) => {
      for (const { answer } of reads) expectFullObject(answer, 'task', taskFields);
    },
    'get-task.answers-with-the-task-asked-for': ({ reads }) => {
      for (const { id, answer } of reads) expectAskedFor('task', id, answer);
      successes(reads.map(({ answer }) => answer));
      // A service that has one answer for all of them.
      if (reads.length < 2) throw new PartNotConfigured('TASK_IDS', 'a second task');
    },
    ...jsonAnswerJudges(({ reads }: TasksRead) => reads.map(({ answer }) => answer)),
    ...fieldJudges('task', ({ reads }: TasksRead) => reads.map(({ answer }) => answer)),
    'service.assessment-of-a-task-can-be-read': ({ related }) => {
      if (related.length === 0) throw new NotJudged('No task names an assessment.');
      judgeEach(related, ({ task, assessment }) => {
        // What else keeps it from being read, a permission for example, says nothing about whether there is one.
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
      reads.filter(({ answer }) => answer.succeeded).map(({ answer }) => answer.status),
    'task.status-values': ({ reads }) =>
      tasksIn(reads).flatMap(({ status }) =>
        status === undefined ? [] : [status === null ? null : nameOf(`${status}`)],
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
        reads.map(({ answer }) => answer).filter(({ succeeded }) => succeeded),
      ),
  },
});

const twice = scenario({
  name: 'a task is read twice',
  needs: ['task'],
  async act({ tasks }) {
    const { id, answer } = await tasks.reserve();
    return await tasks.readTwice(id, answer);
  },
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
