import { parse } from 'dotenv';
import { expect, test } from 'vitest';
import { createReference } from './reference.ts';
import { environment, startReference } from './serve.ts';

test('the environment is a configuration to paste', async () => {
  const { variables, close } = await startReference({ seed: 3 });
  await close();
  const { facts } = createReference({ seed: 3 });
  expect(parse(environment(variables))).toMatchObject({
    BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v5$/),
    API_KEY: facts.apiKey,
    TASK_IDS: facts.taskIds.join(','),
    ASSESSMENT_IDS: facts.assessmentIds.join(','),
    ASSIGNED_BY_ID: facts.actorIds.join(','),
    USER_IDS: facts.userIds.join(','),
    TEAM_IDS: facts.teamIds.join(','),
    WRONG_REGION_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v5$/),
    BLOCKED_PROXY_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    MAILBOX_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    USER_EMAILS: JSON.stringify(facts.userEmails),
    TEAM_EMAILS: JSON.stringify(facts.teamEmails),
  });
});
