import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { idColumn } from './export/columns.ts';
import type { Page } from './export/pdf-layout.ts';
import { exportQueries } from './export-queries.fixture.ts';
import { faults } from './faults.ts';
import { exportEvents } from './operations/export.ts';
import { pastEvents } from './past-events.ts';
import type { AuditEvent } from './records.ts';
import type { Handle } from './reference.ts';
import { defaultRules, type Rules } from './rules.ts';
import { variants } from './variants.ts';

interface Replaced {
  readonly id: string;
  readonly rules?: Partial<Rules>;
  readonly wire?: (handle: Handle) => Handle;
}

const now = Date.parse('2026-11-20T10:20:30.400Z');
const world = { taskIds: [], entityIds: [], assessmentIds: [], workflowInstanceIds: [] };
const past = pastEvents(1, { ...world, userIds: [], endsAt: now, count: 12_000 });

/** A service with a past of its own, whose key is `key`. */
function serviceWith(stored: readonly AuditEvent[], replaced: Partial<Replaced>): Handle {
  const rules = { ...defaultRules, ...replaced.rules };
  const events = [...stored];
  const record = (event: Omit<AuditEvent, 'id'>) => events.push({ id: 'recorded', ...event });
  const handle: Handle = (request) =>
    request.headers.apikey === 'key'
      ? exportEvents(request, { events, rules, now, record })
      : Promise.resolve({ status: 401, headers: {}, body: '' });
  return replaced.wire?.(handle) ?? handle;
}

/** Queries that are asked for without the key, or with another one, begin with that. */
const otherKeys: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'no key': {},
  'an empty key': { apikey: '' },
  'a wrong key': { apikey: 'wrong' },
};

/** What is answered, in short. */
async function answerTo(asked: string, handle: Handle): Promise<string> {
  const [, how = '', query = ''] = /^([^?]*)(.*)$/.exec(asked) ?? [];
  const { status, headers, body } = await handle({
    method: 'GET',
    target: `/v5/audit-sentinel/events/export${query}`,
    headers: otherKeys[how] ?? { apikey: 'key' },
    body: '',
    remoteAddress: '127.0.0.1',
    region: 'own',
  });
  const hash = createHash('sha256');
  if (typeof body === 'string' || body instanceof Uint8Array) hash.update(body);
  else for await (const piece of body) hash.update(piece);
  return JSON.stringify([status, headers, hash.digest('hex')]);
}

/** Finds the first query that a service answers otherwise than the one by the default rules. */
function comparison(stored: readonly AuditEvent[], queries: readonly string[], rules = {}) {
  const right = serviceWith(stored, { rules });
  const rightAnswers = new Map<string, Promise<string>>();
  return async (replaced: Replaced): Promise<string | undefined> => {
    const wrong = serviceWith(stored, { ...replaced, rules: { ...rules, ...replaced.rules } });
    for (const query of queries) {
      const expected = rightAnswers.get(query) ?? answerTo(query, right);
      rightAnswers.set(query, expected);
      if ((await answerTo(query, wrong)) !== (await expected)) return query;
    }
    return undefined;
  };
}

const some: readonly AuditEvent[] = past
  .filter((_, index) => index % 100 === 0 || index < 4)
  // What no event of the past begins with.
  .map((event, index) => (index === 1 ? { ...event, comment: '"Fine" is all' } : event));
const reversed = '?range_start=2000-01-02T00:00:00Z&range_end=2000-01-01T00:00:00Z';
const differsOnSome = comparison(some, [
  ...exportQueries(some),
  'an empty key',
  'no key?file_type=pdf',
  'a wrong key?file_type=pdf',
  'no key?range_start=soon',
  'no key?file_type=xlsx',
  'no key?metadata[no_such_key]=x',
  `no key${reversed}`,
  `no key${reversed}&file_type=pdf`,
]);

const time = (index: number) => new Date(past[index]?.at ?? 0).toISOString();
const windowOf = (count: number) => `range_start=${time(100)}&range_end=${time(99 + count)}`;
const differsOnAll = comparison(
  past,
  [
    '',
    '?file_type=csv',
    '?file_type=csv&event_type=task',
    `?file_type=csv&${windowOf(50)}`,
    `?file_type=pdf&timezone=Asia/Kolkata&${windowOf(50)}`,
    `?timezone=Asia/Kolkata&${windowOf(50)}`,
    ...[4_950, 5_000, 5_001, 5_050].map((count) => `?file_type=pdf&${windowOf(count)}`),
    '?event_type=task',
    '?file_type=pdf',
    `?file_type=pdf&timezone=Asia/Kolkata&${windowOf(5_050)}`,
    '?file_type=pdf&event_type=task',
    '?file_type=pdf&metadata[tag]=kyc',
  ],
  // The limit shows in statuses: printing thousands of events takes a second each time.
  { pdfColumns: () => [idColumn], pdfPages: (pages: readonly Page[]) => pages.slice(0, 1) },
);

describe.for([
  ['fault', faults.export],
  ['variant', variants.export],
] as const)('every %s', ([, all]) => {
  test('answers some export otherwise than the default rules', { timeout: 120_000 }, async () => {
    // What is recorded of assignments shows in exports only where something has been assigned, and when; the key is
    // checked before the export is asked for.
    const ofOthers = ['auditEvent', 'auditDelay', 'eventOfRefusal', 'commentProblem', 'keyIsValid'];
    const exporting = all.filter(({ rules = {} }) => !ofOthers.some((rule) => rule in rules));
    const alike: string[] = [];
    for (const replaced of exporting) {
      const difference = (await differsOnSome(replaced)) ?? (await differsOnAll(replaced));
      if (difference === undefined) alike.push(replaced.id);
    }
    expect(alike).toEqual([]);
  });
});
