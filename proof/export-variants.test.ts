import { exportScenarios, exportVariants } from './export-part.ts';
import { proveVariants } from './prove-variants.ts';

proveVariants(exportVariants, exportScenarios);
