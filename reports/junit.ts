import type { ClauseResult, Results, ViolationResult } from '../schemas/results.ts';
import { bySection, countByVerdict } from './grouping.ts';
import { counted, headline } from './wording.ts';
import { escaped, escapedLine } from './xml.ts';

/**
 * The results as JUnit XML: a test case for each clause, a class for each section of the document, level and
 * verdict as properties. Violations are failures; whatever was not decided is skipped, with the reason.
 */
export function renderJunit(results: Results): string {
  const suites = [...bySection(results.clauses)].map(([section, clauses]) =>
    suite(section, clauses, results),
  );
  const unstarted = results.verdict === 'not run';
  const counts = attributes(countsOf(results.clauses, unstarted ? 1 : 0));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="contract" ${counts} time="${(results.durationMs / 1000).toFixed(3)}">`,
    ...(unstarted ? unstartedSuite(results) : []),
    ...suites.flat(),
    '</testsuites>',
    '',
  ].join('\n');
}

// Skipped cases alone would pass for a green run.
function unstartedSuite(results: Results): string[] {
  return [
    `  <testsuite name="Run" ${attributes(countsOf([], 1))} time="0">`,
    '    <testcase classname="Run" name="something could be judged" time="0">',
    `      <error message="${escapedLine(headline(results).sentence)}"/>`,
    '    </testcase>',
    '  </testsuite>',
  ];
}

function suite(section: string, clauses: readonly ClauseResult[], results: Results): string[] {
  const timestamp = results.startedAt.replace(/(?:\.\d+)?Z$/, '');
  return [
    `  <testsuite name="${escapedLine(section)}" ${attributes(countsOf(clauses))} time="0" timestamp="${escapedLine(timestamp)}">`,
    '    <properties>',
    property(6, 'target', results.target.baseUrl),
    property(6, 'seed', String(results.seed)),
    '    </properties>',
    ...clauses.flatMap((clause) =>
      testCase(
        clause,
        results.violations.filter((violation) => violation.clause === clause.id),
      ),
    ),
    '  </testsuite>',
  ];
}

function testCase(clause: ClauseResult, violations: readonly ViolationResult[]): string[] {
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
    ...outcome(clause, violations),
    '    </testcase>',
  ];
}

function outcome(clause: ClauseResult, violations: readonly ViolationResult[]): string[] {
  switch (clause.verdict) {
    case 'upheld':
    case 'observed':
      return [];
    case 'violated':
      return [failure(clause, violations)];
    case 'inconclusive':
    case 'not judged':
    case 'untestable':
      return [`      <skipped message="${escapedLine(`${clause.verdict}: ${clause.reason}`)}"/>`];
  }
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

interface Counts {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
}

function countsOf(clauses: readonly ClauseResult[], errors = 0): Counts {
  const { violated, inconclusive, 'not judged': notJudged, untestable } = countByVerdict(clauses);
  return {
    tests: clauses.length + errors,
    failures: violated,
    errors,
    skipped: inconclusive + notJudged + untestable,
  };
}

function attributes({ tests, failures, errors, skipped }: Counts): string {
  return `tests="${tests}" failures="${failures}" errors="${errors}" skipped="${skipped}"`;
}
