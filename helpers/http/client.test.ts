import { expect, test } from 'vitest';
import { Api } from '../api.ts';
import { Client } from './client.ts';
import { NoResponse } from './no-response.ts';
import { createPacing } from './pacing.ts';
import { Recorder } from './recorder.ts';
import { inVirtualTime } from './virtual-time.fixture.ts';

/** How often a read is sent to a target that closes each connection, or never answers. */
function timesSent(answer: (signal: AbortSignal) => Promise<never>): Promise<number> {
  return inVirtualTime(async () => {
    let sent = 0;
    const client = new Client(
      ({ signal }) => {
        sent += 1;
        return answer(signal);
      },
      new Recorder(),
      createPacing(8, 0),
      { requestTimeoutMs: 300, maxBodyBytes: 2 ** 20, noResponseBudgetMs: 1500, writes: false },
    );
    const target = { baseUrl: 'http://target.test/v5' };
    const api = new Api(client, { apiKey: 'the-key', target, wrongRegionUrl: undefined }, 'a test');
    await expect(api.task('an-id')).rejects.toThrow(NoResponse);
    return sent;
  });
}

const closed = Object.assign(new Error('closed'), { code: 'UND_ERR_SOCKET' });
const never = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

test('a request without a response is sent again as long as its budget lasts', async () => {
  expect(await timesSent(() => Promise.reject(closed))).toBe(3);
  // The time that is waited for an answer counts.
  expect(await timesSent(never)).toBe(2);
});
