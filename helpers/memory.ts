/** What was worked out of an object, by a key: once, for as long as there is the object. */
export class Memory<Owner extends WeakKey, Key, Value> {
  readonly #kept = new WeakMap<Owner, Map<Key, Value>>();

  /** @param make works it out the first time */
  get(owner: Owner, key: Key, make: () => Value): Value {
    const kept = this.#kept.get(owner) ?? new Map<Key, Value>();
    this.#kept.set(owner, kept);
    const value = kept.get(key) ?? make();
    kept.set(key, value);
    return value;
  }
}
