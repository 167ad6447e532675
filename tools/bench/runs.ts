import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { readResults } from '../../contract/files.ts';
import { environment } from '../../reference/serve.ts';
import { megabytes, mostMemory, type Section, seconds, timed } from './section.ts';
import { startLargeService } from './service.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const command = join(root, 'bin/contract.mjs');

/** A module for the process of the command, not those that it starts: prints at its end the CPU seconds and bytes that it used. */
const meter = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync, writeSync } from 'node:fs';
  if (process.argv[1] === ${JSON.stringify(command)}) process.on('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    const [, memory] = ${mostMemory}.exec(readFileSync('/proc/self/status', 'utf8'));
    writeSync(2, '\\nmeter ' + (userCPUTime + systemCPUTime) / 1e6 + ' ' + memory * 1024 + '\\n');
  });
`)}`;

/** A run of the command against the embedded service, and one against a service with many events. */
export async function runBench(): Promise<Section> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const embedded = await contract('the embedded service', ['--embedded'], folder);
  const service = await startLargeService();
  try {
    const file = join(folder, 'service.env');
    await writeFile(file, environment(service.variables));
    const what = `a service whose whole export has ${megabytes(service.bytes)}`;
    return {
      title: 'A whole run',
      heads: ['target', 'wall time', 'CPU time', 'most memory', 'requests'],
      rows: [embedded, await contract(what, ['--env', file], folder)],
      notes: [
        'Wall time and CPU time are those of the command, from its start to its end. The processes that read PDFs are not',
        'counted, nor is the embedded service, which has a process of its own, as any target has.',
      ],
    };
  } finally {
    await service.close();
    await rm(folder, { recursive: true });
  }
}

/** Runs the command once. @returns a row of the table @param what the target in words */
async function contract(what: string, args: readonly string[], parent: string): Promise<string[]> {
  const folder = await mkdtemp(join(parent, 'run-'));
  const [wall, errors] = await timed(async () => {
    const options = [...args, '--seed', '1', '--report-dir', folder];
    // As `npm run contract` starts it: with more room, what is soon forgotten is swept less often.
    const asStarted = ['--max-semi-space-size=32', '--import', meter, command, ...options];
    const run = spawn(process.execPath, asStarted, {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return await text(run.stderr);
  });
  const [, cpu, memory] = /^meter (\S+) (\S+)$/m.exec(errors) ?? [];
  const { total } = (await readResults(folder)).requests;
  return [what, seconds(wall), seconds(Number(cpu)), megabytes(Number(memory)), `${total}`];
}
