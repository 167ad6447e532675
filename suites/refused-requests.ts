import { acceptingJson, bodyThatAssigns, type Caller, type RawUpdate } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { neighbour } from '../helpers/tasks/versions.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import type { InvalidForm, InvalidPart } from '../schemas/observations.ts';
import {
  isTimestamp,
  isUuidShaped,
  sameId,
  type Task,
  type UpdateAssignment,
} from '../schemas/resources.ts';
import { aNumber } from './answers.ts';
import { type KindOfKey, mayBeValid, nearKeys, withWrongKey, wrongKey } from './authentication.ts';
import {
  endingLike,
  invalidFormStatuses,
  nearTo,
  type Observed,
  startingLike,
  type WrongRequest,
} from './refusals.ts';

/*
 * Requests that must be refused, each wrong in one point, and leave the task as it is, as rows (Authentication; Errors: 404,
 * 409; 1. Update a task assignment). They are sent between the valid writes of sequences: the write that follows is
 * the same without what is wrong.
 */

/** What a refused request is made from. */
interface Situation {
  readonly world: World;
  readonly task: Task;
  /** The body of the valid write that follows, with another mark. */
  readonly body: UpdateAssignment;
  /** The body of the write before, where that was accepted. */
  readonly bodyBefore?: UpdateAssignment | undefined;
  /** The versions that the task has had, but for the current one; the latest first. */
  readonly old: readonly string[];
  /** Another task; undefined where there is none. */
  readonly aside?: Task | undefined;
  /** Makes a valid write to it. */
  readonly sendAside?: () => Promise<Answer | undefined>;
  /** An assessment that can be read: that of the task, where it can; undefined where none can. */
  readonly assessmentId?: string | undefined;
}

/** Moves, by what they do: first assignments are those of tasks that nobody has. */
export type Moves =
  | 'assignments'
  | 'unassignments'
  | 'first assignments'
  | 'assignments to teams'
  | 'assignments to oneself';

/** A request that must leave the task as it is. */
export interface Between extends WrongRequest {
  /** What it counts as beside moves and comments, all of which it meets. Left out: how things are compared is the same. */
  readonly kind?: 401 | 404 | 409 | 'without an id' | 'another task';
  /** The clause that it breaks if it changes the task; left out of a read. */
  readonly leaves?: JudgedClause;
  /** Whether it repeats the write before, of which a service may keep a copy for a moment: nothing else comes in between. */
  readonly isRepeat?: true;
  /** Whether it has an old version too, or none: it may be refused with 409. */
  readonly mayMismatch?: true;
  /** How a write is made that must not be carried out, as it completes “a write …”: `common` does so too then. */
  readonly how?: string;
  /** Before which moves it is sent once; where left out, before assignments, if it has no kind. */
  readonly once?: readonly Moves[];
  /** Sends the request. @returns its answer; undefined where the situation leaves none to send */
  readonly send: (situation: Situation) => Promise<Answer | undefined> | undefined;
}

/** Before which moves a request is sent where nobody has the task, and where somebody has. */
export const assigning = ['assignments', 'first assignments'] as const satisfies readonly Moves[];

const alsoUnassigning: Partial<Between> = { once: ['unassignments'] };

/** How things are compared is the same for assignments and unassignments; whether they are need not be. */
const both: Partial<Between> = { once: [...assigning, 'unassignments'] };

const everywhere: Partial<Between> = {
  once: [...assigning, 'assignments to teams', 'unassignments'],
};

/** Often enough for comments of all kinds. */
const oftenEverywhere: Partial<Between> = {
  once: [...assigning, ...assigning, ...assigning, 'assignments to teams', 'unassignments'],
};

/** A media type that a service may refuse for its parameter, and the statuses of such a refusal. */
export const withCharset = 'application/json; charset=utf-8';
const charsetStatuses: readonly number[] = [415, ...invalidFormStatuses];
/** Statuses by which a service may refuse a write for a charset, or for a body in chunks, whose length it is not told. */
export const unusualStatuses: readonly number[] = [411, ...charsetStatuses];

