// The export: no combination of variants is accused.

import { scenariosOf } from './parts.ts';
import { combinationsOf, proveTogether } from './prove-variants.ts';
import { sampled } from './sample.ts';
import { variants } from './variants.ts';

/** Found by chance to be wrongly accused, once. */
const known = ['export-csv-has-no-ids-and-no-times', 'export-pdf-has-several-lines-an-event'];

proveTogether(
  [
    variants.export.filter(({ id }) => known.includes(id)),
    ...sampled(combinationsOf(variants.export, 14)),
  ],
  scenariosOf.export,
);
