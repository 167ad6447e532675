import type { JudgedClause, OpenClause } from '../../schemas/clauses.ts';

/** Of metadata keys whose values nothing shows: neither rows, nor the task and the assessments at hand. */
export const ofKeysNowhereShown: readonly JudgedClause[] = [
  'export.filters-by-metadata-screening-application-id',
  'export.filters-by-metadata-screening-config-id',
  'export.filters-by-metadata-match-id',
  'export.filters-by-metadata-inquiry-id',
  'export.filters-by-metadata-tag',
  'export.filters-by-metadata-cache-id',
  'export.filters-by-metadata-workflow-step',
];

/** All that is judged by past events. */
export const ofPastEvents: readonly JudgedClause[] = [
  ...ofKeysNowhereShown,
  'export.filters-by-metadata-entity-id',
  'export.filters-by-metadata-assessment-id',
  'export.filters-by-metadata-task-id',
  'export.filters-by-metadata-workflow-instance-id',
  'export.filters-by-auditee-id',
  'export.filters-by-event-type',
  'export.filters-by-sub-type',
  'export.filters-by-system-source',
  'export.lists-are-any-of',
  'export.filters-combine',
  'export.metadata-keys-combine',
  'export.is-repeatable',
  'export.range-start-includes-its-instant',
  'export.range-end-includes-its-instant',
  'export.ranges-split-without-loss',
  'export.range-combines-with-filters',
  'export.range-start-equal-to-end',
  'export.range-bounds-are-independent',
  'export.range-bounds-are-instants',
  'export.timezone-formats-the-dates',
  'audit.events-are-classified',
];

/** What past events show of open clauses, besides their own values. */
export const shownByPastEvents: readonly OpenClause[] = [
  'export.array-encoding',
  'export.range-with-offset',
  'export.malformed-range',
  'export.date-style',
  'export.order-of-events',
  'export.pdf-form',
  'audit.event-fields',
];
