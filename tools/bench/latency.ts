import { setTimeout as pause } from 'node:timers/promises';
import { openTarget } from '../../contract/target.ts';
import type { Exchange } from '../../helpers/http/exchange.ts';
import type { Transport } from '../../helpers/http/transport.ts';
import { ContractRun } from '../../runner/run.ts';
import { scenarios } from '../../suites/index.ts';

const delays = [0, 100, 300];

/** Times in seconds, but where a name says otherwise. */
export interface DelayedFigures {
  readonly delayMs: number;
  readonly wall: number;
  readonly requests: number;
  readonly chain: Chain;
  /** What the delays of all requests take, as many at once as the configuration allows. */
  readonly atOnce: number;
}

/** Whole runs against a target that takes its time for every answer, beside their longest chains of requests. */
export async function latencyBench(): Promise<DelayedFigures[]> {
  const figures: DelayedFigures[] = [];
  for (const delayMs of delays) figures.push(await delayedRun(delayMs));
  return figures;
}

async function delayedRun(delayMs: number): Promise<DelayedFigures> {
  const target = await openTarget({ SEED: '1' });
  const { settings } = target;
  const send: Transport = async (request) => {
    await pause(delayMs);
    return await target.network.send(request);
  };
  const { openMailbox } = target;
  const run = new ContractRun({ settings, send, openMailbox, scenarios, startedAt: new Date() });
  const began = performance.now();
  await run.preflight();
  await run.runAll();
  const wall = (performance.now() - began) / 1000;
  const { total } = run.results().requests;
  const chain = longestChain(run.exchanges);
  await target.close();
  const atOnce = (total * delayMs) / 1000 / settings.maxConcurrency;
  return { delayMs, wall, requests: total, chain, atOnce };
}

export interface Chain {
  readonly count: number;
  readonly ms: number;
}

/** Requests of one scenario depend on those that it had been answered before they were sent. */
function longestChain(exchanges: readonly Exchange[]): Chain {
  let longest: Chain = { count: 0, ms: 0 };
  const chains = new Map<Exchange, Chain>();
  for (const exchange of exchanges) {
    const { scenario, startedAt, durationMs } = exchange;
    let before: Chain = { count: 0, ms: 0 };
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
