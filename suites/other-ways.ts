import type { Caller } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { Inconclusive } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { type AnyScenario, type Need, scenario } from '../runner/scenario.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import type { Task } from '../schemas/task.ts';
import { noEvents } from './authentication.ts';
import { expectUnchanged } from './comparing-tasks.ts';
import { expectStatus, requireTwin } from './expectations.ts';

interface Evidence {
  readonly before: Task;
  /** The write last. */
  readonly refused: readonly Answer[];
  /** By the direct way, to the own region. */
  readonly read: Answer;
}

/** All four operations, asked by another way than the direct one to the own region. */
function elsewhere(
  name: string,
  need: Need,
  clause: JudgedClause,
  caller: Caller,
  how: string,
): AnyScenario {
  return scenario({
    name,
    needs: ['writable-task', 'user', 'assessment', need],
    async act({ api, tasks, user, actor: by, assessmentIds }) {
      const before = await tasks.any();
      const assessment = assessmentIds[0] ?? '';
      const refused = [
        await api.task(before.id, caller),
        await api.assessment(assessment, caller),
        await api.export(noEvents, caller),
        await api.assign(before, user(), { by, comment: 'from elsewhere' }, caller),
      ];
      const read = await api.task(before.id);
      return { before, refused, read };
    },
    judges: {
      [clause]: ({ refused, read }: Evidence) => {
        requireTwin(read, 'the same request to the own region by the direct way');
        for (const answer of refused) expectStatus(answer, 401, how);
      },
      'auth.refusal-changes-nothing': ({ before, refused, read }: Evidence) => {
        if (refused.at(-1)?.status !== 401)
          throw new Inconclusive('The write was not refused with 401.');
        expectUnchanged('the task after a write that was answered with 401', before, taskOf(read), {
          on: [read, ...refused.slice(-1)],
        });
      },
    },
  });
}

export const otherWays = [
  elsewhere(
    'the key of one region at another answers 401',
    'other-region',
    'auth.wrong-region-is-401',
    { region: 'other' },
    'at the address of another region',
  ),
  elsewhere(
    'a request from an address that is not allowed answers 401',
    'blocked-route',
    'auth.blocked-address-is-401',
    { route: 'blocked' },
    'from an address that is not on the allow list',
  ),
];
