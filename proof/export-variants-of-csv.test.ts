import { exportScenarios, exportVariants, isOfCsv } from './export-part.ts';
import { proveVariants } from './prove-variants.ts';

proveVariants(
  exportVariants.filter((variant) => isOfCsv(variant) && variant.showsAmongMany !== true),
  exportScenarios,
);
