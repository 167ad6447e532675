import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { emptyFolder, type Started, startCommand } from '../contract/process.fixture.ts';
import { type SharedTarget, shareTarget } from '../contract/shared-target.fixture.ts';
import { living } from '../proof/life.ts';
import { allMotions } from '../proof/motions.ts';
import type { ReferenceOptions } from '../reference/reference.ts';

// Whatever ends a run, every task is as it was before. In processes of their own, ended for good.

/** Three runs, perhaps beside others: how long they take says nothing. */
/** Scenarios that assign, reassign, unassign, and write what must be refused. */
const writing = ['--only', 'conflict.', '--only', 'unassign.', '--only', 'comment.is-on'];

const journals = (folder: string): Promise<string[]> =>
  readdir(join(folder, 'journal')).catch(() => []);

/** Starts a run that is sent this signal when the target gets the n-th request, or has just answered it. */
async function interrupted(
  signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL',
  at: number,
  moment: 'before' | 'after',
  options: Partial<ReferenceOptions> = {},
): Promise<{ target: SharedTarget; folder: string; run: Started; before: readonly unknown[] }> {
  const folder = await emptyFolder();
  let run: Started | undefined;
  const interrupt: Parameters<typeof shareTarget>[1] = async (request, handle, number) => {
    if (number === at && moment === 'before') run?.signal(signal);
    const response = await handle(request);
    if (number === at && moment === 'after') run?.signal(signal);
    return response;
  };
  const target = await shareTarget(folder, interrupt, options);
  const before = await target.assignments();
  run = startCommand(writing, folder, target.variables);
  return { target, folder, run, before };
}

test('a run that ends by itself puts everything back, and leaves no journal', async () => {
  const folder = await emptyFolder();
  let writes = 0;
  const target = await shareTarget(folder, (request, handle) => {
    writes += request.method === 'PUT' ? 1 : 0;
    return handle(request);
  });
  const before = await target.assignments();
  const { stderr, code } = await startCommand(writing, folder, target.variables).ended;
  expect(code).toBe(0);
  expect(await target.assignments()).toEqual(before);
  expect(stderr).toMatch(/All (\d+) tasks that were written to are as they were before\.\n/);
  expect(await journals(folder)).toEqual([]);
  const [, announced = 0] =
    /^http:\S+ answers, and accepts the key\. Found: (?:\d+ of \d+ \w+(?:, )?)+\.\nAbout (\d+) writes to \d+ tasks; everything is put back at the end\.\nEmail goes to \d+ users and \d+ teams, and to whoever the tasks are assigned to now\.\nNo operation looks up users and teams: .*\nCtrl-C ends the run at any time, and puts the tasks back; by itself it ends after \d+ minutes at the latest \(RUN_TIMEOUT_MS\)\.\n/.exec(
      stderr,
    ) ?? [];
  expect(Number(announced) / writes).toBeGreaterThan(0.6);
  expect(Number(announced) / writes).toBeLessThan(1.7);
});

describe('a run that is interrupted puts everything back', () => {
  test.for([
    ['SIGINT', 30, 'before'],
    ['SIGTERM', 41, 'after'],
    ['SIGINT', 52, 'after'],
  ] as const)('%s at request %i', async ([signal, at, moment]) => {
    const { target, folder, run, before } = await interrupted(signal, at, moment);
    const { stdout, stderr, code } = await run.ended;
    expect(stdout).toContain(`The run was interrupted (${signal}).`);
    expect(stderr).toMatch(
      /Interrupted: (waiting for \d+ writes? under way, then )?(\d+) tasks are put back \(\d+ s at the most\)\. Again: stop now, and leave them changed\.\n(?:.|\n)*All \2 tasks that were written to are as they were before\.\n/,
    );
    expect(code).toBe(signal === 'SIGINT' ? 130 : 143);
    expect(await target.assignments()).toEqual(before);
    expect(await journals(folder)).toEqual([]);
  });
});

