import { readFileSync } from 'node:fs';
import type { Profile } from '../../schemas/profile.ts';

/**
 * What the suites observe of this service with its default rules, by open clause. The proof sees to it that it stays
 * so.
 */
export const ownProfile: Profile['observations'] = JSON.parse(
  readFileSync(new URL('./own-profile.json', import.meta.url), 'utf8'),
);
