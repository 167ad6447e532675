// The export: however finely a service keeps times, and however it shows them, its limits are judged, and its faults are
// found. That its ranges are judged stands in the proof of the variants of CSVs.

import { describe } from 'vitest';
import type { JudgedClause } from '../schemas/clauses.ts';
import { faults } from './faults.ts';
import { lookingAt, scenariosOf } from './parts.ts';
import { proveFaults } from './prove-faults.ts';
import { proveVariants } from './prove-variants.ts';
import { sampled, shareOf } from './sample.ts';
import { exportInstantVariants } from './variants/export-instants.ts';

const ofLimits: readonly JudgedClause[] = [
  'export.csv-has-no-limit-of-5000',
  'limits.pdf-of-5000-events-is-allowed',
];

/** Enough for windows of 5,000 and of 5,001 events. */
const moreThanOfAPdf = { pastEvents: 5300 };

// What is observed of dates, and what other clauses need of them, is looked at elsewhere.
const variants = sampled(exportInstantVariants).map(({ follows: _, ...variant }) => ({
  ...variant,
  unseen: 'Not looked at.',
}));
describe('limits', () =>
  proveVariants(variants, lookingAt(ofLimits, scenariosOf.export), moreThanOfAPdf));

/** Faults of ranges and zones, each in a way of its own. */
const proved = [
  'export-range-start-is-exclusive',
  'export-range-end-is-exclusive',
  'export-both-bounds-are-exclusive',
  'export-range-start-is-cut-to-seconds',
  'export-range-end-is-cut-to-seconds',
  'export-range-end-reaches-to-the-end-of-its-second',
  'export-range-end-is-cut-to-days',
  'export-range-start-is-compared-as-text',
  'export-a-bound-without-fractional-digits-is-a-whole-second',
  'export-range-start-alone-is-ignored',
  'export-timezone-has-the-offset-of-today',
  'export-timezone-has-the-offset-of-the-first-event',
  'export-timezone-has-the-offset-of-the-range-start',
  'export-timezone-has-the-opposite-sign',
  'export-timezone-of-etc-has-the-opposite-sign',
  'export-timezone-is-cut-to-half-hours',
] as const;

/** Ways in which a service shows the times that it keeps. */
const ways = [
  'milliseconds-shown-as-seconds',
  'milliseconds-shown-as-another-time',
  'microseconds-shown-as-microseconds',
  'microseconds-shown-as-milliseconds',
  'microseconds-shown-as-rounded-seconds',
  'microseconds-shown-as-no-time',
  'nanoseconds-shown-as-nanoseconds',
] as const;

/**
 * What cannot be found in principle: a range_start that excludes its own instant is, where times are not shown as
 * finely as they are kept, one of times that are kept more finely than bounds are read; no dates, no zones.
 */
const hidden: { readonly [Way in (typeof ways)[number]]?: readonly string[] } = {
  'milliseconds-shown-as-seconds': ['export-range-start-is-exclusive'],
  'milliseconds-shown-as-another-time': ['export-range-start-is-exclusive'],
  'microseconds-shown-as-milliseconds': ['export-range-start-is-exclusive'],
  'microseconds-shown-as-rounded-seconds': ['export-range-start-is-exclusive'],
  'microseconds-shown-as-no-time': [
    'export-range-start-is-exclusive',
    ...proved.filter((id) => id.startsWith('export-timezone-')),
  ],
};

const found = faults.export.filter(({ id }) => proved.some((one) => one === id));

describe.for(ways)('kept to %s', (way) => {
  const { rules: shown } =
    exportInstantVariants.find(({ id }) => id === `export-instants-in-${way}`) ?? {};
  proveFaults(
    sampled(shareOf(found, way, ways).filter(({ id }) => !hidden[way]?.includes(id))).map(
      (fault) => ({ ...fault, rules: { ...shown, ...fault.rules } }),
    ),
    scenariosOf.export,
  );
});
