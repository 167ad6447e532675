import { setTimeout as pause } from 'node:timers/promises';

/** Holds back requests: so many at once, so many a second. */
export interface Pacing {
  /** Waits for a place, runs the work, gives the place back. */
  <T>(work: () => Promise<T>): Promise<T>;
}

/**
 * @param atOnce how many may be under way at the same time
 * @param perSecond how many may start in a second; 0 means as many as come
 */
export function createPacing(atOnce: number, perSecond: number): Pacing {
  const waiting: (() => void)[] = [];
  const interval = perSecond > 0 ? 1000 / perSecond : 0;
  let free = atOnce;
  let nextStart = 0;

  const take = async (): Promise<void> => {
    if (free > 0) {
      free -= 1;
    } else {
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    const now = performance.now();
    const start = Math.max(now, nextStart);
    nextStart = start + interval;
    if (start > now) await pause(start - now);
  };

  const giveBack = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };

  return async (work) => {
    await take();
    try {
      return await work();
    } finally {
      giveBack();
    }
  };
}
