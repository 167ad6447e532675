import { section } from '../clause.ts';

const heading = '4. Export audit events: query parameters';

export const exportFilterClauses = section(heading, {
  'export.filters-by-auditee-id': {
    level: 'stated',
    text: 'auditee_id keeps the events that were caused by the given users, and only those.',
  },
  'export.filters-by-event-type': {
    level: 'stated',
    text: 'event_type keeps the events of the given types, and only those.',
  },
  'export.filters-by-sub-type': {
    level: 'stated',
    text: 'sub_type keeps the events of the given subtypes, and only those.',
  },
  'export.filters-by-system-source': {
    level: 'stated',
    text: 'system_source keeps the events from the given sources, and only those.',
  },
  'export.lists-are-any-of': {
    level: 'implied',
    text: 'Several values of a list parameter keep the events that match any of them.',
  },
  'export.array-encoding': {
    level: 'open',
    text: 'How several values of a list parameter are encoded in the query is not shown.',
  },
  'export.filters-by-metadata-entity-id': {
    level: 'stated',
    text: 'metadata[entity_id] keeps the events with that value, and only those.',
  },
  'export.filters-by-metadata-assessment-id': {
    level: 'stated',
    text: 'metadata[assessment_id] keeps the events with that value, and only those.',
  },
  'export.filters-by-metadata-task-id': {
    level: 'stated',
    text: 'metadata[task_id] keeps the events with that value, and only those.',
  },
  'export.filters-by-metadata-workflow-instance-id': {
    level: 'stated',
    text: 'metadata[workflow_instance_id] keeps the events with that value, and only those.',
  },
  'export.filters-by-metadata-screening-application-id': {
    level: 'stated',
    text: 'metadata[screening_application_id] keeps the events with that value, and only those.',
  },
  'export.filters-by-metadata-screening-config-id': {
    level: 'stated',
    text: 'metadata[screening_config_id] keeps the events with that value, and only those.',
  },
  'export.filters-by-metadata-match-id': {
    level: 'stated',
    text: 'metadata[match_id] keeps the events with that value, and only those.',
  },
  'export.filters-by-metadata-inquiry-id': {
    level: 'stated',
    text: 'metadata[inquiry_id] keeps the events with that value, and only those.',
  },
  'export.filters-by-metadata-tag': {
    level: 'stated',
    text: 'metadata[tag] keeps the events with that value, and only those.',
  },
  'export.filters-by-metadata-cache-id': {
    level: 'stated',
    text: 'metadata[cache_id] keeps the events with that value, and only those.',
  },
  'export.filters-by-metadata-workflow-step': {
    level: 'stated',
    text: 'metadata[workflow_step] keeps the events with that value, and only those.',
  },
  'export.metadata-keys-combine': {
    level: 'stated',
    text: 'Several metadata keys may be combined in one request: events that match all of them are kept.',
  },
  'export.unknown-metadata-key': {
    level: 'open',
    text: 'What a metadata key outside the allowed ones gets is not said.',
  },
  'export.filters-combine': {
    level: 'implied',
    text: 'Different filters in one request keep the events that match all of them.',
  },
});

export const exportRangeClauses = section(heading, {
  'export.range-start-includes-its-instant': {
    level: 'stated',
    text: 'range_start keeps the events from that time on, one at that very time included, and none before.',
  },
  'export.range-end-includes-its-instant': {
    level: 'stated',
    text: 'range_end keeps the events up to and including that time, and none after.',
  },
  'export.ranges-split-without-loss': {
    level: 'implied',
    text: 'A range cut in two at an instant holds the same events as its halves together.',
  },
  'export.range-combines-with-filters': {
    level: 'implied',
    text: 'A range and a filter in one request keep the events that match both.',
  },
  'export.range-bounds-are-independent': {
    level: 'implied',
    text: 'range_start and range_end may be given alone: the other side is then unbounded.',
  },
  'export.range-bounds-are-instants': {
    level: 'implied',
    text: 'A bound is an instant: written with or without fractional digits, it selects the same events.',
  },
  'export.range-start-equal-to-end': {
    level: 'implied',
    text: 'A range_start equal to range_end is a valid range.',
  },
  'export.range-with-offset': {
    level: 'open',
    text: 'Whether a bound may be written with the offset +00:00 in place of Z is not said.',
  },
  'export.null-range': {
    level: 'open',
    text: 'How a null bound or time zone is written in a query, and what an empty one does, is not said.',
  },
  'export.malformed-range': {
    level: 'open',
    text: 'What a bound that is no datetime gets is not said.',
  },
});
