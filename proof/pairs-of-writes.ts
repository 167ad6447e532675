import { isDeepStrictEqual } from 'node:util';
import type {
  AssignmentRecord,
  AuditEvent,
  JsonObject,
  Person,
  TaskRecord,
} from '../reference/records.ts';
import type { RefusalCause } from '../reference/request.ts';
import type { Change } from '../reference/rules/assignment.ts';
import type { Directory } from '../reference/rules/notification.ts';
import { defaultRules, type Rules } from '../reference/rules.ts';
import type { UpdateAssignment } from '../schemas/resources.ts';
import type { Pair } from './pairs-of-exports.ts';

/*
 * Faults of writes that nobody has thought of: what a write may be like, and what may go wrong in it, each with each. Where
 * many of one row or column are not found, a step is missing in `suites/sequence-plan.ts`.
 */

/** A write, and what came before it. */
interface Write {
  readonly change: Change;
  /** The task as it was. */
  readonly earlier: TaskRecord;
  /** How the write of the task before it ended. */
  readonly last: 'none' | 'carried out' | RefusalCause;
  /** Whether the task was read since. */
  readonly isRead: boolean;
  /** How many writes of the task, and of others, were carried out before it. */
  readonly writes: number;
  readonly otherWrites: number;
  readonly contentType: string;
}

type Likeness = (write: Write) => boolean;

const typeOf = ({ change }: Write) =>
  change.kind === 'update' ? change.to.assigned_to_type : undefined;
const before = ({ earlier }: Write) => earlier.assignment;
const textOf = ({ change: { comment } }: Write) => comment ?? '';
const idOf = ({ change }: Write) =>
  change.kind === 'update' ? change.to.assigned_to_id : undefined;

const likenesses: Readonly<Record<string, Likeness>> = {
  'to a user': (write) => typeOf(write) === 'USER',
  'to a team': (write) => typeOf(write) === 'TEAM',
  unassign: ({ change }) => change.kind === 'unassign',
  'from nobody': (write) => before(write) === null,
  'from a user': (write) => before(write)?.assigned_to_type === 'USER',
  'from a team': (write) => before(write)?.assigned_to_type === 'TEAM',
  'from a user to a team': (write) =>
    before(write)?.assigned_to_type === 'USER' && typeOf(write) === 'TEAM',
  'from a team to a user': (write) =>
    before(write)?.assigned_to_type === 'TEAM' && typeOf(write) === 'USER',
  'to the same again': (write) => before(write)?.assigned_to_id === idOf(write),
  'to oneself': (write) => idOf(write) === write.change.by,
  'by another than before': (write) =>
    before(write) !== null && before(write)?.assigned_by_id !== write.change.by,
  'by the same as before': (write) => before(write)?.assigned_by_id === write.change.by,
  'no comment': ({ change }) => change.comment === undefined,
  'comment null': ({ change }) => change.comment === null,
  'an empty comment': ({ change }) => change.comment === '',
  'a comment': (write) => textOf(write) !== '',
  'a long comment': (write) => textOf(write).length > 255,
  'a comment of several lines': (write) => textOf(write).includes('\n'),
  'a comment beyond ASCII': (write) => /[^\n\r\t -~]/.test(textOf(write)),
  'a comment after none': (write) =>
    textOf(write) !== '' && before(write) !== null && !before(write)?.assignment_comment,
  'none after a comment': (write) => textOf(write) === '' && !!before(write)?.assignment_comment,
  'another comment than before': (write) =>
    textOf(write) !== '' &&
    ![undefined, null, textOf(write)].includes(before(write)?.assignment_comment),
  'a comment that begins with a digit': (write) => /^\d/.test(textOf(write)),
  'a long comment to a team': (write) => typeOf(write) === 'TEAM' && textOf(write).length > 255,
  'a comment of several lines to a team': (write) =>
    typeOf(write) === 'TEAM' && textOf(write).includes('\n'),
  'a charset': ({ contentType }) => contentType.includes('charset'),
  'after a 401': ({ last }) => last === 'unauthorized',
  'after a 409': ({ last }) => last === 'version-mismatch',
  'after an invalid one': ({ last }) => last === 'invalid-body',
  'after one without a read': ({ last, isRead }) => last === 'carried out' && !isRead,
  'the first of its task': ({ writes }) => writes === 0,
  'the second of its task': ({ writes }) => writes === 1,
  'the fifth of its task': ({ writes }) => writes === 4,
  'after one of another task': ({ otherWrites }) => otherWrites > 0,
};

