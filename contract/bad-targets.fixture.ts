import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** Targets that do nothing right, each in its own way. */
export const badTargets = {
  'answers 401 to everything': (_, response) => response.writeHead(401).end(),
  'answers 404 to everything': (_, response) => response.writeHead(404).end(),
  'answers 200 {} to everything': (_, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'),
  'answers HTML to everything': (_, response) =>
    response
      .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
      .end('<!doctype html><title>Sign in</title><p>Please sign in.</p>'),
  'closes every connection': (request) => request.socket.destroy(),
  'never answers': () => {},
} satisfies Record<string, RequestListener>;

/** Starts a server on a free port of this machine. */
export async function startServer(
  listener: RequestListener,
): Promise<{ baseUrl: string; requests: () => number; close(): Promise<void> }> {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // address() gives text for pipes only, and this listens on a port.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v5`,
    requests: () => count,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A whole configuration for a target that knows none of it. */
export function configurationFor(baseUrl: string, reportDir: string): Record<string, string> {
  const ids = Array.from(
    { length: 6 },
    (_, index) => `00000000-0000-4000-8000-00000000000${index}`,
  );
  const [task = '', otherTask = '', assessment = '', actor = '', user = '', otherUser = ''] = ids;
  return {
    BASE_URL: baseUrl,
    API_KEY: 'canary-key-of-the-tests',
    TASK_IDS: `${task},${otherTask}`,
    ASSESSMENT_IDS: assessment,
    ASSIGNED_BY_ID: actor,
    USER_IDS: `${user},${otherUser}`,
    TEAM_IDS: '00000000-0000-4000-8000-000000000009',
    REQUEST_TIMEOUT_MS: '20000',
    // What it does not do at once it never does.
    READ_SETTLE_MS: '1',
    AUDIT_TIMEOUT_MS: '1',
    SEED: '1',
    REPORT_DIR: reportDir,
    JOURNAL_DIR: join(reportDir, 'journal'),
  };
}
