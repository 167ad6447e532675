// The export: faults of filters are found however events are shown, whether or not a column shows what filters select by.

import { describe, expect, test } from 'vitest';
import { exportListFaults } from './faults/export-lists.ts';
import { exportMetadataFaults } from './faults/export-metadata.ts';
import { scenariosOf } from './parts.ts';
import { proveFaults } from './prove-faults.ts';
import { sampled, shareOf } from './sample.ts';
import { waysOfShowingEvents } from './variants/export-shown.ts';

const faults = [...exportListFaults, ...exportMetadataFaults];

/** Of a filter that matches nothing, and of one whose values are not known, exports show the same: nothing. */
const matchingNothing = [
  'export-event-type-matches-nothing',
  'export-sub-type-matches-nothing',
  'export-system-source-matches-nothing',
];

/**
 * Faults that do not show where events are shown in this way. Where a text does not say where a value ends, its words may
 * be the values; of people whose ids no row shows, no third one is known.
 */
const notFound: Readonly<Record<keyof typeof waysOfShowingEvents, readonly string[]>> = {
  'metadata-as-json': [],
  'metadata-as-lines': ['export-metadata-tag-matches-any-word'],
  'labels-and-pairs-in-text': [...matchingNothing, 'export-metadata-tag-matches-any-word'],
  'sentences-and-names': [
    ...matchingNothing,
    'export-auditee-id-ignores-the-third-value',
    'export-auditee-id-keeps-the-events-of-people-of-the-same-name',
    'export-metadata-cache-id-is-compared-as-a-number',
    'export-metadata-tag-is-split-at-commas',
    'export-metadata-tag-matches-any-word',
    'export-metadata-workflow-step-matches-any-word',
  ],
};

// The keys are those of the record.
const ways = Object.keys(notFound) as (keyof typeof notFound)[];

describe.for(ways)('%s', (way) => {
  const found = shareOf(faults, way, ways).filter(({ id }) => !notFound[way].includes(id));
  proveFaults(sampled(found), scenariosOf.export, { under: waysOfShowingEvents[way] });
});

test('what is not found is a fault of filters', () => {
  const ids = faults.map(({ id }) => id);
  expect(ways.flatMap((way) => notFound[way]).filter((id) => !ids.includes(id))).toEqual([]);
});
