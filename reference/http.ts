import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type BlockedProxy, startBlockedProxy } from './blocked-proxy.ts';
import { startServer } from './local-server.ts';
import type { Handle, Reference } from './reference.ts';
import type { ServiceRequest } from './request.ts';

export interface ListenOptions {
  /** Of the own region; 0 and left out: a free one. */
  readonly port?: number;
  /** An address of this machine; 127.0.0.1 where it is left out. */
  readonly host?: string;
}

/** The service on the network of this machine. */
export interface Listening {
  /** Ends in `/v5`. */
  readonly baseUrl: string;
  /** Another region's base address: the key gets 401 there. */
  readonly otherRegionUrl: string;
  /** A proxy whose address is not on the allow list. */
  readonly blockedProxyUrl: string;
  /** Ends the listeners and every open connection. */
  close(): Promise<void>;
}

/**
 * Puts the service on two listeners, one for each region, with a proxy before the own one.
 * @throws the error of the socket, where the port is taken or the host is not of this machine
 */
export async function listen(
  { handle }: Reference,
  { port, host = '127.0.0.1' }: ListenOptions = {},
): Promise<Listening> {
  let proxy: BlockedProxy | undefined;
  const start = (region: ServiceRequest['region'], at?: number) =>
    startServer(
      createServer((incoming, outgoing) => {
        // A caller that goes away, or a fault that throws, ends its own connection and nothing else.
        exchange(handle, region, incoming, outgoing, proxy).catch(() => outgoing.destroy());
      }),
      host,
      at,
    );
  const own = await start('own', port);
  const other = await start('other');
  const blocked = await startBlockedProxy(host, Number(new URL(own.url).port));
  proxy = blocked;
  return {
    baseUrl: `${own.url}/v5`,
    otherRegionUrl: `${other.url}/v5`,
    blockedProxyUrl: blocked.url,
    close: async () => {
      await Promise.all([own.close(), other.close(), blocked.close()]);
    },
  };
}

async function exchange(
  handle: Handle,
  region: ServiceRequest['region'],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  proxy: BlockedProxy | undefined,
): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece);
  const { status, headers, body } = await handle({
    method: incoming.method ?? '',
    target: incoming.url ?? '',
    headers: joined(incoming.headers),
    body: Buffer.concat(pieces).toString('utf8'),
    remoteAddress: proxy?.addressOf(incoming.socket) ?? incoming.socket.remoteAddress ?? '',
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
