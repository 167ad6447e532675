import { expect, test } from 'vitest';
import { inVirtualTime } from './virtual-time.fixture.ts';
import { pause } from './waiting.ts';

test('it waits', async () => {
  await inVirtualTime(async () => {
    const began = performance.now();
    await pause(10);
    expect(performance.now() - began).toBe(10);
  });
});

test('it ends with the reason of the signal, aborted before or meanwhile', async () => {
  const stop = new AbortController();
  const waiting = pause(60_000, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  await expect(pause(60_000, stop.signal)).rejects.toThrow('stopped');
});
