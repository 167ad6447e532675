import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { emptyFolder, startCommand } from '../contract/process.fixture.ts';
import { hasOpenSsl, type SelfSigned, selfSigned } from '../helpers/http/certificates.fixture.ts';

// How the commands get to a target: whose configuration, when, and whom they trust. A target that answers 404 to
// everything was reached, and is given up at once.

const reached = 'answers 404 to every request';

async function listening(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  // address() gives text for pipes only, and this listens on a port.
  return (server.address() as AddressInfo).port;
}

const nothingThere = () => createServer((_, response) => response.writeHead(404).end());

async function doctor(args: readonly string[], variables: Record<string, string>, folder?: string) {
  return await startCommand(['doctor', ...args], folder ?? (await emptyFolder()), variables).ended;
}

test('--env names the file of one region among several', async () => {
  const folder = await emptyFolder();
  const baseUrl = `http://127.0.0.1:${await listening(nothingThere())}/v5`;
  await writeFile(join(folder, '.env'), 'BASE_URL=http://127.0.0.1:1/v5\nAPI_KEY=eu\n');
  await writeFile(join(folder, 'us.env'), `BASE_URL=${baseUrl}\nAPI_KEY=us\n`);
  const { stderr } = await doctor(['--env', 'us.env'], {}, folder);
  expect(stderr).toContain(`${baseUrl} ${reached}`);
  const { stderr: missing, code } = await doctor(['--env', 'ap.env'], {}, folder);
  expect(missing).toContain('There is no file "ap.env" (ENV_FILE, --env).');
  expect(code).toBe(2);
});

test('--wait waits for a target that is coming up, through the 503 of its gateway', async () => {
  const [gateway, port] = await (async () => {
    const first = nothingThere();
    const taken = await listening(first);
    first.close();
    await once(first, 'close');
    let asked = 0;
    const later = createServer((_, response) => {
      asked += 1;
      response.writeHead(asked < 3 ? 503 : 404).end();
    });
    return [later, taken] as const;
  })();
  const baseUrl = `http://127.0.0.1:${port}/v5`;
  const variables = { BASE_URL: baseUrl, API_KEY: 'canary' };
  const folder = await emptyFolder();
  const waiting = startCommand(['doctor', '--wait', '60'], folder, variables);
  await waiting.complains(`Waiting for ${baseUrl} to answer`);
  await listening(gateway, port);
  const { stderr } = await waiting.ended;
  expect(stderr).toContain(reached);
});

describe.runIf(hasOpenSsl)('over TLS', () => {
  async function secureTarget(own: SelfSigned, more: ServerOptions = {}) {
    const seen: (boolean | undefined)[] = [];
    const server = createTlsServer(
      { key: own.key, cert: own.certificate, ...more },
      (request, response) => {
        // The server is one of TLS.
        seen.push((request.socket as TLSSocket).authorized);
        response.writeHead(404).end();
      },
    );
    return { baseUrl: `https://127.0.0.1:${await listening(server)}/v5`, seen };
  }

  test('a target that asks for a certificate gets that of the configuration', async () => {
    const [own, client] = [selfSigned(), selfSigned()];
    const asking = { requestCert: true, rejectUnauthorized: true, ca: [client.certificate] };
    const { baseUrl, seen } = await secureTarget(own, asking);
    const variables = { BASE_URL: baseUrl, API_KEY: 'canary', CA_FILE: own.certificateFile };
    const without = await doctor([], variables);
    expect(without.stderr).toContain('cannot be reached');
    const shown = {
      ...variables,
      CLIENT_CERT_FILE: client.certificateFile,
      CLIENT_KEY_FILE: client.keyFile,
    };
    expect((await doctor([], shown)).stderr).toContain(reached);
    expect(seen).toEqual([true]);
    const wrongKey = await doctor([], { ...shown, CLIENT_KEY_FILE: own.keyFile });
    expect(wrongKey.stderr).toContain(`CLIENT_KEY_FILE: "${own.keyFile}" holds no private key`);
  });

  test('CA_FILE does not take the place of NODE_EXTRA_CA_CERTS', async () => {
    const [own, other] = [selfSigned(), selfSigned()];
    const { baseUrl } = await secureTarget(own);
    const variables = { BASE_URL: baseUrl, API_KEY: 'canary', CA_FILE: other.certificateFile };
    expect((await doctor([], variables)).stderr).toContain('its certificate is self-signed');
    const both = { ...variables, NODE_EXTRA_CA_CERTS: own.certificateFile };
    expect((await doctor([], both)).stderr).toContain(reached);
  });
});
