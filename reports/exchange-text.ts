import type { Exchange } from '../helpers/http/exchange.ts';
import { bodyText, mediaType } from './body.ts';
import { renderCurl } from './curl.ts';
import { cut, printable, printableLine } from './printable.ts';

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

function answerText(response: NonNullable<Exchange['response']>): string {
  const head = printableLine(`→ ${response.status} ${mediaType(response)}`).trimEnd();
  if (response.size === 0) return head;
  const text = bodyText(response);
  return `${head}\n${text === undefined ? `(${response.size} bytes)` : cut(printable(text), bodyLength)}`;
}
