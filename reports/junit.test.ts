import { describe, expect, test } from 'vitest';
import type { Results } from '../schemas/results.ts';
import {
  exampleReview,
  exampleRuns,
  hostileRun,
  toldRun,
  violatedRun,
} from './example-results.fixture.ts';
import { renderJunit } from './junit.ts';

const nothing: Parameters<typeof renderJunit>[1] = new Set();

const junitOf = (results: Results, allowed = nothing): string =>
  renderJunit(toldRun({ results }), allowed);

describe('junit.xml', () => {
  for (const [name, results] of Object.entries(exampleRuns)) {
    test(`of a run that is ${name} matches its golden file`, async () => {
      await expect(junitOf(results)).toMatchFileSnapshot(`golden/${name}/junit.xml`);
    });
  }

  test('of a run with waivers matches its golden file', async () => {
    const xml = renderJunit(toldRun({ results: violatedRun, review: exampleReview }), nothing);
    await expect(xml).toMatchFileSnapshot('golden/waived/junit.xml');
  });

  test('names with a violation the other clauses that the same finding violates', () => {
    const [, stale] = violatedRun.violations;
    if (stale === undefined) throw new Error('the example has no such violation');
    const xml = junitOf({
      ...violatedRun,
      violations: [stale, { ...stale, clause: 'update.keeps-the-other-fields' }],
    });
    expect(xml.match(/The same finding violates .*\./g)).toEqual([
      'The same finding violates conflict.differing-version-is-409.',
      'The same finding violates update.keeps-the-other-fields.',
    ]);
  });

  test('has an error where nothing could be judged, so that no pipeline takes it for a pass', () => {
    const xml = junitOf(exampleRuns['not-run']);
    expect(xml).toContain(
      '<testsuites name="contract" tests="11" failures="0" errors="1" skipped="10"',
    );
    expect(xml).toContain(
      '<error message="Nothing could be judged. API_KEY does not work: the target answered 401 to it."/>',
    );
  });

  test('has an error for each clause because of which the run ends with 3, and none for one that is allowed', () => {
    const undecided = (xml: string): string[] =>
      [...xml.matchAll(/<error type="Undecided" message="(inconclusive|not judged): /g)].map(
        ([, verdict = '']) => verdict,
      );
    const { clauses } = exampleRuns.interrupted;
    const first = clauses.findIndex(
      ({ verdict, level }) => verdict === 'not judged' && level !== 'open',
    );
    const run = {
      ...exampleRuns.interrupted,
      clauses: clauses.map((one, index) =>
        index === first ? { ...one, verdict: 'inconclusive' as const } : one,
      ),
    };
    const whole = { ...run, interruptedBy: null };
    const allowed = (...verdicts: ('not judged' | 'inconclusive')[]) => new Set(verdicts);
    const both = allowed('not judged', 'inconclusive');
    expect(undecided(junitOf(whole)).sort()).toEqual(['inconclusive', 'not judged', 'not judged']);
    expect(junitOf(whole)).toContain(' errors="3" skipped="2" time="0.940">');
    const one = junitOf(whole, allowed('not judged'));
    expect(undecided(one)).toEqual(['inconclusive']);
    expect(one).toContain('<skipped message="not judged: ');
    expect(undecided(junitOf(whole, both))).toEqual([]);
    // What was cut short is not complete, whatever is allowed.
    expect(undecided(junitOf(run, both))).toHaveLength(3);
  });

  test('has an error where a task was left changed', () => {
    const leftChanged = exampleRuns.conformant.leftChanged;
    const failed = {
      before: null,
      taskId: 'task-1',
      outcome: 'failed',
      why: { kind: 'not carried out', status: 500, now: null },
    } as const;
    const xml = junitOf({ ...exampleRuns.conformant, leftChanged: [...leftChanged, failed] });
    expect(xml).toContain(
      '<testcase classname="Run" name="every task is as it was before" time="0">',
    );
  });

  test('holds nothing that XML forbids, whatever the target says', () => {
    const xml = junitOf(hostileRun);
    expect(xml).not.toMatch(/(?!\n)[\p{Cc}\ufffe\uffff]/u);
    expect(xml).not.toMatch(
      /<(?!\/?(?:\?xml|testsuites?|testcase|propert(?:y|ies)|failure|skipped|error)\b)/,
    );
    expect(xml).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/);
  });
});
