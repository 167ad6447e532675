import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { claimTasks, isRunning } from './journal.ts';

const soon = '2100-01-01T00:00:00.000Z';
const own = { host: 'here', pid: process.pid, startedAt: '2026-11-05T09:30:00.000Z' };
const other = {
  format: 1,
  baseUrl: 'https://eu.staging.example/v5',
  taskIds: [],
  host: 'here',
  // The process that started this one is there as long as this one is.
  pid: process.ppid,
  startedAt: '2026-11-05T09:00:00.000Z',
  endsBy: '2026-11-05T10:00:00.000Z',
} as const;
/** No system gives out so high a number. */
const nobody = 2 ** 30;

test.for([
  ['whose process is there', {}, true],
  ['whose process is gone', { pid: nobody }, false],
  ['on another machine, before its end', { host: 'there', pid: nobody }, true],
  [
    'on another machine, after its end',
    { host: 'there', endsBy: '2026-11-05T09:29:59.999Z' },
    false,
  ],
  ['whose number another process has by now', { endsBy: '2026-11-05T09:29:59.999Z' }, false],
  ['of the own number, as in a container', { pid: process.pid }, false],
  ['of this process', { pid: process.pid, startedAt: soon, endsBy: soon }, true],
] as const)('a run %s', ([, more, expected]) => {
  expect(isRunning({ ...other, ...more }, own)).toBe(expected);
});

test('a run on another machine counts as ended for whoever takes over', () => {
  expect(isRunning({ ...other, host: 'there', pid: nobody }, own, true)).toBe(false);
  expect(isRunning(other, own, true)).toBe(true);
});

describe('two runs of one process', () => {
  const target = { kind: 'remote', baseUrl: 'http://127.0.0.1:1/v5' } as const;
  const claim = (journalDir: string, taskIds: readonly string[], options = {}) =>
    claimTasks({ journalDir, target, taskIds }, 60_000, options);
  const emptyFolder = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'contract-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    return folder;
  };

  test('on tasks of their own go on at once', async () => {
    const folder = await emptyFolder();
    await claim(folder, ['a']);
    await claim(folder, ['b']);
    expect(await readdir(folder)).toHaveLength(2);
  });

  test('on the same task: the second is refused', async () => {
    const folder = await emptyFolder();
    await claim(folder, ['a']);
    await expect(claim(folder, ['A', 'b'])).rejects.toThrow(/^Another run is using tasks of /);
    expect(await readdir(folder)).toHaveLength(1);
  });

  test('on the same task, in turn: the second waits for the end of the first', async () => {
    const folder = await emptyFolder();
    const first = await claim(folder, ['a']);
    const order: string[] = [];
    const second = claim(folder, ['a'], {
      onWait: () => {
        order.push('the first ends');
        void first.file.discard();
      },
    }).then((claim) => {
      order.push('the second begins');
      return claim;
    });
    expect((await second).leftBehind).toEqual([]);
    expect(order).toEqual(['the first ends', 'the second begins']);
  });

  test('a journal that was left with tasks to put back is not waited for', async () => {
    const folder = await emptyFolder();
    const first = await claim(folder, ['a']);
    first.file.leave();
    const { leftBehind } = await claim(folder, ['a']);
    expect(leftBehind.map(({ path }) => path)).toEqual([first.file.path]);
  });
});
