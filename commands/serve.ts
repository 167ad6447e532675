import { readProfile } from '../contract/files.ts';
import { UsageError } from '../helpers/errors.ts';
import { rulesOfProfile } from '../reference/profile/rules-of-profile.ts';
import { environment, startReference } from '../reference/serve.ts';
import { terminal } from '../reports/terminal.ts';
import { counted } from '../reports/wording.ts';
import { command, wholeNumber } from './command.ts';
import { columnsOf, onInterrupt } from './terminal.ts';

export const serve = command({
  summary: 'starts the embedded reference service alone, as a mock; prints what to put into .env',
  options: {
    port: { value: 'N', about: 'port to listen on; a free one unless given' },
    host: { value: 'ADDRESS', about: 'address of this machine; 127.0.0.1 unless given' },
    seed: { value: 'N', about: 'seed of its key, ids and records; 1 unless given' },
    profile: {
      value: 'FILE',
      about:
        'a profile.json, or the results.json of a run: do as that service does in statuses, errors, headers, lists and CSV; says what it does otherwise',
    },
  },
  async run({ port = '0', host = '127.0.0.1', seed = '1', profile }) {
    const adapted = profile === undefined ? undefined : rulesOfProfile(await readProfile(profile));
    // Listens for Ctrl-C before anything is printed: whoever has read that may press it.
    const interrupted = new Promise<NodeJS.Signals>((resolve) => onInterrupt(resolve));
    const { variables, close } = await startReference({
      port: wholeNumber('port', port, 65_535),
      seed: wholeNumber('seed', seed, 999_999_999),
      host,
      ...(adapted && { rules: adapted.rules }),
    }).catch((error: unknown) => {
      throw explained(error, port, host);
    });
    process.stdout.write(`${environment(variables)}\n\n# Serving until Ctrl+C is pressed.\n`);
    if (adapted !== undefined) printCovered(adapted);
    await interrupted;
    await close();
    return 0;
  },
});

/** Prints how many open points the service does as the profile says, and which ones it does in its own way. */
function printCovered({ covered, uncovered }: ReturnType<typeof rulesOfProfile>): void {
  const width = columnsOf(process.stderr);
  const { wrap } = terminal({ color: false, width });
  const lines = [
    `As the profile says: ${counted(covered.length, 'open point')}.`,
    ...(uncovered.length === 0
      ? []
      : [
          `Not as the profile says: ${counted(uncovered.length, 'open point')}, where this service stays as it is:`,
          ...wrap(uncovered.join(', '), '  '),
        ]),
  ];
  process.stderr.write(`\n${lines.join('\n')}\n`);
}

/** An error of listening, as one that says what to type instead; any other error as it is. */
function explained(error: unknown, port: string, host: string): unknown {
  // Errors of the system have a `syscall`: the port is taken, the address or the host is unknown.
  if (!(error instanceof Error && 'syscall' in error)) return error;
  return new UsageError(
    `Cannot listen on port ${port} of ${host} (${error.message}); give another --port, or none for a free one, or another --host.`,
  );
}
