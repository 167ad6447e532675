import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Exchange } from '../helpers/http/exchange.ts';
import type { Results, ViolationResult } from '../schemas/results.ts';
import { exampleExchanges, hostileExchanges } from './example-exchanges.fixture.ts';
import { exampleReview, hostileRun, toldRun, violatedRun } from './example-results.fixture.ts';
import { renderRequests } from './requests.ts';
import { type ToldRun, toldFindings } from './run-report.ts';

/** The files of a run by their paths. */
function filesOf(results: Results, parts: Partial<ToldRun>): ReadonlyMap<string, string> {
  return renderRequests(toldFindings(toldRun({ results, ...parts })), results);
}

test.for([
  ['violations', violatedRun, exampleExchanges],
  ['hostile', hostileRun, hostileExchanges],
] as const)(
  'the requests of a run with %s match their golden files, and are shell',
  async ([name, results, exchanges]) => {
    const files = filesOf(results, { exchanges });
    expect(files.size).toBeGreaterThan(0);
    for (const [file, text] of files) {
      await expect(text).toMatchFileSnapshot(`golden/${name}/${file}`);
      execFileSync('bash', ['-n'], { input: text });
    }
  },
);

test('findings whose exchanges are not known have no file', () => {
  expect(filesOf(violatedRun, {})).toEqual(new Map());
});

test('waived findings come last', () => {
  const [first] = filesOf(violatedRun, { exchanges: exampleExchanges }).values();
  const parts = { review: exampleReview, exchanges: exampleExchanges };
  const all = [...filesOf(violatedRun, parts).values()];
  expect(all.at(-1)).toBe(first);
});

const task = 'https://eu.staging.example/v5/tasks/7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11';
const versions = ['2026-11-05T09:30:00.125Z', '2026-11-05T09:31:00.250Z'] as const;

function exchange(number: number, startedAt: number, more: Partial<Exchange>): Exchange {
  const [read] = exampleExchanges;
  if (read === undefined) throw new Error('There is no example.');
  return { ...read, number, startedAt, durationMs: 100, ...more };
}

function answer(status: number, updated_at?: string): Pick<Exchange, 'response'> {
  const body = new TextEncoder().encode(JSON.stringify({ updated_at }));
  return { response: { status, headers: [], body, size: body.byteLength } };
}

function write(number: number, startedAt: number, version: string, more: Partial<Exchange>) {
  const url = `${task}/update-assignment`;
  const body = '{"unassign":{"assigned_by_id":"67447d94"}}';
  const headers = [['If-Match', version]] as const;
  return exchange(number, startedAt, { request: { method: 'PUT', url, headers, body }, ...more });
}

/** The lines of the only finding of a run with these exchanges. */
function linesOf(sent: readonly Exchange[]): string[] {
  const [one] = violatedRun.violations;
  if (one === undefined) throw new Error('There is no violation.');
  const sequence = sent.map(({ number }) => number);
  const on = [{ exchange: sequence.at(-1) ?? 0, request: 'GET /tasks/{id}' }];
  const violations: ViolationResult[] = [{ ...one, sequence, on }];
  const [text = ''] = filesOf({ ...violatedRun, violations }, { exchanges: sent }).values();
  return text.split('\n');
}

test('a version is read where the run came to know it, and is sent where the run sent it', () => {
  const lines = linesOf([
    exchange(1, 0, answer(200, versions[0])),
    write(2, 200, versions[0], answer(200, versions[1])),
    write(3, 400, versions[0], answer(409)),
    write(4, 600, '2026-11-05T09:31:00.251Z', answer(409)),
    write(5, 800, `W/"${versions[1]}"`, answer(409)),
    write(6, 1000, 'v9', answer(409)),
  ]);
  expect(lines.filter((line) => /If-Match: \$|"If-Match|^version\d/.test(line))).toEqual([
    `  [ "$(assignment)" = "$was" ] || curl -sS -g -X PUT "$task/update-assignment" -H "apikey: $API_KEY" -H "If-Match: $(version)" -H 'Content-Type: application/json' --data-binary "$body" -o /dev/null -w "Put back: %{http_code}"`,
    'version1=$(version)',
    `  -H "If-Match: \${version1}" \\`,
    'version2=$(version)',
    `  -H "If-Match: \${version1}" \\`,
    `  -H "If-Match: \${version2:0:20}$(printf %03d $(( (10#\${version2:20:3} + 1) % 1000 )))\${version2:23}" \\`,
    `  -H "If-Match: W/\\"\${version2}\\"" \\`,
    '  -H "If-Match: v9" \\',
  ]);
});

test('the shell counts a version down, also where its last digits are 0', () => {
  const lines = linesOf([
    exchange(1, 0, answer(200, versions[0])),
    write(2, 200, '2026-11-05T09:30:00.124Z', answer(409)),
  ]);
  const [, header = ''] = /"If-Match: (\$\{version1.*)" /.exec(lines.join('\n')) ?? [];
  const counted = (version: string) =>
    execFileSync('bash', ['-c', `version1=${version}; echo "${header}"`], { encoding: 'utf8' });
  expect(counted(versions[0])).toBe('2026-11-05T09:30:00.124Z\n');
  expect(counted('2026-11-05T09:30:00.100Z')).toBe('2026-11-05T09:30:00.099Z\n');
});

test('writes that the run sent at the same time are sent so again', () => {
  const lines = linesOf([
    exchange(1, 0, answer(200, versions[0])),
    write(2, 200, versions[0], answer(200)),
    write(3, 220, versions[0], answer(409)),
  ]);
  expect(lines.filter((line) => / &$|^wait$/.test(line))).toEqual([
    "  -o /dev/null -w '%{http_code}\\n' &",
    "  -o /dev/null -w '%{http_code}\\n' &",
    'wait',
  ]);
});

test.for([
  [2600, ['sleep 3']],
  [900, []],
] as const)('a task is read %s ms after a write as in the run', ([after, sleeps]) => {
  const lines = linesOf([
    write(1, 0, versions[0], answer(200, versions[1])),
    exchange(2, 100 + after, answer(200)),
  ]);
  expect(lines.filter((line) => line.startsWith('sleep'))).toEqual(sleeps);
});

test('a task that no answer shows is put back only where it can be read', () => {
  const lines = linesOf([write(1, 0, versions[0], answer(404))]);
  expect(lines.filter((line) => /version\d|cannot be read/.test(line))).toEqual([]);
  expect(lines).toContain('was=$(assignment)');
});
