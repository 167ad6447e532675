import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { emptyFolder, type Started, startCommand } from '../contract/process.fixture.ts';
import { type SharedTarget, shareTarget } from '../contract/shared-target.fixture.ts';

// The command as a person uses it who works on a mock, in a process of its own.

const slow = { timeout: 60_000 };
const unknownTask = 'get-task.unknown-task-is-404';

interface Watched {
  readonly watching: Started;
  readonly target: SharedTarget;
  /** Saves the file that is watched. */
  save(): Promise<void>;
  /** Whether the mock takes any id for one that it knows. */
  isWrong: boolean;
}

/** Watches a mock that begins wrong. */
async function watchMock(only: string): Promise<Watched> {
  const folder = await emptyFolder();
  const file = join(folder, 'mock.js');
  const save = () => writeFile(file, `// ${performance.now()}`);
  await save();
  const target = await shareTarget(folder, async (request, handle) => {
    const response = await handle(request);
    const isHidden = watched.isWrong && request.method === 'GET' && response.status === 404;
    return isHidden ? { ...response, status: 200, body: '{}' } : response;
  });
  const args = ['watch', 'mock.js', '--only', only];
  const watching = startCommand(args, folder, target.variables);
  const watched: Watched = { watching, target, save, isWrong: true };
  return watched;
}

test('a file changes: what that fixed is printed', slow, async () => {
  const watched = await watchMock(unknownTask);
  const { watching, save } = watched;
  await watching.says(`Violations (1)\n  ${unknownTask}: `);
  watched.isWrong = false;
  await save();
  await watching.says(`violated → upheld: ${unknownTask}\n`);
  watching.signal('SIGINT');
  const { stdout, code } = await watching.ended;
  expect(stdout).toMatch(/^Watching mock\.js\. Press Enter to run again; Ctrl-C ends/);
  expect(stdout).toMatch(/\n\d\d:\d\d:\d\d {2}mock\.js changed\n/);
  expect(stdout).toMatch(/\nEverything is put back\.\n$/);
  expect(code).toBe(0);
});

describe('a line is typed:', () => {
  test('an empty one runs the same again', slow, async () => {
    const { watching } = await watchMock(unknownTask);
    await watching.says(`Violations (1)\n  ${unknownTask}: `);
    watching.type('');
    await watching.says('  Changed   nothing\n  Violated  1 clause\n');
  });

  test('a clause is run alone, and what names none is explained', slow, async () => {
    const { watching } = await watchMock(unknownTask);
    await watching.says(`Violations (1)\n  ${unknownTask}: `);
    watching.type('get-taks.success');
    await watching.says('No clause and no scenario matches "get-taks.success". Did you mean ');
    watching.type('get-assessment.unknown');
    await watching.says('New violations (1)\n  get-assessment.unknown-assessment-is-404: ');
    watching.type('');
    await watching.says('  Violated  2 clauses\n');
  });
});

test('Ctrl-C in the middle of a run puts everything back', slow, async () => {
  const { watching, target } = await watchMock('conflict.');
  const before = await target.assignments();
  await watching.says('CONFORMANT');
  const sent = target.requests();
  watching.type('unassign.');
  await expect.poll(() => target.requests(), { timeout: 50_000 }).toBeGreaterThan(sent + 12);
  watching.signal('SIGINT');
  const { stderr, code } = await watching.ended;
  expect(code).toBe(0);
  expect(stderr).not.toContain('NOT PUT BACK');
  expect(await target.assignments()).toEqual(before);
});

test('a mock that is down is waited for', slow, async () => {
  const { target } = await watchMock(unknownTask);
  const folder = await emptyFolder();
  const variables = { ...target.variables, BASE_URL: 'http://127.0.0.1:9/v5' };
  const watching = startCommand(['watch'], folder, variables);
  await watching.says('Waiting for http://127.0.0.1:9/v5 to answer …\n');
  watching.signal('SIGTERM');
  expect((await watching.ended).code).toBe(0);
});

describe('it does not begin', () => {
  test.for([
    [['watch', 'nothing.js'], {}, 'There is no file or folder "nothing.js".'],
    [['watch'], {}, 'Give the address of the mock: --base-url http://localhost:4010/v5'],
    [
      ['watch', '--base-url', 'http://localhost:4010/v5'],
      {},
      'API_KEY: missing; with BASE_URL set',
    ],
  ] as const)('%j', slow, async ([args, variables, why]) => {
    const { stderr, code } = await startCommand(args, await emptyFolder(), variables).ended;
    expect(stderr).toContain(why);
    expect(code).toBe(2);
  });
});
