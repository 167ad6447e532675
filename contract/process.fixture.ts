import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const repository = fileURLToPath(new URL('..', import.meta.url));
const command = join(repository, 'bin/contract.mjs');
const vitest = join(repository, 'node_modules/vitest/vitest.mjs');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly ended: Promise<Ended>;
  /** Resolves when the standard output holds the text. */
  says(text: string): Promise<void>;
  /** Resolves when the standard error does. */
  complains(text: string): Promise<void>;
  signal(name: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGKILL'): void;
}

/** A clause that few requests judge, for runs of which only the course matters. */
export const oneClause = 'get-assessment.unknown-assessment-is-404';

/** An empty folder, for the time of a test. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'contract-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts the command as a person does, with these variables and no others, in this folder. */
export function startCommand(
  args: readonly string[],
  folder: string,
  variables: Record<string, string> = {},
): Started {
  return start([command, ...args], folder, variables);
}

/** Starts Vitest in the repository. */
export function startVitest(
  args: readonly string[],
  variables: Record<string, string> = {},
): Started {
  return start([vitest, ...args], repository, variables);
}

/** Starts Vitest on the contract. */
export function startContract(args: readonly string[], variables: Record<string, string>): Started {
  return startVitest(['run', '--project', 'contract', ...args], variables);
}

/** Starts Node on a program, with these variables and no others, in this folder. */
export function start(
  args: readonly string[],
  cwd: string,
  variables: Record<string, string> = {},
): Started {
  const { PATH, HOME, TMPDIR } = process.env;
  // As `npm run contract` starts it.
  const child = spawn(process.execPath, ['--max-semi-space-size=32', ...args], {
    cwd,
    env: { PATH, HOME, TMPDIR, NO_COLOR: '1', ...variables },
    stdio: 'pipe',
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  const shows = (stream: Readable, text: string, sofar: () => string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (sofar().includes(text)) resolve();
      };
      stream.on('data', look);
      look();
      void ended.then(() => reject(new Error(`It ended without saying "${text}": ${stderr}`)));
    });
  return {
    ended,
    says: (text) => shows(child.stdout, text, () => stdout),
    complains: (text) => shows(child.stderr, text, () => stderr),
    signal: (name) => {
      child.kill(name);
    },
  };
}
