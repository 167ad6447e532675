import { describe, expect, test } from 'vitest';
import { renderAsMarkdown } from './blocks-markdown.ts';
import { renderOnTerminal } from './blocks-terminal.ts';
import { conformantRun, hostileRun, notSelected, violatedRun } from './example-results.fixture.ts';
import { renderAsPage, reportBody } from './html/blocks.ts';
import { matrixOf, matrixReport } from './matrix.ts';

const otherwise = {
  ...conformantRun,
  startedAt: '2026-11-05T10:00:00.000Z',
  target: { kind: 'remote', baseUrl: 'https://us.staging.example/v5' } as const,
  clauses: conformantRun.clauses
    .filter(({ id }) => id !== 'task.assignment')
    .map((clause) =>
      clause.id === 'update.success-status' ? { ...clause, observed: [204] } : clause,
    ),
};
const matrix = matrixOf([
  { file: 'local.json', results: conformantRun },
  { file: 'eu/results.json', results: violatedRun },
  { file: 'us/results.json', results: otherwise },
]);
const idsOf = (rows: typeof matrix.rows) => rows.map(({ clause }) => clause.id);

describe('runs side by side', () => {
  test('are lettered in their order', () => {
    const many = matrixOf(Array.from({ length: 28 }, () => ({ file: '', results: conformantRun })));
    const letters = many.runs.map(({ letter }) => letter);
    expect([letters[0], letters[25], letters[26], letters[27]]).toEqual(['A', 'Z', 'AA', 'AB']);
  });

  test('differ where verdicts or observations do', () => {
    expect(idsOf(matrix.notable)).toEqual([
      'update.keeps-the-other-fields',
      'conflict.differing-version-is-409',
      'task.assignment',
      'update.quoted-if-match',
      'conflict.one-of-simultaneous-writes-wins',
    ]);
    expect(idsOf(matrix.differing)).toEqual(['update.success-status']);
  });

  test('do not differ in what one of them was not to look at', () => {
    const chosen = {
      ...conformantRun,
      clauses: conformantRun.clauses.map((clause) => ({
        ...clause,
        verdict: 'not judged' as const,
        reasons: notSelected,
      })),
    };
    const { notable } = matrixOf([
      { file: 'a', results: conformantRun },
      { file: 'b', results: chosen },
    ]);
    expect(notable).toEqual([]);
  });

  test('are as kept', async () => {
    const options = { color: false, width: 100 };
    const report = matrixReport(matrix);
    await expect(renderOnTerminal(report, options)).toMatchFileSnapshot(
      'golden/matrix/console.txt',
    );
    await expect(renderAsMarkdown(report)).toMatchFileSnapshot('golden/matrix/matrix.md');
    await expect(reportBody(report).text).toMatchFileSnapshot('golden/matrix/page.html');
  });

  test('are shown row by row where a table is wider than the terminal', () => {
    const text = renderOnTerminal(matrixReport(matrix), { color: false, width: 60 });
    expect(text).toContain(
      ['  task.assignment', '    A  upheld', '    B  upheld', '    C  not in the catalogue'].join(
        '\n',
      ),
    );
  });

  test('say so where all agree', () => {
    const same = matrixOf(['a', 'b', 'c'].map((file) => ({ file, results: conformantRun })));
    const text = renderOnTerminal(matrixReport(same), { color: false, width: 200 });
    expect(text.split('\n\n')).toEqual([
      '3 RUNS SIDE BY SIDE  The same verdict everywhere: 10 clauses (6 upheld, 3 observed, 1 untestable).',
      expect.stringMatching(/^ {2}A {2}a: .*\n {2}B {2}b: .*\n {2}C {2}c: .*\n$/),
    ]);
  });

  test('let nothing of a target through', () => {
    const hostile = matrixOf([
      { file: 'a', results: conformantRun },
      { file: 'b', results: violatedRun },
      { file: 'c', results: hostileRun },
    ]);
    const texts = [
      renderOnTerminal(matrixReport(hostile), { color: false, width: 80 }),
      renderAsMarkdown(matrixReport(hostile)),
      renderAsPage(matrixReport(hostile)),
    ];
    for (const text of texts) expect(text).not.toMatch(/(?![\n\t])[\p{Cc}\u202e]/u);
    expect(texts[0]).not.toMatch(/^\s*::|##\[/m);
    expect(texts[2]).not.toContain('<script>alert');
  });
});
