import { setTimeout as pause } from 'node:timers/promises';
import { openTarget } from '../../contract/target.ts';
import type { Exchange } from '../../helpers/http/exchange.ts';
import type { Transport } from '../../helpers/http/transport.ts';
import { ContractRun } from '../../runner/run.ts';
import { scenarios } from '../../suites/index.ts';
import { type Section, seconds, timed } from './section.ts';

const delays = [0, 100, 300];

/** Whole runs against a target that takes its time for every answer, beside their longest chains of requests. */
export async function latencyBench(): Promise<Section> {
  const rows: string[][] = [];
  for (const delayMs of delays) rows.push(await delayedRun(delayMs));
  return {
    title: 'A target that takes its time',
    heads: [
      'each answer takes',
      'wall time',
      'requests',
      'longest chain',
      'takes',
      'eight at once take',
    ],
    rows,
    notes: [
      'Requests of one scenario depend on those that had been answered before they were sent; what scenarios share counts as',
      'one. No run is shorter than its requests take eight at once, which is the default of `MAX_CONCURRENCY`.',
    ],
  };
}

/** A row of the table: a run against the embedded service with a pause before each request. */
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
  const chain = longestChain(run.exchanges);
  await target.close();
  return [
    `${delayMs} ms`,
    seconds(wall),
    `${total}`,
    `${chain.count} requests`,
    seconds(chain.ms / 1000),
    seconds((total * delayMs) / 1000 / settings.maxConcurrency),
  ];
}

const noChain = { count: 0, ms: 0 };

/** The longest chain, in ms: each of its requests was sent after the answer to the one before, in one scenario. */
function longestChain(exchanges: readonly Exchange[]): typeof noChain {
  let longest = noChain;
  const chains = new Map<Exchange, typeof noChain>();
  for (const exchange of exchanges) {
    const { scenario, startedAt, durationMs } = exchange;
    let before = noChain;
    for (const [earlier, chain] of chains) {
      const isAnswered = earlier.startedAt + earlier.durationMs <= startedAt;
      if (earlier.scenario === scenario && isAnswered && chain.ms > before.ms) before = chain;
    }
    const chain = { count: before.count + 1, ms: before.ms + durationMs };
    chains.set(exchange, chain);
    if (chain.ms > longest.ms) longest = chain;
  }
  return longest;
}
