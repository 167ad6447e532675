import { afterAll, beforeAll, describe, type TestContext, test } from 'vitest';
import { select, selectedClauses } from '../contract/selection.ts';
import { type Environment, readSettings } from '../helpers/config/read-settings.ts';
import { ConfigurationError, UserError } from '../helpers/errors.ts';
import { clauseIdsOf } from '../runner/scenario.ts';
import { scenarios as everyScenario } from '../suites/index.ts';
import { type ContractOptions, variablesOf } from './options.ts';
import { TestRun, titleOf } from './test-run.ts';

export type { ContractOptions } from './options.ts';

/**
 * Checks a service against the document, as tests of your own: one for each clause, inside a `describe`. To be called in
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
    scenarios: select(everyScenario, { only }),
  }));
  const clauses = selectedClauses(scenarios);
  const titles = new Map(clauses.map((id) => [titleOf(id), id]));

  describe(name ?? `the contract at ${baseUrl}`, () => {
    let run: TestRun | undefined;

    // Time-outs of requests and of the run bound a suite, not those of Vitest: 0 is none.
    beforeAll(async () => {
      const reports = options.reportDir === undefined ? 'none' : 'run';
      run = await TestRun.open(() => variables, {
        scenarios,
        reports,
        waits: true,
      });
      await run.begin();
    }, 0);

    for (const [title, id] of titles) {
      test(title, { timeout: 0, retry: 0 }, async (context) => {
        // All that is needed for the tests which Vitest was asked for runs together.
        const wanted = new Set(selectedBeside(context).map((one) => titles.get(one)));
        const needed = scenarios.filter((one) => clauseIdsOf(one).some((each) => wanted.has(each)));
        run?.start(needed);
        const looking = needed.filter((one) => clauseIdsOf(one).includes(id));
        await run?.judge(id, looking, context);
      });
    }

    afterAll(async () => {
      await run?.end();
    }, 0);
  });
}

/** @throws ConfigurationError, in terms of the variables */
function checkedVariables(options: ContractOptions): Environment {
  const variables = variablesOf(options);
  // Types do not reach those who write JavaScript.
  if ((variables.BASE_URL ?? '') === '') {
    throw new ConfigurationError(
      'BASE_URL: missing; give baseUrl, for example http://localhost:4010/v5',
    );
  }
  readSettings(variables, 0);
  return variables;
}

/** Lets an error of the options point to where they were given. */
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

/** The titles of the tests that Vitest was asked for, out of those of one suite: all of them without `-t`. */
function selectedBeside({ task }: TestContext): string[] {
  const tests = task.suite?.tasks ?? [task];
  return tests.filter(({ mode }) => mode !== 'skip' && mode !== 'todo').map(({ name }) => name);
}
