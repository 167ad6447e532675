import { describe, expect, test } from 'vitest';
import type { Exports, Moved } from '../helpers/exports/exports.ts';
import type { Answer } from '../helpers/http/answer.ts';
import {
  CannotUphold,
  ChangedMeanwhile,
  Disturbance,
  Inconclusive,
  NotConfigured,
  NotJudged,
  PartNotConfigured,
  Violation,
} from '../helpers/outcomes.ts';
import { runScenario } from './attempts.ts';
import { type Conclusion, clauseIdsOf, scenario } from './scenario.ts';
import type { World } from './world.ts';

const difference = { kind: 'other', wrong: 'is no PDF that opens' } as const;
const violation = { on: [], difference };
const upheld: Conclusion = { kind: 'upheld' };
const violated: Conclusion = { kind: 'violated', violation, intermittent: false };
const inconclusive: Conclusion = {
  kind: 'inconclusive',
  reason: { kind: 'inconclusive', why: 'no response', on: [4] },
};

const upholds = (): void => {};
const violates = (): never => {
  throw new Violation(difference, []);
};
const cannotDecide = (): never => {
  throw new Inconclusive('no response', [{ exchange: { number: 4 } }]);
};
const fails = (): never => {
  throw new TypeError('task is undefined');
};

// The scenarios here look at no world.
const noWorld = {} as World;
const opened = {
  world: noWorld,
  othersIn: () => undefined,
  moved: async () => undefined,
  close: () => {},
};

/** Runs a scenario whose judge says one thing in each run; tells what came of it, and how often it was run. */
async function conclusionOf(
  ...judges: (() => void)[]
): Promise<{ conclusion: Conclusion; runs: number }> {
  let runs = 0;
  let closed = 0;
  const judged = scenario({
    name: 'a scenario',
    async act() {
      runs += 1;
      return runs;
    },
    judges: { 'task.id': (count) => judges[count - 1]?.() },
  });
  const open = () => ({
    ...opened,
    close: () => {
      closed += 1;
    },
  });
  const conclusion = (await runScenario(judged, open)).get('task.id');
  if (conclusion === undefined) throw new Error('The scenario lost its clause.');
  expect(closed).toBe(runs);
  return { conclusion, runs };
}

describe('a scenario is run', () => {
  test('once where all is upheld', async () => {
    expect(await conclusionOf(upholds)).toEqual({ conclusion: upheld, runs: 1 });
  });

  test('twice where something is violated: both times, then it is violated', async () => {
    expect(await conclusionOf(violates, violates)).toEqual({ conclusion: violated, runs: 2 });
  });

  test('twice where something is violated: once, then it is intermittent', async () => {
    expect(await conclusionOf(violates, upholds)).toEqual({
      conclusion: { ...violated, intermittent: true },
      runs: 2,
    });
    expect(await conclusionOf(cannotDecide, violates)).toEqual({ conclusion: violated, runs: 2 });
  });

  test('a server error to one request, then to another one, is not seen to last', async () => {
    const failing = (query: string) => () => {
      const request = { url: `https://service.example/v5/audit-events/export?${query}` };
      const exchange = { number: 1, operation: 'export', request };
      const answer = { exchange, request: 'GET /audit-events/export' } as Answer;
      throw new Violation({ kind: 'status', when: 'a list', expected: '200', actual: 500 }, [
        answer,
      ]);
    };
    const [one, other] = [failing('event_type=task'), failing('event_type=entity')];
    expect((await conclusionOf(one, one)).conclusion.kind).toBe('violated');
    expect((await conclusionOf(one, other)).conclusion.kind).toBe('inconclusive');
  });

  test('twice where the evidence does not decide: the second run does', async () => {
    expect(await conclusionOf(cannotDecide, upholds)).toEqual({ conclusion: upheld, runs: 2 });
    expect(await conclusionOf(cannotDecide, cannotDecide)).toEqual({
      conclusion: inconclusive,
      runs: 2,
    });
  });
});

describe('a failure of the suite', () => {
  test('in a judge is an error: neither a pass, nor a violation, nor undecided', async () => {
    const { conclusion, runs } = await conclusionOf(fails);
    expect(conclusion).toEqual({
      kind: 'error',
      reason: {
        kind: 'suite failure',
        why: expect.stringMatching(/^TypeError: task is undefined\n/),
        on: [],
      },
    });
    expect(runs).toBe(1);
  });

  test.for([
    [fails, upholds],
    [cannotDecide, fails],
  ] as const)('%#: in one of two runs is an error', async (judges) => {
    expect((await conclusionOf(...judges, upholds)).conclusion.kind).toBe('error');
  });

  test('does not hide a violation that the other run shows', async () => {
    expect((await conclusionOf(violates, fails)).conclusion).toEqual(violated);
  });

  test('in act falls on all clauses of the scenario', async () => {
    const failing = scenario({
      name: 'a scenario',
      act: async (): Promise<string> => fails(),
      judges: { 'task.id': upholds },
      observes: { 'update.success-status': () => [200] },
    });
    const conclusions = await runScenario(failing, () => opened);
    expect([...conclusions.values()].map(({ kind }) => kind)).toEqual(['error', 'error']);
  });

  test('in an observation is an error too', async () => {
    const failing = scenario({
      name: 'a scenario',
      act: async () => 'evidence',
      judges: {},
      observes: { 'update.success-status': fails },
    });
    const conclusions = await runScenario(failing, () => opened);
    expect(conclusions.get('update.success-status')?.kind).toBe('error');
  });
});

