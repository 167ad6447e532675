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
    await pipeline(Readable.from(lines(rows)), createWriteStream(file));
    const { size } = await stat(file);
    console.log(`CSV export of ${rows.toLocaleString('en')} rows, ${megabytes(size)}`);
    for (const name of Object.keys(readers)) {
      const { stdout } = await run(process.execPath, [
        ...['--import', 'jiti/register'],
        fileURLToPath(new URL('./bench.ts', import.meta.url)),
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

/** A CSV of so many events, in pieces: ids, times, words, and comments with quotes and line breaks. */
async function* lines(rows: number): AsyncGenerator<string> {
  // Loaded only here: what it brings along would count as memory of the ways of reading.
  const { base, en, Faker } = await import('@faker-js/faker');
  const faker = new Faker({ locale: [en, base], seed: 1 });
  const ids = Array.from({ length: 200 }, () => faker.string.uuid());
  const comments = Array.from({ length: 50 }, (_, index) =>
    index % 3 === 0
      ? `"said ""${faker.lorem.words(3)}"",\n${faker.lorem.words(4)}"`
      : faker.lorem.words(6),
  );
  yield 'id,time,user,type,subtype,source,comment,entity,task\n';
  let block = '';
  for (let row = 0; row < rows; row += 1) {
    const id = (shift: number) => ids[(row * 7 + shift) % ids.length];
    const time = new Date(1_700_000_000_000 + row * 1234).toISOString();
    block += `${id(1)},${time},${id(2)},assessment,updated,task_platform,${comments[row % comments.length]},${id(3)},${id(4)}\n`;
    if (block.length > 65_536) {
      yield block;
      block = '';
    }
  }
  yield block;
}
