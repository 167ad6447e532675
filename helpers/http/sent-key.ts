/**
 * A key as it was made of the configured one, without showing either: a part of that, taken from one place up to another,
 * or a text of the suite's own.
 */
export type KeyPiece =
  | { readonly from: number; readonly to: number; readonly isCaseSwapped?: true }
  | { readonly text: string };

/** In characters: fewer can be the same in another key by accident. */
const leastShared = 4;

/**
 * How a key was made of the configured one. Of a key of which that is less than half nothing is shown.
 * @returns its pieces in order; undefined where it is the configured one
 */
export function piecesOfKey(key: string, configured: string): readonly KeyPiece[] | undefined {
  if (key === configured) return undefined;
  if (key !== '' && key === swapCase(configured)) {
    return [{ from: 0, to: configured.length, isCaseSwapped: true }];
  }
  const pieces: KeyPiece[] = [];
  let shared = 0;
  for (let at = 0; at < key.length; ) {
    const length = sharedLength(key.slice(at), configured);
    const last = pieces.at(-1);
    if (length > 0) {
      const from = configured.indexOf(key.slice(at, at + length));
      pieces.push({ from, to: from + length });
    } else if (last && 'text' in last) pieces.splice(-1, 1, { text: last.text + key[at] });
    else pieces.push({ text: key[at] ?? '' });
    shared += length;
    at += Math.max(1, length);
  }
  return shared * 2 > key.length ? pieces : [{ text: 'another-key' }];
}

/** How many characters of a text, from its first on, stand in the configured key; 0 where they are too few. */
function sharedLength(text: string, configured: string): number {
  let length = text.length;
  while (length >= leastShared && !configured.includes(text.slice(0, length))) length -= 1;
  return length < leastShared ? 0 : length;
}

/** Upper case for lower, lower for upper; a key without letters comes back as it is. */
export function swapCase(text: string): string {
  return text.replace(/[a-zA-Z]/g, (letter) => {
    const upper = letter.toUpperCase();
    return letter === upper ? letter.toLowerCase() : upper;
  });
}
