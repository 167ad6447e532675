import { answerVariants, passingErrorVariants, statusVariants } from './variants/answers.ts';
import { csvProgramVariants } from './variants/csv-programs.ts';
import { exportCsvVariants } from './variants/export-csv.ts';
import { exportDateVariants } from './variants/export-dates.ts';
import { auditTrailVariants, exportEventVariants } from './variants/export-events.ts';
import { exportFileVariants } from './variants/export-files.ts';
import { exportInstantVariants } from './variants/export-instants.ts';
import { exportPdfVariants } from './variants/export-pdf.ts';
import { exportRequestVariants } from './variants/export-requests.ts';
import { exportShownVariants } from './variants/export-shown.ts';
import { notificationVariants } from './variants/notifications.ts';
import { openFieldVariants } from './variants/open-fields.ts';
import type { Variant } from './variants/variant.ts';
import { writeVariants } from './variants/writes.ts';

export type { Variant } from './variants/variant.ts';

/**
 * Other services that the document permits just as well, by what they differ in: answers of the three JSON operations,
 * exports, or email. The scenarios must find nothing wrong with any of them.
 */
export const variants = {
  json: [
    ...statusVariants,
    ...writeVariants,
    ...openFieldVariants,
    ...answerVariants,
    ...passingErrorVariants,
  ],
  export: [
    ...auditTrailVariants,
    ...exportRequestVariants,
    ...exportEventVariants,
    ...exportCsvVariants,
    ...csvProgramVariants,
    ...exportShownVariants,
    ...exportDateVariants,
    ...exportInstantVariants,
    ...exportPdfVariants,
    ...exportFileVariants,
  ],
  email: notificationVariants,
} satisfies Readonly<Record<string, readonly Variant[]>>;

export const allVariants: readonly Variant[] = Object.values(variants).flat();
