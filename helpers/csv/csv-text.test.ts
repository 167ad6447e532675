import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readCsv } from './read-csv.ts';

describe('a file is read from a stream', () => {
  it('however it is cut, also inside a character', async () => {
    const bytes = Buffer.from('Id;Été\n1;日本\n2;"a\r\nb"\n');
    const table = await readCsv(Readable.from(Array.from(bytes, (byte) => Buffer.of(byte))));
    expect(table).toMatchObject({ headings: ['Id', 'Été'], problems: [] });
    expect(table.rows).toEqual([
      ['1', '日本'],
      ['2', 'a\r\nb'],
    ]);
  });

  it('keeping some rows and handing over each', async () => {
    const seen: number[] = [];
    const onRow = (row: readonly string[], index: number) => seen.push(Number(row[0]) - index);
    const text = Array.from({ length: 2000 }, (_, index) => `${index},x\n`).join('');
    const table = await readCsv(Buffer.from(text), { keep: 2, onRow });
    expect(table).toMatchObject({
      count: 2000,
      rows: [
        ['0', 'x'],
        ['1', 'x'],
      ],
    });
    expect(seen).toEqual(Array(2000).fill(0));
  });

  it('up to a number of bytes, asking for none beyond', async () => {
    let asked = 0;
    async function* endless() {
      for (;;) {
        asked += 1;
        yield Buffer.from('1,2\n'.repeat(16_384));
      }
    }
    const reading = readCsv(endless(), { maxBytes: 2 ** 20, keep: 0 });
    await expect(reading).rejects.toMatchObject({ kind: 'too big' });
    expect(asked).toBe(17);
  });

  it('until a quote has been open for too long', async () => {
    async function* endless() {
      yield Buffer.from('a,b\n1,2\n3,"');
      for (;;) yield Buffer.alloc(2 ** 18, 'x');
    }
    const table = await readCsv(endless());
    expect(table.rows).toEqual([['1', '2']]);
    expect(table.problems[0]).toMatch('Record 3 is longer than 1048576 characters');
  });

  it('until nothing comes any more', async () => {
    async function* stalling() {
      yield Buffer.from('a,b\n1,2\n');
      await new Promise(() => undefined);
    }
    await expect(readCsv(stalling(), { stallMs: 5 })).rejects.toMatchObject({ kind: 'stalled' });
  });

  it('until the signal aborts or the source breaks', async () => {
    const abort = new AbortController();
    async function* waiting() {
      yield Buffer.from('a,b\n1,2\n');
      abort.abort(new Error('the run ends'));
      await new Promise(() => undefined);
    }
    await expect(readCsv(waiting(), { signal: abort.signal })).rejects.toThrow('the run ends');

    const dying = new Readable({ read: () => undefined });
    dying.push('a,b\n');
    setImmediate(() => dying.destroy());
    await expect(readCsv(dying)).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
  });
});
