import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fileReaders } from '../../helpers/exports/downloads.ts';
import { megabytes, mostMemory, type Section, thousands, timed } from './section.ts';

const run = promisify(execFile);

/** A CSV export of about as many rows as are ever held, read: rows per second, and the most memory taken. */
export async function csvBench(): Promise<Section> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const file = join(folder, 'export.csv');
  try {
    const rows = await writeExport(file);
    const program = fileURLToPath(new URL('./bench.ts', import.meta.url));
    const args = ['--import', 'jiti/register', program, 'csv', file];
    const [rowsPerSecond, memory] = (await run(process.execPath, args)).stdout
      .split(' ')
      .map(Number);
    return {
      title: `A CSV export of ${thousands(rows)} rows, ${megabytes((await stat(file)).size)}`,
      heads: ['rows read per second', 'most memory'],
      rows: [[thousands(rowsPerSecond ?? 0), megabytes(memory ?? 0)]],
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Writes the export of a service with many events. @returns how many rows it has */
async function writeExport(file: string): Promise<number> {
  // Loaded only here: what it brings along would count as memory of the reading.
  const { createReference } = await import('../../reference/reference.ts');
  const { exportOf, manyEvents } = await import('./service.ts');
  const { body } = await exportOf(createReference({ seed: 1, rules: manyEvents(times) }), 'csv');
  await pipeline(body ?? [], createWriteStream(file));
  return times * 12_000;
}

const times = 3;
/** How often the file is read: once is too short to be measured well. */
const readings = 5;

/** Reads a file in a process of its own, and prints how many rows a second, and the most bytes of memory. */
export async function csvPart(file: string): Promise<void> {
  const { csv } = fileReaders();
  const [took, rows] = await timed(async () => {
    let rows = 0;
    for (let turn = 0; turn < readings; turn += 1)
      rows += (await csv(createReadStream(file))).rows.length;
    return rows;
  });
  const [, memory] = mostMemory.exec(await readFile('/proc/self/status', 'utf8')) ?? [];
  console.log(rows / took, Number(memory) * 1024);
}
