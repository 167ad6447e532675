import { describe, expect, test } from 'vitest';
import type { ClauseVerdict, Results, ViolationResult } from '../schemas/results.ts';
import { renderAsMarkdown } from './blocks-markdown.ts';
import {
  asRun,
  changeSections,
  compareResults,
  comparisonReport,
  nameOfTarget,
  newlyViolated,
  noLongerDecided,
  recurrences,
  recurrenceText,
} from './compare.ts';
import {
  conformantRun,
  hostileRun,
  interruptedRun,
  toldRun,
  violatedRun,
} from './example-results.fixture.ts';
import { profileOf } from './fidelity.ts';
import { renderAsPage, reportBody } from './html/blocks.ts';
import { runReport } from './run-report.ts';
import { renderOnTerminal } from './terminal.ts';

const later = {
  ...violatedRun,
  startedAt: '2026-11-06T09:30:00.000Z',
  violations: violatedRun.violations.slice(1),
  clauses: violatedRun.clauses
    .filter(({ id }) => id !== 'task.assignment')
    .map((clause) => {
      if (clause.id === 'update.success-status') return { ...clause, observed: [204] };
      return clause.id === 'update.keeps-the-other-fields'
        ? { ...clause, verdict: 'upheld' as const }
        : clause;
    }),
};
const comparison = compareResults(violatedRun, later);

describe('a comparison of two runs', () => {
  test('of a run with itself finds nothing', () => {
    expect(changeSections(compareResults(violatedRun, violatedRun))).toEqual([]);
    expect(changeSections(comparison)).not.toEqual([]);
  });

  test('finds the clauses whose verdicts changed, also where one of the runs does not have them', () => {
    expect(comparison.verdicts.map(({ id, before, after }) => [id, before, after])).toEqual([
      ['update.keeps-the-other-fields', 'violated', 'upheld'],
      ['task.assignment', 'upheld', 'none'],
    ]);
  });

  test('finds violations that came and went', () => {
    const { newViolations, goneViolations } = comparison;
    expect(newViolations).toEqual([]);
    expect(goneViolations).toEqual(violatedRun.violations.slice(0, 1));
    expect(compareResults(later, violatedRun).newViolations).toEqual(goneViolations);
  });

  test('of a clause that is upheld in part only says so, and not that its violations are gone', () => {
    const [id = '', lacks] = [
      'update.keeps-the-other-fields',
      [{ variable: 'TEAM_IDS', what: 'a team' }],
    ];
    const inPart: Results = {
      ...later,
      clauses: later.clauses.map((clause) =>
        clause.id === id ? { ...clause, reasons: [{ kind: 'not configured', lacks }] } : clause,
      ),
    };
    const changes = compareResults(violatedRun, inPart);
    expect(changes.verdicts[0]).toMatchObject({ before: 'violated', after: 'upheld in part' });
    expect(changes.goneViolations).toEqual([]);
    expect(changes.unjudgedViolations).toEqual(violatedRun.violations.slice(0, 1));
    expect(noLongerDecided(changes)).toEqual([id, 'task.assignment']);
    expect(noLongerDecided(compareResults(inPart, later))).toEqual([]);
  });

  test('of a run that was cut short says nothing is gone that it did not look for', () => {
    const [first, ...violations] = violatedRun.violations;
    const cut: Results = {
      ...violatedRun,
      interruptedBy: 'SIGINT',
      violations,
      clauses: violatedRun.clauses.map((clause) => ({
        ...clause,
        ...(clause.id === first?.clause && { verdict: 'not judged', scenarios: [] }),
        ...(clause.verdict === 'observed' && { observed: clause.observed.slice(1) }),
      })),
    };
    const changes = compareResults(violatedRun, cut);
    expect(changes.goneViolations).toEqual([]);
    expect(changes.unjudgedViolations).toEqual([first]);
    expect(changes.observations).toEqual([]);
    const text = renderOnTerminal(comparisonReport(changes), { color: false, width: 80 });
    expect(text).toContain('Violations no longer judged (1)');
    expect(text).not.toContain('no longer seen');
    const whole = compareResults(violatedRun, { ...cut, interruptedBy: null });
    expect(whole.observations).not.toEqual([]);
  });

  test('of a clause that is violated elsewhere knows which scenarios looked', () => {
    const [first] = violatedRun.violations;
    if (first?.difference?.kind !== 'field') throw new Error('There is no such violation.');
    const difference = { ...first.difference, fields: ['name'] };
    const another = { ...first, scenario: 'another scenario', difference };
    const clauses = violatedRun.clauses.map((clause) =>
      clause.id === first.clause ? { ...clause, scenarios: [first.scenario] } : clause,
    );
    const before = { ...violatedRun, violations: [...violatedRun.violations, another] };
    const changes = compareResults(before, { ...violatedRun, clauses });
    expect(changes).toMatchObject({ goneViolations: [], unjudgedViolations: [another] });
  });

  test('knows a violation again that another scenario shows, after something else was done', () => {
    const violations = violatedRun.violations.map((one) => ({
      ...one,
      scenario: 'another scenario',
      what: 'something else',
      expected: '"Another task"',
    }));
    const changes = compareResults(violatedRun, { ...violatedRun, violations });
    expect(changeSections(changes)).toEqual([]);
  });

  test('finds observations that changed', () => {
    expect(comparison.observations).toEqual([
      { id: 'update.success-status', first: [200, 201], second: [204], both: [] },
    ]);
  });

  test('knows what is newly violated, and what is no longer decided', () => {
    const changes = compareResults(conformantRun, violatedRun);
    expect(newlyViolated(changes)).toEqual([
      'update.keeps-the-other-fields',
      'conflict.differing-version-is-409',
    ]);
    expect(noLongerDecided(changes)).toEqual(['conflict.one-of-simultaneous-writes-wins']);
    expect(newlyViolated(compareResults(violatedRun, violatedRun))).toEqual([]);
    expect(newlyViolated(compareResults(violatedRun, conformantRun))).toEqual([]);
  });
});

