import { createHash } from 'node:crypto';

/** Files that are kept; one of 5,000 events takes a megabyte. */
const capacity = 40;

const files = new Map<string, Promise<Uint8Array>>();
const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/**
 * A file made before from the same content by the same functions, or a new one. Making one of 5,000 events
 * takes a second, and tests ask for the same one again and again.
 *
 * @param content everything that the file depends on, besides the functions
 */
export function remembered(
  content: string,
  functions: readonly object[],
  make: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const hash = createHash('sha256').update(content).digest('hex');
  const key = [hash, ...functions.map(numberOf)].join(' ');
  const file = files.get(key) ?? make();
  // Put last, so that the first one is always the one that has not been asked for longest.
  files.delete(key);
  files.set(key, file);
  for (const oldest of files.keys()) {
    if (files.size <= capacity) break;
    files.delete(oldest);
  }
  return file;
}

function numberOf(object: object): number {
  const known = numbers.get(object);
  if (known !== undefined) return known;
  lastNumber += 1;
  numbers.set(object, lastNumber);
  return lastNumber;
}
