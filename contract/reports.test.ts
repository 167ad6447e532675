import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readSettings } from '../helpers/config/read-settings.ts';
import { exampleExchanges } from '../reports/example-exchanges.fixture.ts';
import {
  conformantRun,
  exampleRuns,
  exampleWaivers,
  violatedRun,
} from '../reports/example-results.fixture.ts';
import { thisProcess } from './journal.ts';
import {
  historyFolder,
  keepRun,
  prepareReports,
  type Reporting,
  readHistory,
  reportAlone,
  reportKilledRuns,
  reportRun,
  unfinishedRun,
} from './reports.ts';

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reports-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function reportingInto(reportDir: string, variables = {}): Promise<Reporting> {
  const target = { BASE_URL: violatedRun.target.baseUrl, API_KEY: 'a-key' };
  return await prepareReports(
    readSettings({ ...target, REPORT_DIR: reportDir, ...variables }, 1),
    'whole',
  );
}

const everyReport = [
  'exchanges.har',
  'index.html',
  'junit.xml',
  'profile.json',
  'results.json',
  'summary.md',
];
const scripts = ['findings/1.sh', 'findings/2.sh', 'findings/3.sh'];
const violated = { results: violatedRun, exchanges: exampleExchanges };
const nextDay = { ...violatedRun, startedAt: '2026-11-06T09:30:00.000Z' };

describe('a run leaves', () => {
  test('its reports and a copy for the runs to come, and names just these', async () => {
    const folder = await emptyFolder();
    const latest = join(folder, 'latest');
    const { files, failures } = await reportRun(violated, await reportingInto(latest));
    expect((await readdir(latest)).sort()).toEqual([...everyReport, 'findings'].sort());
    expect(await readdir(join(latest, 'findings'))).toEqual(['1.sh', '2.sh', '3.sh']);
    const kept = 'history/eu.staging.example-v5/2026-11-05T09-30-00.000Z.json';
    expect([...files].sort()).toEqual([
      join(folder, kept),
      ...[...everyReport, ...scripts].sort().map((name) => join(latest, name)),
    ]);
    expect(failures).toEqual([]);
    const results = JSON.parse(await readFile(join(folder, kept), 'utf8'));
    expect(results).toEqual(violatedRun);
  });

  test.for(Object.keys(exampleRuns) as (keyof typeof exampleRuns)[])(
    'every report, also where it is %s',
    async (name) => {
      const folder = await emptyFolder();
      const run = { results: exampleRuns[name], exchanges: [] };
      await reportRun(run, await reportingInto(join(folder, 'out')));
      expect(
        (await readdir(join(folder, 'out'))).filter((file) => file !== 'history').sort(),
      ).toEqual(everyReport);
    },
  );

  test('no copy, and the reports of the last whole run, where it was none itself', async () => {
    const folder = await emptyFolder();
    const latest = join(folder, 'latest');
    const reporting = await reportingInto(latest);
    const first = await reportRun(violated, reporting);
    expect(first.files).toContain(join(latest, 'index.html'));
    const page = await readFile(join(latest, 'index.html'), 'utf8');
    const run = (name: keyof typeof exampleRuns) => ({ results: exampleRuns[name], exchanges: [] });
    await reportRun(run('not-run'), reporting);
    await reportRun(run('interrupted'), reporting);
    await reportRun(run('conformant'), { ...reporting, mode: 'chosen' });
    await reportAlone(exampleRuns['not-run'], latest, 'not-started');
    // Before a run begins, too.
    await reportingInto(latest);
    expect((await readdir(folder)).sort()).toEqual([
      'chosen',
      'history',
      'interrupted',
      'latest',
      'not-started',
    ]);
    expect(await readFile(join(latest, 'index.html'), 'utf8')).toBe(page);
    expect((await reportingInto(latest)).history).toEqual([violatedRun]);
    for (const kind of ['chosen', 'interrupted']) {
      expect((await readdir(join(folder, kind))).sort()).toEqual(everyReport);
    }
    // Nothing was sent by the last of them.
    const withoutExchanges = everyReport.filter((file) => file !== 'exchanges.har');
    expect((await readdir(join(folder, 'not-started'))).sort()).toEqual(withoutExchanges);
  });

  test('what could be written, where something could not', async () => {
    const folder = await emptyFolder();
    const reporting = await reportingInto(folder);
    await mkdir(join(folder, 'junit.xml'));
    const { files, failures } = await reportRun(violated, { ...reporting, mode: 'chosen' });
    expect(files.map((file) => file.slice(folder.length + 1)).sort()).toEqual(
      [...everyReport, ...scripts].sort().filter((name) => name !== 'junit.xml'),
    );
    expect(failures).toEqual([expect.objectContaining({ code: 'EISDIR' })]);
  });
});

