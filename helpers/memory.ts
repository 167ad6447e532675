/** Keeps values that were worked out of an object, by a key, for as long as the object exists. */
export class Memory<Owner extends WeakKey, Key, Value> {
  readonly #kept = new WeakMap<Owner, Map<Key, Value>>();

  /** The value of an owner and a key. @param make works the value out the first time */
  get(owner: Owner, key: Key, make: () => Value): Value {
    const kept = this.#kept.get(owner) ?? new Map<Key, Value>();
    this.#kept.set(owner, kept);
    const value = kept.get(key) ?? make();
    kept.set(key, value);
    return value;
  }
}
