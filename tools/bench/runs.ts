import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface RunFigures {
  readonly what: string;
  /** In seconds. */
  readonly wall: number;
  readonly cpu: number;
  /** In bytes. */
  readonly memory: number;
  readonly requests: number;
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Loaded into the process that is measured: says at its end what it has used. */
const meter = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    writeSync(2, '\\nmeter ' + (userCPUTime + systemCPUTime) / 1e6 + ' ' + maxRSS * 1024 + '\\n');
  });
`)}`;

/** The command, against the embedded service and against another process that holds many events. */
export async function runBench(): Promise<RunFigures[]> {
  const embedded = await contract('the embedded service', ['--embedded']);
  const service = spawn(
    process.execPath,
    ['--import', 'jiti/register', join(root, 'tools/bench/bench.ts'), 'service'],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const told = await firstLines(service.stdout);
    const file = join(folder, 'service.env');
    await writeFile(file, told.variables);
    const what = `a service whose whole export has ${told.megabytes} MB`;
    return [embedded, await contract(what, ['--env', file])];
  } finally {
    service.kill();
    await rm(folder, { recursive: true });
  }
}

async function contract(what: string, args: readonly string[]): Promise<RunFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const began = performance.now();
  try {
    const errors = await ended([
      ...['--import', meter, join(root, 'bin/contract.mjs')],
      ...[...args, '--seed', '1', '--report-dir', folder],
    ]);
    const wall = (performance.now() - began) / 1000;
    const [, cpu = '0', memory = '0'] = /^meter (\S+) (\S+)$/m.exec(errors) ?? [];
    // Written by the run that has just ended.
    const results = JSON.parse(await readFile(join(folder, 'results.json'), 'utf8')) as {
      readonly requests: { readonly total: number };
    };
    const requests = results.requests.total;
    return { what, wall, cpu: Number(cpu), memory: Number(memory), requests };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @returns what it has written to its standard error */
async function ended(args: readonly string[]): Promise<string> {
  const run = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  for await (const piece of run.stderr) errors += piece;
  return errors;
}

/** What `serveManyEvents` prints. */
async function firstLines(output: AsyncIterable<Uint8Array>) {
  let text = '';
  for await (const piece of output) {
    text += new TextDecoder().decode(piece);
    const [variables, megabytes] = text.split('\nmegabytes ');
    if (megabytes?.includes('\n'))
      return { variables: variables ?? '', megabytes: megabytes.trim() };
  }
  throw new Error('The service did not start.');
}
