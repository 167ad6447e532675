import { parse } from 'dotenv';
import { expect, test } from 'vitest';
import { createReference } from './reference.ts';
import { environment, startReference } from './serve.ts';

test('the environment is a configuration to paste', async () => {
  const { reference, listening } = await startReference({ seed: 3 });
  await listening.close();
  const { baseUrl, otherRegionUrl, blockedProxyUrl, mailboxUrl } = listening;
  const { facts } = createReference({ seed: 3 });
  expect(parse(environment(reference.facts, listening))).toMatchObject({
    BASE_URL: baseUrl,
    API_KEY: facts.apiKey,
    TASK_IDS: facts.taskIds.join(','),
    ASSESSMENT_IDS: facts.assessmentIds.join(','),
    ASSIGNED_BY_ID: facts.actorIds.join(','),
    USER_IDS: facts.userIds.join(','),
    TEAM_IDS: facts.teamIds.join(','),
    WRONG_REGION_URL: otherRegionUrl,
    BLOCKED_PROXY_URL: blockedProxyUrl,
    MAILBOX_URL: mailboxUrl,
    USER_EMAILS: JSON.stringify(facts.userEmails),
    TEAM_EMAILS: JSON.stringify(facts.teamEmails),
  });
});
