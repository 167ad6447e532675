import { type Assignee, bodyThatAssigns, type RawUpdate } from '../helpers/api.ts';
import { Inconclusive, NothingSeen, Violation } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { withMoreDigits, withOtherZoneMark } from '../helpers/tasks/versions.ts';
import { problemsOf } from '../helpers/validation.ts';
import { type AnyScenario, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { OpenClause } from '../schemas/clauses.ts';
import type { Observation, WriteOutcome } from '../schemas/observations.ts';
import type { Task, UpdateAssignment } from '../schemas/resources.ts';
import {
  differences,
  expectOtherFieldsKept,
  expectUnchanged,
  isChanged,
  namesNobody,
} from './comparing-tasks.ts';
import { formDifference, isRefused, judgeEach } from './expectations.ts';
import { becomesOf, judgesOfTasks, type Step, type Steps, stepJudges, takeStep } from './writes.ts';

/*
 * 1. Update a task assignment, States and transitions: writes of which the document does not say what they do. What they do
 * is observed; whatever it is, the task stays valid, and a refused write has changed nothing. The same of comments.
 */

interface OpenWrite {
  /** The open clause that its outcome tells of. */
  readonly clause: OutcomeClause;
  /** What the fact says of it, and the text of a violation: “in quotes”. */
  readonly when: Observation<OutcomeClause>['when'];
  /** What is other than in an assignment to another user, with the current version. */
  readonly change: (task: Task, world: World, body: UpdateAssignment) => Partial<RawUpdate>;
}

type OutcomeClause = {
  [Id in OpenClause]: Observation<Id> extends { when: string; outcome: WriteOutcome } ? Id : never;
}[OpenClause];

/** A write that was made: the task before it, the answer, and the read after it. */
interface Attempted extends Pick<Step, 'firstSeen' | 'before' | 'answer' | 'read' | 'disturbance'> {
  readonly write: OpenWrite;
}

type OpenWrites = readonly Attempted[];

const openWrite = <Id extends OutcomeClause>(
  clause: Id,
  when: Observation<Id>['when'],
  change: OpenWrite['change'],
): OpenWrite => ({ clause, when, change });

const openJudges = {
  'update.keeps-the-other-fields': (attempted: OpenWrites) => {
    for (const { firstSeen, before, read } of attempted)
      expectOtherFieldsKept(firstSeen, before, [read]);
  },
  'endpoints.refused-write-changes-nothing': (attempted: OpenWrites) =>
    judgeEach(attempted, ({ before, write, answer, read }) => {
      if (!isRefused(answer)) throw new NothingSeen();
      const how = `whose outcome the document leaves open (${write.when})`;
      expectUnchanged(before, taskOf(read), { how, on: [answer, read] });
    }),
  'endpoints.task-stays-valid': (attempted: OpenWrites) =>
    judgeEach(attempted, ({ before, answer, read }) => {
      // A task that was invalid before was not made so by the write; its fields have clauses of their own.
      if (problemsOf('task', before).length > 0)
        throw new Inconclusive(
          'The task did not have the form of its table before the write either, which other clauses are about.',
        );
      const [problem] = problemsOf('task', read.object);
      if (problem !== undefined)
        throw new Violation(formDifference('task', problem), [answer, read]);
    }),
};

/** What a write did to the task; the status of a success has a clause of its own. */
function outcomeOf({ answer, before, read }: Attempted): WriteOutcome {
  if (isRefused(answer)) return { refused: answer.status };
  const after = taskOf(read);
  if (differences(before, after).length === 0) return { accepted: 'nothing changed' };
  if (!namesNobody(after.assignment)) return { accepted: 'assigned' };
  return { accepted: namesNobody(before.assignment) ? 'new version' : 'unassigned' };
}

function openScenario(
  name: string,
  prepare: (world: World) => Promise<Task>,
  writes: readonly OpenWrite[],
): AnyScenario {
  const observes = Array.from(new Set(writes.map(({ clause }) => clause)), (clause) => [
    clause,
    (attempted: OpenWrites) =>
      attempted
        // Where somebody else has changed the task since, the outcome is not known.
        .filter(({ write, disturbance }) => write.clause === clause && !disturbance)
        .map((one) => ({ when: one.write.when, outcome: outcomeOf(one) })),
  ]);
  return scenario({
    name,
    needs: ['writable-task', 'two-users'],
    async act(world): Promise<OpenWrites> {
      const { api, tasks, anotherUser, actor: by, mark } = world;
      const attempted: Attempted[] = [];
      let current = await prepare(world);
      for (const write of writes) {
        const attempt = async (before: Task): Promise<Attempted> => {
          const firstSeen = tasks.firstSeen(before);
          const body = bodyThatAssigns(anotherUser(before), {
            by,
            comment: `Contract test ${mark()}`,
          });
          const valid = { ifMatch: before.updated_at, body };
          const answer = await api.update(before.id, {
            ...valid,
            ...write.change(before, world, body),
          });
          const { answer: read } = await tasks.look(before.id);
          return { firstSeen, before, write, answer, read, disturbance: tasks.disturbance([read]) };
        };
        const one = await tasks.trial(
          current,
          attempt,
          (trial) => isRefused(trial.answer) && isChanged(trial),
        );
        attempted.push(one);
        current = taskOf(one.read);
      }
      return attempted;
    },
    judges: openJudges,
    observes: Object.fromEntries(observes),
  });
}

const unassigned = async ({ tasks }: World) => await tasks.bringTo(await tasks.any(), null);

const assigned = async ({ tasks, user }: World) => {
  const task = await tasks.any();
  return task.assignment === null ? await tasks.bringTo(task, user()) : task;
};

const neither = 'update.body-with-neither-object';

const otherBodies = [
  openWrite('update.other-content-types', 'text/plain', () => ({ contentType: 'text/plain' })),
  openWrite('update.other-content-types', 'none', () => ({ contentType: null })),
  openWrite(neither, 'an empty object', () => ({ body: {} })),
  openWrite(neither, 'null for both', () => ({ body: { update: null, unassign: null } })),
  openWrite(neither, 'another field', () => ({ body: { reassign: {} } })),
  openWrite('update.body-with-both-objects', 'both', (_task, { actor: by }, body) => ({
    body: { ...body, ...bodyThatAssigns(null, { by }) },
  })),
];

/** An assignment whose If-Match is the current version, written in another way. */
const withVersion = <Id extends OutcomeClause>(
  clause: Id,
  when: Observation<Id>['when'],
  rewrite: (version: string) => string,
): OpenWrite =>
  openWrite(clause, when, ({ updated_at: version }) => ({ ifMatch: rewrite(version) }));

const otherVersions = [
  withVersion('update.quoted-if-match', 'in quotes', (version) => `"${version}"`),
  withVersion('update.quoted-if-match', 'as a weak tag', (version) => `W/"${version}"`),
  withVersion('update.if-match-star', '*', () => '*'),
  withVersion('update.if-match-same-instant', 'another mark for UTC', withOtherZoneMark),
  withVersion('update.if-match-same-instant', 'more fractional digits', withMoreDigits),
];

export const openWrites = [
  openScenario(
    'a body with both update and unassign, with neither, or of another media type',
    assigned,
    otherBodies,
  ),
  openScenario('an If-Match in quotes, as *, or written differently', assigned, otherVersions),
  openScenario('an unassign on a task that has no assignment', unassigned, [
    openWrite('unassign.on-an-unassigned-task', 'unassign', (_task, { actor: by }) => ({
      body: bodyThatAssigns(null, { by }),
    })),
  ]),
];

/** Whether edge-case comments are accepted is open; what accepted writes do is not, but for a write that changes nothing. */
const whereAccepted = [
  'update.answers-with-the-updated-task',
  'update.answers-with-the-new-assignment',
  'update.keeps-the-other-fields',
] as const;

/** A judge of those writes that were accepted. What becomes of their comments is open, and not looked at. */
const ofAccepted =
  (judge: (evidence: Steps) => void) =>
  ({ steps }: Steps): void => {
    const accepted = steps.filter(({ answer }) => answer.succeeded);
    if (accepted.length === 0) throw new NothingSeen();
    judge({ steps: accepted.map((step) => ({ ...step, comment: undefined })) });
  };

/** All other comments are kept verbatim, but for line ends and Unicode form: `sequences.ts` judges that. */
const edgeCases = scenario({
  name: 'edge-case comments: nothing but white space, 4,000 characters long, in another letter case',
  needs: ['writable-task', 'user'],
  async act(world) {
    const { tasks, faker, mark } = world;
    const [to, other] = [world.user(), world.teams.length > 0 ? world.team() : world.user()];
    const long = `${mark()} ${faker.string.fromCharacters('abcdefghij klmnopqrst', 3979)}`;
    const { actors, task } = await world.findActors(await tasks.any());
    const steps: Step[] = [];
    const assign = async (to: Assignee, comment: string): Promise<Step> => {
      const last = steps.at(-1);
      const before = last ? taskOf(last.read) : task;
      const step = await takeStep({ tasks, actors }, before, { to, comment }, last);
      if (step === undefined) throw new Error('An assignment was not made.');
      steps.push(step);
      return step;
    };
    const blank = await assign(to, '  ');
    const longest = await assign(other, `<${long}>`);
    // A service may take it for the comment that it has.
    await assign(other, 'Contract test: in another letter case');
    const inOtherCase = await assign(other, 'Contract test: In another Letter Case');
    return { steps, blank, longest, inOtherCase };
  },
  judges: {
    ...judgesOfTasks,
    ...Object.fromEntries(whereAccepted.map((id) => [id, ofAccepted(stepJudges[id])])),
    'comment.is-on-the-assignment': ({ longest, inOtherCase }) => {
      // How long a comment may be is open; one that was accepted is kept whole.
      const accepted = [longest, inOtherCase].filter(({ answer }) => answer.succeeded);
      if (accepted.length === 0) throw new NothingSeen();
      stepJudges['comment.is-on-the-assignment']({ steps: accepted });
    },
  },
  observes: {
    'comment.surrounding-white-space': ({ blank }) => [
      { when: 'nothing else', outcome: becomesOf(blank) },
    ],
    'comment.length-limit': ({ longest: { answer } }) => [
      { characters: 4000, outcome: answer.succeeded ? 'accepted' : { refused: answer.status } },
    ],
  },
});

export const commenting = [edgeCases];
