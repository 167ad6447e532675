import type { Exchange, Headers } from '../helpers/http/exchange.ts';
import { hostileText } from './example-results.fixture.ts';

/** The exchanges of the example runs, by the numbers that their violations name. */

const base = 'https://eu.staging.example/v5';
const task = {
  id: '7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11',
  name: 'Review',
  assignment: {
    assigned_by_id: 'f2a7c7f0-7b0b-4b7c-9f57-6a3f4d8f1e33',
    assigned_to_id: 'c6e2a2d2-3e5b-4b9a-8d5e-7c4f9ab12d66',
    assigned_to_type: 'TEAM',
    assignment_comment: 'Don’t “hurry”, it’s fine 🙂',
  },
  status: 'INCOMPLETE',
  step_name: 'Approval',
  updated_at: '2026-11-05T09:30:00.125Z',
};

const json: Headers = [['content-type', 'application/json']];
const key: Headers = [['apikey', '[redacted]']];

function answer(status: number, headers: Headers, body: string | Uint8Array, size?: number) {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return { status, headers, body: bytes, size: size ?? bytes.byteLength };
}

function write(
  number: number,
  scenario: string,
  headers: Headers,
  rest: Partial<Exchange>,
): Exchange {
  return {
    number,
    operation: 'update-assignment',
    scenario,
    startedAt: number * 300,
    durationMs: 20 + number * number,
    request: {
      method: 'PUT',
      url: `${base}/tasks/${task.id}/update-assignment`,
      headers: [...headers, ['If-Match', '2026-11-05T09:29:59.001Z'], ...json],
      body: JSON.stringify({
        update: { ...task.assignment, assignment_comment: "It's a 'quoted' comment" },
      }),
    },
    ...rest,
  };
}

function read(number: number, scenario: string, rest: Partial<Exchange>): Exchange {
  return {
    number,
    operation: 'get-task',
    scenario,
    startedAt: number * 300,
    durationMs: 11.5,
    request: { method: 'GET', url: `${base}/tasks/${task.id}`, headers: key },
    ...rest,
  };
}

const stale = 'a stale If-Match answers 409 and changes nothing';
const simultaneous = 'of five simultaneous writes with the same version one wins';
const updated = answer(200, json, JSON.stringify(task));

export const exampleExchanges: readonly Exchange[] = [
  read(1, 'before the run', { response: updated }),
  read(2, 'a task is read', { response: updated }),
  write(3, stale, key, { response: updated }),
  write(4, 'a write without a key', [], { response: answer(401, [], '') }),
  write(5, 'reassigning a task from a user to a team', key, { response: updated }),
  write(6, simultaneous, key, { response: updated }),
  write(7, simultaneous, key, { response: updated, startedAt: 1800 }),
  read(8, 'a task is read', {
    failure: { loss: 'timed out', why: 'no complete response within 15000 ms' },
    durationMs: 1500,
  }),
  {
    number: 9,
    operation: 'export',
    scenario: 'an export is repeated',
    startedAt: 2700,
    durationMs: 140,
    request: {
      method: 'GET',
      url: `${base}/audit-sentinel/events/export?metadata[tag]=kyc&file_type=csv`,
      headers: [...key, ['Accept', '']],
    },
    response: answer(
      200,
      [['content-type', 'text/csv; charset=utf-8']],
      // The first byte of a two-byte character is the last one kept.
      new Uint8Array([...new TextEncoder().encode('id,type\n1,"created"\n2,caf'), 0xc3]),
      70_000,
    ),
  },
  read(10, 'a task is read', {
    response: answer(200, [['content-type', 'application/pdf']], new Uint8Array([0x25, 0xff, 0])),
  }),
];

/** As the example, but every text that can come from a target is hostile. */
export const hostileExchanges: readonly Exchange[] = exampleExchanges.map((exchange) => ({
  ...exchange,
  ...(exchange.failure !== undefined && {
    failure: { ...exchange.failure, why: hostileText },
  }),
  ...(exchange.response !== undefined && {
    response: answer(
      exchange.response.status,
      [
        [hostileText, hostileText],
        ['content-type', hostileText],
      ],
      exchange.number % 2 === 0 ? JSON.stringify({ [hostileText]: hostileText }) : hostileText,
    ),
  }),
}));
