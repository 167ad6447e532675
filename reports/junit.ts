import { groupBy } from '../helpers/maps.ts';
import type { ClauseResult, ClauseVerdict, ViolationResult } from '../schemas/results.ts';
import { factsOf } from './facts.ts';
import { findingsOf, textsOf, violationText } from './findings.ts';
import { escaped, printableLine } from './printable.ts';
import { headline, type ToldRun } from './run-report.ts';
import { toldVerdict, unallowedClauses, waivedUntil, waiversFail } from './verdicts.ts';
import {
  counted,
  exchangeNumbers,
  exchangesOf,
  present,
  reasonsOfClause,
  reasonsText,
  stacksOf,
} from './wording.ts';

type Properties = readonly (readonly [name: string, value: string])[];

/** A test case, with one element at most besides its properties, for readers of JUnit disagree about more. */
interface Case {
  readonly section: string;
  readonly name: string;
  readonly properties: Properties;
  /** A case without such an element passes; one with `system-out` too: its clause is upheld only in part. */
  readonly is?: 'failure' | 'error' | 'skipped' | 'system-out';
  readonly type?: string;
  readonly message?: string;
  readonly text?: string;
}

type Outcome = Omit<Case, 'section' | 'name' | 'properties'>;

type Run = Pick<ToldRun, 'results' | 'review'>;

/**
 * The results as JUnit XML: a test case for each clause, a class for each section of the document, level and verdict as
 * properties. Violations are failures, unless waived. Failures of the suite are errors, and so are undecided clauses
 * for which the run fails; other undecided clauses are skipped, with the reason.
 * @param allowed the verdicts that did not make the run fail
 */
export function renderJunit(run: Run, allowed: ReadonlySet<ClauseVerdict>): string {
  const { results } = run;
  // Where nothing was judged, one error says why; the same one for each clause would say no more.
  const failing = new Set(
    results.verdict === 'not run' ? [] : unallowedClauses(results, allowed).map(({ id }) => id),
  );
  const caseOf = (clause: ClauseResult): Case => ({
    section: clause.section,
    name: `${clause.id}: ${clause.text}`,
    properties: [
      ['clause', clause.id],
      ['level', clause.level],
      ['verdict', clause.verdict],
      ...clause.scenarios.map((scenario) => ['scenario', scenario] as const),
      ...factsOf(clause).map((observed) => ['observed', observed] as const),
    ],
    ...outcomeOf(clause, run, failing.has(clause.id)),
  });
  const cases = [...runErrors(run), ...results.clauses.map(caseOf)];
  const name = `contract${headline(results).of}`;
  const time = (results.durationMs / 1000).toFixed(3);
  const timestamp = results.startedAt.replace(/(?:\.\d+)?Z$/, '');
  const suites = [...groupBy(cases, ({ section }) => section)];
  const lines = element(
    'testsuites',
    { name, ...countsOf(cases), time },
    suites.flatMap(([section, own]) =>
      element('testsuite', { name: section, ...countsOf(own), time: 0, timestamp }, [
        ...propertiesOf([
          ['target', results.target.baseUrl],
          ['seed', `${results.seed}`],
          ['suite', results.suite],
        ]),
        ...own.flatMap(caseLines),
      ]),
    ),
  );
  return ['<?xml version="1.0" encoding="UTF-8"?>', ...lines, ''].join('\n');
}

/** The element of a clause's case. @param fails whether being undecided fails the run */
function outcomeOf(clause: ClauseResult, run: Run, fails: boolean): Outcome {
  const { review } = run;
  const { id, verdict, reasons } = clause;
  const waiver = review.waivedClauses.has(id) && review.waived.find((one) => one.clause === id);
  if (waiver) return { is: 'skipped', message: waivedUntil(waiver) };
  switch (toldVerdict(clause)) {
    case 'observed':
    case 'upheld':
      return {};
    case 'upheld in part':
      return { is: 'system-out', text: printableLine(reasonsOfClause(clause)) };
    case 'violated':
      return failure(clause, run);
    case 'error':
      return {
        is: 'error',
        type: 'SuiteFailure',
        message: reasonsText(reasons),
        text: stacksOf(reasons).join('\n\n'),
      };
    case 'inconclusive':
    case 'not judged':
    case 'left out':
    case 'untestable':
    case 'waived': {
      const message = `${verdict}: ${reasonsText(reasons)}`;
      return fails ? { is: 'error', type: 'Undecided', message } : { is: 'skipped', message };
    }
  }
}

function failure({ id, reasons }: ClauseResult, { results, review }: Run): Outcome {
  const counts = (violation: ViolationResult): boolean => !review.covered.has(violation);
  const violations = results.violations.filter((one) => one.clause === id && counts(one));
  const otherClauses = findingsOf(results, counts)
    .filter((finding) => violations.some((one) => finding.violations.includes(one)))
    .flatMap(({ clauses }) => clauses.flatMap((one) => (one.id === id ? [] : one.id)));
  const [first, ...more] = violations;
  const message = first === undefined ? reasonsText(reasons) : violationText(first);
  const rest = more.length === 0 ? '' : ` (and ${counted(more.length, 'more violation')})`;
  const same = [...new Set(otherClauses)].join(', ');
  const texts = present(
    ...violations.map(violationLines),
    same !== '' && `The same finding violates ${same}.`,
  );
  return { is: 'failure', type: 'Violation', message: message + rest, text: texts.join('\n\n') };
}

function violationLines(violation: ViolationResult): string {
  const { expected, actual } = textsOf(violation);
  return [
    `${violation.scenario}${violation.intermittent ? ' (intermittent)' : ''}`,
    `  ${violationText(violation)}`,
    `  expected: ${expected}`,
    `  actual:   ${actual}`,
    `  exchanges: ${exchangeNumbers(exchangesOf(violation))}`,
  ].join('\n');
}

/** Cases for what else fails a run, named for what should hold: skipped cases alone would look like a green run. */
function runErrors({ results, review }: Run): Case[] {
  const message = headline(results, review).sentence;
  const failed = results.leftChanged.some(({ outcome }) => outcome === 'failed');
  const names = present(
    results.verdict === 'not run' && 'something could be judged',
    failed && 'every task is as it was before',
    waiversFail(review) && 'no waiver is stale',
  );
  return names.map((name) => ({ section: 'Run', name, properties: [], is: 'error', message }));
}

function caseLines({ section, name, properties, is, text, type, message }: Case): string[] {
  return element('testcase', { classname: section, name, time: 0 }, [
    ...propertiesOf(properties),
    ...(is === undefined ? [] : element(is, { type, message }, text)),
  ]);
}

function propertiesOf(properties: Properties): string[] {
  const lines = properties.flatMap(([name, value]) => element('property', { name, value }));
  return lines.length === 0 ? [] : element('properties', {}, lines);
}

function countsOf(cases: readonly Case[]) {
  const count = (wanted: Outcome['is']): number => cases.filter(({ is }) => is === wanted).length;
  const [failures, errors, skipped] = [count('failure'), count('error'), count('skipped')];
  return { tests: cases.length, failures, errors, skipped };
}

/** The lines of an element. @param content the lines of the elements in it, or its text */
function element(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  content?: readonly string[] | string,
): string[] {
  const texts = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : `${key}="${escaped(printableLine(`${value}`))}"`,
  );
  const start = `<${[name, ...texts].join(' ')}`;
  if (content === undefined) return [`${start}/>`];
  if (typeof content === 'string') return [`${start}>${escaped(content)}</${name}>`];
  return [`${start}>`, ...content.map((line) => `  ${line}`), `</${name}>`];
}