/** A service may check the form of an If-Match first, and find the request invalid. */
const noVersion: Partial<Between> = {
  common: 'a write with an If-Match that is no version',
  refused: {
    statuses: [409, ...invalidFormStatuses],
    clause: 'conflict.text-that-is-no-version-is-409',
    when: 'an If-Match that is no timestamp',
  },
};

/** Where what is sent besides an old version may be refused for its form. */
const formMayComeFirst: Partial<Between> = {
  refused: {
    statuses: [409, ...invalidFormStatuses],
    clause: 'conflict.differing-version-is-409',
  },
};

/** A write with an If-Match that is not the current version. @param of undefined where there is no such version */
const withVersion = (
  what: string,
  of: (situation: Situation) => string | undefined | Promise<string | undefined>,
  { contentType, ...more }: Partial<Between> & Pick<RawUpdate, 'contentType'> = {},
): Between => ({
  name: `a write with an If-Match ${what}`,
  cause: 'old version',
  common: 'a write with an If-Match that is not the current version',
  refused: { statuses: [409], clause: 'conflict.differing-version-is-409' },
  leaves: 'conflict.changes-nothing',
  async send(situation) {
    const { world, task, body } = situation;
    const ifMatch = await of(situation);
    // A version equal to the current one is not wrong; that versions should differ is a clause of its own.
    if (ifMatch === undefined || ifMatch === task.updated_at) return undefined;
    return world.api.update(task.id, { ifMatch, body, contentType });
  },
  ...more,
});

/** Sends the write before once more, to the letter: its version is old by now. */
function repeat({ world, task, old: [ifMatch], bodyBefore: body }: Situation, by: Caller = {}) {
  if (ifMatch === undefined || ifMatch === task.updated_at || !body) return undefined;
  return world.api.update(task.id, { ifMatch, body }, by);
}

const oneVersionOld = withVersion('one version old', ({ old }) => old[0], {
  kind: 409,
  ...alsoUnassigning,
});

/** Read right before: a service may heed the version that it gave last, whichever task that is of. */
const versionOfAnother = withVersion(
  'that is the updated_at of another task',
  async ({ world: { api }, aside }) =>
    aside && String((await api.task(aside.id)).object?.updated_at ?? aside.updated_at),
);

const wrongVersions: readonly Between[] = [
  oneVersionOld,
  withVersion('two versions old', ({ old }) => old[1], both),
  withVersion(
    'that was the first updated_at seen',
    ({ world, task }) => world.tasks.firstSeen(task).updated_at,
  ),
  // Whether a version in quotes is accepted is open; an old one is refused in quotes too.
  withVersion(
    'one version old, in quotes',
    ({ old: [old] }) => old && `"${old}"`,
    formMayComeFirst,
  ),
  {
    ...withVersion('one version old, to write the same again', ({ old }) => old[0]),
    isRepeat: true,
    send: (situation) => repeat(situation),
  },
  // As near as versions have digits, or others cannot come: a target that keeps seconds cannot tell milliseconds apart.
  withVersion('later than updated_at', ({ task }) => neighbour(task.updated_at, 'later')),
  withVersion(
    'one step earlier than updated_at',
    ({ task }) => neighbour(task.updated_at, 'earlier'),
    both,
  ),
  withVersion('that is created_at', ({ task: { created_at: created } }) =>
    typeof created === 'string' && isTimestamp(created) ? created : undefined,
  ),
  versionOfAnother,
  {
    ...versionOfAnother,
    name: `${versionOfAnother.name}, to write the same again`,
    isRepeat: true,
    send: ({ bodyBefore: body, ...situation }) =>
      body && versionOfAnother.send({ ...situation, body }),
  },
  withVersion('that is no timestamp', () => 'not-a-version', { ...noVersion, ...both }),
  withVersion(
    'that is its data_version',
    ({ task }) => String(task.data_version ?? 'none'),
    noVersion,
  ),
  withVersion(
    'that is the day of updated_at alone',
    ({ task }) => task.updated_at.slice(0, 10),
    noVersion,
  ),
  withVersion('that is updated_at with a 0 added', ({ task }) => `${task.updated_at}0`, noVersion),
];

