import { exportVariants, manyEvents, sizeScenarios } from './export-part.ts';
import { proveTogether } from './prove-variants.ts';

const together = (...ids: readonly string[]) =>
  exportVariants.filter(({ id }) => ids.some((end) => id.endsWith(end)));

// Without times to read, the limit of a PDF is found by halving ranges.
const combinations = [
  together('counted-in-weeks-per-locale', 'shuffled-anew-each-time', 'has-no-headings-and-no-ids'),
  together('over-10000-events-is-refused'),
];

proveTogether(combinations, sizeScenarios, { pastEvents: manyEvents });
