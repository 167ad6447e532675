import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Handle, Reference } from './reference.ts';
import type { ServiceRequest } from './request.ts';

export interface ListenOptions {
  /** Of the own region; 0 and left out: a free one. */
  readonly port?: number;
  /** An address of this machine; 127.0.0.1 where it is left out. */
  readonly host?: string;
}

/** The service on the network of this machine. */
export type Listening = Awaited<ReturnType<typeof listen>>;

/** The address that the proxy has for the service. Nobody has it: it is set aside for documentation (RFC 5737). */
const proxyAddress = '192.0.2.1';

/** The local ports of connections that a proxy has to the service, by which the service knows them. */
type ProxyPorts = Set<number | undefined>;

/**
 * Puts the service on two listeners, one for each region, with a proxy before the own one.
 * @throws the error of the socket, where the port is taken or the host is not of this machine
 */
export async function listen(
  { handle }: Reference,
  { port, host = '127.0.0.1' }: ListenOptions = {},
) {
  const proxyPorts: ProxyPorts = new Set();
  const start = (region: ServiceRequest['region'], at?: number) =>
    startServer(
      createServer((incoming, outgoing) => {
        const { remotePort, remoteAddress = '' } = incoming.socket;
        const address = proxyPorts.has(remotePort) ? proxyAddress : remoteAddress;
        // A caller that goes away, or a fault that throws, ends its own connection and nothing else.
        exchange(handle, region, incoming, outgoing, address).catch(() => outgoing.destroy());
      }),
      host,
      at,
    );
  const own = await start('own', port);
  const other = await start('other');
  const proxy = await startProxy(host, Number(new URL(own.url).port), proxyPorts);
  return {
    baseUrl: `${own.url}/v5`,
    /** Another region's base address: the key gets 401 there. */
    otherRegionUrl: `${other.url}/v5`,
    /** A proxy whose address is not on the allow list. */
    blockedProxyUrl: proxy.url,
    /** Ends the listeners and every open connection. */
    async close(): Promise<void> {
      await Promise.all([own.close(), other.close(), proxy.close()]);
    },
  };
}

async function exchange(
  handle: Handle,
  region: ServiceRequest['region'],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  remoteAddress: string,
): Promise<void> {
  const { status, headers, body } = await handle({
    method: incoming.method ?? '',
    target: incoming.url ?? '',
    headers: joined(incoming.headers),
    body: (await buffer(incoming)).toString('utf8'),
    remoteAddress,
    region,
  });
  outgoing.writeHead(status, headers);
  if (typeof body === 'string' || body instanceof Uint8Array) outgoing.end(body);
  else await pipeline(Readable.from(body), outgoing);
}

/** Headers as one text each; node joins all repeated ones but cookies itself. */
function joined(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  );
}

/**
 * Starts an HTTP server; `url` is its address, without a path.
 * @param host an address of this machine
 * @param port 0: a free one
 * @throws the error of the socket, where the port is taken or the host is not of this machine
 */
export async function startServer(server: Server, host: string, port = 0) {
  // Longer than any client keeps a connection open: a request that is sent while it is closed would be lost.
  server.keepAliveTimeout = 65_000;
  server.listen(port, host);
  await once(server, 'listening');
  // address() gives text for pipes only, and this one listens on a port.
  const { address, family, port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    /** Ends it and every open connection. */
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Starts a proxy that leads to the service and nowhere else, and whose address is not on the allow list. Most systems
 * have one loopback address, so that nobody on the machine could come from another one.
 * @param port that of the service
 * @param ports holds the ports of its open connections to the service
 */
async function startProxy(host: string, port: number, ports: ProxyPorts) {
  const open = new Set<Duplex>();
  const keep = (socket: Duplex, onClose: () => void): void => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      open.delete(socket);
      onClose();
    });
  };
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on('connect', ({ url = '' }, caller: Duplex) => {
    if (Number(url.split(':').at(-1)) !== port) {
      caller.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const service = connect(port, host);
    keep(caller, () => service.destroy());
    keep(service, () => caller.destroy());
    service.on('connect', () => {
      const { localPort } = service;
      ports.add(localPort);
      service.on('close', () => ports.delete(localPort));
      caller.write('HTTP/1.1 200 Connection established\r\n\r\n');
      caller.pipe(service).pipe(caller);
    });
  });
  const { url, close } = await startServer(server, host);
  return {
    url,
    async close(): Promise<void> {
      for (const socket of open) socket.destroy();
      await close();
    },
  };
}
