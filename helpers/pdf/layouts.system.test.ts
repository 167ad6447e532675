import { describe, expect, it } from 'vitest';
import { type Cells, eventRows, type Layout, layouts, printEvents } from './layouts.fixture.ts';
import { matchEvents } from './match-events.ts';
import { readPdf } from './read-pdf.ts';

const rows = eventRows(60);
const none = { missing: [], doubtful: [], surplus: 0 };

async function printed(
  events: readonly Cells[],
  layout: Layout,
  loses?: (index: number) => boolean,
) {
  return await readPdf(await printEvents(events, layout, loses));
}

describe.for(Object.entries(layouts))('in %s', ([, layout]) => {
  it('every event is found, and events that the query excludes are counted', async () => {
    const reading = await printed(rows, layout);
    expect(matchEvents(rows, reading)).toMatchObject(none);
    const butOne = rows.filter((_, index) => index !== 20);
    expect(matchEvents(butOne, reading, rows.slice(20, 21))).toMatchObject({
      ...none,
      surplus: 1,
      excluded: [0],
    });
    const filtered = rows.filter((_, index) => Math.floor(index / 3) % 3 === 0);
    const others = rows.filter((_, index) => Math.floor(index / 3) % 3 !== 0);
    expect(matchEvents(filtered, reading, others)).toMatchObject({ ...none, surplus: 39 });
  });

  it('lost and doubled events are found', async () => {
    const lost = [0, 44, 58, 59];
    const reading = await printed(rows, layout, (index) => lost.includes(index));
    expect(matchEvents(rows, reading)).toMatchObject({ missing: lost, surplus: 0 });
    const doubled = await printed([...rows, ...rows.slice(30, 31)], layout);
    expect(matchEvents(rows, doubled)).toMatchObject({ missing: [], surplus: 1 });
  });
});

describe('in a table', () => {
  const layout = layouts['a table'];

  it('an event with text from right to left that is not recognized is doubtful, and no other is', async () => {
    const withoutIds = (cells: Cells): Cells =>
      cells.map((cell) => (/[0-9a-f]{8}-/.test(cell) ? '' : cell)).with(-1, 'بدأ النظام الفحص');
    const rightToLeft = rows.map((cells, index) => (index === 20 ? withoutIds(cells) : cells));
    const reading = await printed(rightToLeft, layout, (index) => index === 20 || index === 30);
    expect(matchEvents(rightToLeft, reading)).toMatchObject({ missing: [30], doubtful: [20] });
  });

  it('the event lost at each page break is named', async () => {
    const many = eventRows(200);
    const lost: number[] = [];
    const pdf = await printEvents(many, layout, (index, isFirst) => {
      const loses = isFirst && index > 0 && lost.at(-1) !== index - 1;
      if (loses) lost.push(index);
      return loses;
    });
    expect(lost).toHaveLength(4);
    expect(matchEvents(many, await readPdf(pdf))).toMatchObject({
      missing: lost,
      surplus: 0,
    });
  });

  it('events alike in everything printed count each', async () => {
    const twice = rows.flatMap((row) => [row, row]);
    const reading = await printed(twice, layout);
    expect(matchEvents(twice, reading)).toMatchObject(none);
    expect(matchEvents([...twice, ...rows.slice(7, 8)], reading).missing).toHaveLength(1);
  });

  it('a comment that the font cannot show, or that is cut off, is no missing event', async () => {
    const damaged = rows.map(([id = '', type = '', , , time = '', user = ''], index) => [
      ...[id, type, '', '', time, user],
      index % 2 === 0 ? `出席 ${index}` : `${index} is a comment that does not fit into its cell`,
      '',
    ]);
    expect(matchEvents(damaged, await printed(damaged, layout))).toMatchObject(none);
  });

  it('columns that only the CSV has do not matter', async () => {
    const wider = rows.map((row, index) => [`internal ${index * 7919}`, ...row, String(index)]);
    const match = matchEvents(wider, await printed(rows, layout));
    expect(match).toMatchObject(none);
    expect(match.columns).toContain(1);
    expect(match.columns).not.toContain(0);
  });

  it('ids of other things that stand below those of events are no events', () => {
    const pairs = rows.map(([id = '', , , , , , , entity = '']) => [id, entity]);
    const texts = pairs.flatMap(([id = '', entity = ''], index) => [
      { text: id, x: 36, y: 40 + 20 * index },
      { text: entity, x: 36, y: 50 + 20 * index },
    ]);
    const reading = { pages: [{ width: 600, height: 1300, hasPictures: false, texts }] };
    expect(matchEvents(pairs, reading)).toMatchObject(none);
    expect(matchEvents(pairs.slice(0, -1), reading).missing).toEqual([]);
  });

  it('nothing is found where there is nothing', async () => {
    const reading = await printed([], layout);
    const all = [...rows.keys()];
    const nothing = { ...none, repeated: [], excluded: [], columns: [], cut: [] };
    expect(matchEvents(rows, reading)).toEqual({ ...nothing, missing: all });
    expect(matchEvents([], reading)).toEqual(nothing);
  });
});
