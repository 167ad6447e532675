import { describe, expect, test } from 'vitest';
import { parseFile } from '../contract/files.ts';
import { ajv } from '../helpers/ajv.ts';
import { UserError } from '../helpers/errors.ts';
import { fidelitySchema } from '../schemas/files.ts';
import type { Reason } from '../schemas/results.ts';
import { renderAsMarkdown } from './blocks-markdown.ts';
import { exampleMock, exampleReference } from './example-fidelity.fixture.ts';
import {
  conformantRun,
  errorRun,
  exampleRuns,
  hostileRun,
  violatedRun,
} from './example-results.fixture.ts';
import { fidelityOf, fidelityReport, fidelityVerdict, profileOf } from './fidelity.ts';
import { renderAsPage, reportBody } from './html/blocks.ts';
import { jsonText } from './printable.ts';
import { renderOnTerminal } from './terminal.ts';

const fidelity = fidelityOf(exampleReference, exampleMock);
const strict = { maxViolations: 0, maxDifferences: 0 };
const failedClause = errorRun.clauses
  .filter(({ verdict }) => verdict === 'error')
  .map(({ verdict, reasons }) => ({ verdict, reasons }))[0];
const screen = { color: false, width: 100 };

describe('a mock beside its reference', () => {
  test('differs in what only one of both does', () => {
    expect(fidelity.differing.map(({ id, reference, mock }) => [id, reference, mock])).toEqual([
      ['update.success-status', [204], [201]],
      [
        'update.refused-body-status',
        [
          { part: 'update.assigned_by_id', is: 'missing', status: 400 },
          { part: 'update.assigned_to_id', is: 'missing', status: 400 },
        ],
        [
          { part: 'update.assigned_by_id', is: 'missing', status: 422 },
          { part: 'update.assigned_to_id', is: 'missing', status: 422 },
        ],
      ],
      [
        'export.csv-columns',
        [{ headings: ['Id', 'Time', 'Type'] }],
        [{ headings: ['Id', 'Type', 'Time'] }],
      ],
    ]);
    expect(fidelity.alike).toEqual(['task.status-values']);
  });

  test('is not compared where one of both was not observed', () => {
    expect(fidelity.uncompared.map(({ id, reference, mock }) => [id, reference, mock])).toEqual([
      [
        'update.quoted-if-match',
        ['not selected'],
        [{ kind: 'not configured', lacks: [{ variable: 'TEAM_IDS', what: 'a team' }] }],
      ],
      ['comment.length-limit', ['not configured'], []],
    ]);
  });

  test('is faithful within what is tolerated, and never where nothing was compared', () => {
    expect(fidelityVerdict(fidelity, strict)).toBe('not faithful');
    expect(fidelityVerdict(fidelity, { maxViolations: 2, maxDifferences: 2 })).toBe('not faithful');
    expect(fidelityVerdict(fidelity, { maxViolations: 1, maxDifferences: 3 })).toBe('not faithful');
    expect(fidelityVerdict(fidelity, { maxViolations: 2, maxDifferences: 3 })).toBe('incomplete');
    const same = fidelityOf(profileOf(conformantRun), conformantRun);
    expect(fidelityVerdict(same, strict)).toBe('faithful');
    const nothing = fidelityOf({ ...exampleReference, observations: {} }, conformantRun);
    expect(fidelityVerdict(nothing, strict)).toBe('not compared');
  });

  test('is neither faithful nor incomplete where the suite itself failed', async () => {
    const failed = fidelityOf(profileOf(conformantRun), errorRun);
    expect(fidelityVerdict(failed, strict)).toBe('error');
    const text = renderOnTerminal(fidelityReport(failed, 'error'), screen);
    await expect(text).toMatchFileSnapshot('golden/fidelity/error.txt');
    const unobserved = errorRun.clauses.map((clause) =>
      clause.verdict === 'observed' ? { ...clause, verdict: 'error' as const } : clause,
    );
    const nothing = fidelityOf(profileOf(conformantRun), { ...errorRun, clauses: unobserved });
    expect(fidelityVerdict(nothing, strict)).toBe('error');
    const { clauses } = violatedRun;
    const broken = fidelityOf(profileOf(conformantRun), {
      ...violatedRun,
      clauses: clauses.map((clause, index) => ({ ...clause, ...(index === 0 && failedClause) })),
    });
    expect(fidelityVerdict(broken, strict)).toBe('not faithful');
  });

  test('reads as kept, in every form', async () => {
    const options = { ...screen, files: ['out/fidelity.html'] };
    const golden = (name: string) => `golden/fidelity/${name}`;
    const report = fidelityReport(fidelity, 'not faithful');
    await expect(renderOnTerminal(report, options)).toMatchFileSnapshot(golden('console.txt'));
    await expect(renderAsMarkdown(report)).toMatchFileSnapshot(golden('fidelity.md'));
    await expect(reportBody(report).text).toMatchFileSnapshot(golden('page.html'));
    const json = jsonText(fidelity);
    await expect(json).toMatchFileSnapshot(golden('fidelity.json'));
    const validate = ajv.compile(fidelitySchema);
    validate(JSON.parse(json));
    expect(validate.errors).toBe(null);
  });

  test('lets nothing of a target through', () => {
    const hostile = fidelityOf(profileOf(hostileRun), exampleMock);
    const report = fidelityReport(hostile, 'not faithful');
    const texts = [
      renderOnTerminal(report, screen),
      renderAsMarkdown(report),
      renderAsPage(report),
    ];
    for (const text of texts) expect(text).not.toMatch(/(?![\n\t])[\p{Cc}\u202e]/u);
    expect(texts[0]).not.toMatch(/^\s*::|##\[/m);
    expect(texts[2]).not.toContain('<script>alert');
  });
});

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