test('a run on tasks that a workflow moves on puts everything back, and says so', async () => {
  const folder = await emptyFolder();
  const engine = allMotions.filter(({ id }) => id === 'the-engine-moves-tasks-on-after-writes');
  const pace = { unit: 'milliseconds', every: 1000, lag: 150 } as const;
  const options = { answering: living({ motions: engine, pace, seed: 1 }) };
  const target = await shareTarget(folder, undefined, options);
  const before = await target.assignments();
  const variables = { ...target.variables, READ_SETTLE_MS: '400' };
  const { stdout, code } = await startCommand(writing, folder, variables).ended;
  expect(stdout).toMatch(/^CONFORMANT {2}/);
  expect(code).toBe(0);
  expect(await target.assignments()).toEqual(before);
  expect(await journals(folder)).toEqual([]);
});

test('a second signal ends at once, and says how to restore', async () => {
  const folder = await emptyFolder();
  let run: Started | undefined;
  let writes = 0;
  const target = await shareTarget(folder, async (request, handle) => {
    writes += request.method === 'PUT' ? 1 : 0;
    const response = await handle(request);
    // The write is waited for: long enough for a second signal.
    if (writes !== 3 || request.method !== 'PUT') return response;
    run?.signal('SIGINT');
    return await new Promise(() => run?.says('').then(() => run?.signal('SIGTERM')));
  });
  const { BASE_URL = '', ...variables } = target.variables;
  await writeFile(join(folder, 'eu west.env'), `BASE_URL=${BASE_URL}\n`);
  run = startCommand([...writing, '--env', 'eu west.env'], folder, variables);
  const { code, stderr } = await run.ended;
  expect(code).toBeNull();
  expect(stderr).toMatch(/To put them back:\n\n {2}node \S+bin\/contract\.mjs restore --env /);
  expect(stderr).toContain(` restore --env 'eu west.env' --base-url ${BASE_URL}\n`);
  expect(await journals(folder)).toHaveLength(1);
});

test('a signal that is passed on, as npm and nodemon do, is the same one: everything is put back', async () => {
  const folder = await emptyFolder();
  let run: Started | undefined;
  let writes = 0;
  const target = await shareTarget(folder, async (request, handle) => {
    const response = await handle(request);
    if (request.method !== 'PUT') return response;
    writes += 1;
    if (writes !== 3) return response;
    run?.signal('SIGTERM');
    await run?.complains('Interrupted: ');
    run?.signal('SIGTERM');
    return response;
  });
  const before = await target.assignments();
  run = startCommand(writing, folder, target.variables);
  expect((await run.ended).code).toBe(143);
  expect(await target.assignments()).toEqual(before);
  expect(await journals(folder)).toEqual([]);
});

test('a task that cannot be put back stands in page, summary and results, with the command that does it', async () => {
  const folder = await emptyFolder();
  // The last write that it takes is the first of the run.
  let isTaking = true;
  const target = await shareTarget(folder, async (request, handle) => {
    if (request.method !== 'PUT') return await handle(request);
    if (!isTaking) return { status: 403, headers: {}, body: '' };
    const response = await handle(request);
    isTaking = response.status !== 200;
    return response;
  });
  const before = await target.assignments();
  const { stdout, code } = await startCommand(writing, folder, target.variables).ended;
  expect(code).toBeGreaterThan(0);
  const command = `bin/contract.mjs restore --base-url ${target.variables.BASE_URL}`;
  expect(stdout).toMatch(/\nTasks to put back\n.*\n\n.* 1 task could NOT be put back\.\n$/s);
  for (const file of ['index.html', 'summary.md']) {
    const text = await readFile(join(folder, 'reports', file), 'utf8');
    expect(text).toContain('NOT PUT BACK: the write that was to put it back was answered 403');
    expect(text).toContain(command);
  }
  const results = await readFile(join(folder, 'reports', 'results.json'), 'utf8');
  const [left, ...others] = JSON.parse(results).leftChanged;
  expect(left).toMatchObject({
    outcome: 'failed',
    why: { kind: 'not carried out', status: 403 },
  });
  expect(others).toEqual([]);
  isTaking = true;
  expect((await startCommand(['restore'], folder, target.variables).ended).code).toBe(0);
  expect(await target.assignments()).toEqual(before);
});

