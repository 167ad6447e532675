import { describe, expect, test } from 'vitest';
import type { Known } from '../schemas/files.ts';
import type { Reason } from '../schemas/results.ts';
import { renderAnnotations } from './annotations.ts';
import {
  conformantRun,
  exampleReview,
  exampleWaivers,
  incompleteRun,
  interruptedRun,
  notSelected,
  toldRun,
  violatedRun,
} from './example-results.fixture.ts';
import { knownBy } from './findings.ts';
import { renderJunit } from './junit.ts';
import { headline, runReport } from './run-report.ts';
import {
  byReasons,
  noWaivers,
  reviewWaivers,
  tallyOf,
  verdictUnder,
  waiversFail,
} from './verdicts.ts';

function groupsOf(reasons: readonly Reason[]) {
  const clauses = reasons.map((reason) => ({ reasons: [reason] }));
  return byReasons(clauses).map((group) => [group.reasons, group.clauses.length]);
}

const inconclusive = (why: string, ...on: number[]): Reason => ({ kind: 'inconclusive', why, on });

test('reasons that name other exchanges are one, and name none', () => {
  const reasons = [
    inconclusive('no answer', 9),
    inconclusive('The read gave 502.', 4),
    inconclusive('The read gave 502.', 7, 8),
  ];
  expect(groupsOf(reasons)).toEqual([
    [[inconclusive('The read gave 502.')], 2],
    [[inconclusive('no answer', 9)], 1],
  ]);
});

test('reasons that name the same exchange keep it', () => {
  const reason = inconclusive('The read gave 502.', 4);
  expect(groupsOf([reason, reason])).toEqual([[[reason], 2]]);
});

test('reasons of another kind are others, whatever they say', () => {
  expect(groupsOf([inconclusive('a'), { kind: 'not run', why: 'a', on: [] }])).toHaveLength(2);
});

test('open points, and what was not to be judged, are counted apart', () => {
  const clauses = violatedRun.clauses.map((clause) => {
    if (clause.id === 'task.assignment')
      return { ...clause, verdict: 'not judged' as const, reasons: notSelected };
    if (clause.id !== 'update.needs-the-apikey') return clause;
    return { ...clause, verdict: 'not judged' as const, reasons: [{ kind: 'left out' as const }] };
  });
  expect(tallyOf({ ...violatedRun, clauses })).toMatchObject({
    all: 4,
    verdicts: { upheld: 1, violated: 2, inconclusive: 1, 'not judged': 0 },
    stated: 1,
    implied: 1,
    leftOut: 1,
    notSelected: 1,
    open: { all: 3, observed: 2 },
  });
  expect(tallyOf(violatedRun, new Set(['update.keeps-the-other-fields']))).toMatchObject({
    verdicts: { violated: 1 },
    implied: 0,
    waived: 1,
  });
  expect(tallyOf(conformantRun)).toMatchObject({ all: 6, verdicts: { upheld: 6 } });
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

  test('calls none stale whose clause is upheld in part: the rest may be violated', () => {
    const review = reviewWaivers(incompleteRun, exampleWaivers);
    const sorted = ({ stale, undecided }: typeof review) =>
      [stale, undecided].map((some) => some.map(({ clause }) => clause));
    expect(sorted(review)).toEqual([
      ['update.keeps-the-other-fields', 'task.assignment'],
      ['conflict.differing-version-is-409', 'update.quoted-if-match'],
    ]);
  });

  test('lets a waiver hold to the end of its last day', () => {
    const lastMoment = { ...violatedRun, startedAt: '2026-12-31T23:59:59.999Z' };
    const nextDay = { ...violatedRun, startedAt: '2027-01-01T00:00:00.000Z' };
    expect(reviewWaivers(lastMoment, exampleWaivers).waived).toHaveLength(1);
    expect(reviewWaivers(nextDay, exampleWaivers).waived).toHaveLength(0);
  });
});

