// The export: every fault in what stands in a file, and in how it is sent, is noticed.

import { faults } from '../reference/faults.ts';
import { byNumberOfEvents, isOfQueries, scenariosOf } from './parts.ts';
import { proveFaults } from './prove-faults.ts';

const { few } = byNumberOfEvents(faults.export);

proveFaults(
  few.filter((fault) => !isOfQueries(fault)),
  scenariosOf.export,
  { narrow: true },
);
