import { expect, test } from 'vitest';
import { readSettings } from '../helpers/config/read-settings.ts';
import type { Task } from '../schemas/task.ts';
import { emptyFolder } from './process.fixture.ts';
import { openJournal } from './restore.ts';

test.for([
  ['canary-key', 'Mind canary-key!', false],
  // A word that is a name of a field in the journal too.
  ['task', 'Mind the gap', true],
  // So short a key stands in any text by chance.
  ['k', 'A key', true],
] as const)('with the key %j, the comment %j may be noted: %j', async ([key, comment, isNoted]) => {
  const JOURNAL_DIR = await emptyFolder();
  const variables = { BASE_URL: 'http://127.0.0.1:1/v5', API_KEY: key, JOURNAL_DIR };
  const { journal, file } = await openJournal(readSettings(variables, 1), neverSend, () => {});
  const assignment = { assigned_to_id: 'a', assignment_comment: comment };
  // The journal looks at no other field of a task.
  const task = { updated_at: '2026-01-01T00:00:00Z', assignment } as unknown as Task;
  const noted = journal.of('7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11').remember(task);
  if (isNoted) await noted;
  else await expect(noted).rejects.toThrow(/ holds the API key\. It is not written down/);
  await file?.discard();
});

function neverSend(): never {
  throw new Error('Nothing is to be sent.');
}
