import { defineConfig } from 'vitest/config';

/** The unit tests of the helpers that read files of one kind, for `npm run mutation`. */
export default defineConfig({
  test: {
    include: [`helpers/${process.env.MUTATION_OF}/*.test.ts`],
    // Made-up input takes long; so do whole PDFs.
    exclude: [
      '**/*.fuzz.test.ts',
      '**/other-libraries.system.test.ts',
      '**/layouts.system.test.ts',
    ],
    testTimeout: 60_000,
  },
});
