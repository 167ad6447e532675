// The export: every fault in what stands in a file, and in how it is sent, is noticed.

import { faults } from './faults.ts';
import { byNumberOfEvents, isDrawnOtherwise, isOfQueries, scenariosOf } from './parts.ts';
import { proveFaults } from './prove-faults.ts';
import { sampled } from './sample.ts';

const { few } = byNumberOfEvents(faults.export);

const ofFiles = sampled(few.filter((fault) => !isOfQueries(fault)));
proveFaults(
  ofFiles.filter((fault) => !isDrawnOtherwise(fault)),
  scenariosOf.export,
);
proveFaults(ofFiles.filter(isDrawnOtherwise), scenariosOf.export, {
  drawsPdfs: true,
});
