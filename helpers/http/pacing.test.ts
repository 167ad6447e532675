import { describe, expect, test } from 'vitest';
import { createPacing } from './pacing.ts';
import { inVirtualTime } from './virtual-time.fixture.ts';

/** Work that lasts until it is told to end, and says when it began. */
function piecesOfWork(count: number) {
  const began: number[] = [];
  const ends: (() => void)[] = [];
  const work = (index: number) => async (): Promise<number> => {
    began.push(index);
    await new Promise<void>((end) => {
      ends[index] = end;
    });
    return index;
  };
  const all = Array.from({ length: count }, (_, index) => work(index));
  return { began, all, end: (index: number) => ends[index]?.() };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('at once', () => {
  test('no more pieces of work are under way than there are places, in the order of asking', async () => {
    const pacing = createPacing(2, 0);
    const { began, all, end } = piecesOfWork(3);
    const results = all.map((work) => pacing(work));
    await turn();
    expect(began).toEqual([0, 1]);
    end(1);
    await turn();
    expect(began).toEqual([0, 1, 2]);
    end(0);
    end(2);
    expect(await Promise.all(results)).toEqual([0, 1, 2]);
  });

  test('places are taken together, and nobody overtakes whoever waits for several', async () => {
    const pacing = createPacing(3, 0);
    const { began, all, end } = piecesOfWork(3);
    const places = [1, 3, 1];
    const results = all.map((work, index) => pacing(work, { places: places[index] ?? 1 }));
    await turn();
    expect(began).toEqual([0]);
    end(0);
    await turn();
    expect(began).toEqual([0, 1]);
    end(1);
    await turn();
    expect(began).toEqual([0, 1, 2]);
    end(2);
    await Promise.all(results);
  });

  test('one request of somebody comes before the many that another has sent at once', async () => {
    const pacing = createPacing(2, 0);
    const { began, all, end } = piecesOfWork(4);
    const owners = ['many', 'many', 'many', 'one'];
    const results = all.map((work, index) => pacing(work, { owner: owners[index] ?? '' }));
    await turn();
    expect(began).toEqual([0, 1]);
    end(0);
    await turn();
    expect(began).toEqual([0, 1, 3]);
    for (const index of [1, 3]) end(index);
    await turn();
    expect(began).toEqual([0, 1, 3, 2]);
    end(2);
    await Promise.all(results);
  });

  test('more places than there are count as all of them', async () => {
    const pacing = createPacing(2, 0);
    expect(await pacing(async () => 'done', { places: 9 })).toBe('done');
  });

  test('a place comes back where the work fails', async () => {
    const pacing = createPacing(1, 0);
    await expect(pacing(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await pacing(async () => 'done')).toBe('done');
  });
});

describe('in a second', () => {
  test('starts keep their distance', async () => {
    const starts = await inVirtualTime(async () => {
      const pacing = createPacing(9, 200);
      const began = performance.now();
      const works = Array.from({ length: 5 }, () => pacing(async () => performance.now() - began));
      return await Promise.all(works);
    });
    expect(starts).toEqual([0, 5, 10, 15, 20]);
  });

  test('several places taken together count for as many starts', async () => {
    await inVirtualTime(async () => {
      const pacing = createPacing(9, 200);
      const began = performance.now();
      await pacing(async () => {}, { places: 4 });
      await pacing(async () => {});
      expect(performance.now() - began).toBe(20);
    });
  });

  test('held back, nobody begins for so long, and then fewer a second, but not for good', async () => {
    await inVirtualTime(async () => {
      const pacing = createPacing(9, 0);
      const began = performance.now();
      const work = async () => performance.now() - began;
      const gapsOf = async (count: number): Promise<number[]> => {
        const starts = await Promise.all(Array.from({ length: count }, () => pacing(work)));
        return starts.slice(1).map((start, index) => Math.round(start - (starts[index] ?? 0)));
      };
      expect(await gapsOf(2)).toEqual([0]);
      pacing.holdBack(1000);
      // Of requests that were sent together.
      pacing.holdBack(900);
      expect(await pacing(work)).toBe(1000);
      expect(await gapsOf(3)).toEqual([19, 18]);
      pacing.holdBack(1000);
      expect(await gapsOf(2)).toEqual([25]);
      expect((await gapsOf(200)).at(-1)).toBe(0);
    });
  });

  test('whoever waits is let go with the reason when the run is stopped', async () => {
    const stop = new AbortController();
    const pacing = createPacing(2, 0.001, stop.signal);
    await pacing(async () => {});
    const waiting = pacing(async () => 'begun');
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
  });
});
