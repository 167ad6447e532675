import { describe, expect, test } from 'vitest';
import type { Results } from '../schemas/results.ts';
import { renderAnnotations as renderReport } from './annotations.ts';
import {
  exampleReview,
  exampleRuns,
  hostileRun,
  toldRun,
  violatedRun,
} from './example-results.fixture.ts';
import { runReport, type ToldRun } from './run-report.ts';

const renderAnnotations = (results: Results, review?: ToldRun['review']): string =>
  renderReport(runReport(toldRun({ results, ...(review && { review }) })));

describe('annotations', () => {
  for (const [name, results] of Object.entries(exampleRuns)) {
    test(`of a run that is ${name} are as kept`, async () => {
      const commands = renderAnnotations(results);
      await expect(commands).toMatchFileSnapshot(`golden/${name}/annotations.txt`);
    });
  }

  test('leave out what is waived', () => {
    const errors = (text: string) => text.split('\n').filter((line) => line.startsWith('::error'));
    expect(errors(renderAnnotations(violatedRun))).toHaveLength(4);
    expect(errors(renderAnnotations(violatedRun, exampleReview))).toHaveLength(3);
  });

  test('are as many lines as there are commands, whatever the target says', () => {
    const lines = renderAnnotations(hostileRun).trimEnd().split('\n');
    for (const line of lines) expect(line).toMatch(/^::(?:error|warning|notice) title=[^:,]*::/);
    expect(lines.join('')).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  test('are at most ten of a kind, the last one saying how many more there are', () => {
    const [clause] = violatedRun.clauses;
    const [example] = violatedRun.violations;
    if (clause === undefined || example === undefined) throw new Error('the example is empty');
    const clauses = Array.from({ length: 12 }, (_, index) => ({
      ...clause,
      id: `clause-${index}`,
      verdict: 'violated' as const,
    }));
    const violations = clauses.map(({ id }) => ({
      ...example,
      clause: id,
      difference: {
        kind: 'field' as const,
        of: 'task' as const,
        fields: [id],
        expected: '1',
        actual: '2',
      },
    }));
    const lines = renderAnnotations({ ...violatedRun, clauses, violations })
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(10);
    expect(lines[9]).toBe('::error title=and 4 more::The reports of the run have all of them.');
  });
});
