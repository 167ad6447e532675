import { environment } from '../helpers/config/environment.ts';
import type { Environment } from '../helpers/config/read-settings.ts';

/** The option of every command that needs the target alone. */
export const targetOptions = {
  'base-url': { type: 'string', value: 'URL', about: 'in place of BASE_URL' },
} as const;

/** The options of every command that plays scenarios. */
export const runOptions = {
  only: {
    type: 'string',
    multiple: true,
    value: 'TEXT',
    about:
      'play only what looks at this clause (its id, or the beginning of ids), or scenarios with this in their name; may be given several times',
  },
  'read-only': {
    type: 'boolean',
    about: 'assign nothing: play only what needs no write (as ALLOW_WRITES=no)',
  },
  ...targetOptions,
  seed: { type: 'string', value: 'N', about: 'in place of SEED' },
  'report-dir': { type: 'string', value: 'DIR', about: 'in place of REPORT_DIR' },
} as const;

type RunValues = {
  readonly [Name in 'base-url' | 'seed' | 'report-dir']?: string;
} & { readonly 'read-only'?: boolean };

/**
 * The environment, with what the options say in its place.
 * @throws ConfigurationError where a `.env` cannot be read
 */
export function environmentUnder(values: RunValues, configured = environment()): Environment {
  return {
    ...configured,
    ...(values['base-url'] !== undefined && { BASE_URL: values['base-url'] }),
    ...(values.seed !== undefined && { SEED: values.seed }),
    ...(values['report-dir'] !== undefined && { REPORT_DIR: values['report-dir'] }),
    ...(values['read-only'] === true && { ALLOW_WRITES: 'no' }),
  };
}
