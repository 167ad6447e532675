// The export: no variant is accused that shows elsewhere than in the form of a CSV: in requests, events, PDFs, headers.

import { variants } from '../reference/variants.ts';
import { byNumberOfEvents, isOfCsv, manyEvents, scenariosOf, sizeScenarios } from './parts.ts';
import { proveVariants } from './prove-variants.ts';

const { many, few } = byNumberOfEvents(variants.export);

proveVariants(
  few.filter((variant) => !isOfCsv(variant)),
  scenariosOf.export,
);
proveVariants(many, sizeScenarios, manyEvents);
