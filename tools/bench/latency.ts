import { setTimeout as pause } from 'node:timers/promises';
import { openTarget } from '../../contract/target.ts';
import type { Transport } from '../../helpers/http/transport.ts';
import { ContractRun } from '../../runner/run.ts';
import { scenarios } from '../../suites/index.ts';
import { type Section, seconds, timed } from './section.ts';

const delays = [0, 100, 300];

/** Whole runs against a target that takes its time for every answer. */
export async function latencyBench(): Promise<Section> {
  const rows: string[][] = [];
  for (const delayMs of delays) rows.push(await delayedRun(delayMs));
  return {
    title: 'A target that takes its time',
    heads: ['each answer takes', 'wall time', 'requests', 'eight at once take'],
    rows,
    notes: [
      'No run is shorter than its requests take eight at once, which is the default of `MAX_CONCURRENCY`.',
    ],
  };
}

async function delayedRun(delayMs: number): Promise<string[]> {
  const target = await openTarget({ SEED: '1' });
  const { settings, openMailbox } = target;
  const send: Transport = async (request) => {
    await pause(delayMs);
    return await target.network.send(request);
  };
  const run = new ContractRun({ settings, send, openMailbox, scenarios, startedAt: new Date() });
  const [wall] = await timed(async () => {
    await run.preflight();
    await run.runAll();
  });
  const { total } = run.results().requests;
  await target.close();
  return [
    `${delayMs} ms`,
    seconds(wall),
    `${total}`,
    seconds((total * delayMs) / 1000 / settings.maxConcurrency),
  ];
}
