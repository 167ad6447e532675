import { createRequire } from 'node:module';

/** The version of the suite, read by the name of the package: sources and packed files lie at different depths. */
export const suiteVersion: string = createRequire(import.meta.url)(
  'task-audit-contract/package.json',
).version;
