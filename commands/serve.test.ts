import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../reference/http.ts';
import { createReference } from '../reference/reference.ts';
import { serve } from './serve.ts';

test('a port that is taken', async () => {
  const { baseUrl, close } = await listen(createReference({ seed: 1 }));
  onTestFinished(close);
  const { port } = new URL(baseUrl);
  await expect(serve.run(['--port', port])).rejects.toThrow(
    `Cannot listen on port ${port} of 127.0.0.1: something listens there already; give another --port, or none for a free one.`,
  );
});

test.for([
  [['--port', '65536'], '--port: "65536" is not a whole number from 0 to 65535'],
  [['--port', '-1'], '--port: "-1" is not a whole number from 0 to 65535'],
  [['--seed', 'abc'], '--seed: "abc" is not a whole number from 0 to 999999999'],
  [
    ['--host', '203.0.113.7'],
    /^Cannot listen on port 0 of 203\.0\.113\.7: that is no address of this machine;/,
  ],
] as const)('%j', async ([args, message]) => {
  await expect(serve.run(args)).rejects.toThrow(message);
});
