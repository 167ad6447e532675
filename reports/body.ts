import type { Exchange } from '../helpers/http/exchange.ts';

type Response = NonNullable<Exchange['response']>;

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
