import type { AuditEvent } from '../audit-event.ts';
import { auditRules } from '../rules/audit.ts';
import type { Variant } from './variant.ts';

const recording = (
  id: string,
  opens: Variant['opens'],
  change: (event: Omit<AuditEvent, 'id'>) => Partial<AuditEvent>,
  unseen?: string,
): Variant => ({
  id,
  opens,
  ...(unseen !== undefined && { unseen }),
  rules: {
    auditEvent(asked, task, earlier, at) {
      const event = auditRules.auditEvent(asked, task, earlier, at);
      return event && { ...event, ...change(event) };
    },
  },
});

/** How changes of assignment are recorded (Events). */
export const auditVariants: readonly Variant[] = [
  {
    id: 'events-are-readable-a-little-later',
    opens: 'audit.delay',
    rules: { auditDelay: () => 30 },
  },
  recording('events-of-assignments-have-other-names', 'audit.classification-values', (event) => ({
    eventType: 'task_assignment',
    subType: event.subType === 'unassigned' ? 'deleted' : 'updated',
    systemSource: 'assignment_service',
  })),
  recording(
    'events-are-described-in-other-words',
    'audit.event-fields',
    () => ({ description: 'Assignment changed; see the task' }),
    'Texts of events may name people: they are not observed.',
  ),
];
