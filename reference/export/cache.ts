/** Keeps the values that were asked for most recently, and makes those that it does not hold. */
export class Cache<T> {
  readonly #capacity: number;
  readonly #entries = new Map<string, { readonly value: T; readonly weight: number }>();
  #weight = 0;

  /** @param capacity what all values together may weigh; so many are kept where each weighs 1 */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** @param weigh the weight of the value, where not each weighs the same */
  get(key: string, make: () => T, weigh: (value: T) => number = () => 1): T {
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      const value = make();
      entry = { value, weight: weigh(value) };
      this.#weight += entry.weight;
    }
    // Put last: the first one is always the least recently used.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    for (const [oldest, { weight: its }] of this.#entries) {
      if (this.#weight <= this.#capacity) break;
      this.#entries.delete(oldest);
      this.#weight -= its;
    }
    return entry.value;
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
