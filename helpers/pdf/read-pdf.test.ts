import { ChildProcess } from 'node:child_process';
import { beforeEach, describe, expect, test } from 'vitest';
import { type PdfAnswer, PdfUnreadable, readPdf } from './read-pdf.ts';

// What becomes of the processes that read, without one: how much memory they took, and how long, is made up.

const file = Buffer.from('%PDF-1.7');

/** What a process does when it gets a file. */
type Deed = (reader: Reader) => void;

class Reader extends ChildProcess {
  override readonly connected = true;
  readonly memoryMb: number;
  readonly #deeds: Deed[];
  isKilled = false;

  constructor(memoryMb: number, deeds: Deed[]) {
    super();
    this.memoryMb = memoryMb;
    this.#deeds = deeds;
  }

  override send(): boolean {
    const deed = this.#deeds.shift();
    queueMicrotask(() => deed?.(this));
    return true;
  }

  override kill(): boolean {
    this.isKilled = true;
    return true;
  }

  override ref(): void {}
  override unref(): void {}
}

const answers =
  (memoryMb: number, answer: PdfAnswer = { pages: [] }): Deed =>
  (reader) =>
    reader.emit('message', { ...answer, memoryMb });
const exits =
  (code: number | null): Deed =>
  (reader) =>
    reader.emit('exit', code);
const staysSilent: Deed = () => {};

/** No two tests share processes: they are kept by the memory that they may take. */
let memoryMb = 1000;
beforeEach(() => {
  memoryMb += 1000;
});

/** Processes that do one thing after the other, whichever of them is asked. */
function readersOf(...deeds: Deed[]) {
  const started: Reader[] = [];
  const start = (limit: number): Reader => {
    const reader = new Reader(limit, deeds);
    started.push(reader);
    return reader;
  };
  return { started, read: (limits = {}) => readPdf(file, { memoryMb, ...limits }, start) };
}

describe('the processes that read', () => {
  test('are kept for the next file, by the memory that they may take', async () => {
    const { started, read } = readersOf(answers(120), answers(120), answers(120), answers(120));
    await read();
    await read();
    await read({ memoryMb: memoryMb + 1 });
    await read({ memoryMb: memoryMb + 1 });
    expect(started.map((reader) => reader.memoryMb)).toEqual([memoryMb, memoryMb + 1]);
    expect(started.map(({ isKilled }) => isKilled)).toEqual([false, false]);
  });

  test('are not kept where a file took half of their memory', async () => {
    const half = memoryMb / 2;
    const { started, read } = readersOf(answers(half - 0.1), answers(half), answers(120));
    for (let time = 0; time < 3; time += 1) await read();
    expect(started.map(({ isKilled }) => isKilled)).toEqual([true, false]);
  });

  test('are not kept where a file took too long', async () => {
    const { started, read } = readersOf(staysSilent, answers(120));
    await expect(read({ deadlineMs: 1 })).rejects.toMatchObject({
      flaw: 'too slow',
      message: 'The PDF was not read within 1 ms.',
    });
    await read();
    expect(started.map(({ isKilled }) => isKilled)).toEqual([true, false]);
  });

  test('are kept where a file is at fault', async () => {
    const failure = { name: 'PasswordException', message: 'No password given' };
    const { started, read } = readersOf(answers(120, { failure }), answers(120));
    await expect(read()).rejects.toMatchObject({ flaw: 'encrypted' });
    await read();
    expect(started).toHaveLength(1);
  });

  test('are left without listeners and timers', async () => {
    const timers = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const { started, read } = readersOf(answers(120), answers(120));
    const before = timers();
    await read();
    await read();
    expect(timers()).toBe(before);
    const listeners = ['message', 'exit'].map((event) => started[0]?.listenerCount(event));
    expect(listeners).toEqual([0, 0]);
  });

  test('show by their end whether the file was too big, or none was started', async () => {
    const { read } = readersOf(exits(null), exits(1));
    const tooBig = await read().catch((error: unknown) => error);
    expect(tooBig).toBeInstanceOf(PdfUnreadable);
    expect(tooBig).toMatchObject({
      flaw: 'too big',
      message: `Reading the PDF took more than ${memoryMb} MiB of memory.`,
    });
    await expect(read()).rejects.toThrow('The process that reads PDFs did not start.');
  });
});
