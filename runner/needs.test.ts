import { expect, test } from 'vitest';
import { readSettings } from '../helpers/config/read-settings.ts';
import { lacksOf, type Need } from './needs.ts';
import { scenario } from './scenario.ts';

const target = { BASE_URL: 'https://eu.staging.example/v5', API_KEY: 'a-key' };
const lacks = (needs: Need[], more: Record<string, string> = {}) =>
  lacksOf(
    scenario({ name: 'a scenario', needs, act: async () => {}, judges: {} }),
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
  ['blocked-route', 'BLOCKED_LOCAL_ADDRESS', { BLOCKED_PROXY_URL: 'http://proxy.example:3128' }],
] as const)('%s is met by %s', ([need, variable, more]) => {
  expect(lacks([need]).map((lack) => lack.variable)).toContain(variable);
  expect(lacks([need], more)).toEqual([]);
});

test('two-users takes two', () => {
  expect(lacks(['two-users'], { USER_IDS: 'a' })).toEqual([
    { variable: 'USER_IDS', what: 'a second user' },
  ]);
});

test('a write takes a task, permission, and a user to write as; each is named once', () => {
  expect(lacks(['task', 'writable-task'], { USER_IDS: 'a' })).toEqual([
    { variable: 'TASK_IDS', what: 'a task' },
    {
      variable: 'ALLOW_WRITES',
      what: 'permission to assign tasks on this target (yes, and no --read-only)',
    },
    { variable: 'ASSIGNED_BY_ID', what: 'the user who makes the assignments' },
  ]);
});

test('two users with email are two addresses', () => {
  const users = { USER_IDS: 'a,b,c' };
  const shared = { ...users, USER_EMAILS: '{"a":"same@x.example","b":"Same@x.example"}' };
  expect(lacks(['two-users-with-email'], shared)).toEqual([
    { variable: 'USER_EMAILS', what: 'two different addresses, of two of USER_IDS' },
  ]);
  const different = { ...users, USER_EMAILS: '{"a":"same@x.example","c":"other@x.example"}' };
  expect(lacks(['two-users-with-email'], different)).toEqual([]);
});
