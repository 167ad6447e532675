import {
  exportScenarios,
  exportVariants,
  isOfCsv,
  manyEvents,
  sizeScenarios,
} from './export-part.ts';
import { proveVariants } from './prove-variants.ts';

const showsAmongMany = exportVariants.filter((variant) => variant.showsAmongMany === true);
const others = exportVariants.filter((variant) => !showsAmongMany.includes(variant));

proveVariants(
  others.filter((variant) => !isOfCsv(variant)),
  exportScenarios,
);
proveVariants(showsAmongMany, sizeScenarios, { pastEvents: manyEvents });
