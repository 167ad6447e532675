import type { Operation } from '../../schemas/operations.ts';
import type { Loss } from '../../schemas/results.ts';
import type { KeyPiece } from './sent-key.ts';

export type Headers = ReadonlyArray<readonly [name: string, value: string]>;

/** The value of a header, joined where it comes several times; undefined where it is missing. @param name lower case */
export function headerOf(
  { headers }: { readonly headers: Headers },
  name: string,
): string | undefined {
  const values = headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}

/**
 * The id of the task that a request is about, as its address has it, but in lower case: a target may spell it otherwise
 * than the configuration. Undefined for a request about something else.
 */
export function taskIdOf({ request }: Exchange): string | undefined {
  return /\/tasks\/([^/?]+)/.exec(request.url)?.[1]?.toLowerCase();
}

/** Whether it asks for a change, right or wrong. */
export function isWrite({ request }: Exchange): boolean {
  return request.method === 'PUT';
}

/** Whether it was answered with a 2xx. */
export function hasSucceeded({ response }: Exchange): boolean {
  return response !== undefined && response.status >= 200 && response.status < 300;
}

/** Whether it has read what it asked for. */
export function isReading(one: Exchange): boolean {
  return one.request.method === 'GET' && hasSucceeded(one);
}

/** In place of a scenario: the exports that scenarios share, with those that find out what exports are made of. */
export const nameOfLearning = 'learning what an export is made of';

/** In place of a scenario: what is sent before all of them, and after. */
export const nameOfPreflight = 'before the run';
export const nameOfPuttingBack = 'putting everything back';

/** One request and what came of it, redacted when recorded: it never holds a key. */
export interface Exchange {
  /** Counts from 1 in the order in which requests were sent. */
  readonly number: number;
  readonly operation: Operation;
  readonly scenario: string;
  /** Milliseconds since the run began. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** The number of the exchange that it repeats: the same request, sent again. */
  readonly repeats?: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Headers;
    readonly body?: string;
    /** How its key was made of the configured key; missing where the configured key was sent, or none. */
    readonly key?: readonly KeyPiece[];
    /** Missing where it is the direct one. */
    readonly route?: 'blocked';
  };
  /** Missing where no answer came. */
  readonly response?: {
    readonly status: number;
    readonly headers: Headers;
    /** The beginning of the body; at most `keptBodyBytes` of it. */
    readonly body: Uint8Array;
    /** Bytes of the whole body. */
    readonly size: number;
  };
  /** Why no answer came, or why it broke off; in a word, and as a phrase for people. */
  readonly failure?: { readonly loss: Loss; readonly why: string };
}

/** How much of each body an exchange keeps, in bytes. */
export const keptBodyBytes = 16 * 1024;

/** How long at least one of the exchanges was under way, in milliseconds. */
export function underWayMs(exchanges: readonly Exchange[]): number {
  let total = 0;
  let until = 0;
  for (const { startedAt, durationMs } of exchanges.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const end = startedAt + durationMs;
    total += Math.max(0, end - Math.max(startedAt, until));
    until = Math.max(until, end);
  }
  return total;
}