describe('after a kill', () => {
  test('restore puts everything back, once; behind -- it takes the target from the options of the run', async () => {
    const { target, folder, run, before } = await interrupted('SIGKILL', 50, 'after');
    await run.ended;
    expect(await target.assignments()).not.toEqual(before);
    const { BASE_URL = '', ...others } = target.variables;
    const lines = Object.entries(others).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(join(folder, 'eu west.env'), lines.join(''));
    const ofRun = ['--only', 'comment.', '--env', 'eu west.env', '--base-url', BASE_URL, '--quiet'];
    const first = await startCommand(['restore', '--', ...ofRun], folder).ended;
    expect(first.stdout).toMatch(
      /^All (\d+) tasks that were written to are as they were before\.\n$/,
    );
    expect(first.code).toBe(0);
    expect(await target.assignments()).toEqual(before);
    const second = await startCommand(['restore'], folder, target.variables).ended;
    expect(second.stderr).toMatch(/^Nothing to put back: .* holds no journal of http:/);
    expect(second.code).toBe(0);
  });

  test('restore names tasks as a target does that tells ids apart by case', async () => {
    const rules = { identifier: (uuid: string) => uuid.toUpperCase() };
    const { target, folder, run, before } = await interrupted('SIGKILL', 50, 'after', { rules });
    await run.ended;
    expect(await target.assignments()).not.toEqual(before);
    const { stdout, code } = await startCommand(['restore'], folder, target.variables).ended;
    expect(stdout).toMatch(/^All (\d+) tasks that were written to are as they were before\.\n$/);
    expect(code).toBe(0);
    expect(await target.assignments()).toEqual(before);
  });

  test('the next run puts everything back before it begins', async () => {
    const { target, folder, run, before } = await interrupted('SIGKILL', 50, 'after');
    await run.ended;
    const next = await startCommand(writing, folder, target.variables).ended;
    expect(next.stderr).toMatch(
      /^A run was killed before it could report; .+index\.html\nAll (\d+) tasks that were written to are as they were before\.\n/,
    );
    expect(next.code).toBe(0);
    expect(await target.assignments()).toEqual(before);
    expect(await journals(folder)).toEqual([]);
  });

  test('what somebody else has changed since is left, and reported', async () => {
    const { target, folder, run, before } = await interrupted('SIGKILL', 50, 'after');
    await run.ended;
    const left = await target.assignments();
    const changed = left.findIndex(
      (now, index) => JSON.stringify(now) !== JSON.stringify(before[index]),
    );
    const [taskId = '', userId = ''] = [target.taskIds[changed], target.userIds[1]];
    await target.assign(taskId, userId);
    const theirs = (await target.assignments())[changed];
    const { stdout, code } = await startCommand(['restore'], folder, target.variables).ended;
    expect(stdout).toMatch(
      new RegExp(
        `  ${taskId}: left as it is: since \\S+ it is assigned to user ${userId} \\(“by somebody else”\\), which this run did not write\\. Before: .+\\.\n1 task is left as somebody else has changed it\\.\n$`,
      ),
    );
    expect(code).toBe(0);
    expect(await target.assignments()).toEqual(before.with(changed, theirs));
  });

  test('a journal that was brought from another machine is restored once it is taken over', async () => {
    const { target, folder, run, before } = await interrupted('SIGKILL', 50, 'after');
    await run.ended;
    const brought = await emptyFolder();
    const [name = ''] = await journals(folder);
    const [header = '', ...lines] = (await readFile(join(folder, 'journal', name), 'utf8')).split(
      '\n',
    );
    const elsewhere = JSON.stringify({ ...JSON.parse(header), host: 'a-runner-that-is-gone' });
    await writeFile(join(brought, name), [elsewhere, ...lines].join('\n'));
    await rm(join(folder, 'journal'), { recursive: true });
    const restore = async (...args: string[]) =>
      await startCommand(['restore', '--journal', brought, ...args], folder, target.variables)
        .ended;

    const refused = await restore();
    expect(refused.stderr).toContain('on a-runner-that-is-gone, since ');
    expect(refused.stderr).toMatch(
      /bin\/contract\.mjs restore --base-url http:\S+\/v5 --take-over\n/,
    );
    expect(refused.code).toBe(2);
    expect(await target.assignments()).not.toEqual(before);

    expect((await restore('--take-over')).code).toBe(0);
    expect(await target.assignments()).toEqual(before);
    expect(await readdir(brought)).toEqual([]);
  });

  test('a run with a wrong key keeps the journal, and says what is wrong', async () => {
    const { target, folder, run, before } = await interrupted('SIGKILL', 50, 'after');
    await run.ended;
    const wrong = { ...target.variables, API_KEY: 'another-key' };
    const next = await startCommand(writing, folder, wrong).ended;
    expect(next.stderr).toContain('The target answers 401: is API_KEY valid for it');
    expect(next.code).toBe(2);
    expect((await startCommand(['restore'], folder, target.variables).ended).code).toBe(0);
    expect(await target.assignments()).toEqual(before);
  });

  test('a run that cannot put back what was left does so at its end, or leaves it', async () => {
    let takesWrites = true;
    const refuse = { status: 403, headers: {}, body: '' };
    const folder = await emptyFolder();
    let first: Started | undefined;
    const target = await shareTarget(folder, async (request, handle, number) => {
      const isRefused = request.method === 'PUT' && !takesWrites;
      const response = isRefused ? refuse : await handle(request);
      if (number === 50) first?.signal('SIGKILL');
      return response;
    });
    const before = await target.assignments();
    first = startCommand(writing, folder, target.variables);
    await first.ended;
    const left = await target.assignments();
    expect(left).not.toEqual(before);
    takesWrites = false;
    await startCommand(writing, folder, target.variables).ended;
    expect(await target.assignments()).toEqual(left);
    takesWrites = true;
    await startCommand(writing, folder, target.variables).ended;
    expect(await target.assignments()).toEqual(before);
    expect(await journals(folder)).toEqual([]);
  });

  test('a target that is down keeps the journal, and the exit code says so', async () => {
    const { target, folder, run, before } = await interrupted('SIGKILL', 50, 'after');
    await run.ended;
    const down = { ...target.variables, API_KEY: 'another-key' };
    const { stdout, code } = await startCommand(['restore'], folder, down).ended;
    expect(stdout).toContain('NOT PUT BACK: the task cannot be read: GET /tasks/{id} gave 401 (#');
    expect(code).toBe(2);
    await startCommand(['restore'], folder, target.variables).ended;
    expect(await target.assignments()).toEqual(before);
  });
});

