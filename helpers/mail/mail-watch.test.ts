import { expect, test } from 'vitest';
import { MailWatch } from './mail-watch.ts';
import { type Mailbox, MailboxTrouble, type News } from './mailbox.ts';

const ann = 'ann@x.example';
const bob = 'bob@x.example';

const message = (text: string, ...recipients: string[]): News['messages'][number] => ({
  recipients,
  content: async () => text,
});

/** A mailbox that tells these news one after another, and then none. */
function telling(...news: (Partial<News> | MailboxTrouble)[]): Mailbox {
  return {
    kind: 'a test',
    async news() {
      const next = news.shift() ?? {};
      if (next instanceof MailboxTrouble) throw next;
      return { messages: [], lost: false, ...next };
    },
  };
}

const watch = (mailbox: Mailbox, timeoutMs = 60): MailWatch =>
  new MailWatch({ open: async () => mailbox, timeoutMs });

const away = new MailboxTrouble('away');

test('what stands there at first has not come', async () => {
  const mail = watch(telling({ messages: [message('old', ann)] }));
  expect((await mail.hear([ann])).arrivals).toEqual([]);
});

test('waits for everybody, and then for what else comes', async () => {
  const mail = watch(
    telling(
      {},
      {},
      { messages: [message('1', ann)] },
      { messages: [message('2', bob)] },
      {
        messages: [message('3', 'eve@x.example')],
      },
    ),
    1000,
  );
  const { arrivals, waitedMs } = await mail.hear([ann, bob]);
  expect(arrivals.map(({ text }) => text)).toEqual(['1', '2', '3']);
  expect(waitedMs).toBeLessThan(1000);
});

test('an email that does not count is heard and not waited for', async () => {
  const mail = watch(telling({}, { messages: [message('other', ann)] }));
  const { arrivals, waitedMs } = await mail.hear([ann], ({ text }) => text !== 'other');
  expect(arrivals).toHaveLength(1);
  expect(waitedMs).toBeGreaterThanOrEqual(60);
});

test('a mailbox that is away for a moment is looked at again', async () => {
  const mail = watch(telling({}, away, { messages: [message('1', ann)] }), 1000);
  expect((await mail.hear([ann])).arrivals).toHaveLength(1);
});

test('a mailbox that stays away decides nothing', async () => {
  const gone: Mailbox = { ...telling(), news: () => Promise.reject(away) };
  const first = telling();
  let looks = 0;
  const mail = watch({ ...first, news: () => (looks++ === 0 ? first : gone).news() });
  await expect(mail.hear([ann])).rejects.toBe(away);
});

test('a mailbox that cannot be opened is tried twice, and then not again', async () => {
  let tries = 0;
  const mail = new MailWatch({
    open: async () => {
      tries += 1;
      throw away;
    },
    timeoutMs: 60,
  });
  await expect(mail.open()).rejects.toBe(away);
  await expect(mail.listen()).rejects.toBe(away);
  expect(tries).toBe(2);
});

test('a message that is deleted before it is read has arrived', async () => {
  const unread = { recipients: [ann], content: () => Promise.reject(away) };
  const { arrivals, lost } = await watch(telling({}, { messages: [unread] })).hear([ann]);
  expect([arrivals.map(({ recipients }) => recipients), lost]).toEqual([[[ann]], true]);
});
