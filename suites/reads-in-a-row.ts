import type { World } from '../runner/world.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import { sameId } from '../schemas/identifier.ts';
import { withWrongKey, wrongKey } from './authentication.ts';
import { type Ask, type Request, refusals } from './refusals.ts';
import { nearTo } from './unknown-ids.ts';

/*
 * What a read is answered with must not depend on the read right before it: a record that is remembered, or a key that was
 * accepted. Other requests in between would hide that, so these are sent when all other scenarios are done.
 */

const otherThan = { task: 'assessment', assessment: 'task' } as const;

const clauseOfUnknown = {
  task: 'get-task.unknown-task-is-404',
  assessment: 'get-assessment.unknown-assessment-is-404',
} as const satisfies Record<string, JudgedClause>;

/** Reads that must be refused, each right after a valid one of a record. */
async function requestsAfter(
  record: keyof typeof otherThan,
  known: string,
  world: World,
): Promise<Request[]> {
  const { api } = world;
  const after =
    (ask: Ask): Ask =>
    async (caller) => {
      await api[record](known);
      return await ask(caller);
    };
  const near = nearTo(known);
  const unknown = [
    // Another record may have such an id, or the same one.
    { of: record, id: near, what: 'an id near' },
    { of: otherThan[record], id: known, what: 'the id of' },
  ] as const;
  const free = await Promise.all(
    unknown.map(async ({ of, id }) => !sameId((await api[of](id)).object?.id, id)),
  );
  const ofIds = unknown
    .filter((_, index) => free[index])
    .map(
      ({ of, id, what }): Request => ({
        name: `a read of ${of === 'task' ? 'a task' : 'an assessment'} by ${what} the ${record} that was just read`,
        refused: { statuses: [404], clause: clauseOfUnknown[of] },
        ask: after((caller) => api[of](id, caller)),
        caller: {},
      }),
    );
  const ofKeys = (
    ['another key altogether', 'the key with an additional character'] as const
  ).flatMap((kind): Request[] => {
    const key = wrongKey(world, kind);
    const row = withWrongKey(kind, `get-${record}.needs-the-apikey`);
    const name = `${row.name}, for the ${record} that was just read`;
    return key
      ? [{ ...row, name, ask: after((caller) => api[record](known, caller)), caller: { key } }]
      : [];
  });
  return [...ofIds, ...ofKeys];
}

export const readsInARow = [
  refusals({
    name: 'a read is answered by what it asks for, whatever was read right before it',
    needs: ['task', 'assessment'],
    clauses: ['auth.invalid-key-is-401', ...Object.values(clauseOfUnknown)],
    inTurn: true,
    async requests(world) {
      const [task = ''] = world.taskIds;
      const [assessment = ''] = world.assessmentIds;
      await world.othersAreDone();
      return [
        ...(await requestsAfter('task', task, world)),
        ...(await requestsAfter('assessment', assessment, world)),
      ];
    },
  }),
];
