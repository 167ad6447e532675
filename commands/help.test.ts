import { afterEach, expect, test, vi } from 'vitest';
import { helpOn } from './help.ts';
import { restore } from './restore.ts';
import { serve } from './serve.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test.for([
  [[], ['restore', 'serve']],
  [['serve'], ['serve']],
  [['serve', '--help'], ['serve']],
  [['no-such-command'], ['restore', 'serve']],
] as const)('help %j tells the options of %j', async ([args, told]) => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await helpOn(async () => ({ restore, serve })).run(args);
  const text = String(write.mock.lastCall?.[0]);
  expect([...text.matchAll(/^Options of (\w+)$/gm)].map(([, name]) => name)).toEqual(told);
});
