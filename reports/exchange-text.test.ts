import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { exchange } from '../helpers/http/exchange.fixture.ts';
import { exampleExchanges, hostileExchanges } from './example-exchanges.fixture.ts';
import { violatedRun } from './example-results.fixture.ts';
import { readableQuery, renderCurl, renderExchange, renderHar } from './exchange-text.ts';

const curl = '#1\ncurl -i -g -X GET http://127.0.0.1:1/v5/tasks/1\n';

test.for([
  ['200 application/json\n{"id":"1\\u001b[2J"}', '{"id":"1\u001b[2J"}'],
  ['200 application/json', ''],
  [`200 application/json\n${'x'.repeat(1000)}… (99 characters more)`, 'x'.repeat(1099)],
])('the command that repeats an exchange, and what came of it: %j', ([shown, text]) => {
  const body = new TextEncoder().encode(text);
  const headers = [['Content-Type', 'application/json']] as const;
  const response = { status: 200, headers, body, size: body.byteLength };
  expect(renderExchange({ ...exchange, response })).toBe(`${curl}→ ${shown}`);
});

test('a query is shown as people write it, but for what would read as something else', () => {
  expect(readableQuery('?metadata%5btag%5D=a%2Cb%26c&range_start=2026-01-01T00%3A00Z')).toBe(
    '?metadata[tag]=a%2Cb%26c&range_start=2026-01-01T00:00Z',
  );
});

test('a file is no text', () => {
  const body = new Uint8Array([0x25, 0x50, 0xff]);
  const response = { status: 200, headers: [], body, size: 3 };
  expect(renderExchange({ ...exchange, response })).toBe(`${curl}→ 200\n(3 bytes)`);
});

test('no answer', () => {
  const failure = { loss: 'timed out', why: 'no complete response within 300 ms' } as const;
  expect(renderExchange({ ...exchange, failure })).toBe(`${curl}→ ${failure.why}`);
});

function curlOf(number: number): string {
  const exchange = exampleExchanges.find((one) => one.number === number);
  if (exchange === undefined) throw new Error(`no exchange #${number}`);
  return renderCurl(exchange);
}

/** What a shell makes of the command: its arguments. */
function argumentsOf(command: string): string[] {
  const script = command.replace(/^curl/, `printf '%s\\0'`);
  const env = { ...process.env, API_KEY: 'the key' };
  return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1);
}

describe('an exchange as a curl command', () => {
  test('names the key by its variable', () => {
    expect(curlOf(2)).toBe(
      [
        'curl -i -g -X GET https://eu.staging.example/v5/tasks/7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11 \\',
        '  -H "apikey: $API_KEY"',
      ].join('\n'),
    );
  });

  test('gives a shell exactly what was sent', () => {
    expect(argumentsOf(curlOf(5))).toEqual([
      ...['-i', '-g', '-X', 'PUT'],
      'https://eu.staging.example/v5/tasks/7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11/update-assignment',
      ...['-H', 'apikey: the key'],
      ...['-H', 'If-Match: 2026-11-05T09:29:59.001Z'],
      ...['-H', 'content-type: application/json'],
      '--data-binary',
      `{"update":{"assigned_by_id":"f2a7c7f0-7b0b-4b7c-9f57-6a3f4d8f1e33","assigned_to_id":"c6e2a2d2-3e5b-4b9a-8d5e-7c4f9ab12d66","assigned_to_type":"TEAM","assignment_comment":"It's a 'quoted' comment"}}`,
    ]);
  });

  test('shows in plain text what was asked for compressed', () => {
    const { request } = exchange;
    const headers = [...request.headers, ['Accept-Encoding', 'gzip'] as const];
    const [first] = renderCurl({ ...exchange, request: { ...request, headers } }).split('\n');
    expect(first).toContain('curl -i --compressed -g -X GET ');
  });

  test('sends an empty header as curl wants it', () => {
    expect(argumentsOf(curlOf(9)).slice(-2)).toEqual(['-H', 'Accept;']);
  });
});

import addFormats from 'ajv-formats';

interface Entry {
  readonly startedDateTime: string;
  readonly request: { readonly queryString: object[]; readonly postData?: object };
  readonly response: {
    readonly status: number;
    readonly statusText: string;
    readonly content: object;
  };
}

function entriesOf(har: string): Entry[] {
  return (JSON.parse(har) as { log: { entries: Entry[] } }).log.entries;
}

describe('exchanges.har', () => {
  const har = renderHar(violatedRun, exampleExchanges);
  const entries = entriesOf(har);

  test('matches its golden file', async () => {
    await expect(har).toMatchFileSnapshot('golden/violations/exchanges.har');
  });

  test('is HAR 1.2 by the schemas of the format', () => {
    // They are written in draft 6, whose words draft 7 knows all.
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const schemas: Record<string, { $schema: string }> = createRequire(import.meta.url)(
      'har-schema',
    );
    for (const { $schema: _, ...schema } of Object.values(schemas)) ajv.addSchema(schema);
    for (const exchanges of [exampleExchanges, hostileExchanges, []]) {
      const text = renderHar(violatedRun, exchanges);
      expect(ajv.validate('har.json#', JSON.parse(text)), ajv.errorsText()).toBe(true);
    }
    expect(JSON.parse(har).log.creator).toEqual({ name: 'task-audit-contract', version: '1.2.3' });
  });

  test('dates an exchange from the start of the run', () => {
    expect(entries[2]?.startedDateTime).toBe('2026-11-05T09:30:00.900Z');
  });

  test('holds the query and the body as sent', () => {
    expect(entries[8]?.request.queryString).toEqual([
      { name: 'metadata[tag]', value: 'kyc' },
      { name: 'file_type', value: 'csv' },
    ]);
    expect(entries[2]?.request.postData).toMatchObject({ mimeType: 'application/json' });
  });

  test('has status 0 and the reason where no response came', () => {
    expect(entries[7]?.response).toMatchObject({
      status: 0,
      statusText: 'no complete response within 15000 ms',
    });
  });

  test('drops half a character where a body is cut, and says that it is', () => {
    expect(entries[8]?.response.content).toEqual({
      size: 70_000,
      mimeType: 'text/csv; charset=utf-8',
      text: 'id,type\n1,"created"\n2,caf',
      comment: 'the first 26 bytes',
    });
  });

  test('encodes what is no text', () => {
    expect(entries[9]?.response.content).toMatchObject({ text: 'Jf8A', encoding: 'base64' });
  });

  test('shown on a terminal steers nothing', () => {
    const hostile = renderHar(violatedRun, hostileExchanges);
    expect(hostile).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
    expect(entriesOf(hostile)).toHaveLength(hostileExchanges.length);
  });
});
