import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openContract } from '../../contract/run.ts';
import { scenarios } from '../../suites/index.ts';
import { assessmentId, assignmentExample, taskId } from '../openapi/examples.ts';
import { type Mock, mocks, startMock, tools } from './mocks.ts';
import { between, type JudgedMock, renderTable } from './table.ts';

// Installs makers of mocks, runs the contract against what they make of openapi.json, and writes the verdicts into
// docs/mock.md. `npm run mocks`; needs a registry, and takes some minutes.

const page = new URL('../../docs/mock.md', import.meta.url);
const folder = await mkdtemp(join(tmpdir(), 'contract-mocks-'));
const judged: JudgedMock[] = [];
try {
  const packages = tools.map(({ packageName, version }) => `${packageName}@${version}`);
  console.log(`Installing ${packages.join(' and ')}`);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['install', ...flags, ...packages], {
    cwd: folder,
    stdio: 'inherit',
    // npm is a script of the shell there.
    shell: process.platform === 'win32',
  });
  for (const mock of mocks) judged.push(await judge(mock));
} finally {
  await rm(folder, { recursive: true, force: true });
}
const table = renderTable(judged);
await writeFile(page, between(await readFile(page, 'utf8'), 'mocks', table));
console.log(`\n${table}`);

async function judge(mock: Mock): Promise<JudgedMock> {
  const { tool, kind } = mock;
  const name = `${tool.name}, ${kind}`;
  console.log(name);
  const { baseUrl, stop } = await startMock(mock, folder);
  try {
    const variables = configurationFor(baseUrl, `${tool.name}-${kind}`.toLowerCase());
    const contract = await openContract(() => variables, { scenarios });
    const { results, files, failures } = await contract.runAll();
    if (failures.length > 0) throw failures[0];
    console.log(`  ${results.verdict}: ${files[0]}`);
    return { name, version: tool.version, results };
  } finally {
    await stop();
  }
}

/** What the examples of the description know. None of the mocks has another region, or an allow list. */
function configurationFor(baseUrl: string, name: string): Record<string, string> {
  const { assigned_by_id, assigned_to_id } = assignmentExample;
  return {
    BASE_URL: baseUrl,
    API_KEY: 'any-key',
    TASK_IDS: taskId,
    ASSESSMENT_IDS: assessmentId,
    ASSIGNED_BY_ID: assigned_by_id,
    USER_IDS: `${assigned_to_id},b5d1f1c1-2d4a-4a8f-9c4d-6b3e8fa01c55`,
    TEAM_IDS: 'c6e2a2d2-3e5b-4b9a-8d5e-7c4f9ab12d66',
    // A mock that records an event does so at once.
    AUDIT_TIMEOUT_MS: '2000',
    REQUEST_TIMEOUT_MS: '10000',
    // What is made up is made up in the order of the requests: one after another, it is the same each time.
    MAX_CONCURRENCY: '1',
    SEED: '1',
    KEEP_RUNS: '0',
    REPORT_DIR: `reports/latest/mocks/${name}`,
    JOURNAL_DIR: join(folder, 'journal'),
  };
}
