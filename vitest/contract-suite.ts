import { afterAll, beforeAll, describe, type TestContext, test } from 'vitest';
import { select, selectClauses } from '../contract/selection.ts';
import { UsageError } from '../contract/usage.ts';
import {
  ConfigurationError,
  type Environment,
  namesTarget,
  readSettings,
} from '../helpers/config/read-settings.ts';
import { scenarios as everyScenario } from '../suites/index.ts';
import { type ContractOptions, variablesOf, withOptionNames } from './options.ts';
import { titleOf } from './selection.ts';
import { SuiteRun } from './suite-run.ts';

export type { ContractOptions } from './options.ts';

/**
 * Holds a service to the document, as tests of your own: one for each clause, inside a `describe`. To be called in
 * a test file of Vitest. A violated clause fails with what was expected, what came, and the exchange as a curl
 * command; one that nothing is configured for is skipped with the reason; of an open one the observation is
 * annotated. Tasks are put back in the end. Suites on the same tasks take turns, also those of other files.
 *
 * @throws ConfigurationError at once, where an option is wrong; the message names it and the valid form
 */
export function contractSuite(options: ContractOptions): void {
  const { name, only = [], baseUrl } = options;
  const { variables, scenarios } = atCaller(() => ({
    variables: checkedVariables(options),
    scenarios: select(everyScenario, only),
  }));
  const clauses = selectClauses(scenarios, only);
  const titles = new Map(clauses.map((id) => [titleOf(id), id]));

  describe(name ?? `the contract at ${baseUrl}`, () => {
    let run: SuiteRun | undefined;

    // Time-outs of requests and of the run bound a suite, not those of Vitest: 0 is none.
    beforeAll(async () => {
      run = await SuiteRun.open(variables, scenarios, options.reportDir !== undefined);
    }, 0);

    for (const [title, id] of titles) {
      test(title, { timeout: 0, retry: 0 }, async (context) => {
        const beside = selectedBeside(context).flatMap((one) => titles.get(one) ?? []);
        await run?.tell(id, beside, context);
      });
    }

    afterAll(async () => {
      await run?.end();
    }, 0);
  });
}

/** @throws ConfigurationError, in terms of the options */
function checkedVariables(options: ContractOptions): Environment {
  const variables = variablesOf(options);
  // Types do not reach those who write JavaScript.
  if ((variables.BASE_URL ?? '') === '') {
    throw new ConfigurationError('baseUrl: missing; for example http://localhost:4010/v5');
  }
  namesTarget(variables);
  readSettings(variables, 0);
  return variables;
}

/** Lets an error of the options point to where they were given. */
function atCaller<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof UsageError) {
      error.message = `contractSuite: ${withOptionNames(error.message)}`;
      Error.captureStackTrace(error, contractSuite);
    }
    throw error;
  }
}

/** The titles of the tests that Vitest was asked for, out of those of one suite: all of them without `-t`. */
function selectedBeside({ task }: TestContext): string[] {
  const tests = task.suite?.tasks ?? [task];
  return tests.filter(({ mode }) => mode !== 'skip' && mode !== 'todo').map(({ name }) => name);
}
