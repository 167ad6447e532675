import type { Row } from '../../helpers/csv/csv-form.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import { pause } from '../../helpers/http/waiting.ts';
import type { World } from '../../runner/world.ts';

/*
 * How events of the run's own are looked for: by a mark in their comment, about the time of the write, until they are there
 * or the time-out is over. An event may take a while to appear in the export (Events).
 */

/** How far the clock that answers and the clock that records may be apart. */
export const clockMarginMs = 5 * 60_000;

/** The time of an answer by the clock of the target, where its Date header shows it, or by ours, in milliseconds since 1970. */
export function serverTime(
  answer: Answer,
  choose: (one: number, other: number) => number,
  ours: number,
): number {
  const date = Date.parse(answer.header('date') ?? '');
  return Number.isNaN(date) ? ours : choose(date, ours);
}

export function mentions(row: Row, mark: string): boolean {
  return row.some((cell) => cell.includes(mark));
}

const firstPauseMs = 250;
const maxPauseMs = 2000;

/** What was seen at last, and how long after the first look; 0 where that showed everything. */
export interface Seen<Look> {
  readonly looks: readonly Look[];
  readonly waitedMs: number;
}

/**
 * Looks, and looks again at what does not show all that is to be recorded: until the time-out, and once more as late as can
 * be, for the time-out may be too short.
 */
export async function lookUntilRecorded<Look>(
  { auditTimeoutMs, othersAreDone }: Pick<World, 'auditTimeoutMs' | 'othersAreDone'>,
  first: () => Promise<readonly Look[]>,
  again: (look: Look) => Promise<Look>,
  isComplete: (look: Look) => boolean,
): Promise<Seen<Look>> {
  const began = performance.now();
  const waited = (): number => performance.now() - began;
  let looks = await first();
  const lookAgain = async (): Promise<void> => {
    looks = await Promise.all(looks.map((one) => (isComplete(one) ? one : again(one))));
  };
  // An event that appears at the last moment is in time: the last look begins when the time is over.
  let waitedMs = 0;
  let wait = firstPauseMs;
  while (!looks.every(isComplete) && waitedMs < auditTimeoutMs) {
    await pause(Math.min(wait, Math.max(0, auditTimeoutMs - waited())));
    wait = Math.min(wait * 2, maxPauseMs);
    waitedMs = waited();
    await lookAgain();
  }
  if (!looks.every(isComplete)) {
    await othersAreDone();
    waitedMs = waited();
    await lookAgain();
  }
  return { looks, waitedMs };
}
