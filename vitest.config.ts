import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // The proof is all work and no waiting: every core has its share of it.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: ['node_modules/**', 'proof/**', 'suites/contract.test.ts'],
        },
      },
      { test: { name: 'proof', include: ['proof/**/*.test.ts'], testTimeout: 120_000 } },
      { test: { name: 'contract', include: ['suites/contract.test.ts'], testTimeout: 600_000 } },
    ],
  },
});
