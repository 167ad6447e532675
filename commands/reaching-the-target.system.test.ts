import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createSilentServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { emptyFolder, startCommand } from '../contract/process.fixture.ts';
import { shareTarget } from '../contract/shared-target.fixture.ts';
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
  return said(startCommand(['doctor', ...args], folder ?? (await emptyFolder()), variables));
}

/** What a command says, on either output, with the lines that a terminal breaks put together. */
async function said({ ended }: ReturnType<typeof startCommand>) {
  const { stdout, stderr, code } = await ended;
  return { text: `${stdout}${stderr}`.replace(/\n +/g, ' '), code };
}

test('--env names the file of one region among several', async () => {
  const folder = await emptyFolder();
  const baseUrl = `http://127.0.0.1:${await listening(nothingThere())}/v5`;
  await writeFile(join(folder, '.env'), 'BASE_URL=http://127.0.0.1:1/v5\nAPI_KEY=eu\n');
  await writeFile(join(folder, 'us.env'), `BASE_URL=${baseUrl}\nAPI_KEY=us\n`);
  const { text } = await doctor(['--env', 'us.env'], {}, folder);
  expect(text).toContain(`${baseUrl} ${reached}`);
  const { text: missing, code } = await doctor(['--env', 'ap.env'], {}, folder);
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
  expect((await said(waiting)).text).toContain(reached);
});

describe('who does not get there is told', () => {
  const nobody = 'http://127.0.0.1:1';
  const told = async (variables: Record<string, string>): Promise<string> => {
    const { text, code } = await doctor([], { API_KEY: 'canary', ...variables });
    expect(code).toBe(2);
    return text;
  };

  test('that nothing listens there', async () => {
    expect(await told({ BASE_URL: `${nobody}/v5` })).toContain(
      'nothing listens there (connection refused) (#3). Is BASE_URL right, and is the target up?',
    );
  });

  test('that https is given for a port that speaks http', async () => {
    const port = await listening(nothingThere());
    expect(await told({ BASE_URL: `https://127.0.0.1:${port}/v5` })).toContain(
      'speaks no TLS: is it http, not https? (#1). Is BASE_URL right',
    );
  });

  test.runIf(hasOpenSsl)('that http is given for a port that speaks https', async () => {
    const { key, certificate } = selfSigned();
    const port = await listening(createTlsServer({ key, cert: certificate }));
    expect(await told({ BASE_URL: `http://127.0.0.1:${port}/v5` })).toContain(
      'Is BASE_URL right (does that port speak https?)',
    );
  });

  test('that a target takes its time, while it is waited for', async () => {
    const silent = createSilentServer(() => {});
    const baseUrl = `http://127.0.0.1:${await listening(silent)}/v5`;
    const variables = { BASE_URL: baseUrl, API_KEY: 'canary' };
    const waiting = startCommand(['doctor'], await emptyFolder(), variables);
    await waiting.complains(
      `Waiting for ${baseUrl} to answer, for 30 s at the most (REQUEST_TIMEOUT_MS)`,
    );
  });

  /** Nothing is asked of this host: what listens on this machine is asked without a proxy. */
  const elsewhere = 'service.example/v5';

  /** Of the requests that are sent at the same time, any may fail first: as if the third had. */
  const ofTheThird = (text: string) => text.replace(/\(#[123]\)/, '(#3)');

  async function proxyThatAnswers(status: number): Promise<string> {
    const proxy = createServer().on('connect', (_, socket) => {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    });
    return `http://qa:canary-password@127.0.0.1:${await listening(proxy)}`;
  }

  test.for([
    ['HTTPS_PROXY', 'https'],
    ['HTTP_PROXY', 'https'],
    ['HTTP_PROXY', 'http'],
  ] as const)('that nothing listens where %s is to take requests to %s', async ([name, scheme]) => {
    const text = await told({ BASE_URL: `${scheme}://${elsewhere}`, [name]: nobody });
    expect(ofTheThird(text)).toContain(
      `no connection to the proxy: nothing listens there (connection refused) (#3). Is ${name} right, and is the proxy up?`,
    );
    expect(text).not.toContain('BASE_URL');
  });

  test.for([
    [502, 'the proxy answered 502 (#3). Is HTTPS_PROXY right'],
    [407, 'the proxy answered 407, it asks for a name and a password (#3). Is HTTPS_PROXY right'],
  ] as const)('that the proxy answers %i', async ([status, why]) => {
    const proxy = await proxyThatAnswers(status);
    const text = await told({ BASE_URL: `https://${elsewhere}`, HTTPS_PROXY: proxy });
    expect(ofTheThird(text)).toContain(why);
    expect(text).not.toContain('BASE_URL');
    expect(text).not.toContain('canary-password');
  });
});

test.for(['doctor', 'check'])('%s names a variable that is nearly one of ours', async (command) => {
  const folder = await emptyFolder();
  await writeFile(join(folder, '.env'), 'BASE_UR=http://127.0.0.1:1/v5\nTASK_IDS=1\n');
  const { stderr, code } = await startCommand([command], folder, { USERS_IDS: '1' }).ended;
  expect(stderr).toContain(
    'BASE_UR in .env is no variable of this suite, and is not read. Did you mean BASE_URL?',
  );
  expect(stderr).toContain('USERS_IDS in the environment is no variable');
  expect(code).toBe(2);
});

test('a run in the name of nobody accuses nobody, and says what the target said', async () => {
  const unknown = 'cadff918-0000-4000-8000-000000000000';
  const folder = await emptyFolder();
  const target = await shareTarget(folder, async (request, handle) =>
    request.headers.apikey === target.variables.API_KEY && request.body.includes(unknown)
      ? { status: 400, headers: {}, body: `{"error":"assigned_by_id: no user ${unknown}"}` }
      : await handle(request),
  );
  const variables = { ...target.variables, ASSIGNED_BY_ID: unknown, AUDIT_TIMEOUT_MS: '100' };
  const { stdout, code } = await startCommand(['check'], folder, variables).ended;
  const screen = stdout.replace(/\n +/g, ' ');
  expect(code).toBe(3);
  expect(screen).toContain(
    `\nWrong in the configuration (1) ASSIGNED_BY_ID: ${unknown} is refused by the target (400: {"error":"assigned_by_id: no user ${unknown}"}): correct it, or take it out.`,
  );
  expect(screen).not.toContain('VIOLATIONS');
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
    expect(without.text).toContain('cannot be reached');
    const shown = {
      ...variables,
      CLIENT_CERT_FILE: client.certificateFile,
      CLIENT_KEY_FILE: client.keyFile,
    };
    expect((await doctor([], shown)).text).toContain(reached);
    expect(seen).toEqual([true]);
    const wrongKey = await doctor([], { ...shown, CLIENT_KEY_FILE: own.keyFile });
    expect(wrongKey.text).toContain(`CLIENT_KEY_FILE: "${own.keyFile}" holds no private key`);
  });

  test('CA_FILE does not take the place of NODE_EXTRA_CA_CERTS', async () => {
    const [own, other] = [selfSigned(), selfSigned()];
    const { baseUrl } = await secureTarget(own);
    const variables = { BASE_URL: baseUrl, API_KEY: 'canary', CA_FILE: other.certificateFile };
    expect((await doctor([], variables)).text).toContain('its certificate is self-signed');
    const both = { ...variables, NODE_EXTRA_CA_CERTS: own.certificateFile };
    expect((await doctor([], both)).text).toContain(reached);
  });
});
