/** Keeps the values that were asked for most recently, and makes those that it does not hold. */
export class Cache<T> {
  readonly #capacity: number;
  readonly #values = new Map<string, T>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string, make: () => T): T {
    const value = this.#values.get(key) ?? make();
    // Put last: the first one is always the least recently used.
    this.#values.delete(key);
    this.#values.set(key, value);
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#capacity) break;
      this.#values.delete(oldest);
    }
    return value;
  }
}

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** A number for an object or a function that no other has. */
export function identityOf(object: object): number {
  const known = numbers.get(object);
  if (known !== undefined) return known;
  lastNumber += 1;
  numbers.set(object, lastNumber);
  return lastNumber;
}
