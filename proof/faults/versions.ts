import { isDeepStrictEqual } from 'node:util';
import { bodyRules } from '../../reference/rules/body.ts';
import { isTimestamp } from '../../schemas/resources.ts';
import { type Fault, fault, isObject, refusedWith, table, type Wire } from './fault.ts';

const differing = 'conflict.differing-version-is-409';
const noVersion = 'conflict.text-that-is-no-version-is-409';
const mismatch = [differing, noVersion, 'conflict.one-of-simultaneous-writes-wins'] as const;

/** Gives writes that the test picks the version that the task has: however stale theirs is, it is accepted. */
const withTheCurrentVersion =
  (
    picks: (
      body: string,
      task: { assignment: unknown },
      headers: Readonly<Record<string, string>>,
    ) => boolean,
  ): Wire =>
  (handle) =>
  async (request) => {
    if (request.method !== 'PUT' || !('if-match' in request.headers)) return handle(request);
    const target = request.target.replace('/update-assignment', '');
    const read = await handle({ ...request, method: 'GET', target, body: '' });
    if (read.status !== 200) return handle(request);
    const task = JSON.parse(String(read.body));
    if (!picks(request.body, task, request.headers)) return handle(request);
    const { updated_at: version } = task;
    return handle({ ...request, headers: { ...request.headers, 'if-match': version } });
  };

/** Gives writes whose version is that of the task that was read last, whichever that is, the version that their task has. */
const withTheVersionReadLast: Wire = (handle) => {
  let last: unknown;
  const picky = withTheCurrentVersion((_body, _task, headers) => headers['if-match'] === last)(
    handle,
  );
  return async (request) => {
    const response = await picky(request);
    const task = request.method === 'GET' ? bodyRules.readBody(String(response.body)) : undefined;
    if (isObject(task)) last = task.updated_at;
    return response;
  };
};

/** The same for writes with the version of any task, which say what their task already says. */
const withAnyVersionToSayTheSame: Wire = (handle) => {
  const versions = new Map<string, unknown>();
  const picky = withTheCurrentVersion(
    (body, task, headers) =>
      saysTheSame(body, task) && [...versions.values()].includes(headers['if-match']),
  )(handle);
  return async (request) => {
    const response = await picky(request);
    const task = bodyRules.readBody(String(response.body));
    if (isObject(task) && task.updated_at) versions.set(String(task.id), task.updated_at);
    return response;
  };
};

/** A write that says what the task already says. */
function saysTheSame(body: string, { assignment }: { assignment: unknown }): boolean {
  try {
    const { assignment_comment = null, ...update } = JSON.parse(body).update;
    const said = { ...update, assignment_comment };
    return Object.entries(assignment ?? {}).every(([name, value]) => said[name] === value);
  } catch {
    return false;
  }
}

/** With digits behind the milliseconds that differ from one instant to the next. */
const inMicroseconds = (at: number): string =>
  new Date(at).toISOString().replace('Z', `${String(Math.round(at) % 97).padStart(2, '0')}7Z`);

/** A text that is no version, or an empty one, is accepted too, where one is sent with such a body. */
const anyStale = { breaks: [differing], mayBreak: [noVersion, 'update.needs-if-match'] } as const;

