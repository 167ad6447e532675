import {
  type ListFilter,
  listFilters,
  type MetadataKey,
  metadataKeys,
} from '../../schemas/operations.ts';
import type { AuditEvent } from '../audit-event.ts';
import type { ConditionsMet, ExportSelectionRules } from '../rules/export-selection.ts';
import type { ExportQuery } from './query.ts';

/** The stored events that a query selects, in the order in which they were stored. */
export function selectEvents(
  stored: readonly AuditEvent[],
  query: ExportQuery,
  rules: ExportSelectionRules,
): readonly AuditEvent[] {
  return stored.filter((event) =>
    rules.isKept({
      range: rangeMet(event, query, rules),
      lists: listsMet(event, query, rules),
      metadata: metadataMet(event, query, rules),
    }),
  );
}

function rangeMet(
  { at }: AuditEvent,
  { start, end }: ExportQuery,
  rules: ExportSelectionRules,
): ConditionsMet['range'] {
  const met: boolean[] = [];
  if (start !== undefined) met.push(rules.isFromStart(at, start));
  if (end !== undefined) met.push(rules.isToEnd(at, end));
  return met;
}

function listsMet(
  event: AuditEvent,
  { lists }: ExportQuery,
  rules: ExportSelectionRules,
): ConditionsMet['lists'] {
  const met: Partial<Record<ListFilter, boolean>> = {};
  for (const filter of listFilters) {
    const wanted = lists[filter];
    if (wanted === undefined) continue;
    met[filter] = rules.matchesList(event[listedFields[filter]], wanted, filter);
  }
  return met;
}

function metadataMet(
  event: AuditEvent,
  { metadata }: ExportQuery,
  rules: ExportSelectionRules,
): ConditionsMet['metadata'] {
  const met: Partial<Record<MetadataKey, boolean>> = {};
  for (const key of metadataKeys) {
    const wanted = metadata[key];
    if (wanted === undefined) continue;
    met[key] = rules.matchesMetadata(event.metadata[key], wanted, key);
  }
  return met;
}

const listedFields = {
  auditee_id: 'auditeeId',
  event_type: 'eventType',
  sub_type: 'subType',
  system_source: 'systemSource',
} as const satisfies Record<ListFilter, keyof AuditEvent>;
