import { describe, expect, test } from 'vitest';
import { parseFile } from '../contract/files.ts';
import { UserError } from '../helpers/errors.ts';
import type { Reason } from '../schemas/results.ts';
import { exampleRuns, violatedRun } from './example-results.fixture.ts';
import { jsonText } from './printable.ts';
import { profileOf } from './profile.ts';

describe('profile.json', () => {
  for (const [name, results] of Object.entries(exampleRuns)) {
    test(`of a run that is ${name} matches its golden file, and is read again`, async () => {
      const json = jsonText(profileOf(results));
      await expect(json).toMatchFileSnapshot(`golden/${name}/profile.json`);
      expect(parseFile('profile', json, 'profile.json')).toEqual(profileOf(results));
    });
  }

  test('is the same for another run on the same day', () => {
    const again = { ...violatedRun, seed: 7, startedAt: '2026-11-05T23:59:00.000Z', durationMs: 1 };
    expect(jsonText(profileOf(again))).toBe(jsonText(profileOf(violatedRun)));
  });

  test('gives reasons without what changes from run to run: their kinds, each once', () => {
    const explained = (kind: 'not run' | 'inconclusive', why: string): Reason => ({
      kind,
      why,
      on: [4],
    });
    const clauses = violatedRun.clauses.map((clause) => ({
      ...clause,
      reasons: [
        explained('not run', 'GET /tasks/0b0e3f5c-7f1d-4f6c-9a43-5f1f0c1d2e3f gave 500.'),
        explained('inconclusive', 'a'),
        explained('inconclusive', 'b'),
      ],
    }));
    expect(profileOf({ ...violatedRun, clauses }).notObserved).toEqual({
      'update.quoted-if-match': ['inconclusive', 'not run'],
    });
  });

  test.for([
    ['{', /^p\.json is not JSON: /],
    [
      '{"format":2}',
      /^p\.json does not hold a valid profile of a target:\n {2}the whole: must have required/,
    ],
    ['{"format":1}', /^p\.json was written by an earlier version of the suite \(format 1; /],
    [
      jsonText({ ...profileOf(violatedRun), observations: { 'task.status-values': [] } }),
      /observations\.task\.status-values: must NOT have fewer than 1 items/,
    ],
  ] as const)('that is none is refused: %j', ([text, message]) => {
    expect(() => parseFile('profile', text, 'p.json')).toThrow(UserError);
    expect(() => parseFile('profile', text, 'p.json')).toThrow(message);
  });
});
