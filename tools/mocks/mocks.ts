import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { description } from '../openapi/description.ts';

/** A maker of mocks, at the version that the table is about. */
export interface Tool {
  readonly name: string;
  readonly packageName: string;
  readonly version: string;
}

const prism: Tool = { name: 'Prism', packageName: '@stoplight/prism-cli', version: '5.14.2' };
const mockoon: Tool = { name: 'Mockoon', packageName: '@mockoon/cli', version: '9.9.0' };

export const tools: readonly Tool[] = [prism, mockoon];

/** A mock that a tool makes of the description. */
export interface Mock {
  readonly tool: Tool;
  /** `static`: from the examples of the description. `dynamic`: made up, by its schemas. */
  readonly kind: 'static' | 'dynamic';
  /** The description as the tool understands it. */
  readonly description: object;
  /** @returns the program, in a folder of programs, and its arguments */
  command(bin: string, file: string, port: number): readonly [program: string, ...string[]];
}

const prismCommand =
  (...more: string[]): Mock['command'] =>
  (bin, file, port) => [join(bin, 'prism'), 'mock', '--port', `${port}`, ...more, file];

const mockoonCommand: Mock['command'] = (bin, file, port) => [
  ...([join(bin, 'mockoon-cli'), 'start', '--data', file, '--port', `${port}`] as const),
  ...['--hostname', '127.0.0.1', '--faker-seed', '1', '--disable-admin-api'],
  '--disable-log-to-file',
];

export const mocks: readonly Mock[] = [
  { tool: prism, kind: 'static', description, command: prismCommand() },
  {
    tool: prism,
    kind: 'dynamic',
    description,
    command: prismCommand('--dynamic', '--seed', '1'),
  },
  {
    tool: mockoon,
    kind: 'static',
    description: withOlderExamples(description) as object,
    command: mockoonCommand,
  },
  { tool: mockoon, kind: 'dynamic', description, command: mockoonCommand },
];

/** Mockoon takes the example of a schema where it is called `example`, as before 3.1. */
function withOlderExamples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOlderExamples);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) =>
    key === 'examples' && Array.isArray(inner)
      ? ['example', inner[0]]
      : [key, withOlderExamples(inner)],
  );
  return Object.fromEntries(entries);
}

/** How long a mock may take to answer after its start, in milliseconds. */
const maxStartMs = 60_000;

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
    await untilItAnswers(baseUrl, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { baseUrl, stop };
}

async function untilItAnswers(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + maxStartMs;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`It ended with exit code ${child.exitCode}.`);
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    if (performance.now() > deadline) throw new Error(`It does not answer at ${url}.`);
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
