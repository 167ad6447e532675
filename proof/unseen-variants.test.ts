import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { callerOf } from '../reference/caller.fixture.ts';
import { createReference } from '../reference/reference.ts';
import type { Variant } from './variants/variant.ts';
import { variants } from './variants.ts';

const uuids = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;

/** What a service answers to exports that differently behaving services answer differently, in short. */
async function answersOf({
  rules = {},
  wire = (handle) => handle,
}: Pick<Variant, 'rules' | 'wire'>): Promise<string> {
  let now = Date.parse('2026-11-20T10:20:30.400Z');
  const clock = () => now++;
  const reference = createReference({ seed: 1, pastEvents: 4000, clock, rules, wire });
  const { facts, handle } = reference;
  const [taskId = ''] = facts.taskIds;
  await callerOf(reference).assign(taskId, { assignment_comment: 'Please look. '.repeat(20) });
  const queries = [
    `?auditee_id=${facts.actorIds[0]?.toUpperCase()}`,
    '?file_type=pdf&range_start=2026-11-18T00:00:00Z&range_end=2026-11-20T00:00:00Z',
    '?timezone=Asia/Kolkata',
    '?sub_type=updated&sub_type=updated',
    '?range_start=2026-11-18T00:00:00Z&range_end=',
    `?metadata[task_id]=${taskId}&range_start=2026-11-20T00:00:00Z&locale=de`,
  ];
  const hash = createHash('sha256');
  // One after the other: an export may leave its trace in the next one.
  for (const query of queries) {
    const { status, headers, body } = await handle({
      method: 'GET',
      target: `/v5/audit-sentinel/events/export${query}`,
      headers: { apikey: facts.apiKey },
      body: '',
      remoteAddress: '127.0.0.1',
      region: 'own',
    });
    hash.update(JSON.stringify([status, headers]));
    const pieces = typeof body === 'string' || body instanceof Uint8Array ? [body] : body;
    const bytes: Uint8Array[] = [];
    for await (const piece of pieces) bytes.push(Buffer.from(piece));
    // Events that are recorded now have other ids each time.
    hash.update(Buffer.concat(bytes).toString('latin1').replaceAll(uuids, ''));
  }
  return hash.digest('base64');
}

// That a fault does something shows by its being found; that most variants do, by what is observed of them.
const unseen = variants.export.filter((variant) => variant.unseen !== undefined);

test.for(unseen)('$id, of which nothing is observed, answers otherwise', async (variant) => {
  expect(await answersOf(variant)).not.toBe(await answersOf({}));
});

test('what differs in nothing answers the same', async () => {
  expect(await answersOf({})).toBe(await answersOf({}));
});