/** The same write with an old version besides. */
const withOldVersion = (row: Between): Between => ({
  ...row,
  mayMismatch: true,
  send(situation) {
    const { task, old } = situation;
    const [version] = old;
    if (version === undefined) return undefined;
    return row.send({ ...situation, task: { ...task, updated_at: version } });
  },
});

/** A write with a wrong key; none is sent where that turns out to be the valid one. */
const writeWithKey = (kind: KindOfKey, more: Partial<Between> = {}): Between => ({
  ...withWrongKey(kind, 'update.needs-the-apikey'),
  leaves: 'auth.refusal-changes-nothing',
  send({ world, task: { id, updated_at: ifMatch }, body }) {
    const key = wrongKey(world, kind);
    if (key === undefined || mayBeValid(kind, key)) return undefined;
    return world.api.update(id, { ifMatch, body }, { key });
  },
  ...more,
});

const readWithKey = (kind: KindOfKey, more: Partial<Between>): Between => ({
  ...withWrongKey(kind, 'get-task.needs-the-apikey'),
  name: `a read with ${kind}`,
  send({ world, task }) {
    const key = wrongKey(world, kind);
    return key === undefined ? undefined : world.api.task(task.id, { key });
  },
  ...more,
});

const withoutValidKey: readonly Between[] = [
  writeWithKey('another key altogether', { kind: 401, ...alsoUnassigning }),
  writeWithKey('no key', oftenEverywhere),
  ...(['an empty key', ...nearKeys] as const).map((kind) => writeWithKey(kind, everywhere)),
  // A service that answers from its cache accepts it; another one may look at the version first.
  {
    ...withWrongKey('no key', 'update.needs-the-apikey'),
    name: 'the write before again, without the apikey header',
    refused: { statuses: [401, 409], clause: 'update.needs-the-apikey' },
    leaves: 'auth.refusal-changes-nothing',
    isRepeat: true,
    send: (situation) => repeat(situation, { key: null }),
  },
  readWithKey('another key altogether', { kind: 401 }),
  readWithKey('no key', everywhere),
];

/** An id that is as good as a fresh one, and the same each time: what is kept of a refusal shows at the next. */
function reversed(id: string): string {
  const digits = id.match(/[^-]/g) ?? [];
  return id.replace(/[^-]/g, () => digits.pop() ?? '');
}

const unknownTask = { cause: 'unknown task', common: 'an unknown id' } as const;

/** A write to an id that no task has. @param of undefined where there is no such id */
const writeTo = (
  what: string,
  of: (task: Task, fresh: string) => string | null | undefined,
  more: Partial<Between> = {},
): Between => ({
  name: `a write to ${what}`,
  ...unknownTask,
  refused: { statuses: [404], clause: 'update.unknown-task-is-404' },
  leaves: 'endpoints.refused-write-changes-nothing',
  send({ world: { api }, task, body }) {
    const id = of(task, reversed(task.id));
    const mayBeMalformed = more.refused !== undefined;
    if (!id || sameId(id, task.id) || !(mayBeMalformed || isUuidShaped(id))) return undefined;
    return api.update(id, { ifMatch: task.updated_at, body });
  },
  ...more,
});

/** An id that is not UUID-shaped may be refused for its form. */
const malformed: Pick<Between, 'refused'> = {
  refused: {
    statuses: [404, ...invalidFormStatuses],
    clause: 'update.unknown-task-is-404',
    when: 'a write to an id that is not UUID-shaped',
  },
};

/** Reads an id that should be unknown; undefined where another record has it. */
async function readUnknown(id: string, read: (id: string) => Promise<Answer>) {
  const answer = await read(id);
  return sameId(answer.object?.id, id) ? undefined : answer;
}

