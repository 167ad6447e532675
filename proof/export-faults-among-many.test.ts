import { exportFaults, exportScenarios, manyEvents, showsAmongMany } from './export-part.ts';
import { proveFaults } from './prove-faults.ts';

proveFaults(exportFaults.filter(showsAmongMany), exportScenarios, { pastEvents: manyEvents });
