import { validate } from 'ctrf';
import { describe, expect, test } from 'vitest';
import { renderCtrf } from './ctrf.ts';
import {
  conformantRun,
  exampleReview,
  exampleRuns,
  violatedRun,
} from './example-results.fixture.ts';

describe('ctrf.json', () => {
  for (const [name, results] of Object.entries(exampleRuns)) {
    test(`of a run that is ${name} matches its golden file`, async () => {
      await expect(renderCtrf(results)).toMatchFileSnapshot(`golden/${name}/ctrf.json`);
    });
  }

  test('is valid by the schema of the format, and has the version of the suite', () => {
    for (const results of Object.values(exampleRuns)) {
      const report = JSON.parse(renderCtrf(results));
      expect(validate(report)).toMatchObject({ valid: true });
      expect(report.results.tool).toEqual({ name: 'task-audit-contract', version: results.suite });
    }
  });

  test('has our verdict in rawStatus, and tells waived violations from others', () => {
    const report: { results: { tests: { rawStatus: string; status: string }[] } } = JSON.parse(
      renderCtrf(violatedRun, exampleReview),
    );
    const statuses = report.results.tests.map(({ rawStatus, status }) => `${rawStatus}: ${status}`);
    expect(statuses).toEqual([
      'upheld: passed',
      'observed: passed',
      'upheld: passed',
      'violated (waived): skipped',
      'observed: passed',
      'not judged: skipped',
      'untestable: skipped',
      'violated: failed',
      'upheld: passed',
      'inconclusive: other',
    ]);
  });

  test('of an upheld clause says what it does not stand on', () => {
    const why = 'No events of summer are known.';
    const [first, ...others] = conformantRun.clauses;
    if (first === undefined) throw new Error('The example has no clause.');
    const clauses = [
      { ...first, reasons: [{ kind: 'not applicable' as const, why, on: [] }] },
      ...others,
    ];
    const { results } = JSON.parse(renderCtrf({ ...conformantRun, clauses }));
    expect(results.tests[0]).toMatchObject({
      status: 'passed',
      message: `Upheld by what could be seen, but for this: ${why}`,
    });
  });
});
