import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { environment } from './helpers/config/environment.ts';

// Vitest gives tests the base path of Vite, "/", as BASE_URL, also where it is set; empty means the embedded service.
process.env.BASE_URL ??= environment().BASE_URL ?? '';
const { BASE_URL } = process.env;

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    project: { type: 'string', multiple: true },
    testNamePattern: { type: 'string', short: 't' },
  },
  strict: false,
});
/** Whoever names a test means it, whether it is in the sample or not. */
const isNamed = values.testNamePattern !== undefined;
// The contract sends requests, and writes to the tasks of a region. "Run all tests", of an editor or of `npx vitest`,
// does not mean that: the project exists only for those who ask for it by its name.
const isContract = values.project?.includes('contract') === true;

/** `--tags-filter='stated or implied'`, for example. */
const verdictTags = [
  { name: 'stated', description: 'verdicts on what the document says' },
  { name: 'implied', description: 'verdicts on what follows from it' },
  { name: 'open', description: 'observations of what it leaves open' },
];

/** What does not fail is counted, not listed. */
const contractReporters = [
  'minimal',
  ...(process.env.GITHUB_ACTIONS === 'true' ? ['github-actions'] : []),
];

const contract: TestProjectInlineConfiguration = {
  test: {
    name: 'contract',
    include: ['suites/contract.test.ts'],
    globalSetup: ['vitest/setup.ts'],
    env: { BASE_URL },
    // A test without a verdict has judged nothing.
    expect: { requireAssertions: true },
  },
};

/** Files of the proof that take minutes, the longest first: begun last, one of them has a core for itself at the end. */
const longest = [
  'export-faults-of-queries',
  'export-variants-of-csv',
  'motion',
  'export-faults-of-files',
  'export-variants',
  'export-instants',
].map((name) => `/proof/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((end) => moduleId.endsWith(end));
      return place < 0 ? longest.length : place;
    };
    const others = await super.sort(files);
    return others.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

export default defineConfig(({ mode }) => ({
  test: {
    sequence: { sequencer: LongestFirst },
    // The proof is all work and no waiting: every core has its share of it. More workers than cores gain nothing.
    maxWorkers: '100%',
    tags: verdictTags,
    ...(isContract && { slowTestThreshold: 5_000, reporters: contractReporters }),
    projects: [
      {
        test: {
          name: 'unit',
          testTimeout: 300_000,
          include: ['**/*.test.ts'],
          exclude: [
            'node_modules/**',
            'proof/**',
            '**/*.system.test.ts',
            'suites/contract.test.ts',
            'tools/packing/project/**',
          ],
          // No test changes what another one stands on: modules are loaded once, and not for every file.
          isolate: false,
        },
      },
      {
        test: {
          // Processes are started, killed and restored; browsers are opened: a busy machine takes its time.
          name: 'system',
          testTimeout: 300_000,
          // They wait about as long as they work: twice as many at once, when the others are done.
          sequence: { groupOrder: 1 },
          maxWorkers: 2 * availableParallelism(),
          include: ['**/*.system.test.ts'],
          exclude: ['node_modules/**'],
        },
      },
      {
        test: {
          name: 'proof',
          include: ['proof/**/*.test.ts'],
          exclude: ['**/*.system.test.ts'],
          // How much is proved: see proof/sample.ts.
          env: { PROOF: isNamed && mode === 'test' ? 'all' : mode },
          isolate: false,
          // Generous: how long a test takes says nothing.
          testTimeout: 600_000,
          // Thousands of files are made and read, and soon forgotten: with more room they are swept less often.
          execArgv: ['--max-semi-space-size=64'],
        },
      },
      ...(isContract ? [contract] : []),
    ],
  },
}));
