/** The value of a key in a Map or WeakMap. @param make works the value out the first time */
export function remembered<Key, Value>(
  known: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const value = make();
  known.set(key, value);
  return value;
}

/** Keeps values that were worked out of an object, by a key, for as long as the object exists. */
export class Memory<Owner extends WeakKey, Key, Value> {
  readonly #kept = new WeakMap<Owner, Map<Key, Value>>();

  /** The value of an owner and a key. @param make works the value out the first time; a promise that fails is forgotten */
  get(owner: Owner, key: Key, make: () => Value): Value {
    const ofOwner = remembered(this.#kept, owner, () => new Map<Key, Value>());
    const value = remembered(ofOwner, key, make);
    if (value instanceof Promise) value.catch(() => ofOwner.delete(key));
    return value;
  }
}
