import { Inconclusive } from '../outcomes.ts';
import type { Exchange } from './exchange.ts';

/** The target could not be heard properly: no answer, half an answer, or "come back later" to the end. */
export class Unheard extends Inconclusive {
  readonly exchange: Exchange;

  constructor(exchange: Exchange, why: string) {
    const { method, url } = exchange.request;
    super(`${method} ${new URL(url).pathname}: ${why} (#${exchange.number})`);
    this.exchange = exchange;
  }
}

const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  EPIPE: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within the time-out',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate chain is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

/** Turns an error of the network into a phrase for people. */
export function explain(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no whole answer within ${timeoutMs} ms`;
  const code = 'code' in error ? String(error.code) : '';
  if (error.cause instanceof Error && explanations[code] === undefined) {
    return explain(error.cause, timeoutMs);
  }
  return explanations[code] ?? [code, error.message].filter(Boolean).join(': ');
}
