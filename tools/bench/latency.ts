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
    return await target.send(request);
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

/** Requests of one scenario, each sent after the answer to the one before. */
interface Chain {
  readonly count: number;
  readonly ms: number;
}

/** The longest chain, in ms. */
function longestChain(exchanges: readonly Exchange[]): Chain {
  const longest = (chains: Iterable<Chain>): Chain =>
    [...chains].reduce((one, other) => (other.ms > one.ms ? other : one), { count: 0, ms: 0 });
  const chains = new Map<Exchange, Chain>();
  for (const exchange of exchanges) {
    const answered = [...chains].filter(
      ([{ scenario, startedAt, durationMs }]) =>
        scenario === exchange.scenario && startedAt + durationMs <= exchange.startedAt,
    );
    const { count, ms } = longest(answered.map(([, chain]) => chain));
    chains.set(exchange, { count: count + 1, ms: ms + exchange.durationMs });
  }
  return longest(chains.values());
}
