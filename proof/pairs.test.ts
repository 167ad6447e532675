// Whatever an export or a write is like, and whatever goes wrong in such ones, is found; but for what stands in the snapshots.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { AnyScenario } from '../runner/scenario.ts';
import { auditTrailScenarios } from '../suites/exports/audit-trail.ts';
import { sequences } from '../suites/sequences.ts';
import { type ProofOptions, runAgainst } from './in-process.ts';
import { type Pair, pairsOfExports } from './pairs-of-exports.ts';
import { pairsOfWrites } from './pairs-of-writes.ts';
import { fewEvents, moreEvents, scenariosOf } from './parts.ts';
import { inParts } from './prove-faults.ts';
import { isSample, isWhole } from './sample.ts';

const notAsked = ' (not asked)';

/** Plays each pair, or some of them; what finds most is to come first. */
function prove(
  file: string,
  pairs: readonly Pair[],
  scenarios: readonly AnyScenario[],
  options: Pick<ProofOptions, 'pastEvents' | 'configured'>,
): void {
  const known = readFileSync(new URL(file, import.meta.url), 'utf8').split('\n');
  const played = pairs.filter((_, index) => isWhole || index % (isSample ? 100 : 20) === 0);
  const missed: string[] = [];

  test.for(played)('$name', async ({ name, rules, count }) => {
    const service = { ...options, rules, until: 'any clause is violated' } as const;
    const { violations } = await runAgainst(service, scenarios);
    if (violations.length === 0) missed.push(count() === 0 ? `${name}${notAsked}` : name);
    if (isWhole) return;
    const expected = known.filter((line) => line.replace(notAsked, '') === name);
    expect(missed.splice(0)).toEqual(expected);
  });

  test.runIf(isWhole)('those that are not found', async () => {
    await expect(`${missed.join('\n')}\n`).toMatchFileSnapshot(file);
  });
}

describe('an export like', () => {
  const arraysFirst = inParts(scenariosOf.export).toSorted(
    (one, other) => other.length - one.length,
  );
  prove('pairs-of-exports.snapshot.txt', pairsOfExports, arraysFirst.flat(), moreEvents);
});

describe('a write like', () => {
  const others = [...scenariosOf.json, ...scenariosOf.email, ...auditTrailScenarios];
  const sequencesFirst = new Set([...sequences, ...others]);
  prove('pairs-of-writes.snapshot.txt', pairsOfWrites, [...sequencesFirst], {
    ...fewEvents,
    // Users are actors, so that they can assign to themselves.
    configured: ({ userIds }) => ({ ASSIGNED_BY_ID: userIds.slice(0, 2).join(',') }),
  });
});
