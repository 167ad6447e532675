import { parse } from 'dotenv';
import { expect, test } from 'vitest';
import { createReference } from './reference.ts';
import { serve } from './serve.ts';

test('what is printed is a configuration to paste', async () => {
  let printed = '';
  const { baseUrl, otherRegionUrl, blockedProxyUrl, mailboxUrl, close } = await serve(
    { seed: 3 },
    (text) => {
      printed += text;
    },
  );
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
    BLOCKED_PROXY_URL: blockedProxyUrl,
    MAILBOX_URL: mailboxUrl,
    USER_EMAILS: JSON.stringify(facts.userEmails),
    TEAM_EMAILS: JSON.stringify(facts.teamEmails),
  });
});
