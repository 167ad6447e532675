import { STATUS_CODES } from 'node:http';
import { type Exchange, type Headers, headerOf } from '../helpers/http/exchange.ts';
import type { Results } from '../schemas/results.ts';
import { bodyText, mediaType } from './exchange-text.ts';
import { jsonText } from './printable.ts';

const unknownSize = -1;

/** The exchanges of a run as HAR 1.2, which the network panel of a browser opens. Bodies are cut as recorded. */
export function renderHar(
  { startedAt, seed, suite }: Pick<Results, 'startedAt' | 'seed' | 'suite'>,
  exchanges: readonly Exchange[],
): string {
  const start = Date.parse(startedAt);
  return jsonText({
    log: {
      version: '1.2',
      creator: { name: 'task-audit-contract', version: suite },
      comment: `seed ${seed}`,
      entries: exchanges.map((exchange) => entry(exchange, start)),
    },
  });
}

/** An exchange as an entry of the HAR. @param start when the run began, in milliseconds since 1970 */
function entry(exchange: Exchange, start: number): object {
  const { number, scenario, operation, durationMs, failure } = exchange;
  return {
    startedDateTime: new Date(start + exchange.startedAt).toISOString(),
    time: durationMs,
    request: request(exchange.request),
    response: response(exchange),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: `#${number} ${operation}: ${scenario}${failure === undefined ? '' : ` (${failure.why})`}`,
  };
}

function request({ method, url, headers, body }: Exchange['request']): object {
  return {
    method,
    url: asUri(url),
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: named(headers),
    queryString: named([...new URL(url).searchParams]),
    ...(body !== undefined && { postData: { mimeType: mediaType({ headers }), text: body } }),
    headersSize: unknownSize,
    bodySize: body === undefined ? 0 : Buffer.byteLength(body),
  };
}

/** An address as the format wants it: what RFC 3986 does not allow in a path or a query, percent-encoded. */
function asUri(url: string): string {
  const [, authority = '', rest = ''] = /^([^/]*\/\/[^/?#]*)(.*)$/s.exec(url) ?? [];
  return authority + rest.replace(/[^\w.~:/?#@!$&'()*+,;=%-]/gu, encodeURIComponent);
}

/** A response as the format has it; one that never came has the status 0, and says why. */
function response({ response, failure }: Exchange): object {
  const { status = 0, headers = [], size = unknownSize } = response ?? {};
  return {
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headersSize: unknownSize,
    status,
    statusText:
      response === undefined ? (failure?.why ?? 'no response') : (STATUS_CODES[status] ?? ''),
    headers: named(headers),
    content: response === undefined ? { size: 0, mimeType: '' } : content(response),
    redirectURL: headerOf({ headers }, 'location') ?? '',
    bodySize: size,
  };
}

function content(response: NonNullable<Exchange['response']>): object {
  const { body, size } = response;
  const text = bodyText(response);
  return {
    size,
    mimeType: mediaType(response),
    ...(text === undefined
      ? { text: Buffer.from(body).toString('base64'), encoding: 'base64' }
      : { text }),
    ...(size > body.byteLength && { comment: `the first ${body.byteLength} bytes` }),
  };
}

function named(pairs: Headers): object[] {
  return pairs.map(([name, value]) => ({ name, value }));
}
