import type { Faker } from '@faker-js/faker';
import type { AssessmentRecord, AuditEvent, TaskRecord } from '../reference/records.ts';
import type { Directory } from '../reference/rules/notification.ts';
import type { Rules } from '../reference/rules.ts';
import type { Storage } from '../reference/store.ts';
import type { UpdateAssignment } from '../schemas/resources.ts';

/*
 * What goes on in a region while a caller uses it, all of it permitted by the document: other people work on the same
 * records, the workflow engine moves them on, events come late and go, and copies of the records lag behind. Each
 * motion is a value; when they happen is decided by `life.ts`.
 */

/** What a motion acts on. */
export interface Region {
  readonly faker: Faker;
  readonly store: Storage;
  /** The events from before this instance started, in the order in which they are stored. */
  pastEvents: readonly AuditEvent[];
  readonly rules: Rules;
  readonly directory: Directory;
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number;
  /** Writes to a task as another caller would, with its current version. */
  write(task: TaskRecord, body: UpdateAssignment): Promise<void>;
}

/** One way in which a region changes under its callers. */
export type Motion = {
  /** What happens, as a sentence in kebab case; permanent. */
  readonly id: string;
  /** What a caller sees of it, as a sentence. */
  readonly what: string;
} & (
  | { readonly when: 'now and then'; readonly change: (region: Region) => void | Promise<void> }
  | { readonly when: 'a task is read'; readonly change: (region: Region, task: TaskRecord) => void }
  | { readonly when: 'after a write'; readonly change: (region: Region, task: TaskRecord) => void }
  | { readonly when: 'always'; readonly lagging: 'tasks' | 'events' }
);

const hour = 60 * 60 * 1000;
const day = 24 * hour;

const eventMotions: readonly Motion[] = [
  {
    id: 'events-are-recorded',
    what: 'An event happens, and is recorded at once.',
    when: 'now and then',
    change: (region) => record(region, region.clock()),
  },
  {
    id: 'events-are-recorded-late',
    what: 'An event of the last six hours is recorded.',
    when: 'now and then',
    change: (region) => record(region, region.clock() - region.faker.number.int(6 * hour)),
  },
  {
    id: 'events-are-imported-into-past-days',
    what: 'One to three events of another system appear among those of a day of the past, some in the millisecond of another event.',
    when: 'now and then',
    change(region) {
      const { faker, pastEvents } = region;
      const imported = faker.helpers
        .arrayElements(pastEvents, { min: 1, max: 3 })
        .map((event, index) => ({
          ...event,
          id: faker.string.uuid(),
          at: index === 0 ? event.at : event.at - faker.number.int(day),
        }));
      region.pastEvents = [...pastEvents, ...imported].sort((one, other) => one.at - other.at);
    },
  },
  {
    id: 'old-events-are-purged',
    what: 'The oldest event goes, until half of the past is gone.',
    when: 'now and then',
    change(region) {
      const { pastEvents } = region;
      const most = mostPastEvents.get(region) ?? pastEvents.length;
      mostPastEvents.set(region, most);
      if (pastEvents.length > most / 2) region.pastEvents = pastEvents.slice(1);
    },
  },
  {
    id: 'people-are-pseudonymised-in-past-events',
    what: 'The id of a person is replaced by another one in all past events.',
    when: 'now and then',
    change(region) {
      const { faker, pastEvents } = region;
      if (pastEvents.length === 0) return;
      const person = faker.helpers.arrayElement(pastEvents).auditeeId;
      const pseudonym = faker.string.uuid();
      region.pastEvents = pastEvents.map((event) =>
        event.auditeeId === person ? { ...event, auditeeId: pseudonym } : event,
      );
    },
  },
  {
    id: 'past-events-get-another-tag',
    what: 'A past event gets a tag, or another one.',
    when: 'now and then',
    change(region) {
      const { faker, pastEvents } = region;
      const changed = faker.number.int({ max: Math.max(0, pastEvents.length - 1) });
      const tag = faker.helpers.arrayElement(['kyc', 'pep', 'reviewed', 'high risk']);
      region.pastEvents = pastEvents.map((event, index) =>
        index === changed ? { ...event, metadata: { ...event.metadata, tag } } : event,
      );
    },
  },
];

/** How many past events there were when the first one was purged. */
const mostPastEvents = new WeakMap<Region, number>();

/** Records an event like a past one. */
function record({ faker, pastEvents, store }: Region, at: number): void {
  if (pastEvents.length === 0) return;
  const { id: _, ...event } = faker.helpers.arrayElement(pastEvents);
  store.record({ ...event, at });
}

/** A field of a task that changes now and then: through somebody, with a new version, or by itself, without one. */
const changing = (
  id: string,
  what: string,
  version: 'new version' | 'same version',
  change: (region: Region, task: TaskRecord) => Partial<TaskRecord>,
): Motion => ({
  id,
  what,
  when: 'now and then',
  change(region) {
    const task = anyTask(region);
    const changed = { ...task, ...change(region, task) };
    if (version === 'new version') replaceByNewVersion(region, changed);
    else region.store.replaceTask(changed);
  },
});

