import { expect, test } from 'vitest';
import { readSettings } from '../helpers/config/read-settings.ts';
import { variableNames } from '../schemas/configuration.ts';
import { lackOf } from './needs.ts';
import { type Need, scenario } from './scenario.ts';

const target = { BASE_URL: 'https://eu.staging.example/v5', API_KEY: 'a-key' };
const lack = (needs: Need[], more: Record<string, string> = {}): string | undefined =>
  lackOf(
    scenario({ name: 'a story', needs, act: async () => {}, judges: {} }),
    readSettings({ ...target, ...more }, 1),
  );

test.for([
  ['task', 'TASK_IDS', { TASK_IDS: 'a' }],
  ['user', 'USER_IDS', { USER_IDS: 'a' }],
  ['team', 'TEAM_IDS', { TEAM_IDS: 'a' }],
  ['assessment', 'ASSESSMENT_IDS', { ASSESSMENT_IDS: 'a' }],
  ['other-region', 'WRONG_REGION_URL', { WRONG_REGION_URL: 'https://us.staging.example/v5' }],
  ['blocked-route', 'BLOCKED_LOCAL_ADDRESS', { BLOCKED_LOCAL_ADDRESS: '10.0.0.7' }],
  ['mailbox', 'MAILBOX_URL', { MAILBOX_URL: 'http://mail.example' }],
  ['user-with-email', 'USER_EMAILS', { USER_IDS: 'a', USER_EMAILS: '{"A":"a@x.example"}' }],
  ['team-with-email', 'TEAM_EMAILS', { TEAM_IDS: 'b', TEAM_EMAILS: '{"b":["a@x.example"]}' }],
  ['blocked-route', 'BLOCKED_PROXY_URL', { BLOCKED_PROXY_URL: 'http://proxy.example:3128' }],
] as const)('%s is met by %s', ([need, variable, more]) => {
  expect(lack([need])).toContain(variable);
  expect(lack([need], more)).toBeUndefined();
});

test.for([
  ['two-users', { USER_IDS: 'a' }, 'Not configured: USER_IDS: a second user.'],
  [
    'two-writable-tasks',
    { TASK_IDS: 'a', ALLOW_WRITES: 'yes', ASSIGNED_BY_ID: 'b' },
    'Not configured: TASK_IDS: a second task.',
  ],
] as const)('%s takes two', ([need, more, reason]) => {
  expect(lack([need], more)).toBe(reason);
});

test('a write takes a task, leave, and a user to write as; each is named once', () => {
  expect(lack(['writable-task', 'two-writable-tasks'], { USER_IDS: 'a' })).toBe(
    'Not configured: TASK_IDS: a second task; ALLOW_WRITES: leave to assign tasks on this target (yes, and no --read-only); ASSIGNED_BY_ID: the user in whose name assignments are made.',
  );
});

test('two users with email are two addresses', () => {
  const users = { USER_IDS: 'a,b,c' };
  const shared = { ...users, USER_EMAILS: '{"a":"same@x.example","b":"Same@x.example"}' };
  expect(lack(['two-users-with-email'], shared)).toBe(
    'Not configured: USER_EMAILS: two different addresses, of two of USER_IDS.',
  );
  const different = { ...users, USER_EMAILS: '{"a":"same@x.example","c":"other@x.example"}' };
  expect(lack(['two-users-with-email'], different)).toBeUndefined();
});

test('every reason names a variable that there is', () => {
  const needs: Need[] = ['writable-task', 'two-users', 'team', 'assessment', 'other-region'];
  const named = [...(lack(needs) ?? '').matchAll(/[A-Z]+(?:_[A-Z]+)+(?=:)/g)].map(([name]) => name);
  expect(named).toHaveLength(7);
  for (const name of named) expect(variableNames).toContain(name);
});