describe('a comparison of two profiles', () => {
  const profile = profileOf(conformantRun);
  const changed = {
    ...profileOf({ ...later, startedAt: conformantRun.startedAt }),
  };

  test('tells what is no longer so, and what is so now', () => {
    const report = comparisonReport(compareResults(asRun(profile), asRun(changed)));
    const text = renderOnTerminal(report, { color: false, width: 80 });
    expect(text).toContain('Changed observations (1)');
    expect(text).toMatch(/update\.success-status\n.*\n?.*No longer +200\n +201\n +Now +204\n/);
    expect(text).toContain('Changed clauses (1)\n  observed → not judged: update.quoted-if-match');
    expect(text).not.toContain('not in the catalogue');
  });

  test('of a profile with itself finds nothing', () => {
    expect(comparisonReport(compareResults(asRun(profile), asRun(profile))).title).toBe(
      'Nothing changed',
    );
  });
});

describe('the reports of a comparison', () => {
  const everything = comparisonReport(compareResults(conformantRun, later));

  test('are as kept', async () => {
    const options = { color: false, width: 80 };
    await expect(renderOnTerminal(everything, options)).toMatchFileSnapshot(
      'golden/comparison/console.txt',
    );
    await expect(renderAsMarkdown(everything)).toMatchFileSnapshot(
      'golden/comparison/comparison.md',
    );
    await expect(reportBody(everything).text).toMatchFileSnapshot('golden/comparison/page.html');
  });

  test('say so where nothing changed', () => {
    const nothing = comparisonReport(compareResults(violatedRun, violatedRun));
    expect(renderOnTerminal(nothing, { color: false, width: 80 })).toMatch(/^Nothing changed\n/);
    expect(renderAsMarkdown(nothing)).toMatch(/^# Two runs compared: Nothing changed\n/);
    expect(renderAsPage(nothing)).toContain('<h1>Nothing changed</h1>');
  });

  test('let nothing of a target through', () => {
    const hostile = compareResults(
      {
        ...hostileRun,
        violations: [],
        clauses: hostileRun.clauses.map((one) => ({ ...one, observed: [] })),
      },
      hostileRun,
    );
    const report = comparisonReport(hostile);
    const texts = [
      renderOnTerminal(report, { color: false, width: 80 }),
      renderAsMarkdown(report),
      renderAsPage(report),
    ];
    for (const text of texts) expect(text).not.toMatch(/(?![\n\t])[\p{Cc}\u202e]/u);
    expect(texts[0]).not.toMatch(/^\s*::|##\[/m);
    expect(texts[2]).not.toContain('<script>alert');
  });
});

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