const toUnknownIds: readonly Between[] = [
  writeTo('a fresh id', (_, fresh) => fresh, { kind: 404, ...alsoUnassigning }),
  writeTo(
    'a fresh id that starts like a known one',
    ({ id }, fresh) => startingLike(id, fresh),
    both,
  ),
  writeTo('a fresh id that ends like a known one', ({ id }, fresh) => endingLike(id, fresh)),
  writeTo('a known id without its last character', ({ id }) => id.slice(0, -1), malformed),
  writeTo('a known id with an additional character', ({ id }) => `${id}0`, malformed),
  // A service may give records of two kinds the same id, which is a known one then.
  writeTo('the id of its assessment', ({ assessment_id: id }) => id),
  writeTo('the id of its entity', ({ entity_id: id }) => id),
  {
    name: 'a read of an unknown task',
    kind: 404,
    ...unknownTask,
    refused: { statuses: [404], clause: 'get-task.unknown-task-is-404' },
    send: ({ world, task }) => readUnknown(nearTo(task.id), (id) => world.api.task(id)),
  },
  {
    name: 'a read of a task by the id of its assessment',
    ...unknownTask,
    ...both,
    refused: { statuses: [404], clause: 'get-task.unknown-task-is-404' },
    send: ({ world, task: { assessment_id: id } }) =>
      id ? readUnknown(id, () => world.api.task(id)) : undefined,
  },
  {
    name: 'a read of an unknown assessment',
    kind: 404,
    send: ({ world, assessmentId = world.faker.string.uuid() }) =>
      readUnknown(nearTo(assessmentId), (id) => world.api.assessment(id)),
  },
];

/** What an invalid write is made from: a valid assignment and a valid unassignment. */
type ValidWrites = Readonly<Record<'update' | 'unassign', Readonly<Record<string, unknown>>>>;

/**
 * A write that is invalid in one point: whatever refuses it, it is not carried out.
 * @param how completes “a write …”: “without If-Match”. Does not say whether the write unassigns: its body does
 */
const invalidWrite = (
  how: string,
  write: 'update' | 'unassign',
  row: Pick<Between, 'cause' | 'common' | 'mayMismatch' | 'leaves' | 'observes' | 'once'>,
  make: (valid: ValidWrites) => Partial<RawUpdate> & Pick<RawUpdate, 'body'>,
): Between => ({
  how,
  name: `a write ${how}`,
  once: write === 'update' ? assigning : ['unassignments'],
  ...row,
  send({ world, task, body }) {
    const { users, user, anotherUser, actor: by } = world;
    const remark = { by, comment: (body.update ?? body.unassign)?.assignment_comment };
    const to = users.length > 1 ? anotherUser(task) : user();
    const { update = {} } = bodyThatAssigns(to, remark);
    const { unassign = {} } = bodyThatAssigns(null, remark);
    const invalid = { ifMatch: task.updated_at, ...make({ update, unassign }) };
    return world.api.update(task.id, invalid);
  },
});

/** An assignment and an unassignment, in this order, without a version: `ifMatch` is null (no header) or empty. */
const withoutVersion = (how: string, ifMatch: null | ''): Between[] =>
  (['update', 'unassign'] as const).map((write) => {
    const observes: Observed = {
      clause: 'update.missing-if-match-status',
      facts: ({ status }) => [{ write, ifMatch: ifMatch === null ? 'missing' : 'empty', status }],
    };
    const row = {
      leaves: 'update.needs-if-match',
      mayMismatch: true,
      cause: 'no If-Match',
      observes,
      ...(write === 'update' && ifMatch === null && oftenEverywhere),
    } as const;
    return invalidWrite(how, write, row, (valid) => ({ ifMatch, body: { [write]: valid[write] } }));
  });

/** A service may know no other version where a user takes a task. */
const withoutVersionBySelf: Between = {
  how: 'without If-Match, by who gets the task',
  name: 'a write without If-Match, by who gets the task',
  leaves: 'update.needs-if-match',
  mayMismatch: true,
  cause: 'no If-Match',
  once: ['assignments to oneself'],
  send: ({ world, task: { id }, body }) => world.api.update(id, { ifMatch: null, body }),
};

/** The fact with which status a write is refused of whose body this part is invalid. */
const statusOf = (part: InvalidPart, is: InvalidForm): Observed => ({
  clause: 'update.refused-body-status',
  facts: ({ status }) => [{ part, is, status }],
});

/** What the writes of a clause have in common, where the first of them does not say it. */
const commonOf: { readonly [Id in JudgedClause]?: string } = {
  'update.field-types': 'with a field of a wrong type',
  'update.body-is-a-json-object': 'whose body is no JSON object',
};

