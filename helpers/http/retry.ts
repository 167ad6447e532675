import type { Answer } from './answer.ts';
import type { ClientRequest } from './client.ts';
import { NoResponse } from './no-response.ts';

const pausesMs = [250, 1000, 3000, 6000, 10_000];

/** What decides whether a request is sent again. */
type Retried = Pick<ClientRequest, 'method' | 'repeats'>;

/** What a gateway says for a service that does not answer, or not yet. */
export const gatewayErrors = [502, 503, 504];

/** A service that restarts is back after so many pauses, some seconds in all. */
const restartPauses = 3;

/** An unexpected server error may pass: of a read, one more attempt tells. */
function mayPass({ method, repeats }: Retried, { status }: Answer, attempt: number): boolean {
  if (repeats !== undefined) return status >= 500 && attempt <= restartPauses;
  return method === 'GET' && status >= 500 && !gatewayErrors.includes(status) && attempt === 1;
}

/** A write without a response may have been carried out: to send it again would not be the same request. */
function mayBeSentAgain(method: Retried['method'], { failure }: NoResponse): boolean {
  return method === 'PUT' ? failure === 'not sent' : failure !== 'permanent';
}

/**
 * Whether to send a request again. A 409 is an answer; so is every status but those with which a target, or a gateway
 * before it, says "not now", and the first 500 of an export (Errors: an unexpected server error).
 *
 * @param attempt counts from 1
 * @param leftMs what is left of the retry budget, in milliseconds
 * @returns milliseconds to wait before the next attempt; undefined where the last one counts; `give up` where it
 *   does not, and there is no other
 */
export function retryDelay(
  request: Retried,
  last: Answer | NoResponse,
  attempt: number,
  leftMs: number,
): number | 'give up' | undefined {
  const { method } = request;
  const pause = pausesMs[attempt - 1];
  const affordable = pause !== undefined && pause <= leftMs ? pause : undefined;
  if (last instanceof NoResponse) return mayBeSentAgain(method, last) ? affordable : undefined;
  if (mayPass(request, last, attempt)) return affordable;
  const { status } = last;
  // What is asked is whether the error lasts: it does.
  if (request.repeats !== undefined && status >= 500) return undefined;
  if (status !== 429 && !gatewayErrors.includes(status)) return undefined;
  if (method === 'PUT' && (status === 502 || status === 504)) return 'give up';
  const delay = retryAfterMs(last.header('retry-after'), Date.now()) ?? pause;
  const over = attempt > pausesMs.length || delay === undefined || delay > leftMs;
  return over ? 'give up' : delay;
}

/** Retry-After in either form (seconds, or a date), as milliseconds from now; undefined where there is none. */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  // Date.parse takes "-5" and "1.5" for days of 2001.
  const date = /^\s*[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
