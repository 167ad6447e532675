import type { AuditEvent } from '../audit-event.ts';
import type { Change } from '../rules/assignment.ts';
import { auditRules } from '../rules/audit.ts';
import type { Fault } from './fault.ts';
import { someId } from './replaced.ts';

type Recorded = Omit<AuditEvent, 'id'>;

/** Records changes of assignment wrongly, or not at all. */
const recording = (
  id: string,
  breaks: Fault['breaks'],
  spoil: (event: Recorded, change: Change) => Recorded | undefined,
): Fault => ({
  id,
  breaks,
  rules: {
    auditEvent(change, task, earlier, at) {
      const event = auditRules.auditEvent(change, task, earlier, at);
      return event && spoil(event, change);
    },
  },
});

const recordingComments = (id: string, spoil: (comment: string) => string | null): Fault =>
  recording(id, ['audit.comment-is-kept-to-the-letter'], (event) => ({
    ...event,
    comment: event.comment && spoil(event.comment),
  }));

const both = ['audit.records-assignment-comments', 'audit.records-unassignment-comments'] as const;

/** Changes of assignment that the audit record tells wrongly (Events). */
export const auditFaults: readonly Fault[] = [
  recording(
    'assignments-are-not-recorded',
    ['audit.records-assignment-comments'],
    (event, { kind }) => (kind === 'update' ? undefined : event),
  ),
  recording(
    'unassignments-are-not-recorded',
    ['audit.records-unassignment-comments'],
    (event, { kind }) => (kind === 'unassign' ? undefined : event),
  ),
  recording('reassignments-are-not-recorded', ['audit.records-assignment-comments'], (event) =>
    event.subType === 'reassigned' ? undefined : event,
  ),
  recording(
    'comments-of-assignments-are-not-recorded',
    ['audit.records-assignment-comments'],
    (event, { kind }) => (kind === 'update' ? { ...event, comment: null } : event),
  ),
  recording(
    'comments-of-unassignments-are-not-recorded',
    ['audit.records-unassignment-comments'],
    (event, { kind }) => (kind === 'unassign' ? { ...event, comment: null } : event),
  ),
  recording(
    'comments-are-recorded-without-their-entity',
    ['audit.event-names-its-records'],
    (event) => {
      const { entity_id: _, ...metadata } = event.metadata;
      return { ...event, metadata };
    },
  ),
  recording(
    'comments-are-recorded-without-their-task',
    ['audit.event-names-its-records'],
    (event) => {
      const { task_id: _, ...metadata } = event.metadata;
      return { ...event, metadata };
    },
  ),
  recording(
    'assignments-are-recorded-under-the-service',
    ['audit.event-names-its-records'],
    (event) => ({
      ...event,
      auditeeId: someId,
    }),
  ),
  recording(
    'assignments-are-recorded-under-the-assignee',
    ['audit.event-names-its-records'],
    (event, change) =>
      change.kind === 'update' ? { ...event, auditeeId: change.to.assigned_to_id } : event,
  ),
  recording('assignments-are-recorded-an-hour-late', [...both], (event) => ({
    ...event,
    at: event.at + 60 * 60 * 1000,
  })),
  recording(
    'events-of-assignments-are-not-classified',
    ['audit.events-are-classified'],
    (event) => ({
      ...event,
      eventType: '',
      subType: '',
      systemSource: '',
    }),
  ),
  recordingComments('recorded-comments-are-cut-at-255-characters', (comment) =>
    comment.slice(0, 255),
  ),
  recordingComments('recorded-comments-lose-their-line-breaks', (comment) =>
    comment.replace(/\s*\n\s*/g, ' '),
  ),
  recordingComments('recorded-comments-are-html-escaped', (comment) =>
    comment.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  ),
  recordingComments('recorded-comments-lose-other-scripts', (comment) =>
    comment.replace(/[\u{100}-\u{10FFFF}]/gu, '?'),
  ),
];
