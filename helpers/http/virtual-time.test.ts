import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inVirtualTime, timeless } from './virtual-time.fixture.ts';
import { pause, withDeadline } from './waiting.ts';

test('waiting takes exactly as long as was asked for, and no time', () =>
  inVirtualTime(async () => {
    const began = performance.now();
    await pause(3_600_000);
    await wait(3_600_000);
    await new Promise((resolve) => setTimeout(resolve, 0.25));
    expect(performance.now() - began).toBe(7_200_001);
  }));

test('what is due earlier comes earlier, also of those who wait in other runs', async () => {
  const order: string[] = [];
  const waiting = async (name: string, milliseconds: number): Promise<void> => {
    await pause(milliseconds);
    order.push(name);
  };
  await Promise.all([
    inVirtualTime(() => waiting('third', 30)),
    inVirtualTime(() => Promise.all([waiting('second', 20), waiting('first', 10)])),
  ]);
  expect(order).toEqual(['first', 'second', 'third']);
});

test('work takes no time, over however many turns of the event loop', () =>
  inVirtualTime(async () => {
    const work = timeless(async () => {
      for (let turn = 0; turn < 100; turn += 1) await setImmediate();
      return 'done';
    });
    expect(await withDeadline(work, 1)).toBe('done');
  }));

test('a pause that is given up, and a timer that is cleared, do not let time pass', () =>
  inVirtualTime(async () => {
    const began = performance.now();
    const stop = new AbortController();
    const waiting = pause(1000, stop.signal);
    clearTimeout(setTimeout(() => {}, 1000));
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await pause(1);
    expect(performance.now() - began).toBe(1);
  }));

test('afterwards time is real again', async () => {
  const real = [globalThis.setTimeout, performance.now];
  await inVirtualTime(() => pause(1));
  expect([globalThis.setTimeout, performance.now]).toEqual(real);
});
