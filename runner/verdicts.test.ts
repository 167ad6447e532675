import { describe, expect, test } from 'vitest';
import { exchange } from '../helpers/http/exchange.fixture.ts';
import type { ViolationFields } from '../helpers/outcomes.ts';
import { type ClauseId, clauseIds } from '../schemas/clauses.ts';
import type { ClauseResult, ClauseVerdict, Reason } from '../schemas/results.ts';
import { type Conclusion, notRun } from './scenario.ts';
import {
  clauseResults,
  exitCode,
  requestCounts,
  runVerdict,
  type ScenarioConclusions,
  violationResults,
} from './verdicts.ts';

const violation: ViolationFields = {
  difference: { kind: 'other', wrong: 'answers with another task' },
  on: [],
};
const violated: Conclusion = { kind: 'violated', violation, intermittent: false };
const upheld: Conclusion = { kind: 'upheld' };
const because = (why: string, ...on: number[]): Reason => ({ kind: 'inconclusive', why, on });
const inconclusive = (why: string, ...on: number[]): Conclusion => ({
  kind: 'inconclusive',
  reason: because(why, ...on),
});
const lacking = (what: string): Reason => ({
  kind: 'not configured',
  lacks: [{ variable: 'USER_IDS', what }],
});
const notJudged = (what: string): Conclusion => ({ kind: 'not judged', reason: lacking(what) });
const failure: Reason = { kind: 'suite failure', why: 'TypeError', on: [] };
const error: Conclusion = { kind: 'error', reason: failure };
const nothingSeen: Conclusion = { kind: 'not judged', reason: { kind: 'nothing seen' } };
const observed = (...facts: unknown[]): Conclusion => ({ kind: 'observed', facts });

function found(id: ClauseId, ...conclusions: Conclusion[]): ScenarioConclusions[] {
  return conclusions.map((conclusion, index) => ({
    scenario: `scenario ${index + 1}`,
    conclusions: new Map([[id, conclusion]]),
  }));
}

function resultOf(id: ClauseId, ...conclusions: Conclusion[]): ClauseResult | undefined {
  return clauseResults(found(id, ...conclusions)).find((result) => result.id === id);
}

