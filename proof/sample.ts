/*
 * How much is proved, by the mode that Vitest runs in:
 *
 * - `test`, where none is given: a sample. For every commit.
 * - `all`: every fault and variant; of faults, until they are found. For pipelines, and for tests that are named (`-t`).
 * - `whole`: every fault against all scenarios of its part, to the end, and every variant alone, with all own events
 *   (`npm run proof`).
 */
const { PROOF } = process.env;

export const isWhole = PROOF === 'whole';
export const isSample = PROOF === 'test';

/** The first of every so many where a sample is enough, else all. */
export function sampled<T>(all: readonly T[], oneIn = 10): readonly T[] {
  return isSample ? all.filter((_, index) => index % oneIn === 0) : all;
}

/**
 * What is proved in one of several ways: its share, so that each is proved in one of them; all in the whole proof.
 * @param way one of `ways`
 */
export function shareOf<T, Way>(all: readonly T[], way: Way, ways: readonly Way[]): readonly T[] {
  return isWhole ? all : all.filter((_, index) => index % ways.length === ways.indexOf(way));
}
