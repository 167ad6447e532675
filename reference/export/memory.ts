/** Keeps what was asked for most recently, and makes what it does not keep. */
export class Recent<T> {
  readonly #capacity: number;
  readonly #kept = new Map<string, T>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string, make: () => T): T {
    const value = this.#kept.get(key) ?? make();
    // Put last, so that the first one is always the one that has not been asked for longest.
    this.#kept.delete(key);
    this.#kept.set(key, value);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#capacity) break;
      this.#kept.delete(oldest);
    }
    return value;
  }
}

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** A number that tells an object, or a function, from all others. */
export function identityOf(object: object): number {
  const known = numbers.get(object);
  if (known !== undefined) return known;
  lastNumber += 1;
  numbers.set(object, lastNumber);
  return lastNumber;
}
