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
  const lists = listFilters.flatMap((filter) => {
    const wanted = query.lists[filter];
    return wanted === undefined ? [] : [{ filter, field: listedFields[filter], wanted }];
  });
  const metadata = metadataKeys.flatMap((key) => {
    const wanted = query.metadata[key];
    return wanted === undefined ? [] : [{ key, wanted }];
  });
  const listsMet = (event: AuditEvent): ConditionsMet['lists'] => {
    const met: Partial<Record<ListFilter, boolean>> = {};
    for (const { filter, field, wanted } of lists) {
      met[filter] = rules.matchesList(event[field], wanted, filter);
    }
    return met;
  };
  const metadataMet = (event: AuditEvent): ConditionsMet['metadata'] => {
    const met: Partial<Record<MetadataKey, boolean>> = {};
    for (const { key, wanted } of metadata) {
      met[key] = rules.matchesMetadata(event.metadata[key], wanted, key);
    }
    return met;
  };
  return stored.filter((event) =>
    rules.isKept({
      range: rangeMet(event, query, rules),
      lists: listsMet(event),
      metadata: metadataMet(event),
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

const listedFields = {
  auditee_id: 'auditeeId',
  event_type: 'eventType',
  sub_type: 'subType',
  system_source: 'systemSource',
} as const satisfies Record<ListFilter, keyof AuditEvent>;
