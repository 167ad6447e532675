import { keptBodyBytes } from './exchange.ts';

/** Counts the pieces of a body as they pass, and keeps all of them or only the first. */
export class BodyCollector {
  readonly #limit: number;
  readonly #pieces: Uint8Array[] = [];
  #keepAll = false;
  #kept = 0;
  #size = 0;
  #failure: unknown;

  /** @param limit a body of more bytes than this is given up */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes that have passed. */
  get size(): number {
    return this.#size;
  }

  /** What the source, or the limit, threw; undefined where the body came whole. */
  get failure(): unknown {
    return this.#failure;
  }

  /** What was kept of the body. */
  get bytes(): Uint8Array {
    return this.#pieces.length === 1
      ? (this.#pieces[0] ?? new Uint8Array())
      : Buffer.concat(this.#pieces);
  }

  /** Passes the pieces on. @throws what the source throws, or an Error over the limit */
  async *take(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of source) {
        this.#size += piece.byteLength;
        if (this.#size > this.#limit)
          throw new Error(`the body is larger than ${this.#limit} bytes`);
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

  /** Takes all pieces and keeps them. */
  async keep(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    this.#keepAll = true;
    for await (const _ of pieces);
  }
}
