import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { renderSummary } from './console.ts';
import { exampleReview, exampleRuns, hostileRun, violatedRun } from './example-results.fixture.ts';

describe('the summary on a terminal', () => {
  for (const [name, results] of Object.entries(exampleRuns)) {
    test(`of a run that is ${name} matches its golden file`, async () => {
      const summary = renderSummary(results, { color: false, width: 80 });
      await expect(summary).toMatchFileSnapshot(`golden/${name}/console.txt`);
    });
  }

  test('of a run with waivers, and the files that were written, matches its golden file', async () => {
    const files = ['index.html', 'summary.md', 'junit.xml', 'results.json', 'exchanges.har'];
    const summary = renderSummary(violatedRun, {
      color: false,
      width: 80,
      review: exampleReview,
      files: [
        ...files.map((name) => `reports/latest/${name}`),
        'reports/history/eu.staging.example-v5/2026-11-05T09-30-00.000Z.json',
      ],
    });
    await expect(summary).toMatchFileSnapshot('golden/waived/console.txt');
  });

  test('keeps to the width, but for words that are longer', () => {
    const summary = renderSummary(violatedRun, { color: false, width: 60 });
    const tooLong = summary.split('\n').filter((line) => line.length > 60);
    for (const line of tooLong) expect(line).toMatch(/ SEED=42 |^ {6,}(?:\w+ +)?\S+$/);
  });

  test('lets nothing of the target steer the terminal', () => {
    const plain = renderSummary(hostileRun, { color: false, width: 80 });
    expect(plain).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
    expect(plain).toContain('\\u001b[2J');
  });

  test('holds nothing that a pipeline takes for a command', () => {
    for (const width of [40, 80, 120]) {
      const summary = renderSummary(hostileRun, { color: false, width });
      expect(summary).not.toMatch(/^\s*::|##\[/m);
    }
  });

  test('is the same text in colour', () => {
    const plain = renderSummary(violatedRun, { color: false, width: 80 });
    const colored = renderSummary(violatedRun, { color: true, width: 80 });
    expect(colored).toContain('\u001b[31m');
    expect(stripVTControlCharacters(colored)).toBe(plain);
  });

  test('counts what it does not spell out', () => {
    const [violation] = violatedRun.violations;
    const [clause] = violatedRun.clauses;
    if (violation === undefined || clause === undefined) throw new Error('the example is empty');
    const ids = Array.from({ length: 30 }, (_, index) => `clause-${index}`);
    const summary = renderSummary(
      {
        ...violatedRun,
        clauses: ids.map((id) => ({ ...clause, id, verdict: 'violated' })),
        violations: ids.flatMap((id) =>
          ['a', 'b', 'c', 'd', 'e'].map((scenario) => ({
            ...violation,
            clause: id,
            scenario,
            actual: 'status 401',
          })),
        ),
      },
      { color: false, width: 100 },
    );
    expect(summary).toContain('150 of 150 violations have the same actual value: status 401');
    expect(summary).toContain('and in 2 more scenarios');
    expect(summary).toContain('and clause-12, clause-13, clause-14, clause-15, clause-16,');
    expect(summary).toMatch(/clause-19 and 10\s+more/);
    expect(summary).not.toContain('\n  clause-12  ');
  });
});
