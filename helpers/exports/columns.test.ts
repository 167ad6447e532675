import { describe, expect, test } from 'vitest';
import { readCsv } from '../csv/read-csv.ts';
import { columnsOfTheExport, findTimes, takeSeveralRows } from './columns.ts';

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

describe('an event takes several rows', () => {
  const id = (index: number) => `8f3c2a10-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const take = async (lines: readonly string[], headings = 'id,when,what,entity') => {
    const base = await table([headings, ...lines]);
    const [times] = findTimes(base, new Set(), { at: 0, part: base });
    return takeSeveralRows(base, { ignored: new Set(), times, dates: times, shifted: undefined });
  };
  const line = (event: number, what: string, entity = event) =>
    `${id(event)},${day(event % 28)} 10:00:00.000Z,${what},${id(900 + (entity % 5))}`;
  const each = Array.from({ length: 25 }, (_, index) => index);

  test('where rows that differ share an id and a time', async () => {
    expect(await take(each.flatMap((index) => [line(index, 'a'), line(index, 'b')]))).toBe(true);
  });

  test('not where each row has an id, or rows are repeated', async () => {
    const rows = each.map((index) => line(index, 'a'));
    expect(await take(rows)).toBe(false);
    expect(await take([...rows, ...rows])).toBe(false);
  });

  test('where all else but a detail is the same at each time', async () => {
    const event = (index: number, of = index): string =>
      `${day(index)} 10:00:00.000Z,type ${of % 3},sub ${of % 4},${id(900 + (of % 5))}`;
    const twice = (second: (index: number) => string): string[] =>
      each.flatMap((index) => [`${event(index)},task,${index}`, `${second(index)},tag,${index}`]);
    const headings = 'when,type,sub,who,key,value';
    expect(await take(twice(event), headings)).toBe(true);
    // Two events at once are two events.
    expect(
      await take(
        twice((index) => event(index, index + 1)),
        headings,
      ),
    ).toBe(false);
  });

  test('where all else but a detail is the same for an id, and no times can be read', async () => {
    const event = (index: number, what: string): string =>
      `${id(index)},${index} days ago,type ${index % 3},${id(900 + (index % 5))},${what},${index}`;
    const headings = 'id,when,type,who,key,value';
    const twice = each.flatMap((index) => [event(index, 'task'), event(index, 'tag')]);
    expect(await take(twice, headings)).toBe(true);
    // What a person has done are several events.
    expect(
      await take(
        twice.map((line) => line.replace(/^[^,]*,/, '')),
        headings.slice(3),
      ),
    ).toBe(false);
  });

  test('not where what shares an id happened at different times', async () => {
    const base = each.map((index) => line(index, 'a').replace(/^[^,]*/, ''));
    expect(await take(base)).toBe(false);
  });
});
