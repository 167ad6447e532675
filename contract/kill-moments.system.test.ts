import { expect, test } from 'vitest';
import { JournalFile, openJournal } from './journal.ts';
import { emptyFolder, type Started, startCommand } from './process.fixture.ts';
import { shareTarget } from './shared-target.fixture.ts';
import { openTarget } from './target.ts';

// A run is killed at one request after another, before the target has carried it out or after; then
// every task is brought back.

const writing = ['--only', 'conflict.', '--only', 'unassign.', '--only', 'comment.is-on'];
const moments = Array.from({ length: 54 }, (_, index) => 16 + index * 2);

interface Killed {
  readonly at: number;
  readonly wasKilled: boolean;
  /** Whether tasks were left changed: where they were not, there was nothing to restore. */
  readonly leftChanged: boolean;
  readonly said: string;
  readonly restored: unknown;
  readonly before: unknown;
}

async function killAndRestore(at: number): Promise<Killed> {
  const folder = await emptyFolder();
  let run: Started | undefined;
  const kill = (number: number, even: boolean): void => {
    if (number === at && (at % 4 === 0) === even) run?.signal('SIGKILL');
  };
  const target = await shareTarget(folder, async (request, handle, number) => {
    kill(number, true);
    const response = await handle(request);
    kill(number, false);
    return response;
  });
  const before = await target.assignments();
  run = startCommand(writing, folder, target.variables);
  const { code } = await run.ended;
  const left = await target.assignments();
  return {
    at,
    wasKilled: code === null,
    leftChanged: JSON.stringify(left) !== JSON.stringify(before),
    said: await restore(target.variables),
    restored: await target.assignments(),
    before,
  };
}

/** As the command does, and as the next run does before its first scenario; here without another process. */
async function restore(variables: Record<string, string>): Promise<string> {
  const target = await openTarget(variables);
  let said = '';
  const journal = await openJournal(target, (text) => {
    said += text;
  });
  if (journal instanceof JournalFile) await journal.discard();
  await target.close();
  return said;
}

test('whenever a run is killed, every task is brought back', { timeout: 600_000 }, async () => {
  const killed: Killed[] = [];
  const waiting = [...moments];
  const sweep = async (): Promise<void> => {
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
      killed.push(await killAndRestore(at));
    }
  };
  // Processes of their own wait more than they work.
  await Promise.all([sweep(), sweep(), sweep()]);
  for (const { at, wasKilled, restored, before, said } of killed) {
    expect(wasKilled, `the run was over before request ${at}`).toBe(true);
    expect(restored, `killed at request ${at}: ${said}`).toEqual(before);
  }
  // Otherwise it would have shown nothing.
  expect(killed.filter(({ leftChanged }) => leftChanged).length).toBeGreaterThan(30);
});
