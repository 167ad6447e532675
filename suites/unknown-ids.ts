import type { Faker } from '@faker-js/faker';
import type { Answer } from '../helpers/http/answer.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import { isUuidShaped, sameId } from '../schemas/identifier.ts';
import { invalidFormStatuses, type Request, refusals } from './refusals.ts';

/*
 * Errors: 404. A task or assessment is not found under an id that matches none, however similar it is to one that does.
 * Ids are UUID-shaped: a service may check the form of an id first, and refuse another form as an invalid request.
 */

/** An id that differs from a known one in its last group alone: whoever compares less than that finds the record. */
export const startingLike = (known: string, fresh: string): string =>
  known.slice(0, -12) + fresh.slice(-12);
/** An id that differs from a known one in its first group alone. */
export const endingLike = (known: string, fresh: string): string =>
  fresh.slice(0, 8) + known.slice(8);

/** An id that differs from a known one in its last character; another record may have it. */
export const nearTo = (known: string): string =>
  known.slice(0, -1) + (known.endsWith('0') ? '1' : '0');

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

const invalidForm = {
  task: 'an id of a task that is not UUID-shaped',
  assessment: 'an id of an assessment that is not UUID-shaped',
} as const;

/** @param besideOf ids of other kinds of records, from the answer with the known record */
function retrievalScenario(
  record: 'task' | 'assessment',
  clause: JudgedClause,
  knownOf: (world: World) => string | undefined,
  besideOf: (known: Answer, world: World) => readonly unknown[],
): AnyScenario {
  const read = (world: World): Promise<Answer> => {
    const known = knownOf(world) ?? '';
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
      const ids = unknownIds(knownOf(world) ?? '', besideOf(await read(world), world), world.faker);
      const request = ({ what, id }: (typeof ids)[number]): Request => ({
        name: what,
        // The form of another id may be refused before a service looks for a record.
        refused: isUuidShaped(id)
          ? { statuses: [404], clause }
          : { statuses: [404, ...invalidFormStatuses], clause, when: invalidForm[record] },
        ask: (caller) => world.api[record](id, caller),
        caller: {},
      });
      // Whatever a service keeps of the first answer.
      const again = ids.slice(0, 1).map((one) => ({ ...one, what: `${one.what}, again` }));
      return [...ids, ...again].map(request);
    },
  });
}

export const unknownIdsAnswer404 = [
  retrievalScenario(
    'task',
    'get-task.unknown-task-is-404',
    ({ taskIds }) => taskIds[0],
    ({ object }) => [object?.assessment_id, object?.entity_id, object?.workflow_instance_id],
  ),
  retrievalScenario(
    'assessment',
    'get-assessment.unknown-assessment-is-404',
    ({ assessmentIds }) => assessmentIds[0],
    ({ object }, { taskIds }) => [object?.entity_id, object?.workflow_instance_id, taskIds[0]],
  ),
];
