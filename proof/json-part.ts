import { faults } from '../reference/faults.ts';
import { exportVariants } from '../reference/variants/export.ts';
import { variants } from '../reference/variants.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import type { ClauseId } from '../schemas/clauses.ts';
import { jsonSuites } from '../suites/index.ts';

/** What is said of the export and of what it holds: proved elsewhere, by scenarios that download files. */
export const isOfTheExport = (id: ClauseId): boolean =>
  /^(export|audit|limits\.pdf|limits\.csv)|^errors\.reversed-range/.test(id);

/** What is said of email: proved elsewhere, by scenarios that wait for it. */
export const isOfMail = (id: string): boolean => id.startsWith('notification.');

/** The scenarios of the three JSON operations. */
export const jsonScenarios: readonly AnyScenario[] = Object.values(jsonSuites).flat();

/** The faults that break something besides the export. */
export const jsonFaults = faults.filter(
  ({ breaks }) => !breaks.every((id) => isOfTheExport(id) || isOfMail(id)),
);

/** The variants of what is not of the export. */
export const jsonVariants = variants.filter(
  (variant) =>
    !isOfTheExport(variant.opens) && !isOfMail(variant.opens) && !exportVariants.includes(variant),
);
