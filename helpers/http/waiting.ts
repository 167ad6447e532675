import { setTimeout as sleep } from 'node:timers/promises';

/** Waits so many milliseconds. @throws the signal's reason as soon as it is aborted */
export async function pause(milliseconds: number, stop?: AbortSignal): Promise<void> {
  stop?.throwIfAborted();
  await sleep(milliseconds, undefined, { signal: stop }).catch((error: unknown) => {
    throw stop?.aborted ? stop.reason : error;
  });
}

/**
 * Waits for work no longer than so many milliseconds.
 * @param stop for work that ignores its signal, as undici does while connecting
 * @throws a TimeoutError, or the signal's reason
 */
export async function withDeadline<T>(
  work: Promise<T>,
  milliseconds: number,
  stop?: AbortSignal,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onStop = (): void => {};
  const interruption = new Promise<never>((_, reject) => {
    const onTimeout = (): void => reject(new DOMException('Timed out.', 'TimeoutError'));
    timer = setTimeout(onTimeout, milliseconds);
    onStop = () => reject(stop?.reason);
    if (stop?.aborted) onStop();
    else stop?.addEventListener('abort', onStop);
  });
  try {
    return await Promise.race([work, interruption]);
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener('abort', onStop);
  }
}
