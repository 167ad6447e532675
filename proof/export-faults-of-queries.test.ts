// The export: every fault in what a query selects, or in how much it may select, is noticed.

import { faults } from './faults.ts';
import { byNumberOfEvents, isOfQueries, manyEvents, scenariosOf, sizeScenarios } from './parts.ts';
import { proveFaults } from './prove-faults.ts';
import { sampled } from './sample.ts';

const { many, few } = byNumberOfEvents(faults.export);

proveFaults(sampled(few.filter(isOfQueries)), scenariosOf.export);
proveFaults(sampled(many), sizeScenarios, manyEvents);
