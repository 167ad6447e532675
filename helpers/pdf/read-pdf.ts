import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createPacing } from '../http/pacing.ts';
import { remembered } from '../maps.ts';

/** A piece of text as the file places it; a line, a word or a part of a word. */
export interface PdfText {
  readonly text: string;
  /** The left end of the base line, in points from the left edge of the page. */
  readonly x: number;
  /** The base line, in points from the top of the page. */
  readonly y: number;
}

export interface PdfPage {
  /** In points. */
  readonly width: number;
  readonly height: number;
  /** Whether it holds pictures, or drawings that may be letters; not looked for where there is text enough. */
  readonly hasPictures: boolean;
  /** What can be seen: in the order in which the file writes them, without what stands outside of the page. */
  readonly texts: readonly PdfText[];
}

/** A PDF as text with places. */
export interface PdfReading {
  readonly pages: readonly PdfPage[];
}

/** What the reading process answers: pages, or the error of the parser. */
export type PdfAnswer =
  | PdfReading
  | { readonly failure: { readonly name: string; readonly message: string } };

/** Why a file cannot be read as a PDF. */
export type PdfFlaw = 'not a PDF' | 'broken' | 'encrypted' | 'too big' | 'too slow';

/** Thrown where a file cannot be read as a PDF; the message is a sentence for people. */
export class PdfUnreadable extends Error {
  override readonly name = 'PdfUnreadable';
  readonly flaw: PdfFlaw;

  constructor(flaw: PdfFlaw, message: string) {
    super(message);
    this.flaw = flaw;
  }
}

export interface PdfLimits {
  /** How long reading may take. Default: 60,000, enough for a busy machine; a file that needs more is hostile. */
  readonly deadlineMs?: number;
  /** Memory that reading may take, in MiB, including some 100 for the process itself. Default: 512. */
  readonly memoryMb?: number;
}

const program = fileURLToPath(new URL('./pdf-process.mjs', import.meta.url));

/** Idle reading processes by the memory they may take: starting a process takes longer than reading most files. */
const idle = new Map<number, ChildProcess[]>();

/**
 * Reads the text of a PDF with its places, in a process of its own: a hostile file can neither block the event loop nor
 * exceed the limits of time and memory.
 * @param start starts a process that may take the given number of MiB
 * @throws PdfUnreadable where the fault is in the file
 */
export async function readPdf(
  bytes: Uint8Array,
  limits: PdfLimits = {},
  start = startProcess,
): Promise<PdfReading> {
  const { deadlineMs = 60_000, memoryMb = 512 } = limits;
  // PDF readers look for the signature in the first kilobyte.
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  if (!head.includes('%PDF-')) {
    const shown = JSON.stringify(head.slice(0, 40));
    throw new PdfUnreadable('not a PDF', `The file is not a PDF: it begins with ${shown}.`);
  }
  return await oneOfFew(async () => {
    const reader = takeProcess(memoryMb, start);
    const { memoryMb: taken, ...answer } = await ask(reader, bytes, { deadlineMs, memoryMb });
    // Memory that a large file leaves occupied must not count against the next one.
    if (taken < memoryMb / 2) keepProcess(reader, memoryMb);
    else reader.kill('SIGKILL');
    if ('pages' in answer) return answer;
    throw unreadable(answer.failure);
  });
}

/** Runs one process for each core but one: more would slow each other down, and each file has its deadline. */
const oneOfFew = createPacing(Math.max(1, availableParallelism() - 1), 0);

type Answer = PdfAnswer & { readonly memoryMb: number };

/** Has a process read a file. @throws PdfUnreadable where it takes too long, or ends as it needs too much memory */
async function ask(
  reader: ChildProcess,
  bytes: Uint8Array,
  { deadlineMs, memoryMb }: Required<PdfLimits>,
): Promise<Answer> {
  const stopWaiting = new AbortController();
  const { signal } = stopWaiting;
  try {
    reader.send(bytes);
    const message = once(reader, 'message', { signal });
    const end = once(reader, 'exit', { signal }).then(([code]) => {
      if (code === 1) throw new Error('The process that reads PDFs did not start.');
      const tooBig = `Reading the PDF took more than ${memoryMb} MiB of memory.`;
      throw new PdfUnreadable('too big', tooBig);
    });
    const timeOut = setTimeout(deadlineMs, undefined, { signal }).then(() => {
      throw new PdfUnreadable('too slow', `The PDF was not read within ${deadlineMs} ms.`);
    });
    const [answer] = await Promise.race([message, end, timeOut]);
    // The process sends nothing else.
    return answer as Answer;
  } catch (error) {
    reader.kill('SIGKILL');
    throw error;
  } finally {
    stopWaiting.abort();
  }
}

function takeProcess(memoryMb: number, start: typeof startProcess): ChildProcess {
  const kept = idle.get(memoryMb)?.pop();
  // A process that ended while it was idle is no longer connected.
  if (kept?.connected) {
    kept.ref();
    kept.channel?.ref();
    return kept;
  }
  return start(memoryMb);
}

function startProcess(memoryMb: number): ChildProcess {
  return fork(program, [String(memoryMb)], {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${memoryMb}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // A process that reads untrusted files gets nothing of the configuration. Windows needs its root.
    env: { SystemRoot: process.env.SystemRoot },
  });
}

/** Keeps a process for the next file; it does not keep the run from ending, and ends with the run. */
function keepProcess(reader: ChildProcess, memoryMb: number): void {
  remembered(idle, memoryMb, () => []).push(reader);
  reader.unref();
  reader.channel?.unref();
}

function unreadable({ name, message }: { name: string; message: string }): PdfUnreadable {
  if (name === 'PasswordException') {
    return new PdfUnreadable('encrypted', 'The PDF is encrypted and needs a password.');
  }
  if (name === 'RangeError') return new PdfUnreadable('too big', `The PDF is too big: ${message}.`);
  return new PdfUnreadable('broken', `The PDF does not open: ${message}`);
}
