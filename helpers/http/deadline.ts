/**
 * Waits for work no longer than so many milliseconds.
 * @param stop for work that does not look at its signal: undici ignores it while connecting
 * @throws a TimeoutError, or the signal's reason
 */
export async function withDeadline<T>(
  work: Promise<T>,
  milliseconds: number,
  stop?: AbortSignal,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = (): void => {};
  const cut = new Promise<never>((_, reject) => {
    const late = (): void => reject(new DOMException('The time-out is over.', 'TimeoutError'));
    timer = setTimeout(late, milliseconds);
    stopped = () => reject(stop?.reason);
    if (stop?.aborted) stopped();
    else stop?.addEventListener('abort', stopped);
  });
  try {
    return await Promise.race([work, cut]);
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener('abort', stopped);
  }
}

/** The pieces of a body, each within so many milliseconds. @throws a TimeoutError */
export async function* inTime(
  body: AsyncIterable<Uint8Array>,
  milliseconds: number,
): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await withDeadline(pieces.next(), milliseconds);
      if (done) return;
      yield value;
    }
  } finally {
    // Not awaited: a body that never ends may never answer this either. Its failure says nothing new.
    pieces.return?.()?.then(undefined, () => {});
  }
}
