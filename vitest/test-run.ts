import { afterAll, beforeAll, type TestContext, test } from 'vitest';
import { type Contract, type ContractOptions, openContract } from '../contract/run.ts';
import { reduced, selectedClauses } from '../contract/selection.ts';
import type { Environment } from '../helpers/config/read-settings.ts';
import { Inconclusive } from '../helpers/outcomes.ts';
import { renderExchange } from '../reports/exchange-text.ts';
import { factsOf } from '../reports/facts.ts';
import { textsOf, violationText } from '../reports/findings.ts';
import { headline, runReport } from '../reports/run-report.ts';
import { renderOnTerminal } from '../reports/terminal.ts';
import { waivedUntil, waiverOf, waiversFail } from '../reports/verdicts.ts';
import { reasonsOfClause, reasonsText, stacksOf } from '../reports/wording.ts';
import { renderPutBack } from '../reports/writes.ts';
import { type AnyScenario, clauseIdsOf, notRun } from '../runner/scenario.ts';
import { clauseResult, violationResults } from '../runner/verdicts.ts';
import { type ClauseId, clauseOf } from '../schemas/clauses.ts';
import { isUpheldInPart, type ViolationResult } from '../schemas/results.ts';

// A run whose verdicts are those of Vitest: each clause is a test. Nothing is opened while tests are collected; the
// scenarios of all tests that Vitest was asked for run together.

/** How many of the exchanges that show a violation are spelled out. */
const shownExchanges = 3;

interface TestOptions extends Pick<ContractOptions, 'reports' | 'waits'> {
  readonly tagsOf?: (id: ClauseId) => string[];
}

/**
 * Makes a test for each clause that scenarios look at. The time limits of requests and of the run end it, not those of
 * Vitest, of which 0 is none.
 * @param configure reads the variables, before the first test
 */
export function clauseTests(
  scenarios: readonly AnyScenario[],
  configure: () => Environment,
  { tagsOf = () => [], ...options }: TestOptions,
): void {
  const titles = new Map(
    selectedClauses(scenarios).map((id) => [`${id}: ${clauseOf(id).text}`, id]),
  );
  let contract: Contract | undefined;
  let isBegun = false;

  // biome-ignore lint/correctness/noEmptyPattern: Vitest takes no other first parameter
  beforeAll(async ({}, { tasks }) => {
    const wanted = new Set(
      tasks.flatMap(({ mode, name }) =>
        mode === 'skip' || mode === 'todo' ? [] : (titles.get(name) ?? []),
      ),
    );
    const chosen = scenarios.flatMap((one) => reduced(one, (id) => wanted.has(id)));
    // The test of a clause that is not judged is skipped: that does not fail the run.
    const allowed = new Set(['not judged'] as const);
    contract = await openContract(configure, { scenarios: chosen, allowed, ...options });
    const obstacle = await contract.begin();
    if (obstacle !== undefined) throw withoutFrames(new Error(obstacle));
    isBegun = true;
    // All scenarios start together. Failures are left to the tests that ask for a scenario later.
    void contract.run.runAll().catch(() => {});
  }, 0);

  for (const [title, id] of titles) {
    const ofClause = scenarios.filter((one) => clauseIdsOf(one).includes(id));
    test(title, { timeout: 0, retry: 0, tags: tagsOf(id) }, async (context) => {
      if (contract !== undefined) await judge(contract, id, ofClause, context);
    });
  }

  afterAll(async () => {
    if (contract !== undefined) await end(contract, isBegun);
  }, 0);
}

/**
 * Gives the verdict of scenarios on a clause to its test. The test fails where it is violated or inconclusive, and is
 * skipped, with the reason, where it is not judged or is waived; observations become annotations.
 */
