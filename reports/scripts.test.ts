import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { ViolationResult } from '../schemas/results.ts';
import { exampleExchanges, hostileExchanges } from './example-exchanges.fixture.ts';
import { exampleReview, hostileRun, violatedRun } from './example-results.fixture.ts';
import { renderScripts } from './scripts.ts';
import { noWaivers } from './waivers.ts';

test.for([
  ['violations', violatedRun, exampleExchanges],
  ['hostile', hostileRun, hostileExchanges],
] as const)(
  'the scripts of a run with %s match their golden files, and are shell',
  async ([name, results, exchanges]) => {
    const scripts = renderScripts(results, noWaivers, exchanges);
    expect(scripts.size).toBeGreaterThan(0);
    for (const [file, text] of scripts) {
      await expect(text).toMatchFileSnapshot(`golden/${name}/${file}`);
      execFileSync('bash', ['-n'], { input: text });
    }
  },
);

test('findings whose exchanges are not known have no script', () => {
  expect(renderScripts(violatedRun, noWaivers, [])).toEqual(new Map());
});

test('waived findings come last', () => {
  const [first] = renderScripts(violatedRun, noWaivers, exampleExchanges).values();
  const [waived] = [...renderScripts(violatedRun, exampleReview, exampleExchanges).values()].slice(
    -1,
  );
  expect(waived).toBe(first?.replaceAll('findings/1.sh', 'findings/3.sh'));
});

/** The script of the only violation of a run, after exchanges of which the last began so long after the one before it. */
function scriptOf(violation: Partial<ViolationResult>, pauseMs: number): string {
  const [one] = violatedRun.violations;
  if (one === undefined) throw new Error('There is no violation.');
  const violations = [{ ...one, ...violation }];
  const [write] = exampleExchanges.filter(({ number }) => number === 3);
  const before = (write?.startedAt ?? 0) + (write?.durationMs ?? 0);
  const exchanges = exampleExchanges.map((exchange) =>
    exchange.number === 3 ? exchange : { ...exchange, startedAt: before + pauseMs },
  );
  const scripts = renderScripts({ ...violatedRun, violations }, noWaivers, exchanges);
  return [...scripts.values()].join('');
}

test.for([
  [11_200, 12, '0 3 6 9 12 15'],
  [400, 0, '0 3 6 9 12 15 18 21 24 27'],
] as const)(
  'what an export lacks %s ms after a write is looked for as long after it',
  ([pauseMs, seconds, looks]) => {
    const request = 'GET /audit-sentinel/events/export';
    const difference = {
      kind: 'events',
      when: 'an event with the comment of an assignment',
      fileType: 'csv',
      missing: 1,
      extra: 0,
      isOneEvent: true,
    } as const;
    const script = scriptOf(
      { difference, sequence: [3, 9], on: [{ exchange: 9, request }] },
      pauseMs,
    );
    const waits = `echo '   Waits ${seconds} s, as long as the run did.'; sleep ${seconds}\n`;
    expect(script.includes('as long as the run did')).toBe(seconds > 0);
    expect(script.includes(waits)).toBe(seconds > 0);
    expect(script).toContain(`for waited in ${looks}; do\n`);
  },
);

test('a task that is read again is read after as long a pause', () => {
  const on = [{ exchange: 10, request: 'GET /tasks/{id}' }];
  const script = scriptOf({ sequence: [3, 10], on }, 2500);
  expect(script).toMatch(/^echo '2\. .*\n.*Waits 3 s, as long as the run did\.'; sleep 3$/m);
});

test('a field that a write is to keep is compared with what it is before that write', () => {
  const on = [
    { exchange: 10, request: 'GET /tasks/{id}' },
    { exchange: 3, request: 'PUT /tasks/{id}/update-assignment' },
  ];
  const script = scriptOf({ sequence: [3, 10], on, clause: 'update.keeps-the-other-fields' }, 0);
  expect(script).toContain('before=$(read_task | show)\n');
  expect(script).toContain('echo "Expected:   $before, as before the write"\n');
});

test('what a filter keeps is never measured by how many events there are of all', () => {
  const difference = {
    kind: 'events',
    when: 'sub_type with a known value',
    fileType: 'csv',
    missing: 1,
    extra: 1,
    of: 773,
  } as const;
  const request = 'GET /audit-sentinel/events/export';
  const [export9] = exampleExchanges.filter(({ number }) => number === 9);
  const [one] = violatedRun.violations;
  if (one === undefined || export9 === undefined) throw new Error('There is no such example.');
  const url = export9.request.url.replace('metadata[tag]=kyc&', '');
  const all = { ...export9, number: 10, request: { ...export9.request, url } };
  const on = [9, 10].map((exchange) => ({ exchange, request }));
  const violations = [{ ...one, difference, sequence: [9, 10], on }];
  const [script = ''] = renderScripts({ ...violatedRun, violations }, noWaivers, [
    export9,
    all,
  ]).values();
  expect(script).toContain("echo 'Expected:   every line of 1.csv in 2.csv'\n");
  expect(script).toContain(
    `if ! [ "$(grep -avxcFf 2.csv 1.csv)" -eq 0 ]; then echo 'NOT as expected.'; exit 1; else echo 'Compare the lines above: that takes a person.'; exit 2; fi`,
  );
});

test('of what the run saw once of two times, a script that sees nothing decides nothing', () => {
  const difference = { kind: 'status', when: 'a task', expected: '2xx', actual: 500 } as const;
  const violation = {
    difference,
    sequence: [2],
    on: [{ exchange: 2, request: 'GET /tasks/{id}' }],
  };
  const intermittent = scriptOf({ ...violation, intermittent: true }, 0);
  expect(intermittent).toContain(
    "then echo 'As expected this time. The run saw it once of two times: that decides nothing.'; exit 2; else echo 'NOT as expected.'; exit 1;",
  );
  expect(scriptOf({ ...violation, intermittent: false }, 0)).toContain("then echo 'As expected.';");
});
