// The export: whatever a request is like, and whatever goes wrong in such requests, is found; but for those of the snapshot.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runAgainst } from './in-process.ts';
import { pairs } from './pairs.ts';
import { moreEvents, scenariosOf } from './parts.ts';
import { inParts } from './prove-faults.ts';
import { isSample, isWhole } from './sample.ts';

const file = 'pairs.snapshot.txt';
const notAsked = ' (not asked)';
const known = readFileSync(new URL(file, import.meta.url), 'utf8').split('\n');

// Arrays first: they find most.
const scenarios = inParts(scenariosOf.export)
  .toSorted((one, other) => other.length - one.length)
  .flat();

const played = pairs.filter((_, index) => isWhole || index % (isSample ? 100 : 20) === 0);
const missed: string[] = [];

test.for(played)('$name', async ({ name, rules, count }) => {
  const service = { ...moreEvents, rules, until: 'any clause is violated' } as const;
  const { violations } = await runAgainst(service, scenarios);
  if (violations.length === 0) missed.push(count() === 0 ? `${name}${notAsked}` : name);
  if (isWhole) return;
  const expected = known.filter((line) => line.replace(notAsked, '') === name);
  expect(missed.splice(0)).toEqual(expected);
});

test.runIf(isWhole)('those that are not found', async () => {
  await expect(`${missed.join('\n')}\n`).toMatchFileSnapshot(file);
});
