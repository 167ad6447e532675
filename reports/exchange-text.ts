import { STATUS_CODES } from 'node:http';
import { type Exchange, type Headers, headerOf } from '../helpers/http/exchange.ts';
import type { KeyPiece } from '../helpers/http/sent-key.ts';
import type { Results } from '../schemas/results.ts';
import { bashQuoted } from './commands.ts';
import { cut, jsonText, numeral, printable, printableLine } from './printable.ts';

type Response = NonNullable<Exchange['response']>;

/** How many characters are shown of a body, and of one line of it before the field that matters. */
const max = { body: 1000, before: 60 };

/** One exchange for people, on several lines: the command that repeats it, then what came of it. */
export function renderExchange(exchange: Exchange): string {
  const { number, response, failure } = exchange;
  return [
    `#${number}`,
    printable(renderCurl(exchange)),
    ...(response === undefined ? [] : [answerText(response)]),
    ...(failure === undefined ? [] : [printableLine(`→ ${failure.why}`)]),
  ].join('\n');
}

function answerText(response: Response): string {
  const head = printableLine(`→ ${response.status} ${mediaType(response)}`).trimEnd();
  if (response.size === 0) return head;
  const text = bodyText(response);
  return `${head}\n${text === undefined ? `(${response.size} bytes)` : cut(printable(text), max.body)}`;
}

/** The curl command that repeats an exchange: `$API_KEY` stands for the configured key, and wrong keys are made of it. */
export function renderCurl({ request, response }: Exchange): string {
  return curlParts(request, isPdf(response) ? '-o export.pdf ' : '-i ').join(' \\\n  ');
}

/** A curl command and its arguments, one a line. @param ifMatch writes an If-Match header between double quotes */
export function curlParts(
  request: Exchange['request'],
  options: string,
  ifMatch?: (value: string) => string,
): string[] {
  const { method, url, headers, body, key } = request;
  const isCompressed = headers.some(([name]) => name.toLowerCase() === 'accept-encoding');
  return [
    // -g: curl would read the brackets of metadata[…] as a pattern.
    `curl ${options}${isCompressed ? '--compressed ' : ''}-g -X ${method} ${withKey(url)}`,
    ...headers.map(([name, value]) =>
      ifMatch !== undefined && name.toLowerCase() === 'if-match' && value !== ''
        ? `-H "${name}: ${ifMatch(value)}"`
        : headerOption(name, value, key),
    ),
    ...(body === undefined ? [] : [`--data-binary ${bashQuoted(body)}`]),
  ];
}

/** Whether a response is a PDF, which no terminal shows. */
export function isPdf(response: Response | undefined): boolean {
  return response !== undefined && /pdf/i.test(mediaType(response));
}

const redactedKey = '[redacted]';

function headerOption(name: string, value: string, key: readonly KeyPiece[] | undefined): string {
  if (value === '') return `-H ${bashQuoted(`${name};`)}`;
  if (name.toLowerCase() !== 'apikey') return `-H ${withKey(`${name}: ${value}`)}`;
  return `-H "${name}: ${key === undefined ? '$API_KEY' : key.map(keyPiece).join('')}"`;
}

/** A piece of a sent key, for double quotes: a text, or a range of `$API_KEY`, perhaps with its case swapped. */
function keyPiece(piece: KeyPiece): string {
  if ('text' in piece) return inDoubleQuotes(piece.text);
  const { from, to, isCaseSwapped } = piece;
  return isCaseSwapped
    ? `$(printf %s "$API_KEY" | tr a-zA-Z A-Za-z)`
    : `\${API_KEY:${from}:${to - from}}`;
}

/** An argument for a POSIX shell, quoted, with `$API_KEY` in place of the redacted key. */
function withKey(argument: string): string {
  if (!argument.includes(redactedKey)) return bashQuoted(argument);
  return `"${argument.split(redactedKey).map(inDoubleQuotes).join('$API_KEY')}"`;
}

/** Text as it stands between double quotes of a POSIX shell. */
export function inDoubleQuotes(text: string): string {
  return text.replace(/["$`\\]/g, '\\$&');
}

/**
 * The answer on one line: the status, and the first line of a body or the size of a file; or why no answer came.
 * @param length how many characters of the first line are shown
 * @param field the field of a JSON body to show, where it stands far from the beginning
 */
export function answerLine(
  { operation, response, failure }: Exchange,
  length: number,
  field?: string,
): string {
  const parts = failure === undefined ? [] : [failure.why];
  if (response === undefined) return parts.join('');
  const { status, size } = response;
  const text = bodyText(response);
  const [first = ''] = (text ?? '').trimStart().split(/\r?\n/);
  const fieldAt = field === undefined ? -1 : first.indexOf(`"${field}"`);
  const line = fieldAt <= max.before ? first : `${first.slice(0, 1)}… ${first.slice(fieldAt)}`;
  // The first line of an exported file holds headings, which tell nothing.
  const isFile = (operation === 'export' && status < 300) || isPdf(response);
  const isText = text !== undefined && !text.includes('\u0000') && !isFile;
  const type = mediaType(response) || 'no content type';
  const shown = isText ? cut(line, length) : `${numeral(size)} bytes, ${type}`;
  return [`${status}  ${size === 0 ? 'no body' : shown}`, ...parts].join('; ');
}

/** A query as people read it, to be shown and not to be sent: `metadata[tag]=a` for `metadata%5Btag%5D=a`. */
export function readableQuery(query: string): string {
  return query.replace(/%(?:5B|5D|3A|2F)/gi, decodeURIComponent);
}

/** The kept part of a body as text, or undefined where it is not UTF-8. A character cut at the end is dropped. */
export function bodyText({ body, size }: Response): string | undefined {
  try {
    const cut = size > body.byteLength;
    return new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: cut });
  } catch {
    return undefined;
  }
}

/** The media type that the answer names, or an empty text. */
export function mediaType(response: Pick<Response, 'headers'>): string {
  return headerOf(response, 'content-type') ?? '';
}

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
      entries: exchanges.map((one) => ({
        startedDateTime: new Date(start + one.startedAt).toISOString(),
        time: one.durationMs,
        request: request(one.request),
        response: response(one),
        cache: {},
        timings: { send: 0, wait: one.durationMs, receive: 0 },
        comment: `#${one.number} ${one.operation}: ${one.scenario}${one.failure === undefined ? '' : ` (${one.failure.why})`}`,
      })),
    },
  });
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

function content(response: Response): object {
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
