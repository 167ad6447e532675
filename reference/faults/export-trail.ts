import type { AuditEvent } from '../audit-event.ts';
import { auditRules } from '../rules/audit.ts';
import type { Rules } from '../rules.ts';
import type { Fault } from './fault.ts';

type Recorded = Omit<AuditEvent, 'id'>;

/** Records something else than what is right. */
const recording = (wrongly: (right: Recorded) => Recorded): Pick<Rules, 'auditEvent'> => ({
  auditEvent: (change, task, earlier, at) => {
    const right = auditRules.auditEvent(change, task, earlier, at);
    return right && wrongly(right);
  },
});

const commenting = (id: string, spoil: (comment: string) => string): Fault => ({
  id,
  breaks: ['audit.comment-is-kept-to-the-letter'],
  rules: recording((right) => ({
    ...right,
    comment: right.comment === null ? null : spoil(right.comment),
  })),
});

const names = { eventType: 'a-type', subType: 'a-subtype', systemSource: 'a-source' } as const;

const another = '7b1c1f0e-52b5-4b43-9a55-1f1d8f0a6c11';

/** What the export tells wrongly of assignments, because it was recorded so (Events). */
export const exportTrailFaults: readonly Fault[] = [
  commenting('export-comments-were-cut-at-twenty-characters', (comment) => comment.slice(0, 20)),
  commenting('export-comments-kept-their-first-line', (comment) => comment.split(/\r?\n/)[0] ?? ''),
  commenting('export-comments-lost-their-emoji', (comment) =>
    comment.replace(/\p{Extended_Pictographic}/gu, ''),
  ),
  commenting('export-comments-had-their-quotes-doubled', (comment) =>
    comment.replaceAll('"', '""'),
  ),
  commenting('export-comments-were-written-in-capitals', (comment) => comment.toUpperCase()),
  commenting('export-comments-were-read-in-latin-1', (comment) =>
    Buffer.from(comment).toString('latin1'),
  ),
  {
    id: 'export-assignments-were-recorded-under-another-task',
    breaks: ['audit.event-names-its-records'],
    rules: recording((right) => ({ ...right, metadata: { ...right.metadata, task_id: another } })),
  },
  {
    id: 'export-assignments-were-recorded-under-another-entity',
    breaks: ['audit.event-names-its-records'],
    rules: recording((right) => ({
      ...right,
      metadata: { ...right.metadata, entity_id: another },
    })),
  },
  ...(['eventType', 'subType', 'systemSource'] as const).map(
    (field): Fault => ({
      id: `export-assignments-were-recorded-without-${names[field]}`,
      breaks: ['audit.events-are-classified'],
      rules: recording((right) => ({ ...right, [field]: '' })),
    }),
  ),
];
