/**
 * How the body of a response is read:
 *
 *     pieces from the network ─ piecesInTime ─▶ each before its deadline
 *                             ─ BodyCollector ─▶ decoded, counted against the limit, kept, passed on
 */
import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type Headers, keptBodyBytes } from './exchange.ts';
import { withDeadline } from './waiting.ts';

/** The pieces of a body, each within so many milliseconds. @throws a TimeoutError */
export async function* piecesInTime(
  body: AsyncIterable<Uint8Array>,
  milliseconds: number,
): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await withDeadline(pieces.next(), milliseconds);
      if (done) return;
      yield value;
    }
  } finally {
    // Not awaited: a body that never ends may never answer this either. Its failure adds nothing.
    pieces.return?.()?.then(undefined, () => {});
  }
}

/** A body that is longer than the limit. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';

  constructor(limit: number) {
    super(`the body is larger than ${limit} bytes`);
  }
}

/** Decodes a body and counts its pieces as they pass, and keeps all of them or only the first. */
export class BodyCollector {
  /** Bytes received, before decoding. */
  size = 0;
  /** What the source, a decoder or the limit threw; undefined where the body came whole. */
  failure: unknown;
  readonly #limit: number;
  readonly #pieces: Uint8Array[] = [];
  #keepAll = false;
  #decodedSize = 0;

  /** @param limit a body of more bytes than this, as sent or decoded, is given up */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What was kept of the body, decoded. */
  get bytes(): Uint8Array {
    const [first] = this.#pieces;
    return first && this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces);
  }

  /**
   * Passes the decoded pieces on.
   * @param headers of the response; they name the encodings
   * @throws what the source or a decoder throws, or BodyTooLarge
   */
  async *take(source: AsyncIterable<Uint8Array>, headers: Headers): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of decoded(this.#counted(source), encodingsOf(headers))) {
        if (this.#keepAll || this.#decodedSize < keptBodyBytes) this.#pieces.push(piece);
        this.#decodedSize += piece.byteLength;
        this.#checkSize(this.#decodedSize);
        yield piece;
      }
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  async *#counted(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      this.size += piece.byteLength;
      this.#checkSize(this.size);
      yield piece;
    }
  }

  #checkSize(size: number): void {
    if (size > this.#limit) throw new BodyTooLarge(this.#limit);
  }

  /** Takes all pieces and keeps them. */
  async keep(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    this.#keepAll = true;
    for await (const _ of pieces);
  }
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The encodings of a body, in the order in which they were applied; empty where it is sent as it is. */
function encodingsOf(headers: Headers): string[] {
  return headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((encoding) => encoding.trim())
    .filter((encoding) => encoding !== '' && encoding !== 'identity');
}

/**
 * The pieces of a body as they were before they were encoded. The suite asks for no encoding; a gateway may choose
 * one all the same. Decodes only as fast as the pieces are taken: whoever counts them bounds the memory.
 * @throws what the body throws; Error where the encoding is unknown, or the bytes are not of it
 */
function decoded(
  body: AsyncIterable<Uint8Array>,
  encodings: readonly string[],
): AsyncIterable<Uint8Array> {
  let pieces = body;
  for (const encoding of encodings.toReversed()) {
    const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined;
    if (decoder === undefined) throw new Error(`the body has an unknown encoding, ${encoding}`);
    // The failure of either reaches whoever reads the decoder; the callback has nothing to add.
    pieces = pipeline(Readable.from(pieces), decoder, () => {});
  }
  return pieces;
}
