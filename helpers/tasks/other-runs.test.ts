import { expect, test } from 'vitest';
import { isRunning } from './other-runs.ts';

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
] as const)('a run %s', ([, more, expected]) => {
  expect(isRunning({ ...other, ...more }, own)).toBe(expected);
});
