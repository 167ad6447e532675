import { serve as startServing } from '../reference/serve.ts';
import type { Command } from './command.ts';
import { onInterrupt } from './interrupt.ts';
import { readOptions } from './options.ts';
import { UsageError } from './usage.ts';

const options = {
  port: { type: 'string', value: 'N', about: 'port to listen on; a free one unless given' },
  host: {
    type: 'string',
    value: 'ADDRESS',
    about: 'address of this machine; 127.0.0.1 unless given',
  },
  seed: { type: 'string', value: 'N', about: 'seed of its key, ids and records; 1 unless given' },
} as const;

export const serve: Command = {
  summary: 'starts the embedded reference service alone, as a mock; prints what to put into .env',
  options,
  async run(args) {
    const { port = '0', host = '127.0.0.1', seed = '1' } = readOptions(args, options);
    // Before anything is printed: whoever has read it may press Ctrl-C.
    const interrupted = new Promise<NodeJS.Signals>((resolve) => onInterrupt(resolve));
    const listening = await startServing(
      {
        port: wholeNumber('--port', port, 65_535),
        seed: wholeNumber('--seed', seed, 999_999_999),
        host,
      },
      (text) => process.stdout.write(text),
    ).catch((error: unknown) => {
      throw explained(error, port, host);
    });
    await interrupted;
    await listening.close();
    return 0;
  },
};

function wholeNumber(option: string, text: string, most: number): number {
  if (/^\d+$/.test(text) && Number(text) <= most) return Number(text);
  throw new UsageError(`${option}: "${text}" is not a whole number from 0 to ${most}`);
}

const troubles: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something listens there already; give another --port, or none for a free one',
  EACCES: 'this user may not listen on that port; give a --port from 1024 on',
  EADDRNOTAVAIL: 'that is no address of this machine; give another --host',
  ENOTFOUND: 'that name is not known; give another --host',
};

function explained(error: unknown, port: string, host: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const trouble = troubles[code];
  return trouble === undefined
    ? error
    : new UsageError(`Cannot listen on port ${port} of ${host}: ${trouble}.`);
}
