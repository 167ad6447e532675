import { describe, expect, test } from 'vitest';
import { conformantRun, interruptedRun, violatedRun } from './example-results.ts';
import { exampleReview, exampleWaivers } from './example-waivers.ts';
import { noWaivers, parseWaivers, reviewWaivers, verdictUnder } from './waivers.ts';

const known = exampleWaivers.map(({ clause }) => clause);
const [waiver] = exampleWaivers;

describe('waivers.json', () => {
  test('is read', () => {
    expect(parseWaivers(JSON.stringify(exampleWaivers), known)).toEqual(exampleWaivers);
    expect(parseWaivers('[]')).toEqual([]);
  });

  test.for([
    ['no JSON', 'nonsense', /^waivers\.json is not JSON: /],
    ['no list', '{}', /^waivers\.json: must be array$/],
    [
      'a field too few',
      [{ ...waiver, owner: undefined }],
      /^waivers\.json, entry 1: must have required property 'owner'$/,
    ],
    [
      'a field too many',
      [{ ...waiver, until: 1 }],
      /^waivers\.json, entry 1: "until" is not a field of a waiver$/,
    ],
    [
      'an empty reason',
      [{ ...waiver, reason: ' ' }],
      /^waivers\.json, entry 1, reason: must not be empty$/,
    ],
    [
      'an issue without an address',
      [{ ...waiver, issue: 'WF-311' }],
      /^waivers\.json, entry 1, issue: must be an http\(s\) address$/,
    ],
    [
      'a day that does not exist',
      [{ ...waiver, expires: '2026-02-30' }],
      /^waivers\.json, entry 1, expires: must be a date like 2026-12-31$/,
    ],
    [
      'a clause twice',
      [waiver, waiver],
      /^waivers\.json, entry 2: "update\.keeps-the-other-fields" has a waiver already\. Keep one\.$/,
    ],
  ] as const)('with %s is refused', ([, content, message]) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    expect(() => parseWaivers(text, known)).toThrow(message);
  });

  test('with an unknown clause names the nearest ids of the catalogue', () => {
    const text = JSON.stringify([{ ...waiver, clause: 'conflict.change-nothing' }]);
    expect(() => parseWaivers(text)).toThrow(
      /entry 1: no clause is called "conflict\.change-nothing"\. Nearest: conflict\.changes-nothing, /,
    );
  });
});

describe('the review of waivers', () => {
  test('sorts them by what became of their clauses', () => {
    expect(exampleReview.waived.map(({ clause }) => clause)).toEqual([
      'update.keeps-the-other-fields',
    ]);
    expect(exampleReview.expired.map(({ clause }) => clause)).toEqual([
      'conflict.differing-version-is-409',
    ]);
    expect(exampleReview.stale.map(({ clause }) => clause)).toEqual(['task.assignment']);
    expect(exampleReview.undecided.map(({ clause }) => clause)).toEqual(['update.quoted-if-match']);
  });

  test('lets a waiver hold to the end of its last day', () => {
    const lastMoment = new Date('2026-12-31T23:59:59.999Z');
    const nextDay = new Date('2027-01-01T00:00:00.000Z');
    expect(reviewWaivers(violatedRun, exampleWaivers, lastMoment).waived).toHaveLength(1);
    expect(reviewWaivers(violatedRun, exampleWaivers, nextDay).waived).toHaveLength(0);
  });
});

describe('the verdict under waivers', () => {
  const both = exampleWaivers.slice(0, 2).map((one) => ({ ...one, expires: '2026-12-31' }));
  const now = new Date('2026-11-05T09:30:00Z');

  test('stays while a violation is not covered', () => {
    expect(verdictUnder(noWaivers, violatedRun)).toBe('violations');
    expect(verdictUnder(exampleReview, violatedRun)).toBe('violations');
  });

  test('is what the other clauses make of it when all violations are covered', () => {
    expect(verdictUnder(reviewWaivers(violatedRun, both, now), violatedRun)).toBe('incomplete');
    const decided = {
      ...violatedRun,
      clauses: violatedRun.clauses.filter(({ verdict }) => verdict !== 'inconclusive'),
    };
    expect(verdictUnder(reviewWaivers(decided, both, now), decided)).toBe('conformant');
  });

  test('is that of the run where nothing is violated', () => {
    expect(verdictUnder(exampleReview, conformantRun)).toBe('conformant');
    expect(verdictUnder(exampleReview, interruptedRun)).toBe('incomplete');
  });
});