/** A write with the current version and an invalid body. */
const invalidBody = (
  leaves: JudgedClause,
  part: InvalidPart,
  is: InvalidForm,
  body: (valid: ValidWrites) => unknown,
): Between => {
  const common = commonOf[leaves];
  const observes = statusOf(part, is);
  return invalidWrite(
    `whose ${part.replace(/^(?:update|unassign)\./, '')} is ${is}`,
    part.startsWith('unassign') ? 'unassign' : 'update',
    { leaves, cause: 'invalid body', observes, ...(common && { common }) },
    (valid) => ({ body: body(valid) }),
  );
};

/** A write with this value in the field `part`, such as `update.assigned_by_id`; undefined leaves the field out. */
const field = (
  clause: JudgedClause,
  part: Extract<InvalidPart, `${string}.${string}`>,
  is: InvalidForm,
  value: unknown,
): Between => {
  // The cast: the name of each of these parts is an object of the body, a dot, and a field.
  const [write, name] = part.split('.') as ['update' | 'unassign', string];
  return invalidBody(clause, part, is, (valid) => ({
    [write]: { ...valid[write], [name]: value },
  }));
};

const noJsonObject = (is: InvalidForm, make: (valid: ValidWrites) => unknown): Between =>
  invalidBody('update.body-is-a-json-object', 'body', is, make);

const invalid: readonly Between[] = [
  ...withoutVersion('without If-Match', null),
  ...withoutVersion('with an empty If-Match', ''),
  withoutVersionBySelf,
  field('update.needs-assigned-by-id', 'update.assigned_by_id', 'missing', undefined),
  field('update.needs-assigned-to-id', 'update.assigned_to_id', 'missing', undefined),
  field('update.needs-assigned-to-type', 'update.assigned_to_type', 'missing', undefined),
  field('unassign.needs-assigned-by-id', 'unassign.assigned_by_id', 'missing', undefined),
  field('update.assigned-to-type-values', 'update.assigned_to_type', 'an unknown value', 'GROUP'),
  field('update.assigned-to-type-values', 'update.assigned_to_type', 'in lower case', 'user'),
  field('update.assigned-to-type-values', 'update.assigned_to_type', 'empty', ''),
  field('update.field-types', 'update.assigned_by_id', 'a number', aNumber),
  field('update.field-types', 'update.assigned_by_id', 'null', null),
  field('update.field-types', 'update.assigned_to_id', 'a number', aNumber),
  field('update.field-types', 'update.assigned_to_id', 'null', null),
  field('update.field-types', 'update.assigned_to_type', 'a number', 1),
  field('update.field-types', 'update.assigned_to_type', 'null', null),
  field('update.field-types', 'update.assignment_comment', 'a number', aNumber),
  field('update.field-types', 'update.assignment_comment', 'an object', { text: 'x' }),
  // Not a number: where it is read as a text, an unassigned task shows nothing of it.
  field('update.field-types', 'unassign.assigned_by_id', 'an object', { id: 'x' }),
  field('update.field-types', 'unassign.assignment_comment', 'a list', ['x']),
  noJsonObject('empty', () => ''),
  noJsonObject('broken JSON', () => '{"unassign": {"assigned_by_id": "x"}'),
  // Serialized twice: what is sent is a JSON string that holds the valid body.
  noJsonObject('a string', ({ update: valid }) =>
    JSON.stringify(JSON.stringify({ update: valid })),
  ),
  noJsonObject('a list', ({ update: valid }) => [{ update: valid }]),
  invalidBody('update.body-is-a-json-object', 'update', 'a string', () => ({ update: 'USER' })),
  // Wrong in two points at once: the status shows which of them is checked first.
  invalidWrite(
    'without update.assigned_by_id and with an old version',
    'update',
    {
      leaves: 'endpoints.refused-write-changes-nothing',
      mayMismatch: true,
      observes: statusOf('update.assigned_by_id', 'missing, with an old version'),
    },
    ({ update }) => ({
      ifMatch: '2000-01-01T00:00:00.000Z',
      body: { update: { ...update, assigned_by_id: undefined } },
    }),
  ),
];

