// The export: no variant that shows in the form of a CSV is accused.

import { byNumberOfEvents, isOfCsv, scenariosOf } from './parts.ts';
import { proveVariants } from './prove-variants.ts';
import { sampled } from './sample.ts';
import { variants } from './variants.ts';

proveVariants(sampled(byNumberOfEvents(variants.export).few.filter(isOfCsv)), scenariosOf.export);
