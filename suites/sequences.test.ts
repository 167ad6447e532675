import { expect, test } from 'vitest';
import { refusedRequests } from './refused-requests.ts';
import { moves, type Planned, plannedWalks } from './sequence-plan.ts';
import { sequences } from './sequences.ts';

/** About how many requests go with a write, and with what comes before it. */
const requestsOf = ({ earlier, between, isReadAfter }: Planned): number => {
  const before = earlier.length + (between.kind === 'another task' ? 4 : 2);
  return before + (isReadAfter ? 6 : 2);
};

test('sequences that take longest begin first', () => {
  const sizes = plannedWalks(moves, refusedRequests).map((walk) =>
    walk.reduce((sum, one) => sum + requestsOf(one), 0),
  );
  const inOrder = sequences.map(({ name }) => sizes[Number(/\d+/.exec(name)) - 1]);
  expect(inOrder).toEqual(sizes.toSorted((one, other) => other - one));
});
