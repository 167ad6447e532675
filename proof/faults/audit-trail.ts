import { type ExportQuery, instantOfEvent } from '../../reference/export/query.ts';
import type { AuditEvent, TaskRecord } from '../../reference/records.ts';
import type { RefusalCause } from '../../reference/request.ts';
import type { Change } from '../../reference/rules/assignment.ts';
import { auditRules } from '../../reference/rules/audit.ts';
import { dashed } from '../../schemas/clause.ts';
import { type Broken, type Fault, fault, isObject, someId, table } from './fault.ts';

type Recorded = Omit<AuditEvent, 'id'>;

/** Records changes of assignment wrongly, or not at all. */
const recording = (
  id: string,
  breaks: Broken,
  corrupt: (
    event: Recorded,
    change: Change,
    earlier: TaskRecord,
    task: TaskRecord,
  ) => Recorded | undefined,
): Fault =>
  fault(id, breaks, {
    auditEvent(change, task, earlier, at) {
      const event = auditRules.auditEvent(change, task, earlier, at);
      return event && corrupt(event, change, earlier, task);
    },
  });

/** Records some changes without their comment. */
const forgetting = (
  id: string,
  breaks: Fault['breaks'],
  isMeant: (change: Change, earlier: TaskRecord, task: TaskRecord) => boolean,
): Fault =>
  recording(id, breaks, (event, ...of) => (isMeant(...of) ? { ...event, comment: null } : event));

/** Leaves events of such changes out of exports that ask in such a way. */
const losing = (
  id: string,
  breaks: Broken,
  isMeant: (change: Change, earlier: TaskRecord) => boolean,
  isLost: (query: ExportQuery, at: bigint, earlier: TaskRecord) => boolean,
): Fault => {
  // By their metadata: no other part of an event is kept as it was given.
  const meant = new WeakMap<object, TaskRecord>();
  return fault(id, breaks, {
    auditEvent(change, task, earlier, at) {
      const event = auditRules.auditEvent(change, task, earlier, at);
      if (event && isMeant(change, earlier)) meant.set(event.metadata, earlier);
      return event;
    },
    exportedEvents: (selected, query) =>
      selected.filter(({ at, metadata }) => {
        const earlier = meant.get(metadata);
        return earlier === undefined || !isLost(query, instantOfEvent({ at }), earlier);
      }),
  });
};

const isToOneself = (change: Change): boolean =>
  change.kind === 'update' && change.to.assigned_to_id === change.by;

const assignments = ['audit.records-assignment-comments'] as const;
const unassignments = ['audit.records-unassignment-comments'] as const;
const namesItsRecords = ['audit.event-names-its-records'] as const;
const isClassified = ['audit.events-are-classified'] as const;

const recordingComments = (
  id: string,
  breaks: Fault['breaks'],
  corrupt: (comment: string) => string,
): Fault =>
  recording(id, breaks, (event) => ({
    ...event,
    comment: event.comment === null ? null : corrupt(event.comment),
  }));

const classification = {
  eventType: 'a-type',
  subType: 'a-subtype',
  systemSource: 'a-source',
} as const;

const anotherId = '7b1c1f0e-52b5-4b43-9a55-1f1d8f0a6c11';

const subTypes = { update: 'assigned', unassign: 'unassigned' } as const;

/** Records the comment of writes that are refused for this cause. */
const recordingRefusals = (id: string, cause: RefusalCause, kind: 'update' | 'unassign'): Fault =>
  fault(id, ['audit.refused-writes-leave-no-comment'], {
    eventOfRefusal(refusal, body, task, at) {
      const asked = isObject(body) && isObject(body[kind]) ? body[kind] : undefined;
      if (refusal.cause !== cause || typeof asked?.assignment_comment !== 'string') {
        return undefined;
      }
      return {
        at,
        auditeeId: String(asked.assigned_by_id),
        eventType: 'task',
        subType: subTypes[kind],
        systemSource: 'task_platform',
        metadata: task ? { task_id: task.id, entity_id: task.entity_id } : {},
        description: `Task ${subTypes[kind]}`,
        comment: asked.assignment_comment,
      };
    },
  });

/** Records changes of assignment wrongly because of what was recorded of the task just before, and of its first change. */
const remembering = (
  id: string,
  breaks: Broken,
  corrupt: (event: Recorded, last: Recorded, first: Recorded) => Recorded | undefined,
): Fault => {
  // By the record of the task that came of it: another service has others.
  const history = new WeakMap<TaskRecord, { last: Recorded; first: Recorded }>();
  return recording(id, breaks, (event, _change, earlier, task) => {
    const before = history.get(earlier);
    history.set(task, { last: event, first: before?.first ?? event });
    return before === undefined ? event : corrupt(event, before.last, before.first);
  });
};

/** Records changes of assignment under the entity that was first looked up for this record of theirs. */
const keepingEntities = (by: 'assessment_id' | 'workflow_instance_id'): Fault => {
  // Of services of one seed the records are the same.
  const kept = new Map<string | undefined, string | undefined>();
  return recording(`the-entity-is-kept-by-${dashed(by)}`, namesItsRecords, (event) => {
    const { entity_id: own, ...metadata } = event.metadata;
    const entity = kept.get(metadata[by]) ?? own;
    kept.set(metadata[by], entity);
    return {
      ...event,
      metadata: { ...metadata, ...(entity !== undefined && { entity_id: entity }) },
    };
  });
};

