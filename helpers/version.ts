import { createRequire } from 'node:module';

/** The version of the suite. Found by the package's own name: sources and what is packed lie at different depths. */
export const suiteVersion: string = createRequire(import.meta.url)(
  'task-audit-contract/package.json',
).version;