/** What is no refusal is judged with the other writes; here it must leave this task as it is. */
const asideWritten: Between = {
  name: 'a write to another task',
  kind: 'another task',
  leaves: 'update.keeps-other-tasks',
  send: ({ sendAside }) => sendAside?.(),
};

/** Valid reads, right after a write and right before the next: they change nothing. */
export const taskRead: Between = {
  name: 'a read',
  leaves: 'get-task.changes-nothing',
  once: [],
  send: ({ world, task }) => world.api.task(task.id),
};

export const assessmentRead: Between = {
  name: 'a read of its assessment',
  leaves: 'get-assessment.changes-nothing',
  once: [],
  send: ({ world, assessmentId: id }) =>
    id === undefined ? undefined : world.api.assessment(id, acceptingJson),
};

const withoutId: Between = {
  name: 'a write without a required id',
  kind: 'without an id',
  leaves: 'update.needs-assigned-to-id',
  send({ world, task: { id, updated_at: ifMatch }, body: { update, unassign } }) {
    // Where it is carried out, an empty comment shows in place of the one before.
    const empty = { assignment_comment: (update ?? unassign)?.assignment_comment ?? '' };
    const body = update
      ? { update: { ...update, ...empty, assigned_to_id: undefined } }
      : { unassign: { ...unassign, ...empty, assigned_by_id: undefined } };
    return world.api.update(id, { ifMatch, body });
  },
};

/** A write to an id near a known one; another task may have it, and be somebody else's: then nothing is written. */
function writeToNear(what: string, more: Partial<Between> = {}): Between {
  const write = writeTo(what, ({ id }) => nearTo(id), more);
  return {
    ...write,
    async send(situation) {
      const { task, world } = situation;
      const near = await readUnknown(nearTo(task.id), (id) => world.api.task(id));
      return near?.status === 404 ? await write.send(situation) : undefined;
    },
  };
}

/** What a service may overlook beside another kind of write, or another header. */
const overlooked: readonly Between[] = [
  // A service may refuse a media type with a parameter; where it does not, it looks at the version all the same.
  withVersion('one version old, and a charset in its Content-Type', ({ old }) => old[0], {
    contentType: withCharset,
    refused: {
      statuses: [409, ...charsetStatuses],
      clause: 'conflict.differing-version-is-409',
    },
  }),
  withOldVersion(writeToNear('an id near a known one, with an old version')),
  withOldVersion(
    writeWithKey('the key with its last character changed', {
      name: 'a write with an old version, and the key with its last character changed',
    }),
  ),
  writeToNear('an id near a known one', both),
  {
    ...unknownTask,
    name: 'a read of an unknown id that was written to',
    refused: { statuses: [404], clause: 'get-task.unknown-task-is-404' },
    send({ world, task }) {
      const id = reversed(task.id);
      return isUuidShaped(id) ? world.api.task(id) : undefined;
    },
  },
  // It may be refused for its comment.
  {
    ...withVersion('one version old, and an empty comment', ({ old }) => old[0], formMayComeFirst),
    send: ({ body: { update }, ...situation }) =>
      update &&
      oneVersionOld.send({ ...situation, body: { update: { ...update, assignment_comment: '' } } }),
  },
];

/** In an order in which sequences bring most of them together. */
export const refusedRequests: readonly Between[] = [
  asideWritten,
  withoutId,
  ...wrongVersions,
  ...toUnknownIds,
  ...withoutValidKey,
  ...invalid,
  ...overlooked,
  taskRead,
  assessmentRead,
];

/** Whether a request of a kind is a write that is refused: several can be sent before one valid write. */
export const isRefusable = ({ kind, leaves }: Between): boolean =>
  kind !== undefined && kind !== 'another task' && leaves !== undefined;

/** Each sends a write that is to be refused, for a cause of its own, made from a valid one. @returns as `send` of a row */
export const refusedWrites = refusedRequests
  .filter(isRefusable)
  .map(({ send }) => async (world: World, task: Task, body: UpdateAssignment) => {
    const old = [neighbour(task.updated_at, 'earlier') ?? 'not-a-version'];
    return await send({ world, task, body, old });
  });
