import { taskOf } from '../helpers/tasks/task-answer.ts';
import type { Seen } from '../runner/scenario.ts';
import { assignmentSchema } from '../schemas/assignment.ts';
import { furtherFields } from './further-fields.ts';
import { nameOf } from './shapes.ts';
import { assignsAnew, type Step, unassigns } from './steps.ts';
import type { Steps } from './write-judges.ts';

/** Observes every write that was accepted. */
const ofAccepted =
  (look: (step: Step) => Seen) =>
  ({ steps }: Steps) =>
    steps.filter(({ answer }) => answer.succeeded).map(look);

/** The same, but for the first write: what it finds was made by others, some time before. */
const ofSettled =
  (look: (step: Step) => Seen) =>
  ({ steps }: Steps) =>
    ofAccepted(look)({ steps: steps.slice(1) });

function kindOf(step: Step): 'assigned' | 'reassigned' | 'unassigned' {
  if (unassigns(step)) return 'unassigned';
  return assignsAnew(step) ? 'assigned' : 'reassigned';
}

/** What accepted writes do to the fields whose rules are not shown (Task, Endpoints). */
export const observesWrites = {
  'update.success-status': ofAccepted(({ answer }) => answer.status),
  'task.data-version-rules': ofSettled(({ before, read }) => {
    const { data_version: after } = taskOf(read);
    if (typeof after !== 'number' || typeof before.data_version !== 'number') return 'no number';
    const step = after - before.data_version;
    if (step === 0) return 'stays on a write';
    return step === 1 ? 'one more on a write' : 'moves on a write';
  }),
  'task.locked-at-rules': ofSettled(({ before, read }) => {
    const { locked_at: after, updated_at: version } = taskOf(read);
    if (after === before.locked_at) return 'stays on a write';
    if (after === null) return 'becomes null on a write';
    return after === version ? 'is updated_at after a write' : 'moves on a write';
  }),
  'task.status-transitions': ofSettled((step) => {
    const { status } = taskOf(step.read);
    const is = status === step.before.status ? 'stays' : `becomes ${nameOf(String(status))}`;
    return `${kindOf(step)}: ${is}`;
  }),
  'fields.further-fields': ({ steps }: Steps) =>
    steps
      .filter(({ answer, to }) => answer.succeeded && to !== null)
      .flatMap(({ answer }) =>
        furtherFields('assignment', answer.object?.assignment, assignmentSchema.required),
      ),
};
