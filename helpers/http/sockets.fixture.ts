import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { Client, type ClientLimits, type ClientRequest } from './client.ts';
import { type NetworkOptions, openNetwork } from './network.ts';
import { createPacing } from './pacing.ts';
import { Recorder } from './recorder.ts';

/**
 * Starts a server on a free port of this machine, for the time of a test.
 * @returns its address, without a slash at the end
 */
export async function serverOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // address() gives text for pipes only, and this listens on a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A client on the real network, for the time of a test. */
export function clientOf(
  limits: Partial<ClientLimits> = {},
  options: Partial<NetworkOptions> = {},
): Client {
  const network = openNetwork({ requestTimeoutMs: 50_000, ...options });
  onTestFinished(() => network.close());
  return new Client(network.send, new Recorder(), createPacing(8, 0), {
    requestTimeoutMs: 50_000,
    maxExportBytes: 1_000_000,
    writes: true,
    retryBudgetMs: 500,
    ...limits,
  });
}

/** A task is read. */
export function reading(base: string, more: Partial<ClientRequest> = {}): ClientRequest {
  return {
    operation: 'get-task',
    scenario: 'a scenario',
    method: 'GET',
    url: `${base}/v5/tasks/1`,
    headers: {},
    route: 'direct',
    ...more,
  };
}
