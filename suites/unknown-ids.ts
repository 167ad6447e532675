import type { Answer } from '../helpers/http/answer.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import { isUuidShaped, sameId } from '../schemas/resources.ts';
import { type KindOfKey, withWrongKey, wrongKey } from './authentication.ts';
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
 * Nor must it be found because of the read right before: a record that is remembered, or a key that was accepted. Other
 * requests in between would hide that, so these are sent when all other scenarios are done.
 */

type RecordKind = 'task' | 'assessment';

const clauseOfUnknown = {
  task: 'get-task.unknown-task-is-404',
  assessment: 'get-assessment.unknown-assessment-is-404',
} as const satisfies Record<RecordKind, JudgedClause>;

const invalidForm = {
  task: 'an id of a task that is not UUID-shaped',
  assessment: 'an id of an assessment that is not UUID-shaped',
} as const;

/** @param besideOf ids of other kinds of records, from the answer with the known record */
function unknownIds(
  record: RecordKind,
  besideOf: (known: Answer, world: World) => readonly unknown[],
): AnyScenario {
  const clause = clauseOfUnknown[record];
  const other = record === 'task' ? 'assessment' : 'task';
  const knownId = ({ taskIds, assessmentIds }: World): string =>
    (record === 'task' ? taskIds : assessmentIds)[0] ?? '';
  const read = (world: World): Promise<Answer> =>
    record === 'task' ? world.tasks.seen(knownId(world)) : world.assessment(knownId(world));
  return refusals({
    name: `an unknown ${record} answers 404, whatever was read right before it`,
    needs: [record],
    clauses: [clause, 'auth.invalid-key-is-401'],
    common: 'an unknown id',
    cause: `unknown ${record}`,
    twin: read,
    inTurn: true,
    async requests(world) {
      const { api, faker } = world;
      await world.othersAreDone('reads');
      const known = knownId(world);
      const readKnown = () => api[record](known);
      const after =
        (before: () => Promise<Answer>, ask: Ask): Ask =>
        async (caller) => {
          await before();
          return await ask(caller);
        };
      const unknown = (what: string, id: string, before = readKnown): Request => ({
        name: what,
        // The form of another id may be refused before a service looks for a record.
        refused: isUuidShaped(id)
          ? { statuses: [404], clause }
          : { statuses: [404, ...invalidFormStatuses], clause, when: invalidForm[record] },
        ask: after(before, (caller) => api[record](id, caller)),
      });
      const withKey = (kind: KindOfKey): Request[] => {
        const key = wrongKey(world, kind);
        const row = withWrongKey(kind, `get-${record}.needs-the-apikey`);
        const name = `${row.name}, for the ${record} that was just read`;
        const ask = after(readKnown, (caller) => api[record](known, caller));
        return key ? [{ ...row, name, ask, caller: { key } }] : [];
      };
      const fresh = faker.string.uuid();
      const startsAlike = 'a fresh id that starts like a known one';
      const beside = besideOf(await read(world), world).filter(
        // A service may give records of two kinds the same id, which is a known one then.
        (id): id is string => typeof id === 'string' && !sameId(id, known),
      );
      const near = nearTo(known);
      // Where ids are numbers, another record may have it.
      const isFree = !sameId((await api[record](near)).object?.id, near);
      return [
        ...(isFree ? [unknown('a known id with another last character', near)] : []),
        unknown(startsAlike, startingLike(known, fresh)),
        unknown('a fresh id that ends like a known one', endingLike(known, fresh)),
        unknown('a known id without its last character', known.slice(0, -1)),
        unknown('a known id with an additional character', `${known}0`),
        ...beside.map((id) =>
          unknown('the id of another kind of record', id, () => api[other](id)),
        ),
        // Whatever a service keeps of the first answer.
        unknown(`${startsAlike}, again`, startingLike(known, fresh)),
        ...withKey('another key altogether'),
        ...withKey('the key with an additional character'),
      ];
    },
  });
}

export const unknownIdsAnswer404 = [
  unknownIds('task', ({ object }) => [
    object?.assessment_id,
    object?.entity_id,
    object?.workflow_instance_id,
  ]),
  unknownIds('assessment', ({ object }, { taskIds }) => [
    object?.entity_id,
    object?.workflow_instance_id,
    taskIds[0],
  ]),
];
