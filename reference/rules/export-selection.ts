import type { ListFilter, MetadataKey } from '../../schemas/operations.ts';
import { pdfEventLimit } from '../../schemas/operations.ts';
import type { AuditEvent } from '../audit-event.ts';
import type { ExportQuery } from '../export/query.ts';

/** For one event, whether it meets each condition of the query; parameters not sent have no entry. */
export interface ConditionsMet {
  readonly range: readonly boolean[];
  readonly lists: Readonly<Partial<Record<ListFilter, boolean>>>;
  readonly metadata: Readonly<Partial<Record<MetadataKey, boolean>>>;
}

/** Which of the stored events an export holds. */
export interface ExportSelectionRules {
  /** The events that the store gives out at all. */
  storedEvents(events: readonly AuditEvent[]): readonly AuditEvent[];
  /** Whether an event's value is among those wanted: exactly, and in the same case. */
  matchesList(value: string, wanted: readonly string[], filter: ListFilter): boolean;
  matchesMetadata(value: string | undefined, wanted: string, key: MetadataKey): boolean;
  isKept(met: ConditionsMet): boolean;
  isFromStart(at: number, start: number): boolean;
  isToEnd(at: number, end: number): boolean;
  /** The exported events, given the selected ones in the order in which they were stored. */
  exportedEvents(selected: readonly AuditEvent[], query: ExportQuery): readonly AuditEvent[];
  orderEvents(events: readonly AuditEvent[]): readonly AuditEvent[];
  /** The number that is held against the limit. */
  countForLimit(
    selected: readonly AuditEvent[],
    stored: readonly AuditEvent[],
    query: ExportQuery,
  ): number;
  isWithinLimit(count: number, query: ExportQuery): boolean;
}

export const exportSelectionRules: ExportSelectionRules = {
  storedEvents: (events) => events,
  matchesList: (value, wanted) => wanted.includes(value),
  matchesMetadata: (value, wanted) => value === wanted,
  isKept: ({ range, lists, metadata }) => range.every(Boolean) && all(lists) && all(metadata),
  isFromStart: (at, start) => at >= start,
  isToEnd: (at, end) => at <= end,
  exportedEvents: (selected) => selected,
  orderEvents: (events) => events,
  countForLimit: (selected) => selected.length,
  isWithinLimit: (count, { fileType }) => fileType === 'csv' || count <= pdfEventLimit,
};

/** Whether every condition of one kind is met. */
export function all(met: Readonly<Record<string, boolean>>): boolean {
  return Object.values(met).every(Boolean);
}