describe('a waiver that names findings', () => {
  const [, waiver] = exampleWaivers;
  if (waiver === undefined) throw new Error('there is no such waiver');
  const [, ...both] = violatedRun.violations.map(knownBy);
  const [stale, later] = both;
  if (stale === undefined || later === undefined) throw new Error('the example is empty');
  const withFindings = (...findings: Known[]) =>
    reviewWaivers(violatedRun, [{ ...waiver, expires: '2026-12-31', findings }]);

  test('covers these and no other one of its clause', () => {
    const one = withFindings(stale);
    expect([...one.covered.keys()].map(knownBy)).toEqual([stale]);
    expect([...one.waivedClauses]).toEqual([]);
    expect(one.waived).toHaveLength(1);
    expect([...withFindings(stale, later).waivedClauses]).toEqual([waiver.clause]);
    expect(renderJunit({ results: violatedRun, review: one }, new Set())).toContain(
      'simultaneous writes with the same version',
    );
    expect(renderJunit({ results: violatedRun, review: one }, new Set())).not.toContain(
      'an If-Match one version old',
    );
  });

  test('of what is not seen, in a clause that is violated in another way, is neither applied nor stale', () => {
    const review = withFindings({ ...stale, wrong: ['status', '409', '5xx'] });
    expect([review.waived, review.stale, review.undecided].map(({ length }) => length)).toEqual([
      0, 0, 1,
    ]);
  });
});

describe('the verdict under waivers', () => {
  const both = exampleWaivers.slice(0, 2).map((one) => ({ ...one, expires: '2026-12-31' }));

  test('stays while a violation is not covered', () => {
    expect(verdictUnder(noWaivers, violatedRun)).toBe('violations');
    expect(verdictUnder(exampleReview, violatedRun)).toBe('violations');
  });

  test('is what the other clauses make of it when all violations are covered', () => {
    expect(verdictUnder(reviewWaivers(violatedRun, both), violatedRun)).toBe('incomplete');
    const decided = {
      ...violatedRun,
      clauses: violatedRun.clauses.filter(({ verdict }) => verdict !== 'inconclusive'),
    };
    expect(verdictUnder(reviewWaivers(decided, both), decided)).toBe('conformant');
    const failed = {
      ...violatedRun,
      clauses: violatedRun.clauses.map((clause) =>
        clause.verdict === 'observed' ? { ...clause, verdict: 'error' as const } : clause,
      ),
    };
    expect(verdictUnder(reviewWaivers(failed, both), failed)).toBe('error');
  });

  test('is that of the run where nothing is violated', () => {
    expect(verdictUnder(exampleReview, conformantRun)).toBe('conformant');
    expect(verdictUnder(exampleReview, interruptedRun)).toBe('incomplete');
  });
});

describe('a waiver that can go', () => {
  test('fails the run where that is configured, and the reports say so', () => {
    const allowed = reviewWaivers(conformantRun, exampleWaivers);
    const failing = reviewWaivers(conformantRun, exampleWaivers, true);
    expect([waiversFail(allowed), waiversFail(failing)]).toEqual([false, true]);
    const sentence = 'All 6 clauses are upheld. The run fails because of 3 stale waivers.';
    expect(headline(conformantRun, failing)).toMatchObject({ title: 'Stale waivers', sentence });
    expect(headline(conformantRun, allowed).title).toBe('Conformant');
    expect(renderJunit({ results: conformantRun, review: failing }, new Set())).toContain(
      '<testcase classname="Run" name="no waiver is stale" time="0">',
    );
    const report = runReport(toldRun({ results: conformantRun, review: failing }));
    expect(renderAnnotations(report)).toContain(
      '::error title=Stale waivers%3A their clauses are upheld::task.assignment: ',
    );
  });

  test('fails nothing where none is stale', () => {
    expect(waiversFail(reviewWaivers(conformantRun, [], true))).toBe(false);
  });
});

describe('the words of a run', () => {
  const waivers = exampleWaivers.map((one) => ({ ...one, expires: '2026-12-31' }));
  const chosen = {
    ...violatedRun,
    clauses: violatedRun.clauses.map((clause) =>
      clause.verdict === 'inconclusive'
        ? { ...clause, verdict: 'not judged' as const, reasons: notSelected }
        : clause,
    ),
  };

  test('never call what is waived upheld', () => {
    expect(headline(chosen, reviewWaivers(chosen, waivers))).toEqual({
      tone: 'undecided',
      title: 'Tasks left changed, with waivers',
      of: '',
      sentence:
        'All 5 chosen clauses are upheld or waived. Waived: 2 violated clauses. 1 task could NOT be put back.',
    });
    const putBack = { ...chosen, leftChanged: [] };
    expect(headline(putBack, reviewWaivers(putBack, waivers))).toEqual({
      tone: 'good',
      title: 'Conformant, with waivers',
      of: '',
      sentence: 'All 5 chosen clauses are upheld or waived. Waived: 2 violated clauses.',
    });
  });
});
