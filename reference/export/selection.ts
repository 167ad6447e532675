import { type ListFilter, listFilters, metadataKeys } from '../../schemas/operations.ts';
import type { AuditEvent } from '../audit-event.ts';
import type { ExportSelectionRules } from '../rules/export-selection.ts';
import type { ExportQuery } from './query.ts';

type Condition = (event: AuditEvent) => boolean;

/** The stored events that a query selects, in the order in which they were stored. */
export function selectEvents(
  stored: readonly AuditEvent[],
  query: ExportQuery,
  rules: ExportSelectionRules,
): readonly AuditEvent[] {
  const range = rangeConditions(query, rules);
  const lists = listConditions(query, rules);
  const metadata = metadataConditions(query, rules);
  return stored.filter((event) => {
    const isMet = (condition: Condition) => condition(event);
    return rules.isKept({
      range: range.map(isMet),
      lists: lists.map(isMet),
      metadata: metadata.map(isMet),
    });
  });
}

function rangeConditions({ start, end }: ExportQuery, rules: ExportSelectionRules): Condition[] {
  const conditions: Condition[] = [];
  if (start !== undefined) conditions.push(({ at }) => rules.isFromStart(at, start));
  if (end !== undefined) conditions.push(({ at }) => rules.isToEnd(at, end));
  return conditions;
}

function listConditions({ lists }: ExportQuery, rules: ExportSelectionRules): Condition[] {
  return listFilters.flatMap((filter) => {
    const wanted = lists[filter];
    if (wanted === undefined) return [];
    return (event) => rules.matchesList(event[listedFields[filter]], wanted, filter);
  });
}

function metadataConditions({ metadata }: ExportQuery, rules: ExportSelectionRules): Condition[] {
  return metadataKeys.flatMap((key) => {
    const wanted = metadata[key];
    if (wanted === undefined) return [];
    return (event) => rules.matchesMetadata(event.metadata[key], wanted, key);
  });
}

const listedFields = {
  auditee_id: 'auditeeId',
  event_type: 'eventType',
  sub_type: 'subType',
  system_source: 'systemSource',
} as const satisfies Record<ListFilter, keyof AuditEvent>;