/** A stale version accepted, or refused wrongly. */
const stale: readonly Fault[] = [
  fault(
    'a-stale-version-is-accepted-where-nobody-has-the-task',
    { ...anyStale, mayBreak: [...anyStale.mayBreak, 'auth.is-checked-before-the-request'] },
    withTheCurrentVersion((_, { assignment }) => assignment === null),
  ),
  fault(
    'a-stale-version-is-accepted-beside-a-charset',
    [differing],
    withTheCurrentVersion((_body, _task, headers) => /charset/.test(headers['content-type'] ?? '')),
  ),
  fault('the-version-of-the-task-read-last-is-accepted', anyStale, withTheVersionReadLast),
  fault(
    'the-version-of-another-task-is-accepted-where-nothing-would-change',
    [differing],
    withAnyVersionToSayTheSame,
  ),
  fault(
    'an-unknown-task-is-looked-for-after-the-version',
    ['update.unknown-task-is-404'],
    (handle) => {
      const current = new Map<string, unknown>();
      return async (request) => {
        const response = await handle(request);
        const task = bodyRules.readBody(String(response.body));
        if (isObject(task) && task.updated_at) current.set(String(task.id), task.updated_at);
        const isOld = ![...current.values()].includes(request.headers['if-match']);
        const isMeant = request.method === 'PUT' && response.status === 404 && isOld;
        return isMeant ? { ...response, status: 409 } : response;
      };
    },
  ),
  ...table(fault, anyStale, {
    'a-stale-version-is-accepted-with-a-null-comment': withTheCurrentVersion((body) =>
      body.includes('"assignment_comment":null'),
    ),
    'a-stale-version-is-accepted-without-a-comment': withTheCurrentVersion(
      (body) => !body.includes('"assignment_comment"'),
    ),
  }),
  fault('data-version-is-accepted-as-the-version', [noVersion], (handle) => async (request) => {
    const given = request.headers['if-match'];
    if (request.method !== 'PUT' || given === undefined) return handle(request);
    const target = request.target.replace('/update-assignment', '');
    const read = await handle({ ...request, method: 'GET', target, body: '' });
    const task = bodyRules.readBody(String(read.body));
    if (!isObject(task) || given !== String(task.data_version)) return handle(request);
    return handle({
      ...request,
      headers: { ...request.headers, 'if-match': String(task.updated_at) },
    });
  }),
  fault('the-version-is-not-compared', [differing, noVersion, 'update.needs-if-match'], {
    versionMatches: () => true,
  }),
  ...table(fault, [differing], {
    'a-version-one-step-old-is-accepted': {
      versionMatches: (given, { current, earlier }) =>
        given === current || given === earlier.at(-1),
    },
    'a-version-two-steps-old-is-accepted': {
      versionMatches: (given, { current, earlier }) =>
        given === current || given === earlier.at(-2),
    },
    'an-assignment-with-a-version-two-steps-old-is-carried-out': {
      versionMatches: (given, { current, earlier }, change) =>
        given === current || (change === 'update' && given === earlier.at(-2)),
    },
    'the-first-version-stays-accepted': {
      versionMatches: (given, { current, earlier }) => given === current || given === earlier[0],
    },
    'any-earlier-version-is-accepted': {
      versionMatches: (given, { current, earlier }) => given === current || earlier.includes(given),
    },
  }),
  fault('any-instant-before-the-version-is-accepted', [differing, noVersion], {
    versionMatches: (given, { current }) => Date.parse(given) <= Date.parse(current),
  }),
  // To some programs a number, as data_version is one, is a year.
  fault(
    'any-instant-after-the-version-is-accepted',
    { breaks: [differing], mayBreak: [noVersion] },
    {
      versionMatches: (given, { current }) => Date.parse(given) >= Date.parse(current),
    },
  ),
  ...table(fault, [differing, noVersion], {
    'versions-are-compared-to-the-second': {
      versionMatches: (given, { current }) => given.slice(0, 19) === current.slice(0, 19),
    },
    'versions-are-compared-to-the-hundredth-of-a-second': {
      versionMatches: (given, { current }) => given.slice(0, 22) === current.slice(0, 22),
    },
    'versions-are-compared-as-whole-numbers': {
      versionMatches: (given, { current }) =>
        Number.parseInt(given, 10) === Number.parseInt(current, 10),
    },
  }),
  ...table(fault, [noVersion], {
    'the-beginning-of-the-version-is-accepted': {
      versionMatches: (given, { current }) => given !== '' && current.startsWith(given),
    },
    'a-version-with-more-behind-it-is-accepted': {
      versionMatches: (given, { current }) => given.startsWith(current),
    },
  }),
  fault('an-empty-version-is-accepted', ['update.needs-if-match'], {
    versionMatches: (given, { current }) => given === current || given === '',
  }),
  ...table(fault, [differing], {
    'the-version-of-any-task-is-accepted': (handle) => {
      const shown = new Map<string, string>();
      return async (request) => {
        const { method, target, headers } = request;
        const path = target.replace('/update-assignment', '');
        const ofAnother = [...shown].some(
          ([other, version]) => other !== path && version === headers['if-match'],
        );
        const current = ofAnother && method === 'PUT' ? shown.get(path) : undefined;
        const right = current === undefined ? {} : { 'if-match': current };
        const answer = await handle({ ...request, headers: { ...headers, ...right } });
        const task = bodyRules.readBody(String(answer.body));
        if (isObject(task) && typeof task.updated_at === 'string') {
          shown.set(path, task.updated_at);
        }
        return answer;
      };
    },
    'versions-a-millisecond-apart-count-as-equal': {
      versionMatches: (given, { current }) =>
        Math.abs(Date.parse(given) - Date.parse(current)) <= 1,
    },
  }),
  fault(
    'versions-written-in-microseconds-are-compared-to-the-millisecond',
    {
      breaks: [differing],
      // An additional character is an additional digit here.
      mayBreak: [noVersion],
    },
    {
      timestamp: inMicroseconds,
      versionMatches: (given, { current }) => given.slice(0, 23) === current.slice(0, 23),
    },
  ),
  fault(
    'versions-written-in-microseconds-are-compared-as-floating-point-numbers',
    { breaks: [differing], mayBreak: [noVersion] },
    {
      timestamp: inMicroseconds,
      // Seconds since 1970, to the hundred-thousandth.
      versionMatches: (given, { current }) => given.slice(0, 25) === current.slice(0, 25),
    },
  ),
  ...table(fault, [differing, noVersion, 'update.needs-if-match'], {
    'the-version-is-not-compared-on-unassign': {
      versionMatches: (given, { current }, change) => change === 'unassign' || given === current,
    },
    'the-version-is-compared-on-unassign-only': {
      versionMatches: (given, { current }, change) => change !== 'unassign' || given === current,
    },
  }),
  fault(
    'an-if-match-that-is-no-timestamp-is-ignored',
    // An old version in quotes is no timestamp either.
    [differing, noVersion, 'update.needs-if-match'],
    { versionMatches: (given, { current }) => given === current || !isTimestamp(given) },
  ),
  ...[404, 412].map((status) =>
    fault(`an-if-match-that-is-no-timestamp-is-${status}`, [noVersion], {
      ifMatchProblem: (header) =>
        header !== undefined && isTimestamp(header.replaceAll('"', '')) ? 'none' : status,
    }),
  ),
  // Whatever its task has been refused before: another task shows nothing of it.
  fault(
    'a-stale-version-is-answered-with-500-where-a-task-has-no-custom-metadata',
    { breaks: [differing], mayBreak: [noVersion] },
    (handle) => async (request) => {
      const response = await handle(request);
      if (response.status !== 409) return response;
      const target = request.target.replace('/update-assignment', '');
      const read = await handle({ ...request, method: 'GET', target, body: '' });
      const { custom_metadata: metadata } = JSON.parse(String(read.body));
      return metadata === null ? { ...response, status: 500 } : response;
    },
  ),
  fault('a-version-mismatch-is-412', mismatch, refusedWith('version-mismatch', 412)),
  fault(
    'a-version-mismatch-is-400',
    mismatch.filter((id) => id !== noVersion),
    refusedWith('version-mismatch', 400),
  ),
  fault('a-version-mismatch-is-answered-with-200', mismatch, refusedWith('version-mismatch', 200)),
  ...table(fault, anyStale, {
    'a-stale-version-is-accepted-for-a-team': withTheCurrentVersion((body) =>
      body.includes('"TEAM"'),
    ),
    'a-stale-version-is-accepted-where-nothing-would-change': withTheCurrentVersion(saysTheSame),
  }),
];

