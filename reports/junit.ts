import {
  type ClauseResult,
  type ClauseVerdict,
  isUpheldInPart,
  type Results,
  type ViolationResult,
} from '../schemas/results.ts';
import { factsOf } from './facts.ts';
import { findingsOf } from './findings.ts';
import { bySection, unallowedClauses, violatedClauses } from './grouping.ts';
import { escaped, escapedLine } from './printable.ts';
import { noWaivers, type WaiverReview, waivedUntil, waiversFail } from './waivers.ts';
import {
  counted,
  exchangeNumbers,
  exchangesOf,
  headline,
  reasonsOfClause,
  reasonsText,
  stacksOf,
  textsOf,
  violationText,
} from './wording.ts';

interface Case {
  readonly clause: ClauseResult;
  readonly violations: readonly ViolationResult[];
  /** Ids of the other clauses that the same findings violate. */
  readonly alike: readonly string[];
  /** Why the case counts neither as passed nor as failed. */
  readonly skipped?: string;
  /** Why it was not decided, where the run fails for that. */
  readonly undecided?: string;
}

/**
 * The results as JUnit XML: a test case for each clause, a class for each section of the document, level and
 * verdict as properties. Violations are failures, but for waived ones; failures of the suite itself are errors, and so is
 * what was not decided where the run fails for it; else that is skipped, with the reason.
 * @param allowed the verdicts that did not make the run fail
 */
