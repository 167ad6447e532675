import { Readable } from 'node:stream';
import { Agent, type Dispatcher, EnvHttpProxyAgent, ProxyAgent, request as send } from 'undici';
import { portOf } from '../config/addresses.ts';
import type { Settings } from '../config/settings.ts';
import { remembered } from '../maps.ts';
import type { Headers } from './exchange.ts';
import { ProxyFailure } from './no-response.ts';
import type { Route, WireRequest, WireResponse } from './transport.ts';

/** The settings that say how a target is reached, as far as they are set. */
export interface NetworkOptions extends Partial<Settings> {
  readonly requestTimeoutMs: number;
  /** All certificates to trust, as PEM; those that Node trusts unless given. */
  readonly certificates?: string[] | undefined;
  /** What is shown to a target that asks who is there, as PEM; no proxy gets to see it. */
  readonly clientCertificate?: { readonly cert: string; readonly key: string };
}

/** The real network, over undici. Connections are kept alive and as many as there are simultaneous requests. */
export function openNetwork(options: NetworkOptions) {
  const dispatchers = new Map<Route, Dispatcher>();
  const { certificates: ca, clientCertificate } = options;
  const trust = ca && { ca };
  const proxyTls = { timeout: options.requestTimeoutMs, ...trust };
  const connect = { ...proxyTls, ...clientCertificate };
  // The body may come slowly: whoever reads it keeps its own deadline.
  const shared = { headersTimeout: 0, bodyTimeout: 0 };
  const through = { connect, requestTls: connect, proxyTls, ...shared };

  const openRoute = (route: Route): Dispatcher => {
    const { blockedProxyUrl: uri, blockedLocalAddress: localAddress } = options;
    if (route === 'blocked' && uri !== undefined) return new ProxyAgent({ uri, ...through });
    if (route === 'blocked' && localAddress !== undefined) {
      return new Agent({ localAddress, connect, ...shared });
    }
    // Empty ones keep undici from looking into the environment itself.
    const { httpProxy = '', httpsProxy = '', noProxy = '' } = options;
    return new EnvHttpProxyAgent({ httpProxy, httpsProxy, noProxy, ...through });
  };

  return {
    async send(request: WireRequest): Promise<WireResponse> {
      const { 'Transfer-Encoding': transfer, ...others } = request.headers;
      const { body: text = null } = request;
      const sent = send(request.url, {
        method: request.method,
        headers: others,
        // A stream, whose length is not known, is sent in chunks.
        body: transfer && text ? Readable.from([Buffer.from(text)]) : text,
        signal: request.signal,
        dispatcher: remembered(dispatchers, request.route, () => openRoute(request.route)),
        responseHeaders: 'raw',
      });
      const { statusCode, headers, body } = await sent.catch((error: unknown) => {
        const target = new URL(request.url);
        const ofHttps = target.protocol === 'https:' ? options.httpsProxy : undefined;
        const proxy = request.route === 'direct' ? (ofHttps ?? options.httpProxy) : undefined;
        throw (proxy && failureOfProxy(error, new URL(proxy), target)) ?? error;
      });
      return { status: statusCode, headers: pairs(headers), body };
    },
    async close(): Promise<void> {
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.destroy()));
    },
  };
}

/**
 * A failure to get through a proxy, told by where the connection was to go; undefined where it is another one, or may be: of
 * a target on the same port, which may be one that is asked directly.
 */
function failureOfProxy(error: unknown, proxy: URL, target: URL): ProxyFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  // What Node and undici tell beside the message; undici tells the answer of a proxy in the message alone.
  const { message, cause, hostname, port, errors = [] }: NetworkError = error;
  const [, status] = /^Proxy response \((\d+)\)/.exec(message) ?? [];
  const wants = status === '407' ? ', it asks for a name and a password' : '';
  if (status !== undefined)
    return new ProxyFailure(`the proxy answered ${status}${wants}`, { cause });
  const proxyPort = portOf(proxy);
  const isOnItsPort = port === proxyPort || message.includes(`:${proxyPort},`);
  if (hostname === proxy.hostname || (isOnItsPort && portOf(target) !== proxyPort))
    return new ProxyFailure('', { cause: error });
  return [cause, ...errors].map((one) => failureOfProxy(one, proxy, target)).find(Boolean);
}

type NetworkError = Error & {
  readonly hostname?: string;
  readonly port?: number;
  readonly errors?: readonly unknown[];
};

/** undici's raw headers come as one flat list of buffers: name, value, name, value. */
function pairs(raw: unknown): Headers {
  const flat = Array.isArray(raw) ? raw.map(String) : [];
  return flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? '']] : []));
}
