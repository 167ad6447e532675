import { jsonFaults, jsonScenarios } from './json-part.ts';
import { isOfWrites, proveFaults } from './prove-faults.ts';

const ofReads = jsonFaults.filter((fault) => !isOfWrites(fault));

proveFaults(ofReads, jsonScenarios);
