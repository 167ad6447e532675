import { availableParallelism } from 'node:os';
import { csvBench, csvPart } from './csv.ts';

/** `npm run bench`: what the suite's speed and memory are on this machine. Prints figures, judges nothing. */
async function main([part, file]: readonly string[]): Promise<void> {
  // Each way of reading has a process of its own, so that its memory is its own.
  if (part !== undefined && file !== undefined) return await csvPart(part, file);
  console.log(`Node ${process.version}, ${availableParallelism()} cores\n`);
  await csvBench();
  // Loaded only now: what they bring along would count as memory of the ways of reading.
  const { pdfBench } = await import('./pdf.ts');
  await pdfBench();
  const { latencyBench } = await import('./latency.ts');
  await latencyBench();
}

await main(process.argv.slice(2));
process.exit();
