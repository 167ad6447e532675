import { describe, expect, test } from 'vitest';
import { clauseIds, clauseOf, judgedClauses, openClauses } from './clauses.ts';

test('ids are permanent: one may be added, none renamed or taken away', async () => {
  const levels = clauseIds.map((id) => `${id} (${clauseOf(id).level})`);
  await expect(`${levels.sort().join('\n')}\n`).toMatchFileSnapshot('clauses.snapshot.txt');
});

describe('every clause', () => {
  test.for(clauseIds)('%s', (id) => {
    const { section, level, text, untestable } = clauseOf(id);
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(section).not.toBe('');
    expect(['stated', 'implied', 'open']).toContain(level);
    expect(text).toMatch(/^\S.*[.]$/s);
    if (untestable !== undefined) expect(untestable).toMatch(/^\S.*[.]$/s);
  });

  test('says something of its own', () => {
    const texts = clauseIds.map((id) => clauseOf(id).text);
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  });

  test('is judged, observed or untestable, and only one of them', () => {
    const untestable = clauseIds.filter((id) => clauseOf(id).untestable !== undefined);
    const all = [...judgedClauses, ...openClauses, ...untestable];
    expect(all.sort()).toEqual([...clauseIds].sort());
  });
});
