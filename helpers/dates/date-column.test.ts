import { describe, expect, it } from 'vitest';
import { readDateColumn } from './date-column.ts';

describe('a column of dates', () => {
  it('is read in the one style that fits every row', () => {
    const column = readDateColumn(['03/04/2026', '04/25/2026', '05/06/2026']);
    expect(column.map(({ style }) => style)).toEqual(['month first']);
    const months = column[0]?.readings.map(({ month, day }) => [month, day]);
    expect(months).toEqual([
      [3, 4],
      [4, 25],
      [5, 6],
    ]);
  });

  it('keeps both styles where every row fits both', () => {
    const column = readDateColumn(['03/04/2026', '05/06/2026']);
    expect(column.map(({ style }) => style)).toEqual(['day first', 'month first']);
  });

  it('is read in the one language that knows all its months', () => {
    const column = readDateColumn(['3 lip 2026', '4 sty 2026']);
    expect(column).toHaveLength(1);
    expect(column[0]?.readings[0]).toMatchObject({ month: 7, day: 3 });
  });

  it('is read once where several languages read it alike', () => {
    expect(readDateColumn(['3 nov 2026', '4 apr 2026'])).toHaveLength(1);
    // In Slovak and in Hungarian.
    expect(readDateColumn(['3 júl 2026'])).toHaveLength(1);
  });

  it('is read in each of the languages that read it otherwise', () => {
    const months = readDateColumn(['3 listopada 2026']).map(({ readings: [one] }) => one?.month);
    expect(months.toSorted()).toEqual([10, 11]);
  });

  it('has the precision of its finest row, and offsets where every row has one', () => {
    const column = readDateColumn(['2026-11-20T14:05:33Z', '2026-11-20T14:05:33.5Z']);
    expect(column[0]).toMatchObject({ precision: 'ms', hasOffsets: true });
    const bare = readDateColumn(['2026-11-20T14:05:33Z', '2026-11-20T14:05']);
    expect(bare[0]).toMatchObject({ precision: 's', hasOffsets: false });
  });

  it('names instants where rows are in UTC, or say how far from it they are', () => {
    const column = readDateColumn(['2026-11-20 14:05 +01:00', '2026-11-20 14:05 -00:30']);
    expect(column[0]?.instants).toEqual([
      Date.UTC(2026, 10, 20, 13, 5),
      Date.UTC(2026, 10, 20, 14, 35),
    ]);
  });

  it('has what rows write beyond the millisecond', () => {
    const column = readDateColumn(['2026-11-20T14:05:33.000001Z', '2026-11-20T14:05:33Z']);
    expect(column[0]?.beyondMs).toEqual([1000, 0]);
  });

  it('is none where one row is no date, or there is no row', () => {
    expect(readDateColumn(['2026-11-20', '', '2026-11-21'])).toEqual([]);
    expect(readDateColumn(['2026-11-20', '21.11.2026'])).toEqual([]);
    expect(readDateColumn([])).toEqual([]);
  });
});
