import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { exampleExchanges, hostileExchanges } from './example-exchanges.fixture.ts';
import { exampleReview, hostileRun, violatedRun } from './example-results.fixture.ts';
import { renderScripts } from './scripts.ts';
import { noWaivers } from './waivers.ts';

test.for([
  ['violations', violatedRun, exampleExchanges],
  ['hostile', hostileRun, hostileExchanges],
] as const)(
  'the scripts of a run with %s match their golden files, and are shell',
  async ([name, results, exchanges]) => {
    const scripts = renderScripts(results, noWaivers, exchanges);
    expect(scripts.size).toBeGreaterThan(0);
    for (const [file, text] of scripts) {
      await expect(text).toMatchFileSnapshot(`golden/${name}/${file}`);
      execFileSync('bash', ['-n'], { input: text });
    }
  },
);

test('findings whose exchanges are not known have no script', () => {
  expect(renderScripts(violatedRun, noWaivers, [])).toEqual(new Map());
});

test('waived findings come last', () => {
  const [first] = renderScripts(violatedRun, noWaivers, exampleExchanges).values();
  const [waived] = [...renderScripts(violatedRun, exampleReview, exampleExchanges).values()].slice(
    -1,
  );
  expect(waived).toBe(first?.replaceAll('findings/1.sh', 'findings/3.sh'));
});
