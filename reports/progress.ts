import { printableLine } from './printable.ts';
import { counted } from './wording.ts';

interface ProgressState {
  readonly finished: number;
  /** Scenarios of the run. */
  readonly total: number;
  /** Requests sent so far. */
  readonly requests: number;
  /** The scenario that has been running longest. */
  readonly current: string;
}

const intervals = { terminal: 50, log: 10_000 };

/**
 * Shows how far a run is: one line that renews itself on a terminal, and elsewhere a plain line now and then,
 * so that a log neither floods nor looks dead.
 * @param stream where it is written, for example `process.stderr`
 * @param options `width`: columns of the terminal; `now`: a clock in milliseconds
 */
export function createProgress(
  stream: { write(text: string): unknown },
  { isTTY, width = 80, now }: { isTTY: boolean; width?: number; now: () => number },
) {
  const interval = isTTY ? intervals.terminal : intervals.log;
  let last = isTTY ? Number.NEGATIVE_INFINITY : now();
  let shown = false;
  return {
    update(state: ProgressState): void {
      if (now() - last < interval) return;
      last = now();
      const line = progressLine(state, isTTY ? width - 1 : Number.POSITIVE_INFINITY);
      stream.write(isTTY ? `\r${line}\u001b[K` : `${line}\n`);
      shown = true;
    },
    /** Takes the line away from a terminal. */
    done(): void {
      if (isTTY && shown) stream.write('\r\u001b[K');
    },
  };
}

/** “[3/90] name of a scenario … 120 requests”, the name cut so that the line fits the width. */
function progressLine(
  { finished, total, requests, current }: ProgressState,
  width: number,
): string {
  const start = `[${finished}/${total}] `;
  const end = ` … ${counted(requests, 'request')}`;
  const room = width - start.length - end.length;
  const name = printableLine(current);
  return start + (name.length <= room ? name : name.slice(0, Math.max(0, room - 1))) + end;
}
