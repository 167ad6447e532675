import { setTimeout as pause } from 'node:timers/promises';

/**
 * Holds back requests: so many at once, so many a second. Waits for the places that the work takes, runs it,
 * gives them back. Work that takes several places at once is for requests that must leave together.
 */
export type Pacing = <T>(work: () => Promise<T>, places?: number) => Promise<T>;

/**
 * @param atOnce how many places there are
 * @param perSecond how many may be taken in a second; 0 means as many as come
 */
export function createPacing(atOnce: number, perSecond: number): Pacing {
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

  const take = async (places: number): Promise<void> => {
    await new Promise<void>((start) => {
      waiting.push({ places, start });
      serve();
    });
    const now = performance.now();
    const start = Math.max(now, nextStart);
    nextStart = start + interval * places;
    if (start > now) await pause(start - now);
  };

  return async (work, wanted = 1) => {
    const places = Math.min(wanted, atOnce);
    await take(places);
    try {
      return await work();
    } finally {
      free += places;
      serve();
    }
  };
}
