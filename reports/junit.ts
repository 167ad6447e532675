import type { ClauseResult, Results, ViolationResult } from '../schemas/results.ts';
import type { Waiver } from '../schemas/waivers.ts';
import { bySection } from './grouping.ts';
import { noWaivers, type WaiverReview } from './waivers.ts';
import { counted, headline } from './wording.ts';
import { escaped, escapedLine } from './xml.ts';

interface Case {
  readonly clause: ClauseResult;
  readonly violations: readonly ViolationResult[];
  /** Why the case counts neither as passed nor as failed. */
  readonly skipped?: string;
}

/**
 * The results as JUnit XML: a test case for each clause, a class for each section of the document, level and
 * verdict as properties. Violations are failures, but for waived ones; whatever was not decided is skipped,
 * with the reason.
 */
export function renderJunit(results: Results, review: WaiverReview = noWaivers): string {
  const unstarted = results.verdict === 'not run';
  const sections = [...bySection(results.clauses)].map(([section, clauses]) => ({
    section,
    cases: clauses.map((clause) => caseOf(clause, results, review)),
  }));
  const counts = countsOf(
    sections.flatMap(({ cases }) => cases),
    unstarted ? 1 : 0,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="contract" ${counts} time="${(results.durationMs / 1000).toFixed(3)}">`,
    ...(unstarted ? unstartedSuite(results) : []),
    ...sections.flatMap(({ section, cases }) => suite(section, cases, results)),
    '</testsuites>',
    '',
  ].join('\n');
}

function caseOf(clause: ClauseResult, results: Results, review: WaiverReview): Case {
  const violations = results.violations.filter((violation) => violation.clause === clause.id);
  const waiver = review.waived.find((one) => one.clause === clause.id);
  const skipped = waiver === undefined ? whySkipped(clause) : waived(waiver);
  return { clause, violations, ...(skipped !== undefined && { skipped }) };
}

function whySkipped({ verdict, reason }: ClauseResult): string | undefined {
  switch (verdict) {
    case 'upheld':
    case 'observed':
    case 'violated':
      return undefined;
    case 'inconclusive':
    case 'not judged':
    case 'untestable':
      return `${verdict}: ${reason}`;
  }
}

function waived({ reason, owner, issue, expires }: Waiver): string {
  return `violated, and waived until ${expires}: ${reason} (${owner}, ${issue})`;
}

// Skipped cases alone would pass for a green run.
function unstartedSuite(results: Results): string[] {
  return [
    `  <testsuite name="Run" ${countsOf([], 1)} time="0">`,
    '    <testcase classname="Run" name="something could be judged" time="0">',
    `      <error message="${escapedLine(headline(results).sentence)}"/>`,
    '    </testcase>',
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
    '    </properties>',
    ...cases.flatMap(testCase),
    '  </testsuite>',
  ];
}

function testCase({ clause, violations, skipped }: Case): string[] {
  const name = `${clause.id}: ${clause.text}`;
  return [
    `    <testcase classname="${escapedLine(clause.section)}" name="${escapedLine(name)}" time="0">`,
    '      <properties>',
    property(8, 'clause', clause.id),
    property(8, 'level', clause.level),
    property(8, 'verdict', clause.verdict),
    ...clause.scenarios.map((scenario) => property(8, 'scenario', scenario)),
    ...clause.observed.map((observed) => property(8, 'observed', observed)),
    '      </properties>',
    ...(skipped === undefined ? [] : [`      <skipped message="${escapedLine(skipped)}"/>`]),
    ...(skipped === undefined && clause.verdict === 'violated'
      ? [failure(clause, violations)]
      : []),
    '    </testcase>',
  ];
}

// One failure a case: readers of JUnit disagree about more.
function failure({ reason }: ClauseResult, violations: readonly ViolationResult[]): string {
  const [first, ...more] = violations;
  const message = first?.message ?? reason;
  const rest = more.length === 0 ? '' : ` (and ${counted(more.length, 'more violation')})`;
  const text = violations.map((violation) =>
    [
      `${violation.scenario}${violation.intermittent ? ' (intermittent)' : ''}`,
      `  ${violation.message}`,
      `  expected: ${violation.expected}`,
      `  actual:   ${violation.actual}`,
      `  exchanges: ${violation.exchanges.map((number) => `#${number}`).join(', ')}`,
    ].join('\n'),
  );
  return `      <failure type="Violation" message="${escapedLine(message + rest)}">${escaped(text.join('\n\n'))}</failure>`;
}

function property(indent: number, name: string, value: string): string {
  return `${' '.repeat(indent)}<property name="${name}" value="${escapedLine(value)}"/>`;
}

function countsOf(cases: readonly Case[], errors = 0): string {
  const skipped = cases.filter((one) => one.skipped !== undefined).length;
  const failures = cases.filter(
    (one) => one.skipped === undefined && one.clause.verdict === 'violated',
  ).length;
  return `tests="${cases.length + errors}" failures="${failures}" errors="${errors}" skipped="${skipped}"`;
}
