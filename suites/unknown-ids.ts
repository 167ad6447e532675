import type { Faker } from '@faker-js/faker';
import type { Answer } from '../helpers/http/answer.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import { isUuidShaped, sameId } from '../schemas/resources.ts';
import { withWrongKey, wrongKey } from './authentication.ts';
import {
  type Ask,
  endingLike,
  invalidFormStatuses,
  nearTo,
  type Request,
  refusals,
  startingLike,
} from './refusals.ts';

/*
 * Errors: 404. A task or assessment is not found under an id that matches none, however similar it is to one that does.
 * Ids are UUID-shaped: a service may check the form of an id first, and refuse another form as an invalid request.
 */

/** Ids that match no record: made from a known one, or those of other kinds of records, given as `beside`. */
function unknownIds(known: string, beside: readonly unknown[], faker: Faker) {
  const fresh = faker.string.uuid();
  const ids = [
    { what: 'a fresh id that starts like a known one', id: startingLike(known, fresh) },
    { what: 'a fresh id that ends like a known one', id: endingLike(known, fresh) },
    { what: 'a known id without its last character', id: known.slice(0, -1) },
    { what: 'a known id with an additional character', id: `${known}0` },
    ...beside.map((id) => ({ what: 'the id of another kind of record', id })),
  ];
  return ids.flatMap(({ what, id }) =>
    // A service may give records of two kinds the same id, which is a known one then.
    typeof id === 'string' && !sameId(id, known) ? [{ what, id }] : [],
  );
}

type RecordKind = 'task' | 'assessment';

const clauseOfUnknown = {
  task: 'get-task.unknown-task-is-404',
  assessment: 'get-assessment.unknown-assessment-is-404',
} as const satisfies Record<RecordKind, JudgedClause>;

const invalidForm = {
  task: 'an id of a task that is not UUID-shaped',
  assessment: 'an id of an assessment that is not UUID-shaped',
} as const;

const knownId = (kind: RecordKind, { taskIds, assessmentIds }: World): string =>
  (kind === 'task' ? taskIds : assessmentIds)[0] ?? '';

/** @param besideOf ids of other kinds of records, from the answer with the known record */
function retrievalScenario(
  record: RecordKind,
  besideOf: (known: Answer, world: World) => readonly unknown[],
): AnyScenario {
  const clause = clauseOfUnknown[record];
  const read = (world: World): Promise<Answer> => {
    const known = knownId(record, world);
    return record === 'task' ? world.tasks.seen(known) : world.assessment(known);
  };
  return refusals({
    name: `an unknown ${record} answers 404`,
    needs: [record],
    clauses: [clause],
    common: 'an unknown id',
    cause: `unknown ${record}`,
    twin: read,
    inTurn: true,
    async requests(world) {
      const beside = besideOf(await read(world), world);
      const ids = unknownIds(knownId(record, world), beside, world.faker);
      // Whatever a service keeps of the first answer.
      const again = ids.slice(0, 1).map((one) => ({ ...one, what: `${one.what}, again` }));
      return [...ids, ...again].map(({ what, id }) => ({
        name: what,
        // The form of another id may be refused before a service looks for a record.
        refused: isUuidShaped(id)
          ? { statuses: [404], clause }
          : { statuses: [404, ...invalidFormStatuses], clause, when: invalidForm[record] },
        ask: (caller) => world.api[record](id, caller),
      }));
    },
  });
}

export const unknownIdsAnswer404 = [
  retrievalScenario('task', ({ object }) => [
    object?.assessment_id,
    object?.entity_id,
    object?.workflow_instance_id,
  ]),
  retrievalScenario('assessment', ({ object }, { taskIds }) => [
    object?.entity_id,
    object?.workflow_instance_id,
    taskIds[0],
  ]),
];

/*
 * What a read is answered with must not depend on the read right before it: a record that is remembered, or a key that was
 * accepted. Other requests in between would hide that, so these are sent when all other scenarios are done.
 */

/** Reads that must be refused, each right after a valid one of a record. */
async function requestsAfter(record: RecordKind, world: World): Promise<Request[]> {
  const { api } = world;
  const known = knownId(record, world);
  const after =
    (ask: Ask): Ask =>
    async (caller) => {
      await api[record](known);
      return await ask(caller);
    };
  const unknown = [
    // Another record may have such an id, or the same one.
    { of: record, id: nearTo(known), what: 'an id near' },
    { of: record === 'task' ? 'assessment' : 'task', id: known, what: 'the id of' },
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
      await world.othersAreDone();
      return [
        ...(await requestsAfter('task', world)),
        ...(await requestsAfter('assessment', world)),
      ];
    },
  }),
];
