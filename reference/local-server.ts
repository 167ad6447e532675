import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on this machine. */
export interface LocalServer {
  /** Its address, without a path. */
  readonly url: string;
  /** Ends it and every open connection. */
  close(): Promise<void>;
}

/**
 * Starts an HTTP server.
 * @param host an address of this machine
 * @param port 0: a free one
 * @throws the error of the socket, where the port is taken or the host is not of this machine
 */
export async function startServer(server: Server, host: string, port = 0): Promise<LocalServer> {
  // Longer than any client keeps a connection open: a request that is sent while it is closed would be lost.
  server.keepAliveTimeout = 65_000;
  server.listen(port, host);
  await once(server, 'listening');
  // address() gives text for pipes only, and this one listens on a port.
  const { address, family, port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