async function judge(
  contract: Contract,
  id: ClauseId,
  scenarios: readonly AnyScenario[],
  context: TestContext,
): Promise<void> {
  const { run, leftOut } = contract;
  const found = await Promise.all(
    scenarios.map(async (scenario) => ({
      scenario: scenario.name,
      conclusions: await run.conclusionsOf(scenario),
    })),
  );
  keepDuration(context, Math.max(0, ...scenarios.map((scenario) => run.tookMs(scenario))));
  const { verdict, reasons, observed } = clauseResult(id, found, leftOut.includes(id));
  switch (verdict) {
    case 'upheld':
      context.expect(verdict).toBe('upheld');
      if (isUpheldInPart({ verdict, reasons })) {
        await context.annotate(reasonsOfClause({ verdict, reasons }), 'upheld in part');
      }
      return;
    case 'observed':
      context.expect(verdict).toBe('observed');
      for (const fact of factsOf({ id, observed })) await context.annotate(fact, 'observed');
      return;
    case 'violated': {
      const { waivers } = contract.reporting;
      const ofClause = violationResults(found).filter(({ clause }) => clause === id);
      const now = new Date().toISOString();
      const uncovered = ofClause.filter((one) => waiverOf(one, waivers, now) === undefined);
      const [waiver] = ofClause.flatMap((one) => waiverOf(one, waivers, now) ?? []);
      if (uncovered.length === 0 && waiver !== undefined) {
        return context.skip(waivedUntil(waiver));
      }
      throw failure(uncovered, contract);
    }
    case 'error':
      throw withoutFrames(new Error([reasonsText(reasons), ...stacksOf(reasons)].join('\n')));
    case 'inconclusive':
      throw withoutFrames(new Inconclusive(reasonsText(reasons)));
    default:
      return context.skip(reasonsText(reasons));
  }
}

/**
 * To be called after all tests: puts the tasks back, lets go of the target and writes the reports.
 * @throws Error where nothing was judged, tasks could not be put back, or a waiver can go
 */
async function end(contract: Contract, isBegun: boolean): Promise<void> {
  const { run } = contract;
  // Tests may end before scenarios do, as after the first failure with `--bail`.
  run.giveUp(notRun('The tests ended before it was run.'));
  // What failed has failed its tests.
  await run.runAll().catch(() => {});
  const finished = await contract.finish();
  const { results, review, failures, putBack, isPutBack } = finished;
  // Vitest prints no verdict of a run, but that the embedded service was judged must be seen.
  if (results.target.kind === 'embedded') {
    const screen = { color: false, width: Number.POSITIVE_INFINITY, detail: 'quiet' } as const;
    process.stderr.write(renderOnTerminal(runReport(finished), screen));
  }
  if (failures.length > 0) throw failures[0];
  if (!isPutBack) throw new Error(renderPutBack(putBack));
  // If all tests are skipped, Vitest passes. Where the run could not begin, `beforeAll` has failed them.
  const isUnjudged = isBegun && results.verdict === 'not run';
  if (isUnjudged || waiversFail(review)) {
    throw new Error(headline(results, review).sentence);
  }
}

/** The error of a violated clause: its first violation, its scenarios, and the first exchanges. */
function failure(violations: readonly ViolationResult[], { run }: Contract): Error {
  const [first] = violations;
  if (first === undefined) throw new Error('A clause is violated by nothing.');
  const { on, intermittent } = first;
  const { expected, actual } = textsOf(first);
  const numbers = on.map(({ exchange }) => exchange);
  const shown = run.exchanges.filter(({ number }) => numbers.includes(number));
  const text = [
    `${violationText(first)}${intermittent ? ' (not each time)' : ''}`,
    `In: ${violations.map(({ scenario }) => scenario).join('; ')}`,
    ...shown.slice(0, shownExchanges).map((exchange) => `\n${renderExchange(exchange)}`),
  ].join('\n');
  // Vitest shows the difference between `expected` and `actual`.
  return withoutFrames(Object.assign(new Error(text), { name: 'Violation', expected, actual }));
}

/** The error without a stack: our code says nothing about the service. */
function withoutFrames<E extends Error>(error: E): E {
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

/** Sets the duration of a test to that of its scenarios: Vitest would count how long it waited for others too. */
function keepDuration({ task }: TestContext, milliseconds: number): void {
  if (task.result === undefined) return;
  const get = (): number => milliseconds;
  Object.defineProperty(task.result, 'duration', { get, set: () => {}, enumerable: true });
}
