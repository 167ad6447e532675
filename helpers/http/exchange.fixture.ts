import { Answer } from './answer.ts';
import type { Exchange, Headers } from './exchange.ts';

/** An exchange of no importance. */
export const exchange: Exchange = {
  number: 1,
  operation: 'get-task',
  scenario: 'a scenario',
  startedAt: 0,
  durationMs: 1,
  request: { method: 'GET', url: 'http://127.0.0.1:1/v5/tasks/1', headers: [] },
};

/** An answer as it would have come. */
export function answer(status: number, headers: Headers = [], body = ''): Answer {
  return new Answer(exchange, status, headers, new TextEncoder().encode(body));
}
