import { decoded } from './decode.ts';
import { keptBodyBytes } from './exchange.ts';

/** A body that is longer than anybody can want it. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';

  constructor(limit: number) {
    super(`the body is larger than ${limit} bytes`);
  }
}

/** Decodes a body and counts its pieces as they pass, and keeps all of them or only the first. */
export class BodyCollector {
  readonly #limit: number;
  readonly #pieces: Uint8Array[] = [];
  #keepAll = false;
  #kept = 0;
  #size = 0;
  #decodedSize = 0;
  #failure: unknown;

  /** @param limit a body of more bytes than this, as sent or decoded, is given up */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes that have come, as they were sent. */
  get size(): number {
    return this.#size;
  }

  /** What the source, or the limit, threw; undefined where the body came whole. */
  get failure(): unknown {
    return this.#failure;
  }

  /** What was kept of the body, decoded. */
  get bytes(): Uint8Array {
    return this.#pieces.length === 1
      ? (this.#pieces[0] ?? new Uint8Array())
      : Buffer.concat(this.#pieces);
  }

  /**
   * Passes the decoded pieces on.
   * @param encodings in the order in which they were applied
   * @throws what the source or a decoder throws, or an Error over the limit
   */
  async *take(
    source: AsyncIterable<Uint8Array>,
    encodings: readonly string[] = [],
  ): AsyncGenerator<Uint8Array> {
    try {
      const sent = this.#counted(source);
      for await (const piece of encodings.length === 0 ? sent : decoded(sent, encodings)) {
        this.#decodedSize += piece.byteLength;
        this.#check(this.#decodedSize);
        if (this.#keepAll || this.#kept < keptBodyBytes) {
          this.#pieces.push(piece);
          this.#kept += piece.byteLength;
        }
        yield piece;
      }
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  async *#counted(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      this.#size += piece.byteLength;
      this.#check(this.#size);
      yield piece;
    }
  }

  #check(size: number): void {
    if (size > this.#limit) throw new BodyTooLarge(this.#limit);
  }

  /** Takes all pieces and keeps them. */
  async keep(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    this.#keepAll = true;
    for await (const _ of pieces);
  }
}
