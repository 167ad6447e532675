import type { Answer } from '../helpers/http/answer.ts';
import { Inconclusive, NotConfigured } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { Task } from '../schemas/task.ts';
import { expectUnchanged, isChanged } from './comparing-tasks.ts';
import { requireAccepted } from './expectations.ts';
import { expectSameAssessment, transitions } from './reading-assessments.ts';
import { newComment } from './writes.ts';

/*
 * States and transitions: where a task is assigned, no other task and no assessment changes with that. What becomes of the
 * task itself, in all transitions, is judged in sequences.ts.
 */

/** A read of the task's assessment, or else of the first configured one; undefined where neither succeeds. */
async function readableAssessment(
  { api, assessmentIds }: World,
  { assessment_id: own }: Task,
): Promise<Answer | undefined> {
  for (const id of [...(own === null ? [] : [own]), ...assessmentIds.slice(0, 1)]) {
    const answer = await api.assessment(id);
    if (answer.succeeded && typeof answer.object?.id === 'string') return answer;
  }
  return undefined;
}

const otherTask = scenario({
  name: 'assigning one task leaves another as it was',
  needs: ['two-writable-tasks', 'user'],
  async act(world) {
    const { api, tasks, user, actor: by } = world;
    // Other writes would hide what this one changes, where each write changes other tasks.
    await world.othersAreDone();
    const [task, related] = await tasks.two();
    const attempt = async (before: Task) => {
      const current = await tasks.read(task.id);
      const assessed = await readableAssessment(world, current);
      const { answer } = await tasks.assign(current, user(), { by, comment: newComment(world) });
      // `look` waits until reads show the write: the next read shows what else it changed.
      const [assessedAfter] = await Promise.all([
        assessed && api.assessment(String(assessed.object?.id)),
        answer.succeeded && tasks.look(task.id),
      ]);
      const { answer: read } = await tasks.look(before.id);
      return { answer, before, read, assessed, assessedAfter };
    };
    // Assigned to the same user, with another comment: a service that updates tasks by assignee is found out.
    const assigned = await tasks.bringTo(related, user(), { comment: newComment(world) });
    return await tasks.trial(assigned, attempt, isChanged);
  },
  judges: {
    'states.only-the-assignment-changes': ({ answer, assessed, assessedAfter }) => {
      requireAccepted(answer);
      if (assessed === undefined || assessedAfter === undefined) {
        throw new NotConfigured('ASSESSMENT_IDS', 'an assessment that can be read');
      }
      if (!assessedAfter.succeeded || assessedAfter.object?.id !== assessed.object?.id) {
        throw new Inconclusive('The assessment could not be read again after the write.', [
          assessedAfter,
        ]);
      }
      expectSameAssessment(assessed, assessedAfter, {
        on: [answer],
        when: 'after its task was assigned',
      });
    },
    'update.keeps-other-tasks': ({ answer, before, read }) => {
      expectUnchanged(before, taskOf(read), {
        on: [read, answer],
        when: 'after another task was assigned',
      });
      requireAccepted(answer);
    },
  },
  observes: {
    'assessment.state-transitions': ({ answer, assessed, assessedAfter }) =>
      answer.succeeded
        ? transitions('after an assignment of its task', assessed, assessedAfter)
        : [],
  },
});

/** Runs last, when the run has seen every task and knows which tasks are of the same entity. */
export const otherTasks = [otherTask];
