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

const certificateErrors = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/;

/** A failure that is left out is `interrupted`; in place of a phrase, the error is quoted. */
type Row = readonly [loss: Loss, why?: string | undefined, failure?: Failure];

const noTls: Row = [
  'no TLS',
  'what listens there speaks no TLS: is it http, not https?',
  'permanent',
];
const notTrusted: Row = ['no TLS', 'its certificate is not trusted', 'permanent'];

/** What errors mean, by their codes. */
const meanings: Readonly<Record<string, Row>> = {
  ECONNREFUSED: ['refused', 'nothing listens there (connection refused)', 'not sent'],
  ENOTFOUND: ['not reached', 'the host name is not known', 'not sent'],
  EAI_AGAIN: ['not reached', 'the host name could not be looked up', 'not sent'],
  EADDRNOTAVAIL: ['not reached', 'this machine has no such address'],
  EHOSTUNREACH: ['not reached'],
  ENETUNREACH: ['not reached'],
  UND_ERR_CONNECT_TIMEOUT: ['timed out', 'connecting timed out', 'not sent'],
  ETIMEDOUT: ['timed out'],
  ECONNRESET: ['cut off', 'the connection was reset'],
  EPIPE: ['cut off', 'the connection was closed'],
  UND_ERR_SOCKET: ['cut off', 'the connection was closed'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['cut off', 'its Content-Length is not that of the body'],
  Z_BUF_ERROR: ['cut off', 'the encoded body breaks off'],
  Z_DATA_ERROR: ['unreadable', 'the body is not in the encoding that Content-Encoding names'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['no TLS', 'its certificate is self-signed', 'permanent'],
  SELF_SIGNED_CERT_IN_CHAIN: ['no TLS', 'its certificate chain is self-signed', 'permanent'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: notTrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: ['no TLS', 'its certificate is for another host', 'permanent'],
  CERT_HAS_EXPIRED: ['no TLS', 'its certificate has expired', 'permanent'],
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
};

/** How a response was lost: in a word, as a phrase for people, and whether to ask again. */
interface Meaning {
  readonly loss: Loss;
  readonly why: string;
  readonly failure: Failure;
}

/** @param error of the network, of the reading of the body, or of whoever stopped the request */
export function meaningOf(error: unknown, timeoutMs: number): Meaning {
  const meaning = (loss: Loss, why: string, failure: Failure = 'interrupted'): Meaning => {
    return { loss, why, failure };
  };
  if (!(error instanceof Error)) return meaning('other', String(error));
  if (error instanceof BodyTooLarge) return meaning('given up', error.message, 'permanent');
  if (error instanceof ProxyFailure) {
    const { message, cause } = error;
    const why = message || `no connection to the proxy: ${meaningOf(cause, timeoutMs).why}`;
    return meaning('no proxy', why, 'not sent');
  }
  if (error.name === 'TimeoutError') {
    return meaning('timed out', `no complete response within ${timeoutMs} ms`);
  }
  const code = 'code' in error ? String(error.code) : '';
  // Its message quotes nothing of the response.
  if (error.name === 'HTTPParserError') {
    const hint = code === 'HPE_INVALID_CONSTANT' ? '; is it https, not http?' : '';
    return meaning('unreadable', `not valid HTTP: ${error.message}${hint}`);
  }
  const known = meanings[code];
  if (known === undefined && error.cause instanceof Error) return meaningOf(error.cause, timeoutMs);
  const isOfCertificate = certificateErrors.test(code);
  const hint = isOfCertificate ? '; CA_FILE names authorities to trust' : '';
  const other: Row = [error instanceof Inconclusive ? 'given up' : 'other'];
  const [loss, why = [code, error.message].filter(Boolean).join(': '), failure] =
    known ?? (isOfCertificate ? ['no TLS', undefined, 'permanent'] : other);
  return meaning(loss, why + hint, failure);
}
