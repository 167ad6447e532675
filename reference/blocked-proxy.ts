import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type LocalServer, startServer } from './local-server.ts';

/** A proxy of the service's own, whose address is not on the allow list. */
export interface BlockedProxy extends LocalServer {
  /** The address that a caller has for the service: that of its connection, or the proxy's. */
  addressOf(socket: Socket): string;
}

/** Nobody has it: it is set aside for documentation (RFC 5737). */
const ownAddress = '192.0.2.1';

/**
 * Starts a proxy that leads to the service and nowhere else. Most systems have one loopback address, so that nobody on the
 * machine could come from another one.
 * @param host an address of this machine, on which the service listens too
 * @param port that of the service
 * @throws the error of the socket, where the host is not of this machine
 */
export async function startBlockedProxy(host: string, port: number): Promise<BlockedProxy> {
  const open = new Set<Duplex>();
  /** Of the connections to the service, by which it knows them. */
  const ports = new Set<number | undefined>();
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
    addressOf: ({ remoteAddress = '', remotePort }) =>
      ports.has(remotePort) ? ownAddress : remoteAddress,
    async close() {
      for (const socket of open) socket.destroy();
      await close();
    },
  };
}
