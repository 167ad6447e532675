import type { TaskRecord } from '../../reference/records.ts';
import type { RefusalCause } from '../../reference/request.ts';
import type { Rules } from '../../reference/rules.ts';
import { type Fault, fault, isObject, someId, table, type Wire } from './fault.ts';

/** The value where it is text, and the other one where it is not. */
const textOr = <T>(other: T, value: unknown): string | T =>
  typeof value === 'string' ? value : other;

type Trace = (task: TaskRecord, body: unknown) => TaskRecord;

/** Leaves a trace of the writes that are refused for this cause. */
const afterRefusal = (cause: RefusalCause, trace: Trace): Partial<Rules> => ({
  taskAfterRefusal: (task, refusal, body) => (refusal.cause === cause ? trace(task, body) : task),
});

const touched: Trace = (task) => ({ ...task, updated_at: task.updated_at + 1 });
const unassigned: Trace = (task) => ({ ...task, assignment: null });

/** What the body asks for, as far as it can be read. */
const carriedOut: Trace = (task, body) => {
  const asked = isObject(body) && isObject(body.update) ? body.update : undefined;
  const assignment = asked
    ? ({
        assigned_by_id: textOr(someId, asked.assigned_by_id),
        assigned_to_id: textOr(someId, asked.assigned_to_id),
        assigned_to_type: asked.assigned_to_type === 'TEAM' ? 'TEAM' : 'USER',
        assignment_comment: textOr(null, asked.assignment_comment),
      } as const)
    : null;
  return { ...touched(task, body), assignment };
};

/** The comment of an assignment, as it is sent. */
const commentIn = (body: unknown): string | undefined =>
  isObject(body) && isObject(body.update)
    ? textOr(undefined, body.update.assignment_comment)
    : undefined;

const commented: Trace = (task, body) => {
  const { assignment } = carriedOut(task, body);
  if (!task.assignment || !assignment) return task;
  const { assignment_comment } = assignment;
  return { ...task, assignment: { ...task.assignment, assignment_comment } };
};

/** Takes the comment away where that of the write is empty. */
const emptied: Trace = (task, body) => (commentIn(body) === '' ? commented(task, body) : task);

/** Keeps the body of a write that was refused so, and carries it out when the next write to the task is refused otherwise. */
const carriedOutLater =
  (kept: number, then: number): Wire =>
  (handle) => {
    const waiting = new Map<string, string>();
    return async (request) => {
      const { target, method, headers, body } = request;
      const answer = await handle(request);
      if (method !== 'PUT') return answer;
      const waits = waiting.get(target);
      waiting.delete(target);
      if (answer.status === kept) waiting.set(target, body);
      if (answer.status !== then || waits === undefined) return answer;
      const read = await handle({
        ...request,
        method: 'GET',
        target: target.replace('/update-assignment', ''),
        body: '',
      });
      const { updated_at: version } = JSON.parse(String(read.body));
      await handle({ ...request, headers: { ...headers, 'if-match': version }, body: waits });
      return answer;
    };
  };

const afterMismatch = [
  'conflict.changes-nothing',
  'endpoints.refused-write-changes-nothing',
] as const;
/** Scenarios that hold a refused write among others show its trace too. */
const amongOtherWrites = [
  'conflict.one-of-simultaneous-writes-wins',
  'update.needs-if-match',
] as const;
const afterDenial = ['auth.refusal-changes-nothing'] as const;
const afterInvalid = [
  'endpoints.refused-write-changes-nothing',
  'update.needs-assigned-by-id',
  'update.needs-assigned-to-id',
  'update.needs-assigned-to-type',
  'update.assigned-to-type-values',
  'update.field-types',
  'update.body-is-a-json-object',
  'unassign.needs-assigned-by-id',
] as const;

