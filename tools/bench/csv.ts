import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Papa from 'papaparse';
import { readCsv } from '../../helpers/csv/read-csv.ts';

const rows = 1_000_000;
const run = promisify(execFile);

const readers: Readonly<Record<string, (file: string) => Promise<number>>> = {
  'byte scan': scanBytes,
  'Papa Parse alone': parseAlone,
  'read as an export': async (file) => (await readCsv(createReadStream(file), { keep: 0 })).count,
};

/** A CSV export of a million rows, read in three ways: rows per second, and the most memory taken. */
export async function csvBench(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const file = join(folder, 'export.csv');
  try {
    const { lines } = await import('./csv-lines.ts');
    await pipeline(Readable.from(lines(rows)), createWriteStream(file));
    const { size } = await stat(file);
    console.log(`CSV export of ${rows.toLocaleString('en')} rows, ${megabytes(size)}`);
    for (const name of Object.keys(readers)) {
      const { stdout } = await run(process.execPath, [
        fileURLToPath(new URL('./bench.mjs', import.meta.url)),
        name,
        file,
      ]);
      console.log(stdout.trimEnd());
    }
    console.log();
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** One way of reading, in a process of its own. */
export async function csvPart(name: string, file: string): Promise<void> {
  const read = readers[name];
  if (read === undefined) throw new Error(`There is no way of reading called "${name}".`);
  const before = process.resourceUsage().maxRSS;
  const began = performance.now();
  const count = await read(file);
  const seconds = (performance.now() - began) / 1000;
  const { maxRSS } = process.resourceUsage();
  const rate = Math.round(count / seconds)
    .toLocaleString('en')
    .padStart(11);
  const memory = `${megabytes(maxRSS * 1024)} at the most, ${megabytes(before * 1024)} before`;
  console.log(`  ${name.padEnd(18)}${rate} rows/s  ${seconds.toFixed(2)} s  ${memory}`);
}

async function scanBytes(file: string): Promise<number> {
  let inQuotes = false;
  let lineEnds = 0;
  for await (const piece of createReadStream(file)) {
    for (const byte of piece as Uint8Array) {
      if (byte === 34) inQuotes = !inQuotes;
      else if (byte === 10 && !inQuotes) lineEnds += 1;
    }
  }
  return lineEnds - 1;
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

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}