export function renderJunit(
  results: Results,
  review: WaiverReview = noWaivers,
  allowed: ReadonlySet<ClauseVerdict> = new Set(),
): string {
  const errors = runErrors(results, review);
  // Where nothing was judged, one error says why; the same one for each clause would say no more.
  const failing = new Set(
    results.verdict === 'not run' ? [] : unallowedClauses(results, allowed).map(({ id }) => id),
  );
  const sections = [...bySection(results.clauses)].map(([section, clauses]) => ({
    section,
    cases: clauses.map((clause) => caseOf(clause, results, review, failing.has(clause.id))),
  }));
  const counts = countsOf(
    sections.flatMap(({ cases }) => cases),
    errors.length,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="contract${headline(results).of}" ${counts} time="${(results.durationMs / 1000).toFixed(3)}">`,
    ...runSuite(errors),
    ...sections.flatMap(({ section, cases }) => suite(section, cases, results)),
    '</testsuites>',
    '',
  ].join('\n');
}

function caseOf(
  clause: ClauseResult,
  results: Results,
  review: WaiverReview,
  fails: boolean,
): Case {
  const isWaived = review.waivedClauses.has(clause.id);
  const violations = results.violations.filter(
    (violation) => violation.clause === clause.id && (isWaived || !review.covered.has(violation)),
  );
  const waiver = isWaived ? review.waived.find((one) => one.clause === clause.id) : undefined;
  const why = waiver === undefined ? whyUndecided(clause) : waivedUntil(waiver);
  const others = findingsOf(violatedClauses(results, review.covered))
    .filter((finding) => violations.some((one) => finding.violations.includes(one)))
    .flatMap((finding) => finding.clauses.map(({ id }) => id));
  const alike = [...new Set(others)].filter((id) => id !== clause.id);
  return {
    clause,
    violations,
    alike,
    ...(why !== undefined && { [fails ? 'undecided' : 'skipped']: why }),
  };
}

function whyUndecided({ verdict, reasons }: ClauseResult): string | undefined {
  switch (verdict) {
    case 'upheld':
    case 'observed':
    case 'violated':
    case 'error':
      return undefined;
    case 'inconclusive':
    case 'not judged':
    case 'untestable':
      return `${verdict}: ${reasonsText(reasons)}`;
  }
}

interface RunError {
  /** What should be so. */
  readonly name: string;
  readonly message: string;
}

/** What fails a run without a violated clause: skipped cases alone would pass for a green run. */
function runErrors(results: Results, review: WaiverReview): RunError[] {
  const { sentence } = headline(results, review);
  const failed = results.leftChanged?.some(({ outcome }) => outcome === 'failed') ?? false;
  return [
    ...(results.verdict === 'not run'
      ? [{ name: 'something could be judged', message: sentence }]
      : []),
    ...(failed ? [{ name: 'every task is as it was before', message: sentence }] : []),
    ...(waiversFail(review) ? [{ name: 'no waiver is stale', message: sentence }] : []),
  ];
}

function runSuite(errors: readonly RunError[]): string[] {
  if (errors.length === 0) return [];
  return [
    `  <testsuite name="Run" ${countsOf([], errors.length)} time="0">`,
    ...errors.flatMap(({ name, message }) => [
      `    <testcase classname="Run" name="${name}" time="0">`,
      `      <error message="${escapedLine(message)}"/>`,
      '    </testcase>',
    ]),
    '  </testsuite>',
  ];
}

function suite(section: string, cases: readonly Case[], results: Results): string[] {
  const timestamp = escapedLine(results.startedAt.replace(/(?:\.\d+)?Z$/, ''));
  return [
    `  <testsuite name="${escapedLine(section)}" ${countsOf(cases)} time="0" timestamp="${timestamp}">`,
    '    <properties>',
    property(6, 'target', results.target.baseUrl),
    property(6, 'seed', String(results.seed)),
    property(6, 'suite', results.suite),
    '    </properties>',
    ...cases.flatMap(testCase),
    '  </testsuite>',
  ];
}

function testCase({ clause, violations, alike, skipped, undecided }: Case): string[] {
  const name = `${clause.id}: ${clause.text}`;
  return [
    `    <testcase classname="${escapedLine(clause.section)}" name="${escapedLine(name)}" time="0">`,
    '      <properties>',
    property(8, 'clause', clause.id),
    property(8, 'level', clause.level),
    property(8, 'verdict', clause.verdict),
    ...clause.scenarios.map((scenario) => property(8, 'scenario', scenario)),
    ...factsOf(clause).map((observed) => property(8, 'observed', observed)),
    '      </properties>',
    ...(skipped === undefined ? [] : [`      <skipped message="${escapedLine(skipped)}"/>`]),
    ...(skipped === undefined && clause.verdict === 'violated'
      ? [failure(clause, violations, alike)]
      : []),
    ...(undecided === undefined
      ? []
      : [`      <error type="Undecided" message="${escapedLine(undecided)}"/>`]),
    ...(skipped === undefined && clause.verdict === 'error' ? [suiteError(clause)] : []),
    // It passes; what readers of JUnit show beside that says that it is not whole.
    ...(undecided === undefined && isUpheldInPart(clause)
      ? [`      <system-out>${escapedLine(reasonsOfClause(clause))}</system-out>`]
      : []),
    '    </testcase>',
  ];
}

// One failure a case: readers of JUnit disagree about more.
function failure(
  { reasons }: ClauseResult,
  violations: readonly ViolationResult[],
  alike: readonly string[],
): string {
  const [first, ...more] = violations;
  const message = first === undefined ? reasonsText(reasons) : violationText(first);
  const rest = more.length === 0 ? '' : ` (and ${counted(more.length, 'more violation')})`;
  const text = violations.map((violation) =>
    [
      `${violation.scenario}${violation.intermittent ? ' (intermittent)' : ''}`,
      `  ${violationText(violation)}`,
      `  expected: ${textsOf(violation).expected}`,
      `  actual:   ${textsOf(violation).actual}`,
      `  exchanges: ${exchangeNumbers(exchangesOf(violation))}`,
    ].join('\n'),
  );
  if (alike.length > 0) text.push(`The same finding violates ${alike.join(', ')}.`);
  return `      <failure type="Violation" message="${escapedLine(message + rest)}">${escaped(text.join('\n\n'))}</failure>`;
}

function suiteError({ reasons }: ClauseResult): string {
  const stacks = stacksOf(reasons).join('\n\n');
  return `      <error type="SuiteFailure" message="${escapedLine(reasonsText(reasons))}">${escaped(stacks)}</error>`;
}

function property(indent: number, name: string, value: string): string {
  return `${' '.repeat(indent)}<property name="${name}" value="${escapedLine(value)}"/>`;
}

function countsOf(cases: readonly Case[], runErrors = 0): string {
  const skipped = cases.filter((one) => one.skipped !== undefined).length;
  const having = (verdict: ClauseResult['verdict']): number =>
    cases.filter((one) => one.skipped === undefined && one.clause.verdict === verdict).length;
  const undecided = cases.filter((one) => one.undecided !== undefined).length;
  const errors = having('error') + undecided + runErrors;
  return `tests="${cases.length + runErrors}" failures="${having('violated')}" errors="${errors}" skipped="${skipped}"`;
}