test('what act could not decide falls on all clauses', async () => {
  const undecided = scenario({
    name: 'a scenario',
    act: async (): Promise<string> => cannotDecide(),
    judges: { 'task.id': upholds, 'task.name': upholds },
    observes: { 'update.success-status': () => [200] },
  });
  const conclusions = await runScenario(undecided, () => opened);
  expect(Object.fromEntries(conclusions)).toEqual({
    'task.id': inconclusive,
    'task.name': inconclusive,
    'update.success-status': inconclusive,
  });
});

test('what one judge says does not fall on another', async () => {
  const mixed = scenario({
    name: 'a scenario',
    act: async () => 'evidence',
    judges: { 'task.id': violates, 'task.name': upholds },
  });
  const conclusions = await runScenario(mixed, () => opened);
  expect(conclusions.get('task.id')).toEqual(violated);
  expect(conclusions.get('task.name')).toEqual(upheld);
});

describe('what somebody else changed meanwhile', () => {
  const why = 'Somebody else changed the task.';
  const violatesOn = (exchange: number) => (): never => {
    const shown = { number: exchange, request: { method: 'GET', url: '', headers: [] } };
    const on = [{ exchange: shown, request: 'GET /tasks/{id}' }];
    // A judge gives whole answers; of them these fields are looked at.
    throw new Violation(difference, on as unknown as Answer[]);
  };

  test('is no violation, and the scenario is run three times', async () => {
    let runs = 0;
    const accusing = scenario({
      name: 'a scenario',
      act: async () => {
        runs += 1;
      },
      judges: { 'task.id': violatesOn(7), 'task.name': upholds, 'task.status': violatesOn(8) },
    });
    const conclusions = await runScenario(accusing, () => ({
      ...opened,
      othersIn: (exchanges: readonly number[]) =>
        exchanges.includes(7) ? new Disturbance(why) : undefined,
    }));
    expect(conclusions.get('task.id')).toEqual({
      kind: 'inconclusive',
      reason: { kind: 'inconclusive', why, on: [] },
    });
    expect(conclusions.get('task.name')).toEqual(upheld);
    // It stands on answers that show nothing of the kind.
    expect(conclusions.get('task.status')?.kind).toBe('violated');
    expect(runs).toBe(3);
  });

  test('may not disturb the next run', async () => {
    const { conclusion, runs } = await conclusionOf(
      () => {
        throw new Disturbance(why);
      },
      () => {
        throw new Disturbance(why);
      },
      upholds,
    );
    expect(conclusion).toEqual(upheld);
    expect(runs).toBe(3);
  });
});

test.each([
  ['goes on with the same tasks where something is wrong', violates, {}, true],
  ['goes on with other tasks where nothing is decided', cannotDecide, {}, false],
  [
    'goes on with other tasks where somebody else wrote to them',
    violates,
    { othersIn: () => new Inconclusive('Somebody else wrote.') },
    false,
  ],
] as const)('%s', async (_, judge, others, expected) => {
  const onSameTasks: (boolean | undefined)[] = [];
  const judged = scenario({ name: 'a scenario', act: async () => 1, judges: { 'task.id': judge } });
  await runScenario(judged, (_moved, again) => {
    onSameTasks.push(again);
    return { ...opened, ...others };
  });
  expect(onSameTasks.slice(0, 2)).toEqual([undefined, expected]);
});

