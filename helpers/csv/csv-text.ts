/** Why a download cannot be read as a whole. */
export class CsvUnreadable extends Error {
  override readonly name = 'CsvUnreadable';
  readonly kind: 'too big' | 'stalled';

  constructor(kind: 'too big' | 'stalled', message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface ReadingLimits {
  readonly signal?: AbortSignal;
  /** Most bytes to read; one more throws. Default: 1 GiB. */
  readonly maxBytes?: number;
  /** How long to wait for the next bytes, in milliseconds. Default: 30,000. */
  readonly stallMs?: number;
}

/** What was noticed while bytes became text. */
export interface Decoded {
  bytes: number;
  bom: boolean;
  readonly problems: string[];
}

const pieceBytes = 256 * 1024;

/**
 * The text of a file, in pieces of about 256 KiB, without its byte order mark. UTF-8, or UTF-16 where a byte order
 * mark says so; bytes that are neither become U+FFFD and a problem.
 *
 * Reads no faster than the pieces are taken. Throws `CsvUnreadable`, the reason of the signal, or the source's own error.
 */
export async function* textOf(
  source: AsyncIterable<Uint8Array> | Uint8Array,
  limits: ReadingLimits,
  decoded: Decoded,
): AsyncGenerator<string> {
  let decode: ReturnType<typeof decoder> | undefined;
  for await (const piece of pieces(source, limits)) {
    decode ??= decoder(piece, decoded);
    yield decode(piece, true);
    decoded.bytes += piece.length;
  }
  const rest = decode?.(new Uint8Array(), false);
  if (rest) yield rest;
}

function decoder(start: Uint8Array, decoded: Decoded) {
  const encoding = start[0] === 0xff && start[1] === 0xfe ? 'utf-16le' : 'utf-8';
  decoded.bom =
    encoding === 'utf-16le' || (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf);
  const strict = new TextDecoder(encoding, { fatal: true });
  const lenient = new TextDecoder(encoding);
  let isValid = true;
  let hasNul = false;

  return (piece: Uint8Array, stream: boolean): string => {
    const text =
      (isValid ? decodeStrictly(piece, stream) : undefined) ?? lenient.decode(piece, { stream });
    if (!hasNul && text.includes('\0')) {
      hasNul = true;
      decoded.problems.push('The file holds NUL characters.');
    }
    return text;
  };

  function decodeStrictly(piece: Uint8Array, stream: boolean): string | undefined {
    try {
      return strict.decode(piece, { stream });
    } catch {
      isValid = false;
      const name = encoding.toUpperCase();
      decoded.problems.push(`Bytes that are not ${name} stand after byte ${decoded.bytes}.`);
      return undefined;
    }
  }
}

/** Small chunks are joined: the parser's cost is per piece. */
async function* pieces(
  source: AsyncIterable<Uint8Array> | Uint8Array,
  limits: ReadingLimits,
): AsyncGenerator<Uint8Array> {
  const { maxBytes = 2 ** 30 } = limits;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let bytes = 0;
  for await (const chunk of source instanceof Uint8Array
    ? slices(source)
    : watched(source, limits)) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new CsvUnreadable('too big', `The file is longer than ${maxBytes} bytes.`);
    }
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes < pieceBytes) continue;
    yield waiting.length === 1 ? chunk : Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
  }
  if (waitingBytes > 0) yield Buffer.concat(waiting);
}

function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

/** A source can die without an error: waiting for it ends with the signal, or when nothing comes for too long. */
async function* watched(
  source: AsyncIterable<Uint8Array>,
  limits: ReadingLimits,
): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const result = await interruptible(iterator.next(), limits);
      if (result.done) return;
      yield result.value;
    }
  } finally {
    // Not awaited: a source that hangs would hang here too.
    iterator.return?.().catch(() => undefined);
  }
}

async function interruptible<T>(
  next: Promise<T>,
  { signal, stallMs = 30_000 }: ReadingLimits,
): Promise<T> {
  const waiting = new AbortController();
  try {
    return await new Promise<T>((resolve, reject) => {
      const stalled = () =>
        reject(new CsvUnreadable('stalled', `Nothing of the file came for ${stallMs} ms.`));
      const timer = setTimeout(stalled, stallMs);
      waiting.signal.addEventListener('abort', () => clearTimeout(timer));
      signal?.addEventListener('abort', () => reject(signal.reason), { signal: waiting.signal });
      if (signal?.aborted) reject(signal.reason);
      next.then(resolve, reject);
    });
  } finally {
    waiting.abort();
  }
}
