import type { Faker } from '@faker-js/faker';
import type { Answer } from '../helpers/http/answer.ts';
import { NothingSeen } from '../helpers/outcomes.ts';
import { type AnyScenario, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import { isUuidShaped, sameId } from '../schemas/identifier.ts';
import { judgesBy, ofRefusal } from './answers.ts';
import { expectStatus, judgeEach, requireTwin } from './expectations.ts';
import { errorShapes } from './shapes.ts';

/*
 * Errors: 404. A task or assessment is not found under an id that matches none, however similar it is to one that does.
 * Ids are UUID-shaped: a service may check the form of an id first, and refuse another form as an invalid request.
 */

export const startingLike = (known: string, fresh: string): string =>
  known.slice(0, 8) + fresh.slice(8);
export const endingLike = (known: string, fresh: string): string =>
  fresh.slice(0, -12) + known.slice(-12);

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

interface Refused {
  readonly what: string;
  readonly id: string;
  readonly answer: Answer;
  /** The same request with a known id. */
  readonly twin: Answer;
}

/** Statuses by which a service may refuse an id that is not UUID-shaped before it looks for a record. */
export const invalidFormStatuses: readonly number[] = [400, 422];

const answersOf = (unknown: readonly Refused[]): Answer[] => unknown.map(({ answer }) => answer);

function expectNotFound({ what, id, answer, twin }: Refused): void {
  requireTwin(twin, 'the same request with a known id');
  // The form of the id was refused, so the service looked for no record.
  if (!isUuidShaped(id) && invalidFormStatuses.includes(answer.status)) throw new NothingSeen();
  expectStatus(answer, 404, what);
}

/** @param besideOf ids of other kinds of records, from the answer with the known record */
function retrievalScenario(
  record: 'task' | 'assessment',
  clause: JudgedClause,
  knownOf: (world: World) => string | undefined,
  besideOf: (known: Answer, world: World) => readonly unknown[],
): AnyScenario {
  const one = record === 'task' ? 'a task' : 'an assessment';
  return scenario({
    name: `an unknown ${record} answers 404`,
    needs: [record],
    async act(world) {
      const { api, tasks, assessment, faker } = world;
      const known = knownOf(world) ?? '';
      const twin = record === 'task' ? await tasks.seen(known) : await assessment(known);
      const ids = unknownIds(known, besideOf(twin, world), faker);
      const ask = async (one: (typeof ids)[number]): Promise<Refused> => ({
        ...one,
        answer: await api[record](one.id),
        twin,
      });
      const asked = await Promise.all(ids.map(ask));
      // Whatever a service keeps of the first answer.
      const [first] = ids;
      return first ? [...asked, await ask({ ...first, what: `${first.what}, again` })] : asked;
    },
    judges: {
      ...judgesBy(ofRefusal, answersOf),
      [clause]: (all: readonly Refused[]) => judgeEach(all, expectNotFound, 'an unknown id'),
    },
    observes: {
      'errors.body-shape': (all) =>
        // An id of another form may be refused for its form.
        errorShapes(`unknown ${record}`, answersOf(all.filter(({ id }) => isUuidShaped(id)))),
      'errors.further-statuses': (all) =>
        all
          .filter(({ id }) => !isUuidShaped(id))
          .map(({ answer: { status } }) => ({
            when: `an id of ${one} that is not UUID-shaped` as const,
            status,
          })),
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
