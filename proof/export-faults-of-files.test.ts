import { exportFaults, exportScenarios, isOfQueries, showsAmongMany } from './export-part.ts';
import { proveFaults } from './prove-faults.ts';

const ofFiles = exportFaults.filter((fault) => !isOfQueries(fault) && !showsAmongMany(fault));

proveFaults(ofFiles, exportScenarios);
