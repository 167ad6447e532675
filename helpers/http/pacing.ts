import { pause } from './waiting.ts';

/** Holds back requests: `createPacing`. */
export type Pacing = ReturnType<typeof createPacing>;

/**
 * After the target asked for fewer requests: the time between two in milliseconds, by how much it grows each time, up to how
 * much, and how much of it is left with each request.
 */
const slower = { first: 20, factor: 1.5, most: 200, left: 0.96 };

interface Waiting {
  readonly places: number;
  readonly owner: string;
  readonly start: () => void;
  isFirst: boolean;
}

/**
 * Holds back requests: so many at once, so many a second. Who sends one request after the other does not wait for all
 * those that another sends at once.
 * @param atOnce how many places there are
 * @param perSecond how many may be taken in a second; 0 means as many as come
 * @param stop once aborted, nobody waits any more: work that has not begun is rejected with its reason
 */
export function createPacing(atOnce: number, perSecond: number, stop?: AbortSignal) {
  const waiting: Waiting[] = [];
  const underWay = new Map<string, number>();
  const usual = perSecond > 0 ? 1000 / perSecond : 0;
  let interval = usual;
  let free = atOnce;
  let nextStart = 0;

  const countOf = (owner: string): number => underWay.get(owner) ?? 0;

  /** Whoever waits for several places is not overtaken; of the others, the first of those with the fewest requests. */
  const nextOf = (): Waiting | undefined =>
    waiting.find(({ isFirst }) => isFirst) ??
    waiting.reduce<Waiting | undefined>(
      (best, one) => (best === undefined || countOf(one.owner) < countOf(best.owner) ? one : best),
      undefined,
    );

  const serve = (): void => {
    for (let next = nextOf(); next !== undefined; next = nextOf()) {
      if (next.places > free) {
        // From now on everybody else waits for those who need several.
        next.isFirst = next.places > 1;
        return;
      }
      waiting.splice(waiting.indexOf(next), 1);
      free -= next.places;
      underWay.set(next.owner, countOf(next.owner) + next.places);
      next.start();
    }
  };

  /** Lets nobody begin for so many milliseconds, as the target has asked for, and fewer a second for a while after that. */
  const holdBack = (ms: number): void => {
    const now = performance.now();
    // Requests that were sent together are refused together.
    const isFirst = nextStart <= now + interval * atOnce;
    const grown = Math.min(slower.most, Math.max(slower.first, interval * slower.factor));
    if (isFirst) interval = Math.max(interval, grown);
    nextStart = Math.max(nextStart, now + ms);
  };

  /**
   * Waits for places, runs the work, and gives them back.
   * @param taking `places`: how many the work takes at once, for requests that must leave together; `owner`: for whom: of
   *   those who wait, whoever has the fewest requests under way comes first
   */
  const pacing = async <T>(
    work: () => Promise<T>,
    { places: wanted = 1, owner = '' } = {},
  ): Promise<T> => {
    const places = Math.min(wanted, atOnce);
    await new Promise<void>((start) => {
      waiting.push({ places, owner, start, isFirst: false });
      serve();
    });
    const now = performance.now();
    const start = Math.max(now, nextStart);
    nextStart = start + interval * places;
    interval = Math.max(usual, interval * slower.left);
    try {
      if (start > now) await pause(start - now, stop);
      return await work();
    } finally {
      free += places;
      underWay.set(owner, countOf(owner) - places);
      serve();
    }
  };
  return Object.assign(pacing, { holdBack });
}
