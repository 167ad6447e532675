import { describe, expect, test } from 'vitest';
import { compareResults, nothingMoved } from './compare.ts';
import { renderComparison, renderComparisonMarkdown } from './compare-text.ts';
import { conformantRun, hostileRun, violatedRun } from './example-results.ts';
import { renderComparisonPage } from './html/comparison.ts';

const later = {
  ...violatedRun,
  startedAt: '2026-11-06T09:30:00.000Z',
  violations: violatedRun.violations.slice(1),
  clauses: violatedRun.clauses
    .filter(({ id }) => id !== 'task.assignment')
    .map((clause) => {
      if (clause.id === 'update.success-status') return { ...clause, observed: [204] };
      return clause.id === 'update.keeps-the-other-fields'
        ? { ...clause, verdict: 'upheld' as const }
        : clause;
    }),
};
const comparison = compareResults(violatedRun, later);

describe('a comparison of two runs', () => {
  test('of a run with itself finds nothing', () => {
    expect(nothingMoved(compareResults(violatedRun, violatedRun))).toBe(true);
    expect(nothingMoved(comparison)).toBe(false);
  });

  test('finds the clauses that turned, also where one of the runs does not have them', () => {
    expect(
      comparison.turned.map(({ clause, before, after }) => [clause.id, before, after]),
    ).toEqual([
      ['update.keeps-the-other-fields', 'violated', 'upheld'],
      ['task.assignment', 'upheld', 'none'],
    ]);
  });

  test('finds violations that came and went', () => {
    const { newViolations, goneViolations } = comparison;
    expect(newViolations).toEqual([]);
    expect(goneViolations).toEqual(violatedRun.violations.slice(0, 1));
    expect(compareResults(later, violatedRun).newViolations).toEqual(goneViolations);
  });

  test('finds observations that moved', () => {
    expect(comparison.moved.map(({ clause, before, after }) => [clause.id, before, after])).toEqual(
      [['update.success-status', [200, 201], [204]]],
    );
  });
});

describe('the reports of a comparison', () => {
  const everything = compareResults(conformantRun, later);

  test('are as kept', async () => {
    const options = { color: false, width: 80 };
    await expect(renderComparison(everything, options)).toMatchFileSnapshot(
      'golden/comparison/console.txt',
    );
    await expect(renderComparisonMarkdown(everything)).toMatchFileSnapshot(
      'golden/comparison/comparison.md',
    );
  });

  test('say so where nothing changed', () => {
    const nothing = compareResults(violatedRun, violatedRun);
    expect(renderComparison(nothing, { color: false, width: 80 })).toMatch(/^Nothing changed\n/);
    expect(renderComparisonMarkdown(nothing)).toMatch(/^# Nothing changed\n/);
    expect(renderComparisonPage(nothing)).toContain('<h1>Nothing changed</h1>');
  });

  test('let nothing of a target through', () => {
    const hostile = compareResults(
      {
        ...hostileRun,
        violations: [],
        clauses: hostileRun.clauses.map((one) => ({ ...one, observed: [] })),
      },
      hostileRun,
    );
    const texts = [
      renderComparison(hostile, { color: false, width: 80 }),
      renderComparisonMarkdown(hostile),
      renderComparisonPage(hostile),
    ];
    for (const text of texts) expect(text).not.toMatch(/(?![\n\t])[\p{Cc}\u202e]/u);
    expect(texts[0]).not.toMatch(/^\s*::|##\[/m);
    expect(texts[2]).not.toContain('<script>alert');
  });
});
