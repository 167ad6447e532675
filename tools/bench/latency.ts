import { setTimeout as pause } from 'node:timers/promises';
import { openTarget } from '../../contract/target.ts';
import type { Exchange } from '../../helpers/http/exchange.ts';
import type { Transport } from '../../helpers/http/transport.ts';
import { ContractRun } from '../../runner/run.ts';
import { scenarios } from '../../suites/index.ts';

const delayMs = 100;

/** A whole run against a target that takes 100 ms for every answer, beside its longest chain of requests. */
export async function latencyBench(): Promise<void> {
  const target = await openTarget({ SEED: '1' });
  const send: Transport = async (request) => {
    await pause(delayMs);
    return await target.network.send(request);
  };
  const run = new ContractRun({
    settings: target.settings,
    send,
    scenarios,
    startedAt: new Date(),
  });
  const began = performance.now();
  await run.preflight();
  await run.runAll();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const { requests, verdict } = run.results();
  const chain = longestChain(run.exchanges);
  console.log(
    `A whole run, ${delayMs} ms for every answer, ${target.settings.taskIds.length} tasks`,
  );
  console.log(`  ${seconds} s, ${requests.total} requests, ${verdict}`);
  console.log(
    `  longest chain of dependent requests: ${chain.count}, ${(chain.ms / 1000).toFixed(1)} s`,
  );
  await target.close();
}

interface Chain {
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
