import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { isRunning } from './journal.ts';

const run = {
  format: 1,
  baseUrl: 'https://eu.staging.example/v5',
  taskIds: [],
  host: 'here',
  startedAt: '2026-11-05T09:00:00.000Z',
  endsBy: '2026-11-05T10:00:00.000Z',
} as const;
const own = { host: 'here', pid: process.pid, startedAt: '2026-11-05T09:30:00.000Z' };

test.runIf(process.platform === 'linux')(
  'a run whose process has ended is over, though nobody has taken note of it',
  async () => {
    // The shell's child ends soon; the shell, which by then has become `sleep`, never asks for it.
    const parent = spawn('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void parent.kill());
    const pid = Number((await once(parent.stdout, 'data')).toString());
    await expect.poll(() => isRunning({ ...run, pid }, own), { timeout: 50_000 }).toBe(false);
    expect(() => process.kill(pid, 0)).not.toThrow();
  },
);