describe('where exports change while a scenario is judged', () => {
  const why = new Inconclusive('The exported events changed.');
  const changed = {
    kind: 'inconclusive',
    reason: { kind: 'inconclusive', why: 'The exported events changed.', on: [] },
  };
  // No attempt here reads any exports.
  const stoodStill = { isUntouched: () => false } as unknown as Exports;

  /** Runs a scenario of which each run says one thing, and whether what it was judged by has changed. */
  async function ofRuns(...said: readonly { judge: () => void; moved?: Moved }[]) {
    const before: (Moved | undefined)[] = [];
    let asked = 0;
    const judged = scenario({
      name: 'a scenario',
      act: async () => before.length - 1,
      judges: { 'task.id': (run) => said[run]?.judge() },
    });
    const conclusions = await runScenario(judged, (start) => {
      before.push(start);
      return {
        ...opened,
        moved: async () => {
          asked += 1;
          return said[before.length - 1]?.moved;
        },
      };
    });
    return { conclusion: conclusions.get('task.id'), before, asked };
  }

  test('a violation is no evidence: the run after it decides', async () => {
    expect(await ofRuns({ judge: violates, moved: { why } }, { judge: upholds })).toEqual({
      conclusion: upheld,
      before: [undefined, { why }],
      asked: 1,
    });
    expect(await ofRuns({ judge: violates, moved: { why } }, { judge: violates })).toMatchObject({
      conclusion: violated,
      asked: 2,
    });
  });

  test('what stood still of the first run decides, and is looked at once more where it is violated', async () => {
    const left = { why, stoodStill };
    expect(await ofRuns({ judge: violates, moved: left }, { judge: upholds })).toMatchObject({
      conclusion: upheld,
      before: [undefined, left],
    });
    expect(
      await ofRuns({ judge: violates, moved: left }, { judge: violates }, { judge: upholds }),
    ).toMatchObject({
      conclusion: { ...violated, intermittent: true },
      before: [undefined, left, { why }],
    });
  });

  test('what a scenario itself saw change is settled at once, and judged by what stood still', async () => {
    const left = { why, stoodStill };
    const sees = (): never => {
      throw new ChangedMeanwhile('Events changed.');
    };
    expect(await ofRuns({ judge: sees, moved: left }, { judge: upholds })).toEqual({
      conclusion: upheld,
      before: [undefined, left],
      asked: 1,
    });
  });

  test('a further run looks at what stood still', async () => {
    const again = { why, stoodStill };
    expect(
      await ofRuns(
        { judge: violates, moved: { why } },
        { judge: violates, moved: again },
        { judge: violates },
      ),
    ).toEqual({ conclusion: violated, before: [undefined, { why }, again], asked: 3 });
  });

  test('what a second run cannot decide is looked at in what stood still', async () => {
    const again = { why, stoodStill };
    const { conclusion, before } = await ofRuns(
      { judge: cannotDecide },
      { judge: cannotDecide, moved: again },
      { judge: upholds },
    );
    expect(conclusion).toEqual(upheld);
    expect(before).toEqual([undefined, undefined, again]);
  });

  test('too little of it decides nothing', async () => {
    const nothingLeft = (): never => {
      throw new NotConfigured('EXPORT_RANGE_START', 'a window that holds events');
    };
    const { conclusion } = await ofRuns(
      { judge: violates, moved: { why } },
      { judge: violates, moved: { why, stoodStill } },
      { judge: nothingLeft },
    );
    expect(conclusion).toEqual(changed);
  });

  test('what can only be broken, and is not, is no less judged than on exports that stand still', async () => {
    const notBroken = (): never => {
      throw new CannotUphold('One event does not show it.');
    };
    const { conclusion } = await ofRuns(
      { judge: violates, moved: { why } },
      { judge: violates, moved: { why, stoodStill } },
      { judge: notBroken },
    );
    expect(conclusion).toMatchObject({ kind: 'not judged', cannotUphold: true });
  });

  test('exports that never stand still leave it undecided', async () => {
    const always = { judge: violates, moved: { why, stoodStill } };
    const { conclusion, before } = await ofRuns(...Array.from({ length: 20 }, () => always));
    expect(conclusion).toEqual(changed);
    // Two looks, of five runs each.
    expect(before).toHaveLength(10);
  });

  test('nothing is read once more where nothing is violated', async () => {
    expect(await ofRuns({ judge: cannotDecide }, { judge: upholds })).toMatchObject({ asked: 0 });
  });
});

test.for([
  [
    new NotConfigured('USER_IDS', 'a second user'),
    { kind: 'not configured', lacks: [{ variable: 'USER_IDS', what: 'a second user' }] },
  ],
  [
    new NotJudged('The PDF shows no dates.'),
    { kind: 'not applicable', why: 'The PDF shows no dates.', on: [] },
  ],
] as const)(
  '%#: a judge that has nothing to judge with is not asked twice',
  async ([error, reason]) => {
    const { conclusion, runs } = await conclusionOf(() => {
      throw error;
    });
    expect(conclusion).toEqual({ kind: 'not judged', reason });
    expect(runs).toBe(1);
  },
);

test('a judge that has nothing to judge a part with upholds the rest, and is not asked twice', async () => {
  const { conclusion, runs } = await conclusionOf(() => {
    throw new PartNotConfigured('TEAM_IDS', 'a team');
  });
  const lacks = [{ variable: 'TEAM_IDS', what: 'a team' }];
  expect(conclusion).toEqual({ kind: 'upheld', reason: { kind: 'not configured', lacks } });
  expect(runs).toBe(1);
});

test('facts are kept as they are, and nothing is no fact', async () => {
  const observing = scenario({
    name: 'a scenario',
    act: async () => ({ status: 204 }),
    judges: {},
    observes: {
      'update.success-status': ({ status }) => [status],
      'export.csv-columns': () => [{ headings: ['Id', 'Time'] }],
      'errors.body-shape': () => [],
    },
  });
  const conclusions = await runScenario(observing, () => opened);
  expect(Object.fromEntries(conclusions)).toEqual({
    'update.success-status': { kind: 'observed', facts: [204] },
    'export.csv-columns': { kind: 'observed', facts: [{ headings: ['Id', 'Time'] }] },
    'errors.body-shape': { kind: 'not judged', reason: { kind: 'nothing seen' } },
  });
  expect(clauseIdsOf(observing)).toEqual([
    'update.success-status',
    'export.csv-columns',
    'errors.body-shape',
  ]);
});
