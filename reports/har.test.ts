import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { exampleExchanges, hostileExchanges } from './example-exchanges.fixture.ts';
import { violatedRun } from './example-results.fixture.ts';
import { renderHar } from './har.ts';

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
