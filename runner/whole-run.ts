import type { Exchange } from '../helpers/http/exchange.ts';
import type { Played } from './verdicts.ts';

/** What no single scenario can see, as it shows in the requests of all of them. */
export function seenByWholeRun(exchanges: readonly Exchange[]): Played[] {
  const statuses = exchanges.flatMap(({ response }) => response?.status ?? []);
  if (statuses.length === 0) return [];
  const value = `${statuses.includes(429) ? 'some' : 'no'} requests are answered with 429`;
  const finding = { kind: 'observed', values: [JSON.stringify(value)] } as const;
  return [{ scenario: 'all requests of the run', findings: new Map([['limits.rate', finding]]) }];
}
