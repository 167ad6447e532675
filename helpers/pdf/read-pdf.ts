import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type PdfAnswer, type PdfReading, PdfUnreadable } from './pdf-reading.ts';

export interface PdfLimits {
  /** How long reading may take. Default: 20,000. */
  readonly deadlineMs?: number;
  /** Memory that reading may take, in MiB, the some 100 of an empty process included. Default: 512. */
  readonly memoryMb?: number;
}

const program = fileURLToPath(new URL('./pdf-process.mjs', import.meta.url));

/** Processes that wait for the next file, by the memory they may take. Starting one takes longer than most files. */
const idle = new Map<number, ChildProcess[]>();

/**
 * Reads the text of a PDF with its places, in a process of its own: the event loop is never blocked, and neither
 * deadline nor memory depend on the goodwill of the file.
 *
 * @throws PdfUnreadable where the fault is in the file
 */
export async function readPdf(bytes: Uint8Array, limits: PdfLimits = {}): Promise<PdfReading> {
  const { deadlineMs = 20_000, memoryMb = 512 } = limits;
  // Readers look for the mark in the first kilobyte.
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  if (!start.includes('%PDF-')) {
    const shown = JSON.stringify(start.slice(0, 40));
    throw new PdfUnreadable('not a PDF', `The file is no PDF: it begins with ${shown}.`);
  }
  const reader = takeReader(memoryMb);
  const { memoryMb: taken, ...answer } = await ask(reader, bytes, { deadlineMs, memoryMb });
  // What a large file leaves behind must not count against the next one.
  if (taken < memoryMb / 2) keepReader(reader, memoryMb);
  else reader.kill('SIGKILL');
  if ('pages' in answer) return answer;
  throw unreadable(answer.failure);
}

type Answer = PdfAnswer & { readonly memoryMb: number };

async function ask(
  reader: ChildProcess,
  bytes: Uint8Array,
  { deadlineMs, memoryMb }: Required<PdfLimits>,
): Promise<Answer> {
  const stopWaiting = new AbortController();
  const { signal } = stopWaiting;
  const tooSlow = `The PDF was not read within ${deadlineMs} ms.`;
  const tooBig = `Reading the PDF takes more than ${memoryMb} MiB of memory.`;
  const timeOut = async () => {
    await setTimeout(deadlineMs, undefined, { signal });
    throw new PdfUnreadable('too slow', tooSlow);
  };
  const end = async () => {
    const [code] = await once(reader, 'exit', { signal });
    if (code === 1) throw new Error('The process that reads PDFs does not start.');
    throw new PdfUnreadable('too big', tooBig);
  };
  const message = async () => {
    const [answer] = await once(reader, 'message', { signal });
    // The process sends nothing else.
    return answer as Answer;
  };
  try {
    reader.send(bytes);
    return await Promise.race([message(), timeOut(), end()]);
  } catch (error) {
    reader.kill('SIGKILL');
    throw error;
  } finally {
    stopWaiting.abort();
  }
}

function takeReader(memoryMb: number): ChildProcess {
  const kept = idle.get(memoryMb)?.pop();
  if (kept?.connected) {
    kept.removeAllListeners('exit');
    kept.ref();
    kept.channel?.ref();
    return kept;
  }
  return fork(program, [String(memoryMb)], {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${memoryMb}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Nothing of the configuration is any business of a process that reads strangers' files. Windows needs its root.
    env: { SystemRoot: process.env.SystemRoot },
  });
}

/** A process that waits does not keep the run from ending; it ends with it. */
function keepReader(reader: ChildProcess, memoryMb: number): void {
  const waiting = idle.get(memoryMb) ?? [];
  idle.set(memoryMb, waiting);
  waiting.push(reader);
  reader.once('exit', () => waiting.splice(waiting.indexOf(reader), 1));
  reader.unref();
  reader.channel?.unref();
}

function unreadable({ name, message }: { name: string; message: string }): PdfUnreadable {
  if (name === 'PasswordException') {
    return new PdfUnreadable('encrypted', 'The PDF is encrypted and asks for a password.');
  }
  if (name === 'RangeError') return new PdfUnreadable('too big', `The PDF is too big: ${message}.`);
  return new PdfUnreadable('broken', `The PDF does not open: ${message}`);
}
