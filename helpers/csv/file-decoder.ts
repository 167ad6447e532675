/** How the text of a file is written as bytes; the document does not say (4. Export audit events). */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** The first piece is large enough to show how a file is written. */
const firstPieceBytes = 256 * 1024;
/** Small pieces are joined, as each costs the parser; memory for strings of more than 128 KiB is freed late. */
const pieceBytes = 64 * 1024;

const nulProblem = 'The file holds NUL characters.';

/**
 * Turns the bytes of a file into text without its byte order mark: UTF-8; UTF-16 where a byte order mark says so, or
 * every other byte is NUL; windows-1252 where no byte beyond ASCII is part of a character in UTF-8. Bytes that are none
 * of these become U+FFFD, and a problem.
 */
export class FileDecoder {
  /** How many bytes were decoded so far. */
  bytes = 0;
  bom = false;
  encoding: TextEncoding = 'utf-8';
  lastCharacter = '';
  /** Sentences for people. */
  readonly problems: string[] = [];
  /** Throws at the first bytes of another encoding; then it is replaced by one that does not. */
  #decoder = new TextDecoder();
  #isAscii = true;
  /** Bytes at the end of the last piece that begin a character, which the next piece completes. */
  #open = new Uint8Array();

  /** The text in pieces, the first of 256 KiB, the others of 64; the source is read no faster than they are used. */
  async *textOf(source: AsyncIterable<Uint8Array> | Uint8Array): AsyncGenerator<string> {
    for await (const piece of source instanceof Uint8Array ? slices(source) : largePieces(source)) {
      if (this.bytes === 0) this.#begin(piece);
      const text = this.#decode(piece, true);
      this.bytes += piece.length;
      yield text;
    }
    const rest = this.#decode(new Uint8Array(), false);
    if (rest !== '') yield rest;
  }

  #begin(piece: Uint8Array): void {
    const marked = byteOrderMarks.find(([, mark]) => mark.every((byte, at) => piece[at] === byte));
    this.bom = marked !== undefined;
    this.#use(marked?.[0] ?? widthOf(piece));
  }

  #use(encoding: TextEncoding): void {
    this.encoding = encoding;
    this.#decoder = new TextDecoder(encoding, { fatal: true });
  }

  #decode(piece: Uint8Array, stream: boolean): string {
    const text = this.#read(piece, stream);
    if (text.includes('\0') && !this.problems.includes(nulProblem)) this.problems.push(nulProblem);
    this.lastCharacter = text.at(-1) ?? this.lastCharacter;
    return text;
  }

  #read(piece: Uint8Array, stream: boolean): string {
    const bytes = Buffer.concat([this.#open, piece]);
    this.#open = this.encoding === 'utf-8' ? openEnd(bytes) : new Uint8Array();
    try {
      const text = this.#decoder.decode(piece, { stream });
      if (/[\u0080-\uffff]/.test(text)) this.#isAscii = false;
      return text;
    } catch {
      this.#useAnotherFor(bytes);
      return this.#decoder.decode(bytes, { stream });
    }
  }

  #useAnotherFor(bytes: Uint8Array): void {
    if (this.encoding === 'utf-8' && this.#isAscii && isOneByteText(bytes)) {
      this.#use('windows-1252');
      return;
    }
    const name = this.encoding.toUpperCase();
    this.problems.push(`There are bytes that are not ${name} after byte ${this.bytes}.`);
    this.#decoder = new TextDecoder(this.encoding);
  }
}

/** The bytes at the end that begin a character of UTF-8, which later ones complete. */
function openEnd(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const end = bytes.slice(-3);
  const first = end.findLastIndex((byte) => byte >= 0xc0);
  const [leading = 0] = end.slice(first);
  const length = leading >= 0xf0 ? 4 : leading >= 0xe0 ? 3 : 2;
  return first === -1 || end.length - first >= length ? new Uint8Array() : end.slice(first);
}

const byteOrderMarks = [
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
] as const;

/**
 * UTF-16 without a byte order mark shows in text that is mostly ASCII: every other byte is NUL; or in another script with some
 * ASCII, as cells are divided by: none of these bytes is ASCII that shows.
 */
function widthOf(piece: Uint8Array): TextEncoding {
  const beginning = piece.subarray(0, 512);
  const bytesAt = (rest: number) => {
    const bytes = beginning.filter((_, index) => index % 2 === rest);
    const isShown = bytes.some((byte) => byte > 0x20 && byte < 0x7f);
    return { nuls: bytes.filter((byte) => byte === 0).length, isShown };
  };
  const [even, odd] = [bytesAt(0), bytesAt(1)];
  // The other byte is NUL only where a letter of another script has a round number, as “Ā”.
  const isHigh = (one: typeof even, other: typeof even): boolean =>
    one.nuls > 2 &&
    one.nuls * (one.isShown ? 4 : 16) > beginning.length &&
    one.nuls > 8 * other.nuls;
  if (isHigh(odd, even)) return 'utf-16le';
  return isHigh(even, odd) ? 'utf-16be' : 'utf-8';
}

/** Whether bytes are windows-1252 and no damaged UTF-8: read as UTF-8, more characters are damaged than readable. */
function isOneByteText(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  const damaged = text.match(/\ufffd/g)?.length ?? 0;
  const read = text.match(/[\u0080-\ufffc\ufffe\uffff]/g)?.length ?? 0;
  return damaged > read;
}

function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  let end = firstPieceBytes;
  for (let at = 0; at < bytes.length; at = end, end += pieceBytes) yield bytes.subarray(at, end);
}

async function* largePieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let enough = firstPieceBytes;
  for await (const chunk of source) {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes < enough) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    enough = pieceBytes;
  }
  if (waitingBytes > 0) yield Buffer.concat(waiting);
}
