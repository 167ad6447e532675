import { describe, expect, test } from 'vitest';
import { Inconclusive, NotJudged, Violation } from '../helpers/outcomes.ts';
import { clauseIdsOf, type Finding, play } from './play.ts';
import { scenario } from './scenario.ts';
import type { World } from './world.ts';

const violation = new Violation('a write', { expected: '409', actual: '200', on: [] });
const inconclusive = new Inconclusive('no answer');
const held = (): void => {};
const broken = (): never => {
  throw violation;
};
const unheard = (): never => {
  throw inconclusive;
};

// The scenarios here look at no world.
const noWorld = {} as World;
const undisturbed = async (): Promise<undefined> => undefined;
const opened = { world: noWorld, disturbance: undisturbed, close: async () => {} };

/** Plays a judge that says one thing in each play, and tells what came of it and how often it was played. */
async function playsOf(...says: (() => void)[]): Promise<{ finding: Finding; plays: number }> {
  let plays = 0;
  let closed = 0;
  const story = scenario({
    name: 'a story',
    async act() {
      plays += 1;
      return plays;
    },
    judges: { 'task.id': (count) => says[count - 1]?.() },
  });
  const open = () => ({
    world: noWorld,
    disturbance: undisturbed,
    close: async () => {
      closed += 1;
    },
  });
  const finding = (await play(story, open)).get('task.id');
  if (finding === undefined) throw new Error('The play lost its clause.');
  expect(closed).toBe(plays);
  return { finding, plays };
}

describe('a scenario is played', () => {
  test('once where all is upheld', async () => {
    expect(await playsOf(held)).toEqual({ finding: { kind: 'upheld' }, plays: 1 });
  });

  test('twice where something is violated: both times, then it is violated', async () => {
    expect(await playsOf(broken, broken)).toEqual({
      finding: { kind: 'violated', violation, intermittent: false },
      plays: 2,
    });
  });

  test('twice where something is violated: once, then it is intermittent', async () => {
    const finding = { kind: 'violated', violation, intermittent: true };
    expect(await playsOf(broken, held)).toEqual({ finding, plays: 2 });
    expect(await playsOf(unheard, broken)).toEqual({
      finding: { ...finding, intermittent: false },
      plays: 2,
    });
  });

  test('twice where the target could not be heard: the second play decides', async () => {
    expect(await playsOf(unheard, held)).toEqual({ finding: { kind: 'upheld' }, plays: 2 });
    expect(await playsOf(unheard, unheard)).toEqual({
      finding: { kind: 'inconclusive', reason: 'no answer' },
      plays: 2,
    });
  });
});

describe('what goes wrong', () => {
  test('in a judge of ours is neither a pass nor a violation', async () => {
    const slip = (): never => {
      throw new TypeError('task is undefined');
    };
    const { finding } = await playsOf(slip, slip);
    expect(finding.kind).toBe('inconclusive');
    expect(finding).toHaveProperty(
      'reason',
      expect.stringMatching(/^The suite itself failed: TypeError: task is undefined\n/),
    );
  });

  test('in the story itself falls on all its clauses', async () => {
    const story = scenario({
      name: 'a story',
      act: async (): Promise<string> => {
        throw new Inconclusive('no task could be read');
      },
      judges: { 'task.id': held, 'task.name': held },
      observes: { 'update.success-status': () => [200] },
    });
    const findings = await play(story, () => opened);
    expect([...findings.keys()]).toEqual(['task.id', 'task.name', 'update.success-status']);
    expect(new Set([...findings.values()].map(({ kind }) => kind))).toEqual(
      new Set(['inconclusive']),
    );
  });

  test('in one judge does not fall on another', async () => {
    const story = scenario({
      name: 'a story',
      act: async () => 'evidence',
      judges: { 'task.id': broken, 'task.name': held },
    });
    const findings = await play(story, () => opened);
    expect(findings.get('task.id')?.kind).toBe('violated');
    expect(findings.get('task.name')).toEqual({ kind: 'upheld' });
  });
});

test('a judge that lacks something to judge with is not asked twice', async () => {
  const { finding, plays } = await playsOf(() => {
    throw new NotJudged('Not configured: USER_IDS: a second user.');
  });
  expect(finding).toEqual({
    kind: 'not judged',
    reason: 'Not configured: USER_IDS: a second user.',
  });
  expect(plays).toBe(1);
});

test('what is observed is kept as JSON, and nothing is not a value', async () => {
  const story = scenario({
    name: 'a story',
    act: async () => ({ status: 204 }),
    judges: {},
    observes: {
      'update.success-status': ({ status }) => [status],
      'export.csv-columns': () => [['Id', 'Time'], 'none'],
      'errors.body-shape': () => [],
    },
  });
  const findings = await play(story, () => opened);
  expect(Object.fromEntries(findings)).toEqual({
    'update.success-status': { kind: 'observed', values: ['204'] },
    'export.csv-columns': { kind: 'observed', values: ['["Id","Time"]', '"none"'] },
    'errors.body-shape': { kind: 'nothing seen' },
  });
  expect(clauseIdsOf(story)).toEqual([
    'update.success-status',
    'export.csv-columns',
    'errors.body-shape',
  ]);
});
