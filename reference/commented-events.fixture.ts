import { pastComments } from './past-events.ts';
import type { AuditEvent } from './records.ts';

/** An event for each of the comments of the past, in every script that they are written in; the n-th with the tag `tag-n`. */
export function commentedEvents(
  at: (index: number) => number,
  comments: typeof pastComments = pastComments,
): AuditEvent[] {
  return comments.map((comment, index) => ({
    id: `0a1b2c3d-0000-4000-8000-${String(index).padStart(12, '0')}`,
    at: at(index),
    auditeeId: '5f0c4d5c-6a0e-4a51-8f4c-0a6f9f5f7a10',
    eventType: 'task',
    subType: 'created',
    systemSource: 'task_platform',
    metadata: { tag: `tag-${index}` },
    description: `Event ${index}`,
    comment,
  }));
}
