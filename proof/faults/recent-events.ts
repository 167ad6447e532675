import { type ExportQuery, instantOfEvent } from '../../reference/export/query.ts';
import { zoneOffset } from '../../reference/export/zone.ts';
import type { AuditEvent } from '../../reference/records.ts';
import { auditRules } from '../../reference/rules/audit.ts';
import type { Rules } from '../../reference/rules.ts';
import { dashed } from '../../schemas/clause.ts';
import { clauseByFilter } from '../../suites/exports/filter-levels.ts';
import { nanoseconds } from '../exports.ts';
import { type Fault, fault } from './fault.ts';

/** An event of a write, and whom the task went to. */
interface Recent {
  readonly event: AuditEvent;
  readonly assigneeId: string | undefined;
}

/**
 * Exports hold further events of writes that were made just now, as where these are kept in another place until they are
 * indexed; events of the past are selected rightly.
 */
function alsoKeeping(isKept: (recent: Recent, query: ExportQuery) => boolean): Partial<Rules> {
  const assignees = new Map<string, string | undefined>();
  let stored: readonly AuditEvent[] = [];
  return {
    auditEvent(change, ...rest) {
      const event = auditRules.auditEvent(change, ...rest);
      const assigneeId = change.kind === 'update' ? change.to.assigned_to_id : undefined;
      if (event?.comment) assignees.set(event.comment, assigneeId);
      return event;
    },
    storedEvents(events) {
      stored = events;
      return events;
    },
    exportedEvents(selected, query) {
      const further = stored.filter((event) => {
        if (event.comment === null || !assignees.has(event.comment)) return false;
        const recent = { event, assigneeId: assignees.get(event.comment) };
        return !selected.includes(event) && isKept(recent, query);
      });
      return [...selected, ...further];
    },
  };
}

/** Some exports are made of a copy that lacks what was written in the last minutes. */
function ofACopy(isMeant: (query: ExportQuery, event: AuditEvent) => boolean): Partial<Rules> {
  const recent = new Set<string | null>();
  return {
    auditEvent(change, ...rest) {
      const event = auditRules.auditEvent(change, ...rest);
      if (event?.comment) recent.add(event.comment);
      return event;
    },
    exportedEvents: (selected, query) =>
      selected.filter((event) => !recent.has(event.comment) || !isMeant(query, event)),
  };
}

/** What is recorded from the first write on has its date from when it was recorded: in UTC. */
function datedInUtc(): Partial<Rules> {
  let first = Number.POSITIVE_INFINITY;
  return {
    auditEvent(change, ...rest) {
      const event = auditRules.auditEvent(change, ...rest);
      if (event) first = Math.min(first, Number(instantOfEvent(event) / nanoseconds.millisecond));
      return event;
    },
    zoneOffset: (timezone) => (at) => (at >= first ? 0 : zoneOffset(timezone)(at)),
  };
}

function isInRange(event: AuditEvent, { start, end }: ExportQuery): boolean {
  const at = instantOfEvent(event);
  return (start === undefined || at >= start) && (end === undefined || at <= end);
}

/** How many filters a query has, and how many of them the event meets. */
function filtersMet({ auditeeId, metadata }: AuditEvent, query: ExportQuery) {
  const met = [
    ...Object.entries(query.metadata).map(
      ([key, wanted]) => Object.entries(metadata).find(([one]) => one === key)?.[1] === wanted,
    ),
    ...Object.entries(query.lists).map(
      ([filter, wanted]) => filter === 'auditee_id' && wanted.includes(auditeeId),
    ),
  ];
  return { all: met.length, met: met.filter(Boolean).length };
}

/** Events of the run's own that are found where they do not belong (4. Export audit events). */
export const recentEventFaults: readonly Fault[] = [
  fault(
    'export-auditee-id-finds-the-assignee-too',
    { breaks: ['export.filters-by-auditee-id'], mayBreak: ['export.filters-combine'] },
    alsoKeeping(
      ({ event, assigneeId }, query) =>
        assigneeId !== undefined &&
        query.lists.auditee_id?.includes(assigneeId) === true &&
        isInRange(event, query),
    ),
  ),
  fault(
    'export-task-id-finds-recent-events-of-other-tasks-too',
    {
      breaks: ['export.filters-by-metadata-task-id'],
      mayBreak: ['export.filters-combine', 'export.metadata-keys-combine'],
    },
    alsoKeeping(
      ({ event }, query) => query.metadata.task_id !== undefined && isInRange(event, query),
    ),
  ),
  fault(
    'export-entity-id-finds-recent-events-of-other-entities-too',
    {
      breaks: ['export.filters-by-metadata-entity-id'],
      mayBreak: ['export.filters-combine', 'export.metadata-keys-combine'],
    },
    alsoKeeping(
      ({ event }, query) => query.metadata.entity_id !== undefined && isInRange(event, query),
    ),
  ),
  fault(
    'export-one-matching-filter-is-enough-for-recent-events',
    ['export.filters-combine', 'export.metadata-keys-combine'],
    alsoKeeping(({ event }, query) => {
      const { all, met } = filtersMet(event, query);
      return all > 1 && met > 0 && isInRange(event, query);
    }),
  ),
  fault(
    'export-range-is-ignored-for-recent-events-of-a-task',
    ['export.range-combines-with-filters'],
    alsoKeeping(
      ({ event }, query) =>
        event.metadata.task_id === query.metadata.task_id &&
        filtersMet(event, query).all === 1 &&
        query.start !== undefined,
    ),
  ),
  fault(
    'export-pdf-finds-recent-events-whatever-the-filters',
    ['export.pdf-holds-the-events-of-the-csv'],
    alsoKeeping(
      ({ event }, query) =>
        query.fileType === 'pdf' && filtersMet(event, query).all > 0 && isInRange(event, query),
    ),
  ),
  fault(
    'export-pdf-lacks-recent-events',
    ['export.pdf-holds-the-events-of-the-csv'],
    ofACopy(({ fileType }) => fileType === 'pdf'),
  ),
  fault(
    'export-auditee-id-keeps-recent-events-by-the-first-value-of-a-list-alone',
    ['export.filters-by-auditee-id'],
    ofACopy(({ lists }, { auditeeId }) => (lists.auditee_id?.indexOf(auditeeId) ?? 0) > 0),
  ),
  ...(['event_type', 'sub_type', 'system_source'] as const).map((list) =>
    fault(
      `export-${dashed(list)}-lacks-recent-events`,
      [clauseByFilter[list]],
      ofACopy(({ lists }) => lists[list] !== undefined),
    ),
  ),
  fault(
    'export-dates-of-recent-events-are-in-utc',
    ['export.timezone-formats-the-dates'],
    datedInUtc(),
  ),
  fault(
    'export-range-start-of-a-moment-ago-loses-recent-events',
    ['export.range-start-includes-its-instant'],
    ofACopy(({ start = 0n }, event) => start > instantOfEvent(event) - 10n * nanoseconds.minute),
  ),
];
