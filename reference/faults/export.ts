import { exportAnswerFaults } from './export-answers.ts';
import { exportBoundFaults } from './export-bounds.ts';
import { exportCsvFaults } from './export-csv.ts';
import { exportDateFaults } from './export-dates.ts';
import { exportLimitFaults } from './export-limits.ts';
import { exportListFaults } from './export-lists.ts';
import { exportMetadataFaults } from './export-metadata.ts';
import { exportPdfFaults } from './export-pdf.ts';
import { exportRangeFaults } from './export-ranges.ts';
import { exportTrailFaults } from './export-trail.ts';
import type { Fault } from './fault.ts';

/** Everything that the export can get wrong, and the record of assignments that is read through it. */
export const exportFaults: readonly Fault[] = [
  ...exportAnswerFaults,
  ...exportListFaults,
  ...exportMetadataFaults,
  ...exportBoundFaults,
  ...exportRangeFaults,
  ...exportLimitFaults,
  ...exportCsvFaults,
  ...exportPdfFaults,
  ...exportDateFaults,
  ...exportTrailFaults,
];
