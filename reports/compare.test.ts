import { describe, expect, test } from 'vitest';
import { renderAsMarkdown } from './blocks-markdown.ts';
import { renderOnTerminal } from './blocks-terminal.ts';
import { compareResults, comparisonReport, nothingChanged } from './compare.ts';
import { conformantRun, hostileRun, violatedRun } from './example-results.fixture.ts';
import { renderAsPage, reportBody } from './html/blocks.ts';

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
    expect(nothingChanged(compareResults(violatedRun, violatedRun))).toBe(true);
    expect(nothingChanged(comparison)).toBe(false);
  });

  test('finds the clauses whose verdicts changed, also where one of the runs does not have them', () => {
    expect(
      comparison.verdicts.map(({ clause, before, after }) => [clause.id, before, after]),
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

  test('finds observations that changed', () => {
    const changes = comparison.observations.map(({ before, after }) => [
      after.id,
      before.observed,
      after.observed,
    ]);
    expect(changes).toEqual([['update.success-status', [200, 201], [204]]]);
  });
});

describe('the reports of a comparison', () => {
  const everything = comparisonReport(compareResults(conformantRun, later));

  test('are as kept', async () => {
    const options = { color: false, width: 80 };
    await expect(renderOnTerminal(everything, options)).toMatchFileSnapshot(
      'golden/comparison/console.txt',
    );
    await expect(renderAsMarkdown(everything)).toMatchFileSnapshot(
      'golden/comparison/comparison.md',
    );
    await expect(reportBody(everything).text).toMatchFileSnapshot('golden/comparison/page.html');
  });

  test('say so where nothing changed', () => {
    const nothing = comparisonReport(compareResults(violatedRun, violatedRun));
    expect(renderOnTerminal(nothing, { color: false, width: 80 })).toMatch(/^Nothing changed\n/);
    expect(renderAsMarkdown(nothing)).toMatch(/^# Two runs compared: Nothing changed\n/);
    expect(renderAsPage(nothing)).toContain('<h1>Nothing changed</h1>');
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
    const report = comparisonReport(hostile);
    const texts = [
      renderOnTerminal(report, { color: false, width: 80 }),
      renderAsMarkdown(report),
      renderAsPage(report),
    ];
    for (const text of texts) expect(text).not.toMatch(/(?![\n\t])[\p{Cc}\u202e]/u);
    expect(texts[0]).not.toMatch(/^\s*::|##\[/m);
    expect(texts[2]).not.toContain('<script>alert');
  });
});
