/**
 * A key as it was made of the configured one, without showing either: a part of that, taken from one place up to another,
 * or a text of the suite's own.
 */
export type KeyPiece =
  | { readonly from: number; readonly to: number; readonly isCaseSwapped?: true }
  | { readonly text: string };

/** More than a character or two in the middle of a key make another key of it. */
const maxChanged = 2;

/** How a key was made of the configured one. @returns its pieces in order; undefined where it is the configured one */
export function piecesOfKey(key: string, configured: string): readonly KeyPiece[] | undefined {
  if (key === configured) return undefined;
  if (configured === '') return [{ text: key }];
  const { length } = configured;
  // As often as it stands there: what is left between holds none of it.
  const others = key.split(configured);
  if (others.length > 1) {
    const whole: KeyPiece = { from: 0, to: length };
    return others
      .flatMap((text, index): KeyPiece[] => (index === 0 ? [{ text }] : [whole, { text }]))
      .filter(isFilled);
  }
  const part = key === '' ? -1 : configured.indexOf(key);
  if (part !== -1) return [{ from: part, to: part + key.length }];
  if (key !== '' && key === swapCase(configured)) {
    return [{ from: 0, to: length, isCaseSwapped: true }];
  }
  const start = commonLength(key, configured);
  const rest = Math.min(key.length, length) - start;
  const end = Math.min(rest, commonLength(reversed(key), reversed(configured)));
  const changed = key.slice(start, key.length - end);
  return start + end >= length - maxChanged && changed.length <= maxChanged
    ? [{ from: 0, to: start }, { text: changed }, { from: length - end, to: length }].filter(
        isFilled,
      )
    : [{ text: 'another-key' }];
}

function isFilled(piece: KeyPiece): boolean {
  return 'text' in piece ? piece.text !== '' : piece.from < piece.to;
}

/** Upper case for lower, lower for upper; a key without letters comes back as it is. */
export function swapCase(text: string): string {
  return text.replace(/[a-zA-Z]/g, (letter) => {
    const upper = letter.toUpperCase();
    return letter === upper ? letter.toLowerCase() : upper;
  });
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}
