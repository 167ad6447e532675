import type { ViolationResult } from '../schemas/results.ts';
import { groupsOf, headlineOf } from './findings.ts';
import { printableLine } from './printable.ts';
import { safeValue } from './terminal.ts';
import { counted } from './wording.ts';

interface ProgressState {
  readonly finished: number;
  /** Scenarios of the run. */
  readonly total: number;
  /** Requests sent so far. */
  readonly requests: number;
  /** The scenario that has been running longest. */
  readonly current: string;
  /** What has been found violated since the state before. */
  readonly violations: readonly ViolationResult[];
}

const intervals = { terminal: 50, log: 10_000 };

/**
 * Shows how far a run is: one line that renews itself on a terminal, and elsewhere a plain line now and then,
 * so that a log neither floods nor looks dead. What is found violated is a line that stays, once for each finding.
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
  let found: readonly ViolationResult[] = [];
  const clear = (): void => {
    if (isTTY && shown) stream.write('\r\u001b[K');
  };
  return {
    update(state: ProgressState): void {
      const before = found;
      if (state.violations.length > 0) found = [...before, ...state.violations];
      const groups = found === before ? [] : groupsOf(found);
      // A group with an earlier violation is a finding that stands there already.
      for (const group of groups.filter((one) => !one.some((member) => before.includes(member)))) {
        clear();
        stream.write(`  ✗ ${safeValue(headlineOf({ violations: group }))}\n`);
        // The line of progress is to stand below.
        if (isTTY) last = Number.NEGATIVE_INFINITY;
      }
      if (now() - last < interval) return;
      last = now();
      const line = progressLine(state, isTTY ? width - 1 : Number.POSITIVE_INFINITY);
      stream.write(isTTY ? `\r${line}\u001b[K` : `${line}\n`);
      shown = true;
    },
    /** Takes the line away from a terminal. */
    done: clear,
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