describe('a run that is killed', () => {
  const running = thisProcess(60_000);

  test('leaves a page to whoever comes next, in place of no whole run', async () => {
    const folder = await emptyFolder();
    const reporting = await reportingInto(join(folder, 'latest'));
    // Begun before this process was: by another one with its id.
    const before = { ...running, startedAt: new Date(0).toISOString() };
    const ofAnother = unfinishedRun(reporting.settings.reportDir, before);
    ofAnother.keep({ ...violatedRun, interruptedBy: 'a kill' });
    await mkdir(join(folder, 'killed'));
    await writeFile(join(folder, 'killed/exchanges.har'), 'of another run');
    const files = await reportKilledRuns(reporting.settings);
    const ofResults = everyReport.filter((name) => name !== 'exchanges.har');
    expect(files.map((file) => file.slice(folder.length + 1)).sort()).toEqual(
      ofResults.map((name) => `killed/${name}`),
    );
    expect((await readdir(join(folder, 'killed'))).sort()).toEqual(ofResults);
    const page = await readFile(join(folder, 'killed/index.html'), 'utf8');
    expect(page).toContain('Violations, interrupted by a kill');
    expect(page).toMatch(/The run sent [\d,]+ requests; what was exchanged went with it\./);
    expect(page).not.toContain('exchanges.har');
    expect(await reportKilledRuns(reporting.settings)).toEqual([]);
  });

  test('leaves none while it goes on, or once it has reported', async () => {
    const folder = await emptyFolder();
    const reporting = await reportingInto(join(folder, 'latest'));
    const unfinished = unfinishedRun(reporting.settings.reportDir, running);
    unfinished.keep(violatedRun);
    expect(await reportKilledRuns(reporting.settings)).toEqual([]);
    unfinished.discard();
    expect(await readdir(folder)).toEqual(['latest']);
  });
});

test('a run leaves no script of an earlier one that found more', async () => {
  const folder = await emptyFolder();
  const latest = join(folder, 'latest');
  const [violation] = violatedRun.violations;
  await reportRun(violated, await reportingInto(latest));
  const fewer = { ...violatedRun, violations: violation === undefined ? [] : [violation] };
  await reportRun({ ...violated, results: fewer }, await reportingInto(latest));
  expect(await readdir(join(latest, 'findings'))).toEqual(['1.sh']);
  await writeFile(join(latest, 'findings/notes.txt'), 'mine');
  await reportRun({ results: exampleRuns.conformant, exchanges: [] }, await reportingInto(latest));
  expect(await readdir(join(latest, 'findings'))).toEqual(['notes.txt']);
});

test('the reports of an earlier run are gone before one begins, other files are not', async () => {
  const folder = await emptyFolder();
  await reportRun(violated, { ...(await reportingInto(folder)), mode: 'chosen' });
  await writeFile(join(folder, 'notes.txt'), 'mine');
  await reportingInto(folder);
  expect(await readdir(folder)).toEqual(['notes.txt']);
});

test('the page shows what changed since the last run of the same target', async () => {
  const folder = await emptyFolder();
  const latest = join(folder, 'latest');
  const page = () => readFile(join(latest, 'index.html'), 'utf8');
  const { target } = violatedRun;
  const good = { ...exampleRuns.conformant, target };
  await reportRun({ results: good, exchanges: [] }, await reportingInto(latest));
  expect(await page()).not.toContain(' since 2026-');
  await reportRun({ results: nextDay, exchanges: [] }, await reportingInto(latest));
  expect(await page()).toContain(
    'Changed clauses since 2026-11-05 09:30:00 UTC <span class="quiet">',
  );
  expect(await page()).toContain('Recent runs, the oldest first: upheld, violated.');
});

