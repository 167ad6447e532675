import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readSettings } from '../helpers/config/read-settings.ts';
import { exampleExchanges } from '../reports/example-exchanges.ts';
import { exampleRuns, violatedRun } from '../reports/example-results.ts';
import { exampleWaivers } from '../reports/example-waivers.ts';
import { prepareReports, type Reporting, reportRun } from './reports.ts';

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reports-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function reportingInto(reportDir: string, variables = {}): Promise<Reporting> {
  const target = { BASE_URL: violatedRun.target.baseUrl, API_KEY: 'a-key' };
  return await prepareReports(
    readSettings({ ...target, REPORT_DIR: reportDir, ...variables }, 1),
    'reports and history',
  );
}

const everyReport = [
  'ctrf.json',
  'exchanges.har',
  'index.html',
  'junit.xml',
  'profile.json',
  'results.json',
  'summary.md',
];
const violated = { results: violatedRun, exchanges: exampleExchanges };
const nextDay = { ...violatedRun, startedAt: '2026-11-06T09:30:00.000Z' };

describe('a run leaves', () => {
  test('its reports and a copy for the runs to come, and names just these', async () => {
    const folder = await emptyFolder();
    const latest = join(folder, 'latest');
    const { files, failures } = await reportRun(violated, await reportingInto(latest));
    expect((await readdir(latest)).sort()).toEqual(everyReport);
    const kept = 'history/eu.staging.example-v5/2026-11-05T09-30-00.000Z.json';
    expect([...files].sort()).toEqual([
      join(folder, kept),
      ...everyReport.map((name) => join(latest, name)),
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
      await reportRun(run, await reportingInto(join(folder, 'latest')));
      expect((await readdir(join(folder, 'latest'))).sort()).toEqual(everyReport);
    },
  );

  test('no copy where it judged nothing, or chose what to look at', async () => {
    const folder = await emptyFolder();
    const reporting = await reportingInto(join(folder, 'latest'));
    await reportRun({ results: exampleRuns['not-run'], exchanges: [] }, reporting);
    await reportRun(violated, { ...reporting, mode: 'reports' });
    expect(await readdir(folder)).toEqual(['latest']);
  });

  test('what could be written, where something could not', async () => {
    const folder = await emptyFolder();
    const reporting = await reportingInto(folder);
    await mkdir(join(folder, 'junit.xml'));
    const { files, failures } = await reportRun(violated, { ...reporting, mode: 'reports' });
    expect(files.map((file) => file.slice(folder.length + 1)).sort()).toEqual(
      everyReport.filter((name) => name !== 'junit.xml'),
    );
    expect(failures).toEqual([expect.objectContaining({ code: 'EISDIR' })]);
  });
});

test('the reports of an earlier run are gone before one begins, other files are not', async () => {
  const folder = await emptyFolder();
  await reportRun(violated, { ...(await reportingInto(folder)), mode: 'reports' });
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
  expect(await page()).not.toContain('What changed since');
  await reportRun({ results: nextDay, exchanges: [] }, await reportingInto(latest));
  expect(await page()).toContain('What changed since 2026-11-05 09:30:00 UTC');
  expect(await page()).toContain('Clauses with new violations <span class="quiet">2</span>');
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
  expect(summary).toContain('## Waivers that have expired (1)');
  expect(await readFile(join(folder, 'index.html'), 'utf8')).toContain('<h3>Waived</h3>');
});