const taskMotions: readonly Motion[] = [
  changing('tasks-are-renamed', 'A colleague renames a task.', 'new version', ({ faker }) =>
    faker.datatype.boolean()
      ? { name: faker.company.name() }
      : { c_name: faker.company.buzzPhrase() },
  ),
  changing(
    'tasks-are-edited',
    'A colleague changes the step of a task, its status, or what its custom_metadata contains.',
    'new version',
    ({ faker }) =>
      faker.helpers.arrayElement<Partial<TaskRecord>>([
        { step_name: faker.company.buzzNoun() },
        { status: anyStatus(faker) },
        { custom_metadata: anyMetadata(faker) },
      ]),
  ),
  changing(
    'tasks-are-locked',
    'A colleague opens a task, which moves its locked_at to now.',
    'new version',
    ({ clock }) => ({ locked_at: clock() }),
  ),
  {
    id: 'tasks-are-assigned-by-colleagues',
    what: 'A colleague assigns a task or unassigns it, with all that follows: an event, email, a new version.',
    when: 'now and then',
    async change(region) {
      const { faker, directory } = region;
      const [, ...colleagues] = directory.users;
      const user = faker.helpers.arrayElement(colleagues);
      const team = faker.helpers.arrayElement(directory.teams);
      const by = {
        assigned_by_id: faker.helpers.arrayElement(colleagues).id,
        assignment_comment: faker.datatype.boolean() ? faker.lorem.sentence() : null,
      };
      const body = faker.helpers.arrayElement<UpdateAssignment>([
        { unassign: by },
        { update: { ...by, assigned_to_id: user.id, assigned_to_type: 'USER' } },
        { update: { ...by, assigned_to_id: team.id, assigned_to_type: 'TEAM' } },
      ]);
      await region.write(anyTask(region), body);
    },
  },
  {
    id: 'the-engine-moves-tasks-on-after-writes',
    what: 'A little after a write the task is in another step, at times with another status, and has a new version.',
    when: 'after a write',
    change(region, task) {
      const { faker } = region;
      const status = faker.datatype.boolean() ? { status: anyStatus(faker) } : {};
      replaceByNewVersion(region, { ...task, step_name: faker.company.buzzNoun(), ...status });
    },
  },
  {
    id: 'locks-are-refreshed-by-reads',
    what: 'Reading a task moves its locked_at to now, and changes nothing else.',
    when: 'a task is read',
    change: ({ store, clock }, task) => store.replaceTask({ ...task, locked_at: clock() }),
  },
  changing(
    'locks-move',
    'The locked_at of a task changes, and nothing else.',
    'same version',
    ({ clock }) => ({ locked_at: clock() }),
  ),
  changing(
    'data-versions-count-on',
    'The data_version of a task grows, and nothing else changes.',
    'same version',
    (_, task) => ({ data_version: task.data_version + 1 }),
  ),
  changing(
    'contents-of-custom-metadata-change',
    'What the custom_metadata of a task contains changes, and nothing else.',
    'same version',
    ({ faker }) => ({ custom_metadata: anyMetadata(faker) }),
  ),
  changing(
    'statuses-change',
    'The status of a task changes, and nothing else.',
    'same version',
    ({ faker }) => ({ status: anyStatus(faker) }),
  ),
];

function anyTask({ faker, store }: Region): TaskRecord {
  return faker.helpers.arrayElement([...store.tasks.values()]);
}

function replaceByNewVersion({ store, rules, clock }: Region, task: TaskRecord): void {
  const version = rules.newVersion(task.updated_at, clock(), rules.timestamp);
  store.replaceTask({ ...task, updated_at: version });
}

function anyStatus(faker: Faker): string {
  return faker.helpers.arrayElement(['INCOMPLETE', 'IN_REVIEW', 'ON_HOLD']);
}

function anyMetadata(faker: Faker): TaskRecord['custom_metadata'] {
  return { priority: faker.number.int(9), source: { channel: faker.word.noun() } };
}

const noError = { error_message: null, error_details: null, error_step: null, error_type: null };

const assessmentMotions: readonly Motion[] = [
  {
    id: 'assessments-change-state',
    what: 'An assessment gets another workflow_state, with or without an error, another outcome and another status.',
    when: 'now and then',
    change({ faker, store }) {
      const assessment = faker.helpers.arrayElement([...store.assessments.values()]);
      const state = faker.helpers.arrayElement<AssessmentRecord['workflow_state']>([
        'Active',
        'Cancelled',
        'Error',
      ]);
      const error = { ...noError, error_message: faker.lorem.sentence(), error_step: 2 };
      store.replaceAssessment({
        ...assessment,
        workflow_state: state,
        ...(state === 'Error' ? error : noError),
        outcome_id: faker.string.uuid(),
        status_id: faker.string.uuid(),
      });
    },
  },
];

const lags: readonly Motion[] = [
  {
    id: 'reads-lag-behind-writes',
    what: 'A task is read as it was a while ago; writes compare with what it is now.',
    when: 'always',
    lagging: 'tasks',
  },
  {
    id: 'exports-lag-behind',
    what: 'An export holds the events as they were stored a while ago.',
    when: 'always',
    lagging: 'events',
  },
];

/** Every motion, by what changes. */
export const motions = {
  events: eventMotions,
  tasks: taskMotions,
  assessments: assessmentMotions,
  lags,
} satisfies Readonly<Record<string, readonly Motion[]>>;

export const allMotions: readonly Motion[] = Object.values(motions).flat();
