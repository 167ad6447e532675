import { expect, test } from 'vitest';
import { exchange } from './exchange.fixture.ts';
import { underWayMs } from './exchange.ts';

test.for([
  ['none', [], 0],
  [
    'one after the other, with a pause between them',
    [
      [0, 10],
      [50, 5],
    ],
    15,
  ],
  [
    'at the same time, in part',
    [
      [0, 10],
      [5, 10],
    ],
    15,
  ],
  [
    'one within another, in the order of their numbers',
    [
      [2, 3],
      [0, 10],
    ],
    10,
  ],
] as const)('how long exchanges were under way: %s', ([, spans, expected]) => {
  const exchanges = spans.map(([startedAt, durationMs]) => ({
    ...exchange,
    startedAt,
    durationMs,
  }));
  expect(underWayMs(exchanges)).toBe(expected);
});
