import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Email } from '../rules/notification.ts';

/** An SMTP server on loopback, and a client that sends to it. */
export interface Smtp {
  send(email: Email): Promise<void>;
  close(): Promise<void>;
}

const sender = { name: 'Task service', address: 'tasks@service.example' };

/**
 * Starts both. They are loaded only now: a run that assigns no task need not wait for them.
 * @param onEmail is given each email as it came over the wire, and the addresses it was sent to
 */
export async function startSmtp(
  onEmail: (raw: Uint8Array, recipients: readonly string[]) => Promise<void>,
): Promise<Smtp> {
  const [{ SMTPServer }, { createTransport }] = await Promise.all([
    import('smtp-server'),
    import('nodemailer'),
  ]);
  const server = new SMTPServer({
    authOptional: true,
    // No name server is asked.
    disableReverseLookup: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, { envelope }, done) {
      const recipients = envelope.rcptTo.map(({ address }) => address);
      stream
        .toArray()
        .then((pieces) => onEmail(Buffer.concat(pieces), recipients))
        .then(() => done(), done);
    },
  });
  const listening = once(server.server, 'listening');
  server.listen(0, '127.0.0.1');
  await listening;
  // address() gives text for pipes only, and this listens on a port.
  const { port } = server.server.address() as AddressInfo;
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    pool: true,
    // One after another: emails arrive in the order in which they were sent.
    maxConnections: 1,
    maxMessages: Number.POSITIVE_INFINITY,
    ignoreTLS: true,
  });
  return {
    async send({ to, cc, bcc, ...content }) {
      const listed = (people: Email['to'] = []) => people.map((person) => ({ ...person }));
      await transport.sendMail({
        from: sender,
        to: listed(to),
        cc: listed(cc),
        bcc: listed(bcc),
        ...content,
      });
    },
    async close() {
      transport.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
