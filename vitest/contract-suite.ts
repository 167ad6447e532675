import { describe } from 'vitest';
import { select } from '../contract/selection.ts';
import { type Environment, readSettings } from '../helpers/config/read-settings.ts';
import { ConfigurationError, UserError } from '../helpers/errors.ts';
import { scenarios as everyScenario } from '../suites/index.ts';
import { type ContractOptions, variablesOf } from './options.ts';
import { clauseTests } from './test-run.ts';

export type { ContractOptions } from './options.ts';

/**
 * Checks a service against the document, as tests of your own: one for each clause, inside a `describe`. To be called
 * in a test file of Vitest. The test of a violated clause fails with what was expected, what came, and the exchange as
 * a curl command; that of a clause that nothing is configured for is skipped with the reason; that of an open clause
 * has observations as annotations. Tasks are put back in the end. Suites on the same tasks take turns, in any file.
 *
 * @throws ConfigurationError at once, where an option is wrong; the message names it and the valid form
 */
export function contractSuite(options: ContractOptions): void {
  const { name, only = [], baseUrl } = options;
  const { variables, scenarios } = atCaller(() => ({
    variables: checkedVariables(options),
    scenarios: select(everyScenario, { only }),
  }));
  const reports = options.reportDir === undefined ? 'none' : 'run';
  describe(name ?? `the contract at ${baseUrl}`, () => {
    clauseTests(scenarios, () => variables, { reports, waits: true });
  });
}

/** The options as valid variables. @throws ConfigurationError, in terms of the variables */
function checkedVariables(options: ContractOptions): Environment {
  const variables = variablesOf(options);
  // A caller in JavaScript may leave out what types require.
  if ((variables.BASE_URL ?? '') === '') {
    throw new ConfigurationError(
      'BASE_URL: missing; give baseUrl, for example http://localhost:4010/v5',
    );
  }
  readSettings(variables, 0);
  return variables;
}

/** Reads options; an error in them gets the stack of the call of `contractSuite`. */
function atCaller<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UserError) {
      error.message = `contractSuite: ${error.message}`;
      Error.captureStackTrace(error, contractSuite);
    }
    throw error;
  }
}
