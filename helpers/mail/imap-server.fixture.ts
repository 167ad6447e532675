import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Caught, sourceOf } from './mail-catchers.fixture.ts';

/**
 * As much of an IMAP server (RFC 3501) as a reader of a mailbox asks for; a message's uid is its place, from 1.
 * @param folder its UIDVALIDITY, another one where it was made anew; `close` ends the connections there are
 * @returns its address with the name and password that it takes
 */
export async function imapServerOf(
  emails: readonly Caught[],
  folder: { validity: number; close?: () => void } = { validity: 1 },
): Promise<string> {
  const sockets: Socket[] = [];
  folder.close = () => {
    for (const socket of sockets.splice(0)) socket.destroy();
  };
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.write('* OK ready\r\n');
    let buffered = '';
    socket.on('error', () => {});
    socket.setEncoding('utf8').on('data', (text: string) => {
      buffered += text;
      const lines = buffered.split('\r\n');
      buffered = lines.pop() ?? '';
      for (const line of lines) answer(line, socket, emails, folder.validity);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  // address() gives text for pipes only, and this listens on a port.
  return `imap://qa:secret@127.0.0.1:${(server.address() as AddressInfo).port}/Team`;
}

function answer(line: string, socket: Socket, emails: readonly Caught[], validity: number): void {
  const [tag = '', name = '', ...rest] = line.split(' ');
  const [command, args] =
    name.toUpperCase() === 'UID'
      ? [`UID ${rest[0]?.toUpperCase()}`, rest.slice(1).join(' ')]
      : [name.toUpperCase(), rest.join(' ')];
  const say = (text: string): void => void socket.write(`${text}\r\n`);
  switch (command) {
    case 'CAPABILITY':
      say('* CAPABILITY IMAP4rev1');
      break;
    case 'LOGIN':
      if (args.replaceAll('"', '') !== 'qa secret') {
        say(`${tag} NO [AUTHENTICATIONFAILED] wrong`);
        return;
      }
      break;
    case 'LIST':
      say('* LIST () "/" Team');
      break;
    case 'EXAMINE':
      say(
        `* ${emails.length} EXISTS\r\n* OK [UIDVALIDITY ${validity}]\r\n* OK [UIDNEXT ${emails.length + 1}]`,
      );
      break;
    case 'NOOP':
      say(`* ${emails.length} EXISTS`);
      break;
    case 'UID SEARCH': {
      const uids = emails.flatMap((email, index) =>
        email.envelope.some((one) => args.includes(one)) ? index + 1 : [],
      );
      say(`* SEARCH ${uids.join(' ')}`);
      break;
    }
    case 'UID FETCH':
      fetchFrom(args, emails, say);
      break;
    case 'LOGOUT':
      say(`* BYE\r\n${tag} OK`);
      socket.end();
      return;
  }
  say(`${tag} OK done`);
}

function fetchFrom(args: string, emails: readonly Caught[], say: (text: string) => void): void {
  const [range = '', ...query] = args.split(' ');
  const [from = 0, to] = range.split(':');
  // A range that ends in * always holds the last message.
  const first = to === '*' ? Math.min(Number(from), emails.length) : Number(from);
  const last = to === '*' ? emails.length : Number(from);
  for (let uid = first; uid >= 1 && uid <= last; uid += 1) {
    const email = emails[uid - 1];
    if (email === undefined) continue;
    const source = sourceOf(email);
    const asked = /BODY\.PEEK(\[.*?\])/.exec(query.join(' '))?.[1] ?? '[]';
    const isHeader = asked.startsWith('[HEADER');
    const head = `To: ${email.to?.join(', ') ?? ''}\r\n${email.envelope.map((one) => `Delivered-To: ${one}\r\n`).join('')}\r\n`;
    const text = isHeader ? head : source;
    say(`* ${uid} FETCH (UID ${uid} BODY${asked} {${Buffer.byteLength(text)}}\r\n${text})`);
  }
}
