import { jsonScenarios, jsonVariants } from './json-part.ts';
import { combinationsOf, proveTogether, proveVariants } from './prove-variants.ts';

proveVariants(jsonVariants, jsonScenarios);
proveTogether(combinationsOf(jsonVariants, 40), jsonScenarios);
