import type { Headers } from './exchange.ts';

/** By which way a request leaves: `blocked` is an address that the target's allow list does not hold. */
export type Route = 'direct' | 'blocked';

/** Says that a body is sent in chunks, without its length (RFC 9112, 7.1). */
export const chunked = { 'Transfer-Encoding': 'chunked' } as const;

export interface WireRequest {
  readonly method: 'GET' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly route: Route;
  readonly signal: AbortSignal;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends one request and resolves when the head of the answer is there. Follows no redirect, retries nothing.
 * Rejects where no answer comes.
 */
export type Transport = (request: WireRequest) => Promise<WireResponse>;
