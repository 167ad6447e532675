import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Exchange } from '../helpers/http/exchange.ts';
import { renderSummary } from '../reports/console.ts';
import { renderJson } from '../reports/json.ts';
import { renderJunit } from '../reports/junit.ts';
import type { Results } from '../schemas/results.ts';

/** Writes every report of a run and prints the summary. */
export async function writeReports(
  results: Results,
  _exchanges: readonly Exchange[],
  directory: string,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  await Promise.all([
    writeFile(join(directory, 'results.json'), renderJson(results)),
    writeFile(join(directory, 'junit.xml'), renderJunit(results)),
  ]);
  const color = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  const width = process.stdout.columns ?? 100;
  process.stdout.write(renderSummary(results, { color, width, directory }));
}
