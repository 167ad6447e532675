import { exportFaults, manyEvents, showsAmongMany, sizeScenarios } from './export-part.ts';
import { proveFaults } from './prove-faults.ts';

proveFaults(exportFaults.filter(showsAmongMany), sizeScenarios, { pastEvents: manyEvents });
