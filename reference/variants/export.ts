import { exportCsvVariants } from './export-csv.ts';
import { exportDateVariants } from './export-dates.ts';
import { exportEventVariants } from './export-events.ts';
import { exportFileVariants } from './export-files.ts';
import { exportPdfVariants } from './export-pdf.ts';
import { exportRequestVariants } from './export-requests.ts';
import type { Variant } from './variant.ts';

/** Other exports that the document permits just as well. */
export const exportVariants: readonly Variant[] = [
  ...exportRequestVariants,
  ...exportEventVariants,
  ...exportCsvVariants,
  ...exportDateVariants,
  ...exportPdfVariants,
  ...exportFileVariants,
];
