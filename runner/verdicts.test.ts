import { describe, expect, test } from 'vitest';
import { Violation } from '../helpers/outcomes.ts';
import type { ClauseId } from '../schemas/clauses.ts';
import { clauseIds } from '../schemas/clauses.ts';
import type { ClauseResult, ClauseVerdict } from '../schemas/results.ts';
import type { Finding } from './play.ts';
import { clauseResults, exitCode, type Played, runVerdict, violationResults } from './verdicts.ts';

const violation = new Violation('a read', { expected: 'a field', actual: 'none', on: [] });
const violated: Finding = { kind: 'violated', violation, intermittent: false };
const upheld: Finding = { kind: 'upheld' };
const inconclusive = (reason: string): Finding => ({ kind: 'inconclusive', reason });
const notJudged = (reason: string): Finding => ({ kind: 'not judged', reason });
const observed = (...values: string[]): Finding => ({ kind: 'observed', values });

function played(id: ClauseId, ...findings: Finding[]): Played[] {
  return findings.map((finding, index) => ({
    scenario: `story ${index + 1}`,
    findings: new Map([[id, finding]]),
  }));
}

function resultOf(id: ClauseId, ...findings: Finding[]): ClauseResult | undefined {
  return clauseResults(played(id, ...findings)).find((result) => result.id === id);
}

describe('of what scenarios say of one clause', () => {
  test.for([
    ['violated', [upheld, inconclusive('a'), violated, notJudged('b')]],
    ['inconclusive', [upheld, inconclusive('a'), notJudged('b')]],
    ['upheld', [notJudged('a'), upheld]],
    ['not judged', [notJudged('a')]],
    ['not judged', []],
  ] as const)('the gravest decides: %s', ([verdict, findings]) => {
    expect(resultOf('task.id', ...findings)?.verdict).toBe(verdict);
  });

  test('an observation that one made is not taken back by another', () => {
    const result = resultOf(
      'update.success-status',
      observed('204'),
      inconclusive('no answer'),
      observed('204', '200'),
    );
    expect(result).toMatchObject({ verdict: 'observed', observed: ['200', '204'], reason: '' });
  });

  test('reasons are told once, also where only the number of the exchange differs', () => {
    const result = resultOf(
      'task.id',
      inconclusive('GET /tasks/1: no answer (#4)'),
      inconclusive('GET /tasks/1: no answer (#9)'),
      inconclusive('The task was changed by somebody else.'),
    );
    expect(result?.reason).toBe(
      'GET /tasks/1: no answer (#4) The task was changed by somebody else.',
    );
  });

  test('the scenarios that judged it are named, those that could not are not', () => {
    expect(resultOf('task.id', upheld, notJudged('a'))?.scenarios).toEqual(['story 1']);
  });

  test('nobody looked, and nothing was seen, are two reasons', () => {
    expect(resultOf('task.id')?.reason).toBe('No scenario that was selected looks at it.');
    expect(resultOf('update.success-status', { kind: 'nothing seen' })?.reason).toBe(
      'Nothing to see of it came up.',
    );
  });

  test('what nobody can test says why', () => {
    const result = resultOf('errors.unexpected-error-is-500');
    expect(result?.verdict).toBe('untestable');
    expect(result?.reason).not.toBe('');
  });
});

test('every clause has a result, in the order of the catalogue', () => {
  expect(clauseResults([]).map(({ id }) => id)).toEqual(clauseIds);
});

test('every violation is listed with its scenario', () => {
  expect(violationResults(played('task.id', violated, upheld, violated))).toEqual(
    ['story 1', 'story 3'].map((scenario) => ({
      clause: 'task.id',
      scenario,
      message: 'a read: expected a field, got none',
      expected: 'a field',
      actual: 'none',
      intermittent: false,
      exchanges: [],
    })),
  );
});

describe('the verdict of a run', () => {
  const results = (...verdicts: ClauseVerdict[]): ClauseResult[] =>
    verdicts.map((verdict) => ({
      id: 'task.id',
      level: verdict === 'observed' ? 'open' : 'stated',
      section: '',
      text: '',
      verdict,
      reason: '',
      scenarios: [],
      observed: [],
    }));

  test.for([
    ['conformant', ['upheld', 'observed', 'untestable']],
    ['violations', ['upheld', 'violated', 'inconclusive']],
    ['violations', ['violated', 'not judged']],
    ['incomplete', ['upheld', 'inconclusive']],
    ['incomplete', ['upheld', 'not judged']],
    ['not run', ['inconclusive', 'not judged']],
    ['not run', ['observed', 'untestable']],
    ['not run', []],
  ] as const)('%s: %s', ([verdict, verdicts]) => {
    expect(runVerdict(results(...verdicts))).toBe(verdict);
  });

  test('an open clause that was not observed takes nothing from it', () => {
    const open = results('not judged').map((result) => ({ ...result, level: 'open' as const }));
    expect(runVerdict([...results('upheld'), ...open])).toBe('conformant');
  });
});

test('exit codes', () => {
  expect(exitCode('conformant')).toBe(0);
  expect(exitCode('violations')).toBe(1);
  expect(exitCode('not run')).toBe(2);
  expect(exitCode('incomplete')).toBe(3);
});

test('what is allowed to be incomplete is not allowed to be anything else', () => {
  expect(exitCode('incomplete', { allowIncomplete: true })).toBe(0);
  expect(exitCode('violations', { allowIncomplete: true })).toBe(1);
  expect(exitCode('not run', { allowIncomplete: true })).toBe(2);
});

test('waivers that are to fail a run fail it, but for one that judged nothing', () => {
  expect(exitCode('conformant', { waiversFail: true })).toBe(1);
  expect(exitCode('incomplete', { allowIncomplete: true, waiversFail: true })).toBe(1);
  expect(exitCode('not run', { waiversFail: true })).toBe(2);
});

test('what left tasks changed is not complete, whatever is allowed', () => {
  expect(exitCode('conformant', { tasksLeftChanged: true })).toBe(3);
  expect(exitCode('incomplete', { allowIncomplete: true, tasksLeftChanged: true })).toBe(3);
  expect(exitCode('violations', { tasksLeftChanged: true })).toBe(1);
});
