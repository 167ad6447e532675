import type { Answer } from './answer.ts';
import { NoResponse } from './no-response.ts';

const pausesMs = [250, 1000, 3000, 6000, 10_000];

/**
 * Whether to ask again. A 409 is an answer; so is every status but those with which a target, or a gateway
 * before it, says "not now".
 *
 * @param attempt counts from 1
 * @param leftMs how long may still be waited, in milliseconds
 * @returns undefined where what was heard stands, milliseconds to wait before asking again, or `give up`
 */
export function retryDelay(
  method: 'GET' | 'PUT',
  heard: Answer | NoResponse,
  attempt: number,
  leftMs: number,
): number | 'give up' | undefined {
  const pause = pausesMs[attempt - 1];
  if (heard instanceof NoResponse) {
    const { trouble } = heard;
    // A write that got no answer may have been carried out: asking again would not be the same request.
    if (trouble === 'for good' || (method === 'PUT' && trouble !== 'before sending')) {
      return undefined;
    }
    return pause !== undefined && pause <= leftMs ? pause : undefined;
  }
  const { status } = heard;
  const refusedForNow = status === 429 || status === 503;
  const gatewayTrouble = status === 502 || status === 504;
  if (!refusedForNow && !gatewayTrouble) return undefined;
  if (gatewayTrouble && method === 'PUT') return 'give up';
  const delay = retryAfterMs(heard.header('retry-after'), Date.now()) ?? pause;
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
