import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits so many milliseconds.
 * @throws the signal's reason as soon as it is aborted
 */
export async function pause(milliseconds: number, stop?: AbortSignal): Promise<void> {
  stop?.throwIfAborted();
  await sleep(milliseconds, undefined, { signal: stop }).catch((error: unknown) => {
    throw stop?.aborted ? stop.reason : error;
  });
}
