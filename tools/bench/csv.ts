import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readCsv } from '../../helpers/csv/read-csv.ts';
import { megabytes, type Section, thousands, timed } from './section.ts';

const run = promisify(execFile);

/** What one reading took. Memory in bytes; before anything was read, it is that of the process. */
interface Reading {
  readonly rowsPerSecond: number;
  readonly memory: number;
  readonly memoryBefore: number;
}

/** A CSV export of a million rows, read: rows per second, and the most memory taken. */
export async function csvBench(): Promise<Section> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const file = join(folder, 'export.csv');
  try {
    const rows = await writeExport(file);
    const { rowsPerSecond, memory, memoryBefore } = await fastest(file);
    return {
      title: `A CSV export of ${thousands(rows)} rows, ${megabytes((await stat(file)).size)}`,
      heads: ['rows read per second', 'most memory', 'before'],
      rows: [[thousands(rowsPerSecond), megabytes(memory), megabytes(memoryBefore)]],
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Writes the export of a service with a million events. @returns how many rows it has */
async function writeExport(file: string): Promise<number> {
  // Loaded only here: what it brings along would count as memory of the reading.
  const { createReference } = await import('../../reference/reference.ts');
  const { exportOf, manyEvents } = await import('./service.ts');
  const { body } = await exportOf(createReference({ seed: 1, rules: manyEvents(84) }), 'csv');
  await pipeline(body ?? [], createWriteStream(file));
  return 84 * 12_000;
}

/** The fastest of three readings, each in a process of its own. */
async function fastest(file: string): Promise<Reading> {
  const program = fileURLToPath(new URL('./bench.ts', import.meta.url));
  const measured: Reading[] = [];
  while (measured.length < 3) {
    const args = ['--import', 'jiti/register', program, 'csv', file];
    // What `csvPart` prints.
    measured.push(JSON.parse((await run(process.execPath, args)).stdout) as Reading);
  }
  return measured.reduce((best, one) => (one.rowsPerSecond > best.rowsPerSecond ? one : best));
}

/** One reading, in a process of its own. */
export async function csvPart(file: string): Promise<void> {
  const mostMemory = () => process.resourceUsage().maxRSS * 1024;
  const memoryBefore = mostMemory();
  const [took, { count }] = await timed(() => readCsv(createReadStream(file), { keep: 0 }));
  const reading: Reading = { rowsPerSecond: count / took, memory: mostMemory(), memoryBefore };
  console.log(JSON.stringify(reading));
}
