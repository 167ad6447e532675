import fc from 'fast-check';
import '../helpers/fuzz-seed.fixture.ts';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Entry } from '../helpers/tasks/journal.ts';
import { Journal } from '../helpers/tasks/journal.ts';
import { claimTasks, readJournals } from './journal.ts';

// A machine may end in the middle of any write. What was written before is known all the same: a line is on the disk before the
// request that it tells of is sent. A failure prints the seed that repeats it.

const target = { kind: 'remote', baseUrl: 'http://127.0.0.1:1/v5' } as const;

const comments = fc.string({ unit: 'grapheme', maxLength: 20 });

/** What a run notes: of each task what was there, then writes and what became of them. */
const entries = fc
  .record({
    before: fc.tuple(comments, comments),
    writes: fc.array(fc.record({ task: fc.constantFrom('a', 'b'), body: comments }), {
      maxLength: 5,
    }),
  })
  .map(({ before, writes }): Entry[] => [
    ...['a', 'b'].map((task, index) => ({
      task,
      before: {
        version: `v0-${task}`,
        assignment: {
          assigned_to_id: 'u',
          assigned_to_type: 'USER',
          assignment_comment: before[index] ?? null,
        },
      },
    })),
    ...writes.flatMap(({ task, body }, index): Entry[] => [
      { task, asks: JSON.stringify({ update: { assignment_comment: body } }), number: index + 1 },
      { task, answered: index + 1, version: `v${index + 1}` },
    ]),
  ]);

test('a journal that is cut at any byte gives every whole line of it, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'journal-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await fc.assert(
    fc.asyncProperty(entries, fc.double({ min: 0, max: 1, noNaN: true }), async (noted, part) => {
      const { file } = await claimTasks(
        { journalDir: folder, target, taskIds: ['a', 'b'] },
        60_000,
      );
      for (const entry of noted) file.append(entry);
      file.leave();
      const whole = await readFile(file.path);
      const cut = whole.subarray(0, Math.floor(part * whole.length));
      await writeFile(file.path, cut);
      const [journal, ...others] = await readJournals({ journalDir: folder, target });
      await file.discard();
      expect(others).toEqual([]);
      // A line is whole without its line feed, too.
      const lines = cut
        .toString()
        .split('\n')
        .filter((line) => line.endsWith('}') && whole.includes(`${line}\n`));
      if (lines.length === 0) {
        expect(journal).toBeUndefined();
        return;
      }
      expect(journal?.header).toEqual(file.header);
      const known = noted.slice(0, lines.length - 1);
      expect(journal?.entries).toEqual(known);
      const restored = new Journal();
      for (const entry of known) restored.of(entry.task).add(entry);
      for (const { task, before } of known.flatMap((one) => ('before' in one ? [one] : []))) {
        const log = restored.of(task);
        expect(log.before).toEqual(before);
        const own = known.filter((entry) => entry.task === task);
        const isWritten = own.some((entry) => 'asks' in entry);
        expect(log.lastNumber > 0).toBe(isWritten);
        const last = own.at(-1);
        expect(log.hasPendingWrite).toBe(last !== undefined && 'asks' in last);
      }
      // The last line says that it was left.
      expect(journal?.isLeft).toBe(lines.length === noted.length + 2);
    }),
    { numRuns: 150 },
  );
});
