import { expect, onTestFinished, test, vi } from 'vitest';
import { startMailCatcher } from './mail-catcher.ts';

const ann = { name: 'Ánn Ωμέγα', address: 'Ann@service.example' };
const bob = { name: 'Bob', address: 'bob@service.example' };
const eve = { name: 'Eve', address: 'eve@service.example' };

interface Listed {
  readonly messages_count: number;
  readonly messages: readonly Record<string, unknown>[];
}

async function open() {
  const catcher = await startMailCatcher();
  onTestFinished(catcher.close);
  const get = async (path: string): Promise<Response> => await fetch(catcher.mailboxUrl + path);
  const list = async (path = '/api/v1/messages'): Promise<Listed> =>
    (await (await get(path)).json()) as Listed;
  /** Resolves when so many emails have arrived. */
  const arrived = (count: number): Promise<Listed> =>
    vi.waitFor(
      async () => {
        const listed = await list();
        expect(listed.messages).toHaveLength(count);
        return listed;
      },
      { timeout: 50_000 },
    );
  return { ...catcher, get, list, arrived };
}

test('email can be read as in Mailpit', async () => {
  const { post, get, arrived } = await open();
  post({ to: [ann], cc: [bob], bcc: [eve], subject: 'Ανάθεση 課題', text: 'A comment: «ü»' });
  const { messages } = await arrived(1);
  expect(messages[0]).toMatchObject({
    To: [{ Name: 'Ánn Ωμέγα', Address: 'Ann@service.example' }],
    Cc: [{ Name: 'Bob', Address: 'bob@service.example' }],
    Bcc: [{ Name: '', Address: 'eve@service.example' }],
    Subject: 'Ανάθεση 課題',
  });
  const source = await (await get(`/api/v1/message/${messages[0]?.ID}/raw`)).text();
  expect(source).toContain('To: =?UTF-8?');
  expect(source).not.toContain('eve@');
});

test('the search finds addresses, the newest first, page by page', async () => {
  const { post, list, arrived } = await open();
  for (const [index, to] of [ann, bob, ann, ann].entries()) {
    post({ to: [to], subject: `${index}`, text: '' });
  }
  await arrived(4);
  const query = encodeURIComponent('"ann@service.example"');
  const { messages, messages_count: count } = await list(
    `/api/v1/search?query=${query}&start=1&limit=1`,
  );
  expect([count, messages.map(({ Subject }) => Subject)]).toEqual([3, ['2']]);
});

test('other paths are not found', async () => {
  const { get } = await open();
  const paths = ['/', '/api/v2/messages', '/email', '/api/v1/message/unknown/raw'];
  const statuses = await Promise.all(paths.map(async (path) => (await get(path)).status));
  expect(statuses).toEqual([404, 404, 404, 404]);
  expect((await get('/api/v1/search')).status).toBe(400);
});
