// Starts embedded-process.ts in a clone: faster than the hooks of a loader, which are a thread of their own.
import { createJiti } from 'jiti';

await createJiti(import.meta.url).import('./embedded-process.ts');