const newVersion = 'update.answers-with-a-new-version';
const updatedTask = 'update.answers-with-the-updated-task';
const stays = ['task.updated-at-changes-with-the-task', newVersion] as const;

/** A new updated_at that is not new, not the task's, or not accepted. */
const renewed: readonly Fault[] = [
  ...table(fault, stays, {
    'updated-at-never-changes': { newVersion: (previous) => previous },
    'updated-at-has-a-grain-of-a-second': {
      newVersion: (_previous, now) => Math.floor(now / 1000) * 1000,
    },
    'updated-at-stays-when-the-assignee-stays': {
      otherFieldsAfterWrite(task, earlier) {
        const stays = task.assignment?.assigned_to_id === earlier.assignment?.assigned_to_id;
        return stays ? { ...task, updated_at: earlier.updated_at } : task;
      },
    },
    'updated-at-stays-when-only-the-comment-changes': {
      otherFieldsAfterWrite(task, earlier) {
        const uncommented = { ...task.assignment, assignment_comment: null };
        const before = { ...earlier.assignment, assignment_comment: null };
        const onlyComment = task.assignment !== null && isDeepStrictEqual(uncommented, before);
        return onlyComment ? { ...task, updated_at: earlier.updated_at } : task;
      },
    },
    'updated-at-stays-on-unassign': {
      otherFieldsAfterWrite: (task, earlier) =>
        task.assignment ? task : { ...task, updated_at: earlier.updated_at },
    },
  }),
  fault(
    'updated-at-stays-where-a-user-takes-a-task-that-nobody-has',
    { breaks: stays },
    {
      otherFieldsAfterWrite(task, earlier) {
        const { assigned_by_id: by, assigned_to_id: to } = task.assignment ?? {};
        const isTaken = earlier.assignment === null && by !== undefined && by === to;
        return isTaken ? { ...task, updated_at: earlier.updated_at } : task;
      },
    },
  ),
  ...table(fault, [newVersion, updatedTask], {
    'a-write-answers-with-the-old-version': {
      taskInAnswer: (updated, earlier) => ({ ...updated, updated_at: earlier.updated_at }),
    },
    'an-unassign-answers-with-the-old-version': {
      taskInAnswer: (updated, earlier) =>
        updated.assignment ? updated : { ...updated, updated_at: earlier.updated_at },
    },
  }),
  fault('a-write-answers-with-a-version-a-millisecond-late', [updatedTask], {
    taskInAnswer: (updated) => ({ ...updated, updated_at: updated.updated_at + 1 }),
  }),
  fault('the-version-is-accepted-in-quotes-only', ['task.updated-at-is-the-version'], {
    versionMatches: (given, { current }) => given === `"${current}"`,
  }),
];

/** Versions that are compared wrongly, or do not change with the task (Versioning; Task; Errors: 409). */
export const versionFaults: readonly Fault[] = [...stale, ...renewed];
