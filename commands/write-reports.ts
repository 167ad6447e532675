import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Exchange } from '../helpers/http/exchange.ts';
import { renderSummary } from '../reports/console.ts';
import { renderJson } from '../reports/json.ts';
import { renderJunit } from '../reports/junit.ts';
import type { Results } from '../schemas/results.ts';
import { columnsOf } from './columns.ts';

/** Writes every report of a run. @param directory made where it is missing */
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
}

/** Prints what a person reads at the end of a run. @param directory where the reports are */
export function printSummary(results: Results, directory: string): void {
  const color = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  const width = columnsOf(process.stdout);
  process.stdout.write(renderSummary(results, { color, width, directory }));
}