test('no more runs are kept than configured', async () => {
  const folder = await emptyFolder();
  const latest = join(folder, 'latest');
  await reportRun(violated, await reportingInto(latest));
  await reportRun(
    { ...violated, results: nextDay },
    await reportingInto(latest, { KEEP_RUNS: '1' }),
  );
  const { history } = await reportingInto(latest);
  expect(history).toEqual([nextDay]);
});

test('waivers are read before a run, and applied to its results', async () => {
  const folder = await emptyFolder();
  const file = join(folder, 'waivers.json');
  await writeFile(file, JSON.stringify(exampleWaivers));
  const reporting = await reportingInto(folder, { WAIVERS_FILE: file });
  const { review } = await reportRun(violated, reporting);
  expect(review.waived.map(({ clause }) => clause)).toEqual(['update.keeps-the-other-fields']);
  expect(review.expired.map(({ clause }) => clause)).toEqual(['conflict.differing-version-is-409']);
  const summary = await readFile(join(folder, 'summary.md'), 'utf8');
  expect(summary).toContain('## Expired waivers (1)');
  expect(await readFile(join(folder, 'index.html'), 'utf8')).toContain('<h2>Waived clauses <span');
});

describe('the history of runs', () => {
  let directory: string;
  beforeEach(async () => {
    directory = join(await mkdtemp(join(tmpdir(), 'history-')), 'runs');
  });
  afterEach(() => rm(join(directory, '..'), { recursive: true }));

  const runOf = (day: number) => ({
    ...conformantRun,
    startedAt: `2026-11-0${day}T09:30:00.000Z`,
    seed: day,
  });

  test('is empty before the first run', async () => {
    expect(await readHistory(directory)).toEqual([]);
  });

  test('keeps the last runs, the oldest first, whatever order they came in', async () => {
    for (const day of [3, 1, 2, 4]) await keepRun(directory, runOf(day), 3);
    expect(await readHistory(directory)).toEqual([runOf(2), runOf(3), runOf(4)]);
    expect(await readdir(directory)).toEqual([
      '2026-11-02T09-30-00.000Z.json',
      '2026-11-03T09-30-00.000Z.json',
      '2026-11-04T09-30-00.000Z.json',
    ]);
  });

  test('keeps nothing where 0 are to be kept', async () => {
    expect(await keepRun(directory, runOf(1), 0)).toBeUndefined();
    expect(await readHistory(directory)).toEqual([]);
  });

  test('passes over what is no results, and leaves other files alone', async () => {
    await keepRun(directory, runOf(1), 5);
    await writeFile(join(directory, '2026-11-02T09-30-00.000Z.json'), '{"format":1}');
    await writeFile(join(directory, '2026-11-03T09-30-00.000Z.json'), '{"format":');
    await writeFile(join(directory, 'notes.txt'), 'mine');
    await keepRun(directory, runOf(4), 1);
    expect(await readHistory(directory)).toEqual([runOf(4)]);
    expect(await readdir(directory)).toEqual(['2026-11-04T09-30-00.000Z.json', 'notes.txt']);
  });

  test('returns where a run was kept', async () => {
    const path = join(directory, '2026-11-01T09-30-00.000Z.json');
    expect(await keepRun(directory, runOf(1), 1)).toBe(path);
  });

  test.for([
    ['reports/latest', 'reports/history/eu.staging.example-v5'],
    ['latest', 'history/eu.staging.example-v5'],
    ['out', 'out/history/eu.staging.example-v5'],
  ] as const)('of reports in %s is in %s', ([reportDir, folder]) => {
    const target = { kind: 'remote', baseUrl: 'https://eu.staging.example/v5' } as const;
    expect(historyFolder(reportDir, target)).toBe(folder);
  });

  test('has one folder for the embedded service, whatever port it got', () => {
    const target = { kind: 'embedded', baseUrl: 'http://127.0.0.1:40123/v5' } as const;
    expect(historyFolder('reports/latest', target)).toBe('reports/history/embedded');
  });
});
