// The reference service is right: nothing is found wrong with it, and every clause that can be judged is judged. What
// is observed of it is kept, for `serve --profile`.

import { expect, test } from 'vitest';
import { profileOf } from '../reports/fidelity.ts';
import { jsonText } from '../reports/printable.ts';
import { runAgainst } from './in-process.ts';

test('the reference service upholds every clause that the scenarios judge', async () => {
  const results = await runAgainst({ pastEvents: 12_000, drawsPdfs: true });
  expect(results.violations).toEqual([]);
  const undecided = results.clauses.filter(
    ({ verdict }) => verdict === 'inconclusive' || verdict === 'error',
  );
  expect(undecided).toEqual([]);
  expect(results.verdict).toBe('conformant');
  // What the service knows of itself, to tell where a profile asks it to be another one.
  const { observations } = profileOf(results);
  await expect(jsonText(observations)).toMatchFileSnapshot('../reference/profile/own-profile.json');
});
