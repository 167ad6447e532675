import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// No test fails by chance: what depends on memory, time, processes and sockets is given, or stands in a system test.

const kinds = {
  'measures memory': /\bmemoryUsage\b|\bfreemem\b|\bloadavg\b/,
  'measures time': /\bperformance\.now\b|\bDate\.now\b|\bhrtime\b/,
  'waits for a time':
    /\bset(?:Timeout|Interval)\b|\btimers\/promises\b|\bwaitFor\(|\bexpect\.poll\(/,
  'starts a process': /\bchild_process\b|\bstart(?:Command|Vitest)\(|\breadPdf\(/,
  'opens a socket':
    /\bcreateServer\b|\.listen\(|\bserverOf\(|\bshareTarget\(|\bopenTarget\(\{\}|\bfetch\(/,
} as const;

const shell = 'A shell that only parses: the test waits for its end, however late.';
const virtual = 'In virtual time.';

/** What is right all the same, and why. */
const allowed: Readonly<Record<string, Partial<Record<keyof typeof kinds, string>>>> = {
  'helpers/http/client.test.ts': {
    'measures time': virtual,
    'waits for a time': 'setImmediate, a turn of the event loop.',
  },
  'helpers/http/pacing.test.ts': { 'measures time': virtual },
  'helpers/http/virtual-time.test.ts': { 'measures time': virtual, 'waits for a time': virtual },
  'helpers/http/waiting.test.ts': { 'measures time': virtual },
  'helpers/mail/mail-watch.test.ts': { 'waits for a time': virtual },
  'helpers/pdf/read-pdf.test.ts': {
    'starts a process': 'The class of processes: none is started.',
  },
  'helpers/tasks/leases.test.ts': { 'measures time': virtual },
  'reports/exchange-text.test.ts': { 'starts a process': shell },
  'reports/requests.test.ts': { 'starts a process': shell },
  'tools/pipelines/pipelines.test.ts': {
    'starts a process': 'The command in the files: the test waits for its end, however late.',
  },
};

const root = fileURLToPath(new URL('../..', import.meta.url));

const isOfUnitOrProof = (path: string): boolean =>
  path.endsWith('.test.ts') &&
  !path.endsWith('.system.test.ts') &&
  !/^(node_modules|dist|suites\/contract\.|tools\/packing\/project|tools\/layout\/chance)/.test(
    path,
  );

test('no test of unit and proof depends on memory, time, processes or sockets', () => {
  const directories = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(\.|node_modules$|dist$)/.test(entry.name))
    .map(({ name }) => name);
  const paths = directories
    .flatMap((directory) =>
      readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' }).map((path) =>
        [directory, ...path.split(sep)].join('/'),
      ),
    )
    .filter(isOfUnitOrProof);
  expect(paths.length).toBeGreaterThan(100);
  const found = paths.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return Object.entries(kinds)
      .filter(([, pattern]) => pattern.test(text))
      .map(([kind]) => `${path} ${kind}`);
  });
  const expected = Object.entries(allowed).flatMap(([path, reasons]) =>
    Object.keys(reasons).map((kind) => `${path} ${kind}`),
  );
  expect(found.sort()).toEqual(expected.sort());
});
