import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { emptyFolder, startCommand } from '../contract/process.fixture.ts';
import { listen } from '../reference/http.ts';
import { createReference } from '../reference/reference.ts';
import { exampleReference } from '../reports/example-fidelity.fixture.ts';
import { jsonText } from '../reports/printable.ts';
import { serve } from './serve.ts';

test('a port that is taken', async () => {
  const { baseUrl, close } = await listen(createReference({ seed: 1 }));
  onTestFinished(close);
  const { port } = new URL(baseUrl);
  await expect(serve.run(['--port', port])).rejects.toThrow(
    `Cannot listen on port ${port} of 127.0.0.1 (listen EADDRINUSE: address already in use 127.0.0.1:${port}); give another --port, or none for a free one, or another --host.`,
  );
});

test.for([
  [['--port', '65536'], '--port: "65536" is not a whole number from 0 to 65535'],
  [['--port=-1'], '--port: "-1" is not a whole number from 0 to 65535'],
  [['--seed', 'abc'], '--seed: "abc" is not a whole number from 0 to 999999999'],
  [
    ['--host', '203.0.113.7'],
    /^Cannot listen on port 0 of 203\.0\.113\.7 \(listen EADDRNOTAVAIL: /,
  ],
] as const)('%j', async ([args, message]) => {
  await expect(serve.run(args)).rejects.toThrow(message);
});

test('a profile: which points are done as it says, and which are not', async () => {
  const folder = await emptyFolder();
  await writeFile(join(folder, 'staging.json'), jsonText(exampleReference));
  const served = startCommand(['serve', '--profile', 'staging.json'], folder);
  await served.says('Serving until Ctrl+C is pressed.');
  served.signal('SIGINT');
  const { code, stderr } = await served.ended;
  expect(stderr).toBe(
    '\nAs the profile says: 3 open points.\nNot as the profile says: 1 open point, where this service stays as it is:\n  update.success-status\n',
  );
  expect(code).toBe(0);
});

test('a file that is no profile is refused before anything listens', async () => {
  await expect(serve.run(['--profile', 'package.json'])).rejects.toThrow(
    /^package\.json does not hold valid results of a run:/,
  );
});
