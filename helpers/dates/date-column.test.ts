import { describe, expect, it } from 'vitest';
import { readDateColumn } from './date-column.ts';

describe('a column of dates', () => {
  it('is read in the one style that fits every row', () => {
    const column = readDateColumn(['03/04/2026', '04/25/2026', '05/06/2026']);
    expect(column?.candidates.map(({ style }) => style)).toEqual(['month first']);
    const months = column?.candidates[0]?.readings.map(({ month, day }) => [month, day]);
    expect(months).toEqual([
      [3, 4],
      [4, 25],
      [5, 6],
    ]);
  });

  it('keeps both styles where every row fits both', () => {
    const column = readDateColumn(['03/04/2026', '05/06/2026']);
    expect(column?.candidates.map(({ style }) => style)).toEqual(['day first', 'month first']);
  });

  it('is read in the one language that knows all its months', () => {
    const column = readDateColumn(['3 lip 2026', '4 sty 2026']);
    expect(column?.candidates).toHaveLength(1);
    expect(column?.candidates[0]?.readings[0]).toMatchObject({ month: 7, day: 3 });
  });

  it('has the precision of its finest row, and offsets where every row has one', () => {
    const column = readDateColumn(['2026-11-20T14:05:33Z', '2026-11-20T14:05:33.5Z']);
    expect(column?.candidates[0]).toMatchObject({ precision: 'ms', hasOffsets: true });
    const bare = readDateColumn(['2026-11-20T14:05:33Z', '2026-11-20T14:05']);
    expect(bare?.candidates[0]).toMatchObject({ precision: 's', hasOffsets: false });
  });

  it('is none where one row is no date, or there is no row', () => {
    expect(readDateColumn(['2026-11-20', '', '2026-11-21'])).toBeNull();
    expect(readDateColumn(['2026-11-20', '21.11.2026'])).toBeNull();
    expect(readDateColumn([])).toBeNull();
  });
});
