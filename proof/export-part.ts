import { type Fault, faults } from '../reference/faults.ts';
import { type Variant, variants } from '../reference/variants.ts';
import { clauseIdsOf } from '../runner/play.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import { exportSuites } from '../suites/exports/index.ts';
import { scenarios } from '../suites/index.ts';
import { isOfMail, isOfTheExport, jsonVariants } from './json-part.ts';

/** The scenarios that download files. */
export const exportScenarios: readonly AnyScenario[] = [
  ...Object.values(exportSuites).flat(),
  ...scenarios.filter((scenario) => clauseIdsOf(scenario).includes('export.needs-the-apikey')),
];

/** The faults that break nothing but the export, and what is recorded and read through it. */
export const exportFaults = faults.filter(({ breaks }) => breaks.every(isOfTheExport));

/** The variants of the export. */
export const exportVariants = variants.filter(
  (variant) => !jsonVariants.includes(variant) && !isOfMail(variant.opens),
);

/** Whether a variant shows in the form of the CSV. */
export function isOfCsv({ opens }: Variant): boolean {
  return /^export\.(csv-|date-style)/.test(opens);
}

/** Those scenarios that look at how much one file may hold. */
export const sizeScenarios = exportScenarios.filter((scenario) =>
  clauseIdsOf(scenario).some((id) => /^limits\.pdf|csv-has-no|bounds-are-indep|pdf-holds/.test(id)),
);

/** More than a PDF may hold, and more than the window that is looked at. */
export const manyEvents = 12_000;

/** Whether a fault shows only where there are so many events: such plays take their time. */
export function showsAmongMany({ breaks, showsAmongMany: shows }: Fault): boolean {
  return shows === true || breaks.some((id) => /^limits\.pdf|^export\.csv-has-no-limit/.test(id));
}

/** Whether a fault shows in what a query selects; the others show in files. */
export function isOfQueries({ breaks }: Fault): boolean {
  return breaks.some((id) => /^export\.(filters|lists|metadata|range)|^errors\./.test(id));
}
