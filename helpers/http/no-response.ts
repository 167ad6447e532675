import { Inconclusive } from '../outcomes.ts';
import { BodyTooLarge } from './body-collector.ts';
import type { Exchange } from './exchange.ts';

/** No usable response came: none at all, half of one, or "come back later" to the end. */
export class NoResponse extends Inconclusive {
  override readonly name = 'NoResponse';
  readonly exchange: Exchange;
  readonly trouble: Trouble;

  constructor(exchange: Exchange, why: string, trouble: Trouble = 'on the way') {
    const { method, url } = exchange.request;
    super(`${method} ${new URL(url).pathname}: ${why}`, [{ exchange }]);
    this.exchange = exchange;
    this.trouble = trouble;
  }
}

/**
 * What kept the answer: `before sending`: the request never left, so that it changed nothing. `on the way`: it
 * may have been carried out. `for good`: to ask again would give the same.
 */
export type Trouble = 'before sending' | 'on the way' | 'for good';

const beforeSending = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/** @param error of the network, or of whoever took the body */
export function troubleOf(error: unknown): Trouble {
  const codes = codesOf(error);
  if (error instanceof BodyTooLarge || codes.some((code) => certificateTrouble.test(code))) {
    return 'for good';
  }
  return codes.some((code) => beforeSending.includes(code)) ? 'before sending' : 'on the way';
}

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error ? [String(error.code)] : [];
  return [...code, ...codesOf(error.cause)];
}

const certificateTrouble = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/;

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
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'its Content-Length is not that of the body',
  Z_DATA_ERROR: 'the body is not of the encoding that it is sent with',
  Z_BUF_ERROR: 'the encoded body breaks off',
};

/** Turns an error of the network into a phrase for people. */
export function explain(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof BodyTooLarge) return error.message;
  // Its message quotes nothing of the answer.
  if (error.name === 'HTTPParserError') return `no HTTP that can be read: ${error.message}`;
  if (error.name === 'TimeoutError') return `no whole answer within ${timeoutMs} ms`;
  const code = 'code' in error ? String(error.code) : '';
  if (error.cause instanceof Error && explanations[code] === undefined) {
    return explain(error.cause, timeoutMs);
  }
  const hint = certificateTrouble.test(code) ? '; CA_FILE names authorities to trust' : '';
  const explanation = explanations[code];
  return explanation !== undefined
    ? explanation + hint
    : [code, error.message].filter(Boolean).join(': ');
}