test('of two runs at once on the same tasks the second gives way', async () => {
  const folder = await emptyFolder();
  const ended: Promise<{ code: number | null; stderr: string }>[] = [];
  const target = await shareTarget(folder, async (request, handle, number) => {
    const response = await handle(request);
    // In the middle of the first run, which waits for this answer.
    if (number === 30) {
      ended.push(startCommand(writing, folder, target.variables).ended);
      await ended[0];
    }
    return response;
  });
  const variables = { ...target.variables, REQUEST_TIMEOUT_MS: '30000' };
  const first = await startCommand(writing, folder, variables).ended;
  expect(first.code).toBe(0);
  const second = await ended[0];
  expect(second?.code).toBe(2);
  expect(second?.stderr).toMatch(
    /^Another run is using tasks of http:\S+: process \d+ on \S+, since \S+\.\nIt ends by \S+ at the latest\. Wait for it, or set other TASK_IDS\.\n/,
  );
});

test('what somebody else changes during a run is not blamed on the target, and stays', async () => {
  const folder = await emptyFolder();
  let theirs = '';
  let target: SharedTarget | undefined;
  let changed = '';
  target = await shareTarget(folder, async (request, handle) => {
    // Just before the first write to a task, after it was read.
    const taskId = /tasks\/([^/]+)\/update-assignment$/.exec(request.target)?.[1];
    const isOwn = target?.taskIds.includes(taskId ?? '') === true;
    if (request.method === 'PUT' && taskId !== undefined && isOwn && changed === '') {
      changed = taskId;
      theirs = target?.userIds[1] ?? '';
      await target?.assign(taskId, theirs);
    }
    return await handle(request);
  });
  const before = await target.assignments();
  const args = ['--only', 'task.updated-at-is-the-version'];
  const { stdout, stderr, code } = await startCommand(args, folder, target.variables).ended;
  expect(stdout).toMatch(/^CONFORMANT {2}/);
  expect(code).toBe(0);
  const index = target.taskIds.indexOf(changed);
  const by = { assigned_to_id: theirs, assignment_comment: 'by somebody else' };
  expect((await target.assignments())[index]).toMatchObject(by);
  expect(await target.assignments()).toEqual(
    before.with(index, (await target.assignments())[index]),
  );
  expect(stderr).toContain(`${changed}: put back: somebody else has changed it during the run`);
});
