import { taskOf } from '../helpers/tasks/task-answer.ts';
import { assignmentSchema } from '../schemas/assignment.ts';
import type { Observation } from '../schemas/observations.ts';
import { furtherFields, nameOf } from './shapes.ts';
import { assignsAnew, type Step, unassigns } from './steps.ts';
import type { Steps } from './write-judges.ts';

/** Observes every write that was accepted. */
const ofAccepted =
  <Fact>(look: (step: Step) => Fact) =>
  ({ steps }: Steps): Fact[] =>
    steps.filter(({ answer }) => answer.succeeded).map(look);

/** The same, but for the first write: what it finds was made by others, some time before. */
const ofSettled =
  <Fact>(look: (step: Step) => Fact) =>
  ({ steps }: Steps): Fact[] =>
    ofAccepted(look)({ steps: steps.slice(1) });

type StatusTransition = Observation<'task.status-transitions'>;

function kindOf(step: Step): StatusTransition['when'] {
  if (unassigns(step)) return 'unassigned';
  return assignsAnew(step) ? 'assigned' : 'reassigned';
}

/** What accepted writes do to the fields whose rules are not shown (Task, Endpoints). */
export const observesWrites = {
  'update.success-status': ofAccepted(({ answer }) => answer.status),
  'task.data-version-rules': ofSettled(
    ({ before, read }): Observation<'task.data-version-rules'> => {
      const { data_version: after } = taskOf(read);
      if (typeof after !== 'number' || typeof before.data_version !== 'number') return 'no number';
      const step = after - before.data_version;
      if (step === 0) return 'stays';
      return step === 1 ? 'one more' : 'changes';
    },
  ),
  'task.locked-at-rules': ofSettled(({ before, read }): Observation<'task.locked-at-rules'> => {
    const { locked_at: after, updated_at: version } = taskOf(read);
    if (after === before.locked_at) return 'stays';
    if (after === null) return 'becomes null';
    return after === version ? 'becomes updated_at' : 'changes';
  }),
  'task.status-transitions': ofSettled((step): StatusTransition => {
    const { status } = taskOf(step.read);
    const becomes = status === step.before.status ? null : nameOf(String(status));
    return { when: kindOf(step), becomes };
  }),
  'fields.further-fields': ({ steps }: Steps) =>
    steps
      .filter(({ answer, to }) => answer.succeeded && to !== null)
      .flatMap(({ answer }) =>
        furtherFields('assignment', answer.object?.assignment, assignmentSchema.required),
      ),
};
