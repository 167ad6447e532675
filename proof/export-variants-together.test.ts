// The export: no combination of variants is accused.

import { exportsOfAllSequences } from './parts.ts';
import { combinationsOf, proveTogether } from './prove-variants.ts';
import { sampled } from './sample.ts';
import { variants } from './variants.ts';

/** Found by chance to be wrongly accused, once. */
const known = [
  ['export-csv-has-no-ids-and-no-times', 'export-pdf-has-several-lines-an-event'],
  [
    'export-csv-has-headings-on-each-page-lines-above-days-and-subtotals',
    'export-csv-shows-metadata-as-a-map',
  ],
  ['export-csv-has-no-headings', 'export-csv-has-a-footer'],
  [
    'export-csv-has-no-headings',
    'export-csv-says-above-what-was-asked-for-and-below-how-many-there-are',
  ],
  ['export-store-holds-no-past-events', 'export-csv-has-a-footer'],
  ['export-store-holds-no-past-events', 'export-csv-is-in-windows-1252'],
  [
    'export-store-holds-no-past-events',
    'export-csv-does-not-write-the-empty-cells-of-its-last-line',
  ],
  [
    'export-csv-is-empty-where-nothing-matches',
    'export-csv-has-headings-on-each-page-lines-above-days-and-subtotals',
  ],
  [
    'export-csv-is-in-utf-16-without-a-byte-order-mark',
    'export-csv-has-a-title-in-two-lines-and-no-headings',
  ],
  [
    'export-csv-does-not-write-the-empty-cells-of-its-last-line',
    'export-csv-has-no-headings-and-no-ids',
  ],
  ['export-csv-is-in-windows-1252', 'comments-are-recorded-as-json-in-json'],
  ['export-pdf-cuts-texts-at-twelve-characters', 'export-dates-are-american'],
];

/** What stands around a table is not told from events where there are none: then nothing is judged by them. */
const aroundNothing = [
  'export-csv-has-a-title-in-two-lines-and-no-headings',
  'export-csv-has-a-title-that-another-program-wrote',
  'export-csv-has-headings-in-two-lines',
  'export-csv-has-headings-on-each-page-lines-above-days-and-subtotals',
  'export-csv-says-above-what-was-asked-for-and-below-how-many-there-are',
].map((id) => ['export-store-holds-no-past-events', id]);

const together = (ids: readonly string[]) => variants.export.filter(({ id }) => ids.includes(id));

proveTogether(
  [...known.map(together), ...sampled(combinationsOf(variants.export, 14))],
  exportsOfAllSequences,
);
proveTogether(aroundNothing.map(together), exportsOfAllSequences, true);
