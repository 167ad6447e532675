import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { readSettings } from '../helpers/config/read-settings.ts';
import type { Task } from '../schemas/resources.ts';
import { claimTasks, isRunning, JournalFile, openJournal } from './journal.ts';
import { emptyFolder } from './process.fixture.ts';

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

test.for([
  ['canary-key', 'Mind canary-key!', false],
  // A word that is a name of a field in the journal too.
  ['task', 'Mind the gap', true],
  // So short a key stands in any text by chance.
  ['k', 'A key', true],
] as const)('with the key %j, the comment %j may be noted: %j', async ([key, comment, isNoted]) => {
  const JOURNAL_DIR = await emptyFolder();
  const variables = { BASE_URL: 'http://127.0.0.1:1/v5', API_KEY: key, JOURNAL_DIR };
  const target = { settings: readSettings(variables, 1), send: neverSend };
  const journal = await openJournal(target, () => {});
  const assignment = { assigned_to_id: 'a', assignment_comment: comment };
  // The journal looks at no other field of a task.
  const task = { updated_at: '2026-01-01T00:00:00Z', assignment } as unknown as Task;
  const noted = journal.of('7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11').remember(task);
  if (isNoted) await noted;
  else await expect(noted).rejects.toThrow(/ holds the API key\. It is not written down/);
  if (journal instanceof JournalFile) await journal.discard();
});

function neverSend(): never {
  throw new Error('Nothing is to be sent.');
}
