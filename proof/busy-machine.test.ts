// A busy machine turns no verdict: time stands still while the process is kept from working.

import { expect, test } from 'vitest';
import type { Handle } from '../reference/reference.ts';
import { faults } from './faults.ts';
import { runAgainst } from './in-process.ts';
import { lookingAt, scenariosOf } from './parts.ts';

/** Keeps the whole process, with all its timers, from working for longer than the fault lasts. */
const stalls =
  (handle: Handle): Handle =>
  async (request) => {
    if (request.target.startsWith('/v5/assessments/')) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 110);
    }
    return await handle(request);
  };

test('a fault that lasts for 100 ms is found on a machine that stalls for longer', async () => {
  const fault = faults.json.find(
    ({ id }) => id === 'a-refusal-of-a-read-is-kept-for-the-valid-key',
  );
  if (fault?.wire === undefined) throw new Error('There is no such fault.');
  const { wire, breaks } = fault;
  const { violations } = await runAgainst(
    { wire: (handle) => wire(stalls(handle)) },
    lookingAt(breaks, scenariosOf.json),
  );
  expect(violations.map(({ clause }) => clause)).toEqual(expect.arrayContaining([...breaks]));
});