describe('of what scenarios say of one clause', () => {
  test.for([
    ['violated', [upheld, inconclusive('a'), violated, error, notJudged('b')]],
    ['error', [upheld, inconclusive('a'), error, notJudged('b')]],
    ['inconclusive', [upheld, inconclusive('a'), notJudged('b')]],
    ['upheld', [notJudged('a'), upheld]],
    ['not judged', [notJudged('a')]],
    ['not judged', []],
  ] as const)('the gravest decides: %s', ([verdict, conclusions]) => {
    expect(resultOf('task.id', ...conclusions)?.verdict).toBe(verdict);
  });

  test('an observation that one made is not taken back by another', () => {
    const result = resultOf(
      'update.success-status',
      observed(204),
      inconclusive('no response'),
      observed(204, 200),
    );
    expect(result).toMatchObject({ verdict: 'observed', observed: [200, 204], reasons: [] });
  });

  test('an observation does not hide that the suite failed in another', () => {
    const result = resultOf('update.success-status', observed(204), error);
    expect(result).toMatchObject({ verdict: 'error', observed: [204], reasons: [failure] });
  });

  test('facts are a set, whatever the order of their fields', () => {
    const result = resultOf(
      'export.file-name',
      observed({ of: 'pdf', contentDisposition: null }, { of: 'csv', contentDisposition: null }),
      observed({ contentDisposition: null, of: 'csv' }),
    );
    expect(result?.observed).toEqual([
      { of: 'csv', contentDisposition: null },
      { of: 'pdf', contentDisposition: null },
    ]);
  });

  test('reasons are listed once, also where only the exchanges differ', () => {
    const result = resultOf(
      'task.id',
      inconclusive('GET /tasks/1: no response', 4),
      inconclusive('GET /tasks/1: no response', 9),
      inconclusive('The task was changed by somebody else.'),
    );
    expect(result?.reasons).toEqual([
      because('GET /tasks/1: no response', 4),
      because('The task was changed by somebody else.'),
    ]);
  });

  test.for([
    ['not judged', [upheld, notRun('The run was interrupted (SIGINT).')]],
    ['not judged', [notRun('The run was interrupted (SIGINT).'), nothingSeen]],
    ['violated', [upheld, notRun('The run was interrupted (SIGINT).'), violated]],
  ] as const)('of which a scenario was not run is %s: %#', ([verdict, conclusions]) => {
    const result = resultOf('task.id', ...conclusions);
    expect(result?.verdict).toBe(verdict);
    if (verdict === 'violated') return;
    expect(result?.reasons).toMatchObject([
      { kind: 'not run', why: 'The run was interrupted (SIGINT).' },
    ]);
  });

  test('the scenarios that judged it are named, those that could not are not', () => {
    expect(resultOf('task.id', upheld, notJudged('a'))?.scenarios).toEqual(['scenario 1']);
  });

  test('what is upheld says what it does not stand on; what every answer is held to, not what is missing in the configuration', () => {
    const reason: Reason = {
      kind: 'not applicable',
      why: 'No events of summer are known.',
      on: [],
    };
    const unseen: Conclusion = { kind: 'not judged', reason };
    const result = resultOf('task.id', upheld, unseen, nothingSeen, notJudged('a user'));
    expect(result).toMatchObject({ verdict: 'upheld', scenarios: ['scenario 1'] });
    expect(result?.reasons).toEqual([reason]);
  });

  test('what is upheld says which part of it could not be judged for want of configuration', () => {
    const id = 'service.assignee-is-single';
    const unmet = resultOf(id, upheld, notJudged('a second user'));
    expect(unmet).toMatchObject({ verdict: 'upheld', reasons: [lacking('a second user')] });
    const part: Conclusion = { kind: 'upheld', reason: lacking('a team') };
    expect(resultOf('task.id', part)).toMatchObject({
      verdict: 'upheld',
      reasons: [lacking('a team')],
    });
    expect(resultOf(id, part, violated)?.reasons).toEqual([]);
  });

  test('nobody looked, and nothing was seen, are two reasons', () => {
    expect(resultOf('task.id')?.reasons).toEqual([{ kind: 'not selected' }]);
    expect(resultOf('update.success-status', nothingSeen)?.reasons).toEqual([
      { kind: 'nothing seen' },
    ]);
  });

  test('that nothing was seen tells nothing beside what is missing', () => {
    expect(resultOf('update.success-status', nothingSeen, notJudged('a user'))?.reasons).toEqual([
      lacking('a user'),
    ]);
  });

  test('what nobody can test says why', () => {
    expect(resultOf('errors.unexpected-error-is-500')).toMatchObject({
      verdict: 'untestable',
      reasons: [{ kind: 'untestable', why: expect.stringMatching(/./) }],
    });
  });
});

test('every clause has a result, in the order of the catalogue', () => {
  expect(clauseResults([]).map(({ id }) => id)).toEqual(clauseIds);
});

test('every violation is listed with its scenario', () => {
  const intermittent = false;
  expect(violationResults(found('task.id', violated, upheld, violated))).toEqual([
    { clause: 'task.id', scenario: 'scenario 1', ...violation, intermittent },
    { clause: 'task.id', scenario: 'scenario 3', ...violation, intermittent },
  ]);
});

