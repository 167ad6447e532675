/** How many events a range holds, both bounds included, in milliseconds since 1970. */
export type Count = (start: number, end: number) => Promise<number>;

/**
 * The instant of the n-th event from a start on, found by halving a range until it is a millisecond wide. Asks for
 * ever shorter ranges, so that the files stay small.
 *
 * @param n counts from 1
 * @returns the instant, and how many events there are from the start up to and including it (more than n where
 *   several share it); undefined where the range holds fewer than n
 */
export async function instantOfEvent(
  count: Count,
  range: { readonly start: number; readonly end: number; readonly total: number },
  n: number,
): Promise<{ instant: number; upTo: number } | undefined> {
  if (range.total < n) return undefined;
  // Up to and including `before` there are fewer than n events, up to and including `instant` there are enough.
  let before = range.start - 1;
  let upToBefore = 0;
  let instant = range.end;
  let upTo = range.total;
  while (instant - before > 1) {
    const middle = before + Math.floor((instant - before) / 2);
    const between = await count(before + 1, middle);
    if (upToBefore + between >= n) {
      instant = middle;
      upTo = upToBefore + between;
    } else {
      before = middle;
      upToBefore += between;
    }
  }
  return { instant, upTo };
}
