// The export: faults of filters are found however events are shown, whether or not a column shows what filters select by.

import { describe, expect, test } from 'vitest';
import { exportListFaults } from './faults/export-lists.ts';
import { exportMetadataFaults } from './faults/export-metadata.ts';
import { scenariosOf } from './parts.ts';
import { proveFaults } from './prove-faults.ts';
import { isWhole, sampled } from './sample.ts';
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

/** All of them are some minutes: each way proves its share, the whole proof all. */
const ways = Object.entries(notFound);

describe.for(ways)('%s', ([way, excepted]) => {
  const share = faults.filter(
    (_, index) => index % ways.length === ways.findIndex(([one]) => one === way),
  );
  const found = (isWhole ? faults : sampled(share)).filter(({ id }) => !excepted.includes(id));
  // The entries are those of a record by this key.
  const under = waysOfShowingEvents[way as keyof typeof waysOfShowingEvents];
  proveFaults(found, scenariosOf.export, { under });
});

test('what is not found is a fault of filters', () => {
  const ids = faults.map(({ id }) => id);
  expect(ways.flatMap(([, excepted]) => excepted).filter((id) => !ids.includes(id))).toEqual([]);
});
