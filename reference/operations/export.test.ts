import { expect, test } from 'vitest';
import type { AuditEvent } from '../records.ts';
import { defaultRules } from '../rules.ts';
import { Store } from '../store.ts';
import { exportAuditEvents } from './export.ts';

const first: AuditEvent = {
  id: '0000000a-0000-4000-8000-000000000001',
  at: Date.parse('2026-03-29T00:59:59.999Z'),
  auditeeId: 'user-1',
  eventType: 'task',
  subType: 'created',
  systemSource: 'task_platform',
  metadata: { tag: 'kyc', task_id: 'task-1' },
  description: 'Task created',
  comment: 'She said "yes",\nтогда 👍',
};
const second: AuditEvent = {
  ...first,
  id: '0000000a-0000-4000-8000-000000000002',
  at: Date.parse('2026-03-29T01:00:00.000Z'),
  subType: 'create',
  metadata: { tag: 'KYC', entity_id: 'entity-1' },
  comment: null,
};

async function ask(query: string, rules = defaultRules) {
  const target = `/v5/audit-sentinel/events/export${query}`;
  const answer = await exportAuditEvents(
    {
      method: 'GET',
      target,
      headers: { apikey: 'key' },
      body: '',
      remoteAddress: '::1',
      region: 'own',
    },
    {
      apiKey: 'key',
      allowedAddresses: ['::1'],
      store: new Store({ tasks: [], assessments: [] }, 1),
      rules,
      directory: { users: [], teams: [] },
      post: () => {},
      clock: () => 0,
      pastEvents: () => [first, second],
    },
  );
  return { status: answer.status, headers: answer.headers, text: await textOf(answer.body) };
}

async function textOf(body: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<string> {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return new TextDecoder().decode(body);
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

async function idsIn(query: string): Promise<string[]> {
  const { status, text } = await ask(query);
  expect(status).toBe(200);
  return [...text.matchAll(/0{7}a-0000-4000-8000-0{11}(\d)/g)].map(([, digit]) => digit ?? '');
}

test('without parameters every event is a row, under English headings', async () => {
  expect(await ask('')).toEqual({
    status: 200,
    headers: {
      'cache-control': 'no-store',
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="audit-events.csv"',
    },
    text: [
      'Event id,Time,Caused by,Type,Subtype,Source,Description,Comment,Entity,Assessment,Task,Workflow,Application,Screening,Match,Inquiry,Tag,Cache,Step',
      '0000000a-0000-4000-8000-000000000001,2026-03-29 00:59:59.999 +00:00,user-1,task,created,task_platform,Task created,"She said ""yes"",\nтогда 👍",,,task-1,,,,,,kyc,,',
      '0000000a-0000-4000-8000-000000000002,2026-03-29 01:00:00.000 +00:00,user-1,task,create,task_platform,Task created,,entity-1,,,,,,,,KYC,,',
      '',
    ].join('\r\n'),
  });
});

test.for([
  ['?sub_type=create', ['2']],
  ['?sub_type=CREATE', []],
  ['?sub_type=create&sub_type=created', ['1', '2']],
  ['?sub_type[]=nothing&sub_type%5B%5D=created', ['1']],
  ['?sub_type=created&event_type=task', ['1']],
  ['?sub_type=created&event_type=other', []],
  ['?metadata[tag]=kyc', ['1']],
  ['?metadata[tag]=kyc&metadata[task_id]=task-1', ['1']],
  ['?metadata[tag]=kyc&metadata[entity_id]=entity-1', []],
  ['?range_start=2026-03-29T01:00:00Z', ['2']],
  ['?range_end=2026-03-29T01:00:00.000Z', ['1', '2']],
  ['?range_end=2026-03-29T00:59:59.999Z', ['1']],
  ['?range_end=2026-03-29T00:59:59.9989Z', []],
  ['?range_start=2026-03-29T00:59:59.9991Z', ['2']],
  ['?range_start=2026-03-29T00:59:59.999%2B00:00', ['1', '2']],
  ['?range_start=2026-03-29T01:00:00Z&range_end=2026-03-29T01:00:00Z', ['2']],
  ['?range_start=&range_end=null&timezone=', ['1', '2']],
] as const)('%s selects %j', async ([query, ids]) => {
  expect(await idsIn(query)).toEqual(ids);
});

test.for([
  '?range_start=2026-03-29T01:00:00.001Z&range_end=2026-03-29T01:00:00Z',
  '?range_start=2026-02-30T01:00:00Z',
  '?range_end=yesterday',
  '?file_type=xml',
  '?locale=xx',
  '?timezone=Mars/Olympus',
  '?metadata[colour]=red',
])('%s is refused with 400 and no events', async (query) => {
  const { status, text } = await ask(query);
  expect(status).toBe(400);
  expect(text).not.toContain('0000000a');
});

test('locale and time zone change headings and dates, and nothing else', async () => {
  const { text } = await ask('?locale=de&timezone=Europe/Berlin');
  const [headings = '', ...rows] = text.split('\r\n');
  expect(headings.slice(0, 24)).toBe('Ereignis-ID,Zeitpunkt,Au');
  expect(rows.map((row) => row.split(',')[1])).toEqual([
    '29.03.2026 01:59:59.999 +01:00',
    '29.03.2026 03:00:00.000 +02:00',
    undefined,
  ]);
});
