import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { badTargets, configurationFor, startServer } from '../contract/bad-targets.fixture.ts';
import { emptyFolder, startVitest } from '../contract/process.fixture.ts';

// The contract as Vitest runs it, in a process of its own.

interface JsonReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
}

describe('the contract in Vitest', { timeout: 60_000 }, () => {
  test('-t with the id of a clause runs what judges that clause, and nothing else', async () => {
    const folder = await emptyFolder();
    const { code, stdout } = await startVitest(['-t', 'task.assignment', '--reporter=json'], {
      REPORT_DIR: folder,
    }).ended;
    const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as JsonReport & {
      testResults: { assertionResults: { title: string }[] }[];
    };
    const titles = report.testResults.flatMap(({ assertionResults }) =>
      assertionResults.map(({ title }) => title),
    );
    expect(new Set(titles)).toEqual(
      new Set([
        'task.assignment: A task has the field `assignment`, an Assignment object or null.',
      ]),
    );
    expect(report.numPassedTests).toBe(titles.length);
    expect(code).toBe(0);
    const results = JSON.parse(await readFile(join(folder, 'results.json'), 'utf8'));
    expect(results).toMatchObject({ verdict: 'conformant', target: { kind: 'embedded' } });
  });

  test('-t that matches nothing fails, and names what is similar', async () => {
    const { code, stderr } = await startVitest(['-t', 'taks.id'], {
      REPORT_DIR: await emptyFolder(),
    }).ended;
    expect(stderr).toContain('No clause and no scenario matches "taks.id". Did you mean task.id, ');
    expect(code).toBe(1);
  });

  test('a target that breaks clauses: expected and actual side by side', async () => {
    const { baseUrl, close } = await startServer(badTargets['answers 200 {} to everything']);
    onTestFinished(close);
    const folder = await emptyFolder();
    const args = ['-t', 'get-task.unknown-task-is-404'];
    const { code, stderr } = await startVitest(args, configurationFor(baseUrl, folder)).ended;
    expect(stderr).toContain('Violation: GET /tasks/{id}: ');
    expect(stderr).toContain('Expected: "404"\nReceived: "200"\n');
    expect(code).toBe(1);
  });

  test('a target that cannot be judged fails once, with the reason', async () => {
    const { baseUrl, close } = await startServer(badTargets['answers 401 to everything']);
    onTestFinished(close);
    const folder = await emptyFolder();
    const { code, stderr } = await startVitest([], configurationFor(baseUrl, folder)).ended;
    expect(stderr).toContain(`Error: ${baseUrl} answers 401 to every request`);
    expect(code).toBe(1);
    const results = JSON.parse(await readFile(join(folder, 'results.json'), 'utf8'));
    expect(results.verdict).toBe('not run');
  });
});
