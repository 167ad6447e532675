import { defineConfig } from 'vitest/config';

/** The unit tests of the helpers that read files of one kind, for `npm run mutation`. */
export default defineConfig({
  test: {
    include: [`helpers/${process.env.MUTATION_OF}/*.test.ts`],
    // Made-up input takes long, and differs from run to run; whole PDFs take long.
    exclude: ['**/*.fuzz.test.ts', '**/other-libraries.test.ts', '**/layouts.test.ts'],
    testTimeout: 60_000,
  },
});