/** Writes that are refused, and leave their traces all the same (Errors; Endpoints). */
export const refusedWriteFaults: readonly Fault[] = [
  ...table(
    fault,
    { breaks: afterMismatch, mayBreak: amongOtherWrites },
    {
      'a-write-refused-with-409-is-carried-out': afterRefusal('version-mismatch', carriedOut),
      'a-write-refused-with-409-keeps-its-comment': afterRefusal('version-mismatch', commented),
      'a-write-refused-with-409-moves-updated-at': afterRefusal('version-mismatch', touched),
      'a-write-refused-with-409-unassigns-the-task': afterRefusal('version-mismatch', unassigned),
    },
  ),
  fault(
    'a-write-refused-with-409-empties-the-comment-where-its-own-is-empty',
    { breaks: ['conflict.changes-nothing'], mayBreak: amongOtherWrites },
    afterRefusal('version-mismatch', emptied),
  ),
  ...table(fault, ['update.needs-if-match'], {
    'a-write-without-if-match-empties-the-comment-where-its-own-is-empty': afterRefusal(
      'missing-version',
      emptied,
    ),
    'a-write-without-if-match-is-carried-out-where-its-comment-has-white-space-around-it':
      afterRefusal('missing-version', (task, body) =>
        commentIn(body)?.trim() === commentIn(body) ? task : carriedOut(task, body),
      ),
    'a-write-without-if-match-keeps-its-comment-where-that-is-long': afterRefusal(
      'missing-version',
      (task, body) => ((commentIn(body)?.length ?? 0) > 1000 ? commented(task, body) : task),
    ),
  }),
  {
    ...fault(
      'a-write-without-if-match-is-carried-out-where-a-user-takes-the-task',
      ['update.needs-if-match'],
      afterRefusal('missing-version', (task, body) => {
        const after = carriedOut(task, body);
        const { assigned_by_id: by, assigned_to_id: to } = after.assignment ?? {};
        return by !== undefined && by === to ? after : task;
      }),
    ),
  },
  // With the step: what custom_metadata contains may change by itself.
  fault(
    'a-write-refused-with-409-empties-custom-metadata',
    {
      breaks: ['conflict.changes-nothing'],
      mayBreak: [
        'update.keeps-the-other-fields',
        'update.needs-if-match',
        'endpoints.refused-write-changes-nothing',
      ],
    },
    afterRefusal('version-mismatch', (task) => ({
      ...task,
      custom_metadata: null,
      step_name: '',
    })),
  ),
  ...table(fault, afterDenial, {
    'a-write-refused-with-401-is-carried-out': afterRefusal('unauthorized', carriedOut),
    'a-write-refused-with-401-keeps-its-comment': afterRefusal('unauthorized', commented),
    'a-write-refused-with-401-moves-updated-at': afterRefusal('unauthorized', touched),
  }),
  ...table(fault, afterInvalid, {
    'a-write-refused-for-its-body-is-carried-out': afterRefusal('invalid-body', carriedOut),
    'a-write-refused-for-its-body-moves-updated-at': afterRefusal('invalid-body', touched),
    'a-write-refused-for-its-body-unassigns-the-task': afterRefusal('invalid-body', unassigned),
  }),
  // What none of the two does alone: which clause speaks of it depends on what the second one is refused for.
  fault(
    'a-write-refused-with-409-is-carried-out-with-one-refused-for-its-body',
    { breaks: ['update.needs-assigned-to-type'], mayBreak: afterInvalid },
    carriedOutLater(409, 400),
  ),
  fault(
    'a-write-refused-with-401-is-carried-out-with-one-refused-with-409',
    { breaks: ['conflict.changes-nothing'], mayBreak: amongOtherWrites },
    carriedOutLater(401, 409),
  ),
  fault(
    'a-write-refused-for-its-media-type-is-carried-out',
    ['endpoints.refused-write-changes-nothing'],
    afterRefusal('other-media-type', carriedOut),
  ),
  ...table(fault, ['update.needs-if-match'], {
    'a-write-refused-without-if-match-is-carried-out': afterRefusal('missing-version', carriedOut),
    'a-write-refused-without-if-match-moves-updated-at': afterRefusal('missing-version', touched),
  }),
];
