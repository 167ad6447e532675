import { expect, test } from 'vitest';
import { emptyFolder, startCommand } from './process.fixture.ts';
import { shareTarget } from './shared-target.fixture.ts';

const slow = { timeout: 60_000 };

test('doctor looks at everything and writes nothing', slow, async () => {
  const folder = await emptyFolder();
  const methods = new Set<string>();
  const target = await shareTarget(folder, (request, handle) => {
    methods.add(request.method);
    return handle(request);
  });
  const [task = ''] = target.taskIds;
  const variables = { ...target.variables, TASK_IDS: `${task},no-such-task`, TEAM_IDS: '' };
  const { stdout, code } = await startCommand(['doctor'], folder, variables).ended;
  expect([...methods]).toEqual(['GET']);
  expect(stdout).toContain(
    `Target\n  ✓ ${target.variables.BASE_URL} answers, and accepts the key\n`,
  );
  expect(stdout).toContain(
    `Tasks\n  ✓ ${task}: assigned to nobody\n  ✗ no-such-task: answered 404\n`,
  );
  expect(stdout).toContain('  – tasks will be assigned to a user, from user to user, unassigned\n');
  expect(stdout).toMatch(/Assessments\n( {2}✓ \S+: (Active|Cancelled|Error)\n){3,}/);
  expect(stdout).toMatch(/Exports\n {2}✓ 50 events from \S+Z to \S+Z, in 19 columns\n/);
  expect(stdout).toContain('  – the limit of a PDF, 5000 events, cannot be reached\n');
  expect(stdout).toMatch(
    / {2}– Not configured: BLOCKED_LOCAL_ADDRESS: .+ Not looked at: auth\.blocked-address-is-401\n/,
  );
  expect(code).toBe(2);
});

test('doctor tells why nothing can be judged', slow, async () => {
  const folder = await emptyFolder();
  const target = await shareTarget(folder);
  const variables = { ...target.variables, API_KEY: 'another-key' };
  const { stderr, code } = await startCommand(['doctor'], folder, variables).ended;
  expect(stderr).toMatch(/answers 401 to every request with the configured key\. Is API_KEY valid/);
  expect(code).toBe(2);
});
