// The export: no variant is accused that shows elsewhere than in the form of a CSV: in requests, events, PDFs, headers.

import {
  byNumberOfEvents,
  exportsOfAllSequences,
  isDrawnOtherwise,
  isOfCsv,
  isOfOwnEvents,
  manyEvents,
  scenariosOf,
  sizeScenarios,
} from './parts.ts';
import { proveVariants } from './prove-variants.ts';
import { sampled } from './sample.ts';
import { variants } from './variants.ts';

const { many, few } = byNumberOfEvents(variants.export);

const elsewhere = sampled(few.filter((variant) => !isOfCsv(variant)));
const drawnAsUsual = elsewhere.filter((variant) => !isDrawnOtherwise(variant));
proveVariants(drawnAsUsual.filter(isOfOwnEvents), exportsOfAllSequences);
proveVariants(
  drawnAsUsual.filter((variant) => !isOfOwnEvents(variant)),
  scenariosOf.export,
);
proveVariants(elsewhere.filter(isDrawnOtherwise), scenariosOf.export, { drawsPdfs: true });
proveVariants(sampled(many), sizeScenarios, manyEvents);
