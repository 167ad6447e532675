import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';

/*
 * Time for what runs in this process alone: the suite and a service, which wait for each other and for nothing else. It stands
 * still while either works, however long that takes, and goes on to the next moment that somebody waits for when both wait. So
 * an event that is recorded after 30 ms is there after 40 ms on any machine, and waiting takes no time.
 *
 * Timers and `performance.now()` are Node's own outside of `inVirtualTime`. The date is the real one throughout.
 */

interface Timer {
  readonly due: number;
  readonly ring: () => void;
  ref(): Timer;
  unref(): Timer;
}

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setImmediate: globalThis.setImmediate,
  pause: timersPromises.setTimeout,
  now: performance.now,
};

let now = 0;
/** In the order in which they were set. */
const waiting = new Set<Timer>();
/** How many pieces of work of which time is to take no notice are under way. */
let atWork = 0;
let onRest = (): void => {};
let users = 0;

/** Runs this and what it starts in virtual time, together with whatever else runs in it. */
export async function inVirtualTime<T>(run: () => Promise<T>): Promise<T> {
  users += 1;
  if (users === 1) {
    replaceTimers();
    void goOn();
  }
  try {
    return await run();
  } finally {
    users -= 1;
    if (users === 0) restoreTimers();
  }
}

/** Time stands still until this work is done: for what another process, a socket or a later turn of the event loop does. */
export async function timeless<T>(work: () => Promise<T>): Promise<T> {
  atWork += 1;
  try {
    return await work();
  } finally {
    atWork -= 1;
    if (atWork === 0) onRest();
  }
}

/** Lets time pass whenever there is nothing else to do. */
async function goOn(): Promise<void> {
  while (users > 0) {
    // Whatever follows on what has happened, without waiting, is done before the event loop turns.
    await new Promise<void>((resolve) => real.setImmediate(resolve));
    if (atWork > 0) {
      await new Promise<void>((resolve) => {
        onRest = resolve;
      });
      continue;
    }
    const next = [...waiting].reduce<Timer | undefined>(
      (first, timer) => (first === undefined || timer.due < first.due ? timer : first),
      undefined,
    );
    if (next === undefined) continue;
    waiting.delete(next);
    now = next.due;
    next.ring();
  }
}

function setTimer(ring: () => void, milliseconds = 1): Timer {
  const timer: Timer = {
    // As Node counts: whole milliseconds, and at least one.
    due: now + Math.max(1, Math.trunc(milliseconds)),
    ring,
    ref: () => timer,
    unref: () => timer,
  };
  waiting.add(timer);
  return timer;
}

async function pause<T>(
  milliseconds?: number,
  value?: T,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<T | undefined> {
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      waiting.delete(timer);
      reject(new DOMException('The operation was aborted', 'AbortError'));
    };
    const timer = setTimer(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
  return value;
}

function replaceTimers(): void {
  Object.assign(globalThis, {
    setTimeout: (ring: (...given: unknown[]) => void, milliseconds?: number, ...given: unknown[]) =>
      setTimer(() => ring(...given), milliseconds),
    clearTimeout: (timer: Timer & NodeJS.Timeout) =>
      waiting.delete(timer) || real.clearTimeout(timer),
  });
  Object.assign(timersPromises, { setTimeout: pause });
  performance.now = () => now;
  // What was imported by its name follows.
  syncBuiltinESMExports();
}

function restoreTimers(): void {
  waiting.clear();
  const { setTimeout, clearTimeout } = real;
  Object.assign(globalThis, { setTimeout, clearTimeout });
  Object.assign(timersPromises, { setTimeout: real.pause });
  performance.now = real.now;
  syncBuiltinESMExports();
}
