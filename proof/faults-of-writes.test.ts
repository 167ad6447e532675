import { jsonFaults, jsonScenarios } from './json-part.ts';
import { isOfWrites, proveFaults } from './prove-faults.ts';

proveFaults(jsonFaults.filter(isOfWrites), jsonScenarios);
