import { expect, test } from 'vitest';
import { emptyFolder, startCommand } from '../contract/process.fixture.ts';
import { shareTarget } from '../contract/shared-target.fixture.ts';
import { ajv } from '../helpers/ajv.ts';
import { catcherOf } from '../helpers/mail/mail-catchers.fixture.ts';
import { suiteVersion } from '../helpers/version.ts';
import { allFaults } from '../proof/faults.ts';
import { checkUpSchema } from '../schemas/files.ts';

/** The lines as they were before they were broken to the width of a terminal. */
const unbroken = (text: string): string => text.replaceAll(/\n {4}(?=\S)/g, ' ');

test('doctor looks at everything and writes nothing', async () => {
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
    `Target (3)\n  ✓ ${target.variables.BASE_URL} answers, and accepts the key\n`,
  );
  expect(stdout).toContain(
    `Tasks (4)\n  ✓ ${task}: assigned to nobody\n  ✗ no-such-task: is not there (404)\n`,
  );
  expect(stdout).toContain('  – tasks will be assigned to a user, from user to user, unassigned\n');
  expect(stdout).toMatch(/Assessments \(\d+\)\n( {2}✓ \S+: (Active|Cancelled|Error)\n){3,}/);
  expect(stdout).toMatch(/Exports \(\d+\)\n {2}✓ 50 events from \S+Z to \S+Z, in 19 columns\n/);
  expect(stdout).toContain('  – the limit of a PDF, 5,000 events, cannot be reached\n');
  expect(unbroken(stdout)).toMatch(
    / {2}– Not configured: BLOCKED_LOCAL_ADDRESS: .+ Not looked at: auth\.blocked-address-is-401.*\n/,
  );
  expect(unbroken(stdout)).toMatch(
    / {2}– Not configured: TEAM_IDS: a team\. Judged in part: .*assign\.task-becomes-assigned.*\n/,
  );
  expect(code).toBe(2);
});

test('doctor does not say of a filter alone that the configuration is to blame', async () => {
  const folder = await emptyFolder();
  const ids = ['export-event-type-matches-nothing', 'export-metadata-tag-is-ignored'];
  const faults = allFaults.filter(({ id }) => ids.includes(id));
  const target = await shareTarget(folder, undefined, {
    pastEvents: 400,
    rules: Object.assign({}, ...faults.map(({ rules }) => rules)),
  });
  const { stdout } = await startCommand(['doctor'], folder, target.variables).ended;
  expect(unbroken(stdout)).toMatch(
    /^ {2}– event_type: a value that events show keeps none of them\. Either the target does not filter by it/m,
  );
  expect(unbroken(stdout)).toMatch(
    /^ {2}– metadata\[tag\]: .* Either the target ignores the filter/m,
  );
});

test('doctor sees by the assignment of a task that a user stands among the teams', async () => {
  const folder = await emptyFolder();
  const target = await shareTarget(folder);
  const { taskIds, userIds } = target;
  const [task = '', user = ''] = [taskIds[0], userIds[0]];
  await target.assign(task, user);
  const { USER_IDS = '', TEAM_IDS = '' } = target.variables;
  const variables = { ...target.variables, USER_IDS: TEAM_IDS, TEAM_IDS: USER_IDS };
  const { stdout, code } = await startCommand(['doctor'], folder, variables).ended;
  expect(unbroken(stdout)).toContain(
    `  ✗ TEAM_IDS: ${user} is a user, by the assignment of task ${task}; are TEAM_IDS and USER_IDS exchanged?\n`,
  );
  expect(code).toBe(2);
});

test('doctor says why nothing can be judged', async () => {
  const folder = await emptyFolder();
  const target = await shareTarget(folder);
  const variables = { ...target.variables, API_KEY: 'another-key' };
  const { stdout, code } = await startCommand(['doctor'], folder, variables).ended;
  expect(unbroken(stdout)).toMatch(
    /answers 401 to every request with the configured key\. Is API_KEY valid/,
  );
  expect(code).toBe(2);
});

test('doctor looks into the mailbox, and names people by their ids', async () => {
  const folder = await emptyFolder();
  const target = await shareTarget(folder);
  const [user = ''] = target.variables.USER_IDS?.split(',') ?? [];
  const [team = ''] = target.variables.TEAM_IDS?.split(',') ?? [];
  const old = { id: '1', envelope: ['ann@x.example'], subject: 'Task assigned', text: '' };
  const url = await catcherOf('Mailpit', [old]);
  const variables = {
    ...target.variables,
    USER_EMAILS: JSON.stringify({ [user]: 'ann@x.example' }),
    TEAM_EMAILS: JSON.stringify({ [team]: ['ann@x.example', 'bob@x.example'] }),
  };
  const { stdout } = await startCommand(['doctor'], folder, { ...variables, MAILBOX_URL: url })
    .ended;
  expect(stdout).toMatch(/\nEmail \(\d\)\n {2}✓ Mailpit at /);
  expect(stdout).toContain(`Mailpit at ${url}: 1 message to the configured addresses\n`);
  expect(stdout).toMatch(
    / {2}– USER_EMAILS has the addresses of 1 of \d users, and lacks [\da-f]{8}-[^@]+\n/,
  );
  expect(stdout).toContain(`  ✓ team ${team}: 2 members\n`);
  expect(stdout).not.toContain('@x.example');

  const guarded = await catcherOf('Mailpit', [], () => 401);
  const MAILBOX_URL = guarded.replace('//', '//qa:canary@');
  const refused = await startCommand(['doctor'], folder, { ...variables, MAILBOX_URL }).ended;
  expect(unbroken(refused.stdout)).toContain(
    `  ✗ The mailbox at ${guarded} answers 401. Are MAILBOX_USER and MAILBOX_PASSWORD, or MAILBOX_TOKEN, right?\n`,
  );
  expect(refused.stdout + refused.stderr).not.toContain('canary');
  expect(refused.code).toBe(2);
});

test('--json: the same by its schema, also where nothing answers', async () => {
  const folder = await emptyFolder();
  const variables = { BASE_URL: 'http://127.0.0.1:1/v5', API_KEY: 'canary' };
  const { stdout, code } = await startCommand(['doctor', '--json'], folder, variables).ended;
  const file = JSON.parse(stdout);
  expect(ajv.validate(checkUpSchema, file), ajv.errorsText()).toBe(true);
  expect(file).toMatchObject({
    target: 'http://127.0.0.1:1/v5',
    isReady: false,
    topics: [{ topic: 'Target', findings: [{ mark: 'bad' }] }],
  });
  expect(code).toBe(2);

  const found = await startCommand(['doctor', '--json'], folder).ended;
  const embedded = JSON.parse(found.stdout);
  expect(ajv.validate(checkUpSchema, embedded), ajv.errorsText()).toBe(true);
  expect(embedded).toMatchObject({ suite: suiteVersion, isReady: true });
  expect(found.code).toBe(0);
});