/** What may go wrong in a write: what is right at each step, and what comes in its place. */
interface Mishap {
  readonly kept?: (right: AssignmentRecord, write: Write) => AssignmentRecord | null;
  readonly task?: (right: TaskRecord, write: Write) => TaskRecord;
  readonly answer?: (right: TaskRecord, write: Write) => TaskRecord;
  readonly event?: (
    right: Omit<AuditEvent, 'id'>,
    write: Write,
  ) => Omit<AuditEvent, 'id'> | undefined;
  readonly people?: (right: readonly Person[], write: Write, all: Directory) => readonly Person[];
  /** What the first read after it shows. */
  readonly read?: (right: JsonObject) => JsonObject;
  readonly isRefused?: true;
  /** Which other versions than the current one count. */
  readonly accepts?: (given: string, earlier: readonly string[]) => boolean;
}

const inAnswer = (wrong: (right: AssignmentRecord, write: Write) => object): Mishap => ({
  answer: (right, write) =>
    right.assignment === null
      ? right
      : { ...right, assignment: { ...right.assignment, ...wrong(right.assignment, write) } },
});

const mishaps: Readonly<Record<string, Mishap>> = {
  'its comment is lost': { kept: (right) => ({ ...right, assignment_comment: null }) },
  'its comment is cut': {
    kept: (right) => ({
      ...right,
      assignment_comment: right.assignment_comment?.slice(0, -1) ?? null,
    }),
  },
  'the comment before stays': {
    kept: (right, write) => ({
      ...right,
      assignment_comment: before(write)?.assignment_comment ?? right.assignment_comment,
    }),
  },
  'who assigned before stays': {
    kept: (right, write) => ({
      ...right,
      assigned_by_id: before(write)?.assigned_by_id ?? right.assigned_by_id,
    }),
  },
  'its type is the one before': {
    kept: (right, write) => ({
      ...right,
      assigned_to_type: before(write)?.assigned_to_type ?? right.assigned_to_type,
    }),
  },
  'nothing is assigned': { kept: (_, write) => before(write) },
  'another field is lost': { task: (right) => ({ ...right, entity_id: right.id }) },
  'the version stays': {
    task: (right, { earlier }) => ({ ...right, updated_at: earlier.updated_at }),
  },
  'the answer shows the task before': { answer: (_, { earlier }) => earlier },
  'the answer shows the version before': {
    answer: (right, { earlier }) => ({ ...right, updated_at: earlier.updated_at }),
  },
  'the answer shows no comment': inAnswer(() => ({ assignment_comment: null })),
  'the answer shows who assigned before': inAnswer((right, write) => ({
    assigned_by_id: before(write)?.assigned_by_id ?? right.assigned_by_id,
  })),
  'the first read shows no assignment': { read: (right) => ({ ...right, assignment: null }) },
  'the first read shows an older version': {
    read: (right) => ({ ...right, updated_at: right.created_at }),
  },
  'its comment is not recorded': { event: (right) => (right.comment ? undefined : right) },
  'its comment is recorded empty': { event: (right) => ({ ...right, comment: null }) },
  'its recorded comment is cut': {
    event: (right) => ({ ...right, comment: right.comment?.slice(0, -1) ?? null }),
  },
  'it is recorded by somebody else': {
    event: (right, { earlier }) => ({ ...right, auditeeId: earlier.entity_id }),
  },
  'it is recorded a day early': { event: (right) => ({ ...right, at: right.at - 86_400_000 }) },
  'its comment is recorded of no task': {
    event: (right) => (right.comment ? { ...right, metadata: {} } : right),
  },
  'nobody gets email': { people: () => [] },
  'who had it gets email': {
    people: (right, write, { users }) => {
      const had = users.filter(({ id }) => id === before(write)?.assigned_to_id);
      return right.length === 0 ? right : [...new Set([...right, ...had])];
    },
  },
  'it is refused': { isRefused: true },
  'the version before counts': { accepts: (given, earlier) => given === earlier.at(-1) },
  'each earlier version counts': { accepts: (given, earlier) => earlier.includes(given) },
};

