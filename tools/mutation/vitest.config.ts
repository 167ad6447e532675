import { defineConfig } from 'vitest/config';

/** The unit tests of the helpers that read files, for `npm run mutation`. */
export default defineConfig({
  test: {
    include: ['helpers/{csv,dates,pdf}/*.test.ts'],
    // Made-up input takes long, and differs from run to run.
    exclude: ['**/*.fuzz.test.ts'],
    testTimeout: 60_000,
  },
});
