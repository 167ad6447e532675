import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Mock } from './mocks.ts';

/** How long a mock may take to answer after its start, in milliseconds. */
const longestStartMs = 60_000;

export interface RunningMock {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/**
 * Starts a mock on a free port of this machine.
 * @param folder where the tools are installed; the description is written there
 * @throws Error where the mock does not answer in time, or ends
 */
export async function startMock(mock: Mock, folder: string): Promise<RunningMock> {
  const port = await freePort();
  const file = join(folder, `${mock.tool.name}-${mock.kind}.json`);
  await writeFile(file, JSON.stringify(mock.description));
  const [program, ...args] = mock.command(join(folder, 'node_modules/.bin'), file, port);
  const child = spawn(program, args, { cwd: folder, stdio: 'ignore' });
  const baseUrl = `http://127.0.0.1:${port}/v5`;
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
  };
  try {
    await answers(baseUrl, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { baseUrl, stop };
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  const latest = performance.now() + longestStartMs;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`It ended with exit code ${child.exitCode}.`);
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    if (performance.now() > latest) throw new Error(`It does not answer at ${url}.`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  return address.port;
}
