import type { AuditEvent } from '../audit-event.ts';
import type { Change } from '../rules/assignment.ts';
import { auditRules } from '../rules/audit.ts';
import type { Rules } from '../rules.ts';
import type { Fault } from './fault.ts';

type Recorded = Omit<AuditEvent, 'id'>;

const ofAssignments = 'audit.records-assignment-comments';
const ofUnassignments = 'audit.records-unassignment-comments';
const toTheLetter = 'audit.comment-is-kept-to-the-letter';
const named = 'audit.event-names-its-records';

/** Records something else than what is right, or nothing. */
const recording = (
  wrongly: (right: Recorded, change: Change) => Recorded | undefined,
): Pick<Rules, 'auditEvent'> => ({
  auditEvent: (change, task, earlier, at) => {
    const right = auditRules.auditEvent(change, task, earlier, at);
    return right && wrongly(right, change);
  },
});

const commenting = (id: string, spoil: (comment: string) => string): Fault => ({
  id,
  breaks: [toTheLetter],
  rules: recording((right) => ({
    ...right,
    comment: right.comment === null ? null : spoil(right.comment),
  })),
});

const without = (metadata: AuditEvent['metadata'], lost: keyof AuditEvent['metadata']) =>
  Object.fromEntries(Object.entries(metadata).filter(([key]) => key !== lost));

const another = '7b1c1f0e-52b5-4b43-9a55-1f1d8f0a6c11';

/** Comments of assignments that are recorded wrongly, elsewhere, or not at all (Events). */
export const exportTrailFaults: readonly Fault[] = [
  {
    id: 'audit-records-nothing',
    breaks: [ofAssignments, ofUnassignments],
    rules: recording(() => undefined),
  },
  {
    id: 'audit-records-no-comments',
    breaks: [ofAssignments, ofUnassignments],
    rules: recording((right) => ({ ...right, comment: null })),
  },
  {
    id: 'audit-records-no-unassignments',
    breaks: [ofUnassignments],
    rules: recording((right, { kind }) => (kind === 'unassign' ? undefined : right)),
  },
  {
    id: 'audit-records-no-comments-of-unassignments',
    breaks: [ofUnassignments],
    rules: recording((right, { kind }) =>
      kind === 'unassign' ? { ...right, comment: null } : right,
    ),
  },
  {
    id: 'audit-records-no-assignments',
    breaks: [ofAssignments],
    rules: recording((right, { kind }) => (kind === 'update' ? undefined : right)),
  },
  {
    id: 'audit-records-no-comments-of-assignments',
    breaks: [ofAssignments],
    rules: recording((right, { kind }) =>
      kind === 'update' ? { ...right, comment: null } : right,
    ),
  },
  commenting('audit-cuts-comments-at-twenty-characters', (comment) => comment.slice(0, 20)),
  commenting(
    'audit-keeps-the-first-line-of-comments',
    (comment) => comment.split(/\r?\n/)[0] ?? '',
  ),
  commenting('audit-escapes-comments-for-html', (comment) =>
    comment.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
  ),
  commenting('audit-drops-emoji-from-comments', (comment) =>
    comment.replace(/\p{Extended_Pictographic}/gu, ''),
  ),
  commenting('audit-writes-other-scripts-as-question-marks', (comment) =>
    comment.replace(/[^\0-\xff]/g, '?'),
  ),
  commenting('audit-joins-the-lines-of-comments', (comment) => comment.replace(/\r?\n/g, ' ')),
  commenting('audit-doubles-quotes-in-comments', (comment) => comment.replaceAll('"', '""')),
  commenting('audit-writes-comments-in-capitals', (comment) => comment.toUpperCase()),
  commenting('audit-reads-comments-in-latin-1', (comment) =>
    Buffer.from(comment).toString('latin1'),
  ),
  {
    id: 'audit-records-under-another-task',
    breaks: [named],
    rules: recording((right) => ({ ...right, metadata: { ...right.metadata, task_id: another } })),
  },
  {
    id: 'audit-records-under-no-task',
    breaks: [named],
    rules: recording((right) => ({ ...right, metadata: without(right.metadata, 'task_id') })),
  },
  {
    id: 'audit-records-under-another-entity',
    breaks: [named],
    rules: recording((right) => ({
      ...right,
      metadata: { ...right.metadata, entity_id: another },
    })),
  },
  {
    id: 'audit-records-under-no-entity',
    breaks: [named],
    rules: recording((right) => ({ ...right, metadata: without(right.metadata, 'entity_id') })),
  },
  {
    id: 'audit-records-under-the-assignee',
    breaks: [named],
    rules: recording((right, change) =>
      change.kind === 'update' ? { ...right, auditeeId: change.to.assigned_to_id } : right,
    ),
  },
  {
    id: 'audit-records-under-another-user',
    breaks: [named],
    rules: recording((right) => ({ ...right, auditeeId: another })),
  },
  {
    id: 'audit-records-without-a-type',
    breaks: ['audit.events-are-classified'],
    rules: recording((right) => ({ ...right, eventType: '' })),
  },
  {
    id: 'audit-records-without-a-subtype',
    breaks: ['audit.events-are-classified'],
    rules: recording((right) => ({ ...right, subType: '' })),
  },
  {
    id: 'audit-records-without-a-source',
    breaks: ['audit.events-are-classified'],
    rules: recording((right) => ({ ...right, systemSource: '' })),
  },
];
