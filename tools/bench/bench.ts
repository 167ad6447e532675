import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { csvBench, csvPart } from './csv.ts';
import { page } from './section.ts';

/** `npm run bench`: measures speed and memory on this machine, and writes `docs/performance.md`. */
async function main([part, file = '']: readonly string[]): Promise<void> {
  // Each part has a process of its own, so that its memory is its own.
  if (part === 'csv') return await csvPart(file);
  const [load = 0] = loadavg();
  const csv = await csvBench();
  // Loaded only now: what they bring along would count as memory of the reading.
  const pdf = await (await import('./pdf.ts')).pdfBench();
  const delayed = await (await import('./latency.ts')).latencyBench();
  const runs = await (await import('./runs.ts')).runBench();
  const cores = `${cpus().length} cores (${cpus()[0]?.model.trim()})`;
  const machine = `Node ${process.version}, ${cores}, at a load of ${load.toFixed(1)} beside it`;
  const text = page(machine, [runs, delayed, csv, pdf]);
  writeFileSync(fileURLToPath(new URL('../../docs/performance.md', import.meta.url)), text);
  process.stdout.write(text);
}

await main(process.argv.slice(2));
process.exit();
