import { exportScenarios, exportVariants } from './export-part.ts';
import { combinationsOf, proveTogether } from './prove-variants.ts';

/** Wrongly accused once, by chance. */
const known = ['export-csv-has-no-ids-and-no-times', 'export-pdf-has-several-lines-an-event'];

proveTogether(
  [exportVariants.filter(({ id }) => known.includes(id)), ...combinationsOf(exportVariants, 14)],
  exportScenarios,
);
