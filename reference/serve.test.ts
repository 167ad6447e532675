import { parse } from 'dotenv';
import { expect, test } from 'vitest';
import { createReference } from './reference.ts';
import { environment, serve } from './serve.ts';

test('what is printed is a configuration to paste', async () => {
  let printed = '';
  const { baseUrl, otherRegionUrl, mailboxUrl, close } = await serve({ seed: 3 }, (text) => {
    printed += text;
  });
  await close();
  const { facts } = createReference({ seed: 3 });
  expect(parse(printed)).toMatchObject({
    BASE_URL: baseUrl,
    API_KEY: facts.apiKey,
    TASK_IDS: facts.taskIds.join(','),
    ASSESSMENT_IDS: facts.assessmentIds.join(','),
    ASSIGNED_BY_ID: facts.actorIds.join(','),
    USER_IDS: facts.userIds.join(','),
    TEAM_IDS: facts.teamIds.join(','),
    WRONG_REGION_URL: otherRegionUrl,
    MAILBOX_URL: mailboxUrl,
    USER_EMAILS: JSON.stringify(facts.userEmails),
    TEAM_EMAILS: JSON.stringify(facts.teamEmails),
  });
});

test('a blocked address is named only where there is one', () => {
  const { facts } = createReference({ seed: 3 });
  const urls = {
    baseUrl: 'http://127.0.0.1:1/v5',
    otherRegionUrl: 'http://127.0.0.1:2/v5',
    mailboxUrl: 'http://127.0.0.1:3',
  };
  const withOne = environment(facts, { ...urls, blockedAddress: '127.0.0.2' });
  const withNone = environment(facts, { ...urls, blockedAddress: undefined });
  expect(parse(withOne).BLOCKED_LOCAL_ADDRESS).toBe('127.0.0.2');
  expect(parse(withNone)).not.toHaveProperty('BLOCKED_LOCAL_ADDRESS');
});
