import { expect, test } from 'vitest';
import { readCsv } from '../csv/read-csv.ts';
import { columnsOfTheExport, findTimes } from './columns.ts';

const day = (index: number) => `2026-03-${String(index + 1).padStart(2, '0')}`;
const table = (lines: readonly string[]) => readCsv(Buffer.from(lines.join('\n')));

/** Rows by day of March, with further cells after the day. */
function rows(count: number, further: (index: number) => string, from = 0): string[] {
  const indexes = Array.from({ length: count }, (_, index) => index + from);
  return indexes.map(
    (index) => `${day(index)} 10:00:00.5${index % 10}0Z,event-${index * 977},${further(index)}`,
  );
}

test('row numbers belong to the export', async () => {
  const base = await table(['when,what,no', ...rows(25, (index) => `${index + 1}`)]);
  expect(columnsOfTheExport(base, base)).toEqual(new Set([2]));
});

test('a date that is the same in every row is the time of the export', async () => {
  const base = await table(['when,what,exported', ...rows(25, () => '2026-11-20 10:15')]);
  expect(columnsOfTheExport(base, base)).toEqual(new Set([2]));
});

test('what changes from one identical request to the next belongs to the export', async () => {
  const base = await table(['when,what,token', ...rows(25, (index) => `x${index}7`)]);
  const again = await table(['when,what,token', ...rows(25, (index) => `y${index}3`)]);
  expect(columnsOfTheExport(base, again)).toEqual(new Set([2]));
});

test('where another event is lost each time, no column belongs to the export', async () => {
  const lines = rows(25, (index) => `type-${index % 3}`);
  const base = await table(['when,what,type', ...lines.slice(1)]);
  const again = await table(['when,what,type', ...lines.slice(0, -1)]);
  expect(columnsOfTheExport(base, again)).toEqual(new Set());
});

test('where a name in some events is replaced, no column belongs to the export', async () => {
  const written = (name: string) =>
    table(['when,what,who', ...rows(25, (index) => (index % 4 === 0 ? name : 'Bo'))]);
  const [base, again] = await Promise.all([written('Al'), written('pseudonym 1')]);
  expect(columnsOfTheExport(base, again)).toEqual(new Set());
});

test('columns of the events are kept, also where the order changes', async () => {
  const lines = rows(25, (index) => `type-${index % 3}`);
  const base = await table(['when,what,type', ...lines]);
  const again = await table(['when,what,type', ...lines.toReversed()]);
  expect(columnsOfTheExport(base, again)).toEqual(new Set());
});

test('the column of times fits with what a range left', async () => {
  // The second date of each event runs the other way: it is not the one that the range goes by.
  const lines = (from: number) =>
    rows(25 - from, (index) => `${day(27 - index)} 08:00:00.000Z`, from);
  const base = await table(['when,what,due', ...lines(0)]);
  const part = await table(['when,what,due', ...lines(12)]);
  const [times] = findTimes(base, new Set(), { at: Date.UTC(2026, 2, 13), part });
  expect(times?.columns).toEqual([0]);
  expect(times?.unit).toBe(1);
  expect(times?.instants[1]).toBe(Date.UTC(2026, 2, 2, 10, 0, 0, 510));
});

test('dates that do not fit with UTC are not taken for instants', async () => {
  const base = await table(['when,what,n', ...rows(25, (index) => `${index * 3}`)]);
  const part = await table(['when,what,n', ...rows(13, (index) => `${index * 3}`, 12)]);
  const threeDaysLater = Date.UTC(2026, 2, 16, 5, 17, 11, 3);
  expect(findTimes(base, new Set(), { at: threeDaysLater, part })).toEqual([]);
});

test('a table without dates has no times', async () => {
  const lines = Array.from({ length: 25 }, (_, index) => `${index % 4} days ago,event-${index}`);
  const base = await table(['when,what', ...lines]);
  const part = await table(['when,what', ...lines.slice(10)]);
  expect(findTimes(base, new Set(), { at: Date.UTC(2026, 2, 13), part })).toEqual([]);
});
