import { afterAll, beforeAll, describe, inject, type RunnerTask, test } from 'vitest';
import { environment } from '../helpers/config/environment.ts';
import { type AnyScenario, isWriting } from '../runner/scenario.ts';
import { type ClauseId, clauseOf } from '../schemas/clauses.ts';
import { selectByPattern, TestRun, titleOf } from '../vitest/test-run.ts';
import { scenarios } from './index.ts';

// One test for each scenario and clause: -t, tags, reporters, --ui and watch mode then work as for any other test.
// Nothing is opened while tests are collected. All scenarios run together; each `describe` waits for its own, outside
// of its tests.

// Missing where tests are only listed.
const pattern: string | undefined = inject('testNamePattern');
const selected = selectByPattern(scenarios, pattern ?? '');
let run: TestRun | undefined;

// biome-ignore lint/correctness/noEmptyPattern: Vitest takes no other first parameter
beforeAll(async ({}, file) => {
  const wanted = file.tasks.filter(isToRun).map(({ name }) => name);
  const chosen = selected
    .map(({ scenario }) => scenario)
    .filter(({ name }) => wanted.includes(name));
  run = await TestRun.open(environment, { scenarios: chosen });
  await run.begin();
  run.start(chosen);
});

for (const { scenario, clauses } of selected) {
  describe.concurrent(scenario.name, () => {
    beforeAll(async () => await run?.isDone(scenario));
    for (const id of clauses) {
      test(titleOf(id), { tags: tagsOf(scenario, id) }, async (context) => {
        await run?.judge(id, [scenario], context);
      });
    }
  });
}

afterAll(async () => await run?.end());

function tagsOf(scenario: AnyScenario, id: ClauseId): string[] {
  const { level } = clauseOf(id);
  return isWriting(scenario) ? [level, 'writes'] : [level];
}

/** Whether Vitest was asked for it, by its name, a tag or `only`. */
function isToRun(task: RunnerTask): boolean {
  return task.type === 'suite' ? task.tasks.some(isToRun) : task.mode === 'run';
}
