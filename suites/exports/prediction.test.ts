import { expect, test } from 'vitest';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import { ask, type Model } from './prediction.ts';

test('an export without a range that holds more events than are read leaves nothing in doubt', async () => {
  const download = { query: {}, answer: { status: 200 }, table: undefined, overflowed: true };
  const exports = { anytime: async () => download as unknown as CsvDownload };
  const model = { exports, knowledge: { window: {} }, translated: [] } as unknown as Model;
  const level = { factor: 'range', name: 'none', query: {}, from: [] } as const;
  const asked = await ask([{ ...level, isAnytime: true }], model);
  expect(asked).toMatchObject({ isTooLarge: true, isEmpty: true });
  expect(asked.undecided).toBeUndefined();
});
