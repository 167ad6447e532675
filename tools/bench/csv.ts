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
import { megabytes, type Section, thousands, timed } from './section.ts';

const rows = 1_000_000;
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
    await pipeline(Readable.from(lines(rows)), createWriteStream(file));
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
