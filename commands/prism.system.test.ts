import { once } from 'node:events';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'dotenv';
import { expect, onTestFinished, test } from 'vitest';
import { emptyFolder, startCommand } from '../contract/process.fixture.ts';

// The recipe of docs/mock.md, with a mock that does as Prism: it serves the examples of a description at its paths, without
// the path of its `servers`, and keeps nothing of what is written.

const root = new URL('../', import.meta.url);
const page = await readFile(new URL('docs/mock.md', root), 'utf8');

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { examples: [object] }>> };
}

/** What a request is answered with: the first example of the object, or a line of a file. */
function answerOf({ paths, components }: Described, method = '', url = '') {
  const { pathname } = new URL(url, 'http://mock');
  const path = Object.keys(paths).find((one) =>
    new RegExp(`^${one.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
  const isThere = path !== undefined && method.toLowerCase() in (paths[path] ?? {});
  if (!isThere) return { status: 404, type: 'application/problem+json', body: '{}' };
  if (path.endsWith('/export')) return { status: 200, type: 'text/csv', body: 'time,audit\r\n' };
  const [example] = components.schemas[path.includes('assessment_id') ? 'Assessment' : 'Task']
    ?.examples ?? [{}];
  return { status: 200, type: 'application/json', body: JSON.stringify(example) };
}

/** Serves a description until the test ends. @returns its port */
async function serveAsPrism(file: string): Promise<number> {
  const description: Described = JSON.parse(await readFile(file, 'utf8'));
  const server = createServer((request, response) => {
    const { status, type, body } = answerOf(description, request.method, request.url);
    response.writeHead(status, { 'content-type': type }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  // address() gives text for pipes only, and this listens on a port.
  return (server.address() as AddressInfo).port;
}

/** A folder with mock.json, and mock.env as the page has it but for the port. */
async function recipe() {
  const folder = await emptyFolder();
  await copyFile(fileURLToPath(new URL('openapi.json', root)), join(folder, 'mock.json'));
  const port = await serveAsPrism(join(folder, 'mock.json'));
  const [, env = ''] = /```ini\n(BASE_URL=.*?)```/s.exec(page) ?? [];
  expect(parse(env).BASE_URL).toBe('http://127.0.0.1:4010/v5');
  // What the mock does not do at once it never does.
  const hasty = 'READ_SETTLE_MS=1\nAUDIT_TIMEOUT_MS=1\n';
  await writeFile(join(folder, 'mock.env'), env.replace('4010', `${port}`) + hasty);
  return folder;
}

/** The arguments of the command of the recipe that begins so. */
function argumentsOf(command: string): string[] {
  const line = page.split('\n').find((one) => one.startsWith(`npm run ${command} `)) ?? '';
  const [, text = ''] = /^npm run \w+ -- (.*?)(\s+#.*)?$/.exec(line) ?? [];
  return text.split(' ');
}

test('fidelity as the recipe has it: every path is found, and what keeps no state is named', async () => {
  const folder = await recipe();
  const args = argumentsOf('fidelity -- --mock-env mock.env');
  const { code, stdout, stderr } = await startCommand(
    ['fidelity', ...args],
    folder,
    // What takes most of the time is of no interest here.
    {
      EXCEPT:
        'export.,audit.,notification.,limits.,auth.,interface.,errors.,update.,conflict.,comment.normalization',
    },
  ).ended;
  expect(stdout, stderr).toMatch(/^NOT FAITHFUL {2}/);
  expect(code).toBe(1);
  const results = await readFile(join(folder, 'reports/latest/mock/results.json'), 'utf8');
  const { clauses } = JSON.parse(results);
  const verdictOf = (id: string) => clauses.find((one: { id: string }) => one.id === id).verdict;
  expect(verdictOf('versioning.paths-are-under-v5')).toBe('upheld');
  expect(verdictOf('task.id')).toBe('upheld');
  expect(verdictOf('unassign.task-becomes-unassigned')).toBe('violated');
});
