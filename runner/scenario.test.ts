import { expect, test } from 'vitest';
import { clauseIdsOf, scenario, withLookedAt } from './scenario.ts';

// What must not compile: `tsc` fails where one of these lines has no error any more.

const act = async () => ({ status: 200 });

test('a scenario names clauses of the right level only', () => {
  const stories = [
    scenario({
      name: 'a misspelt clause',
      act,
      judges: {
        // @ts-expect-error there is no such clause
        'task.idd': () => {},
      },
    }),
    scenario({
      name: 'a judged clause that the document leaves open',
      act,
      judges: {
        // @ts-expect-error open clauses are observed
        'update.success-status': () => {},
      },
    }),
    scenario({
      name: 'an observed clause that the document states',
      act,
      judges: {},
      observes: {
        // @ts-expect-error stated clauses are judged
        'task.id': () => ['seen'],
      },
    }),
    scenario({
      name: 'a judged clause that nothing can show',
      act,
      judges: {
        // @ts-expect-error untestable clauses have no judge
        'errors.unexpected-error-is-500': () => {},
      },
    }),
    scenario({
      name: 'a judge of other evidence',
      act,
      judges: {
        // @ts-expect-error act returns no such evidence
        'task.id': ({ task }) => task,
      },
    }),
    scenario({
      name: 'an observation that is no plain value',
      act,
      judges: {},
      observes: {
        // @ts-expect-error dates differ from run to run
        'update.success-status': () => [new Date()],
      },
    }),
    scenario({
      name: 'a need that nothing meets',
      // @ts-expect-error there is no such need
      needs: ['webhook'],
      act,
      judges: {},
    }),
  ];
  expect(stories).toHaveLength(7);
});

test('what a scenario looks at is played before it, once, and judges only what was asked for', () => {
  const judges = { 'task.id': () => {} };
  const writes = scenario({ name: 'writes', act, judges });
  const looks = scenario({ name: 'looks', act, looksAt: [writes], judges });
  const [first, second] = withLookedAt([looks]);
  expect(first).toMatchObject({ name: 'writes' });
  expect(first && clauseIdsOf(first)).toEqual([]);
  expect(second).toBe(looks);
  expect(withLookedAt([looks, writes])).toEqual([looks, writes]);
  expect(withLookedAt([looks], ['write'])).toEqual([looks]);
});
