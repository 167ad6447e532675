import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Papa from 'papaparse';
import { readCsv } from '../../helpers/csv/read-csv.ts';
import { megabytes, type Section, thousands, timed } from './section.ts';

const run = promisify(execFile);
const alone = 'Papa Parse alone';

const readers: Readonly<Record<string, (file: string) => Promise<number>>> = {
  'line feeds counted': scanBytes,
  [alone]: parseAlone,
  'read as an export': async (file) => (await readCsv(createReadStream(file), { keep: 0 })).count,
};

/** What one reading took. Memory in bytes; before anything was read, it is that of the process. */
interface Reading {
  readonly rowsPerSecond: number;
  readonly memory: number;
  readonly memoryBefore: number;
}

/** A CSV export of a million rows, read in three ways: rows per second, and the most memory taken. */
export async function csvBench(): Promise<Section> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const file = join(folder, 'export.csv');
  try {
    const rows = await writeExport(file);
    const ways: [name: string, Reading][] = [];
    for (const name of Object.keys(readers)) ways.push([name, await fastest(name, file)]);
    const parser = new Map(ways).get(alone)?.rowsPerSecond ?? 1;
    return {
      title: `A CSV export of ${thousands(rows)} rows, ${megabytes((await stat(file)).size)}`,
      heads: ['', 'rows per second', `of ${alone}`, 'most memory', 'before'],
      rows: ways.map(([name, { rowsPerSecond, memory, memoryBefore }]) => [
        name,
        thousands(rowsPerSecond),
        (rowsPerSecond / parser).toFixed(2),
        megabytes(memory),
        megabytes(memoryBefore),
      ]),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Writes the export of a service with a million events. @returns how many rows it has */
async function writeExport(file: string): Promise<number> {
  // Loaded only here: what it brings along would count as memory of the ways of reading.
  const { createReference } = await import('../../reference/reference.ts');
  const { exportOf, manyEvents } = await import('./service.ts');
  const { body } = await exportOf(createReference({ seed: 1, rules: manyEvents(84) }), 'csv');
  await pipeline(body ?? [], createWriteStream(file));
  return 84 * 12_000;
}

/** The fastest of three readings, each in a process of its own. */
async function fastest(name: string, file: string): Promise<Reading> {
  const program = fileURLToPath(new URL('./bench.ts', import.meta.url));
  const measured: Reading[] = [];
  while (measured.length < 3) {
    const args = ['--import', 'jiti/register', program, 'csv', name, file];
    // What `csvPart` prints.
    measured.push(JSON.parse((await run(process.execPath, args)).stdout) as Reading);
  }
  return measured.reduce((best, way) => (way.rowsPerSecond > best.rowsPerSecond ? way : best));
}

/** One way of reading, in a process of its own. */
export async function csvPart(name: string, file: string): Promise<void> {
  const read = readers[name];
  if (read === undefined) throw new Error(`There is no way of reading called "${name}".`);
  const mostMemory = () => process.resourceUsage().maxRSS * 1024;
  const memoryBefore = mostMemory();
  const [took, count] = await timed(() => read(file));
  const reading: Reading = { rowsPerSecond: count / took, memory: mostMemory(), memoryBefore };
  console.log(JSON.stringify(reading));
}

/** As little as can be done with all bytes; line breaks in cells count too. */
async function scanBytes(file: string): Promise<number> {
  let lineFeeds = 0;
  for await (const chunk of createReadStream(file)) {
    // Without an encoding, a stream gives bytes.
    const piece = chunk as Buffer;
    for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lineFeeds += 1;
  }
  return lineFeeds - 1;
}

async function parseAlone(file: string): Promise<number> {
  let count = 0;
  const stream = createReadStream(file, { encoding: 'utf8' });
  await new Promise<void>((resolve, reject) => {
    Papa.parse<string[]>(stream, {
      chunk: ({ data }) => {
        count += data.length;
      },
      complete: () => resolve(),
      error: reject,
    });
  });
  return count - 1;
}
