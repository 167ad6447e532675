import { describe, expect, test } from 'vitest';
import type { ClauseVerdict, Results, ViolationResult } from '../schemas/results.ts';
import { renderOnTerminal } from './blocks-terminal.ts';
import {
  conformantRun,
  hostileRun,
  interruptedRun,
  toldRun,
  violatedRun,
} from './example-results.fixture.ts';
import { nameOfTarget, recurrences, recurrenceText } from './recurrence.ts';
import { runReport } from './run-report.ts';

const [first] = violatedRun.violations;
if (first === undefined) throw new Error('There is no violation.');

/** A run that says this of the clause of the first violation, and shows that one where it is violated. */
function runOf(
  verdict: ClauseVerdict,
  violation: ViolationResult = first as ViolationResult,
): Results {
  const isNotJudged = verdict === 'not judged';
  return {
    ...conformantRun,
    clauses: conformantRun.clauses.map((one) =>
      one.id === violation.clause
        ? { ...one, verdict, reasons: isNotJudged ? [{ kind: 'nothing seen' }] : [] }
        : one,
    ),
    violations: verdict === 'violated' ? [violation] : [],
  };
}

/** What is said of the first violation over runs, the oldest first: ✗ violated, ✓ upheld, - not judged, ? inconclusive. */
function said(marks: string, violation?: ViolationResult): string[] {
  const verdicts = {
    '✗': 'violated',
    '✓': 'upheld',
    '-': 'not judged',
    '?': 'inconclusive',
  } as const;
  const runs = [...marks].map((mark) => runOf(verdicts[mark as keyof typeof verdicts], violation));
  const [results = conformantRun, ...history] = runs.toReversed();
  return recurrences(results, history.toReversed()).map(recurrenceText);
}

describe('a finding', () => {
  test.for([
    ['✓✗', ['new']],
    ['-✗', ['new']],
    ['✗✗', ['still there, 2 runs in a row']],
    ['✓✗✗', ['still there, 2 runs in a row']],
    ['✓✗-✗', ['still there, 2 runs in a row']],
    ['✗✓', ['gone']],
    ['✗?', ['not judged']],
    ['✗-', ['not judged']],
    ['✗✓✗', ['comes and goes: in 2 of 3 runs']],
    ['✗✓✗✗', ['comes and goes: in 3 of 4 runs']],
    ['✓✗✓', ['not seen now, comes and goes: in 1 of 3 runs']],
    ['✓✓', []],
  ] as const)('over the runs %s', ([marks, texts]) => {
    expect(said(marks)).toEqual(texts);
  });

  test('that was intermittent, and is not seen, may still be there', () => {
    expect(said('✗✓', { ...first, intermittent: true })).toEqual([
      'not seen, and was intermittent',
    ]);
  });

  test('is the same one whichever scenario, request and value show it', () => {
    const { difference } = first;
    const other = {
      ...first,
      scenario: 'another',
      difference: { ...difference, actual: '"Else"' },
    };
    const results = runOf('violated', other as ViolationResult);
    expect(recurrences(results, [runOf('violated')]).map(recurrenceText)).toEqual([
      'still there, 2 runs in a row',
    ]);
  });
});

/** The end of the terminal, behind the findings. */
function lastScreen(results: Results, history: readonly Results[]): string {
  const text = renderOnTerminal(runReport(toldRun({ results, history })), {
    color: false,
    width: 100,
  });
  return text.slice(text.lastIndexOf('\nSince the run of'));
}

describe('the last screen', () => {
  test('names what is gone, and counts the rest', () => {
    const before = { ...violatedRun, target: conformantRun.target };
    expect(lastScreen(conformantRun, [before])).toMatch(
      /^\nSince the run of 2026-11-05 09:30:00 UTC\n {2}findings: \d gone \(judged again, and not seen\); another verdict on 2 clauses\n\n {2}gone: PUT …\/update-assignment/,
    );
  });

  test('names the address where it was another one, whatever the port', () => {
    expect(lastScreen(conformantRun, [violatedRun])).toContain(
      'which was of https://eu.staging.example/v5: ',
    );
  });

  test('says that nothing changed', () => {
    expect(lastScreen(conformantRun, [conformantRun])).toContain('  nothing changed\n');
  });

  test('calls nothing gone that an interrupted run has not judged', () => {
    const text = lastScreen(interruptedRun, [{ ...violatedRun, target: interruptedRun.target }]);
    expect(text).toContain(
      'not judged: PUT …/update-assignment accepts an If-Match one version old',
    );
  });

  test('is steered by nothing that a target sent', () => {
    const text = lastScreen(conformantRun, [hostileRun]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what steers a terminal
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|^::/m);
  });
});

test.for([
  [{ kind: 'embedded', baseUrl: 'http://127.0.0.1:4010/v5' }, 'embedded'],
  [{ kind: 'remote', baseUrl: 'http://127.0.0.1:4010/v5' }, '127.0.0.1-v5'],
  [{ kind: 'remote', baseUrl: 'https://[::1]:4010/v5' }, '-1-v5'],
  [{ kind: 'remote', baseUrl: 'https://eu.staging.example/v5' }, 'eu.staging.example-v5'],
  [{ kind: 'remote', baseUrl: 'https://a.example/v5', envFile: 'regions/eu.env' }, 'eu.env'],
] as const)('the runs of %o are known as %s', ([target, name]) => {
  expect(nameOfTarget(target)).toBe(name);
});
