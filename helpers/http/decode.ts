import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Headers } from './exchange.ts';

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The encodings of a body, in the order in which they were applied; empty where it is sent as it is. */
export function encodingsOf(headers: Headers): string[] {
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
export async function* decoded(
  body: AsyncIterable<Uint8Array>,
  encodings: readonly string[],
): AsyncGenerator<Uint8Array> {
  let pieces = body;
  for (const encoding of encodings.toReversed()) {
    const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined;
    if (decoder === undefined) throw new Error(`the body has an unknown encoding, ${encoding}`);
    // The failure of either reaches whoever reads the decoder; the callback has nothing to add.
    pieces = pipeline(Readable.from(pieces), decoder, () => {});
  }
  yield* pieces;
}
