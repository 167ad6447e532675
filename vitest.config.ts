import { defineConfig } from 'vitest/config';
import { environment } from './helpers/config/environment.ts';

// Vitest gives tests the base path of Vite, "/", as BASE_URL, also where it is set; empty means the embedded service.
process.env.BASE_URL ??= environment().BASE_URL ?? '';
const { BASE_URL } = process.env;

export default defineConfig({
  test: {
    // The proof is all work and no waiting: every core has its share of it. More workers than cores gain nothing.
    maxWorkers: '100%',
    // A verdict waits for the scenarios before it; only those that take longer are worth a line.
    slowTestThreshold: 5_000,
    projects: [
      {
        test: {
          name: 'unit',
          // Processes are started, browsers and servers: a busy machine takes its time.
          testTimeout: 60_000,
          include: ['**/*.test.ts'],
          exclude: [
            'node_modules/**',
            'proof/**',
            'suites/contract.test.ts',
            'tools/packing/project/**',
          ],
        },
      },
      {
        test: {
          name: 'proof',
          include: ['proof/**/*.test.ts'],
          testTimeout: 120_000,
          // Thousands of files are made and read, and soon forgotten: with more room they are swept less often.
          execArgv: ['--max-semi-space-size=64'],
        },
      },
      {
        test: {
          name: 'contract',
          include: ['suites/contract.test.ts'],
          globalSetup: ['vitest/setup.ts'],
          env: { BASE_URL },
          // Time-outs of requests and the number of tasks bound a run, not Vitest.
          testTimeout: 600_000,
          hookTimeout: 600_000,
          maxConcurrency: 10_000,
        },
      },
    ],
  },
});
