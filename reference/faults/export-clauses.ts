import type { JudgedClause } from '../../schemas/clauses.ts';
import type { ListFilter, MetadataKey } from '../../schemas/operations.ts';

export const listClauses = {
  auditee_id: 'export.filters-by-auditee-id',
  event_type: 'export.filters-by-event-type',
  sub_type: 'export.filters-by-sub-type',
  system_source: 'export.filters-by-system-source',
} as const satisfies Record<ListFilter, JudgedClause>;

export const metadataClauses = {
  entity_id: 'export.filters-by-metadata-entity-id',
  assessment_id: 'export.filters-by-metadata-assessment-id',
  task_id: 'export.filters-by-metadata-task-id',
  workflow_instance_id: 'export.filters-by-metadata-workflow-instance-id',
  screening_application_id: 'export.filters-by-metadata-screening-application-id',
  screening_config_id: 'export.filters-by-metadata-screening-config-id',
  match_id: 'export.filters-by-metadata-match-id',
  inquiry_id: 'export.filters-by-metadata-inquiry-id',
  tag: 'export.filters-by-metadata-tag',
  cache_id: 'export.filters-by-metadata-cache-id',
  workflow_step: 'export.filters-by-metadata-workflow-step',
} as const satisfies Record<MetadataKey, JudgedClause>;

/** A filter that is wrong alone is wrong together with others too. */
export const ofFiltersTogether: readonly JudgedClause[] = [
  'export.lists-are-any-of',
  'export.filters-combine',
  'export.metadata-keys-combine',
  'export.range-combines-with-filters',
];

export const ofFilters: readonly JudgedClause[] = [
  ...Object.values(listClauses),
  ...Object.values(metadataClauses),
  ...ofFiltersTogether,
];

/** Ranges are compared with each other: one wrong bound shows in all of them. */
export const ofRanges: readonly JudgedClause[] = [
  'export.range-start-includes-its-instant',
  'export.range-end-includes-its-instant',
  'export.range-start-equal-to-end',
  'export.range-bounds-are-instants',
  'export.range-bounds-are-independent',
  'export.ranges-split-without-loss',
];

/** What is recorded is looked for through the export. */
export const ofTheTrail: readonly JudgedClause[] = [
  'audit.records-assignment-comments',
  'audit.records-unassignment-comments',
  'audit.event-names-its-records',
  'audit.events-are-classified',
  'audit.comment-is-kept-to-the-letter',
];

/** All that is judged by rows of CSV exports: what spoils rows can show in each of these. */
export const ofRows: readonly JudgedClause[] = [
  ...ofFilters,
  ...ofRanges,
  ...ofTheTrail,
  'export.is-repeatable',
  'export.csv-is-one-table',
  'export.file-type-defaults-to-csv',
  'export.pdf-holds-the-events-of-the-csv',
  'export.locale-defaults-to-en',
  'export.locale-keeps-the-events',
  'export.timezone-keeps-the-events',
  'export.timezone-formats-the-dates',
];
