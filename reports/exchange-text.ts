import type { Exchange } from '../helpers/http/exchange.ts';
import { shellQuoted } from './commands.ts';
import { cut, printable, printableLine } from './printable.ts';

type Response = NonNullable<Exchange['response']>;

/** How much of a body is shown, in characters. */
const bodyLength = 1000;

/** One exchange for people, on several lines: the command that repeats it, then what came of it. */
export function renderExchange(exchange: Exchange): string {
  const { number, response, failure } = exchange;
  return [
    `#${number}`,
    printable(renderCurl(exchange)),
    ...(response === undefined ? [] : [answerText(response)]),
    ...(failure === undefined ? [] : [printableLine(`→ ${failure}`)]),
  ].join('\n');
}

function answerText(response: Response): string {
  const head = printableLine(`→ ${response.status} ${mediaType(response)}`).trimEnd();
  if (response.size === 0) return head;
  const text = bodyText(response);
  return `${head}\n${text === undefined ? `(${response.size} bytes)` : cut(printable(text), bodyLength)}`;
}

/**
 * The curl command that repeats an exchange, on several lines. `$API_KEY` stands in place of whichever key the
 * request carried: records hold none.
 */
export function renderCurl({ request, response }: Exchange): string {
  const { method, url, headers, body } = request;
  const parts = [
    // -g: curl would read the brackets of metadata[…] as a pattern.
    `curl ${isPdf(response) ? '-o export.pdf' : '-i'} -g -X ${method} ${shellQuoted(url)}`,
    ...headers.map(([name, value]) => `-H ${header(name, value)}`),
    ...(body === undefined ? [] : [`--data-binary ${shellQuoted(body)}`]),
  ];
  return parts.join(' \\\n  ');
}

/** No terminal shows one. */
function isPdf(response: Response | undefined): boolean {
  return response !== undefined && /pdf/i.test(mediaType(response));
}

function header(name: string, value: string): string {
  if (value === '') return shellQuoted(`${name};`);
  return name.toLowerCase() === 'apikey' ? `"${name}: $API_KEY"` : shellQuoted(`${name}: ${value}`);
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
export function mediaType({ headers }: Pick<Response, 'headers'>): string {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
}