const causes = ['unauthorized', 'unknown-task', 'version-mismatch', 'invalid-body'] as const;

/** Changes of assignment that the audit trail records wrongly, so that exports show them wrongly (Events). */
export const auditTrailFaults: readonly Fault[] = [
  ...causes.flatMap((cause) => [
    recordingRefusals(`a-write-refused-as-${cause}-is-recorded`, cause, 'update'),
    recordingRefusals(`an-unassign-refused-as-${cause}-is-recorded`, cause, 'unassign'),
  ]),
  recording('assignments-are-not-recorded', assignments, (event, { kind }) =>
    kind === 'update' ? undefined : event,
  ),
  recording('unassignments-are-not-recorded', unassignments, (event, { kind }) =>
    kind === 'unassign' ? undefined : event,
  ),
  ...table(recording, assignments, {
    'reassignments-are-not-recorded': (event) =>
      event.subType === 'reassigned' ? undefined : event,
    'first-assignments-are-not-recorded': (event) =>
      event.subType === 'assigned' ? undefined : event,
    'assignments-to-the-same-assignee-are-not-recorded': (event, change, { assignment }) =>
      change.kind === 'update' && change.to.assigned_to_id === assignment?.assigned_to_id
        ? undefined
        : event,
    'reassignments-to-users-are-not-recorded': (event, change) =>
      event.subType === 'reassigned' &&
      change.kind === 'update' &&
      change.to.assigned_to_type === 'USER'
        ? undefined
        : event,
    'reassignments-to-teams-are-recorded-without-their-comment': (event, change) =>
      event.subType === 'reassigned' &&
      change.kind === 'update' &&
      change.to.assigned_to_type === 'TEAM'
        ? { ...event, comment: null }
        : event,
  }),
  remembering(
    'only-the-first-comment-of-a-task-is-recorded',
    [...assignments, ...unassignments],
    (event) => ({ ...event, comment: null }),
  ),
  remembering(
    'a-comment-that-follows-on-a-write-without-one-is-not-recorded',
    [...assignments, ...unassignments],
    (event, last) => (last.comment === null ? { ...event, comment: null } : event),
  ),
  remembering(
    'a-comment-is-recorded-with-the-next-write',
    // Under who made that one; with none, where it is the last: an assignment, or an unassignment.
    { breaks: assignments, mayBreak: [...namesItsRecords, ...unassignments] },
    (event, last) => ({ ...event, comment: last.comment }),
  ),
  recording(
    'a-reassignment-is-recorded-with-the-comment-that-it-replaces',
    { breaks: assignments, mayBreak: namesItsRecords },
    (event, _change, { assignment }) =>
      event.subType === 'reassigned'
        ? { ...event, comment: assignment?.assignment_comment ?? null }
        : event,
  ),
  ...table(remembering, namesItsRecords, {
    'a-reassignment-is-recorded-under-who-made-the-change-before': (event, last) =>
      event.subType === 'reassigned' ? { ...event, auditeeId: last.auditeeId } : event,
    'every-change-is-recorded-under-who-made-the-first': (event, _last, first) => ({
      ...event,
      auditeeId: first.auditeeId,
    }),
  }),
  recording(
    'an-unassignment-is-recorded-under-who-had-assigned',
    namesItsRecords,
    (event, { kind }, { assignment }) =>
      kind === 'unassign' && assignment
        ? { ...event, auditeeId: assignment.assigned_by_id }
        : event,
  ),
  forgetting(
    'comments-of-assignments-are-not-recorded',
    assignments,
    ({ kind }) => kind === 'update',
  ),
  forgetting(
    'comments-of-unassignments-are-not-recorded',
    unassignments,
    ({ kind }) => kind === 'unassign',
  ),
  ...(['update', 'unassign'] as const).map((kind) =>
    recording(
      `comments-of-${kind === 'update' ? '' : 'un'}assignments-with-white-space-around-them-are-not-recorded`,
      kind === 'update' ? assignments : unassignments,
      (event, change) =>
        change.kind === kind && event.comment?.trim() !== event.comment
          ? { ...event, comment: null }
          : event,
    ),
  ),
  forgetting(
    'comments-of-who-takes-back-what-one-had-assigned-are-not-recorded',
    unassignments,
    ({ kind, by }, { assignment }) => kind === 'unassign' && by === assignment?.assigned_by_id,
  ),
  forgetting(
    'comments-of-who-gives-a-task-back-are-not-recorded',
    unassignments,
    ({ kind, by }, { assignment }) => kind === 'unassign' && by === assignment?.assigned_to_id,
  ),
  forgetting(
    'comments-of-who-takes-again-what-one-has-are-not-recorded',
    assignments,
    ({ by }, { assignment }, task) =>
      by === assignment?.assigned_to_id && by === task.assignment?.assigned_to_id,
  ),
  ...table(recording, namesItsRecords, {
    'comments-are-recorded-without-their-entity': (event) => {
      const { entity_id: _, ...metadata } = event.metadata;
      return { ...event, metadata };
    },
    'unassignments-are-recorded-without-their-task': (event, { kind }) => {
      const { task_id: _, ...metadata } = event.metadata;
      return kind === 'unassign' ? { ...event, metadata } : event;
    },
    'export-assignments-were-recorded-under-another-task': (event) => ({
      ...event,
      metadata: { ...event.metadata, task_id: anotherId },
    }),
    'export-assignments-were-recorded-under-another-entity': (event) => ({
      ...event,
      metadata: { ...event.metadata, entity_id: anotherId },
    }),
  }),
  losing(
    'export-by-an-assessment-loses-assignments-to-oneself',
    ['export.filters-by-metadata-assessment-id'],
    isToOneself,
    ({ metadata }) => metadata.assessment_id !== undefined,
  ),
  losing(
    'export-by-a-subtype-loses-what-is-taken-from-teams',
    ['export.filters-by-sub-type'],
    (_change, { assignment }) => assignment?.assigned_to_type === 'TEAM',
    ({ lists }) => lists.sub_type !== undefined,
  ),
  losing(
    'export-range-end-leaves-out-assignments-to-users-at-its-instant',
    ['export.range-end-includes-its-instant'],
    (change) => change.kind === 'update' && change.to.assigned_to_type === 'USER',
    ({ end }, at) => end === at,
  ),
  losing(
    'export-range-start-leaves-out-unassignments-at-its-instant',
    ['export.range-start-includes-its-instant'],
    ({ kind }) => kind === 'unassign',
    ({ start }, at) => start === at,
  ),
  losing(
    'export-range-start-is-compared-with-when-a-team-got-the-task',
    ['export.range-start-includes-its-instant'],
    (_change, { assignment }) => assignment?.assigned_to_type === 'TEAM',
    ({ start = 0n }, _at, { updated_at }) => start > instantOfEvent({ at: updated_at }),
  ),
  keepingEntities('assessment_id'),
  keepingEntities('workflow_instance_id'),
  ...table(recording, namesItsRecords, {
    'assignments-are-recorded-under-the-service': (event) => ({
      ...event,
      auditeeId: someId,
    }),
    'assignments-are-recorded-under-the-assignee': (event, change) =>
      change.kind === 'update' ? { ...event, auditeeId: change.to.assigned_to_id } : event,
  }),
  recording(
    'assignments-are-recorded-an-hour-late',
    [...assignments, ...unassignments],
    (event) => ({ ...event, at: event.at + 60 * 60 * 1000 }),
  ),
  recording('events-of-assignments-are-not-classified', isClassified, (event) => ({
    ...event,
    eventType: '',
    subType: '',
    systemSource: '',
  })),
  ...(['eventType', 'subType', 'systemSource'] as const).map((field) =>
    recording(
      `export-assignments-were-recorded-without-${classification[field]}`,
      isClassified,
      (event) => ({ ...event, [field]: '' }),
    ),
  ),
  fault(
    'export-by-auditee-id-cuts-comments-at-255-characters',
    ['audit.comment-is-kept-to-the-letter'],
    {
      exportedEvents: (selected, { lists }) =>
        lists.auditee_id === undefined
          ? selected
          : selected.map((event) => ({ ...event, comment: event.comment?.slice(0, 255) ?? null })),
    },
  ),
  ...table(recordingComments, ['audit.comment-is-kept-to-the-letter'], {
    'recorded-comments-are-cut-at-255-characters': (comment) => comment.slice(0, 255),
    'recorded-comments-are-cut-at-1000-characters': (comment) => comment.slice(0, 1000),
    'recorded-comments-are-cut-at-2000-characters': (comment) => comment.slice(0, 2000),
    'recorded-comments-lose-the-joiners-of-emoji': (comment) => comment.replaceAll('\u200d', ''),
    'double-spaces-in-recorded-comments-become-one': (comment) => comment.replace(/ {2,}/g, ' '),
    'recorded-comments-are-decoded-like-a-query': (comment) => comment.replaceAll('%25', '%'),
    'recorded-comments-lose-their-line-breaks': (comment) => comment.replace(/\s*\n\s*/g, ' '),
    'recorded-comments-are-html-escaped': (comment) =>
      comment.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
    'recorded-comments-lose-other-scripts': (comment) =>
      comment.replace(/[\u{100}-\u{10FFFF}]/gu, '?'),
    'export-comments-were-cut-at-twenty-characters': (comment) => comment.slice(0, 20),
    'export-comments-kept-their-first-line': (comment) => comment.split(/\r?\n/)[0] ?? '',
    'export-comments-lost-their-emoji': (comment) =>
      comment.replace(/\p{Extended_Pictographic}/gu, ''),
    'export-comments-had-their-quotes-doubled': (comment) => comment.replaceAll('"', '""'),
    'export-comments-were-written-in-capitals': (comment) => comment.toUpperCase(),
    'export-comments-were-read-in-latin-1': (comment) => Buffer.from(comment).toString('latin1'),
  }),
];
