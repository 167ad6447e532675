import { exportScenarios, exportVariants } from './export-part.ts';
import { combinationsOf, proveTogether } from './prove-variants.ts';

proveTogether(combinationsOf(exportVariants, 14), exportScenarios);
