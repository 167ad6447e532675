import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { badTargets, configurationFor, startServer } from '../contract/bad-targets.fixture.ts';
import { emptyFolder, startContract, startVitest } from '../contract/process.fixture.ts';

// The contract as Vitest runs it, in a process of its own.

interface JsonReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
}

test('one that asks for no project runs nothing of it: an editor, or `npx vitest`', async () => {
  const { stdout } = await startVitest(['list', '--filesOnly']).ended;
  expect(stdout).toContain('[system] vitest/contract.system.test.ts\n');
  expect(stdout).toContain('[proof] proof/json.test.ts\n');
  expect(stdout).not.toContain('suites/contract.test.ts');
});

test('listing the tests sends nothing and writes nothing', async () => {
  const server = await startServer(badTargets['answers 200 {} to everything']);
  onTestFinished(server.close);
  const folder = await emptyFolder();
  const reports = join(folder, 'reports');
  const args = ['list', '--project', 'contract', '--tags-filter=stated'];
  const { stdout } = await startVitest(args, configurationFor(server.baseUrl, reports)).ended;
  expect(stdout).toContain(' > get-task.unknown-task-is-404: ');
  expect(stdout).not.toContain(' > get-task.success-status: ');
  expect(server.requests()).toBe(0);
  expect(existsSync(reports)).toBe(false);
});

describe('the contract in Vitest', () => {
  test('a green run is counted, not listed', async () => {
    const folder = await emptyFolder();
    const { stdout } = await startContract(['-t', 'task.assignment:'], { REPORT_DIR: folder })
      .ended;
    expect(stdout).toMatch(/Tests {2}1 passed/);
    expect(stdout).not.toContain('task.assignment');
  });

  test('-t with the title of a clause runs what judges that clause, and nothing else', async () => {
    const folder = await emptyFolder();
    const args = ['-t', 'task.assignment:', '--reporter=json'];
    const { code, stdout, stderr } = await startContract(args, { REPORT_DIR: folder }).ended;
    expect(stderr).toContain(
      'CONFORMANT, of the embedded reference service  The chosen clause is ',
    );
    const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as JsonReport & {
      testResults: {
        assertionResults: { title: string; status: string; duration: number }[];
      }[];
    };
    const tests = report.testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status !== 'skipped');
    const titles = tests.map(({ title }) => title);
    expect(titles).toEqual([
      'task.assignment: A task has the field `assignment`, an Assignment object or null.',
    ]);
    expect(report.numPassedTests).toBe(1);
    const results = JSON.parse(await readFile(join(folder, 'results.json'), 'utf8'));
    expect(results).toMatchObject({ verdict: 'conformant', target: { kind: 'embedded' } });
    // What the requests of a scenario took, however long Vitest waited for it.
    const har = JSON.parse(await readFile(join(folder, 'exchanges.har'), 'utf8'));
    const all = har.log.entries.reduce((sum: number, { time }: { time: number }) => sum + time, 0);
    for (const { duration } of tests) {
      expect(duration).toBeGreaterThan(0);
      expect(duration).toBeLessThan(all);
    }
    expect(code).toBe(0);
  });

  test.for([
    [['-t', 'taks.id']],
    [['--tags-filter=stated and open']],
    [['-t', 'task.id', '--tags-filter=open']],
  ] as const)('%j, which chooses nothing, fails', async ([args]) => {
    const { code, stdout, stderr } = await startContract(args, {
      REPORT_DIR: await emptyFolder(),
    }).ended;
    expect(stdout).toMatch(/Tests {2}\d+ skipped /);
    expect(stderr).toContain('No test of the contract was chosen: nothing was judged.\n');
    expect(code).toBe(1);
  });

  test('without a target, where one is required, fails', async () => {
    const { code, stderr } = await startContract(['-t', 'task.id'], {
      REPORT_DIR: await emptyFolder(),
      REQUIRE_TARGET: 'yes',
    }).ended;
    expect(stderr).toContain('while a target is required (--require-target, REQUIRE_TARGET); ');
    expect(code).toBe(1);
  });

  test('a target that breaks clauses: expected and actual side by side', async () => {
    const { baseUrl, close } = await startServer(badTargets['answers 200 {} to everything']);
    onTestFinished(close);
    const folder = await emptyFolder();
    const args = ['-t', 'get-task.unknown-task-is-404'];
    const { code, stderr } = await startContract(args, configurationFor(baseUrl, folder)).ended;
    expect(stderr).toContain('Violation: GET /tasks/{id} answers 200, not 404, to an unknown id');
    expect(stderr).toContain('Expected: "404"\nReceived: "200"\n');
    expect(code).toBe(1);
  });

  test('a target that cannot be judged fails once, with the reason', async () => {
    const { baseUrl, close } = await startServer(badTargets['answers 401 to everything']);
    onTestFinished(close);
    const folder = await emptyFolder();
    const { code, stderr } = await startContract([], configurationFor(baseUrl, folder)).ended;
    expect(stderr).toContain(`Error: ${baseUrl} answers 401 to every request`);
    expect(code).toBe(1);
    const results = JSON.parse(await readFile(join(folder, 'results.json'), 'utf8'));
    expect(results.verdict).toBe('not run');
  });
});