function pairOf(name: string, is: Likeness, mishap: Mishap): Pair {
  const written: string[] = [];
  const last = new Map<string, Write['last']>();
  /** Tasks that were not read since they were written to, and those of them of which the first read goes wrong. */
  const unread = new Set<unknown>();
  const wrongAtFirst = new Set<unknown>();
  let contentType = '';
  let body: unknown;
  let earlier: TaskRecord;
  let meant: Write | undefined;
  let wrong = 0;
  const meantBy = (change: Change): Write | undefined => {
    const { id } = earlier;
    const writes = written.filter((one) => one === id).length;
    const write: Write = {
      change,
      earlier,
      last: last.get(id) ?? 'none',
      isRead: !unread.has(id),
      writes,
      otherWrites: written.length - writes,
      contentType,
    };
    return is(write) ? write : undefined;
  };
  /** What comes in place of what is right, where the write is meant. */
  const put = <T>(right: T, given: T): T => {
    if (isDeepStrictEqual(right, given)) return right;
    wrong += 1;
    return given;
  };
  const rules: Partial<Rules> = {
    mediaTypeProblem(type) {
      contentType = type ?? '';
      return defaultRules.mediaTypeProblem(type);
    },
    bodyProblem(value) {
      body = value;
      return defaultRules.bodyProblem(value);
    },
    findTask(id, storage) {
      const task = defaultRules.findTask(id, storage);
      if (task) earlier = task;
      return task;
    },
    versionMatches(given, versions, change) {
      const isRight = defaultRules.versionMatches(given, versions, change);
      const counts = !isRight && change && mishap.accepts?.(given, versions.earlier);
      if (!counts || !meantBy(changeOf(body))) return isRight;
      wrong += 1;
      return true;
    },
    isStillTheSame(compared, current, kind) {
      earlier = current;
      const isRight = defaultRules.isStillTheSame(compared, current, kind);
      if (!mishap.isRefused || !isRight || !meantBy(changeOf(body))) return isRight;
      wrong += 1;
      return false;
    },
    newAssignment(change, comment, assignment) {
      const right = defaultRules.newAssignment(change, comment, assignment);
      meant = meantBy(change);
      return meant && right && mishap.kept ? put(right, mishap.kept(right, meant)) : right;
    },
    otherFieldsAfterWrite: (right) =>
      meant && mishap.task ? put(right, mishap.task(right, meant)) : right,
    auditEvent(...given) {
      const right = defaultRules.auditEvent(...given);
      return meant && right && mishap.event ? put(right, mishap.event(right, meant)) : right;
    },
    peopleToNotify(notice, directory) {
      const right = defaultRules.peopleToNotify(notice, directory);
      return meant && mishap.people ? put(right, mishap.people(right, meant, directory)) : right;
    },
    taskInAnswer(right) {
      written.push(right.id);
      last.set(right.id, 'carried out');
      unread.add(right.id);
      wrongAtFirst.delete(right.id);
      if (meant) wrongAtFirst.add(right.id);
      return meant && mishap.answer ? put(right, mishap.answer(right, meant)) : right;
    },
    taskAfterRefusal(task, { cause }) {
      last.set(task.id, cause);
      return task;
    },
    presentTask(right, shownIn) {
      if (shownIn === 'write') return right;
      unread.delete(right.id);
      return wrongAtFirst.delete(right.id) && mishap.read ? put(right, mishap.read(right)) : right;
    },
  };
  return { name, rules, count: () => wrong };
}

/** What a right body asks for. */
function changeOf(body: unknown): Change {
  const { update, unassign } = body as Partial<Pick<UpdateAssignment, 'update' | 'unassign'>>;
  const { assigned_by_id: by = '', assignment_comment: comment } = update ?? unassign ?? {};
  return update ? { kind: 'update', to: update, by, comment } : { kind: 'unassign', by, comment };
}

/** Each likeness with each mishap. */
export const pairsOfWrites: readonly Pair[] = Object.entries(likenesses).flatMap(([of, is]) =>
  Object.entries(mishaps).map(([what, mishap]) => pairOf(`${of}: ${what}`, is, mishap)),
);
