import { describe, expect, test } from 'vitest';
import { exampleReview, exampleRuns, hostileRun, violatedRun } from './example-results.fixture.ts';
import { renderJunit } from './junit.ts';

describe('junit.xml', () => {
  for (const [name, results] of Object.entries(exampleRuns)) {
    test(`of a run that is ${name} matches its golden file`, async () => {
      await expect(renderJunit(results)).toMatchFileSnapshot(`golden/${name}/junit.xml`);
    });
  }

  test('of a run with waivers matches its golden file', async () => {
    const xml = renderJunit(violatedRun, exampleReview);
    await expect(xml).toMatchFileSnapshot('golden/waived/junit.xml');
  });

  test('names with a violation the other clauses that the same finding violates', () => {
    const [, stale] = violatedRun.violations;
    if (stale === undefined) throw new Error('the example has no such violation');
    const xml = renderJunit({
      ...violatedRun,
      violations: [stale, { ...stale, clause: 'update.keeps-the-other-fields' }],
    });
    expect(xml.match(/The same finding violates .*\./g)).toEqual([
      'The same finding violates conflict.differing-version-is-409.',
      'The same finding violates update.keeps-the-other-fields.',
    ]);
  });

  test('has an error where nothing could be judged, so that no pipeline takes it for a pass', () => {
    const xml = renderJunit(exampleRuns['not-run']);
    expect(xml).toContain(
      '<testsuites name="contract" tests="11" failures="0" errors="1" skipped="10"',
    );
    expect(xml).toContain(
      '<error message="Nothing could be judged. API_KEY does not work: the target answered 401 to it."/>',
    );
  });

  test('holds nothing that XML forbids, whatever the target says', () => {
    const xml = renderJunit(hostileRun);
    expect(xml).not.toMatch(/(?!\n)[\p{Cc}\ufffe\uffff]/u);
    expect(xml).not.toMatch(
      /<(?!\/?(?:\?xml|testsuites?|testcase|propert(?:y|ies)|failure|skipped|error)\b)/,
    );
    expect(xml).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/);
  });
});
