import type { Loss } from '../../schemas/results.ts';
import { Inconclusive } from '../outcomes.ts';
import { BodyTooLarge } from './body.ts';
import type { Exchange } from './exchange.ts';

/** The target gave no usable response: none, half of one, or "come back later" until the retries were used up. */
export class NoResponse extends Inconclusive {
  override readonly name = 'NoResponse';
  readonly exchange: Exchange;
  readonly failure: Failure;

  constructor(exchange: Exchange, why: string, failure: Failure = 'interrupted') {
    const { method, url } = exchange.request;
    super(`${method} ${new URL(url).pathname}: ${why}`, [{ exchange }]);
    this.exchange = exchange;
    this.failure = failure;
  }
}

/**
 * What kept the response. `not sent`: the request never left, and changed nothing. `interrupted`: it may have been
 * carried out. `permanent`: sent again, it would fail in the same way.
 */
export type Failure = 'not sent' | 'interrupted' | 'permanent';

/** A request that got no further than the proxy; its cause is what the network said. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
}

const notSent = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/** @param error of the network, or of the reading of the body */
export function failureOf(error: unknown): Failure {
  const codes = codesOf(error);
  if (error instanceof ProxyFailure) return 'not sent';
  if (error instanceof BodyTooLarge || codes.some(isOfTls)) return 'permanent';
  return codes.some((code) => notSent.includes(code)) ? 'not sent' : 'interrupted';
}

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error ? [String(error.code)] : [];
  return [...code, ...codesOf(error.cause)];
}

const certificateErrors = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/;

/** What listens speaks no TLS. */
const noTls = /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/;
const noTlsThere = 'what listens there speaks no TLS: is it http, not https?';

const isOfTls = (code: string): boolean => certificateErrors.test(code) || noTls.test(code);

/** What errors mean, by their codes: how a response was lost, and why, as a phrase for people. */
const meanings: Readonly<Record<string, readonly [loss: Loss, why?: string]>> = {
  ECONNREFUSED: ['refused', 'nothing listens there (connection refused)'],
  ENOTFOUND: ['not reached', 'the host name is not known'],
  EAI_AGAIN: ['not reached', 'the host name could not be looked up'],
  EADDRNOTAVAIL: ['not reached', 'this machine has no such address'],
  EHOSTUNREACH: ['not reached'],
  ENETUNREACH: ['not reached'],
  UND_ERR_CONNECT_TIMEOUT: ['timed out', 'connecting timed out'],
  ETIMEDOUT: ['timed out'],
  ECONNRESET: ['cut off', 'the connection was reset'],
  EPIPE: ['cut off', 'the connection was closed'],
  UND_ERR_SOCKET: ['cut off', 'the connection was closed'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['cut off', 'its Content-Length is not that of the body'],
  Z_BUF_ERROR: ['cut off', 'the encoded body breaks off'],
  Z_DATA_ERROR: ['unreadable', 'the body is not in the encoding that Content-Encoding names'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['no TLS', 'its certificate is self-signed'],
  SELF_SIGNED_CERT_IN_CHAIN: ['no TLS', 'its certificate chain is self-signed'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['no TLS', 'its certificate is not trusted'],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['no TLS', 'its certificate is not trusted'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['no TLS', 'its certificate is for another host'],
  CERT_HAS_EXPIRED: ['no TLS', 'its certificate has expired'],
  ERR_SSL_WRONG_VERSION_NUMBER: ['no TLS', noTlsThere],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ['no TLS', noTlsThere],
};

/**
 * How a response was lost, in a word.
 * @param error of the network, of the reading of the body, or of whoever stopped the request
 */
export function lossOf(error: unknown): Loss {
  if (!(error instanceof Error)) return 'other';
  if (error instanceof ProxyFailure) return 'no proxy';
  if (error.name === 'TimeoutError') return 'timed out';
  if (error.name === 'HTTPParserError') return 'unreadable';
  if (error instanceof BodyTooLarge || error instanceof Inconclusive) return 'given up';
  const codes = codesOf(error);
  if (codes.some(isOfTls)) return 'no TLS';
  const [known] = codes.flatMap((code) => meanings[code]?.[0] ?? []);
  return known ?? 'other';
}

/** Turns an error of the network into a phrase for people. */
export function explain(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof BodyTooLarge) return error.message;
  if (error instanceof ProxyFailure) {
    return error.message || `no connection to the proxy: ${explain(error.cause, timeoutMs)}`;
  }
  // Its message quotes nothing of the response.
  if (error.name === 'HTTPParserError') {
    const isOfOtherProtocol = 'code' in error && error.code === 'HPE_INVALID_CONSTANT';
    const hint = isOfOtherProtocol ? '; is it https, not http?' : '';
    return `not valid HTTP: ${error.message}${hint}`;
  }
  if (error.name === 'TimeoutError') return `no complete response within ${timeoutMs} ms`;
  const code = 'code' in error ? String(error.code) : '';
  const [, explanation] = meanings[code] ?? [];
  if (error.cause instanceof Error && explanation === undefined) {
    return explain(error.cause, timeoutMs);
  }
  const hint = certificateErrors.test(code) ? '; CA_FILE names authorities to trust' : '';
  return explanation !== undefined
    ? explanation + hint
    : [code, error.message].filter(Boolean).join(': ');
}