describe('the verdict of a run', () => {
  const results = (...verdicts: ClauseVerdict[]): ClauseResult[] =>
    verdicts.map((verdict) => ({
      id: 'task.id',
      level: verdict === 'observed' ? 'open' : 'stated',
      section: '',
      text: '',
      verdict,
      reasons: [],
      scenarios: [],
      observed: [],
    }));

  test.for([
    ['conformant', ['upheld', 'observed', 'untestable']],
    ['violations', ['upheld', 'violated', 'inconclusive']],
    ['violations', ['violated', 'not judged', 'error']],
    ['error', ['upheld', 'inconclusive', 'error']],
    ['error', ['error']],
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

  test('a clause of which a part was not judged makes it incomplete', () => {
    const inPart = results('upheld').map((one) => ({ ...one, reasons: [lacking('a team')] }));
    expect(runVerdict([...results('upheld'), ...inPart])).toBe('incomplete');
    expect(runVerdict([...inPart, ...results('violated')])).toBe('violations');
  });

  test('a failure of the suite counts in an open clause too', () => {
    const open = results('error').map((result) => ({ ...result, level: 'open' as const }));
    expect(runVerdict([...results('upheld'), ...open])).toBe('error');
  });
});

test('requests that failed are counted by operation and cause, and those that were sent again', () => {
  const answered = (number: number, status: number) => ({
    ...exchange,
    number,
    response: { status, headers: [], body: new Uint8Array(), size: 0 },
  });
  const failure = { loss: 'refused', why: 'nothing listens there' } as const;
  const counts = requestCounts([
    answered(1, 429),
    { ...answered(2, 429), repeats: 1 },
    { ...answered(3, 200), repeats: 2 },
    answered(4, 404),
    { ...exchange, number: 5, operation: 'update-assignment', failure },
    { ...answered(6, 500), operation: 'export' },
    { ...answered(7, 200), operation: 'export', repeats: 6 },
    { ...answered(8, 500), operation: 'export' },
  ]);
  expect(counts).toMatchObject({ total: 8, repeated: 3, lost: 1, throttled: 2 });
  expect(counts.failed).toEqual([
    { operation: 'get-task', cause: 429, count: 2, repeated: 2 },
    { operation: 'update-assignment', cause: 'refused', count: 1, repeated: 0 },
    { operation: 'export', cause: 500, count: 1, repeated: 1 },
  ]);
});

test('exit codes', () => {
  expect(exitCode('conformant')).toBe(0);
  expect(exitCode('violations')).toBe(1);
  expect(exitCode('error')).toBe(2);
  expect(exitCode('not run')).toBe(2);
  expect(exitCode('incomplete')).toBe(3);
});

test('what is allowed to be incomplete is not allowed to be anything else', () => {
  expect(exitCode('incomplete', { isIncompleteAllowed: true })).toBe(0);
  expect(exitCode('violations', { isIncompleteAllowed: true })).toBe(1);
  expect(exitCode('error', { isIncompleteAllowed: true })).toBe(2);
  expect(exitCode('not run', { isIncompleteAllowed: true })).toBe(2);
});

test('waivers that are to fail a run fail it, but for one that judged nothing', () => {
  expect(exitCode('conformant', { waiversFail: true })).toBe(1);
  expect(exitCode('incomplete', { isIncompleteAllowed: true, waiversFail: true })).toBe(1);
  expect(exitCode('not run', { waiversFail: true })).toBe(2);
});

test('what left tasks changed is not complete, whatever is allowed', () => {
  expect(exitCode('conformant', { tasksLeftChanged: true })).toBe(3);
  expect(exitCode('incomplete', { isIncompleteAllowed: true, tasksLeftChanged: true })).toBe(3);
  expect(exitCode('violations', { tasksLeftChanged: true })).toBe(1);
});

test('a run that a signal ended has the exit code of that signal, unless it had found a violation', () => {
  expect(exitCode('incomplete', { interruptedBy: 'SIGINT', isIncompleteAllowed: true })).toBe(130);
  expect(exitCode('not run', { interruptedBy: 'SIGTERM' })).toBe(143);
  expect(exitCode('conformant', { interruptedBy: 'SIGHUP' })).toBe(129);
  expect(exitCode('violations', { interruptedBy: 'SIGINT' })).toBe(1);
});
