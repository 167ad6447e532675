import { pause } from './waiting.ts';

/**
 * Holds back requests: so many at once, so many a second. Waits for the places that the work takes, runs it,
 * gives them back. Work that takes several places at once is for requests that must leave together.
 */
export type Pacing = <T>(work: () => Promise<T>, places?: number) => Promise<T>;

/**
 * @param atOnce how many places there are
 * @param perSecond how many may be taken in a second; 0 means as many as come
 * @param stop once aborted, nobody waits any more: work that has not begun is rejected with its reason
 */
export function createPacing(atOnce: number, perSecond: number, stop?: AbortSignal): Pacing {
  const waiting: { places: number; start: () => void }[] = [];
  const interval = perSecond > 0 ? 1000 / perSecond : 0;
  let free = atOnce;
  let nextStart = 0;

  const serve = (): void => {
    for (;;) {
      const [next] = waiting;
      if (next === undefined || next.places > free) return;
      waiting.shift();
      free -= next.places;
      next.start();
    }
  };

  /** @returns milliseconds until the places may be used */
  const take = async (places: number): Promise<number> => {
    await new Promise<void>((start) => {
      waiting.push({ places, start });
      serve();
    });
    const now = performance.now();
    const start = Math.max(now, nextStart);
    nextStart = start + interval * places;
    return start - now;
  };

  return async (work, wanted = 1) => {
    const places = Math.min(wanted, atOnce);
    const wait = await take(places);
    try {
      if (wait > 0) await pause(wait, stop);
      return await work();
    } finally {
      free += places;
      serve();
    }
  };
}
