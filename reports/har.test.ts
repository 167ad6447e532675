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
      statusText: 'no answer within 15000 ms',
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
